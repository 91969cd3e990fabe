/* SPDX-License-Identifier: Apache-2.0 */
/* overview.js - the first page: figures, alarms, packages and classes. */
/* Tables */

const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/* columns: { key, word, value, style, text: starts ascending } */
function headRow(columns, sort, redo) {
	return h(
		"thead",
		h(
			"tr",
			columns.map(c => {
				const th = h("th", {
					class: c.style,
					scope: "col",
					"aria-sort": sort.key === c.key && (sort.up ? "ascending" : "descending")
				});
				th.append(
					h(
						"button",
						{
							type: "button",
							"data-sort": c.key,
							title: c.title,
							onclick: () => {
								sort.up = sort.key === c.key ? !sort.up : !!c.text;
								sort.key = c.key;
								redo(c.key);
							}
						},
						c.word
					)
				);
				return th;
			})
		)
	);
}

function sortedBy(rows, columns, sort) {
	const c = columns.find(x => x.key === sort.key) || columns[0],
		sign = sort.up ? 1 : -1;
	return rows
		.map(row => [c.value(row), row])
		.sort((a, b) => sign * ascending(a[0], b[0]) || ascending(a[1].name, b[1].name))
		.map(p => p[1]);
}

/* Parts of pages */

const main = document.getElementById("main"),
	find = document.getElementById("find"),
	status = document.getElementById("status");
function announce(s) {
	status.textContent = s;
}

function ownLine(sums, c) {
	const { at } = c.part;
	if (!own.size || sums[at] === sums[c.at]) return null;
	return h(
		"p.own",
		h("a", { href: "#!own" }, "The component\u2019s own"),
		bar(sums[at + 1], sums[at]),
		h("b", `${share(sums, at)} %`),
		` ${number.format(sums[at + 1])} of ${number.format(sums[at])}`
	);
}

function bigCard(sums, c) {
	const [wanted, covered] = [sums[c.at], sums[c.at + 1]];
	return h(
		"section.card",
		h("h2", `${c.title} (${c.short})`),
		h("p.big", wanted ? [share(sums, c.at), h("small", "%")] : "\u2013"),
		bar(covered, wanted),
		h(
			"p",
			h("b", number.format(covered)),
			" of ",
			h("b", number.format(wanted)),
			` ${c.words} covered, `,
			h("b", number.format(wanted - covered)),
			" missed"
		),
		c.part && ownLine(sums, c),
		c.name === "chains" && chainLinks()
	);
}

/* What the ladder does not say. */
function cards(sums) {
	const big = wholes.filter(c => !(hasLadder && c.rung)),
		tally = !hasLadder && (hasCalls || tests.length > 0);
	return (
		big.length + tally > 0 &&
		h("div.cards", { "data-n": String(big.length + tally) }, big.map(c => bigCard(sums, c)), tally && tallyCard(sums))
	);
}

function facts(pairs) {
	return h(
		"dl.facts",
		pairs.filter(p => p[1]).map(([term, value]) => h("div", h("dt", term), h("dd", value)))
	);
}

/* What was run, in a line each; the ladder's page says elsewhere what nobody expected. */
function tallyRows(sums) {
	const idle = wholes.some(c => sums[c.at]) ? tests.filter(t => !t.fresh).length : 0,
		unmade = sums[SITES] - sums[CALLED];
	return [
		hasCalls && ["Calls made", `${number.format(sums[CALLED])} of ${number.format(sums[SITES])}`],
		hasCalls && unmade > 0 && ["never called", h("a", { href: address("", withFilter("unmade")) }, number.format(unmade))],
		hasCalls && !hasLadder && [
			"Unexpected receivers",
			sums[UNEXPECTED] ? h("a.loud", { href: address("", withFilter("unexpected")) }, number.format(sums[UNEXPECTED])) : "0"
		],
		hasCalls && !hasLadder && sums[CLIENT] ? ["Clients\u2019 receivers", h("a", { href: address("", withFilter("client")) }, number.format(sums[CLIENT]))] : null,
		tests.length ? ["Tests", h("a", { href: "#!tests" }, number.format(tests.length))] : null,
		idle ? ["cover what others do", h("a", { href: "#!tests!idle" }, number.format(idle))] : null
	].filter(Boolean);
}

function tallyCard(sums) {
	return h(
		"section.card",
		h("h2", hasCalls ? "Calls and tests" : "Tests"),
		h(
			"dl.tally",
			tallyRows(sums).map(([t, v]) => [h("dt", t), h("dd.num", v)])
		)
	);
}

