/* SPDX-License-Identifier: Apache-2.0 */
/* place.js - where everything stands: the same place every time, for the same state.
 *
 * What is in an open package or class is put into columns from left to right, callers before callees; an open one is a box, as large as
 * what is in it. Each box is arranged by itself, from the inside out, in time about linear in what is visible. */
const LABEL_FONT = "13px",
	FEW = 30, /* nodes, up to which there is room between them */
	FRAME = 16, /* around what is in a box */
	CAPTION = 26, /* above it */
	SHAPE = 1.1, /* wanted width by height */
	LONGEST = 38; /* letters of a label */

/* Between nodes of a column, and between columns. */
const gapOf = items => (items.length > FEW ? 12 : 30);
const aisleOf = items => (items.length > FEW ? 84 : items.length > 12 ? 110 : 140);

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();
function widthOf(s, font) {
	const key = font + s;
	let w = widths.get(key);
	if (w === undefined) {
		pen.font = font;
		widths.set(key, (w = pen.measureText(s).width));
	}
	return w;
}
const cut = s => (s.length > LONGEST ? s.slice(0, LONGEST - 1) + "\u2026" : s);

/* An order in which as much weight as can be had cheaply goes forward: sources first, sinks last, and of those that are left over the
 * one that gives more than it takes (Eades, Lin, Smyth). */
function sequence(items, links) {
	const out = items.map(() => 0),
		into = items.map(() => 0),
		near = items.map(() => []);
	for (const l of links) {
		out[l.a] += l.weight;
		into[l.b] += l.weight;
		near[l.a].push([l.b, l.weight, into]);
		near[l.b].push([l.a, l.weight, out]);
	}
	const left = new Set(items.keys()),
		first = [],
		last = [];
	while (left.size) {
		let best = -1,
			rank = -Infinity,
			isSink = false;
		for (const i of left) {
			const r = into[i] === 0 ? Infinity : out[i] === 0 ? Number.MAX_VALUE : out[i] - into[i];
			if (r > rank) ((best = i), (rank = r), (isSink = out[i] === 0 && into[i] > 0));
			if (r === Infinity) break;
		}
		left.delete(best);
		if (isSink) last.unshift(best);
		else first.push(best);
		for (const [other, weight, sum] of near[best]) sum[other] -= weight;
	}
	return [...first, ...last];
}

/* The column of each item: behind its callers, as far as the sequence goes along. */
function columnsOf(items, links) {
	const order = sequence(items, links),
		rank = new Array(items.length),
		column = items.map(() => 0),
		next = items.map(() => []);
	order.forEach((i, r) => (rank[i] = r));
	const isCalled = items.map(() => false);
	for (const l of links) if (rank[l.a] < rank[l.b]) (next[l.a].push(l.b), (isCalled[l.b] = true));
	for (const i of order) for (const j of next[i]) column[j] = Math.max(column[j], column[i] + 1);
	/* what calls others stands just before them */
	for (const i of order.toReversed())
		if (next[i].length && !isCalled[i]) column[i] = Math.min(...next[i].map(j => column[j])) - 1;
	return { order, column };
}

/* Columns that are neither too many nor too high for the wanted shape. */
function fold(items, links) {
	const { order, column } = columnsOf(items, links),
		gap = gapOf(items),
		aisle = aisleOf(items),
		deepest = Math.max(...column) + 1,
		area = items.reduce((sum, i) => sum + (i.w + aisle) * (i.h + gap), 0),
		wide = items.reduce((sum, i) => sum + i.w + aisle, 0) / items.length,
		wanted = Math.max(1, Math.ceil(Math.sqrt(area * SHAPE) / wide)),
		most = Math.max(wanted, Math.min(deepest, 3)),
		high = Math.max(...items.map(i => i.h + gap), Math.sqrt(area / SHAPE) * 1.3, 260),
		groups = Array.from({ length: Math.min(deepest, most) }, () => []);
	for (const i of order) groups[deepest <= most ? column[i] : Math.floor((column[i] * most) / deepest)].push(i);
	const columns = [];
	for (const g of groups) {
		const sum = g.reduce((s, i) => s + items[i].h + gap, 0),
			parts = Math.ceil(sum / high),
			limit = sum / parts;
		let now = [],
			used = 0;
		for (const i of g) {
			if (now.length && used + items[i].h / 2 > limit) (columns.push(now), (now = []), (used = 0));
			now.push(i);
			used += items[i].h + gap;
		}
		if (now.length) columns.push(now);
	}
	return columns;
}

