/* SPDX-License-Identifier: Apache-2.0 */
/* chains.js - call chains: trees of what can be called from each entry, unfolded where somebody looks. The data has the states of
 * the plan, which stand for all nodes with the same below them, and the rows that were seen; chains_data.c writes it. */
const CUT = 2; /* flag of a state, and of a row: what is below it is not in the page */

function readTable(packed, columns) {
	const next = unpack(packed),
		table = [];
	for (let n; (n = next()) !== undefined;) {
		table.push(n);
		for (let i = 1; i < columns; i++) table.push(next());
	}
	return table;
}

/* body, flags, first child, children by state; children are four numbers each */
function readStates(c) {
	const next = unpack(c.states),
		states = { body: [0], flags: [CUT], first: [0], n: [0], kids: [], numbers: new Map() };
	for (let body; (body = next()) !== undefined;) {
		const flags = next(),
			n = flags & CUT ? 0 : next();
		if (flags & CUT) states.numbers.set(states.body.length, Array.from({ length: c.depth + 1 }, next));
		states.body.push(body);
		states.flags.push(flags);
		states.first.push(states.kids.length / 4);
		states.n.push(n);
		for (let i = 0; i < n * 4; i++) states.kids.push(next());
	}
	return states;
}

function readRows(c, states, trees) {
	const next = unpack(c.rows),
		r = { n: 0, parent: [], tree: [], state: [], nth: [], depth: [], flags: [], count: [], tests: [], covered: [], kids: [] };
	for (let back; (back = next()) !== undefined; r.n++) {
		const [at, flags, count, tests] = [next(), next(), next(), next()],
			i = r.n,
			parent = back ? i - back : -1,
			up = parent < 0 ? 0 : r.state[parent];
		r.parent.push(parent);
		r.tree.push(back ? r.tree[parent] : at);
		r.nth.push(at);
		r.state.push(back ? (states.kids[(states.first[up] + at) * 4 + 3] ?? 0) : trees[at].state);
		r.depth.push(back ? r.depth[parent] + 1 : 0);
		r.flags.push(flags);
		r.count.push(count);
		r.tests.push(tests);
		r.covered.push((flags & 1 && count ? 1 : 0) + (flags & CUT ? next() : 0)); /* chains from here on that were seen */
		r.kids.push([]);
		if (back) r.kids[parent].push(i);
	}
	for (let i = r.n - 1; i >= 0; i--) if (r.parent[i] >= 0) r.covered[r.parent[i]] += r.covered[i];
	return r;
}

/* By calls further: chains that end there, of each state. */
function countStates(c, states) {
	const n = states.body.length,
		counts = [Float64Array.from(states.flags, f => f & 1)];
	for (let d = 1; d <= c.depth; d++) {
		const row = new Float64Array(n);
		for (let s = 1; s < n; s++)
			for (let k = states.first[s]; k < states.first[s] + states.n[s]; k++) row[s] += counts[d - 1][states.kids[k * 4 + 3]];
		for (const [s, numbers] of states.numbers) row[s] = numbers[d];
		row[0] = 0;
		counts.push(row);
	}
	counts[0][0] = 0;
	return counts;
}

const forest = later(() => {
	const c = data.chains,
		flat = readTable(c.trees, 3),
		trees = [];
	for (let i = 0; i < flat.length; i += 3) trees.push({ state: flat[i], level: flat[i + 1], start: flat[i + 2], row: -1 });
	const states = readStates(c),
		rows = readRows(c, states, trees);
	for (let i = 0; i < rows.n; i++) if (rows.parent[i] < 0) trees[rows.tree[i]].row = i;
	return { trees, states, rows, bodies: readTable(c.bodies, 3), calls: readTable(c.calls, 2), counts: countStates(c, states) };
});

/* Nodes: { tree, state, depth, row, kid, up }. `row` is -1 where nobody was; `kid` is the call's place in `kids`, -1 at an entry. */

const roomOf = tree => (data.chains.k ? Math.max(0, data.chains.k - forest().trees[tree].start) : data.chains.depth);

function chainsBelow(tree, state, depth) {
	const { counts } = forest(),
		room = roomOf(tree);
	let sum = 0;
	for (let d = 0; d < counts.length && depth + d <= room; d++)
		if (depth + d > 0 || data.chains.from_main) sum += counts[d][state];
	return sum;
}

