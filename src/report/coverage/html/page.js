/* SPDX-License-Identifier: Apache-2.0 */
/* page.js - from address to view; focus and keys. */
function unknownView(target) {
	return {
		title: "Not found",
		up: "#",
		nodes: [
			h("h1", { tabindex: "-1" }, "Nothing by this name"),
			h("p", name(target), " is no class with watched calls, and no call."),
			h("p", h("a", { href: "#" }, "All packages"))
		]
	};
}

function viewOf(route) {
	const o = route.options,
		test = o.has("test") && tests.find(t => t.name === o.get("test"));
	if (o.has("q")) return findView(o.get("q"));
	if (o.has("chains") && data.chains) return chainsView(route);
	if (o.has("flame") && data.chains) return flameView(route);
	if (o.has("tests")) return testsView(route);
	if (o.has("runs")) return runsView();
	if (o.has("test")) return test ? testView(test) : unknownView(o.get("test"));
	if (o.has("receiver")) return receiverView(o.get("receiver"), route);
	if (o.has("package"))
		return packages.has(o.get("package"))
			? packageView(packages.get(o.get("package")), route)
			: unknownView(o.get("package"));
	if (!route.target) return overview(route);
	const c = findTarget(route.target).class;
	return c ? new ClassView(c, route) : unknownView(route.target);
}

function fillNav(route) {
	const o = route.options,
		at = ["chains", "flame", "tests", "test", "runs"].find(key => o.has(key)) ?? "",
		current = { flame: "chains", test: "tests" }[at] ?? at;
	const links = [
		["", "Coverage", "#"],
		data.chains && ["chains", "Chains", "#!chains"],
		tests.length && ["tests", "Tests", "#!tests"],
		runs.length && ["runs", "Runs", "#!runs"]
	].filter(Boolean);
	document
		.getElementById("nav")
		.replaceChildren(
			...links.map(([key, word, href]) => h("a", { href, "aria-current": key === current && "page" }, word))
		);
}

let view = null;
const focusOf = new Map(); /* by address: what had the focus when it was left */
let lastAddress = location.hash;

function restoreFocus() {
	const key = focusOf.get(location.hash),
		e = key && main.querySelector(`[data-key="${CSS.escape(key)}"]`);
	if (e) e.focus();
	else main.querySelector("h1")?.focus({ preventScroll: true });
}

function remember() {
	const key = main.contains(document.activeElement) && document.activeElement.dataset.key;
	if (key) focusOf.set(lastAddress, key);
}

/* A call that somebody names is shown: where what is counted leaves it out, more is counted. Who asks for less leaves the call. */
function widen(route) {
	const { class: c, site } = findTarget(route.target);
	setScope(route.options);
	if (!hasLadder || !site || route.target !== site.id || passesSite(site, route.filter)) return route;
	const rest = { ...Object.fromEntries(route.options), filter: route.filter };
	history.replaceState(null, "", narrowing ? address(c.name, rest) : address(route.target, { ...rest, "all-classes": true, "all-calls": true }));
	const wide = readAddress();
	setScope(wide.options);
	return wide;
}

function show() {
	const route = widen(readAddress()),
		isFinding = document.activeElement === find;
	narrowing = false;
	const c = route.target && findTarget(route.target).class;
	if (c && view?.key === classKey(c, route)) {
		view.update(route);
		return;
	}
	view = viewOf(route);
	fillNav(route);
	main.replaceChildren(...view.nodes.filter(Boolean));
	document.documentElement.toggleAttribute("data-finds", !!view.box); /* then / is for that box */
	document.title = `${view.title ? view.title + " \u2013 " : ""}Coverage of ${head.component || "the component"}`;
	if (!route.options.has("q")) find.value = "";
	else if (!isFinding) find.value = route.options.get("q");
	scrollTo(0, 0);
	view.update?.(route);
	return isFinding;
}

function arrive() {
	remember();
	const hadPanel = view,
		isFinding = show();
	if (view !== hadPanel && !isFinding && !main.contains(document.activeElement)) restoreFocus();
	lastAddress = location.hash;
}

/* Keys */

function listAround(e) {
	return e?.closest("[data-list]") || main.querySelector(".src") || main.querySelector("[data-list]");
}