/* Heights in a column, as near to what is wanted as the order and the gaps allow: blocks that meet move together. */
function settle(column, items, wanted, gap) {
	const blocks = [];
	for (const i of column) {
		let b = { list: [i], size: items[i].h + gap, top: wanted[i] - items[i].h / 2, n: 1 };
		for (let p; (p = blocks.at(-1)) && p.top + p.size > b.top;) {
			blocks.pop();
			b = { list: [...p.list, ...b.list], size: p.size + b.size, top: (p.top * p.n + (b.top - p.size) * b.n) / (p.n + b.n), n: p.n + b.n };
		}
		blocks.push(b);
	}
	for (const b of blocks) {
		let y = b.top;
		for (const i of b.list) ((items[i].y = y), (y += items[i].h + gap));
	}
}

function arrangeLinked(items, links) {
	const columns = fold(items, links),
		gap = gapOf(items),
		near = items.map(() => []);
	for (const l of links) {
		near[l.a].push([l.b, l.weight]);
		near[l.b].push([l.a, l.weight]);
	}
	const middle = i => items[i].y + items[i].h / 2;
	const pull = i => {
		let sum = 0,
			all = 0;
		for (const [j, weight] of near[i]) {
			const w = 1 + Math.log2(weight);
			sum += middle(j) * w;
			all += w;
		}
		return all ? sum / all : middle(i);
	};
	const stack = c => {
		let y = -c.reduce((s, i) => s + items[i].h + gap, 0) / 2;
		for (const i of c) ((items[i].y = y), (y += items[i].h + gap));
	};
	columns.forEach(stack);
	for (let round = 0; round < 8; round++)
		for (const c of round % 2 ? columns.toReversed() : columns) {
			const wanted = new Map(c.map(i => [i, pull(i)]));
			c.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
			const by = [];
			for (const i of c) by[i] = wanted.get(i);
			settle(c, items, by, gap);
		}
	/* where there are many, room is dearer than straight arrows */
	if (items.length > FEW) columns.forEach(stack);
	let x = 0;
	for (const c of columns) {
		const width = Math.max(...c.map(i => items[i].w));
		for (const i of c) items[i].x = x + (width - items[i].w) / 2;
		x += width + aisleOf(items);
	}
}

/* Those that nothing calls and that call nothing here, in rows. */
function arrangeLoose(items, left, top, width) {
	const gap = gapOf(items) / 2 + 6;
	let x = left,
		y = top,
		high = 0;
	for (const i of items) {
		if (x > left && x + i.w > left + width) ((x = left), (y += high + gap), (high = 0));
		((i.x = x), (i.y = y));
		x += i.w + gap;
		high = Math.max(high, i.h);
	}
}

/* Gives each item its x and y, from 0 on; returns how large all are together. */
function arrange(items, links) {
	const isLinked = new Set(links.flatMap(l => [l.a, l.b])),
		linked = items.filter((_, i) => isLinked.has(i)),
		loose = items.filter((_, i) => !isLinked.has(i)),
		row = new Map(linked.map((item, i) => [item, i]));
	if (linked.length) arrangeLinked(linked, links.map(l => ({ a: row.get(items[l.a]), b: row.get(items[l.b]), weight: l.weight })));
	const top = Math.min(0, ...linked.map(i => i.y));
	for (const i of linked) i.y -= top;
	const width = Math.max(0, ...linked.map(i => i.x + i.w)),
		height = Math.max(0, ...linked.map(i => i.y + i.h)),
		area = loose.reduce((s, i) => s + (i.w + 16) * (i.h + 16), 0);
	arrangeLoose(loose, 0, height ? height + 32 : 0, Math.max(width, Math.sqrt(area * SHAPE * 1.3)));
	return { w: Math.max(0, ...items.map(i => i.x + i.w)), h: Math.max(0, ...items.map(i => i.y + i.h)) };
}