function makeNode(node) {
	const { rows } = forest(),
		isSeen = node.row >= 0;
	return {
		...node,
		count: isSeen ? rows.count[node.row] : 0,
		required: chainsBelow(node.tree, node.state, node.depth),
		covered: isSeen ? rows.covered[node.row] : 0,
		isCut: !!(forest().states.flags[node.state] & CUT) || (isSeen && !!(rows.flags[node.row] & CUT))
	};
}

const missedBelow = node => node.required - node.covered;

function entryNodes() {
	return forest().trees.map((t, tree) => makeNode({ tree, state: t.state, depth: 0, row: t.row, kid: -1, up: null }));
}

function kidNodes(node) {
	const { states, rows } = forest(),
		found = new Map(),
		kids = [];
	if (node.isCut || node.depth >= roomOf(node.tree)) return kids;
	for (const row of node.row < 0 ? [] : rows.kids[node.row]) found.set(rows.nth[row], row);
	for (let i = 0; i < states.n[node.state]; i++) {
		const kid = states.first[node.state] + i,
			state = states.kids[kid * 4 + 3];
		if (!state) continue;
		const n = makeNode({ tree: node.tree, state, depth: node.depth + 1, row: found.get(i) ?? -1, kid, up: node });
		if (n.required || n.row >= 0) kids.push(n);
	}
	return kids;
}

/* Words about nodes */

const bodyClass = body => text[forest().bodies[body * 3]];
const bodyName = body => {
	const { bodies } = forest(),
		cls = bodyClass(body);
	return `${simpleName(cls)}.${text[bodies[body * 3 + 1]]}${params(text[bodies[body * 3 + 2]])}`;
};
const bodyOf = node => forest().states.body[node.state];

function receiverOf(node) {
	const r = node.kid < 0 ? 0 : forest().states.kids[node.kid * 4 + 1];
	if (!r) return "";
	if (r === 1) return "a class of clients";
	const shown = typeName({ row: r - 1, name: text[r - 1] });
	return text[r - 1] === bodyClass(bodyOf(node)) ? "" : lambdas.has(r - 1) ? shown : simpleName(shown);
}

function lineOf(node) {
	if (node.kid < 0 || !data.chains.granularity) return { word: "", line: 0 };
	const call = forest().states.kids[node.kid * 4] * 2,
		line = forest().calls[call];
	return { word: line ? `line ${line}` : `at ${forest().calls[call + 1]}`, line };
}

/* Where its call stands, or the class of an entry; undefined: it is not in the report. */
function sourceOf(node) {
	const cls = bodyClass(bodyOf(node.up || node)),
		{ line } = lineOf(node);
	return classByName.has(cls) ? address(line ? `${cls}:${line}` : cls) : undefined;
}

const levelWord = node => (data.chains.levels.length > 1 ? `level ${data.chains.levels[forest().trees[node.tree].level]}` : "");

function nodeMark(node) {
	if (node.row < 0) return MARKS.bad;
	return !node.required ? MARKS.none : missedBelow(node) > 0 ? MARKS.half : MARKS.good;
}

const times = n => `${number.format(n)}\u00d7`;
const chainsWord = n => count(n, "chain");

function nodeLabel(node) {
	const on = receiverOf(node);
	return [
		lineOf(node).word,
		bodyName(bodyOf(node)) + (on ? ` on ${on}` : ""),
		levelWord(node) && !node.up && levelWord(node),
		nodeMark(node)[2],
		node.row >= 0 && count(node.count, "time"),
		missedBelow(node) > 0 && `${chainsWord(missedBelow(node))} missed`
	]
		.filter(Boolean)
		.join(", ");
}

function pathOf(node) {
	const path = [];
	for (let n = node; n; n = n.up) path.unshift(n);
	return path;
}

/* Finding */

/* By state: calls to the nearest method with all the words in its name; Infinity: none is below. */
function distances(words) {
	const { states, bodies } = forest(),
		n = states.body.length,
		far = new Float64Array(n).fill(Infinity),
		isFound = [];
	for (let b = 0; b < bodies.length / 3; b++) {
		const low = `${bodyClass(b)}.${text[bodies[b * 3 + 1]]}`.toLowerCase();
		isFound.push(words.every(w => low.includes(w)));
	}
	for (let s = 1; s < n; s++) if (isFound[states.body[s]]) far[s] = 0;
	for (let d = 1, isOn = true; isOn && d <= data.chains.depth; d++) {
		isOn = false;
		for (let s = 1; s < n; s++) {
			if (far[s] <= d) continue;
			for (let k = states.first[s]; k < states.first[s] + states.n[s]; k++)
				if (far[states.kids[k * 4 + 3]] === d - 1) {
					far[s] = d;
					isOn = true;
					break;
				}
		}
	}
	return far;
}

