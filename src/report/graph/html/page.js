/* SPDX-License-Identifier: Apache-2.0 */
/* page.js - from address to view; what is found; keys. */
const status = document.getElementById("status"),
	find = document.getElementById("find"),
	hits = document.getElementById("hits"),
	picture = document.getElementById("picture"),
	main = document.getElementById("main");
let graph = null;
state = readAddress();
try {
	graph = new Graph();
} catch (e) {
	hint.hidden = false;
	hint.textContent = `The graph cannot be drawn here (${e.message}). The list has all of it.`;
}

/* Controls */

function fillControls(s) {
	document.getElementById("nav").replaceChildren(
		h("a", { href: address({ isList: false }), "aria-current": !s.isList && "page" }, "Graph"),
		h("a", { href: address({ isList: true }), "aria-current": s.isList && "page" }, "List")
	);
	const kinds = document.getElementById("kinds"),
		had = kinds.contains(document.activeElement) && document.activeElement.dataset.kind;
	kinds.replaceChildren(
		...KINDS.map((word, kind) =>
			h(`button.kind.k${kind}`, { type: "button", "data-kind": word, "aria-pressed": String(!s.hidden.has(kind)), onclick: () => toggleKind(kind) }, icon(word), KIND_WORDS[kind][1], h("span.num", number.format(data.sums[FIRST_KIND + kind])))
		)
	);
	if (had) kinds.querySelector(`[data-kind="${had}"]`).focus();
}

function toggleKind(kind) {
	const hidden = new Set(state.hidden);
	if (!hidden.delete(kind)) hidden.add(kind);
	go({ hidden, sight: graph?.sight() });
}

document.getElementById("levels").append(
	h("button.plain", { type: "button", onclick: () => go({ at: null, to: null, kind: null, open: new Set() }) }, "Packages"),
	h("button.plain", { type: "button", onclick: () => go({ at: null, to: null, kind: null, open: new Set(packages) }) }, "Classes")
);
const iconButton = (name, label, onclick) => h("button.plain", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
document.getElementById("zoom").append(
	iconButton("in", "Nearer", () => graph?.zoomBy(1.3)),
	iconButton("out", "Farther", () => graph?.zoomBy(1 / 1.3)),
	iconButton("fit", "Show all", () => (graph?.fit(), history.replaceState(null, "", address())))
);

/* What is said of a choice to those who do not see it. */
function announce(s) {
	if (!s.at) return "";
	if (s.to) return `${s.kind === null ? "calls" : KIND_WORDS[s.kind][1]} from ${s.at.full} to ${s.to.full}`;
	return `${LEVELS[s.at.level][0]} ${s.at.full}${s.at.level < METHOD ? (s.open.has(s.at) ? ", open" : ", closed") : ""}`;
}

let before = null;
function arrive() {
	const s = (state = readAddress()),
		isChanged = !before || openList(before.open) !== openList(s.open);
	document.body.classList.toggle("lists", s.isList);
	picture.hidden = s.isList;
	list.hidden = !s.isList;
	fillControls(s);
	const wanted = s.at ? [s.at, s.to].filter(Boolean) : [];
	if (s.isList) {
		fillList(s);
	} else if (graph) {
		graph.cy.resize();
		graph.draw(s);
		if (s.sight) graph.look(s.sight);
		else if (!graph.isFull) {
			if (!wanted.length ? isChanged : !before && openList(s.open) === null) graph.fit();
			else if (wanted.length && (isChanged || !wanted.every(n => graph.isSeen(n)))) graph.show(wanted);
		}
	}
	fillDetails(s);
	status.textContent = announce(s);
	before = s;
}

/* What is found */

let found = [],
	chosen = 0;
function search(words) {
	const low = words.toLowerCase().trim(),
		rank = n => {
			const name = n.label.toLowerCase(),
				i = name.indexOf(low);
			return i === 0 ? (name.length === low.length || name[low.length] === "(" ? 0 : 1) : i > 0 ? 2 : n.full.toLowerCase().includes(low) ? 3 : 4;
		};
	if (!low) return [];
	const ranked = [];
	for (const n of nodes) {
		const r = rank(n);
		if (r < 4) ranked.push([r, n]);
	}
	ranked.sort(([r, a], [q, b]) => r - q || a.level - b.level || compare(a.full, b.full));
	return ranked.map(x => x[1]);
}

const MOST_HITS = 12;
function fillHits() {
	const all = search(find.value);
	found = all.slice(0, MOST_HITS);
	chosen = 0;
	hits.replaceChildren(
		...found.map((n, i) =>
			h("li", { role: "option", id: `hit${i}`, "aria-selected": String(i === 0), onmousedown: e => (e.preventDefault(), take(n)) }, h(`span.dot.l${n.level}`, LEVELS[n.level][0]), marked(n.full, [find.value.toLowerCase().trim()]))
		),
		all.length > MOST_HITS ? h("li.soft", { role: "presentation" }, `${number.format(all.length - MOST_HITS)} more`) : "",
		find.value.trim() && !all.length ? h("li.soft", { role: "presentation" }, "Nothing by this name") : ""
	);
	hits.hidden = !find.value.trim();
	find.setAttribute("aria-expanded", String(!hits.hidden));
	choose(0);
}
function choose(i) {
	if (!found.length) return find.removeAttribute("aria-activedescendant");
	chosen = (i + found.length) % found.length;
	found.forEach((_, k) => document.getElementById(`hit${k}`).setAttribute("aria-selected", String(k === chosen)));
	find.setAttribute("aria-activedescendant", `hit${chosen}`);
}
function closeHits() {
	hits.hidden = true;
	find.setAttribute("aria-expanded", "false");
	find.removeAttribute("aria-activedescendant");
}
function take(n) {
	closeHits();
	find.value = "";
	location.hash = nodeAddress(n);
	if (graph) frame.focus();
}
find.addEventListener("input", fillHits);
find.addEventListener("focus", () => find.value && fillHits());
find.addEventListener("blur", closeHits);
find.addEventListener("keydown", e => {
	const key = { ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Enter: () => (hits.hidden && fillHits(), found[chosen] && take(found[chosen])), Escape: () => (find.value ? ((find.value = ""), closeHits()) : find.blur()) }[e.key];
	if (!key) return;
	e.preventDefault();
	key();
});

/* Keys */

const inGraph = {
	ArrowLeft: () => graph.step(-1, 0),
	ArrowRight: () => graph.step(1, 0),
	ArrowUp: () => graph.step(0, -1),
	ArrowDown: () => graph.step(0, 1),
	Enter: () => state.at && !state.to && graph.toggle(state.at),
	" ": () => state.at && !state.to && graph.toggle(state.at),
	Backspace: () => state.at?.parent && graph.toggle(state.at.parent),
	"+": () => graph.zoomBy(1.3),
	"-": () => graph.zoomBy(1 / 1.3),
	0: () => graph.fit()
};
const everywhere = {
	"/": () => {
		const box = state.isList ? filterBox : find;
		box.focus();
		box.select();
	},
	l: () => go({ isList: !state.isList }),
	Escape: () => state.at && go({ at: null, to: null, kind: null, sight: graph?.sight() })
};
document.addEventListener("keydown", e => {
	if (e.ctrlKey || e.altKey || e.metaKey || e.isComposing || e.target.tagName === "INPUT") return;
	const key = everywhere[e.key] ?? (graph && e.target === frame && inGraph[e.key]);
	if (!key) return;
	e.preventDefault();
	key();
});

document.getElementById("skip").addEventListener("click", () => details.focus());
addEventListener("hashchange", arrive);
arrive();
document.documentElement.dataset.ready = "true";
