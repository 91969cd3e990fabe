// SPDX-License-Identifier: Apache-2.0
// harness.mjs - a browser, pages that fail a test when they complain or ask for anything, and what can be measured on them.
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export class Harness {
	failed = 0;
	async start() {
		this.browser = await chromium.launch({ executablePath: process.env.BROWSER || "/usr/bin/chromium", args: FLAGS });
	}
	async stop() {
		await this.browser.close();
	}
	/* A new page on `file`; what it does wrong is in page.wrong. */
	async open(file, hash = "", options = {}) {
		const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options }), page = await context.newPage();
		page.wrong = [];
		page.on("console", m => page.wrong.push(`console ${m.type()}: ${m.text()}`));
		page.on("pageerror", e => page.wrong.push(`error: ${e.message}`));
		page.on("dialog", d => (page.wrong.push(`dialog: ${d.message()}`), d.dismiss()));
		page.on("request", r => r.url().startsWith("file:") && r.isNavigationRequest() || page.wrong.push(`request: ${r.url()}`));
		this.pages.push(page);
		if (file === "about:blank")
			return page;
		page.address = pathToFileURL(file).href;
		await page.goto(page.address + hash);
		if (options.javaScriptEnabled !== false)
			await page.waitForSelector("html[data-ready]");
		return page;
	}
	/* One test: its pages are closed after it, and must not have complained. */
	async test(name, run) {
		this.pages = [];
		const problems = [];
		try {
			await run(problem => problems.push(problem));
		} catch (e) {
			problems.push(e.stack || String(e));
		}
		for (const page of this.pages) {
			problems.push(...page.wrong);
			await page.context().close();
		}
		console.log(`${problems.length ? "not ok" : "ok"} ${name}`);
		problems.slice(0, 12).forEach(p => console.log("    " + String(p).replaceAll("\n", "\n    ")));
		this.failed += problems.length > 0;
	}
}

/* Until the page has shown what it was asked for last. */
const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0))));

/* To another address of the same page. */
export async function go(page, hash) {
	await page.evaluate(h => { location.hash = h; }, hash);
	await settle(page);
}

export async function click(page, selector) {
	await page.click(selector);
	await settle(page);
}

export async function press(page, ...keys) {
	for (const key of keys) {
		await page.keyboard.press(key);
		await settle(page);
	}
}

export const texts = (page, selector) => page.$$eval(selector, list => list.map(e => e.textContent.trim()));

/* Text whose colour is too near to that of its ground: WCAG 2, AA. Run in the page. */
export function lowContrast() {
	const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return { r: m[0], g: m[1], b: m[2], a: m[3] === undefined ? 1 : m[3] }; };
	const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
	const light = c => [c.r, c.g, c.b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
	const ground = e => {
		const layers = [];
		for (; e; e = e.parentElement)
			layers.unshift(parse(getComputedStyle(e).backgroundColor));
		return layers.reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
	};
	const low = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let seen = 0;
	for (let n; (n = walker.nextNode());) {
		const e = n.parentElement, box = e.getBoundingClientRect();
		if (!n.data.trim() || !box.width || e.closest("script, style, noscript, .unseen") || !e.checkVisibility())
			continue;
		seen++;
		const r = ratio(parse(getComputedStyle(e).color), ground(e));
		if (r < 4.5)
			low.set(`${e.tagName} ${e.className} in ${e.parentElement.className}`, r.toFixed(2));
	}
	for (const e of document.querySelectorAll(".icon")) {          /* what is no text needs 3 */
		const r = ratio(parse(getComputedStyle(e).color), ground(e));
		if (e.checkVisibility() && r < 3)
			low.set(`icon in ${e.parentElement.className}`, r.toFixed(2));
	}
	return { seen, low: [...low] };
}

/* What someone who hears the page would miss. Run in the page. */
export function unheard() {
	const wrong = [], nameOf = e => (e.getAttribute("aria-label") || e.textContent || e.getAttribute("title") || "").trim();
	for (const e of document.querySelectorAll("a, button, input"))
		if (e.checkVisibility() && !nameOf(e))
			wrong.push(`no name: ${e.outerHTML.slice(0, 120)}`);
	for (const e of document.querySelectorAll("a"))
		if (!e.getAttribute("href")?.startsWith("#"))
			wrong.push(`link elsewhere: ${e.outerHTML.slice(0, 120)}`);
	for (const e of document.querySelectorAll("svg"))
		if (!e.closest("[aria-hidden=true]") && !e.getAttribute("aria-label"))
			wrong.push(`silent picture: ${e.outerHTML.slice(0, 120)}`);
	for (const e of document.querySelectorAll("th"))
		if (!e.scope)
			wrong.push(`th without scope: ${e.textContent}`);
	const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
	ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => wrong.push(`id twice: ${id}`));
	if (document.querySelectorAll("h1").length !== 1)
		wrong.push(`${document.querySelectorAll("h1").length} h1`);
	return wrong;
}