/* By row: is there a chain from it on that passes the filter and has a method that was found? From below upwards. */
function findRows(far, filter) {
	const { states, rows } = forest(),
		found = new Uint8Array(rows.n);
	const isMissedKid = (row, i, seen) => {
		const kid = states.kids[(states.first[rows.state[row]] + i) * 4 + 3],
			left = roomOf(rows.tree[row]) - rows.depth[row] - 1;
		return kid && !seen.has(i) && left >= 0 && far[kid] <= left && chainsBelow(rows.tree[row], kid, rows.depth[row] + 1) > 0;
	};
	for (let r = rows.n - 1; r >= 0; r--) {
		const missed = chainsBelow(rows.tree[r], rows.state[r], rows.depth[r]) - rows.covered[r],
			seen = new Set(filter === "missed" ? rows.kids[r].map(k => rows.nth[k]) : []);
		if (far[rows.state[r]] === 0) found[r] ||= filter === "missed" ? missed > 0 : rows.covered[r] > 0;
		for (let i = 0; filter === "missed" && !found[r] && i < states.n[rows.state[r]]; i++) found[r] = isMissedKid(r, i, seen) ? 1 : 0;
		if (found[r] && rows.parent[r] >= 0) found[rows.parent[r]] = 1;
	}
	return found;
}

/* The tree */

const CHAIN_FILTERS = ["all", "missed", "covered"];
const MOST_KIDS = 200, /* below one node, until more are asked for */
	OPEN_FIRST = 60; /* rows that are unfolded at once */

class ChainTree {
	constructor(filter, select) {
		this.filter = filter;
		this.select = select;
		this.list = h("ul.forest", { role: "tree", "aria-label": "Chains by entry" });
		this.list.addEventListener("keydown", e => this.key(e));
		this.list.addEventListener("focusin", e => this.focused(e.target.closest("[role=treeitem]")));
		this.list.addEventListener("click", e => this.click(e));
		this.items = new WeakMap(); /* element: node */
	}

	/* Does the node, or anything below it, pass what is asked for? Below a method that was found, everything does. */
	shows(node) {
		if (this.filter === "missed" && !(missedBelow(node) > 0)) return false;
		if (this.filter === "covered" && !node.covered) return false;
		if (!this.far || node.isBelowFound) return true;
		if (this.found && node.row >= 0) return !!this.found[node.row];
		return this.far[node.state] <= roomOf(node.tree) - node.depth;
	}

	kids(node) {
		const isBelowFound = !!this.far && (node.isBelowFound || this.far[node.state] === 0);
		return kidNodes(node)
			.map(k => ({ ...k, isBelowFound }))
			.filter(k => this.shows(k));
	}

	fill(words) {
		this.far = words.length ? distances(words) : null;
		this.found = this.far && this.filter !== "all" ? findRows(this.far, this.filter) : null;
		this.words = words;
		const worth = this.filter === "covered" ? n => n.count : missedBelow;
		const entries = entryNodes()
			.filter(n => (n.required || n.row >= 0) && this.shows(n))
			.sort((a, b) => worth(b) - worth(a) || a.tree - b.tree);
		this.list.replaceChildren();
		this.append(this.list, entries, 0);
		this.unfold(words.length ? 2 * OPEN_FIRST : OPEN_FIRST);
		this.list.querySelector("[role=treeitem]")?.setAttribute("tabindex", "0");
		return entries.length;
	}

	/* Level by level, as long as there is room. */
	unfold(room) {
		let level = [...this.list.children],
			left = room - level.length;
		while (level.length && left > 0) {
			const next = [];
			for (const item of level) {
				if (left <= 0 || !item.hasAttribute("aria-expanded")) continue;
				if (this.far && this.far[this.items.get(item).state] === 0) continue;
				this.open(item);
				const kids = [...(item.querySelector(":scope > ul")?.children ?? [])];
				left -= kids.length;
				next.push(...kids);
			}
			level = next;
		}
	}

