/* SPDX-License-Identifier: Apache-2.0 */
/* class.js - a class: its source with marked lines, or its calls by method. */
function crumbs(links) {
	return h(
		"nav",
		{ "aria-label": "Path" },
		h(
			"ol.crumbs",
			links.map(([word, href]) => h("li", h("a.n", { href }, word)))
		)
	);
}

function strip(sums) {
	const one = (word, at) =>
		h(
			"span",
			word,
			bar(sums[at + 1], sums[at]),
			h("b", sums[at] ? `${share(sums, at)} %` : "\u2013"),
			h("span.soft", ` ${number.format(sums[at + 1])} of ${number.format(sums[at])}`)
		);
	return h(
		"div.strip",
		figures().map(c => one(wordsOf(c), sumsAt(c))),
		hasCalls && h("span.soft", `${number.format(sums[CALLED])} of ${count(sums[SITES], "call")} made`),
		sums[UNEXPECTED] > 0 && h("span.tag.odd", icon("unexpected"), `${number.format(sums[UNEXPECTED])} unexpected`)
	);
}

function stateBox(c) {
	if (!c.state) return null;
	return h(
		"section.box.note",
		h("h2", icon("off"), STATES[c.state].word),
		h(
			"p",
			(!c.why && STATES[c.state].other) || STATES[c.state].say,
			c.unwatched ? ` ${count(c.unwatched, "call")} of ${number.format(c.sums[SITES])} not watched.` : "",
			c.why && [" ", name(c.why)]
		)
	);
}

function byMethod(sites) {
	const methods = new Map();
	for (const s of sites) {
		if (!methods.has(s.method)) methods.set(s.method, []);
		methods.get(s.method).push(s);
	}
	return methods;
}

const methodName = m => `${m.name}${params(m.desc)}`;

function sourceLines(file) {
	const element = file && document.getElementById("f" + file);
	return element ? JSON.parse(element.textContent).replace(/\n$/, "").split("\n") : null;
}

function byLine(file) {
	const lines = new Map();
	for (const c of classes.filter(x => x.file === file))
		for (const s of sitesOf(c)) {
			if (!lines.has(s.line)) lines.set(s.line, []);
			lines.get(s.line).push(s);
		}
	return lines;
}

/* A line of source; one with calls has a button that opens them. */
function sourceLine(n, code, sites, toggle) {
	if (!sites) return h("div.ln", h("span.no", String(n)), h("span.st"), h("code", code));
	const mark = markIcons(sites),
		label = `Line ${n}: ${mark.word}, ${count(sites.length, "call")}`;
	const button = h(
		"button.no",
		{ type: "button", "data-nav": true, "data-key": `line ${n}`, "aria-expanded": "false", "aria-label": label },
		String(n)
	);
	const line = h(
		"div",
		{ class: `ln hit ${mark.style}${mark.odd ? " odd-too" : ""}` },
		button,
		h("span", { class: "st " + mark.style, title: mark.word }, mark.icons),
		h("code", code)
	);
	line.addEventListener("click", () => getSelection().isCollapsed && toggle(n));
	return line;
}

/* Lines in blocks that the browser lays out when they come into sight. */
function sourceBox(rows) {
	const BLOCK = 100,
		box = h("div.src", { "data-list": true });
	for (let i = 0; i < rows.length; i += BLOCK) box.append(h("div.block", rows.slice(i, i + BLOCK)));
	return box;
}

/* Of the first list that anything counts in. */
const shortTally = site => site.lists.map(tally).find(t => t.required) ?? tally([]);

function outlineRow(site, filter) {
	const t = shortTally(site);
	const attributes = {
		href: address(site.id, withFilter(filter)),
		"data-nav": true,
		"data-of": site.id,
		title: `${markIcons([site]).word}: ${site.owner}.${site.name}`
	};
	return h(
		"li",
		h(
			"a",
			attributes,
			siteMark(site),
			h("span.soft.num", site.line ? String(site.line) : "@" + site.pc),
			name(site.name),
			h("span.soft.num", `${t.covered}/${t.required}`)
		)
	);
}

