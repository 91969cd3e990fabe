// SPDX-License-Identifier: Apache-2.0
// report.mjs FOLDER [--save IMAGES] - tests of the HTML reports in a folder; see run.sh. Prints `ok NAME` or `not ok NAME`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Harness, click, go, lowContrast, press, texts, unheard } from "./harness.mjs";
import { chainPictures, testChains } from "./chains.mjs";
import { climb, percent, readExpected, rungSums, sums } from "./oracle.mjs";

const [folder, save, images] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url));
const report = name => join(folder, name + ".html");
const sample = readExpected(join(here, "sample.txt")), hostile = readExpected(join(here, "hostile.txt"));
const t = new Harness();
await t.start();

const same = (say, what, found, wanted) => JSON.stringify(found) === JSON.stringify(wanted) || say(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
const stateOf = i => i.isRequired ? i.count ? "covered" : "missed" : "other";
const link = target => "#" + encodeURIComponent(target).replaceAll("!", "%21");
const simple = name => name.slice(name.lastIndexOf(".") + 1);
const WIDE = "!all-classes!all-calls", RUNGS = ["Implementations", "Callers", "Targets", "Receivers"];
const VIEWS = ["", "#!missed", "#!unmade", "#" + WIDE, "#atlas.render.Painter", "#atlas.shape.Shapes$Group!covered", "#!test=atlas.ShapesTest.areaAgain", "#atlas.render.Painter:17", "#atlas.render.Painter:18", "#atlas.shape.Shapes:31!unexpected", "#atlas.render.Canvas", "#atlas.shape.Ring:12", "#!tests", "#!tests!idle", "#!runs", "#!q=shape",
	"#!receiver=atlas.shape.Ring", "#!test=atlas.ShapesTest.area", "#!package=atlas.shape", "#no.such.Class"];

/* What it says */

await t.test("figures of the component: the ladder leads", async say => {
	const page = await t.open(report("sample")), all = sums(sample.sites), rungs = rungSums(sample);
	same(say, "rungs", await texts(page, ".rungs h3"), RUNGS.map((r, i) => `${i + 1}${r}`));
	same(say, "percent", await texts(page, ".rungs .big"), rungs.map(r => percent(r) + "%"));
	same(say, "counts", await texts(page, ".rungs .count"), rungs.map(r => `${r[1]} of ${r[0]}${r[1] < r[0] ? `, ${r[0] - r[1]} missed` : ""}`));
	same(say, "papers", await texts(page, ".paper"), [all.rc, all.tm].map(x => `${percent(x)} % ${x[1]} of ${x[0]}`));
	same(say, "heading", await texts(page, "h1"), ["Coverage of atlas.**"]);
	same(say, "order", await page.$$eval("main > *", l => l.map(e => e.matches(".ladder") ? "ladder" : e.matches(".next") ? "next" : e.matches(".trend") ? "trend" : e.querySelector("table") ? "table" : "").filter(Boolean)), ["ladder", "next", "trend", "table"]);
	const facts = (await texts(page, ".facts")).join();
	for (const word of ["public", "closed", "andersen", "1, 2026-11-16 10:12 UTC"])
		facts.includes(word) || say(`the head does not say ${word}`);
	(await texts(page, ".caution")).join().includes("1 unexpected receiver") || say("the ladder does not mention the alarm");
});

await t.test("figures without a ladder", async say => {
	const page = await t.open(report("hostile")), all = sums(hostile.sites);
	same(say, "percent", await texts(page, ".big"), [percent(all.rc) + "%", percent(all.tm) + "%"]);
	same(say, "rungs", (await page.$$(".rungs")).length, 0);
	same(say, "switches", await texts(page, ".switch"), []);
});

/* The first cells of each row. */
const cellsOf = (page, n) => page.$$eval("[data-list] tbody tr", (list, n) => list.map(r => [r.querySelector(".n").textContent, ...[...r.querySelectorAll("td .num, td.num")].map(c => c.textContent.trim())].slice(0, n)), n);

await t.test("figures of every class and package: rungs, and RC and TM of all classes", async say => {
	const page = await t.open(report("sample"));
	const part = r => r[0] ? percent(r) + " %" : "\u2013", lost = list => String(list.reduce((n, r) => n + r[0] - r[1], 0));
	const rungs = (name, isCounted) => { const r = rungSums(sample, isCounted); return [name, ...r.map(part), lost(r)]; };
	let rows = await cellsOf(page, 6);
	for (const c of sample.classes) {
		const want = rungs(simple(c.name), n => n === c.name), isShown = want.slice(1, 5).some(x => x !== "\u2013") || c.state !== "watched";
		same(say, c.name, rows.find(r => r[0] === simple(c.name)), isShown ? want : undefined);
	}
	for (const p of ["atlas.render", "atlas.shape"])
		same(say, p, rows.find(r => r[0] === p), rungs(p, n => n.startsWith(p + ".")));
	await go(page, "#" + WIDE);
	rows = await cellsOf(page, 6);
	const want = (name, sites) => { const s = sums(sites); return [name, part(s.rc), lost([s.rc]), part(s.tm), lost([s.tm]), String(sites.length)]; };
	for (const c of sample.classes.filter(c => c.sites.length))
		same(say, c.name, rows.find(r => r[0] === simple(c.name)), want(simple(c.name), c.sites));
	for (const p of ["atlas.render", "atlas.shape"])
		same(say, p, rows.find(r => r[0] === p), want(p, sample.sites.filter(s => s.class.name.startsWith(p))));
});

await t.test("every call has its link, and every receiver its state, count, tests and way", async say => {
	const page = await t.open(report("sample"));
	for (const site of sample.sites) {
		await go(page, link(site.id) + WIDE);
		const card = await page.$(`.site[data-site="${site.id.replaceAll('"', '\\"')}"]`);
		if (!card) {
			say(`no card for ${site.id}`);
			continue;
		}
		await card.$$eval(".tell", l => l.filter(b => b.textContent === "how it gets here" && b.ariaExpanded === "false").forEach(b => b.click()));
		const items = await card.$$eval(".crit:first-of-type .items > li", list => list.map(li => ({ name: li.querySelector(".n").textContent, state: li.className, seen: li.querySelector(".seen").textContent, steps: li.querySelectorAll(".way li").length, recipe: li.querySelector(".recipe")?.textContent ?? "" })));
		same(say, `receivers of ${site.id}`, items.map(i => i.name).sort(), site.rc.map(i => sample.shown(i.name)).sort());
		for (const want of site.rc) {
			const got = items.find(i => i.name === sample.shown(want.name));
			same(say, `recipe of ${want.name}`, got.recipe, want.acts.join(" \u2192 "));
			const state = got.state === "unexpected" || got.state === "client" ? "other" : got.state;
			same(say, `${want.name} at ${site.id}`, [state, got.steps, got.seen.includes(`${want.count} call`), got.seen.includes(`${want.tests.size} test`)], [stateOf(want), want.steps.length, want.count > 0, want.tests.size > 0]);
		}
	}
});

await t.test("unexpected receivers are loud, with their origin", async say => {
	const page = await t.open(report("sample"));
	const box = (await texts(page, ".box.odd")).join();
	for (const word of ["1 unexpected receiver", "atlas.shape.Ring", "of the component\u2019s own classes"])
		box.includes(word) || say(`the alarm does not say ${word}`);
	box.includes("FakeShape") && say("a class of a client gives alarm");
	box.includes("Proxy4") && say("a proxy gives alarm");
	await go(page, "#atlas.render.Painter:18");
	same(say, "first item", await texts(page, ".site .items li:first-child .state"), ["unexpected", "missed"]);
});

await t.test("alarms by cause, folded; what is excused likewise, and made when it is opened", async say => {
	const page = await t.open(report("sample"));
	same(say, "causes", await texts(page, ".box.odd summary"), ["1 of the component\u2019s own classes \u2013 1 class"]);
	same(say, "folded", await page.$$eval("details", l => l.map(d => d.open)), [false, false]);
	same(say, "not yet", (await page.$$(".calm details")).length, 0);
	await click(page, ".calm > summary");
	same(say, "excused", await texts(page, ".calm details summary"), ["1 of classes that are made at run time \u2013 1 class", "1 of clients\u2019 own classes \u2013 1 class"]);
	same(say, "who", await texts(page, ".calm li a"), ["jdk.proxy1.$Proxy4", "atlas.FakeShape"]);
	await page.focus(".box.odd summary");
	await press(page, "Enter");
	same(say, "opened by a key", await page.$eval(".box.odd details", d => d.open), true);
	await click(page, ".box.odd li a");
	same(say, "receiver", await texts(page, "h1"), ["Receiver atlas.shape.Ring"]);
});

await t.test("what to test next: acts, what they cover, and where", async say => {
	const page = await t.open(report("sample"));
	same(say, "acts", await page.$$eval(".idea", l => l.map(i => [...i.querySelectorAll(".acts li")].map(a => a.textContent))), [["Shape both = Shape.with(new Circle(1), new Square(2));", "new Painter(new SvgCanvas()).paint(both);"], ["new Polygon(double[])", "Shape.with(Shape, Shape)", "Shape.area()"]]);
	same(say, "gains", await texts(page, ".gains"), ["+1 implementation+1 caller+1 target+1 receiver", "+1 caller+1 target+1 receiver"]);
	same(say, "what", await texts(page, ".idea h3"), ["Bring Shapes$Group to Painter.paint(Shape)", "Bring Polygon to Shape.with(Shape, Shape)"]);
	same(say, "likes", await texts(page, ".idea .likes"), ["Likewise: Shape.with(Shape, Shape)"]);
	await click(page, ".idea a");
	same(say, "site", await page.$eval(".outline [aria-current]", e => e.dataset.of), "atlas.render.Painter.paint(Latlas/shape/Shape;)V@20");
});

await t.test("a trend where older results are given, as a picture and a table", async say => {
	const page = await t.open(report("sample"));
	same(say, "head", await texts(page, ".trend thead th"), ["Result", ...RUNGS]);
	const rows = await page.$$eval(".trend tbody tr", l => l.map(r => [...r.children].map(c => c.textContent)));
	same(say, "now", rows[0], ["2026-11-16", ...rungSums(sample).map(r => percent(r) + " %")]);
	same(say, "before, by date", rows.slice(1), [["2026-09-30", "64.2 %", "43.4 %", "23.8 %", "21.4 %"], ["2026-05-04", "36.3 %", "26.3 %", "18.1 %", "18.1 %"]]);
	same(say, "lines", await page.$$eval(".chart polyline", l => l.map(e => e.getAttribute("points").split(" ").length)), [3, 3, 3, 3]);
	const tops = await page.$$eval(".chart circle:nth-of-type(-n + 3)", l => l.map(c => Number(c.getAttribute("cy"))));
	tops[0] > tops[1] && tops[1] > tops[2] || say(`a line that rises does not: ${tops}`);
	(await page.$eval(".trend .frame", e => e.scrollWidth <= e.clientWidth)) || say("the table is cut off");
	const other = await t.open(report("hostile"));
	same(say, "none without", (await other.$$(".trend")).length, 0);
});

await t.test("a class opens at its first open call; Esc closes it", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Painter");
	same(say, "opened", await page.$$eval(".panel .site", l => l.map(s => s.dataset.site)), ["atlas.render.Painter.paint(Latlas/shape/Shape;)V@8"]);
	same(say, "address", await page.evaluate(() => location.hash), "#atlas.render.Painter");
	await press(page, "Escape");
	same(say, "closed", [(await page.$$(".panel")).length, await page.evaluate(() => location.hash)], [0, "#atlas.render.Painter"]);
	await go(page, "#atlas.shape.Shapes!covered");
	same(say, "first of the filter", await page.$$eval(".outline [aria-current]", l => l.map(e => e.dataset.of)), ["atlas.shape.Shapes.area()D@31"]);
	await go(page, "#atlas.shape.Ring");
	same(say, "nothing is open", (await page.$$(".panel")).length, 0);
});

