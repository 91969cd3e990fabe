/* SPDX-License-Identifier: Apache-2.0 */
/* lists.js - calls of several classes: by receiver, by test, by what was looked for; tests and runs. */
function siteLink(site, filter, extra) {
	const mark = markIcons([site]);
	return h(
		"li",
		h(
			"a",
			{ "data-nav": true, "data-key": site.id, href: address(site.id, withFilter(filter)) },
			extra?.icon || h("span", { class: mark.style }, icon(markOf([site])[1], mark.word)),
			h("span.soft.where", site.line ? `line ${site.line}` : `at ${site.pc}`),
			h(
				"span",
				name(`${site.class.simple}.${methodName(site.method)}`),
				h("span.soft", " calls "),
				name(`${simpleName(site.owner)}.${site.name}`)
			),
			h("span.num.soft", extra?.text || ratios(site))
		)
	);
}

function siteList(rows, make) {
	const list = h("ul.sites"),
		around = h("div", { "data-list": true }, list);
	paged(list, rows, make, around);
	return rows.length ? around : h("p.none", "None.");
}

function receiverView(wanted, route) {
	const found = [];
	let origin;
	for (const c of classes)
		for (const site of sitesOf(c)) {
			const item = receiversOf(site).find(i => i.name === wanted);
			if (item && (isAll(route.filter) || item.state === route.filter)) found.push({ site, item }); /* whatever is counted */
			if (item && item.origin !== undefined) origin = item.origin;
		}
	const own = classByName.get(wanted),
		n = state => found.filter(f => f.item.state === state).length;
	const sums = [n("covered") + n("missed"), n("covered")];
	return {
		title: wanted,
		up: "#",
		nodes: [
			crumbs([["All packages", "#"]]),
			h("h1", { tabindex: "-1" }, "Receiver ", name(wanted)),
			h(
				"p.soft",
				`Required at ${count(sums[0], "call")}, covered at ${number.format(sums[1])}. `,
				own && h("a", { href: address(wanted) }, "Its own calls")
			),
			n("unexpected") > 0 &&
				h(
					"section.box.odd",
					h("h2", icon("unexpected"), `Unexpected at ${count(n("unexpected"), "call")}`),
					h("p", ORIGINS[origin])
				),
			h(
				"div.row",
				chips(
					"Show",
					route.filter,
					FILTERS.filter(f => f !== "client" || n("client")).map(f => [
						f,
						FILTER_WORDS[f],
						undefined,
						address("", { receiver: wanted, ...withFilter(f) })
					])
				)
			),
			siteList(found, ({ site, item }) => {
				const [style, word] = ITEM_MARKS[item.state];
				return siteLink(site, "all", {
					icon: h("span", { class: style }, icon(item.state, word)),
					text: item.count ? count(item.count, "call") : word
				});
			})
		]
	};
}

/* Tests and runs */

const TEST_COLUMNS = [
	{ key: "name", word: "Test", value: t => t.name, text: true },
	...wholes.map(c => ({
		key: c.name,
		word: c.short,
		style: "num",
		title: `Required ${c.noun}s that it exercised`,
		value: t => t.exercised[c.list]
	})),
	{
		key: "alone",
		word: "Alone",
		style: "num",
		title: "Requirements that no other test exercised",
		value: t => t.alone
	},
	{
		key: "fresh",
		word: "New",
		style: "num",
		title: "Requirements that no test before it exercised",
		value: t => t.fresh
	},
	{
		key: "backups",
		word: "Others",
		style: "num minor",
		title: "So many other tests exercise the requirement of it that fewest do: if they went, it would be needed",
		value: t => t.backups
	}
];

/* What a test is needed for. Nothing is said of what it checks. */
function needOf(t) {
	const n = t.exercised.reduce((a, b) => a + b, 0);
	if (!n) return "It exercises nothing that is required here. What it checks is another matter.";
	if (t.alone) return `${count(t.alone, "requirement")} would be missed without it.`;
	return `Other tests exercise each of its ${count(n, "requirement")}, too. It would be needed if ${t.backups === 1 ? "one certain other test" : `${number.format(t.backups)} certain others`} went.`;
}
const testSort = { key: "", up: true };

/* Of one that is not the first with anything. */
const needTag = t =>
	!t.exercised.some(Boolean) ? "requires nothing here"
	: t.alone ? "needed"
	: `needed if ${t.backups === 1 ? "1 other" : `${number.format(t.backups)} others`} went`;