/* On the first page, rows go on from list to list. */
function stopBeyond(list, step) {
	if (main.querySelector(".src")) return null;
	const lists = [...main.querySelectorAll("[data-list]")].filter(l => l.querySelector("[data-nav]")),
		next = lists[lists.indexOf(list) + step];
	return next && [...next.querySelectorAll("[data-nav]")].at(step < 0 ? -1 : 0);
}

function move(step) {
	const list = listAround(main.contains(document.activeElement) ? document.activeElement : null);
	if (!list) return;
	const stops = [...list.querySelectorAll("[data-nav]")];
	let at = stops.indexOf(document.activeElement);
	if (at < 0 && list.contains(document.activeElement))
		at =
			stops.findLastIndex(
				s => s.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING
			) + (step < 0 ? 1 : 0);
	const to = stops[at + step] || (at < 0 ? stops[0] : stopBeyond(list, step));
	to?.focus();
	to?.scrollIntoView({ block: "nearest" });
}

function fold(isOpen) {
	const b = document.activeElement,
		row = b?.closest("tbody")?.querySelector(".fold");
	if (b?.classList.contains("fold")) {
		if ((b.getAttribute("aria-expanded") === "true") !== isOpen) b.click();
	} else if (row && !isOpen) {
		row.focus();
	}
}

function goBack() {
	if (view.back?.()) return;
	if (view.up !== undefined && location.hash !== view.up) location.hash = view.up;
}

function nextFilter() {
	const links = [...main.querySelectorAll(".row .chips a[data-filter]")],
		at = links.findIndex(a => a.hasAttribute("aria-current"));
	if (!links.length) return;
	const next = links[(at + 1) % links.length],
		word = next.firstChild.textContent;
	location.hash = next.getAttribute("href");
	announce(`Showing: ${word}`);
}

const KEYS = {
	"/": () => {
		const box = view.box ?? find;
		box.focus();
		box.select();
	},
	j: () => move(1),
	ArrowDown: () => move(1),
	k: () => move(-1),
	ArrowUp: () => move(-1),
	ArrowRight: () => fold(true),
	ArrowLeft: () => fold(false),
	Escape: goBack,
	f: nextFilter,
	c: () => {
		if (data.chains) location.hash = "#!chains";
	},
	t: () => {
		if (tests.length) location.hash = "#!tests";
	},
	"?": () => document.getElementById("help").showModal()
};

document.addEventListener("keydown", e => {
	if (
		e.ctrlKey ||
		e.altKey ||
		e.metaKey ||
		e.isComposing ||
		document.getElementById("help").open ||
		e.target.tagName === "INPUT"
	)
		return;
	if (KEYS[e.key]) {
		e.preventDefault();
		KEYS[e.key]();
	}
});

let before = "#",
	waiting = 0;
function search() {
	const q = find.value.trim();
	history.replaceState(null, "", q ? address("", { q }) : before);
	show();
	lastAddress = location.hash;
}
find.addEventListener("focus", () => {
	if (!readAddress().options.has("q")) before = location.hash || "#";
});
find.addEventListener("input", () => {
	clearTimeout(waiting);
	waiting = setTimeout(search, 60);
});
find.addEventListener("keydown", e => {
	if (e.key === "Escape") {
		e.preventDefault();
		clearTimeout(waiting);
		if (find.value) {
			find.value = "";
			search();
		} else {
			find.blur();
			main.querySelector("h1")?.focus({ preventScroll: true });
		}
	} else if (e.key === "ArrowDown" || e.key === "Enter") {
		e.preventDefault();
		clearTimeout(waiting);
		search();
		const first = main.querySelector("[data-nav]");
		first?.focus();
		if (e.key === "Enter" && main.querySelectorAll("[data-nav]").length === 1) first?.click();
	}
});

document.getElementById("skip").addEventListener("click", () => main.focus());
document
	.getElementById("foot")
	.append(
		h("span", `${head.tool} ${head.version || ""}`),
		h(
			"span",
			`${count(classes.length, "class", "classes")} with calls that are watched`,
			data.others ? `, ${number.format(data.others)} without` : ""
		),
		h("span", "Press ", h("kbd", "?"), " for keys")
	);
addEventListener("hashchange", arrive);
arrive();
document.documentElement.dataset.ready = "true";