await t.test("implementations and callers that are missed stand in their class", async say => {
	const page = await t.open(report("sample")), rungs = climb(sample, sample.sites);
	for (const c of sample.classes) {
		await go(page, link(c.name));
		for (let b; (b = await page.$(".groups .more"));) await b.click();
		for (const [rung, heading] of [["implementations", "Implementations of this class"], ["callers", "Never run from here"]]) {
			const missed = rungs[rung].filter(r => r[1] === c.name && !r[2]).length;
			same(say, `${rung} of ${c.name}`, await page.$$eval(".groups", (l, h) => l.filter(s => s.querySelector("h2").textContent.startsWith(h)).reduce((n, s) => n + s.querySelectorAll(".items > li").length, 0), heading), missed);
		}
	}
	await go(page, "#atlas.shape.Polygon");
	same(say, "words", await texts(page, ".groups .items > li > span:nth-child(3)"), ["Polygon.name() as Shape"]);
	await click(page, ".groups .tell");
	await click(page, ".where-missed a");
	same(say, "its first call", await page.evaluate(() => document.querySelector(".site").dataset.site), "atlas.render.Painter.paint(Latlas/shape/Shape;)V@16");
});

await t.test("a link to a call that is not counted shows it, and counts more", async say => {
	const page = await t.open(report("sample"), "#atlas.shape.Shapes.add(Latlas/shape/Shape;)V@5");
	same(say, "call", await page.$$eval(".site", l => l.map(s => s.dataset.site)), ["atlas.shape.Shapes.add(Latlas/shape/Shape;)V@5"]);
	same(say, "switches", await page.$$eval(".switch", l => l.map(e => e.ariaChecked)), ["true", "true"]);
	await click(page, ".switch");
	same(say, "less", await page.evaluate(() => location.hash), "#atlas.shape.Shapes!all-calls");
});

