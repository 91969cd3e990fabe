/* SPDX-License-Identifier: Apache-2.0 */
/* flame.js - how often chains were seen, as a flame graph that hangs: entries at the top, calls below their callers, each as wide as
 * it was made often, or as all that is below it. */
const FLAME_ROW = 25,
	FLAME_LEAST = 2, /* pixels: what is narrower is not drawn */
	FLAME_LETTER = 7.3; /* pixels, of the font that style.css names */

/* By row: its count, or that of its calls together where a loop makes more of them. */
const weights = later(() => {
	const { rows } = forest(),
		sums = new Float64Array(rows.n),
		own = new Float64Array(rows.n);
	for (let i = rows.n - 1; i >= 0; i--) {
		own[i] = Math.max(rows.count[i], sums[i]);
		if (rows.parent[i] >= 0) sums[rows.parent[i]] += own[i];
	}
	return own;
});

function rowNode(row) {
	const { rows, states, trees } = forest(),
		parent = rows.parent[row],
		up = parent < 0 ? null : rowNode(parent),
		kid = parent < 0 ? -1 : states.first[rows.state[parent]] + rows.nth[row];
	return makeNode({ tree: rows.tree[row], state: parent < 0 ? trees[rows.tree[row]].state : rows.state[row], depth: rows.depth[row], row, kid, up });
}

const heaviest = rows => [...rows].sort((a, b) => weights()[b] - weights()[a] || a - b);
const flameRoots = later(() => heaviest(forest().trees.map(t => t.row).filter(r => r >= 0)));
const flameTotal = () => flameRoots().reduce((n, r) => n + weights()[r], 0);

/* Boxes of what is zoomed to, in parts of the width: { row, x, width, y }; row -1 is everything. What is above it is as wide. */
function flameBoxes(zoom, pixels) {
	const boxes = [],
		{ rows } = forest(),
		add = (row, x, width, y) => {
			if (width * pixels < FLAME_LEAST) return;
			boxes.push({ row, x, width, y });
			const kids = row < 0 ? flameRoots() : heaviest(rows.kids[row]),
				whole = row < 0 ? flameTotal() : weights()[row];
			let at = x;
			for (const k of kids) {
				const w = (width * weights()[k]) / whole;
				add(k, at, w, y + 1);
				at += w;
			}
		};
	const above = [];
	for (let r = zoom; r >= 0; r = rows.parent[r]) above.unshift(rows.parent[r]);
	above.forEach((row, y) => boxes.push({ row, x: 0, width: 1, y }));
	add(zoom, 0, 1, above.length);
	return boxes;
}

function svgNode(kind, attributes, ...kids) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", kind);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...kids);
	return e;
}

/* Of four, by class: neighbours in the order of names differ. */
const tints = later(() => new Map([...new Set(forest().bodies.filter((_, i) => i % 3 === 0))].map((row, i) => [text[row], i % 4])));