	append(list, nodes, from) {
		const shown = nodes.slice(from, from + MOST_KIDS);
		list.append(...shown.map((n, i) => this.item(n, from + i + 1, nodes.length)));
		if (from + shown.length < nodes.length) list.append(this.moreItem(list, nodes, from + shown.length));
	}

	moreItem(list, nodes, from) {
		const level = (nodes[0].depth ?? 0) + 1,
			word = `${number.format(nodes.length - from)} more`,
			item = h("li", { role: "treeitem", tabindex: "-1", "aria-level": String(level) }, h("div.step.soft", word));
		item.more = () => {
			item.remove();
			this.append(list, nodes, from);
			this.go(list.children[from]);
		};
		return item;
	}

	item(node, nth, of) {
		const hasKids = node.isCut || this.kids(node).length > 0;
		const item = h(
			"li",
			{
				role: "treeitem",
				tabindex: "-1",
				"aria-level": String(node.depth + 1),
				"aria-posinset": String(nth),
				"aria-setsize": String(of),
				"aria-expanded": hasKids && "false",
				"aria-selected": "false",
				"aria-label": nodeLabel(node)
			},
			this.step(node, hasKids)
		);
		this.items.set(item, node);
		return item;
	}

	step(node, hasKids) {
		const [style, shape, word] = nodeMark(node),
			on = receiverOf(node),
			title = bodyName(bodyOf(node)),
			pkg = bodyClass(bodyOf(node)).slice(0, -simpleName(bodyClass(bodyOf(node))).length);
		const line = h(
			"div.step",
			h("span.twist", { "aria-hidden": "true" }, hasKids && icon("more")),
			h("span", { class: style, title: word }, icon(shape)),
			h(
				"span.what",
				lineOf(node).word && [h("span.soft.where", lineOf(node).word), " "],
				!node.up && pkg && h("span.n.soft.minor", pkg),
				this.words?.length ? marked(title, this.words) : name(title),
				on && [h("span.soft", " on "), name(on)],
				!node.up && levelWord(node) && [" ", h("span.tag", levelWord(node))]
			),
			h("span.num.soft.count", node.row >= 0 ? times(node.count) : "never"),
			h(
				"span",
				{ class: `num share ${missedBelow(node) > 0 ? "bad" : "good"}` },
				missedBelow(node) > 0 ? `${number.format(missedBelow(node))} missed` : node.required ? `${number.format(node.required)} covered` : ""
			)
		);
		return line;
	}

	open(item) {
		if (item.getAttribute("aria-expanded") !== "false") return;
		const node = this.items.get(item),
			kids = this.kids(node),
			list = h("ul", { role: "group" });
		if (kids.length) this.append(list, kids, 0);
		else list.append(h("li.left-out.soft", { role: "none" }, `What is below is left out of this page: ${chainsWord(node.required)}.`));
		item.append(list);
		item.setAttribute("aria-expanded", "true");
	}

	close(item) {
		if (item.getAttribute("aria-expanded") !== "true") return;
		item.querySelector(":scope > ul").remove();
		item.setAttribute("aria-expanded", "false");
	}

	toggle(item) {
		if (item.more) item.more();
		else if (item.getAttribute("aria-expanded") === "true") this.close(item);
		else this.open(item);
	}

	go(item) {
		item?.focus();
		item?.querySelector(":scope > .step")?.scrollIntoView({ block: "nearest" });
	}

	focused(item) {
		const node = item && this.items.get(item);
		for (const e of this.list.querySelectorAll('[tabindex="0"], [aria-selected="true"]')) {
			e.setAttribute("tabindex", "-1");
			if (e.hasAttribute("aria-selected")) e.setAttribute("aria-selected", "false");
		}
		item?.setAttribute("tabindex", "0");
		if (node) {
			item.setAttribute("aria-selected", "true");
			this.select(node);
		}
	}

	click(e) {
		const item = e.target.closest(".step")?.closest("[role=treeitem]");
		if (!item) return;
		item.focus({ preventScroll: true });
		this.toggle(item);
	}

