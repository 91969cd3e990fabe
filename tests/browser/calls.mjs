// SPDX-License-Identifier: Apache-2.0
// calls.mjs FOLDER [--save IMAGES] - tests of the pages of application call graphs in a folder; see calls.sh. Prints `ok NAME` or `not ok NAME`.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Harness, click, go, lowContrast, press, texts, unheard } from "./harness.mjs";

const [folder, save, images] = process.argv.slice(2);
const file = name => join(folder, name + ".html");
const t = new Harness();
await t.start();

const same = (say, what, found, wanted) => JSON.stringify(found) === JSON.stringify(wanted) || say(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
const truth = JSON.parse(readFileSync(join(folder, "notes.json"), "utf8"));
const KINDS = ["direct", "callback", "later"];

/* What is drawn, as the library has it. */
const labels = page => page.evaluate(() => document.getElementById("graph")._cyreg.cy.nodes().map(n => n.data("label")));
const arrows = page => page.evaluate(() => document.getElementById("graph")._cyreg.cy.edges().map(e => [e.source().data("label"), e.target().data("label"), e.data("kind"), e.data("count")]));
const spot = (page, label) => page.evaluate(l => {
	const graph = document.getElementById("graph"), found = graph._cyreg.cy.nodes().filter(n => n.data("label").startsWith(l))[0], at = found.renderedPosition(), box = graph.getBoundingClientRect();
	return [box.x + at.x, box.y + at.y];
}, label);
const middle = (page, from, to, kind) => page.evaluate(([from, to, kind]) => {
	const graph = document.getElementById("graph"), e = graph._cyreg.cy.edges().filter(e => e.source().data("label").startsWith(from) && e.target().data("label").startsWith(to) && e.data("kind") === kind)[0], at = e.renderedMidpoint(), box = graph.getBoundingClientRect();
	return [box.x + at.x, box.y + at.y];
}, [from, to, kind]);
const hash = page => page.evaluate(() => decodeURIComponent(location.hash));
const classOf = m => { const name = m.slice(0, m.indexOf("(")); return name.slice(0, name.lastIndexOf(".")); };
const simple = name => name.slice(name.lastIndexOf(".") + 1);
const member = m => simple(classOf(m)) + m.slice(classOf(m).length, m.indexOf("(")); /* p.Cls.name(desc) as Cls.name */
const bare = label => label.replace(/^[+\u2212] /, "").replace(/ \u00b7.*/, "");

/* Another page, with other data. */
function variant(name, change, as) {
	const html = readFileSync(file(name), "utf8"), at = /(<script type="application\/json" id="data">)([^<]*)/;
	const data = JSON.parse(html.match(at)[2]);
	change(data);
	writeFileSync(file(as), html.replace(at, (_, tag) => tag + JSON.stringify(data).replaceAll("<", "\\u003c")));
}

await t.test("one package: its classes at the start, and the calls between them", async say => {
	const page = await t.open(file("notes")), wanted = new Map();
	for (const e of truth.edges) {
		const key = JSON.stringify([simple(classOf(e.caller)), simple(classOf(e.callee)), KINDS.indexOf(e.kind)]);
		if (e.kind !== "direct" || classOf(e.caller) !== classOf(e.callee))
			wanted.set(key, (wanted.get(key) ?? 0) + 1);
	}
	const found = (await arrows(page)).map(([a, b, kind, n]) => [JSON.stringify([bare(a), bare(b), kind]), n]);
	same(say, "arrows", found.map(f => f[0]).sort(), [...wanted.keys()].sort());
	same(say, "callbacks and later calls", [found.filter(f => f[0].endsWith("1]")).length > 3, found.some(f => f[0].endsWith("2]"))], [true, true]);
	for (const method of new Set(truth.edges.map(e => simple(classOf(e.callee)))))
		(await labels(page)).some(l => bare(l) === method) || say(`no box for ${method}`);
	same(say, "figures", (await texts(page, ".tally dd")).slice(2), KINDS.map(k => String(truth[k])));
});

await t.test("several packages: closed at the start", async say => {
	const page = await t.open(file("big")), all = await labels(page);
	same(say, "boxes", all.length, 25);
	all.forEach(l => l.startsWith("+ app.part") || say(l));
	const counts = (await arrows(page)).length;
	counts > 100 && counts <= 25 * 25 * 3 || say(`${counts} arrows`);
});

await t.test("a double click and keys open and close", async say => {
	const page = await t.open(file("notes")), before = (await labels(page)).length;
	await page.mouse.dblclick(...await spot(page, "+ Page "));
	await page.waitForFunction(() => document.getElementById("graph")._cyreg.cy.nodes().some(n => n.data("label") === "\u2212 Page"));
	const methods = new Set(truth.edges.flatMap(e => [e.caller, e.callee]).filter(m => classOf(m) === "notes.Page"));
	same(say, "boxes", (await labels(page)).length, before + methods.size);
	await page.focus("#graph");
	await press(page, "Enter");
	same(say, "closed", (await labels(page)).length, before);
	await press(page, "Enter");
	same(say, "open", (await labels(page)).length, before + methods.size);
	await press(page, "ArrowDown", "ArrowRight", "Backspace");
	await click(page, "#levels >> text=Packages");
	same(say, "packages", (await labels(page)).length, 1);
	await click(page, "#levels >> text=Classes");
	same(say, "classes", (await labels(page)).length, before);
	await page.goBack();
	same(say, "back", (await labels(page)).length, 1);
});

await t.test("what is found is opened and chosen", async say => {
	const page = await t.open(file("notes"), "#!open=");
	same(say, "boxes", (await labels(page)).length, 1);
	await press(page, "/");
	await page.keyboard.type("writeBl");
	same(say, "hits", (await texts(page, "#hits .n")).length, 1);
	await press(page, "Enter");
	same(say, "chosen", await texts(page, "#details h2"), ["writeBlue()"]);
	(await labels(page)).includes("writeBlue()") || say("it is not drawn");
	(await hash(page)).startsWith("#notes.Page.writeBlue()Ljava/lang/StringBuffer;!open=") || say(await hash(page));
});

await t.test("callers and callees can be followed, at every level", async say => {
	const page = await t.open(file("notes"));
	for (const [key, of] of [["notes.Page", classOf], ["notes.Page.writeBlue()Ljava/lang/StringBuffer;", m => m]]) {
		await go(page, "#" + encodeURIComponent(key));
		const lists = await page.$$eval("#details ul.others", l => l.length), callees = new Set(truth.edges.filter(e => of(e.caller) === key && (of === classOf ? classOf(e.callee) !== key : true)).map(e => of(e.callee)));
		const found = await page.$$eval("#details section", l => l.filter(s => s.querySelector("h3").textContent.startsWith("Callees")).map(s => s.querySelectorAll("li").length));
		same(say, `callees of ${key}`, [found, lists > 0], [[callees.size], true]);
	}
	await click(page, "#details section:last-of-type li a.n");
	(await hash(page)).startsWith("#notes.Page.writeBlue") && say("the link goes nowhere");
});

await t.test("a click on an arrow lists its calls", async say => {
	const page = await t.open(file("notes")), back = truth.edges.filter(e => e.kind === "callback");
	// That of most calls: others may lie behind it.
	const pair = e => classOf(e.caller) + " " + classOf(e.callee), often = e => back.filter(b => pair(b) === pair(e)).length;
	const most = back.reduce((a, b) => often(b) > often(a) ? b : a);
	const [from, to] = [most.caller, most.callee].map(classOf), wanted = back.filter(e => classOf(e.caller) === from && classOf(e.callee) === to);
	await page.mouse.click(...await middle(page, "+ " + simple(from), "+ " + simple(to), 1));
	await page.waitForSelector(".call");
	const cards = await texts(page, ".call");
	same(say, "calls", cards.length, wanted.length);
	for (const e of wanted)
		cards.some(c => c.includes(`line ${e.line}`) && (!e.declared || c.includes(member(e.declared))) && (!e.by || c.includes(member(e.by)))) || say(`no card for ${e.site}`);
	await click(page, ".call a.n");
	await page.waitForSelector("#details h3");
});

await t.test("kinds can be hidden, and nothing moves", async say => {
	const page = await t.open(file("notes")), place = async () => page.evaluate(() => document.getElementById("graph")._cyreg.cy.nodes().map(n => [n.id(), n.renderedPosition().x, n.renderedPosition().y].join()));
	const before = await place(), all = await arrows(page);
	await click(page, '[data-kind="direct"]');
	same(say, "pressed", await page.getAttribute('[data-kind="direct"]', "aria-pressed"), "false");
	same(say, "arrows", (await arrows(page)).map(a => JSON.stringify(a)).sort(), all.filter(a => a[2]).map(a => JSON.stringify(a)).sort());
	(await hash(page)).includes("!hide=direct") || say(await hash(page));
	same(say, "places", (await place()).map(p => p.split(",")[0]), before.map(p => p.split(",")[0]));
	const moved = (await place()).filter((p, i) => { const [a, b] = [p, before[i]].map(s => s.split(",").map(Number)); return Math.abs(a[1] - b[1]) > 1.5 || Math.abs(a[2] - b[2]) > 1.5; });
	same(say, "moved", moved, []);
	await click(page, '[data-kind="direct"]');
	same(say, "again", (await arrows(page)).length, all.length);
});

await t.test("a link shows the same picture", async say => {
	const page = await t.open(file("notes"));
	await page.mouse.dblclick(...await spot(page, "+ Page "));
	await click(page, '#zoom [aria-label="Nearer"]');
	await page.waitForFunction(() => location.hash.includes("!sight="));
	await click(page, '[data-kind="later"]');
	const other = await t.open(file("notes"), await page.evaluate(() => location.hash));
	const seen = p => p.evaluate(() => {
		const cy = document.getElementById("graph")._cyreg.cy;
		return [cy.zoom(), cy.pan(), cy.elements().map(e => [e.id(), e.data("label"), e.classes().sort().join(" "), e.isNode() && e.position()]), document.getElementById("details").textContent, document.getElementById("kinds").innerHTML];
	});
	same(say, "picture", await seen(other), await seen(page));
});

await t.test("the list has every library call that calls back, and can be filtered", async say => {
	const page = await t.open(file("notes"), "#!list"), back = truth.edges.filter(e => e.kind !== "direct");
	const wanted = new Set(back.map(e => e.site + e.kind));
	same(say, "rows", (await page.$$("#list tbody tr")).length, wanted.size);
	await page.fill("#filter", "blue tostring");
	await page.waitForFunction(n => document.querySelectorAll("#list tbody tr").length < n, wanted.size);
	(await texts(page, "#list tbody tr")).forEach(r => /blue/i.test(r) && /tostring/i.test(r) || say(r));
	await page.waitForFunction(() => location.hash.includes("!filter="));
	await page.fill("#filter", "nothing of this name");
	await page.waitForSelector("#list .none");
});

await t.test("the list works where nothing can be drawn", async say => {
	writeFileSync(file("blind"), readFileSync(file("notes"), "utf8").replace(/globalThis\.cytoscape=/, "globalThis.other="));
	const page = await t.open(file("blind"), "#!list");
	(await page.$$("#list tbody tr")).length > 10 || say("no rows");
	await go(page, "#notes.Page");
	same(say, "details", await texts(page, "#details h2"), ["notes.Page"]);
	await page.isVisible("#hint") || say("it is not said");
});

await t.test("a witness is shown where there is one", async say => {
	variant("notes", d => {
		d.witnesses = [...Array(5).keys()].map(i => [i, ["java.util.List.sort(Comparator)", 12, "java.util.Arrays.sort(Object[], <b>Comparator</b>)", 0], "an object of <i>notes.Page</i>"]);
	}, "witness");
	const page = await t.open(file("witness"));
	await go(page, "#notes.*!to=notes.*");
	same(say, "witnesses", (await page.$$(".witness")).length, 5);
	same(say, "steps", (await texts(page, ".witness li")).slice(0, 2), ["java.util.List.sort(Comparator), line 12", "java.util.Arrays.sort(Object[], <b>Comparator</b>)"]);
	same(say, "object", (await texts(page, ".witness p"))[0], "On an object of <i>notes.Page</i>");
});

await t.test("hostile names do no harm", async say => {
	const page = await t.open(file("hostile"));
	for (const h of ["", "#!open=*", "#!list", "#*!to=*", "#x.*!to=x.*", "#%zz!open=%zz!to=%", "#__proto__", "#constructor!open=constructor,__proto__!hide=x"]) {
		await go(page, h);
		same(say, h, await page.evaluate(() => [typeof pwned, document.images.length, document.scripts.length]), ["undefined", 0, 3]);
	}
	await go(page, "#!open=*");
	for (const n of await page.evaluate(() => document.getElementById("graph")._cyreg.cy.nodes().length === 0 ? ["nothing is drawn"] : [])) say(n);
	await press(page, "/");
	await page.keyboard.type("<");
	const hits = await texts(page, "#hits .n");
	hits.length > 3 && hits.some(n => n.includes("<img")) || say(`hits: ${hits}`);
	for (const hit of [0, 1, 2]) {
		await press(page, "/");
		await page.fill("#find", "<");
		for (let i = 0; i < hit; i++) await press(page, "ArrowDown");
		await press(page, "Enter");
		same(say, "no script ran", await page.evaluate(() => typeof pwned), "undefined");
		(await page.$("#details h2")) || say("nothing is chosen");
	}
});

await t.test("5,000 methods: soon there, soon open, and not too much", async say => {
	const page = await t.open("about:blank"), session = await page.context().newCDPSession(page);
	const cpu = async () => (await session.send("Performance.getMetrics")).metrics.find(m => m.name === "TaskDuration").value;
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.goto(pathToFileURL(file("big")).href);
	await page.waitForSelector("html[data-ready]");
	await go(page, "");
	const start = await cpu();
	await go(page, "#!open=app.part03.*");
	const opened = await cpu() - start;
	console.log(`    # CPU: start ${start.toFixed(2)} s, a package of 20 classes ${opened.toFixed(2)} s`);
	start < 3 || say(`${start} s of CPU to start`);
	opened < 2 || say(`${opened} s of CPU to open a package`);
	await go(page, "#!open=*");
	same(say, "classes", (await labels(page)).length, 525);
	await go(page, "#!open=" + Array.from({ length: 100 }, (_, i) => `app.part${String(i / 20 | 0).padStart(2, "0")}.Thing${i},app.part${String(i / 20 | 0).padStart(2, "0")}.*`).join(","));
	(await texts(page, "#hint"))[0].includes("more than a picture can show") || say("no hint");
	await page.isVisible("#hint") || say("the hint is not seen");
	await go(page, "#!list");
	(await page.$$("#list tbody tr")).length === 250 || say("the list is not cut");
});

for (const colorScheme of ["light", "dark"])
	await t.test(`contrast, ${colorScheme}`, async say => {
		const page = await t.open(file("notes"), "", { colorScheme });
		for (const h of ["", "#notes.Page", "#notes.*!to=notes.*", "#!list", "#!hide=direct"]) {
			await go(page, h);
			(await page.evaluate(lowContrast)).low.forEach(([what, ratio]) => say(`${h}: ${ratio} ${what}`));
		}
	});

await t.test("names, roles, labels, and 400 px", async say => {
	for (const viewport of [{ width: 400, height: 800 }, { width: 1280, height: 800 }]) {
		const page = await t.open(file("notes"), "", { viewport });
		for (const h of ["", "#notes.Page", "#notes.*!to=notes.*", "#!list"]) {
			await go(page, h);
			(await page.evaluate(unheard)).forEach(w => say(`${h}: ${w}`));
			const width = await page.evaluate(() => document.documentElement.scrollWidth);
			width <= viewport.width || say(`${h}: ${width} px`);
		}
	}
});

await t.test("without scripts: the figures", async say => {
	const page = await t.open(file("notes"), "", { javaScriptEnabled: false });
	const words = await page.locator("noscript").innerText();
	words.includes(`${truth.callback} callbacks`) || say(words);
});

if (save === "--save")
	await t.test("picture", async say => {
		const page = await t.open(file("antlr"), "#antlr.preprocessor.Grammar!to=antlr.*!kind=callback!open=antlr.preprocessor.*", { viewport: { width: 1180, height: 620 } }), path = join(images, "callbacks.png");
		await page.waitForTimeout(200);
		await page.screenshot({ path });
		statSync(path).size < 300000 || say(`${statSync(path).size} bytes`);
	});
await t.stop();
process.exit(t.failed ? 1 : 0);