/* Beside the ladder: what was run, and RC and TM as the papers define them. */
function besides(sums) {
	const papers = wholes
		.filter(c => c.rung)
		.map(c => [
			c.title,
			h(
				"span.paper",
				h("b", `${share(sums, c.at)} %`),
				` ${number.format(sums[c.at + 1])} of ${number.format(sums[c.at])}`
			)
		]);
	return h(
		"div.besides",
		h("dl", tallyRows(sums).map(([t, v]) => h("div", h("dt", t), h("dd", v)))),
		h(
			"dl",
			papers.map(([t, v]) => h("div", h("dt", t), h("dd", v))),
			h("div", h("dt.soft", h("a", { href: address("", { "all-classes": true, "all-calls": true }) }, "all classes, at all calls")))
		)
	);
}

/* The figures are no figures: nothing else matters. */
function emptiness() {
	if (head.loaded) return null;
	return h(
		"section.box.odd",
		{ "aria-labelledby": "empty" },
		h("h2", { id: "empty" }, icon("unexpected"), "Nothing was measured"),
		h("p", data.notes[0])
	);
}

function notes() {
	const list = data.notes.slice(head.loaded ? 0 : 1);
	if (runs.some(r => r.damaged) && !list.length)
		list.push("the data of a run is damaged: what follows the damage is not counted");
	return list.length
		? h(
				"section.box.note",
				{ "aria-labelledby": "notes" },
				h("h2", { id: "notes" }, icon("unexpected"), "Notes on the data"),
				h(
					"ul",
					list.map(n => h("li", n))
				)
			)
		: null;
}

function stateTag(c) {
	return c.state
		? h("span", { class: c.state === 2 ? "tag" : "tag half", title: STATES[c.state].say }, STATES[c.state].word)
		: null;
}

/* Packages and classes */

const missedOf = (s, at) => s[at] - s[at + 1];
const ratioOf = (s, at) => (s[at] ? s[at + 1] / s[at] : 1);
const missedKey = c => `${c.name}m`;
/* Narrow screens leave out what is minor. */
const importance = (c, i) => ((climbing() ? i === 0 : c === (receivers ?? wholes[0])) ? "" : "minor");

/* A ladder has a column for each rung, and one for what is missed of them together. */
const figureColumns = () =>
	figures().flatMap((c, i) => [
		{ key: c.name, word: c.title, style: importance(c, i), title: c.means, value: x => ratioOf(x.sums, sumsAt(c)), text: true },
		!climbing() && {
			key: missedKey(c),
			word: "Missed",
			style: `num ${importance(c, i)}`,
			title: `${c.title} that were missed`,
			value: x => missedOf(x.sums, sumsAt(c))
		}
	]);
const hasOdd = () => hasCalls && (data.sums[UNEXPECTED] > 0 || !hasLadder);
const columns = () =>
	[
		{ key: "name", word: "Class", value: x => x.name, text: true },
		...figureColumns(),
		climbing() && { key: "missed", word: "Missed", style: "num", title: "What is missed of all rungs", value: x => amount(x.sums, "missed") },
		hasCalls && { key: "sites", word: "Calls", style: "num minor", title: "Calls that are watched", value: x => x.sums[SITES] },
		hasCalls && { key: "unmade", word: "Never", style: "num minor", title: "Calls that were never made", value: x => amount(x.sums, "unmade") },
		hasOdd() && { key: "odd", word: "Unexpected", style: "num minor", title: "Unexpected receivers", value: x => x.sums[UNEXPECTED] }
	].filter(Boolean);
/* By what is missed, until somebody asks for another order; each scope has its own columns. */
const classSort = { key: "", up: false };
function sortOf() {
	const all = columns();
	if (!all.some(c => c.key === classSort.key)) Object.assign(classSort, { key: (all.find(c => c.word === "Missed") ?? all[0]).key, up: false });
	return classSort;
}
const openPackages = new Set(classes.length <= 200 ? packages.keys() : []);

function figure(sums, at, style) {
	return h(
		"td",
		{ class: `figure ${style}` },
		bar(sums[at + 1], sums[at]),
		h("span.num", sums[at] ? `${share(sums, at)} %` : "\u2013")
	);
}

const numberCell = (n, style) => h("td", { class: `num ${style || ""}${n ? "" : " zero"}` }, number.format(n));

function cells(sums) {
	return [
		figures().map((c, i) => [
			figure(sums, sumsAt(c), importance(c, i)),
			!climbing() && numberCell(missedOf(sums, sumsAt(c)), importance(c, i))
		]),
		climbing() && numberCell(amount(sums, "missed")),
		hasCalls && [numberCell(sums[SITES], "minor"), numberCell(amount(sums, "unmade"), "minor")],
		hasOdd() &&
			h(
				"td",
				{ class: "num minor" + (sums[UNEXPECTED] ? "" : " zero") },
				sums[UNEXPECTED] ? h("span.tag.odd", icon("unexpected"), number.format(sums[UNEXPECTED])) : "0"
			)
	];
}