	key(e) {
		const item = e.target.closest("[role=treeitem]"),
			all = [...this.list.querySelectorAll("[role=treeitem]")],
			at = all.indexOf(item),
			isOpen = item.getAttribute("aria-expanded") === "true",
			keys = {
				ArrowDown: () => this.go(all[at + 1]),
				ArrowUp: () => this.go(all[at - 1]),
				Home: () => this.go(all[0]),
				End: () => this.go(all.at(-1)),
				ArrowRight: () => (isOpen ? this.go(item.querySelector("[role=treeitem]")) : this.open(item)),
				ArrowLeft: () => (isOpen ? this.close(item) : this.go(item.parentElement.closest("[role=treeitem]"))),
				Enter: () => this.toggle(item),
				" ": () => this.toggle(item)
			};
		keys.j = keys.ArrowDown;
		keys.k = keys.ArrowUp;
		if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
		e.preventDefault();
		e.stopPropagation();
		keys[e.key]();
	}
}

/* What is known of one chain */

const TESTS_SHOWN = 12;
function testLinks(set) {
	const all = testSets()[set].map(id => tests[id]),
		list = h("ul.tests");
	const add = rows => list.append(...rows.map(t => h("li", h("a.n", { href: address("", { test: t.name }) }, t.name))));
	add(all.slice(0, TESTS_SHOWN));
	if (all.length <= TESTS_SHOWN) return list;
	const more = h("button.plain", { type: "button" }, `All ${number.format(all.length)} tests`);
	more.addEventListener("click", () => {
		add(all.slice(TESTS_SHOWN));
		more.remove();
		list.children[TESTS_SHOWN].querySelector("a").focus();
	});
	return [list, more];
}

function stepLine(node) {
	const href = sourceOf(node),
		on = receiverOf(node),
		where = lineOf(node).word;
	return h(
		"li",
		{ class: node.row < 0 ? "bad" : undefined },
		h(
			"span",
			name(bodyName(bodyOf(node))),
			on && [h("span.soft", " on "), name(on)],
			node.up ? [" ", href && where ? h("a", { href }, where) : h("span.soft", where)] : href && [" ", h("a", { href }, "class")],
			node.row < 0 && [" ", h("span.tag.half", "never")]
		)
	);
}

/* The longest part of it that tests take. */
function seenPart(node) {
	while (node && node.row < 0) node = node.up;
	return node;
}

function testsOfChain(node) {
	const at = seenPart(node);
	if (!at) return [h("h3", "No test calls this entry"), h("p.soft", "A test that does is the one to write.")];
	const set = forest().rows.tests[at.row],
		n = set ? testSets()[set].length : 0;
	if (!n) return tests.length ? [h("p.soft", "No test takes this way: it was taken before or after them.")] : [];
	return at === node
		? [h("h3", `${count(n, "test")} take${n === 1 ? "s" : ""} this way`), testLinks(set)]
		: [h("h3", `${count(n, "test")} come${n === 1 ? "s" : ""} near`), h("p.soft", "Write the next one beside them."), testLinks(set)];
}

function chainPanel(node) {
	const [style, shape, word] = nodeMark(node),
		path = pathOf(node),
		length = forest().trees[node.tree].start + node.depth;
	return [
		h("h2", h("span", { class: style }, icon(shape)), node.up ? `Chain of ${count(length, "call")}` : "Entry", ": ", node.row < 0 ? "never" : times(node.count)),
		h("ol.way", path.map(stepLine)),
		h("p", { class: style }, node.required ? `${number.format(node.covered)} of ${chainsWord(node.required)} from here on covered` : word),
		testsOfChain(node)
	];
}

/* Pages */

function chainNotes() {
	const c = data.chains,
		by = ["method", "call site", "call site and receiver class"][c.granularity];
	return h(
		"p.soft",
		c.k ? `At most ${count(c.k, "call")} from ${c.from_main ? "the clients" : "the entry"}` : "Of any length",
		`, by ${by}. `,
		c.pruned !== undefined && `${chainsWord(c.pruned)} more cannot happen, and ${c.pruned === 1 ? "is" : "are"} not required. `,
		c.left_out + c.rows_left_out > 0 &&
			`This page has room for part of the trees: ${count(c.left_out, "call")} and ${count(c.rows_left_out, "row")} of what was seen are left out; sherd report --format json has all.`
	);
}

