/* SPDX-License-Identifier: Apache-2.0 */
/* graph.js - the picture. The library draws and says what is under the pointer; where things stand is said by place.js. */
const MOST = 800, /* nodes that are drawn */
	MOST_CALLS = 1200, /* arrows that are, but for those of what is chosen */
	MANY = 160; /* arrows, from where on those that nobody asked for are faint */
const frame = document.getElementById("graph"),
	hint = document.getElementById("hint"),
	fontFamily = getComputedStyle(document.body).fontFamily;
const dark = matchMedia("(prefers-color-scheme: dark)");
const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function styles() {
	const kinds = ["--direct", "--callback", "--later"].map(color),
		styles = ["solid", "dashed", "dotted"],
		counted = { "source-label": "data(start)", "target-label": "data(end)", "source-text-offset": "data(offset)", "target-text-offset": "data(offset)" };
	return [
		{
			selector: "node",
			style: {
				shape: "round-rectangle", "corner-radius": 6, width: "data(w)", height: "data(h)", label: "data(label)", "font-family": fontFamily, "font-size": 13,
				color: color("--ink"), "text-valign": "center", "text-wrap": "wrap", "text-max-width": 1000, "line-height": 1.25, "min-zoomed-font-size": 5,
				"background-color": color("--card"), "border-width": 1.25, "border-color": color("--edge"), "overlay-opacity": 0, "z-index-compare": "manual", "z-index": 6
			}
		},
		{ selector: ".l0", style: { "background-color": color("--package"), "border-color": color("--package-edge") } },
		{ selector: ".l1", style: { "background-color": color("--class"), "border-color": color("--class-edge") } },
		{
			selector: ".box",
			style: { "background-color": color("--box0"), "border-color": color("--line"), "border-width": 1.5, "corner-radius": 10, "text-valign": "top", "text-halign": "center", "text-margin-y": 22, "font-weight": 600, color: color("--soft"), "z-index": 0 }
		},
		{ selector: ".box.l1", style: { "background-color": color("--box1"), "z-index": 1 } },
		{
			selector: "edge",
			style: {
				width: "data(width)", "curve-style": "unbundled-bezier", "edge-distances": "endpoints", "control-point-distances": "data(bend)", "control-point-weights": "data(weights)",
				"source-endpoint": "data(out)", "target-endpoint": "data(into)", "target-arrow-shape": "triangle", "arrow-scale": 0.85, "overlay-opacity": 0, "z-index-compare": "manual", "z-index": 2,
				"font-family": fontFamily, "font-size": 11, color: color("--ink"), "text-background-color": color("--page"), "text-background-opacity": 0.9, "text-background-padding": 1.5, "min-zoomed-font-size": 7
			}
		},
		...kinds.map((c, i) => ({ selector: `.k${i}`, style: { "line-color": c, "target-arrow-color": c, "line-style": styles[i], ...(i === 1 && { "line-dash-pattern": [7, 4] }) } })),
		{ selector: "edge.self", style: { "curve-style": "bezier", "loop-direction": "0deg", "loop-sweep": "50deg", "control-point-step-size": 30, "source-endpoint": "outside-to-node", "target-endpoint": "outside-to-node" } },
		{ selector: "edge.counted", style: counted },
		{ selector: "edge.faint", style: { opacity: 0.28 } },
		{ selector: "edge.k0.faint", style: { opacity: 0.13 } },
		{ selector: "node.off", style: { "text-opacity": 0.45, "border-opacity": 0.4 } },
		{ selector: "edge.off", style: { opacity: 0.05, "source-label": "", "target-label": "" } },
		{ selector: "edge.near", style: { opacity: 1, ...counted, "z-index": 4 } },
		{ selector: "node.at", style: { "border-width": 3, "border-color": color("--focus") } },
		{ selector: "edge.at", style: { opacity: 1, width: "data(strong)", "z-index": 5 } }
	];
}

/* Where an arrow leaves and comes in, and how it bends. To the right it goes from side to side, to the left below that, and within a
 * column around it. Kinds stand apart. */
