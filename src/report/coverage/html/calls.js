/* SPDX-License-Identifier: Apache-2.0 */
/* calls.js - a call, what is required of it, and how a missed one gets there. */
/* A button, and what it shows and hides, made when it is first shown. */
function disclosure(word, make, isOpen) {
	const holder = h("div.more-about", { hidden: true });
	const button = h(
		"button",
		{
			type: "button",
			class: "tell",
			"aria-expanded": "false",
			onclick: () => {
				holder.hidden = !holder.hidden;
				button.setAttribute("aria-expanded", String(!holder.hidden));
				if (!holder.firstChild) holder.append(make());
			}
		},
		word,
		icon("more")
	);
	if (isOpen) button.click();
	return [button, holder];
}

function testList(item) {
	const rows = testSets()[item.tests];
	if (!rows.length) return [];
	return disclosure(count(rows.length, "test"), () =>
		h(
			"ul.tests",
			rows.map(t => h("li", h("a.n", { href: address("", { test: tests[t].name }) }, tests[t].name)))
		)
	);
}

function copyable(command) {
	const code = h("code", command),
		button = h("button", { type: "button" }, "Copy");
	button.addEventListener("click", async () => {
		const range = document.createRange();
		range.selectNodeContents(code);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
		try {
			await navigator.clipboard.writeText(command);
		} catch {
			document.execCommand("copy");
		}
		button.textContent = "Copied";
		announce("The command is on the clipboard");
	});
	return h("div.cmd", code, button);
}

/* p.Cls.name:12 as a link to the line, where the class is shown in this report. */
function placeOf(place) {
	const [, where, line] = /^(.*?)(?::(\d+))?$/s.exec(place);
	const owner = where.slice(0, Math.max(where.lastIndexOf("."), 0)),
		short = place.slice(owner.lastIndexOf(".") + 1);
	if (line && classByName.has(owner)) return h("a.n", { href: address(`${owner}:${line}`, scope()), title: place }, short);
	return h("span.n", { title: place }, short);
}

/* What a test does: new HtmlPrinter() \u2192 Cart.printer(Printer) \u2192 Cart.print() */
function recipe(acts) {
	return h(
		"p.more-about.recipe",
		acts.map((a, i) => [i > 0 && " \u2192 ", h("span.n", { title: a }, brief(a))])
	);
}

/* How a missed receiver can get to its call: the witness, or the command that finds one. */
function wayOf(site, item) {
	if (!item.way) return head.why ? disclosure("how?", () => copyable(whyCommand(site, item))) : [];
	const steps = () =>
		stepsOf(item.way).map(s => h("li", h("span", s.place && [placeOf(s.place), " "], h("bdi", s.text))));
	return disclosure("how it gets here", () => h("ol.way", steps()), !item.recipe.length);
}

const ITEM_MARKS = {
	covered: ["good", "covered"],
	missed: ["bad", "missed"],
	unexpected: ["odd", "unexpected"],
	client: ["mild", "client\u2019s"],
	accepted: ["off", "accepted"]
};

