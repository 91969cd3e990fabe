// SPDX-License-Identifier: Apache-2.0
// oracle.mjs - what a report must say of a file such as sample.txt, worked out from its lines alone.
import { readFileSync } from "node:fs";

const READ = {
	class: (o, [name, source]) => o.classes.push({ name, source, methods: [], sites: [], state: "watched" }),
	state: (o, [state]) => (last(o.classes).state = state),
	method: (o, [name, desc]) => last(o.classes).methods.push({ name, desc }),
	ladder: o => { o.hasLadder = true; },
	site: (o, [pc, line, flags, owner, name, desc, declares]) => {
		const c = last(o.classes), m = last(c.methods);
		c.sites.push({ id: `${c.name}.${m.name}${m.desc}@${pc}`, class: c, method: m, line: Number(line), flags, owner, name, desc, declares: declares || owner, rc: [], tm: [], runs: new Map() });
	},
	rc: (o, row) => see(o, row, true),
	seen: (o, row) => see(o, row, false),
	why: (o, [place, text]) => last(last(last(o.classes).sites).rc).steps.push({ place, text }),
	act: (o, [text]) => last(last(last(o.classes).sites).rc).acts.push(text.replace(/(\w+\.)+(?=[A-Z])/, "")),
};

const last = list => list[list.length - 1];

function see(o, [type, target, count, tests], isRequired) {
	const site = last(last(o.classes).sites), names = tests ? tests.split(",") : [];
	const add = (list, name) => {
		let item = list.find(i => i.name === name);
		if (!item)
			list.push(item = { name, isRequired, count: 0, tests: new Set(), steps: [], acts: [] });
		item.isRequired ||= isRequired;
		item.count += Number(count);
		names.forEach(t => item.tests.add(t));
	};
	add(site.rc, type);
	if (isRequired && target)
		site.runs.set(type, target);
	if (target && (isRequired || Number(count)))
		add(site.tm, target);
}

/* Tests, in the order of their first line: what they exercise, alone, and first. */
function addTests(o) {
	const byName = new Map(), items = o.sites.flatMap(s => [...s.rc.map(i => ["rc", i]), ...s.tm.map(i => ["tm", i])]).filter(([, i]) => i.isRequired && i.count);
	for (const line of o.lines)
		for (const name of (line[0] === "rc" || line[0] === "seen") && line[4] ? line[4].split(",") : [])
			if (!byName.has(name))
				byName.set(name, { name, rc: 0, tm: 0, alone: 0, fresh: 0, backups: Infinity });
	o.tests = [...byName.values()];
	for (const [kind, item] of items) {
		const rows = o.tests.filter(t => item.tests.has(t.name));
		rows.forEach(t => { t[kind]++; t.backups = Math.min(t.backups, rows.length - 1); });
		if (rows.length === 1)
			rows[0].alone++;
		if (rows.length)
			rows[0].fresh++;
	}
}

export function readExpected(file) {
	const o = { classes: [], lines: readFileSync(file, "utf8").split("\n").filter(l => l && l[0] !== "#").map(l => l.split("\t")) };
	for (const [word, ...rest] of o.lines)
		READ[word]?.(o, rest);
	const hosts = new Map(o.lines.filter(l => l[0] === "lambda").map(l => [l[1], l[2]])), all = new Set(o.classes.map(c => c.name));
	/* p.Style$$Lambda$plain#1@4 is the lambda in Style.plain */
	o.shown = name => hosts.has(name) ? `lambda in ${hosts.get(name).replace(/.*\./, "")}.${/Lambda\$(.*)#/.exec(name)[1]}` : name;
	o.isOwn = name => all.has(hosts.get(name) ?? name);
	o.hostOf = name => hosts.get(name) ?? name;
	o.sites = o.classes.flatMap(c => c.sites);
	const owners = new Set(o.hasLadder ? climb(o, o.sites).implementations.map(r => r[1]) : []);
	o.classes = o.classes.filter(c => c.sites.length || owners.has(c.name));
	addTests(o);
	return o;
}

/* Of calls: what each rung of the ladder asks for, as [what, the class that it counts for, is it covered]. */
export function climb(o, sites) {
	const rungs = { implementations: new Map(), callers: new Map(), targets: new Map(), receivers: new Map() };
	const add = (rung, key, owner, covered) => {
		const had = rungs[rung].get(key);
		rungs[rung].set(key, [key, owner, covered || !!had?.[2]]);
	};
	for (const s of sites.filter(s => s.tm.filter(i => i.isRequired).length + /[oc]/.test(s.flags) >= 2)) {
		for (const i of s.tm.filter(i => i.isRequired && o.isOwn(i.name))) {
			const as = `${i.name} ${s.declares}.${s.name}${s.desc}`;
			add("implementations", as, o.hostOf(i.name), i.count > 0);
			add("callers", `${s.class.name}.${s.method.name}${s.method.desc} ${as}`, s.class.name, i.count > 0);
			add("targets", `${s.id} ${i.name}`, s.class.name, i.count > 0);
		}
		for (const i of s.rc.filter(i => i.isRequired && o.isOwn(i.name) && s.runs.has(i.name) && o.isOwn(s.runs.get(i.name))))
			add("receivers", `${s.id} ${i.name}`, s.class.name, i.count > 0);
	}
	return Object.fromEntries(Object.entries(rungs).map(([name, rows]) => [name, [...rows.values()]]));
}

/* [required, covered] of each rung, of all or of a class or more. */
export function rungSums(o, isCounted = () => true) {
	return Object.values(climb(o, o.sites)).map(rows => rows.filter(r => isCounted(r[1]))).map(rows => [rows.length, rows.filter(r => r[2]).length]);
}

export function sums(sites, isCounted = () => true) {
	const s = { rc: [0, 0], tm: [0, 0] };
	for (const site of sites)
		for (const kind of ["rc", "tm"])
			for (const i of site[kind].filter(x => x.isRequired && isCounted(x.name)))
				s[kind][0]++, s[kind][1] += i.count > 0;
	return s;
}

/* In tenths, rounded down. */
export function percent([required, covered]) {
	const tenths = required ? Math.floor(covered * 1000 / required) : 1000;
	return tenths === 1000 ? "100" : (tenths / 10).toFixed(1);
}
