/* SPDX-License-Identifier: Apache-2.0 */
/* list.js - every library call that calls back, as a table: the same without a picture. */
const list = document.getElementById("list");

/* Callbacks of a site are one row; what runs later is another. */
const sites = later(() => {
	const rows = [];
	let last = null;
	for (const e of edges) {
		if (e.kind === 0) continue;
		if (!last || last.from !== e.from || last.pc !== e.pc || last.kind !== e.kind) rows.push((last = { from: e.from, pc: e.pc, line: e.line, kind: e.kind, named: e.named, edges: [] }));
		last.edges.push(e);
	}
	for (const r of rows) r.words = [r.from.full, r.named ?? "", ...r.edges.flatMap(e => [e.to.full, e.by ?? ""])].join("\n").toLowerCase();
	return rows;
});

const SHOWN = 6; /* callees of a site, at first */
function siteRow(r) {
	const items = r.edges.map(e => h("li", link(e.to, brief(e.to.full)), e.by && h("span.by", " by ", h("span.n", brief(e.by) + shownPlace(e.place))), e.open && h("span.tag", "unknown code"))),
		callees = h("ul", items.slice(0, SHOWN)),
		more = items.length > SHOWN && h("button.tell", { type: "button" }, `${number.format(items.length - SHOWN)} more`);
	if (more) more.addEventListener("click", () => (callees.append(...items.slice(SHOWN)), more.remove(), items[SHOWN].querySelector("a").focus()));
	return h(
		"tr",
		h("th", { scope: "row" }, link(r.from, brief(r.from.full)), " ", h("span.place", place(r))),
		h("td", h("span.n", r.named ?? "unknown")),
		h("td.what", mark(r.kind), " ", KIND_WORDS[r.kind][0]),
		h("td", callees, more)
	);
}

const filterBox = h("input", { type: "search", id: "filter", placeholder: "Filter by caller, library method or callee", "aria-label": "Filter the list", autocomplete: "off", spellcheck: "false" });
const shownCount = h("span.soft", { role: "status" });
const tableBox = h("div.frame");
let filled = null;

function fillList(s) {
	const key = s.filter + "|" + [...s.hidden].sort();
	if (!list.firstChild) list.append(h("div.row", h("h2", "Library calls that call back"), filterBox, shownCount), tableBox);
	if (document.activeElement !== filterBox) filterBox.value = s.filter;
	if (key === filled) return;
	filled = key;
	const words = s.filter.toLowerCase().split(/\s+/).filter(Boolean),
		rows = sites().filter(r => !s.hidden.has(r.kind) && words.every(w => r.words.includes(w))),
		body = h("tbody");
	shownCount.textContent = rows.length < sites().length ? `${number.format(rows.length)} of ${count(sites().length, "call")}` : count(rows.length, "call");
	tableBox.replaceChildren(
		rows.length ? h("table", h("thead", h("tr", ["Call site", "Calls", "Kind", "Called back"].map(w => h("th", { scope: "col" }, w)))), body) : h("p.none", sites().length ? "No call has all of these words." : "No library call calls back.")
	);
	paged(body, rows, siteRow, tableBox);
}

filterBox.addEventListener("input", () => {
	clearTimeout(filterBox.waiting);
	filterBox.waiting = setTimeout(() => {
		history.replaceState(null, "", address({ filter: filterBox.value.trim() }));
		arrive();
	}, 80);
});
