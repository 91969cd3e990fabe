/* SPDX-License-Identifier: Apache-2.0 */
/* ladder.js - what leads: the rungs, what to test next, and what a class misses of the rungs that count several calls as one. */

/* A step for each rung, the lowest first. What they mean is one sentence. */
function rungStep(sums, c, i) {
	const [wanted, covered] = [sums[c.at], sums[c.at + 1]];
	return h(
		"li",
		h("h3", h("span.nth", { "aria-hidden": "true" }, String(i + 1)), c.title),
		h("p.big", wanted ? [share(sums, c.at), h("small", "%")] : "\u2013"),
		bar(covered, wanted),
		h("p.count", h("b", number.format(covered)), " of ", h("b", number.format(wanted)), covered < wanted && h("span", `, ${number.format(wanted - covered)} missed`)),
		h("p.means", c.means)
	);
}

/* No figure is good news beside an alarm. */
function caution(sums) {
	return (
		sums[UNEXPECTED] > 0 &&
		h(
			"p.caution",
			icon("unexpected"),
			h("span", "The figures hold once ", h("a", { href: address("", { filter: "unexpected" }) }, count(sums[UNEXPECTED], "unexpected receiver")), sums[UNEXPECTED] === 1 ? " is explained." : " are explained.")
		)
	);
}

function ladderCard(sums) {
	if (!hasLadder) return null;
	return h(
		"section.card.ladder",
		{ "aria-labelledby": "ladder" },
		h("h2", { id: "ladder" }, "The component\u2019s own methods, at calls that have a choice"),
		h("ol.rungs", rungs.map((c, i) => rungStep(sums, c, i))),
		caution(sums)
	);
}

/* What to test next: acts of a test, with what they would newly cover. */

const GAINS = rungs.length ? rungs : wholes.filter(c => c === receivers);

/* p.q.Cls.name of p.q.Cls.name(desc)ret@12, in short */
function methodOfSite(site) {
	const full = site.slice(0, site.indexOf("("));
	return brief(full);
}

function gains(covers) {
	return h(
		"ul.gains",
		covers.map((n, i) => n > 0 && h("li", h("b", `+${number.format(n)}`), ` ${n === 1 ? GAINS[i].title.replace(/s$/, "").toLowerCase() : GAINS[i].title.toLowerCase()}`))
	);
}

/* Java, as far as a test has to write it; where the data has none, what is done, a line each. */
function actLines(idea) {
	const isCode = idea.code.length > 0,
		show = highlighter(),
		lines = (isCode ? idea.code : idea.acts).map((line, i) => h("li", { title: isCode ? null : idea.acts[i] }, h("code", show(isCode ? line : brief(line)))));
	return h(isCode ? "ol.acts.whole" : "ol.acts", lines);
}

/* What the object is called: a lambda, by what it runs. */
const lambdaByName = later(() => new Map([...lambdas.keys()].map(row => [text[row], lambdaNames().get(row)])));

/* The same object by other calls, and other objects by the same call. */
function likes(idea) {
	const other = of => (of.object === idea.object ? h("span.n", { title: of.call }, brief(of.call)) : h("span.n", { title: of.object }, lambdaByName().get(of.object) ?? brief(of.object))),
		rest = idea.likes - idea.like.length;
	return h("p.soft.such.likes", "Likewise: ", idea.like.map((of, i) => [i > 0 && ", ", other(of)]), rest > 0 && `, and ${number.format(rest)} more`);
}

function ideaCard(idea) {
	const where = methodOfSite(idea.site);
	return h(
		"li.idea",
		h("h3", "Bring ", h("span.n", { title: idea.object }, lambdaByName().get(idea.object) ?? brief(idea.object)), " to ", h("span.n", { title: idea.call }, brief(idea.call))),
		actLines(idea),
		idea.code.length > 0 && !idea.whole && h("p.soft", "The rest is for you to find: what is written in words, or left out."),
		gains(idea.covers),
		h("p.soft.such", "for example in ", h("a.n", { href: address(idea.site), "data-nav": true, "data-key": `next ${idea.object} ${idea.site}`, title: idea.site }, where)),
		idea.likes > 0 && likes(idea)
	);
}

function nextList() {
	const SHOWN = 6,
		all = data.next ?? [];
	if (!all.length) return null;
	const list = h("ol.ideas", { "data-list": true }, all.slice(0, SHOWN).map(ideaCard)),
		rest = all.length - SHOWN,
		more = h("button", { type: "button", class: "more", "data-nav": true }, `Show ${rest} more`);
	more.addEventListener("click", () => {
		list.append(...all.slice(SHOWN).map(ideaCard));
		list.children[SHOWN].querySelector("a").focus();
		more.remove();
	});
	return h(
		"section.next",
		{ "aria-labelledby": "next" },
		h("h2", { id: "next" }, "What to test next"),
		h("p.soft", "Each is an object, and the call that takes it into the component, with what that may newly cover; the first is worth most."),
		list,
		rest > 0 && more
	);
}

/* Of a class: methods that never ran as what they implement, and those that never ran from one of its methods. */

const targetName = g => `${brief(g.target)}.${g.name}${params(g.desc)}`;

function groupCalls(g) {
	const make = () =>
		h(
			"ul.where-missed",
			g.sites.map(siteNumbered).map(s => h("li", h("a.n", { href: address(s.id, scope()), title: s.id }, `${s.class.simple}.${s.method.name}${s.line ? `:${s.line}` : `@${s.pc}`}`), s.count ? "" : h("span.soft", " never called")))
		);
	return disclosure(`at ${count(g.sites.length, "call")}`, make);
}

function groupRow(g, caller) {
	const [button, holder] = g.count ? [h("span.num", count(g.count, "call"))] : groupCalls(g),
		style = g.count ? "covered" : "missed";
	return h(
		"li",
		{ class: style },
		h("span", { class: ITEM_MARKS[style][0] }, icon(style)),
		h("span", { class: `state ${ITEM_MARKS[style][0]}` }, ITEM_MARKS[style][1]),
		h("span", caller && [name(caller), h("span.soft", " calls ")], h("span.n", { title: g.target }, targetName(g)), g.as !== g.target && [h("span.soft", " as "), h("span.n", { title: g.as }, brief(g.as))]),
		h("span.seen", button),
		holder
	);
}

/* The method of the class that makes the calls. */
function callerOf(g) {
	const s = g.sites.length ? siteNumbered(g.sites[0]) : null;
	return s && methodName(s.method);
}

function groupSections(c, filter) {
	if (!climbing() || !["all", "missed", "covered"].includes(filter)) return [];
	const groups = groupsOf(c).filter(g => (filter === "covered" ? g.count : !g.count));
	return rungs.map(r => {
		const rows = groups.filter(g => g.criterion.name === r.name),
			isCallers = r === rungs[1];
		if (!rows.length || (isCallers && filter === "covered")) return null;
		const list = h("ul.items"),
			section = h("section.groups", { "data-list": true }, h("h2", isCallers ? "Never run from here" : filter === "covered" ? "Implementations of this class that ran" : "Implementations of this class that never run", " ", h("span.soft", number.format(rows.length))), list);
		pagedBy(isCallers ? 5 : 8, list, rows, g => groupRow(g, isCallers && callerOf(g)), section);
		return section;
	});
}