function bend(a, b, kind) {
	const slot = [-0.12, 0.06, 0.24][kind],
		isRight = b.x >= a.x + a.w + 8,
		isLeft = a.x >= b.x + b.w + 8;
	let x1 = a.x + a.w,
		x2 = b.x;
	if (isLeft) ((x1 = a.x), (x2 = b.x + b.w));
	else if (!isRight) x2 = b.x + b.w;
	const up = isLeft ? slot + 0.2 : isRight ? slot - 0.2 : slot,
		y1 = a.y + a.h / 2 + up * a.h,
		y2 = b.y + b.h / 2 + up * b.h,
		reach = isRight || isLeft ? Math.max(28, Math.abs(x2 - x1) * 0.4) : 26 + Math.abs(y2 - y1) * 0.12 + Math.abs(x2 - x1) * 0.2,
		length = Math.hypot(x2 - x1, y2 - y1) || 1,
		vx = (x2 - x1) / length,
		vy = (y2 - y1) / length;
	const on = (x, y) => [(x * vx + y * vy) / length, -x * vy + y * vx],
		first = on((isLeft ? -1 : 1) * reach, 0),
		last = on(x2 - x1 + (isLeft || !isRight ? 1 : -1) * reach, y2 - y1),
		px = n => `${n.toFixed(1)}px`;
	return {
		weights: [first[0], last[0]].map(n => n.toFixed(4)).join(" "),
		bend: [first[1], last[1]].map(n => n.toFixed(1)).join(" "),
		out: `${px(x1 - a.x - a.w / 2)} ${px(up * a.h)}`,
		into: `${px(x2 - b.x - b.w / 2)} ${px(up * b.h)}`
	};
}

const edgeId = (from, to, kind) => `e${from.id}-${to.id}-${kind}`;

class Graph {
	constructor() {
		this.cy = cytoscape({ container: frame, style: styles(), layout: { name: "preset" }, minZoom: 0.04, maxZoom: 2.5, autoungrabify: true, autounselectify: true, boxSelectionEnabled: false });
		this.cy.on("tap", "node", e => go({ at: nodes[e.target.data("node")], to: null, kind: null }));
		this.cy.on("tap", "edge", e => {
			const d = e.target.data();
			go({ at: nodes[d.from], to: nodes[d.to], kind: d.kind });
		});
		this.cy.on("tap", e => e.target === this.cy && state.at && go({ at: null, to: null, kind: null }));
		this.cy.on("dbltap", "node", e => this.toggle(nodes[e.target.data("node")]));
		this.cy.on("mouseover", "node, edge", e => (e.target.addClass("hover"), (frame.style.cursor = "pointer")));
		this.cy.on("mouseout", "node, edge", e => (e.target.removeClass("hover"), (frame.style.cursor = "")));
		this.cy.on("dragpan pinchzoom scrollzoom", () => this.moved());
		dark.addEventListener("change", () => this.cy.style(styles()));
		new ResizeObserver(() => this.resized()).observe(frame);
		this.drawn = null;
	}

	/* The picture keeps what is in its middle. */
	resized() {
		if (!frame.clientWidth || this.cy.width() === frame.clientWidth) return;
		this.cy.resize();
		if (this.isFitted) this.fit();
	}

	draw(s) {
		const key = openList(s.open) + "|" + [...s.hidden].sort();
		if (key !== this.drawn) this.build(s);
		this.drawn = key;
		this.mark(s);
	}