await t.test("own classes come first among what is missed", async say => {
	const page = await t.open(report("sample")), rank = name => (sample.isOwn(name) ? 0 : 2) + name.includes("$");
	for (const site of sample.sites) {
		await go(page, link(site.id) + WIDE);
		const found = await page.$$eval(`.site[data-site="${site.id}"] .crit:first-of-type .items > li.missed .n a`, l => l.map(a => a.textContent));
		same(say, site.id, found, site.rc.filter(i => stateOf(i) === "missed").map(i => i.name).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)));
	}
});

await t.test("nothing was measured: that comes first, and no table", async say => {
	const page = await t.open(report("empty"));
	const boxes = await texts(page, "main > section.box, main > .cards, main > h1");
	boxes[1].includes("Nothing was measured") && boxes[1].includes("loaded a class of the component") || say(`first: ${boxes[1]}`);
	same(say, "tables", (await page.$$("table")).length, 0);
	same(say, "boxes", (await page.$$(".box")).length, 1);
});

await t.test("a receiver at a call that the analysis does not reach", async say => {
	const page = await t.open(report("unreached"));
	(await texts(page, ".box.odd")).join().toLowerCase().includes("try --clients open") || say("the alarm does not say it");
	await go(page, "#atlas.render.Canvas:31");
	(await texts(page, ".items li.unexpected")).join().includes("does not reach this call") || say("the receiver does not say it");
	await go(page, "#atlas.render.Canvas:32");
	(await texts(page, ".site")).join().includes("does not reach") && say("another call says it, too");
});

await t.test("the list of calls follows the call that is opened", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Painter:19", { viewport: { width: 1200, height: 260 } });
	const isSeen = await page.$eval(".outline [aria-current]", e => {
		const box = e.closest(".outline").getBoundingClientRect(), at = e.getBoundingClientRect();
		return at.top >= box.top && at.bottom <= box.bottom;
	});
	isSeen || say("it is out of sight");
});

await t.test("without sources: calls by method, opened in place", async say => {
	const page = await t.open(report("bare"), "#atlas.render.Painter");
	same(say, "methods", await texts(page, ".method h2"), ["finish()", "paint(Shape)"]);
	same(say, "calls", (await page.$$(".sites > li")).length, 6);
	await click(page, ".sites > li:nth-child(2) button");
	same(say, "opened", await texts(page, ".site h3"), ["Call of atlas.render.Canvas.draw(String)"]);
	await go(page, "#atlas.render.Painter:17");
	same(say, "calls of a line", (await page.$$(".site")).length, 2);
	await press(page, "Escape");
	same(say, "closed", (await page.$$(".site")).length, 0);
});

await t.test("states of classes are said", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Canvas");
	(await texts(page, ".box.note")).join().includes("No run loaded this class") || say("not loaded");
	await go(page, "#atlas.shape.Ring");
	(await texts(page, ".box.note")).join().includes("Another class file") || say("other class file");
});

/* Ways through it */

