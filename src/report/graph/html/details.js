/* SPDX-License-Identifier: Apache-2.0 */
/* details.js - what is chosen, in words: what calls it and what it calls, or the calls from one to the other. */
const details = document.getElementById("details");
const mark = kind => h(`span.kind.k${kind}`, icon(KINDS[kind], KIND_WORDS[kind][0]));
const link = (n, shown) => h("a.n", { href: nodeAddress(n) }, shown ?? n.full);
const button = (words, onclick, attributes = {}) => h("button.plain", { type: "button", ...attributes, onclick }, words);

function facts(rows) {
	return h(
		"dl.facts",
		rows.filter(r => r[1]).map(([term, value]) => h("div", h("dt", term), h("dd", h("span.n", value))))
	);
}

function overview() {
	const s = data.sums;
	return [
		h("h2", "What calls what"),
		facts([
			["Entry", head.entry],
			["Application", head.application ?? "all that is not the JDK\u2019s"],
			["Algorithm", head.algorithm],
			["Assumed", head.assume !== "listed" && head.assume],
			["Precision", head.precision],
			["Class path", head.class_path]
		]),
		h(
			"dl.tally",
			[
				[number.format(s[METHODS]), "methods of the application"],
				[number.format(s[LIBRARY_CALLS]), "library calls"],
				...KINDS.map((_, kind) => [number.format(s[FIRST_KIND + kind]), KIND_WORDS[kind][1]])
			].map(([n, what]) => h("div", h("dt", what), h("dd.num", n)))
		),
		s[UNFINISHED] > 0 && h("p.box.note", `${count(s[UNFINISHED], "library call")} could not be looked at one by one: their callbacks are those of a walk through the whole graph.`),
		h("h3", "How to read it"),
		h(
			"ul.kinds",
			h("li", mark(0), h("span", h("b", "Direct calls"), ": the site calls the method.")),
			h("li", mark(1), h("span", h("b", "Callbacks"), ": the site calls a library, which calls the method before it returns.")),
			h("li", mark(2), h("span", h("b", "Later calls"), ": in a thread that the library call starts."))
		),
		h("p.soft", "Numbers count calls. Click on a box for its callers and callees, on an arrow for its calls. A double click opens and closes packages and classes."),
		h("h3", "Keys"),
		h(
			"dl.keys",
			[
				[["/"], "find"],
				[["\u2190", "\u2191", "\u2192", "\u2193"], "from box to box"],
				[["Enter"], "open, close"],
				[["Backspace"], "close what it is in"],
				[["+", "\u2212", "0"], "nearer, farther, all"],
				[["l"], "list, graph"],
				[["Esc"], "choose nothing"]
			].map(([keys, what]) => h("div", h("dt", keys.map(k => h("kbd", k))), h("dd", what)))
		)
	];
}

/* The others that a node calls, or is called by, at a level: [node, [n of each kind], the only call or null]. */
function others(n, isCaller, level) {
	const found = new Map();
	for (const m of methodsOf(n))
		for (const e of m.edges) {
			const here = isCaller ? e.to : e.from,
				there = isCaller ? e.from : e.to;
			if (here !== m || (n.level < METHOD && holds(n, there))) continue;
			const other = at(there, level),
				row = found.get(other) ?? found.set(other, { node: other, n: [0, 0, 0], all: 0, only: e }).get(other);
			row.n[e.kind]++;
			row.only = row.all++ ? null : e;
		}
	const callbacks = r => r.n[1] + r.n[2];
	return [...found.values()].sort((a, b) => (callbacks(b) > 0) - (callbacks(a) > 0) || b.all - a.all || a.node.id - b.node.id);
}

