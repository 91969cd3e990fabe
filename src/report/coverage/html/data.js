/* SPDX-License-Identifier: Apache-2.0 */
/* data.js - the data of the report taken apart; html_p.h says how it is put together. The files of this folder are one
 * module, in the order that the Makefile names them. Data becomes text nodes only, never markup. */
const data = JSON.parse(document.getElementById("data").textContent);
const text = data.strings,
	head = data.head;
const SITES = 0,
	CALLED = 1,
	UNEXPECTED = 2,
	CLIENT = 3,
	CRITERIA = 4, /* sums, from here on: required and covered of each criterion */
	VIEWS = CRITERIA + 2 * head.criteria.length; /* with the ladder: those of own targets, of receivers and targets of calls with a choice */
/* Criteria that the plan has, with the place of their sums. Wholes have requirements, in lists of a site; a part counts some of
 * those of its whole. */
const criteria = head.criteria.map((c, i) => ({ ...c, at: CRITERIA + 2 * i }));
const wholes = criteria
	.filter(c => !c.whole)
	.map((c, list) => ({ ...c, list, part: criteria.find(p => p.whole === c.name && !p.means), rung: criteria.findLast(p => p.whole === c.name && p.means) }));
const rungs = criteria.filter(c => c.means); /* of the ladder, the lowest first */
const hasLadder = rungs.length > 0 && data.sums[rungs[rungs.length - 2].at] > 0;
const SUMS = VIEWS + (hasLadder ? 6 : 0);
const hasCalls = wholes.some(c => c.calls); /* is anything asked of single calls? */
const receivers = wholes.find(c => c.items === "receiver"); /* sherd why explains them; unexpected ones are an alarm */
const REACHED = 1,
	OPEN = 2,
	CLIENTS = 4,
	INTERFACE = 8,
	WATCHED = 16,
	CHOICE = 32; /* flags of a site; the last: several methods can run */
const STATES = [
	null,
	{ word: "not loaded", say: "No run loaded this class." },
	{ word: "other class file", say: "Another class file of this name was loaded; all its calls could be matched." },
	{
		word: "partly watched",
		say: "Some calls were not watched.",
		/* without a text of the agent */
		other: "The JVM loaded another class file than the one that was analysed, and some calls could not be found in it: they count as missed. Compile again, or let -cp name what the tests run."
	},
	{
		word: "not watched",
		say: "Another class file of this name was loaded, and its calls are not those of the plan: nothing was measured."
	},
	{
		word: "stale data",
		say: "The data belongs to another class file of this name: none of it counts. Run the tests again."
	}
];
const ORIGINS = [
	"a class of the component: the analysis missed it, or clients broke its assumptions",
	"a class of the JDK or the class path: clients handed it in, or the analysis missed it",
	"a class that is not on the class path: a client\u2019s own",
	"made at run time: a proxy or a mock, say"
];

/* Rows that are written as their length and differences; row 0 is empty. */
function unpackSets(packed) {
	const sets = [[]],
		next = unpack(packed);
	for (let len; (len = next()) !== undefined;) {
		const set = new Array(len);
		for (let i = 0, last = 0; i < len; i++) set[i] = last = (last + next()) % 2 ** 32;
		sets.push(set);
	}
	return sets;
}

function unpackClasses() {
	const flat = data.classes,
		classes = [];
	for (let at = 0, method = 0; at < flat.length; at += 7 + SUMS) {
		const name = text[flat[at]],
			dot = name.lastIndexOf(".");
		const c = {
			id: classes.length,
			name,
			pkg: dot < 0 ? "" : name.slice(0, dot),
			simple: name.slice(dot + 1),
			source: text[flat[at + 1]],
			file: flat[at + 2],
			state: flat[at + 3],
			unwatched: flat[at + 4],
			why: text[flat[at + 5]],
			sums: flat.slice(at + 7, at + 7 + SUMS),
			method,
			nmethods: flat[at + 6]
		};
		method += c.nmethods;
		classes.push(c);
	}
	return classes;
}

function sumUp(list) {
	const sums = new Array(SUMS).fill(0);
	for (const { sums: s } of list) for (let i = 0; i < SUMS; i++) sums[i] += s[i];
	return sums;
}

function unpackPackages(classes) {
	const byName = new Map();
	for (const c of classes) {
		if (!byName.has(c.pkg)) byName.set(c.pkg, { name: c.pkg, classes: [] });
		byName.get(c.pkg).classes.push(c);
	}
	for (const p of byName.values()) p.sums = sumUp(p.classes);
	return byName;
}

const sets = later(() => unpackSets(data.sets)),
	testSets = later(() => unpackSets(data.test_sets)),
	recipes = later(() => unpackSets(data.recipes));
const classes = unpackClasses(),
	packages = unpackPackages(classes);
const classByName = new Map(classes.map(c => [c.name, c]));
const lambdas = new Map();
for (let i = 0; i < data.lambdas.length; i += 4)
	lambdas.set(data.lambdas[i], {
		host: text[data.lambdas[i + 1]],
		interface: text[data.lambdas[i + 2]],
		body: text[data.lambdas[i + 3]]
	});