	build(s) {
		this.isFull = visibleNodes(s.open).length > MOST;
		if (this.isFull) {
			this.cy.elements().remove();
			this.places = new Map();
			this.say([`${number.format(visibleNodes(s.open).length)} nodes are more than a picture can show (${MOST}). Close some, or look for what you want.`]);
			return;
		}
		const { places, leaves, calls } = placeAll(s.open, s.hidden);
		this.places = new Map(places.map(p => [p.node, p]));
		this.leaves = leaves;
		this.calls = calls;
		/* what goes through libraries first, then what is called most */
		const drawn = calls.length > MOST_CALLS ? calls.toSorted((a, b) => (b.kind > 0) - (a.kind > 0) || b.n - a.n).slice(0, MOST_CALLS) : calls;
		this.degree = new Map();
		this.seats = new Map(); /* numbers at an end so far */
		for (const c of drawn) for (const n of [c.from, c.to]) this.degree.set(n, (this.degree.get(n) ?? 0) + 1);
		this.isCrowded = drawn.length > MANY;
		this.cy.batch(() => {
			this.cy.elements().remove();
			this.cy.add([...places.map(p => this.nodeOf(p)), ...drawn.map(c => this.edgeOf(c))]);
		});
		this.say(drawn.length < calls.length ? [`${number.format(MOST_CALLS)} of ${number.format(calls.length)} arrows are drawn: callbacks, and the most frequent calls. Choose a box for all of its arrows.`] : []);
	}

	say(lines) {
		hint.hidden = !lines.length;
		hint.replaceChildren(...lines);
	}

	nodeOf(p) {
		const n = p.node;
		return {
			group: "nodes",
			data: { id: "n" + n.id, node: n.id, w: p.w, h: p.h, label: p.isBox ? `\u2212 ${cut(n.label)}` : p.lines.join("\n") },
			position: { x: p.x + p.w / 2, y: p.y + p.h / 2 },
			classes: `l${n.level}${p.isBox ? " box" : ""}`
		};
	}

	/* The number stands at the end where fewer arrows are; those of arrows side by side stand one after the other. */
	countOf(c) {
		const n = c.n > 1 ? number.format(c.n) : "",
			isStart = this.degree.get(c.from) <= this.degree.get(c.to),
			end = isStart ? c.from : c.to,
			seat = c.from === c.to ? 0 : (this.seats.get(end) ?? 0);
		if (n && c.from !== c.to) this.seats.set(end, seat + 1);
		return { start: isStart ? n : "", end: isStart ? "" : n, offset: 22 + 32 * (seat % 4) };
	}

	edgeOf(c) {
		const isSelf = c.from === c.to,
			width = Math.min(4, 1.2 + Math.log2(c.n) * 0.3),
			curve = isSelf ? { weights: "0.5", bend: "0", out: "0 0", into: "0 0" } : bend(this.places.get(c.from), this.places.get(c.to), c.kind);
		return {
			group: "edges",
			data: { id: edgeId(c.from, c.to, c.kind), source: "n" + c.from.id, target: "n" + c.to.id, from: c.from.id, to: c.to.id, kind: c.kind, ...this.countOf(c), width, strong: width + 1.5, ...curve },
			classes: `k${c.kind}${isSelf ? " self" : ""}${this.isCrowded ? " faint" : " counted"}`
		};
	}

	/* Arrows that were too many, of what is chosen. */
	addExtras(s) {
		const isOf = c => (s.to ? holds(s.at, c.from) && holds(s.to, c.to) : holds(s.at, c.from) || holds(s.at, c.to));
		const missing = this.calls.filter(c => isOf(c) && this.cy.getElementById(edgeId(c.from, c.to, c.kind)).empty());
		this.seats = new Map();
		for (const e of this.cy.add(missing.slice(0, MOST_CALLS).map(c => this.edgeOf(c)))) e.addClass("extra");
	}

	/* What is chosen, and what it has to do with. */
	mark(s) {
		const cy = this.cy;
		cy.batch(() => {
			cy.edges(".extra").remove();
			cy.elements().removeClass("at off near");
			hint.hidden = !hint.textContent || (s.at !== null && !this.isFull);
			if (!s.at || this.isFull) return;
			this.addExtras(s);
			const inside = n => cy.nodes().filter(x => holds(n, nodes[x.data("node")])),
				shown = n => inside(this.placeOf(n).node),
				from = shown(s.at),
				to = s.to && shown(s.to);
			let near = cy.collection();
			if (to) near = cy.edges().filter(e => from.has(e.source()) && to.has(e.target()) && (s.kind === null || e.data("kind") === s.kind));
			else near = from.connectedEdges();
			const around = near.connectedNodes().union(from).union(to ?? cy.collection());
			cy.edges().difference(near).addClass("off");
			cy.nodes().filter(x => !x.hasClass("box")).difference(around).addClass("off");
			near.addClass("near");
			if (to) near.addClass("at");
			else cy.getElementById("n" + this.placeOf(s.at).node.id).addClass("at");
		});
	}