function otherList(n, isCaller) {
	const level = n.level,
		rows = others(n, isCaller, level),
		word = isCaller ? "Callers" : "Callees",
		list = h("ul.others"),
		box = h("section", h("h3", word, h("span.num", number.format(rows.length))), rows.length ? list : h("p.soft", "Nothing in the application."));
	const item = r => {
		const [from, to] = isCaller ? [r.node, n] : [n, r.node];
		return h(
			"li",
			link(r.node, n.level === METHOD ? brief(r.node.full) : r.node.full),
			h(
				"span.counts",
				r.n.map((c, kind) => c > 0 && h("a", { href: callsAddress(from, to, kind), title: kindCount(kind, c), "aria-label": `${kindCount(kind, c)}: show` }, mark(kind), r.only && n.level === METHOD ? place(r.only) : number.format(c)))
			)
		);
	};
	paged(list, rows, item, box);
	return box;
}

/* p.q.Cls.name(Type) as Cls.name(Type), wherever it stands */
const brief = s => s.replace(/(?<![\w$.])(?:[a-z_][\w$]*\.)+(?=[A-Z])/g, "");

function nodeDetails(n) {
	const isOpen = state.open.has(n),
		within = KINDS.map((_, kind) => n.within[kind] > 0 && h("a", { href: callsAddress(n, n, kind) }, mark(kind), kindCount(kind, n.within[kind]))).filter(Boolean);
	return [
		h("p.level", LEVELS[n.level][0], n.parent && [" in ", link(n.parent)]),
		h("h2.n", n.level === METHOD ? n.label : n.full),
		n.level < METHOD && h("p.soft", contents(n)),
		h(
			"div.row",
			n.level < METHOD && button(isOpen ? "Close" : "Open", () => graph?.toggle(n), { "data-key": "toggle" }),
			n.parent && state.open.has(n.parent) && button(`Close ${LEVELS[n.parent.level][0]}`, () => graph?.toggle(n.parent)),
			button("Show", () => graph?.show([n]))
		),
		n.level < METHOD && within.length > 0 && h("section", h("h3", "Within"), h("p.counts", within)),
		otherList(n, true),
		otherList(n, false)
	].filter(Boolean);
}

/* The way through the library, from the call to the callback, and the object that makes it. */
function witness(w) {
	return h(
		"div.witness",
		h("h5", "How it comes there"),
		h("ol", w.steps.map(s => h("li", h("span.n", s.method), s.line ? `, line ${s.line}` : ""))),
		w.object && h("p", "On ", h("span.n", w.object))
	);
}

function callCard(e) {
	return h(
		"li.call",
		h("p", mark(e.kind), link(e.from, brief(e.from.full)), h("span.place", place(e))),
		e.named && h("p.through", h("span.soft", "calls "), h("span.n", { title: e.named }, brief(e.named))),
		e.by && h("p.through", h("span.soft", "which, in "), h("span.n", { title: e.by }, brief(e.by) + shownPlace(e.place)), h("span.soft", ", calls")),
		h("p.through", h("span.soft", "\u2192 "), link(e.to, brief(e.to.full))),
		e.open && h("p.tag", "unknown code calls back"),
		e.witness && witness(e.witness)
	);
}

function callDetails(from, to, kind) {
	const all = callsBetween(from, to, kind),
		list = h("ol.calls"),
		box = h("section", list);
	paged(list, all, callCard, box);
	const kinds = KINDS.map((_, k) => [k, callsBetween(from, to, k).length]).filter(([, n]) => n);
	return [
		h("p.level", kind === null ? "calls" : KIND_WORDS[kind][1]),
		h("h2.pair", link(from, from.level === METHOD ? brief(from.full) : from.full), h("span.soft", from === to ? " within itself" : " \u2192 "), from !== to && link(to, to.level === METHOD ? brief(to.full) : to.full)),
		kinds.length > 1 && h("div.chips", { role: "group", "aria-label": "Kind" }, [[null, 0], ...kinds].map(([k, n]) => h("a", { href: callsAddress(from, to, k), "aria-current": k === kind && "true" }, k === null ? "all" : [KIND_WORDS[k][1], h("span.num", number.format(n))]))),
		all.length ? box : h("p", "There are none.")
	];
}

function fillDetails(s) {
	const rows = s.at && s.to ? callDetails(s.at, s.to, s.kind) : s.at ? nodeDetails(s.at) : overview();
	details.replaceChildren(...rows.flat().filter(Boolean));
	details.scrollTop = 0;
}