function flameWords(row) {
	if (row < 0) return { shown: "All entries", least: "All entries", label: `All entries, ${count(flameTotal(), "call")}` };
	const node = rowNode(row),
		on = receiverOf(node),
		shown = bodyName(bodyOf(node)) + (on ? ` on ${on}` : ""),
		share = flameTotal() ? ((weights()[row] * 100) / flameTotal()).toFixed(1) : "0.0";
	return { shown, least: shown.replace(/^[^(]*\.(?=[^.(]*\()/, ""), label: [lineOf(node).word, shown, !node.up && levelWord(node), count(node.count, "time"), `${share} %`].filter(Boolean).join(", ") };
}

/* The name, or that without its class, or the beginning of that. */
function fitted(shown, least, room) {
	if (shown.length <= room) return shown;
	return least.length <= room ? least : least.slice(0, room - 1) + "\u2026";
}

class Flame {
	constructor(zoom, select) {
		this.zoom = zoom;
		this.select = select;
		this.svg = svgNode("svg", { class: "flame", role: "group", "aria-label": "Flame graph of call chains: entries at the top. The table below has the same figures." });
		this.svg.addEventListener("click", e => this.enter(e.target.closest("g")));
		this.svg.addEventListener("keydown", e => this.key(e));
		this.svg.addEventListener("focusin", e => this.focused(e.target.closest("g")));
		this.box = h("div.frame.flame-box", this.svg);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	draw() {
		const pixels = this.box.clientWidth - 12; /* without its padding */
		if (pixels <= 0 || (pixels === this.pixels && this.drawn === this.zoom)) return;
		const had = this.svg.contains(document.activeElement);
		((this.pixels = pixels), (this.drawn = this.zoom));
		this.boxes = flameBoxes(this.zoom, pixels);
		const tall = (Math.max(...this.boxes.map(b => b.y)) + 1) * FLAME_ROW;
		this.svg.setAttribute("viewBox", `0 0 ${pixels} ${tall}`);
		this.svg.setAttribute("width", pixels);
		this.svg.setAttribute("height", tall);
		this.svg.replaceChildren(...this.boxes.map(b => this.cell(b)));
		this.stop(this.at(this.zoom), had);
	}

	cell(b) {
		const { shown, least, label } = flameWords(b.row),
			wide = b.width * this.pixels,
			room = Math.floor((wide - 10) / FLAME_LETTER),
			color = b.row < 0 ? "top-most" : `tint-${tints().get(bodyClass(bodyOf(rowNode(b.row))))}`;
		const cell = svgNode(
			"g",
			{ role: "button", tabindex: "-1", "aria-label": label, "data-row": b.row, class: color, "data-y": b.y },
			svgNode("title", {}, label),
			svgNode("rect", { x: b.x * this.pixels + 0.5, y: b.y * FLAME_ROW + 0.5, width: Math.max(wide - 1, 1), height: FLAME_ROW - 2, rx: 3 })
		);
		if (room > 2)
			cell.append(
				svgNode("text", { x: b.x * this.pixels + 6, y: b.y * FLAME_ROW + 16.5, "aria-hidden": "true" }, fitted(shown, least, room))
			);
		return cell;
	}

	at(row) {
		return this.svg.querySelector(`[data-row="${row}"]`);
	}

	stop(cell, isFocused) {
		this.svg.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
		cell?.setAttribute("tabindex", "0");
		if (isFocused) cell?.focus({ preventScroll: true });
	}

	focused(cell) {
		this.stop(cell, false);
		if (cell && Number(cell.dataset.row) >= 0) this.select(rowNode(Number(cell.dataset.row)));
	}

	/* Zooms in, or out where it is above. */
	enter(cell) {
		if (!cell) return;
		this.zoomTo(Number(cell.dataset.row));
	}

	zoomTo(row) {
		this.zoom = row;
		history.replaceState(null, "", address("", { flame: row < 0 ? true : String(row) }));
		this.draw();
		this.stop(this.at(row), true);
		announce(flameWords(row).label);
	}

	/* The nearest cell in a direction: beside it in its row, or in the row above or below where it touches. */
	near(cell, key) {
		const b = this.boxes.find(x => String(x.row) === cell.dataset.row),
			y = b.y + (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0),
			same = this.boxes.filter(x => x.y === y).sort((p, q) => p.x - q.x),
			end = b.x + b.width - 1e-9;
		if (key === "ArrowRight") return same.find(x => x.x > b.x);
		if (key === "ArrowLeft") return same.findLast(x => x.x < b.x);
		return same.find(x => x.x < end && x.x + x.width > b.x + 1e-9);
	}

	key(e) {
		const cell = e.target.closest("g");
		if (!cell || e.ctrlKey || e.altKey || e.metaKey) return;
		if (e.key === "Enter" || e.key === " ") this.enter(cell);
		else if (e.key.startsWith("Arrow")) {
			const to = this.near(cell, e.key);
			if (to) this.stop(this.at(to.row), true);
		} else return;
		e.preventDefault();
		e.stopPropagation();
	}

	/* One step out: false when everything is shown. */
	back() {
		if (this.zoom < 0) return false;
		this.zoomTo(forest().rows.parent[this.zoom]);
		return true;
	}
}

/* The chains that no other one that was seen goes on from, most often first. */
const HOT_SHOWN = 20;
function hotTable() {
	const { rows } = forest(),
		hot = [];
	for (let i = 0; i < rows.n; i++) if (rows.depth[i] && !rows.kids[i].length && rows.count[i]) hot.push(i);
	hot.sort((a, b) => rows.count[b] - rows.count[a] || a - b);
	const body = h(
		"tbody",
		hot.slice(0, HOT_SHOWN).map(row =>
			h(
				"tr",
				h("td.num", times(rows.count[row])),
				h(
					"td.chain-text",
					pathOf(rowNode(row)).map((n, i) => [i > 0 && h("span.soft", " \u2192 "), name(bodyName(bodyOf(n)))])
				)
			)
		)
	);
	const heading = [["Seen", "num"], ["Chain", ""]].map(([word, style]) => h("th", { scope: "col", class: style }, word));
	return h("div.frame.plain-head", h("table", h("caption.unseen", "Hot chains"), h("thead", h("tr", heading)), body));
}

function flameView(route) {
	const asked = route.options.get("flame"),
		row = asked === true ? -1 : Number(asked),
		zoom = Number.isInteger(row) && row >= 0 && row < forest().rows.n ? row : -1,
		panel = h("aside.chain", { "aria-label": "The chain that is selected" }, h("p.soft", "Select a box to see the way to it; press Enter, or click, to make it the widest.")),
		flame = new Flame(zoom, node => panel.replaceChildren(...chainPanel(node).flat(Infinity)));
	return {
		title: "Flame graph",
		up: "#!chains",
		back: () => flame.back(),
		nodes: forest().rows.n
			? [...chainHead("Flame graph of call chains", "flame"), flame.box, panel, h("h2.hot", "Hot chains"), hotTable()]
			: [...chainHead("Flame graph of call chains", "flame"), h("p.none", "No chain was seen.")]
	};
}