await t.test("filters", async say => {
	const page = await t.open(report("sample"));
	const rungs = Object.values(climb(sample, sample.sites)).flat();
	const having = test => [...new Set(rungs.filter(test).map(r => simple(r[1])))].sort(), never = sample.classes.filter(c => c.sites.some(s => s.rc.every(i => !i.count))).map(c => simple(c.name)).sort();
	for (const [filter, want] of [["missed", having(r => !r[2])], ["covered", having(r => r[2])], ["unmade", never], ["unexpected", ["Painter"]], ["client", ["Ring", "Shapes"]], ["all", [...new Set([...having(() => true), "Canvas"])].sort()]]) {
		await click(page, `.chips [data-filter=${filter}]`);
		same(say, filter, (await texts(page, "tr.cls a")).sort(), want);
		same(say, "current", await page.$$eval(".chips [aria-current]", l => l.map(e => e.dataset.filter)), [filter]);
	}
	await go(page, "#atlas.render.Painter!missed");
	same(say, "marked lines", await texts(page, ".src button.no"), ["16", "17", "18", "19", "27"]);
	await go(page, "#atlas.render.Painter:17!missed");
	same(say, "items", [...new Set(await texts(page, ".items .state"))], ["missed"]);
	await go(page, "#atlas.render.Painter!unmade");
	same(say, "calls never made", await texts(page, ".src button.no"), ["19"]);
});

await t.test("switches: all classes, and calls without a choice", async say => {
	const page = await t.open(report("sample")), isCall = s => s.tm.filter(i => i.isRequired).length + /[oc]/.test(s.flags) >= 2;
	const table = async what => {
		const key = k => what.sites.map(s => s[k].filter(i => i.isRequired && (what.all || sample.isOwn(i.name)))).flat();
		const want = ["rc", "tm"].map(k => [key(k).length, key(k).filter(i => i.count).length]);
		same(say, what.name, await texts(page, ".strip b"), want.map(w => w[0] ? percent(w) + " %" : "\u2013"));
	};
	await click(page, ".switch >> nth=0");
	same(say, "address", await page.evaluate(() => location.hash), "#!all-classes");
	for (const c of sample.classes.filter(c => c.sites.length)) {
		await go(page, link(c.name) + "!all-classes");
		await table({ name: `${c.name}, calls with a choice`, sites: c.sites.filter(isCall), all: true });
		await go(page, link(c.name) + "!all-calls");
		await table({ name: `${c.name}, own classes`, sites: c.sites, all: false });
		await go(page, link(c.name) + WIDE);
		await table({ name: `${c.name}, everything`, sites: c.sites, all: true });
	}
	await go(page, "#atlas.shape.Shapes:13");
	same(say, "a list is not own", (await page.$$(".site")).length, 0);
	await go(page, "#atlas.shape.Shapes:19");
	same(say, "shapes are", (await texts(page, ".crit h4"))[0], "Own receiver classes: 4 of 4 covered");
	await click(page, ".switch >> nth=1");
	same(say, "kept in links", await page.$$eval(".crumbs a, .chips a", l => l.every(a => a.getAttribute("href").includes("all-calls") || a.getAttribute("href") === "#")), false);
	same(say, "on", await page.evaluate(() => location.hash), "#atlas.shape.Shapes:19!all-calls");
	await click(page, ".switch >> nth=1");
	same(say, "off again", await page.evaluate(() => location.hash), "#atlas.shape.Shapes:19");
});

await t.test("own classes only, without a ladder", async say => {
	const page = await t.open(report("unreached"), "#!own");
	same(say, "heading", (await texts(page, "thead button")).slice(0, 3), ["Class", "Receiver classes", "Missed"]);
});

await t.test("sorting", async say => {
	const page = await t.open(report("sample"), "#!package=atlas.shape");
	const names = () => texts(page, "tr.cls a");
	const ONES = ["Circle", "Ring", "Square"], rungs = n => rungSums(sample, x => x === `atlas.shape.${n}`), lost = n => rungs(n).reduce((k, r) => k + r[0] - r[1], 0);
	const all = [...ONES, "Polygon", "Shapes", "Shapes$Group"].sort(), by = key => [...all].sort((a, b) => key(a) - key(b) || (a < b ? -1 : 1));
	same(say, "at first", await names(), by(n => -lost(n)));
	for (const [key, want, back] of [["name", all, [...all].reverse()], ["missed", by(n => -lost(n)), by(lost)], ["receivers", by(n => { const [w, c] = rungs(n)[3]; return w ? c / w : 1; }), by(n => { const [w, c] = rungs(n)[3]; return w ? -c / w : -1; })]]) {
		await click(page, `[data-sort=${key}]`);
		same(say, key, await names(), want);
		const way = await page.$eval("th[aria-sort]", e => e.getAttribute("aria-sort"));
		await click(page, `[data-sort=${key}]`);
		same(say, key + " again", await names(), back);
		(await page.$eval("th[aria-sort]", e => e.getAttribute("aria-sort"))) !== way || say("aria-sort stays");
	}
});

