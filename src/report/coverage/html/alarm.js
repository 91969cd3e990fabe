/* SPDX-License-Identifier: Apache-2.0 */
/* alarm.js - what was seen and is not required, by its cause: a line each, with what to do about it, and what it is about when it is opened. */

const UNREACHED =
	"The analysis does not reach this call: a class of the tests may (a subclass, a callback); " + head.unreached_advice;
const TESTS_TOLD = (head.interface || "").includes("tests:");

const TELL_TESTS = TESTS_TOLD
	? "The interface has the tests already: please report it"
	: "If clients may do what the tests did, say so: --interface public,tests:FOLDER, with the folder of the compiled tests. Otherwise please report it";

/* What a cause is called, what it means, and what to do. The first that fits is the cause. */
const CAUSES = [
	{
		fits: (site, item) => item.state === "unexpected" && !(site.flags & REACHED),
		title: "at calls that the analysis does not reach",
		say: "Nothing is required there. A class of the tests may reach them: a subclass, a callback.",
		todo: head.unreached_advice[0].toUpperCase() + head.unreached_advice.slice(1)
	},
	{
		fits: (site, item) => item.state === "unexpected" && item.origin === 0,
		title: "of the component\u2019s own classes",
		say: "The analysis has no way of them to these calls: it misses one, or a client breaks what it assumes.",
		todo: `${TELL_TESTS}.`
	},
	{
		fits: (site, item) => item.state === "unexpected",
		title: "of classes of the JDK or of libraries",
		say: "Clients hand them in, or the analysis does not see how they get there.",
		todo: `${TELL_TESTS}.`
	},
	{
		fits: (site, item) => item.origin === 3,
		title: "of classes that are made at run time",
		say: "Proxies and mocks, say. What the component makes of such classes the requirements announce.",
		todo: "Nothing is to be done."
	},
	{
		fits: (site, item) => item.origin === 2,
		title: "of clients\u2019 own classes",
		say: "They are not on the class path that was analysed: subclasses and lambdas of the tests.",
		todo: "Nothing is to be done."
	},
	{
		fits: () => true,
		title: "at open calls",
		say: "Objects that the analysis does not know may get there, and the requirements say so.",
		todo: "Nothing is to be done."
	}
];

/* By name, what is not required and was seen at calls, with its sites. */
function unexpectedOnes(state, itemsOf = receiversOf) {
	const found = new Map();
	for (const c of classes) {
		if (!c.sums[state === "unexpected" ? UNEXPECTED : CLIENT]) continue;
		for (const site of sitesOf(c))
			for (const item of itemsOf(site)) {
				if (item.state !== state) continue;
				if (!found.has(item.name)) found.set(item.name, { name: item.name, row: item.row, origin: item.origin, sites: [], items: [] });
				found.get(item.name).sites.push(site);
				found.get(item.name).items.push(item);
			}
	}
	return [...found.values()].sort((a, b) => ascending(a.name, b.name));
}

/* [{ cause, rows: [{ name, row, sites }], calls }], the causes in their order. */
function byCause(all) {
	const causes = CAUSES.map(cause => ({ cause, rows: [], calls: 0 }));
	for (const u of all)
		for (const [k, c] of causes.entries()) {
			const sites = u.sites.filter((s, i) => CAUSES.findIndex(x => x.fits(s, u.items[i])) === k);
			if (!sites.length) continue;
			c.rows.push({ ...u, sites });
			c.calls += sites.length;
		}
	return causes.filter(c => c.rows.length);
}

function causeRow(u) {
	return h("li", h("a.n", { href: address("", { receiver: u.name }) }, typeName(u)), h("span.soft", ` at ${count(u.sites.length, "call")}`));
}

function causeGroup({ cause, rows, calls }, isOpen) {
	const list = h("ul");
	const details = h(
		"details",
		{ open: isOpen },
		h("summary", icon("more"), h("b", number.format(calls)), ` ${cause.title}`, h("span.soft", ` \u2013 ${count(rows.length, "class", "classes")}`)),
		h("p", cause.say, " ", h("b", cause.todo)),
		list
	);
	pagedBy(20, list, rows.sort((a, b) => b.sites.length - a.sites.length), causeRow, details);
	return details;
}

/* Callbacks and definitions are never measured together. */
const CALLED_WORDS = { callback: "called back", definition: "read" };
const calledNoun = () => wholes.find(c => c.items === "method").noun;

function calledGroup(called) {
	const noun = calledNoun(),
		list = h("ul"),
		details = h("details", h("summary", icon("more"), h("b", number.format(called.length)), ` ${called.length === 1 ? noun : noun + "s"}`), list);
	pagedBy(20, list, called, u => h("li", h("span.n", u.name), ` ${CALLED_WORDS[noun]} at ${count(u.sites.length, "call")}`), details);
	return details;
}

function alarm() {
	if (!data.sums[UNEXPECTED]) return null;
	const all = unexpectedOnes("unexpected"),
		called = unexpectedOnes("unexpected", calledBackAt),
		sorts = [all.length && "receiver", called.length && calledNoun()].filter(Boolean);
	return h(
		"section.box.odd",
		{ "aria-labelledby": "alarm" },
		h("h2", { id: "alarm" }, icon("unexpected"), count(data.sums[UNEXPECTED], `unexpected ${sorts.join(" or ")}`)),
		h(
			"p",
			`The requirements do not have these ${called.length ? "" : "classes "}where they were seen. Either a client broke an assumption, or the analysis is wrong. `,
			h("a", { href: address("", withFilter("unexpected")) }, "All calls with something unexpected")
		),
		byCause(all).map(c => causeGroup(c)),
		called.length > 0 && calledGroup(called)
	);
}

/* No alarm; looked for when somebody opens it. */
function excused() {
	if (!data.sums[CLIENT]) return null;
	const holder = h("div"),
		details = h(
			"details.box.calm",
			h("summary", icon("client"), h("span", h("b", number.format(data.sums[CLIENT])), " receivers of clients and unknown objects: no cause for alarm")),
			holder
		);
	details.addEventListener(
		"toggle",
		() => holder.firstChild || holder.append(h("p", h("a", { href: address("", withFilter("client")) }, "All calls with such receivers")), ...byCause(unexpectedOnes("client")).map(c => causeGroup(c)))
	);
	return details;
}