function chainHead(title, at) {
	return [
		h("h1", { tabindex: "-1" }, title),
		chainNotes(),
		h(
			"div.row",
			h(
				"div.chips",
				{ role: "group", "aria-label": "Shown as" },
				h("a", { href: "#!chains", "aria-current": at === "tree" && "true" }, "Trees"),
				h("a", { href: "#!flame", "aria-current": at === "flame" && "true" }, "Flame graph")
			)
		)
	];
}

function chainsView(route) {
	const whole = wholes.find(c => c.name === "chains"),
		[required, covered] = [data.sums[whole.at], data.sums[whole.at + 1]],
		panel = h("aside.chain", { "aria-label": "The chain that is selected" }, h("p.soft", "Select a call to see the way to it, and the tests that take it.")),
		tree = new ChainTree(route.filter, node => panel.replaceChildren(...chainPanel(node).flat(Infinity))),
		nothing = h("p.none", { hidden: true }, "No chain is like this."),
		box = h("input", {
			type: "search",
			autocomplete: "off",
			spellcheck: "false",
			placeholder: "Find methods in chains",
			"aria-label": "Find methods in chains",
			"aria-keyshortcuts": "/"
		});
	const to = filter => address("", { chains: true, filter, find: box.value.trim() || undefined });
	const fill = () => {
		const n = tree.fill(box.value.toLowerCase().split(/\s+/).filter(Boolean));
		nothing.hidden = n > 0;
		return n;
	};
	let wait = 0;
	box.value = route.options.get("find") === true ? "" : (route.options.get("find") ?? "");
	box.addEventListener("input", () => {
		clearTimeout(wait);
		wait = setTimeout(() => {
			history.replaceState(null, "", to(route.filter));
			announce(count(fill(), "entry", "entries"));
			chipsOf.forEach(a => a.setAttribute("href", to(a.dataset.filter)));
		}, 80);
	});
	box.addEventListener("keydown", e => {
		if (e.key === "ArrowDown" || e.key === "Enter") tree.go(tree.list.querySelector('[tabindex="0"]'));
		else if (e.key === "Escape" && box.value) ((box.value = ""), box.dispatchEvent(new Event("input")));
		else if (e.key === "Escape") box.blur();
		else return;
		e.preventDefault();
	});
	fill();
	const amounts = { all: required, missed: required - covered, covered };
	const filters = chips(
		"Show",
		CHAIN_FILTERS.includes(route.filter) ? route.filter : "all",
		CHAIN_FILTERS.map(f => [f, FILTER_WORDS[f], amounts[f], to(f)])
	);
	const chipsOf = [...filters.querySelectorAll("a")];
	const [title, note, row] = chainHead("Call chains", "tree");
	row.append(filters, h("search.find.end", icon("search"), box, h("kbd", { "aria-hidden": "true" }, "/")));
	return {
		title: "Call chains",
		up: "#",
		box,
		nodes: [title, note, row, h("div.chains", h("div.frame", tree.list, nothing), panel)]
	};
}

/* On the first page */

function lengthRows() {
	const f = data.chains.figures,
		rows = [];
	for (let i = 0; i < f.length; i += 4) {
		const level = data.chains.levels.length > 1 ? `Level ${data.chains.levels[f[i]]}, ` : "",
			word = count(f[i + 1], "call");
		rows.push([h("dt", level ? level + word : `Of ${word}`), h("dd.num", `${number.format(f[i + 3])} of ${number.format(f[i + 2])}`)]);
	}
	return h("dl.tally", rows);
}

function chainLinks() {
	return [lengthRows(), h("p", h("a", { href: "#!chains!missed" }, "Trees"), " \u00b7 ", h("a", { href: "#!flame" }, "Flame graph"))];
}

function chainAlarm() {
	if (!data.chains?.nstrange) return null;
	const list = readTable(data.chains.strange, 2),
		rows = [];
	for (let i = 0; i < list.length && rows.length < 5; i += 2) rows.push(h("li", name(text[list[i]]), ` ${times(list[i + 1])}`));
	return h(
		"section.box.odd",
		{ "aria-labelledby": "chain-alarm" },
		h("h2", { id: "chain-alarm" }, icon("unexpected"), count(data.chains.nstrange, "unexpected chain")),
		h("p", "The requirements do not have these chains. Either a client broke an assumption, or the analysis is wrong."),
		h("ul", rows, data.chains.nstrange > rows.length && h("li", `${number.format(data.chains.nstrange - rows.length)} more`))
	);
}