function testsView(route) {
	const idle = route.options.has("idle"),
		alone = route.options.has("alone");
	const rows = tests.filter(t => (!idle || !t.fresh) && (!alone || t.alone));
	const table = h("table.tests-table", h("caption.unseen", "Tests")),
		around = h("div", { "data-list": true }, h("div.frame", table));
	const fill = focus => {
		const body = h("tbody");
		table.replaceChildren(table.caption, headRow(TEST_COLUMNS, testSort, fill), body);
		around.querySelector(".more")?.remove();
		paged(
			body,
			testSort.key ? sortedBy(rows, TEST_COLUMNS, testSort) : rows,
			t =>
				h(
					"tr",
					h(
						"th",
						{ scope: "row" },
						h("a.n", { "data-nav": true, "data-key": t.name, href: address("", { test: t.name }) }, t.name),
						!t.fresh && [" ", h("span.tag", { title: needOf(t) }, needTag(t))]
					),
					t.exercised.map(n => numberCell(n)),
					numberCell(t.alone),
					numberCell(t.fresh),
					h("td.num.minor", t.exercised.some(Boolean) ? number.format(t.backups) : "\u2013")
				),
			around
		);
		if (focus) table.querySelector(`[data-sort="${focus}"]`).focus();
	};
	fill();
	return {
		title: "Tests",
		up: "#",
		nodes: [
			h("h1", { tabindex: "-1" }, "Tests"),
			h(
				"p.soft",
				"In the order they ran. \u201cAlone\u201d counts requirements that no other test exercises; \u201cnew\u201d those that no test before it did; \u201cothers\u201d are the tests that would have to go before it is the only one for something."
			),
			idle &&
				h(
					"p.soft",
					"These exercise what tests before them exercised, too. That says nothing of what they check, and with another test gone one of them may be needed."
				),
			runs.some(r => r.parallel) &&
				h(
					"section.box.note",
					h("h2", icon("unexpected"), "Tests ran at the same time"),
					h(
						"p",
						"What was seen while several ran is counted for each of them. Run them one at a time for exact figures."
					)
				),
			h(
				"div.row",
				chips("Show", idle ? "idle" : alone ? "alone" : "all", [
					["all", "All", tests.length, "#!tests"],
					["idle", "Covered by others before", tests.filter(t => !t.fresh).length, "#!tests!idle"],
					["alone", "Alone in something", tests.filter(t => t.alone).length, "#!tests!alone"]
				])
			),
			rows.length
				? around
				: h("p.none", tests.length ? "No such test." : "The runs have no data of single tests.")
		]
	};
}

function testView(t) {
	const found = [],
		holding = testSets().map(s => s.includes(t.id)),
		others = new Set();
	for (const c of classes)
		for (const site of sitesOf(c)) {
			const held = site.lists.map(items => items.filter(i => holding[i.tests]));
			for (const i of held.flat()) if (isRequired(i)) testSets()[i.tests].forEach(id => others.add(id));
			if (held.some(items => items.length)) found.push({ site, items: receivers ? held[receivers.list] : [] });
		}
	return {
		title: t.name,
		up: "#!tests",
		nodes: [
			crumbs([["Tests", "#!tests"]]),
			h("h1", { tabindex: "-1" }, "Test ", name(t.name)),
			h(
				"p.soft",
				`Exercises ${listed(wholes.map(c => count(t.exercised[c.list], `required ${c.noun}`)))}; alone ${number.format(t.alone)}, new ${number.format(t.fresh)}.`
			),
			h("p", needOf(t), others.size > 1 && ` ${count(others.size - 1, "other test")} ${others.size === 2 ? "has" : "have"} requirements in common with it.`),
			siteList(found, ({ site, items }) =>
				siteLink(site, "all", {
					text:
						items
							.map(i => (lambdas.has(i.row) ? typeName(i) : simpleName(i.name)))
							.slice(0, 3)
							.join(", ") + (items.length > 3 ? ", \u2026" : "")
				})
			)
		]
	};
}