await t.test("finding classes, methods and receivers", async say => {
	const page = await t.open(report("sample"));
	await press(page, "/");
	same(say, "focus", await page.evaluate(() => document.activeElement.id), "find");
	await page.keyboard.type("sHaPes");
	await page.waitForFunction(() => document.querySelectorAll(".results:nth-of-type(1) .n").length === 2);      // the last letter came
	same(say, "parts", (await texts(page, ".results h2")).map(x => x.replace(/\d+/, "").trim()), ["Classes", "Methods", "Receivers"]);
	same(say, "classes", await texts(page, ".results:nth-of-type(1) .n"), ["atlas.shape.Shapes", "atlas.shape.Shapes$Group"]);
	same(say, "receivers", await texts(page, ".results:nth-of-type(3) .n"), ["atlas.shape.Shapes$Group"]);
	await page.fill("#find", "painter pain");
	await page.waitForFunction(() => document.querySelectorAll(".results").length === 2);
	await page.fill("#find", "polygon");
	await page.waitForFunction(() => document.querySelectorAll(".results h2")[1]?.textContent.startsWith("Receivers"));
	await press(page, "ArrowDown");
	await press(page, "j");
	await press(page, "Enter");
	same(say, "opened", await texts(page, "h1"), ["Receiver atlas.shape.Polygon"]);
	const sites = sample.sites.filter(s => s.rc.some(i => i.name === "atlas.shape.Polygon"));
	same(say, "its calls", (await page.$$(".sites li")).length, sites.length);
	await press(page, "/");
	await page.keyboard.type("zzz");
	await page.waitForSelector(".none");
	await press(page, "Escape");
	same(say, "back", await texts(page, "h1"), ["Receiver atlas.shape.Polygon"]);
});

await t.test("keyboard only: from the overview to a way, and back", async say => {
	const page = await t.open(report("sample"));
	const focus = () => page.evaluate(() => document.activeElement.textContent.trim());
	await press(page, "j");
	same(say, "first, what to test next", await focus(), "Painter.paint");
	await press(page, "j", "j");
	(await focus()).startsWith("atlas.") || say("j does not reach the table");
	await press(page, "k", "j");
	(await focus()).startsWith("atlas.") || say("k and j do not go on");
	await press(page, "ArrowLeft");
	same(say, "closed", await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false");
	await press(page, "ArrowRight");
	for (let i = 0; i < 10 && (await focus()) !== "Painter"; i++)
		await press(page, "j");
	await press(page, "Enter");
	await page.waitForSelector(".src");
	same(say, "first line", await focus(), "16");
	await press(page, "Escape", "j", "k", "Enter");
	same(say, "line opened", await page.evaluate(() => [document.activeElement.textContent, document.activeElement.getAttribute("aria-expanded"), location.hash]), ["16", "true", "#atlas.render.Painter:16"]);
	same(say, "way", (await page.$$(".way li")).length, 5);
	await press(page, "Tab", "Tab");
	(await page.evaluate(() => !!document.activeElement.closest(".panel"))) || say("Tab does not reach the panel");
	await press(page, "Escape");
	same(say, "panel closed", [(await page.$$(".panel")).length, await focus()], [0, "16"]);
	await press(page, "Escape");
	await page.waitForSelector("tr.cls");
	same(say, "row has the focus again", await focus(), "Painter");
	await press(page, "f");
	await page.waitForFunction(() => location.hash === "#!missed");
	await press(page, "t");
	await page.waitForFunction(() => location.hash === "#!tests");
	await press(page, "?");
	same(say, "help", await page.$eval("#help", d => d.open), true);
	await press(page, "Escape");
	same(say, "help closed", await page.$eval("#help", d => d.open), false);
});

await t.test("Tab reaches everything, and the focus shows", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Painter:17");
	const want = await page.$$eval("a, button, input", l => l.filter(e => e.checkVisibility({ contentVisibilityAuto: false })).length), seen = new Set();
	await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
	for (let i = 0; i < want + 3; i++) {
		await press(page, "Tab");
		const at = await page.evaluate(() => {
			const e = document.activeElement, s = getComputedStyle(e);
			if (e === document.body)
				return null;
			e.dataset.visit ||= String(Math.random());
			return [e.dataset.visit, s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2, e.outerHTML.slice(0, 90)];
		});
		if (!at)
			continue;
		seen.add(at[0]);
		at[1] || say(`no outline: ${at[2]}`);
	}
	seen.size >= want - 1 || say(`${seen.size} of ${want} reached`);
});

await t.test("addresses", async say => {
	const page = await t.open(report("sample"), "#atlas.shape.Shapes:31");
	same(say, "line", await page.$$eval(".site", l => l.map(e => e.dataset.site)), ["atlas.shape.Shapes.describe()Ljava/lang/String;@33", "atlas.shape.Shapes.describe()Ljava/lang/String;@47"]);
	await page.goto(page.address + "#atlas.shape.Shapes$Group.area()D@13");
	same(say, "call", await page.$eval(".outline [aria-current]", e => e.dataset.of), "atlas.shape.Shapes$Group.area()D@13");
	await go(page, "#atlas.shape.Shapes:25");
	same(say, "line without calls", await texts(page, ".ln.here .no"), ["25"]);
	same(say, "nothing is open", (await page.$$(".panel")).length, 0);
	await go(page, "#no.such.Class:3");
	(await texts(page, "main")).join().includes("no.such.Class:3 is no class") || say("unknown class");
	await go(page, "#%E0%A4%A");
	(await texts(page, "h1")).join() === "Nothing by this name" || say("malformed address");
	await go(page, "#");
	await click(page, "tr.cls a >> nth=0");
	await page.goBack();
	same(say, "back", await texts(page, "h1"), ["Coverage of atlas.**"]);
});

