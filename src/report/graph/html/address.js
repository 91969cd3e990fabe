/* SPDX-License-Identifier: Apache-2.0 */
/* address.js - what is shown is said by the address: #p.Cls and, after exclamation marks, what else: #p.*!to=q.*!kind=callback are
 * the callbacks from p to q, open= the packages and classes that are open, hide= kinds of calls that are not shown. */
const START = packages.length === 1 ? [packages[0]] : []; /* what is open at first */

/* { isList, at: node or null, to: node or null, kind, open: Set of nodes, hidden: Set of kinds, filter } */
let state;

function readNodes(list) {
	return list
		.split(",")
		.map(key => byKey.get(decode(key)))
		.filter(n => n && n.level < METHOD);
}

function openAround(open, ...list) {
	for (const n of list) for (let p = n?.parent; p; p = p.parent) open.add(p);
}

function readAddress() {
	const [target, ...rest] = location.hash.slice(1).split("!");
	const s = { isList: false, at: byKey.get(decode(target)) ?? null, to: null, kind: null, open: new Set(START), hidden: new Set(), filter: "", sight: null };
	for (const part of rest) {
		const eq = part.indexOf("="),
			key = eq < 0 ? part : part.slice(0, eq),
			value = eq < 0 ? "" : part.slice(eq + 1);
		if (key === "list") s.isList = true;
		else if (key === "to") s.to = byKey.get(decode(value)) ?? null;
		else if (key === "kind") s.kind = KINDS.includes(value) ? KINDS.indexOf(value) : null;
		else if (key === "open") s.open = new Set(value === "*" ? packages : readNodes(value));
		else if (key === "hide") s.hidden = new Set(value.split(",").map(k => KINDS.indexOf(k)));
		else if (key === "filter") s.filter = decode(value);
		else if (key === "sight" && /^-?\d+,-?\d+,\d+$/.test(value)) s.sight = value;
	}
	/* an address that says no more than a name is of something that is seen */
	if (!rest.some(part => part.startsWith("open="))) openAround(s.open, s.at, s.to);
	return s;
}

/* A comma in a name is not one between names. */
const encodeKey = n => encode(n.key).replaceAll(",", "%2C");

function openList(open) {
	const list = [...open].sort((a, b) => a.id - b.id);
	if (list.length === START.length && list.every(n => START.includes(n))) return null;
	if (list.length > 1 && list.length === packages.length && list.every(n => n.level === PACKAGE)) return "*";
	return list.map(encodeKey).join(",");
}

/* The address of the state, changed by `change`. */
function address(change = {}) {
	const s = { ...state, sight: null, ...change },
		open = openList(s.open);
	let out = "#" + (s.at ? encodeKey(s.at) : "");
	if (s.isList) out += "!list";
	if (s.at && s.to) out += "!to=" + encodeKey(s.to);
	if (s.at && s.to && s.kind !== null) out += "!kind=" + KINDS[s.kind];
	if (open !== null) out += "!open=" + open;
	if (s.hidden.size) out += "!hide=" + [...s.hidden].sort().map(k => KINDS[k]).join(",");
	if (s.filter) out += "!filter=" + encode(s.filter);
	if (s.sight) out += "!sight=" + s.sight;
	return out;
}

/* With the parents of nodes opened, so that they are seen. */
function revealed(...list) {
	const open = new Set(state.open);
	openAround(open, ...list);
	return open;
}

const nodeAddress = n => address({ isList: false, at: n, to: null, kind: null, open: revealed(n) });
const callsAddress = (from, to, kind) => address({ isList: false, at: from, to, kind, open: revealed(from, to) });
const go = change => {
	location.hash = address(change);
};

function toggled(n) {
	const open = new Set(state.open);
	if (open.has(n)) for (const o of state.open) holds(n, o) && open.delete(o);
	else for (let p = n; p; p = p.parent) open.add(p);
	return open;
}