/* p.C.m(int) of p.C.m(I)V */
function writtenMethod(full) {
	const open = full.indexOf("("),
		close = full.lastIndexOf(")", full.endsWith(" (later)") ? full.length - 2 : undefined),
		rest = /( \(later\)|[:@]\d+(#\d+)?)$/.exec(full);
	if (open < 0) return full;
	return full.slice(0, open) + params(full.slice(open, close + 2)) + (rest ? rest[0] : "");
}

function itemRow(site, item, c) {
	const [style, word] = ITEM_MARKS[item.state],
		lambda = lambdas.get(item.row),
		isReceiver = c.items === "receiver";
	const shown =
		c.items === "method" ? writtenMethod(item.name)
		: c.items === "target" && !lambda ? `${item.name}.${site.name}${params(site.desc)}`
		: typeName(item);
	const [button, holder] = item.state !== "missed" ? testList(item) : isReceiver ? wayOf(site, item) : [];
	return h(
		"li",
		{ class: item.state },
		h("span", { class: style }, icon(item.state)),
		h("span", { class: "state " + style }, word),
		h(
			"span.n",
			isReceiver
				? h("a", { href: address("", { receiver: item.name, ...scope() }), title: `All calls on ${item.name}` }, shown)
				: shown
		),
		h("span.seen", item.count > 0 && h("span.num", count(item.count, "call")), button),
		lambda && isReceiver && h("span.more-about.soft", "runs ", name(named(lambda.body))),
		item.recipe?.length > 0 && recipe(item.recipe),
		item.because && h("span.more-about.soft", item.isImpossible ? "impossible: " : "not worth a test: ", h("bdi", item.because)),
		item.by && h("span.more-about.soft", "by ", name(writtenMethod(item.by))),
		item.origin !== undefined && c.items !== "method" && h("span.more-about.soft", ORIGINS[item.origin]),
		item.state === "unexpected" && !(site.flags & REACHED) && h("span.more-about.soft", UNREACHED),
		holder
	);
}

const ORDER = ["unexpected", "missed", "covered", "client", "accepted"]; /* what to look at comes first */
function criterion(site, c, filter) {
	const all = site.lists[c.list],
		items = all.filter(i => passes(i, filter)),
		t = tally(all);
	if (!all.some(counts)) return null;
	const list = h("ul.items"),
		section = h(
			"section.crit",
			h(
				"h4",
				`${wordsOf(c)}: ${number.format(t.covered)} of ${number.format(t.required)} covered`
			),
			list
		);
	paged(
		list,
		ORDER.flatMap(state => items.filter(i => i.state === state).sort(byRank)),
		i => itemRow(site, i, c),
		section
	);
	if (!items.length) list.replaceWith(h("p.soft", `Nothing here is ${FILTER_WORDS[filter].toLowerCase()}.`));
	return section;
}

function siteFlags(site) {
	const tags = [];
	if (!(site.flags & WATCHED)) tags.push(h("span.tag.half", icon("off"), "not watched"));
	if (!(site.flags & REACHED)) tags.push(h("span.tag", "not reached by the analysis"));
	if (site.flags & OPEN) tags.push(h("span.tag.mild", "open: unknown objects may get here"));
	if (site.flags & CLIENTS) tags.push(h("span.tag.mild", "classes of clients may get here"));
	return tags.length ? h("div.flags", tags) : null;
}

function siteCard(site, filter) {
	const m = site.method;
	return h(
		"section.site",
		{ "data-site": site.id },
		h("h3", { tabindex: "-1" }, h("span", site.desc.startsWith("(") ? "Call of " : "Use of ", name(`${site.owner}.${site.name}${params(site.desc)}`))),
		h(
			"p.about",
			"in ",
			name(`${m.class.simple}.${m.name}${params(m.desc)}`),
			site.line ? `, line ${site.line}` : "",
			`, bytecode ${site.pc}: `,
			site.flags & INTERFACE ? "interface call, " : "",
			site.count ? `made ${count(site.count, "time")}` : "never made",
			". ",
			h("a", { href: address(site.id, scope()) }, "Link")
		),
		siteFlags(site),
		wholes.filter(c => c.calls).map(c => criterion(site, c, filter))
	);
}

function ratios(site) {
	const of = items => {
		const t = tally(items);
		return `${t.covered}/${t.required}`;
	};
	return wholes
		.filter(c => c.calls)
		.map(c => `${c.short} ${of(site.lists[c.list])}`)
		.join("  ");
}

/* Marks of a site or a line: icon, and the one for what is unexpected. */
function markIcons(sites) {
	const [style, shape, word] = markOf(sites),
		odd = sites.some(isOdd);
	return {
		style,
		odd,
		word: word + (odd ? ", unexpected receivers" : ""),
		icons: [icon(shape), odd && icon("unexpected")].filter(Boolean)
	};
}

function siteMark(site) {
	const mark = markIcons([site]);
	return h(
		"span",
		{ class: mark.odd ? "odd" : mark.style },
		icon(mark.odd ? "unexpected" : markOf([site])[1], mark.word)
	);
}
