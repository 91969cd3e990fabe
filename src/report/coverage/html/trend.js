/* SPDX-License-Identifier: Apache-2.0 */
/* trend.js - what became of the figures: a line for each rung (or criterion) over the results that were given, and the same as a table. */
function svg(tag, attributes, ...children) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...children);
	return e;
}

const day = start => (start ? new Date(start * 1000).toISOString().slice(0, 10) : "no date");
const TREND = { width: 640, height: 220, left: 44, right: 150, top: 14, bottom: 28 };

/* Points in time, as far apart as they are; as steps where a date is missing, or all are the same. */
function places(points) {
	const [first, last] = [points[0].start, points.at(-1).start],
		width = TREND.width - TREND.left - TREND.right,
		inTime = first && last > first;
	return points.map((p, i) => TREND.left + width * (inTime ? (p.start - first) / (last - first) : i / Math.max(1, points.length - 1)));
}

/* { criterion, values: in percent, or null where a result has nothing of it }, of each figure */
const series = points =>
	figures().map(c => {
		const k = criteria.findIndex(x => x.name === c.name) * 2;
		return { criterion: c, values: points.map(({ figures: f }) => (f[k] ? { required: f[k], covered: f[k + 1] } : null)) };
	});

const heightOf = v => TREND.top + (TREND.height - TREND.top - TREND.bottom) * (1 - v.covered / v.required);

/* Labels at the right end, moved apart where lines end together. */
function labels(all) {
	const ends = all.map((s, i) => ({ i, y: s.values.at(-1) ? heightOf(s.values.at(-1)) : TREND.height })).sort((a, b) => a.y - b.y);
	ends.forEach((e, k) => (e.y = Math.max(e.y, k ? ends[k - 1].y + 17 : 0)));
	for (let k = ends.length - 1, most = TREND.height - TREND.bottom; k >= 0; k--, most -= 17) ends[k].y = Math.min(ends[k].y, most);
	return ends.map(({ i, y }) => svg("text", { x: TREND.width - TREND.right + 12, y: y + 4, class: `t-${i % 4}` }, all[i].criterion.title));
}

function trendLine({ values }, xs, i) {
	const points = values.map((v, k) => v && [xs[k], heightOf(v)]).filter(Boolean);
	return [
		svg("polyline", { class: `t-${i % 4}`, points: points.map(p => p.map(n => n.toFixed(1)).join()).join(" ") }),
		...points.map(([x, y]) => svg("circle", { class: `t-${i % 4}`, cx: x.toFixed(1), cy: y.toFixed(1), r: 3.2 }))
	];
}

function chart(points, all) {
	const xs = places(points),
		picture = svg("svg", { viewBox: `0 0 ${TREND.width} ${TREND.height}`, class: "chart", "aria-hidden": "true" });
	for (const n of [0, 50, 100]) {
		const y = heightOf({ covered: n, required: 100 });
		picture.append(svg("line", { x1: TREND.left, x2: TREND.width - TREND.right, y1: y, y2: y }), svg("text", { x: TREND.left - 8, y: y + 4, "text-anchor": "end" }, `${n} %`));
	}
	all.forEach((s, i) => picture.append(...trendLine(s, xs, i)));
	picture.append(
		...labels(all),
		svg("text", { x: TREND.left, y: TREND.height - 8 }, day(points[0].start)),
		svg("text", { x: TREND.width - TREND.right, y: TREND.height - 8, "text-anchor": "end" }, day(points.at(-1).start))
	);
	return picture;
}

function trendTable(points, all) {
	const row = (p, k) =>
		h(
			"tr",
			h("th.num", { scope: "row", title: p.name }, day(p.start)),
			all.map(s => h("td.num", s.values[k] ? `${percent(s.values[k].covered, s.values[k].required)} %` : "\u2013"))
		);
	return h(
		"div.frame.plain-head",
		h(
			"table",
			h("caption.unseen", "Figures of each result"),
			h("thead", h("tr", h("th", { scope: "col" }, "Result"), all.map(s => h("th.num", { scope: "col" }, s.criterion.title)))),
			h("tbody", points.map(row).reverse())
		)
	);
}

function trend() {
	if (!data.trend || (hasLadder && !climbing())) return null;
	const points = [...data.trend].sort((a, b) => a.start - b.start),
		all = series(points);
	return h(
		"section.trend",
		{ "aria-labelledby": "trend" },
		h("h2", { id: "trend" }, "Over time"),
		h("div.trend-parts", h("div.card", chart(points, all)), trendTable(points, all))
	);
}