function outline(title, sites, filter) {
	const methods = [...byMethod(sites)].map(([m, list]) => [
		h("h3", name(methodName(m))),
		h(
			"ul",
			list.map(s => outlineRow(s, filter))
		)
	]);
	return h(
		"aside.outline",
		{ "aria-label": "Calls by method", "data-list": true },
		h("h2", "Calls of ", name(title)),
		methods
	);
}

/* Scrolls the list of calls, and nothing around it, so that the current one is in sight. */
function showInOutline(list) {
	const current = list?.querySelector("[aria-current]");
	if (!current) return;
	const box = list.getBoundingClientRect(),
		at = current.getBoundingClientRect();
	if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - list.clientHeight / 2;
}

function siteRow(site, toggle) {
	return h(
		"li",
		h(
			"button",
			{
				type: "button",
				"data-nav": true,
				"data-key": site.id,
				"aria-expanded": "false",
				onclick: () => toggle(site)
			},
			siteMark(site),
			h("span.soft.where", site.line ? `line ${site.line}` : `at ${site.pc}`),
			name(`${simpleName(site.owner)}.${site.name}${params(site.desc)}`),
			h("span.num.soft", ratios(site))
		)
	);
}

/* A class on the screen. Calls are opened in place, one line or row at a time: below their line, or below their row where there
 * is no source of them. What is open is what the address says. */
class ClassView {
	constructor(c, route) {
		this.class = c;
		this.filter = route.filter;
		this.key = classKey(c, route);
		this.title = c.simple;
		this.up = address("", withFilter(route.filter));
		this.sites = sitesOf(c).filter(s => passesSite(s, this.filter));
		this.marks = new Map(); /* by line: its sites that pass the filter, of all classes in the file */
		this.rows = []; /* of the source */
		this.opened = null; /* { button, panel, target } */
		const lines = sourceLines(c.file);
		this.body = lines ? this.withSource(lines) : this.siteLists(this.sites);
		this.nodes = [...this.heading(route), ...groupSections(c, this.filter), this.body];
		this.isNew = true;
	}

	heading(route) {
		const c = this.class;
		const path = [
			["All packages", "#"],
			[c.pkg || "(no package)", address("", { package: c.pkg })]
		];
		const nothing = sitesOf(c).length
			? `No call of this class has anything ${FILTER_WORDS[this.filter].toLowerCase()}.`
			: "Nothing is required of single calls of this class.";
		return [
			crumbs(path),
			h("h1", { tabindex: "-1" }, "Class ", name(c.simple)),
			strip(c.sums),
			stateBox(c),
			h(
				"div.row",
				filterChips(route, c.sums, f => address(c.name, withFilter(f))),
				c.source && h("span.end.n", c.source)
			),
			data.chains && h("p", h("a", { href: address("", { chains: true, find: c.name }) }, "Chains through this class")),
			!this.sites.length && h("p.none", nothing)
		];
	}

	withSource(lines) {
		for (const [n, sites] of byLine(this.class.file)) {
			const shown = sites.filter(s => passesSite(s, this.filter));
			if (shown.length) this.marks.set(n, shown);
		}
		const toggle = n => this.toggle(`${this.class.name}:${n}`);
		const shown = highlighter();
		this.rows = lines.map((code, i) => sourceLine(i + 1, shown(code), this.marks.get(i + 1), toggle));
		const lost = this.sites.filter(s => !this.rows[s.line - 1]);
		if (!this.sites.length) return sourceBox(this.rows);
		return h(
			"div.split",
			outline(this.title, this.sites, this.filter),
			h("div", sourceBox(this.rows), lost.length > 0 && this.siteLists(lost))
		);
	}

	siteLists(sites) {
		const row = s => siteRow(s, x => this.toggle(x.id));
		const methods = [...byMethod(sites)].map(([m, list]) =>
			h("section.method", h("h2", name(methodName(m))), h("ul.sites", list.map(row)))
		);
		return h("div", { "data-list": true }, methods);
	}