	/* Where a node is, or what it is in. */
	placeOf(n) {
		return this.places.get(n) ?? (n.parent && this.placeOf(n.parent));
	}

	/* The part of the picture around these places in the middle. Asking the library how large things are would cost more than drawing. */
	frame(places, room, most) {
		const x1 = Math.min(...places.map(p => p.x)),
			y1 = Math.min(...places.map(p => p.y)),
			x2 = Math.max(...places.map(p => p.x + p.w)),
			y2 = Math.max(...places.map(p => p.y + p.h)),
			[width, height] = [this.cy.width(), this.cy.height()],
			zoom = Math.max(0.04, Math.min(most, (width - 2 * room) / (x2 - x1), (height - 2 * room) / (y2 - y1)));
		this.cy.viewport({ zoom, pan: { x: width / 2 - ((x1 + x2) / 2) * zoom, y: height / 2 - ((y1 + y2) / 2) * zoom } });
	}

	fit() {
		this.isFitted = true;
		if (!this.isFull) this.frame([...this.places.values()], 28, 1.25);
	}

	/* Shows these, with letters that can be read where that is possible. */
	show(list) {
		const places = list.map(n => this.placeOf(n)).filter(Boolean);
		this.isFitted = false;
		if (places.length) this.frame(places, 60, 1.15);
	}

	isSeen(n) {
		const p = this.placeOf(n);
		if (!p) return true;
		const { x1, y1, x2, y2 } = this.cy.extent(),
			[x, y] = [p.x + p.w / 2, p.y + p.h / 2];
		return x > x1 && x < x2 && y > y1 && y < y2 && this.cy.zoom() > 0.45;
	}

	zoomBy(factor) {
		this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
		this.moved();
	}

	/* What somebody has moved is said by the address, once it stands still. */
	moved() {
		this.isFitted = false;
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => {
			const sight = this.sight();
			this.look(sight); /* as others will see it */
			history.replaceState(null, "", address({ sight }));
		}, 200);
	}
	sight() {
		const { x1, y1, w, h } = this.cy.extent();
		return `${Math.round(x1 + w / 2)},${Math.round(y1 + h / 2)},${Math.round(this.cy.zoom() * 1000)}`;
	}
	look(sight) {
		const [x, y, zoom] = sight.split(",").map(Number);
		this.isFitted = false;
		this.cy.zoom(zoom / 1000);
		this.cy.pan({ x: this.cy.width() / 2 - x * this.cy.zoom(), y: this.cy.height() / 2 - y * this.cy.zoom() });
	}

	toggle(n) {
		if (n.level === METHOD) return;
		clearTimeout(this.waiting);
		go({ at: n, to: null, kind: null, open: toggled(n) });
	}

	/* The next node in a direction: near, and not far to the side. */
	step(dx, dy) {
		if (this.isFull) return;
		const here = state.at && this.places.get(state.at);
		if (!here) return go({ at: this.leaves[0], to: null, kind: null });
		const x = here.x + here.w / 2,
			y = here.y + here.h / 2;
		let best = null,
			least = Infinity;
		for (const n of this.leaves) {
			const p = this.places.get(n),
				ox = p.x + p.w / 2 - x,
				oy = p.y + p.h / 2 - y,
				along = ox * dx + oy * dy,
				aside = Math.abs(ox * dy) + Math.abs(oy * dx);
			if (n === state.at || along <= 4 || aside > along * 3) continue;
			if (along + aside * 2 < least) ((least = along + aside * 2), (best = n));
		}
		if (best) go({ at: best, to: null, kind: null });
	}
}