function runsView() {
	const rows = runs.map(r =>
		h(
			"tr",
			h(
				"th",
				{ scope: "row" },
				r.start ? new Date(r.start * 1000).toISOString().slice(0, 19).replace("T", " ") : "\u2013"
			),
			h("td.minor", name(r.jvm)),
			h("td.minor.num", String(r.pid)),
			h("td", name(r.command || r.session)),
			h("td", r.damaged ? "damaged" : r.complete ? "complete" : "did not end")
		)
	);
	const headings = [["Start (UTC)"], ["JVM", "minor"], ["Process", "minor num"], ["Command"], ["State"]].map(
		([word, style]) => h("th", { scope: "col", class: style }, word)
	);
	const body = h("tbody"),
		around = h("div", h("div.frame.plain-head", h("table", h("thead", h("tr", headings)), body)));
	paged(body, rows, r => r, around);
	return {
		title: "Runs",
		up: "#",
		nodes: [h("h1", { tabindex: "-1" }, "Runs"), h("p"), rows.length ? around : h("p.none", "No runs.")]
	};
}

/* Finding */

/* p.C.m(I)V, and not p.C$$Lambda(p.C.lambda$m$0(I)V) */
const isMethod = name => name.includes("(") && !name.includes("$$Lambda(");
const catalogue = later(() => {
	const types = new Set();
	sets().forEach(s => s.forEach(row => row < data.types && !isMethod(text[row]) && types.add(row)));
	const names = new Set([...types].map(row => text[row]));
	for (const u of [...unexpectedOnes("unexpected"), ...unexpectedOnes("client")]) names.add(u.name);
	const methods = [];
	for (const c of classes)
		for (let i = c.method * 3; i < (c.method + c.nmethods) * 3; i += 3)
			methods.push({
				class: c,
				name: `${c.name}.${text[data.methods[i]]}`,
				desc: text[data.methods[i + 1]],
				nth: i / 3 - c.method
			});
	const low = list => list.map(x => ({ ...x, low: x.name.toLowerCase() }));
	return {
		classes: low(classes.map(c => ({ name: c.name }))),
		methods: low(methods),
		receivers: low([...names].sort().map(n => ({ name: n })))
	};
});

/* Those with all the words; the end of a name counts most. */
function look(list, words) {
	const rank = x => {
		const last = x.low.slice(x.low.lastIndexOf(".") + 1);
		return last.startsWith(words[0]) ? 0 : last.includes(words[0]) ? 1 : 2;
	};
	return list
		.filter(x => words.every(w => x.low.includes(w)))
		.map((x, i) => [rank(x), i, x])
		.sort((a, b) => a[0] - b[0] || a[1] - b[1])
		.map(t => t[2]);
}

function firstSite(m) {
	let skip = 0;
	for (let k = 0; k < m.nth; k++) skip += data.methods[(m.class.method + k) * 3 + 2];
	return sitesOf(m.class)[skip];
}

function findView(q) {
	const words = String(q).toLowerCase().split(/\s+/).filter(Boolean),
		all = catalogue(),
		nodes = [h("h1", { tabindex: "-1" }, "Found for ", name(q))];
	if (!words.length) return overview(readAddress());
	const part = (word, rows, go, what) => {
		if (!rows.length) return;
		const list = h("ul.sites"),
			section = h("section.results", h("h2", word, " ", h("span.soft", number.format(rows.length))), list);
		paged(
			list,
			rows,
			x =>
				h(
					"li",
					h(
						"a",
						{ "data-nav": true, "data-key": `${word} ${x.name}${x.desc || ""}`, href: go(x) },
						icon("more"),
						h("span.soft.where", what),
						h("span", marked(x.name, words), x.desc && h("span.n.soft", params(x.desc))),
						what === "class" && h("span.num.soft", `${percentOf(classByName.get(x.name).sums)} %`)
					)
				),
			section
		);
		nodes.push(section);
	};
	const found = {
		classes: look(all.classes, words),
		methods: look(all.methods, words),
		receivers: look(all.receivers, words)
	};
	part("Classes", found.classes, x => address(x.name), "class");
	part("Methods", found.methods, x => address(firstSite(x).id), "method");
	part("Receivers", found.receivers, x => address("", { receiver: x.name }), "receiver");
	const n = found.classes.length + found.methods.length + found.receivers.length;
	if (!n) nodes.push(h("p.none", "Nothing has this in its name."));
	announce(`${count(n, "result")}`);
	return { title: q, up: "#", nodes: [h("div", { "data-list": true }, nodes)] };
}
