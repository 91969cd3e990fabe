// SPDX-License-Identifier: Apache-2.0
// oracle.mjs - what a report must say of a file such as sample.txt, worked out from its lines alone.
import { readFileSync } from "node:fs";

const READ = {
	class: (o, [name, source]) => o.classes.push({ name, source, methods: [], sites: [], state: "watched" }),
	state: (o, [state]) => (last(o.classes).state = state),
	method: (o, [name, desc]) => last(o.classes).methods.push({ name, desc }),
	site: (o, [pc, line, flags, owner, name, desc]) => {
		const c = last(o.classes), m = last(c.methods);
		c.sites.push({ id: `${c.name}.${m.name}${m.desc}@${pc}`, class: c, method: m, line: Number(line), flags, owner, name, desc, rc: [], tm: [] });
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
	if (target && (isRequired || Number(count)))
		add(site.tm, target);
}

/* Tests, in the order of their first line: what they exercise, alone, and first. */
function addTests(o) {
	const byName = new Map(), items = o.sites.flatMap(s => [...s.rc.map(i => ["rc", i]), ...s.tm.map(i => ["tm", i])]).filter(([, i]) => i.isRequired && i.count);
	for (const line of o.lines)
		for (const name of (line[0] === "rc" || line[0] === "seen") && line[4] ? line[4].split(",") : [])
			if (!byName.has(name))
				byName.set(name, { name, rc: 0, tm: 0, alone: 0, fresh: 0 });
	o.tests = [...byName.values()];
	for (const [kind, item] of items) {
		const rows = o.tests.filter(t => item.tests.has(t.name));
		rows.forEach(t => t[kind]++);
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
	o.classes = o.classes.filter(c => c.sites.length);
	o.sites = o.classes.flatMap(c => c.sites);
	addTests(o);
	return o;
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