const own = new Set(unpackSets(data.own)[1]); /* rows of classes that are the component's */
const tests = [];
for (let i = 0; i < data.tests.length; i += 4 + wholes.length)
	tests.push({
		id: tests.length,
		name: text[data.tests[i]],
		alone: data.tests[i + 1],
		fresh: data.tests[i + 2],
		backups: data.tests[i + 3],
		exercised: data.tests.slice(i + 4, i + 4 + wholes.length) /* of each whole */
	});
const runs = [];
for (let i = 0; i < data.runs.length; i += 6)
	runs.push({
		start: data.runs[i],
		pid: data.runs[i + 1],
		complete: data.runs[i + 2] & 1,
		damaged: data.runs[i + 2] & 2,
		parallel: data.runs[i + 2] & 4,
		jvm: text[data.runs[i + 3]],
		command: text[data.runs[i + 4]],
		session: text[data.runs[i + 5]]
	});

/* Required ones, then those that nobody required. `next` gives the next number. */
function readItems(next) {
	const items = sets()[next()].map(row => ({ row, name: text[row], state: "missed", count: 0, tests: 0, way: 0 }));
	for (let n = next(); n > 0; n--) {
		const item = items[next()];
		((item.state = "covered"), (item.count = next()), (item.tests = next()));
	}
	for (let n = next(); n > 0; n--) {
		const row = next(),
			count = next(),
			origin = next();
		items.push({
			row,
			name: text[row],
			state: origin & 1 ? "client" : "unexpected",
			count,
			origin: origin >> 1,
			tests: next(),
			way: 0
		});
	}
	for (let n = head.accepted === undefined ? 0 : next(); n > 0; n--) {
		const row = next();
		items.push({ row, name: text[row], state: "accepted", count: next(), because: text[next()], isImpossible: next(), tests: 0, way: 0 });
	}
	return items;
}

/* Methods that are called back, with who calls them. */
function readMethods(next) {
	const items = readItems(next);
	for (const item of items.filter(isRequired)) item.by = text[next()];
	return items;
}

function readSite(next, c, method) {
	const line = next(),
		pc = next(),
		flags = next(),
		call = (next() - 1) * 3,
		count = next();
	const site = {
		class: c,
		method,
		line,
		pc,
		flags,
		count,
		owner: text[data.calls[call]],
		name: text[data.calls[call + 1]],
		desc: text[data.calls[call + 2]],
		lists: wholes.map(c => (!c.calls ? [] : c.items === "method" ? readMethods(next) : readItems(next)))
	};
	const climbs = hasLadder && [new Set(sets()[next()]), new Set(sets()[next()])]; /* receivers, targets */
	for (const c of wholes)
		for (const item of site.lists[c.list]) {
			item.own = own.has(item.row);
			item.isOnRung = climbs && climbs[c === receivers ? 0 : 1].has(item.row);
			item.counts = hasLadder && !c.rung ? always : flags & CHOICE ? countsThere : countsAlways;
		}
	for (let n = next(); n > 0; n--) {
		const item = receiversOf(site)[next()];
		item.way = next();
		item.recipe = recipes()[next()].map(row => text[row]);
	}
	site.id = `${c.name}.${method.name}${method.desc}@${pc}`;
	return site;
}

/* The sites of a class, by method and place; the last classes asked for are kept. */
const recent = new Map();
function sitesOf(c) {
	if (recent.has(c.id)) return recent.get(c.id);
	const next = unpack(data.sites[c.id]),
		sites = [];
	for (let i = c.method * 3; i < (c.method + c.nmethods) * 3; i += 3) {
		const method = { class: c, name: text[data.methods[i]], desc: text[data.methods[i + 1]] };
		for (let n = data.methods[i + 2]; n > 0; n--) sites.push(readSite(next, c, method));
	}
	if (recent.size > 40) recent.delete(recent.keys().next().value);
	recent.set(c.id, sites);
	return sites;
}

/* Of the ladder: requirements of a class that are several calls'. */
const firstSites = later(() => {
	const firsts = [];
	let at = 0;
	for (const c of classes) {
		firsts.push(at);
		for (let i = c.method; i < c.method + c.nmethods; i++) at += data.methods[i * 3 + 2];
	}
	return firsts;
});

/* By its number among all. */
function siteNumbered(n) {
	const c = classes[firstSites().findLastIndex((first, i) => first <= n && classes[i].nmethods)];
	return sitesOf(c)[n - firstSites()[c.id]];
}

/* { criterion, target, call, count, sites: numbers of those where it is missed } */
function groupsOf(c) {
	const next = unpack(data.groups[c.id]),
		groups = [];
	for (let k; (k = next()) !== undefined;) {
		const target = text[next()],
			call = (next() - 1) * 3;
		const g = {
			criterion: criteria[k],
			target,
			as: text[data.calls[call]],
			name: text[data.calls[call + 1]],
			desc: text[data.calls[call + 2]],
			count: next(),
			sites: []
		};
		for (let n = g.count ? 0 : next(), at = 0; n > 0; n--) g.sites.push((at += next()));
		groups.push(g);
	}
	return groups;
}