function classRow(c, route) {
	return h(
		"tr.cls",
		h(
			"th",
			{ scope: "row" },
			h(
				"a.n",
				{ "data-nav": true, "data-key": c.name, href: address(c.name, withFilter(route.filter)) },
				c.simple
			),
			" ",
			stateTag(c)
		),
		cells(c.sums)
	);
}

function packageRow(p, isOpen, toggle) {
	return h(
		"tr.pkg",
		h(
			"th",
			{ scope: "row" },
			h(
				"button",
				{
					type: "button",
					class: "fold",
					"data-nav": true,
					"data-key": p.name + ".",
					"aria-expanded": String(isOpen),
					onclick: toggle
				},
				icon("more"),
				name(p.name || "(no package)")
			),
			" ",
			h("span.soft", count(p.shown.length, "class", "classes"))
		),
		cells(p.sums)
	);
}

/* A body of the table for each package; those of its classes are made when it is opened. */
function packageBody(p, route) {
	const body = h("tbody");
	const fill = () => {
		const isOpen = openPackages.has(p.name);
		body.replaceChildren(
			packageRow(p, isOpen, () => {
				if (!openPackages.delete(p.name)) openPackages.add(p.name);
				fill();
				body.querySelector("button").focus();
			})
		);
		if (isOpen)
			paged(body, sortedBy(p.shown, columns(), sortOf()), c => classRow(c, route), {
				append: more => body.append(h("tr", h("td", { colspan: columns().length }, more)))
			});
	};
	fill();
	return body;
}

function classTable(list, route) {
	const table = h("table", { class: climbing() ? "ladder-table" : null }, h("caption.unseen", "Packages and their classes")),
		frame = h("div.frame", table),
		around = h("div", { "data-list": true }, frame);
	const fill = focus => {
		const shown = list
			.map(p => ({ ...p, shown: p.classes.filter(c => passesClass(c, route.filter)) }))
			.filter(p => p.shown.length);
		around.replaceChildren(
			shown.length ? frame : h("p.none", `No class has anything ${FILTER_WORDS[route.filter].toLowerCase()}.`)
		);
		table.replaceChildren(table.caption, headRow(columns(), sortOf(), fill));
		paged(table, sortedBy(shown, columns(), sortOf()), p => packageBody(p, route), around);
		if (focus) table.querySelector(`[data-sort="${focus}"]`).focus();
	};
	fill();
	return around;
}

function classList(route) {
	return [
		h(
			"div.row",
			h("h2", "Packages and classes"),
			filterChips(route, data.sums, f => address("", withFilter(f))),
			packages.size > 1 &&
				h(
					"button",
					{
						type: "button",
						class: "plain",
						id: "fold-all",
						onclick: () => {
							const all = openPackages.size < packages.size ? [...packages.keys()] : [];
							openPackages.clear();
							all.forEach(p => openPackages.add(p));
							show();
							document.getElementById("fold-all").focus();
						}
					},
					openPackages.size < packages.size ? "Open all" : "Close all"
				)
		),
		classTable([...packages.values()], route)
	];
}

function overview(route) {
	const dates = when();
	return {
		title: "",
		nodes: [
			h("h1", { tabindex: "-1" }, "Coverage of ", name(head.component || "the component")),
			facts([
				["Interface", head.interface],
				["Clients", head.clients_words],
				["Algorithm", head.algorithm],
				["Assumed", head.assume],
				[
					"Runs",
					runs.length
						? h("a", { href: "#!runs" }, `${number.format(runs.length)}${dates ? `, ${dates}` : ""}`)
						: "none"
				]
			]),
			emptiness(),
			ladderCard(data.sums),
			cards(data.sums),
			hasLadder && besides(data.sums),
			head.loaded && alarm(),
			head.loaded && chainAlarm(),
			notes(),
			head.loaded && nextList(),
			head.loaded && trend(),
			head.loaded && excused(),
			...(head.loaded ? classList(route) : [])
		]
	};
}
function packageView(p, route) {
	openPackages.add(p.name);
	return {
		title: p.name,
		up: "#",
		nodes: [
			crumbs([["All packages", "#"]]),
			h("h1", { tabindex: "-1" }, "Package ", name(p.name || "(no package)")),
			strip(p.sums),
			h(
				"div.row",
				filterChips(route, p.sums, f => address("", { package: p.name, ...withFilter(f) }))
			),
			classTable([p], route)
		]
	};
}
