/* SPDX-License-Identifier: Apache-2.0 */
/* address.js - what is shown is said by the address: #p.Cls, #p.Cls:12, #p.Cls.name(desc)ret@7 and, after exclamation marks, what
 * else is asked for: #p.Cls!missed!own, #!tests!idle, #!q=circle. */

/* { target: "p.Cls", filter: "missed", options: Map } */
function readAddress() {
	const [target, ...rest] = location.hash.slice(1).split("!");
	const route = { target: decode(target), filter: "all", options: new Map() };
	for (const part of rest) {
		const eq = part.indexOf("="),
			key = eq < 0 ? part : part.slice(0, eq);
		if (FILTERS.includes(key)) route.filter = key;
		else route.options.set(key, eq < 0 ? true : decode(part.slice(eq + 1)));
	}
	return route;
}

function address(target, options) {
	let s = "#" + encode(target || "");
	for (const [key, value] of Object.entries(options || {}))
		if (value !== undefined && value !== null && value !== false)
			s +=
				"!" +
				(key === "filter" ? (value === "all" ? "" : value) : key) +
				(key !== "filter" && value !== true ? "=" + encode(value) : "");
	return s.replace(/!+$/, "").replace(/!!+/g, "!");
}

const withFilter = filter => ({ ...(filter === "all" ? {} : { filter }), ...scope() });

function chips(label, filter, rows) {
	return h(
		"div.chips",
		{ role: "group", "aria-label": label },
		rows.map(([key, word, n, href]) =>
			h(
				"a",
				{ href, "aria-current": key === filter && "true", "data-filter": key },
				word,
				n !== undefined && h("span.num", number.format(n))
			)
		)
	);
}

let narrowing = false; /* was a switch turned off that lets more be listed? */

/* Turns an option of the address on and off. */
function optionSwitch(key, isOn, word, title) {
	const other = () => {
		const here = readAddress();
		return address(here.target, { ...Object.fromEntries(here.options), filter: here.filter, [key]: !isOn });
	};
	const turn = e => {
		e.preventDefault();
		narrowing = hasLadder && isOn;
		location.hash = other(); /* the address may have changed since: a line was opened */
	};
	return h(
		"a.switch",
		{ role: "switch", "aria-checked": String(isOn), "data-key": key, href: other(), onclick: turn, title },
		word
	);
}

const acceptedSwitch = () =>
	head.accepted > 0 &&
	optionSwitch("accepted", withAccepted, `Accepted (${number.format(head.accepted)})`, "List what the authors declare to be no requirement, with their reasons");

/* Offered where they make a difference. */
function switches(sums) {
	const c = wholes.find(x => x.part);
	if (hasLadder)
		return [
			acceptedSwitch(),
			optionSwitch(
				"all-classes",
				!ownOnly,
				"All classes",
				"Count and list classes of the JDK and of libraries, too: RC and TM instead of the ladder"
			),
			optionSwitch(
				"all-calls",
				everyCall,
				"Calls without a choice",
				"Count and list calls that run one method whatever the receiver, such as getClass(), too"
			)
		];
	if (!c || !own.size || (sums[c.part.at] === sums[c.at] && !ownOnly)) return acceptedSwitch() || null;
	return [acceptedSwitch(), optionSwitch("own", ownOnly, "Own classes only", "Count and list only receivers of the component\u2019s own classes")];
}

function filterChips(route, sums, hrefOf) {
	const shown = FILTERS.filter(
		f =>
			route.filter === f ||
			(f === "client" || f === "unmade" ? amount(sums, f) > 0 : f !== "unexpected" || hasCalls)
	);
	return [
		chips(
			"Show",
			route.filter,
			shown.map(f => [f, FILTER_WORDS[f], amount(sums, f), hrefOf(f)])
		),
		h("span.switches", switches(sums))
	];
}
