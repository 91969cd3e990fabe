// SPDX-License-Identifier: Apache-2.0
// chains.mjs - tests of the pages about call chains: trees, what is selected, the flame graph. They are held against the JSON report
// of the same result, which another program writes. chains.html is of tests/e2e/chains/way, tested.html has tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { click, go, lowContrast, press, texts, unheard } from "./harness.mjs";

const VIEWS = ["", "#!chains", "#!chains!missed", "#!chains!covered", "#!chains!find=step", "#!chains!find=nothing-like-this", "#!flame", "#!flame=1", "#!flame=99999", "#way.Outer:15"];
const simple = method => method.replace(/^(?:.*\.)?([^.(]+\.[^.(]+)\(.*$/, "$1");          /* p.C.m(I)V: C.m */

/* p.C.m(I)V > @3 [p.D] p.D.n()V as C.m > D.n */
const steps = chain => chain.split(" > ").map(s => simple(s.replace(/^@\d+ (?:\[[^\]]*\] )?/, ""))).join(" > ");

/* Opens everything that is closed. */
async function unfold(page) {
	for (let n = 0; n < 20 && await page.$('[role=treeitem][aria-expanded="false"]'); n++)
		await page.$$eval('[role=treeitem][aria-expanded="false"] > .step', l => l.forEach(e => e.click()));
}

/* Every node as [its way, its count, chains missed from there on]. */
const nodes = page => page.$$eval("[role=treeitem]", list => list.map(item => {
	const path = [];
	for (let e = item; e; e = e.parentElement.closest("[role=treeitem]"))
		path.unshift([...e.querySelectorAll(":scope > .step .what > .n")].map(n => n.textContent).find(s => s.includes("(")).replace(/\(.*/, ""));
	const cell = s => item.querySelector(":scope > .step " + s).textContent;
	return [path.join(" > "), cell(".count") === "never" ? 0 : Number(cell(".count").replace(/\D/g, "")), cell(".share").endsWith("missed") ? parseInt(cell(".share"), 10) : 0];
}));

export async function testChains(t, folder, same) {
	const report = name => join(folder, name + ".html"), json = name => JSON.parse(readFileSync(join(folder, name + ".json"), "utf8"));
	const all = json("chains"), c = all.call_chains;

	await t.test("chains: figures on the first page, and the way from there", async say => {
		const page = await t.open(report("chains"));
		const found = await page.$$eval(".card", l => l.filter(e => e.textContent.includes("Call chains")).flatMap(e => [...e.querySelectorAll(".tally dd")].map(d => d.textContent)));
		same(say, "by length", found, c.figures.map(f => `${f.covered} of ${f.required}`));
		await press(page, "c");
		same(say, "heading", await texts(page, "h1"), ["Call chains"]);
		same(say, "filters", await texts(page, ".row .chips .num"), [all.chains.required, all.chains.required - all.chains.covered, all.chains.covered].map(String));
	});

	await t.test("chains: the trees are those of the JSON report", async say => {
		const page = await t.open(report("chains"), "#!chains");
		await unfold(page);
		const rows = await nodes(page), sorted = list => list.map(x => JSON.stringify(x)).sort();
		same(say, "seen", sorted(rows.filter(r => r[1]).map(r => r.slice(0, 2))), sorted(c.covered.map(r => [steps(r.chain), r.count])));
		for (const m of c.missed)
			rows.some(r => r[0] === steps(m.chain) && !r[1] && r[2] === m.chains) || say(`no node misses ${m.chains} from ${m.chain} on`);
		same(say, "missed of entries", rows.filter(r => !r[0].includes(" > ")).reduce((n, r) => n + r[2], 0), all.chains.required - all.chains.covered);
	});

	await t.test("chains: filters, and finding methods", async say => {
		const page = await t.open(report("chains"), "#!chains!missed");
		await unfold(page);
		(await nodes(page)).forEach(r => r[2] > 0 || say(`${r[0]} misses nothing`));
		await press(page, "f");
		await unfold(page);
		(await nodes(page)).forEach(r => r[1] > 0 || say(`${r[0]} was never seen`));
		await press(page, "/");
		await page.keyboard.type("VALUE");
		await page.waitForFunction(() => location.hash === "#!chains!covered!find=VALUE");
		const found = await nodes(page);
		found.length > 3 || say(`${found.length} nodes with value`);
		await unfold(page);
		const leaves = await page.$$eval("[role=treeitem]:not([aria-expanded])", l => l.map(e => e.getAttribute("aria-label")));
		leaves.forEach(l => l.includes(".value(") || say(`found ${l}`));
		await press(page, "Escape");
		await page.waitForFunction(() => location.hash === "#!chains!covered");
	});

	await t.test("chains: trees by keyboard, as ARIA has it", async say => {
		const page = await t.open(report("chains"), "#!chains"), at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
		const wrong = await page.$$eval("[role=treeitem]", list => list.filter(e => !e.ariaLabel || Number(e.ariaLevel) !== 1 + [...document.querySelectorAll("[role=treeitem]")].filter(x => x !== e && x.contains(e)).length || Number(e.ariaPosInSet) !== 1 + [...e.parentElement.children].indexOf(e) || Number(e.ariaSetSize) !== e.parentElement.children.length || !["tree", "group"].includes(e.parentElement.role)).map(e => e.outerHTML.slice(0, 90)));
		wrong.forEach(w => say(w));
		same(say, "tab stops", await page.$$eval('[role=tree] [tabindex="0"]', l => l.length), 1);
		await page.focus('[role=tree] [tabindex="0"]');
		const first = await at();
		await press(page, "ArrowLeft");
		same(say, "closed", await page.evaluate(() => document.activeElement.ariaExpanded), "false");
		await press(page, "Enter");
		same(say, "open", await page.evaluate(() => document.activeElement.ariaExpanded), "true");
		await press(page, "ArrowRight");
		same(say, "its call", await page.evaluate(() => document.activeElement.ariaLevel), "2");
		same(say, "tab stops", await page.$$eval('[role=tree] [tabindex="0"]', l => l.length), 1);
		same(say, "selected", await page.$$eval('[aria-selected="true"]', l => l.map(e => e === document.activeElement)), [true]);
		same(say, "way", (await texts(page, ".chain .way li .n")).length, 2);
		await press(page, "ArrowLeft");
		same(say, "back", await at(), first);
		await press(page, "End");
		const last = await at();
		await press(page, "ArrowDown");
		same(say, "no further", await at(), last);
		await press(page, "Home");
		same(say, "home", await at(), first);
	});

	await t.test("chains: links to the lines of calls", async say => {
		const page = await t.open(report("chains"), "#!chains!find=step");
		await page.focus('[role=tree] [tabindex="0"]');
		await press(page, "ArrowRight");
		await click(page, ".chain .way a >> text=line");
		same(say, "line", (await texts(page, ".ln.here code, .ln.hit [aria-expanded=true] ~ code")).filter(s => s.includes("step()")).length, 1);
	});

	await t.test("chains: tests that take a way, and that come near", async say => {
		const page = await t.open(report("tested"), "#!chains"), c = json("tested").call_chains, names = json("tested").tests.map(x => x.name);
		await unfold(page);
		for (const [isSeen, row] of [[true, c.covered.find(r => r.length === 1)], [false, c.missed.find(m => m.prefix !== undefined)]]) {
			const list = await page.$$("[role=treeitem]"), rows = await nodes(page);
			await list[rows.findIndex(r => r[0] === steps(row.chain) && r[1] > 0 === isSeen)].focus();
			const wanted = (isSeen ? row : c.covered[row.prefix]).tests.map(i => names[i]);
			same(say, row.chain, (await texts(page, ".chain .tests a")).sort(), wanted.sort());
		}
	});

	await t.test("flame graph: widths are counts", async say => {
		const page = await t.open(report("chains"), "#!flame");
		await page.waitForSelector(".flame g");
		const cells = await page.$$eval(".flame g", l => l.map(g => ({ row: Number(g.dataset.row), y: Number(g.dataset.y), label: g.getAttribute("aria-label"), x: Number(g.querySelector("rect").getAttribute("x")), width: Number(g.querySelector("rect").getAttribute("width")) + 1 })));
		same(say, "boxes", cells.length, c.covered.length + 1);
		const entries = cells.filter(e => e.y === 1), total = cells.find(e => e.row < 0).width;
		Math.abs(entries.reduce((n, e) => n + e.width, 0) - total) < 1 || say("entries are not as wide as all");
		for (const e of cells.filter(e => e.row >= 0)) {
			e.label.includes(`${c.covered[e.row].count} time`) || say(`${e.label}: ${c.covered[e.row].count}`);
			cells.some(p => p.y === e.y - 1 && p.x <= e.x + 0.01 && p.x + p.width >= e.x + e.width - 0.01) || say(`${e.label} hangs on nothing`);
		}
		const leaf = r => !c.covered.some((x, i) => i !== r && x.chain.startsWith(c.covered[r].chain + " > "));
		const scale = cells.filter(e => e.row >= 0 && leaf(e.row)).map(e => e.width / c.covered[e.row].count);
		Math.max(...scale) - Math.min(...scale) < 0.01 || say(`leaves have ${Math.min(...scale)} to ${Math.max(...scale)} px a call`);
		same(say, "hottest", (await texts(page, "tbody .num"))[0], `${Math.max(...c.covered.filter((x, i) => x.length && leaf(i)).map(x => x.count))}\u00d7`);
	});

	await t.test("flame graph: zoom by keys and clicks", async say => {
		const page = await t.open(report("chains"), "#!flame"), at = () => page.evaluate(() => [Number(document.activeElement.dataset.row), Number(document.activeElement.dataset.y)]);
		await page.waitForSelector(".flame g");
		same(say, "tab stops", await page.$$eval('.flame [tabindex="0"]', l => l.length), 1);
		await page.focus('.flame [tabindex="0"]');
		await press(page, "ArrowDown");
		same(say, "an entry", (await at())[1], 1);
		await press(page, "ArrowRight", "ArrowLeft", "ArrowDown");
		const [row, y] = await at();
		same(say, "its call", y, 2);
		await press(page, "Enter");
		same(say, "address", await page.evaluate(() => location.hash), `#!flame=${row}`);
		same(say, "focus", await at(), [row, y]);
		const widths = await page.$$eval(".flame g", l => l.filter(g => Number(g.dataset.y) <= 2).map(g => g.querySelector("rect").getAttribute("width")));
		same(say, "as wide as all", [widths.length, new Set(widths).size], [3, 1]);
		(await texts(page, ".chain .way li")).length === 2 || say("the way is not shown");
		await press(page, "Escape", "Escape");
		same(say, "out", await page.evaluate(() => location.hash), "#!flame");
		await press(page, "Escape");
		same(say, "up", await texts(page, "h1"), ["Call chains"]);
		await go(page, "#!flame");
		await page.waitForSelector(".flame g");
		await page.click(".flame g >> nth=1");
		(await page.evaluate(() => location.hash)).startsWith("#!flame=") || say("a click does not zoom");
	});

	for (const colorScheme of ["light", "dark"])
		await t.test(`chains: contrast, ${colorScheme}`, async say => {
			const page = await t.open(report("chains"), "", { colorScheme });
			for (const hash of VIEWS) {
				await go(page, hash);
				(await page.evaluate(lowContrast)).low.forEach(([what, ratio]) => say(`${hash}: ${ratio} ${what}`));
			}
			await go(page, "#!flame");
			await page.waitForSelector(".flame text");
			const ratios = await page.$$eval(".flame text", list => list.map(e => {
				const parse = s => (s.match(/[\d.]+/g).map(Number)).slice(0, 3).map(v => s.startsWith("color") ? v : v / 255);
				const light = s => parse(s).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((n, v, i) => n + v * [0.2126, 0.7152, 0.0722][i], 0);
				const [a, b] = [light(getComputedStyle(e).fill), light(getComputedStyle(e.parentElement.querySelector("rect")).fill)];
				return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			}));
			Math.min(...ratios) >= 4.5 || say(`text of the flame graph: ${Math.min(...ratios)}`);
		});

	await t.test("chains: names, roles, labels, and 400 px", async say => {
		const page = await t.open(report("chains"), "", { viewport: { width: 400, height: 800 } });
		for (const hash of VIEWS) {
			await go(page, hash);
			(await page.evaluate(unheard)).forEach(w => say(`${hash}: ${w}`));
			const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".frame, .chain, .step")].map(e => e.scrollWidth > e.clientWidth + 1 ? 1000 + e.scrollWidth : 0)));
			width <= 400 || say(`${hash}: ${width} px`);
		}
	});
}

export async function chainPictures(t, folder, images) {
	const options = { viewport: { width: 1180, height: 620 } };
	await t.test("picture chains", async () => {
		const page = await t.open(join(folder, "chains.html"), "#!chains!missed", options);
		await page.focus('[role=tree] [tabindex="0"]');
		await press(page, "ArrowDown", "ArrowDown");
		await page.screenshot({ path: join(images, "coverage-chains.png") });
	});
	await t.test("picture flame", async () => {
		const page = await t.open(join(folder, "chains.html"), "#!flame", options);
		await page.waitForSelector(".flame g");
		await page.focus('.flame [tabindex="0"]');
		await press(page, "ArrowDown", "ArrowDown");
		await page.screenshot({ path: join(images, "coverage-flame.png") });
	});
}
