/* SPDX-License-Identifier: Apache-2.0 */
/* elements.js - h("p.soft", { title: "..." }, "text", node, [more]). Attributes may be left out; those that are undefined, null or
 * false are, and so are such children. Data is never part of the first argument. */

function h(tag, ...rest) {
	const [kind, ...styles] = tag.split("."),
		e = document.createElement(kind);
	const attributes = rest[0]?.constructor === Object ? rest.shift() : {};
	e.classList.add(...styles);
	for (const [key, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false) continue;
		if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
		else e.setAttribute(key, value === true ? "" : value);
	}
	e.append(...rest.flat(Infinity).filter(c => c !== undefined && c !== null && c !== false && c !== ""));
	return e;
}

function icon(name, label) {
	const ns = "http://www.w3.org/2000/svg";
	const svg = document.createElementNS(ns, "svg"),
		use = document.createElementNS(ns, "use");
	svg.setAttribute("class", "icon");
	if (label) {
		svg.setAttribute("role", "img");
		svg.setAttribute("aria-label", label);
	} else {
		svg.setAttribute("aria-hidden", "true");
	}
	use.setAttribute("href", `#i-${name}`);
	svg.append(use);
	return svg;
}

function bar(covered, wanted) {
	const full = h("i"),
		e = h("span", { class: wanted ? "bar" : "bar void", "aria-hidden": "true" }, full);
	full.style.setProperty("--part", wanted ? (covered * 100) / wanted : 0);
	return e;
}

const name = s => h("span.n", s);

/* A name with what was looked for set off. */
function marked(s, words) {
	const out = h("span.n"),
		low = s.toLowerCase();
	let at = 0;
	for (;;) {
		let found = -1,
			len = 0;
		for (const w of words) {
			const i = low.indexOf(w, at);
			if (i >= 0 && (found < 0 || i < found)) ((found = i), (len = w.length));
		}
		if (found < 0 || low.length !== s.length) break;
		out.append(s.slice(at, found), h("mark", s.slice(found, found + len)));
		at = found + len;
	}
	out.append(s.slice(at));
	return out;
}

/* The first rows of a long list, and a button for more; it is pressed by scrolling, too. */
const PAGE = 250;
const paged = (...rest) => pagedBy(PAGE, ...rest);
function pagedBy(size, parent, rows, make, after) {
	let at = 0;
	const more = h("button", { type: "button", class: "more", "data-nav": true });
	const next = () => {
		const first = at,
			end = rows.length - at <= size * 1.5 ? rows.length : at + size; /* nobody wants to ask for the last few */
		parent.append(...rows.slice(at, end).map(make));
		at = end;
		more.textContent = `Show ${number.format(Math.min(size, rows.length - at))} more of ${number.format(rows.length - at)}`;
		if (at === rows.length) more.remove();
		return first;
	};
	next();
	if (at < rows.length) {
		more.addEventListener("click", () => {
			const first = next();
			parent.children[first]?.querySelector("[data-nav]")?.focus();
		});
		after.append(more);
	}
}