await t.test("tests", async say => {
	const page = await t.open(report("sample"), "#!tests");
	const rows = () => page.$$eval("tbody tr", l => l.map(r => [r.querySelector("a").textContent, ...[...r.querySelectorAll("td")].map(d => Number(d.textContent))]));
	const row = x => [x.name, x.rc, x.tm, x.alone, x.fresh, x.backups], byName = (a, b) => a[0] < b[0] ? -1 : 1;
	same(say, "all", (await rows()).sort(byName), sample.tests.map(row).sort(byName));
	await click(page, "[data-filter=idle]");
	same(say, "covered before", await rows(), sample.tests.filter(x => !x.fresh).map(row));
	same(say, "said with care", await texts(page, "tbody .tag"), sample.tests.filter(x => !x.fresh).map(x => `needed if ${x.backups} other${x.backups === 1 ? "" : "s"} went`));
	(await texts(page, "main")).join().match(/useless|superfluous|redundant/i) && say("a test is called names");
	await click(page, "[data-filter=alone]");
	same(say, "alone", (await rows()).map(r => r[0]).sort(), sample.tests.filter(x => x.alone).map(x => x.name).sort());
	await go(page, "#!test=atlas.ShapesTest.area");
	const sites = sample.sites.filter(s => [...s.rc, ...s.tm].some(i => i.tests.has("atlas.ShapesTest.area")));
	same(say, "its calls", (await page.$$(".sites li")).length, sites.length);
	await go(page, "#!test=atlas.ShapesTest.areaAgain");
	(await texts(page, "main p")).join().includes("It would be needed if one certain other test went. 2 other tests have requirements in common with it.") || say((await texts(page, "main p")).join());
});

await t.test("the command that asks why is copied as the shell needs it", async say => {
	const page = await t.open(report("hostile"), "", { permissions: ["clipboard-read", "clipboard-write"] });
	let copied = 0;
	for (const site of hostile.sites) {
		await go(page, link(shown(site.id)));
		for (const item of site.rc.filter(i => stateOf(i) === "missed")) {
			const row = page.locator("li.missed").filter({ has: page.locator(".tell") }).filter({ hasText: shown(item.name) }).first();
			await row.locator(".tell").click();
			await row.locator(".cmd button").click();
			const command = await page.evaluate(() => navigator.clipboard.readText());
			const words = execFileSync("bash", ["-c", `sherd() { printf '%s\\0' "$@"; }; ${command}`], { cwd: folder }).toString().split("\0");
			same(say, "words", words, ["why", "-cp", "it's here/a b.jar:$(touch pwned)", "--component", "x.**</script><script>pwned=1</script>", "--interface", "public", "--clients", "closed", "--algorithm", "andersen", "--site", shown(site.id), "--receiver", shown(item.name), ""]);
			copied++;
		}
	}
	copied > 5 || say(`${copied} commands`);
	existsSync(join(folder, "pwned")) && say("a name was run as a command");
});