/* What is visible. */

function visibleNodes(open) {
	const leaves = [],
		walk = n => (open.has(n) ? n.children.forEach(walk) : leaves.push(n));
	packages.forEach(walk);
	return leaves;
}

/* Calls between what is visible, those of a kind together: { from, to, kind, n }. Where a package or class calls itself only what goes
 * through a library is drawn. */
function visibleCalls(leaves, hidden) {
	const shown = new Array(nodes.length).fill(null),
		all = new Map(),
		mark = (n, leaf) => {
			shown[n.id] = leaf;
			n.children.forEach(c => mark(c, leaf));
		};
	leaves.forEach(n => mark(n, n));
	for (const e of edges) {
		const from = shown[e.from.id],
			to = shown[e.to.id];
		if (hidden.has(e.kind) || (from === to && e.kind === 0 && from.level < METHOD)) continue;
		const key = (from.id * nodes.length + to.id) * 3 + e.kind;
		const old = all.get(key);
		if (old) old.n++;
		else all.set(key, { from, to, kind: e.kind, n: 1 });
	}
	return [...all.values()];
}

/* The children of the innermost open node around both. */
function siblings(a, b) {
	while (a.level > b.level) a = a.parent;
	while (b.level > a.level) b = b.parent;
	while (a.parent !== b.parent) ((a = a.parent), (b = b.parent));
	return [a, b];
}

function linksOf(calls) {
	const links = new Map(); /* by the parent: by both ends */
	for (const c of calls) {
		const [a, b] = siblings(c.from, c.to);
		if (a === b) continue;
		const inside = links.get(a.parent) ?? links.set(a.parent, new Map()).get(a.parent),
			key = a.id * nodes.length + b.id,
			old = inside.get(key);
		if (old) old.weight += c.n;
		else inside.set(key, { a, b, weight: c.n });
	}
	return links;
}

const font = () => `${LABEL_FONT} ${fontFamily}`;
const boldFont = () => `600 ${font()}`;

/* What stands in a node. */
function linesOf(n) {
	if (n.level === METHOD) return [cut(n.label)];
	return n.level === CLASS ? [`+ ${cut(n.label)} \u00b7 ${number.format(n.children.length)}`] : [`+ ${cut(n.label)}`, contents(n)];
}

function sizeOf(n) {
	const lines = linesOf(n);
	return { lines, w: Math.ceil(Math.max(...lines.map(l => widthOf(l, font())))) + 24, h: [46, 30, 26][n.level] };
}

/* Boxes and leaves: { node, x, y, w, h, isBox }, from the top left corner; calls are those between leaves. Calls of all kinds count, so
 * that nothing moves when a kind is hidden. */
function placeAll(open, hidden) {
	const leaves = visibleNodes(open),
		links = linksOf(visibleCalls(leaves, new Set())),
		places = [];
	const put = (parent, children) => {
		const items = children.map(n => (open.has(n) ? boxOf(n) : { node: n, ...sizeOf(n), inside: [] })),
			row = new Map(children.map((n, i) => [n, i])),
			inside = [...(links.get(parent)?.values() ?? [])].map(l => ({ a: row.get(l.a), b: row.get(l.b), weight: l.weight }));
		return { items, ...arrange(items, inside) };
	};
	const boxOf = n => {
		const { items, w, h } = put(n, n.children);
		return { node: n, isBox: true, inside: items, w: Math.max(w, Math.ceil(widthOf("- " + cut(n.label), boldFont()))) + 2 * FRAME, h: h + CAPTION + FRAME };
	};
	const finish = (item, x, y) => {
		((item.x += x), (item.y += y));
		places.push(item);
		for (const i of item.inside) finish(i, item.x + FRAME, item.y + CAPTION);
	};
	for (const item of put(null, packages).items) finish(item, 0, 0);
	return { places, leaves, calls: visibleCalls(leaves, hidden) };
}
