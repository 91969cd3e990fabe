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

/* Own methods at calls that have a choice: what leads. */
function ladderCard(sums) {
	if (!rungs.length || !sums[rungs[rungs.length - 1].at]) return null;
	return h(
		"section.card.ladder",
		h("h2", "The component\u2019s own methods"),
		h(
			"dl",
			rungs.map(c => {
				const [wanted, covered] = [sums[c.at], sums[c.at + 1]];
				return h(
					"div",
					h("dt", c.title, h("span.soft", ` ${c.means}`)),
					h(
						"dd",
						h("b", `${share(sums, c.at)} %`),
						bar(covered, wanted),
						h("span.num", `${number.format(covered)} of ${number.format(wanted)}`)
					)
				);
			})
		)
	);
}

function facts(pairs) {
	return h(
		"dl.facts",
		pairs.filter(p => p[1]).map(([term, value]) => h("div", h("dt", term), h("dd", value)))
	);
}

function tallyCard(sums) {
	const idle = wholes.some(c => sums[c.at]) ? tests.filter(t => !t.fresh).length : 0;
	const rows = [
		hasCalls && ["Calls made", `${number.format(sums[CALLED])} of ${number.format(sums[SITES])}`],
		hasCalls && [
			"Unexpected receivers",
			sums[UNEXPECTED] ? h("a.loud", { href: "#!unexpected" }, number.format(sums[UNEXPECTED])) : "0"
		],
		hasCalls && sums[CLIENT] ? ["Clients\u2019 receivers", h("a", { href: "#!client" }, number.format(sums[CLIENT]))] : null,
		tests.length ? ["Tests", h("a", { href: "#!tests" }, number.format(tests.length))] : null,
		idle ? ["add nothing new", h("a", { href: "#!tests!idle" }, number.format(idle))] : null
	];
	return h(
		"section.card",
		h("h2", hasCalls ? "Calls and tests" : "Tests"),
		h(
			"dl.tally",
			rows.filter(Boolean).map(([t, v]) => [h("dt", t), h("dd.num", v)])
		)
	);
}

/* The unexpected receivers of all classes, or what was called back, each with its sites. */
function unexpectedOnes(state, itemsOf = receiversOf) {
	const found = new Map();
	for (const c of classes) {
		if (!c.sums[state === "unexpected" ? UNEXPECTED : CLIENT]) continue;
		for (const site of sitesOf(c))
			for (const item of itemsOf(site)) {
				if (item.state !== state) continue;
				if (!found.has(item.name)) found.set(item.name, { name: item.name, origin: item.origin, sites: [] });
				found.get(item.name).sites.push(site);
			}
	}
	return [...found.values()].sort((a, b) => ascending(a.name, b.name));
}

/* Callbacks and definitions are never measured together. */
const CALLED_WORDS = { callback: "called back", definition: "read" };
const calledNoun = () => wholes.find(c => c.items === "method").noun;

function alarm() {
	const all = unexpectedOnes("unexpected"),
		called = unexpectedOnes("unexpected", calledBackAt),
		sorts = [all.length && "receiver", called.length && calledNoun()].filter(Boolean),
		SHOWN = 5;
	if (!data.sums[UNEXPECTED]) return null;
	return h(
		"section.box.odd",
		{ "aria-labelledby": "alarm" },
		h("h2", { id: "alarm" }, icon("unexpected"), count(data.sums[UNEXPECTED], `unexpected ${sorts.join(" or ")}`)),
		h(
			"p",
			`The requirements do not have these ${called.length ? "" : "classes "}where they were seen. Either a client broke an assumption, or the analysis is wrong.`
		),
		h(
			"ul",
			all
				.slice(0, SHOWN)
				.map(u =>
					h(
						"li",
						h("a.n", { href: address("", { receiver: u.name }) }, u.name),
						` at ${count(u.sites.length, "call")}: `,
						ORIGINS[u.origin],
						u.sites.some(s => !(s.flags & REACHED)) ? `. ${UNREACHED}` : ""
					)
				),
			called
				.slice(0, SHOWN)
				.map(u => h("li", h("span.n", u.name), ` ${CALLED_WORDS[calledNoun()]} at ${count(u.sites.length, "call")}`)),
			all.length + called.length > SHOWN && h("li", h("a", { href: "#!unexpected" }, "All calls with something unexpected"))
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
const importance = c => (c === (receivers ?? wholes[0]) ? "" : "minor"); /* narrow screens leave out the minor ones */
const columns = () => [
	{ key: "name", word: "Class", value: x => x.name, text: true },
	...counted().flatMap(c => [
		{ key: c.name, word: c.title, style: importance(c), value: x => ratioOf(x.sums, sumsAt(c)), text: true },
		{
			key: missedKey(c),
			word: "Missed",
			style: `num ${importance(c)}`,
			title: `${c.title} that were missed`,
			value: x => missedOf(x.sums, sumsAt(c))
		}
	]),
	...(hasCalls
		? [
				{ key: "sites", word: "Calls", style: "num minor", title: "Calls that are watched", value: x => x.sums[SITES] },
				{ key: "odd", word: "Unexpected", style: "num minor", value: x => x.sums[UNEXPECTED] }
			]
		: [])
];
const classSort = { key: wholes.length ? missedKey(wholes[0]) : "", up: false };
const openPackages = new Set(classes.length <= 200 ? packages.keys() : []);

function figure(sums, at, style) {
	return h(
		"td",
		{ class: style },
		bar(sums[at + 1], sums[at]),
		h("span.num", sums[at] ? `${share(sums, at)} %` : "\u2013")
	);
}

const numberCell = (n, style) => h("td", { class: `num ${style || ""}${n ? "" : " zero"}` }, number.format(n));

function cells(sums) {
	return [
		counted().map(c => [
			figure(sums, sumsAt(c), importance(c)),
			numberCell(missedOf(sums, sumsAt(c)), importance(c))
		]),
		hasCalls && numberCell(sums[SITES], "minor"),
		hasCalls &&
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
			paged(body, sortedBy(p.shown, columns(), classSort), c => classRow(c, route), {
				append: more => body.append(h("tr", h("td", { colspan: columns().length }, more)))
			});
	};
	fill();
	return body;
}

function classTable(list, route) {
	const table = h("table", h("caption.unseen", "Packages and their classes")),
		frame = h("div.frame", table),
		around = h("div", { "data-list": true }, frame);
	const fill = focus => {
		const shown = list
			.map(p => ({ ...p, shown: p.classes.filter(c => passesClass(c, route.filter)) }))
			.filter(p => p.shown.length);
		around.replaceChildren(
			shown.length ? frame : h("p.none", `No class has anything ${FILTER_WORDS[route.filter].toLowerCase()}.`)
		);
		table.replaceChildren(table.caption, headRow(columns(), classSort, fill));
		paged(table, sortedBy(shown, columns(), classSort), p => packageBody(p, route), around);
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
			h(
				"div.cards",
				{ "data-n": String(wholes.length + 1) },
				wholes.map(c => bigCard(data.sums, c)),
				(hasCalls || tests.length > 0) && tallyCard(data.sums)
			),
			head.loaded && alarm(),
			head.loaded && chainAlarm(),
			notes(),
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