/* Names that are meant to do harm are text. What cannot be seen is shown by its number. */
function shown(s) {
	return s.replace(/[\u200b-\u200f\u2028-\u202e\u2060-\u2069]/g, c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

await t.test("hostile names are text", async say => {
	const page = await t.open(report("hostile"));
	const harmless = async where => {
		const found = await page.evaluate(() => [typeof pwned, document.images.length, document.querySelectorAll("main script, [onmouseover], [onerror], iframe").length, document.scripts.length]);
		same(say, where, found, ["undefined", 0, 0, 2]);
	};
	await harmless("overview");
	const names = await texts(page, "tr.cls a");
	same(say, "names", [...names].sort(), hostile.classes.map(c => shown(simple(c.name))).sort());
	for (const c of hostile.classes) {
		await go(page, await page.evaluate(n => [...document.querySelectorAll("tr.cls a")].find(a => a.textContent === n)?.getAttribute("href"), shown(simple(c.name))) ?? "#?");
		same(say, `heading of ${c.name}`, await texts(page, "h1"), ["Class " + shown(simple(c.name))]);
		await press(page, "j");
		await press(page, "Enter");
		for (const b of await page.$$(".tell"))
			await b.click();
		await harmless(c.name);
		await page.evaluate(() => { const s = document.querySelector(".site"); s || console.error("no site"); });
		await go(page, "#");
	}
	for (const hash of ["#!tests", "#!runs", "#!q=script", "#!q=pwned", "#<img src=x onerror=pwned=1>", "#!receiver=<img src=x onerror=pwned=1>", "#!package=__proto__", "#__proto__", "#constructor", "#!test=__proto__"]) {
		await go(page, hash);
		await harmless(hash);
	}
});

await t.test("names in any script neither turn nor widen the page", async say => {
	const page = await t.open(report("hostile"), "", { viewport: { width: 400, height: 800 } });
	for (const hash of ["", "#!tests", "#!q=x", "#x.%D7%A9%D7%9C%D7%95%D7%9D:3"]) {
		await go(page, hash);
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		width <= 400 || say(`${hash}: ${width} px wide`);
	}
	same(say, "direction", await page.$$eval(".n", l => [...new Set(l.map(e => getComputedStyle(e).direction + getComputedStyle(e).unicodeBidi))]), ["ltrisolate"]);
});

await t.test("source is set off part by part, and is the text that it is", async say => {
	const page = await t.open(report("odd"), "#odd.Odd:10"), lines = readFileSync(join(here, "sample/odd/Odd.java"), "utf8").replace(/\n$/, "").split("\n");
	same(say, "text", await page.$$eval(".ln > code", l => l.map(e => e.textContent)), lines.map(shown));
	same(say, "elements", await page.$$eval(".ln > code *", l => [...new Set(l.map(e => e.localName))]), ["span"]);
	same(say, "nothing runs", await page.evaluate(() => [typeof pwned, document.images.length, document.scripts.length]), ["undefined", 0, 3]);
	const parts = n => page.$$eval(`.ln > code`, (l, n) => [...l[n - 1].children].map(e => [e.className.slice(2), e.textContent]), n);
	const WANTED = {
		2: [["keyword", "package"], ["comment", '// not a "string" here']],
		3: [["comment", "/* one */"], ["annotation", "@interface"], ["keyword", "default"], ["string", '"/* no comment */"']],
		4: [["comment", "/** Over"]],
		5: [["comment", ' * lines: "still" new']],
		6: [["comment", " */"], ["annotation", "@Mark"], ["string", '"a\\"b"'], ["keyword", "class"]],
		7: [["keyword", "char"], ["string", "'\"'"], ["string", "'\\\\'"], ["string", "'\\u0041'"]],
		8: [["keyword", "long"], ["number", "0xFFL"], ["number", "0b10_1"], ["number", "1_000"], ["number", "3.5e10f"], ["number", ".5"]],
		9: [["keyword", "int"], ["number", "1"], ["comment", "// new is no keyword in these"]],
		11: [["string", '"""']],
		12: [["string", '\t\tclass "quoted" // no comment']],
		14: [["string", '\t\t"""'], ["string", '"after"']],
		15: [["string", '"no end </script><img src=x onerror=pwned=1>']],
		16: [["string", '"']],
		19: [["comment", "/* never closed </script><!--"]],
		20: [["comment", "new class"]],
	};
	for (const [n, wanted] of Object.entries(WANTED))
		same(say, `line ${n}`, await parts(Number(n)), wanted);
});

await t.test("what is accepted is listed when it is asked for, and counts nowhere", async say => {
	const page = await t.open(report("odd"), "#odd.Odd:10");
	const states = () => page.$$eval(".site .crit:first-of-type .items > li", l => l.map(e => [e.className, e.querySelector(".n").textContent]));
	same(say, "without", await states(), [["covered", "java.util.ArrayList"]]);
	same(say, "figure", (await texts(page, ".crit h4"))[0], "Receiver classes: 1 of 1 covered");
	await click(page, ".switch >> text=Accepted");
	same(say, "address", await page.evaluate(() => location.hash), "#odd.Odd:10!accepted");
	same(say, "with", await states(), [["covered", "java.util.ArrayList"], ["accepted", "java.util.LinkedList"]]);
	same(say, "figure stays", (await texts(page, ".crit h4"))[0], "Receiver classes: 1 of 1 covered");
	same(say, "reason", await texts(page, ".crit:first-of-type li.accepted .more-about"), ["not worth a test: nobody <b>links</b> them"]);
});

/* How it looks */

for (const colorScheme of ["light", "dark"])
	await t.test(`contrast, ${colorScheme}`, async say => {
		const page = await t.open(report("sample"), "", { colorScheme });
		const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
		(ground > 128) === (colorScheme === "light") || say(`the ground is ${ground}`);
		for (const hash of VIEWS) {
			await go(page, hash);
			await page.evaluate(() => document.querySelectorAll("details").forEach(d => { d.open = true; }));
			const { seen, low } = await page.evaluate(lowContrast);
			seen > 10 || say(`${hash}: only ${seen} texts`);
			low.forEach(([what, ratio]) => say(`${hash}: ${ratio} ${what}`));
		}
		const odd = await t.open(report("odd"), "", { colorScheme });
		await go(odd, "#odd.Odd");
		for (const ground of ["", "good", "half", "bad", "off"]) {
			await odd.$$eval(".ln", (l, ground) => l.forEach(e => { e.className = ground ? `ln hit ${ground}` : "ln"; }), ground);
			const { seen, low } = await odd.evaluate(lowContrast);
			seen > 80 || say(`source: only ${seen} texts`);
			low.forEach(([what, ratio]) => say(`source on ${ground || "card"}: ${ratio} ${what}`));
		}
	});

await t.test("nothing is wider than a screen of 400 px", async say => {
	const page = await t.open(report("sample"), "", { viewport: { width: 400, height: 800 } });
	for (const hash of VIEWS) {
		await go(page, hash);
		const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".frame, .items, .sites, .src")].map(e => e.scrollWidth > e.clientWidth + 1 ? 1000 + e.scrollWidth : 0)));
		width <= 400 || say(`${hash}: ${width} px`);
	}
});

await t.test("the find box is a key away, on every page", async say => {
	const page = await t.open(report("sample"));
	for (const hash of VIEWS) {
		await go(page, hash);
		await page.evaluate(() => document.activeElement.blur());
		await press(page, "/");
		same(say, hash, await page.evaluate(() => document.activeElement.id), "find");
	}
});

await t.test("names, roles and labels", async say => {
	const page = await t.open(report("sample"));
	for (const hash of VIEWS) {
		await go(page, hash);
		(await page.evaluate(unheard)).forEach(w => say(`${hash}: ${w}`));
	}
});

await t.test("colour is not the only sign", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Painter:18");
	const states = await page.$$eval(".items > li", l => l.map(li => [li.className, li.querySelector("use").getAttribute("href"), li.querySelector(".state").textContent]));
	for (const [state, shape, word] of states)
		same(say, "item", [shape, word], ["#i-" + state, state]);
	const lines = await page.$$eval(".ln.hit", l => l.map(e => [e.querySelector("button").getAttribute("aria-label"), e.querySelectorAll(".st svg").length]));
	lines.every(([label, n]) => /: (partly covered|covered|missed)/.test(label) && n) || say(JSON.stringify(lines));
});

