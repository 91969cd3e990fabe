/* SPDX-License-Identifier: Apache-2.0 */
/* words.js - figures and names as people read them. */

/* In tenths, rounded down: 100 means all. */
function percent(covered, wanted) {
	const tenths = wanted ? Math.floor((covered * 1000) / wanted) : 1000;
	return tenths === 1000 ? "100" : (tenths / 10).toFixed(1);
}

/* Of sums: not 100 beside an alarm. */
function share(sums, at) {
	const text = percent(sums[at + 1], sums[at]);
	return text === "100" && sums[at] && sums[UNEXPECTED] ? "99.9" : text;
}

/* Of the first figure that there is. */
function percentOf(sums) {
	const [c] = figures(),
		at = c && sumsAt(c);
	return c ? share(sums, at) : percent(0, 0);
}

/* a, b and c */
const listed = words => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");

/* p.q.Cls.name(List) as Cls.name(List), wherever it stands */
const brief = s => s.replace(/(?<![\w$.])(?:[a-z_][\w$]*\.)+(?=[A-Z])/g, "");

/* Lambdas are shown by what they run and where they are written: "lambda in Rules.none", "String::length in Rules.none@4" where
 * there are several. */
function describeLambda(name, l) {
	const [, method, at] = /\$\$Lambda\$(.*)#\d+(@\d+)$/s.exec(name.slice(l.host.length)) || [];
	const body = l.body.slice(0, Math.max(l.body.indexOf("("), 0)),
		dot = body.lastIndexOf("."),
		run = body.slice(dot + 1);
	const what =
		dot <= 0 || run.startsWith("lambda$")
			? "lambda"
			: `${simpleName(body.slice(0, dot))}::${run === "<init>" ? "new" : run}`;
	return { shown: `${what} in ${simpleName(l.host)}${method ? "." + method : ""}`, at: at || "" };
}

const lambdaNames = later(() => {
	const all = [...lambdas].map(([row, l]) => ({ row, ...describeLambda(text[row], l) })),
		counts = new Map();
	for (const l of all) counts.set(l.shown, (counts.get(l.shown) || 0) + 1);
	return new Map(all.map(l => [l.row, counts.get(l.shown) > 1 ? l.shown + l.at : l.shown]));
});
const typeName = item => lambdaNames().get(item.row) ?? item.name;

function when() {
	const stamp = s => new Date(s * 1000).toISOString().slice(0, 16).replace("T", " ");
	const starts = runs.map(r => r.start).filter(Boolean);
	if (!starts.length) return "";
	const first = stamp(Math.min(...starts)),
		last = stamp(Math.max(...starts));
	if (first === last) return `${first} UTC`;
	return `${first} \u2013 ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} UTC`;
}

const quote = s => (/^[\w.,:\/@%+=-]+$/.test(s) ? s : `'${s.replaceAll("'", "'\\''")}'`);

function whyCommand(site, item) {
	const words = ["sherd", "why"];
	const ask = (option, value) => value && words.push(option, quote(value));
	ask("-cp", head.class_path);
	ask("--component", head.component);
	ask("--interface", head.interface);
	ask("--clients", head.clients !== "auto" && head.clients);
	ask("--algorithm", head.algorithm);
	ask("--assume", head.assume);
	ask("--jdk", /^(\/|none$)/.test(head.jdk || "") && head.jdk);
	ask("--site", site.id);
	ask("--receiver", item.name);
	return words.join(" ");
}