function stepsOf(way) {
	const steps = [];
	for (; way; way = data.ways[way * 2 - 2]) {
		const step = data.ways[way * 2 - 1] * 2 - 2;
		steps.unshift({ place: text[data.steps[step]], text: text[data.steps[step + 1]] });
	}
	return steps;
}

/* Questions about the data */

const FILTERS = ["all", "missed", "unmade", "unexpected", "client", "covered"];
const FILTER_WORDS = {
	all: "All",
	missed: "Missed",
	unmade: "Never called",
	unexpected: "Unexpected",
	client: "Clients\u2019",
	covered: "Covered"
};

/* What is counted and listed, as the address says: see setScope(). Where there is a ladder, what its rungs count unless somebody asks for
 * more; else everything, unless only the component's own classes are asked for. */
let ownOnly = false,
	everyCall = true,
	withAccepted = false;
function setScope(options) {
	ownOnly = hasLadder ? !options.has("all-classes") : options.has("own");
	everyCall = !hasLadder || options.has("all-calls");
	withAccepted = options.has("accepted");
}
const scope = () =>
	({ ...(hasLadder ? { "all-classes": !ownOnly, "all-calls": everyCall } : { own: ownOnly }), accepted: withAccepted });
const climbing = () => hasLadder && ownOnly && !everyCall;

const isRequired = item => item.state === "covered" || item.state === "missed";
/* Of an item: does it count? By the call that it is at. */
const always = () => true,
	countsThere = item => (ownOnly ? (everyCall ? item.own : item.isOnRung) : true),
	countsAlways = item => everyCall && (!ownOnly || item.own);
const counts = item => (item.state === "accepted" ? withAccepted : !isRequired(item) || item.counts(item));

const receiversOf = site => (receivers ? site.lists[receivers.list] : []);
const calledBackAt = site => wholes.filter(c => c.items === "method").flatMap(c => site.lists[c.list]);

/* Wholes that are counted, and where their sums are. */
const counted = () => wholes.filter(c => hasLadder || !ownOnly || c.part);
function sumsAt(c) {
	if (c.means || (ownOnly && !hasLadder)) return (c.part ?? c).at;
	if (!hasLadder || !c.rung || (!ownOnly && everyCall)) return c.at;
	if (ownOnly) return (everyCall ? c.part?.at : c.rung.at) ?? VIEWS;
	return VIEWS + (c === receivers ? 2 : 4);
}
/* What is shown of classes: the rungs, or what they are made of. */
const figures = () => (climbing() ? [...rungs, ...wholes.filter(c => !c.rung)] : counted());
const wordsOf = c => (ownOnly && !c.means && (!hasLadder || c.rung) ? `Own ${c.words}` : c.title);

function amount(sums, filter) {
	const [required, covered] = [0, 1].map(k => figures().reduce((n, c) => n + sums[sumsAt(c) + k], 0));
	switch (filter) {
		case "missed":
			return required - covered;
		case "unexpected":
			return sums[UNEXPECTED];
		case "client":
			return sums[CLIENT];
		case "covered":
			return covered;
		case "unmade":
			return sums[SITES] - sums[CALLED];
		default:
			return required;
	}
}

const isAll = filter => filter === "all" || filter === "unmade"; /* of items; the other one is about calls */
const passes = (item, filter) => counts(item) && (isAll(filter) || item.state === filter);
const passesSite = (site, filter) =>
	filter === "unmade" ? !site.count
	: (filter === "all" && !ownOnly && everyCall) || site.lists.some(items => items.some(i => passes(i, filter)));
const passesClass = (c, filter) =>
	(filter === "all" && (!(ownOnly || hasLadder) || c.state > 0 || c.sums[UNEXPECTED] > 0)) || amount(c.sums, filter) > 0;
function tally(items) {
	const all = items.filter(i => isRequired(i) && counts(i));
	return { required: all.length, covered: all.filter(i => i.state === "covered").length };
}

/* How sites stand together: [class of style, icon, word]. */
const MARKS = {
	good: ["good", "covered", "covered"],
	half: ["half", "partly", "partly covered"],
	bad: ["bad", "missed", "missed"],
	off: ["off", "off", "not watched"],
	none: ["off", "off", "nothing required"]
};
function markOf(sites) {
	const all = { required: 0, covered: 0 };
	for (const s of sites)
		for (const t of s.lists.map(tally)) ((all.required += t.required), (all.covered += t.covered));
	if (!sites.some(s => s.flags & WATCHED)) return MARKS.off;
	if (!all.required) return MARKS.none;
	return all.covered === all.required ? MARKS.good : all.covered ? MARKS.half : MARKS.bad;
}

/* The order for people: classes of the component, then others; of both, those that stand in another class last. */
const rankOf = item => (own.has(item.row) ? 0 : 2) + item.name.includes("$");
const byRank = (a, b) => rankOf(a) - rankOf(b);
const isOdd = site => site.lists.some(items => items.some(i => i.state === "unexpected"));
