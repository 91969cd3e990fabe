/* SPDX-License-Identifier: Apache-2.0 */
/* data.js - the data of the page taken apart; html_p.h says how it is put together. The files of this folder are one module, in
 * the order that the Makefile names them. Data becomes text nodes and labels only, never markup. */
const data = JSON.parse(document.getElementById("data").textContent);
const text = data.strings,
	head = data.head;
const KINDS = ["direct", "callback", "later"];
const [METHODS, LIBRARY_CALLS, UNFINISHED, FIRST_KIND] = [0, 1, 2, 3]; /* rows of data.sums */
const OPEN = 4,
	NAMED = 8,
	BY = 16; /* flags of an edge */
const PACKAGE = 0,
	CLASS = 1,
	METHOD = 2; /* levels */
const LEVELS = [
	["package", "packages"],
	["class", "classes"],
	["method", "methods"]
];

/* Packages, classes and methods. A node's key is its part of the address: p.*, p.Cls, p.Cls.name(desc)ret. */
const nodes = [],
	byKey = new Map();
function addNode(level, key, full, label, parent) {
	const n = { id: nodes.length, level, key, full, label, parent, children: [], edges: [], within: [0, 0, 0] };
	nodes.push(n);
	parent?.children.push(n);
	if (!byKey.has(key)) byKey.set(key, n);
	return n;
}

const packages = [];
function packageOf(className) {
	const dot = className.lastIndexOf("."),
		name = dot < 0 ? "" : className.slice(0, dot),
		key = dot < 0 ? "*" : name + ".*";
	let p = byKey.get(key);
	if (!p) packages.push((p = addNode(PACKAGE, key, name || "no package", name || "(no package)", null)));
	return p;
}

const classes = data.classes.map(row => {
	const name = text[row];
	return addNode(CLASS, name, name, simpleName(name), packageOf(name));
});

const methods = [];
{
	const next = unpack(data.methods);
	for (let row; (row = next()) !== undefined;) {
		const c = classes[row],
			name = text[next()],
			desc = text[next()],
			shown = name + params(desc);
		methods.push(addNode(METHOD, `${c.key}.${name}${desc}`, `${c.full}.${shown}`, shown, c));
	}
}
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
packages.sort((a, b) => compare(a.full, b.full));

/* Edges, by caller; what is not known is 0 or null. */
const edges = [];
{
	const next = unpack(data.edges);
	let caller = 0;
	for (let skip; (skip = next()) !== undefined;) {
		caller += skip;
		const pc = next(),
			line = next(),
			flags = next(),
			e = { id: edges.length, from: methods[caller], to: methods[next()], pc, line, kind: flags & 3, open: (flags & OPEN) > 0, named: null, by: null, place: 0, witness: null };
		if (flags & NAMED) e.named = text[next()];
		if (flags & BY) ((e.by = text[next()]), (e.place = next()));
		e.from.edges.push(e);
		if (e.from !== e.to) e.to.edges.push(e);
		edges.push(e);
	}
}
for (const [edge, steps, object] of data.witnesses ?? []) {
	const rows = [];
	for (let i = 0; i + 1 < steps.length; i += 2) rows.push({ method: steps[i], line: steps[i + 1] });
	edges[edge].witness = { steps: rows, object };
}

/* All methods in a node. */
function methodsOf(n) {
	return n.level === METHOD ? [n] : n.children.flatMap(methodsOf);
}

const holds = (outer, n) => outer === n || (n.parent !== null && holds(outer, n.parent));

/* The node of a level that a method is in. */
function at(method, level) {
	let n = method;
	while (n.level > level) n = n.parent;
	return n;
}

for (const e of edges)
	for (let n = e.from; n; n = n.parent) if (holds(n, e.to)) n.within[e.kind]++;

/* The calls from a node to another one, of one kind or of any. */
function callsBetween(from, to, kind) {
	return methodsOf(from).flatMap(m => m.edges.filter(e => e.from === m && holds(to, e.to) && (kind === null || e.kind === kind)));
}

const place = e => (e.line ? `line ${e.line}` : `@${e.pc}`);
const shownPlace = p => (p % 2 ? `@${(p - 1) / 2}` : `:${p / 2}`);
const KIND_WORDS = [
	["direct call", "direct calls"],
	["callback", "callbacks"],
	["later call", "later calls"]
];
const kindCount = (kind, n) => count(n, ...KIND_WORDS[kind]);

/* "12 classes, 80 methods" */
function contents(n) {
	if (n.level === METHOD) return "";
	const sizes = [];
	if (n.level === PACKAGE) sizes.push(count(n.children.length, ...LEVELS[CLASS]));
	sizes.push(count(methodsOf(n).length, ...LEVELS[METHOD]));
	return sizes.join(", ");
}