await t.test("on paper", async say => {
	const page = await t.open(report("sample"), "#atlas.render.Painter:17", { colorScheme: "dark" });
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	same(say, "header", await page.$eval(".top", e => e.checkVisibility()), false);
	same(say, "ground", await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
	const { low } = await page.evaluate(lowContrast);
	low.forEach(([what, ratio]) => say(`${ratio} ${what}`));
	(await page.pdf()).length > 5000 || say("no pages");
});

await t.test("without scripts: the figures", async say => {
	const page = await t.open(report("sample"), "", { javaScriptEnabled: false }), all = sums(sample.sites);
	const said = await page.locator("main").innerText();
	for (const k of ["rc", "tm"])
		said.includes(`${percent(all[k])}`.padEnd(3, ".0")) && said.includes(`${all[k][1]} of ${all[k][0]}`) || say(said);
});

/* 50,000 calls */

/* The time of the page's own thread: other programs on the machine do not count. */
await t.test("50,000 calls: opens below 1 s, in less than 12 bytes a requirement", async say => {
	const page = await t.open("about:blank"), client = await page.context().newCDPSession(page);
	await client.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.goto(pathToFileURL(report("big")).href);
	const clock = await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0))));
	const { metrics } = await client.send("Performance.getMetrics"), used = metrics.find(m => m.name === "TaskDuration").value * 1000;
	const required = (await texts(page, ".paper")).map(x => x.split(" of ")[1].replaceAll(",", "")).reduce((a, b) => Number(a) + Number(b)), size = statSync(report("big")).size;
	console.log(`# opened in ${used.toFixed(0)} ms (${clock.toFixed(0)} ms by the clock), ${(size / 1e6).toFixed(1)} MB`);
	used > 10 && used < 1000 || say(`${used.toFixed(0)} ms`);
	size < 12 * required || say(`${size} bytes for ${required} requirements`);
});

await t.test("50,000 calls: finding, filtering and opening are quick", async say => {
	const page = await t.open(report("big"));
	const client = await page.context().newCDPSession(page);
	await client.send("Performance.enable", { timeDomain: "threadTicks" });
	const used = async () => (await client.send("Performance.getMetrics")).metrics.find(m => m.name === "TaskDuration").value * 1000;
	const timed = async (what, limit, hash) => {
		const before = await used();
		await go(page, hash);
		const ms = await used() - before;
		console.log(`# ${what}: ${ms.toFixed(0)} ms, ${await page.evaluate(() => document.querySelectorAll("*").length)} elements`);
		ms < limit || say(`${what}: ${ms.toFixed(0)} ms`);
	};
	await timed("filter", 500, "#!missed");
	await timed("first search", 1000, "#!q=kind07");
	await timed("next search", 500, "#!q=worker19");
	await timed("class", 500, "#org.example.part12.Worker0620");
	await timed("line", 300, "#org.example.part12.Worker0620:26");
	await timed("receiver", 1000, "#!receiver=org.example.kinds.family7.Kind03");
	await timed("family", 500, "#org.example.kinds.family44.Kind00");
	await timed("never made", 500, "#!unmade");
	await timed("tests", 500, "#!tests");
	await timed("test", 1000, "#!test=org.example.SomeTest.case31");
	await go(page, "#");
	await click(page, "#fold-all");
	const n = await page.evaluate(() => document.querySelectorAll("*").length);
	n < 100000 || say(`${n} elements with all packages open`);
});

await t.test("long lists show more when asked", async say => {
	const page = await t.open(report("big"), "#!tests");
	const n = () => page.evaluate(() => document.querySelectorAll("tbody tr").length), first = await n();
	await page.focus(".more");
	await press(page, "Enter");
	const second = await n();
	second > first || say(`${first} rows, then ${second}`);
	(await page.evaluate(() => document.activeElement.hasAttribute("data-nav"))) || say("the focus is lost");
});

/* The real thing */

if (existsSync(report("station")))
	await t.test("the station example, measured", async say => {
		const page = await t.open(report("station"));
		same(say, "percent", await texts(page, ".rungs .big"), ["33.3%", "50.0%", "50.0%", "50.0%"]);
		same(say, "papers", await texts(page, ".paper b"), ["50.0 %", "50.0 %"]);
		await click(page, "tr.cls a >> text=Station");
		const marks = await page.$$eval(".ln.hit", l => l.map(e => [e.querySelector("code").textContent.trim(), e.className.includes("half")]));
		same(say, "lines", marks, [['out.carry(sent + ": " + note);', true], ['other.carry(sent + " notes");', true]]);
		same(say, "receivers", (await page.$$eval(".crit:first-of-type .items > li", l => l.map(e => [e.querySelector(".n").textContent, e.className]))), [["station.UrgentLink", "missed"], ["station.PlainLink", "covered"]]);
		same(say, "recipe", await texts(page, ".recipe"), ["Station.post(String) \u2192 Station.post(String)"]);
		await click(page, ".tell >> text=how it gets here");
		(await page.$$(".way li")).length > 1 || say("no way for the missed receiver");
		await click(page, ".way a >> text=Station.post:12");
		same(say, "step", await texts(page, ".ln.here code"), ["out = new UrgentLink();"]);
	});
else
	t.failed++;

if (existsSync(report("chains")))
	await testChains(t, folder, same);
else
	t.failed++;

if (save === "--save") {
	mkdirSync(images, { recursive: true });
	const SHOTS = [["overview", "", { viewport: { width: 1280, height: 1240 } }], ["class", "#atlas.render.Painter:18", {}], ["why", "#atlas.render.Painter:17!missed", {}, ".tell >> text=how it gets here"], ["dark", "#atlas.shape.Shapes:31", { colorScheme: "dark" }], ["tests", "#!tests", { viewport: { width: 1280, height: 640 } }], ["narrow", "", { viewport: { width: 400, height: 960 } }]];
	for (const [name, hash, options, opened] of SHOTS)
		await t.test(`picture ${name}`, async () => {
			const page = await t.open(report("sample"), hash, options);
			if (opened)
				await click(page, opened);
			await page.waitForTimeout(200);
			await page.screenshot({ path: join(images, `coverage-${name}.png`) });
		});
	await chainPictures(t, folder, images);
}
await t.stop();
process.exit(t.failed ? 1 : 0);