	/* Opens what the target names, or closes it: the address changes without a new place in the history. */
	toggle(target) {
		const next = this.opened?.target === target ? this.class.name : target;
		history.replaceState(null, "", address(next, withFilter(this.filter)));
		this.update(readAddress());
	}

	close() {
		this.opened?.panel.remove();
		this.opened?.button.setAttribute("aria-expanded", "false");
		this.opened = null;
		for (const e of this.body.querySelectorAll("[aria-current], .here")) {
			e.removeAttribute("aria-current");
			e.classList.remove("here");
		}
	}

	/* The button of a line or row, and the sites that it opens. */
	find({ site, line }) {
		const row = line && this.rows[line - 1];
		if (row) return { button: row.querySelector("button"), sites: this.marks.get(line), row };
		const sites = site ? [site] : this.sites.filter(s => s.line === line);
		return { button: sites[0] && this.body.querySelector(`button[data-key="${CSS.escape(sites[0].id)}"]`), sites };
	}

	update(route) {
		const want = findTarget(route.target),
			isNew = this.isNew;
		this.close();
		this.isNew = false;
		if (!want.site && !want.line) {
			if (isNew) this.arrive();
			return;
		}
		const { button, sites, row } = this.find(want);
		if (button) {
			this.show(button, sites, route.target, want.site);
		} else if (row) {
			row.classList.add("here"); /* a step of a way, say: there is nothing to open */
			row.scrollIntoView({ block: "center" });
		}
	}

	/* At the first call that is open: that misses something, or else has what the filter asks for. */
	arrive() {
		const isOpen = s => isOdd(s) || s.lists.some(items => items.some(i => i.state === "missed" && counts(i))),
			inOrder = [...this.sites].sort((a, b) => a.line - b.line);
		const first = this.filter === "all" ? inOrder.find(isOpen) : (this.filter === "missed" && inOrder.find(isOpen)) || inOrder[0];
		const { button, sites } = first ? this.find({ site: first, line: first.line }) : {};
		if (button) this.show(button, sites, first.line ? `${this.class.name}:${first.line}` : first.id, first);
	}

	show(button, sites, target, site) {
		const panel = h(
			"div.panel",
			sites.map(s => siteCard(s, this.filter))
		);
		(button.closest(".ln") || button).after(panel);
		button.setAttribute("aria-expanded", "true");
		this.opened = { button, panel, target };
		for (const s of site ? [site] : sites)
			this.body.querySelector(`.outline a[data-of="${CSS.escape(s.id)}"]`)?.setAttribute("aria-current", "true");
		showInOutline(this.body.querySelector(".outline"));
		const card = site && sites.length > 1 && panel.querySelector(`[data-site="${CSS.escape(site.id)}"]`);
		button.focus({ preventScroll: true });
		(card || button).scrollIntoView({ block: card ? "start" : "center" });
	}

	/* One step back: false when nothing is open. */
	back() {
		if (!this.opened) return false;
		const { button, target } = this.opened;
		this.toggle(target);
		button.focus();
		return true;
	}
}

const classKey = (c, route) => `${c.id} ${route.filter} ${ownOnly} ${everyCall}`;

/* { class, line, site } of #p.Cls, #p.Cls:12 and #p.Cls.name(desc)ret@7; an empty object when there is no such class */
function findTarget(target) {
	if (classByName.has(target)) return { class: classByName.get(target) };
	const line = /^(.*):(\d+)$/s.exec(target);
	if (line && classByName.has(line[1])) return { class: classByName.get(line[1]), line: Number(line[2]) };
	for (let dot = target.lastIndexOf("."); dot > 0; dot = target.lastIndexOf(".", dot - 1)) {
		const c = classByName.get(target.slice(0, dot));
		const site = c && sitesOf(c).find(s => s.id === target);
		if (site) return { class: c, site, line: site.line };
	}
	return {};
}
