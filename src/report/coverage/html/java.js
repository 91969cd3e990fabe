/* SPDX-License-Identifier: Apache-2.0 */
/* java.js - Java with its parts set off. Text stays text, whatever it holds: each part is a node of its own, and all together are the line.
 * What is no Java is cut up wrongly, and is there nevertheless. */
const KEYWORDS = new Set(
	(
		"abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if " +
		"implements import instanceof int interface long native new package private protected public return short static strictfp super switch " +
		"synchronized this throw throws transient try void volatile while true false null var record sealed permits yield"
	).split(" ")
);
/* In the order in which they are tried. None of them can take longer than the text is long. */
const JAVA = /(\/\/.*|\/\*)|(""")|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(@[\p{L}_$][\p{L}\p{N}_$.]*)|(\.?\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)?)|([\p{L}_$][\p{L}\p{N}_$]*)/uy;
const JAVA_STYLES = [, "comment", "string", "string", "annotation", "number", "keyword"];

/* What is open goes on over ends of lines. */
const JAVA_ENDS = { comment: "*/", string: '"""' };

/* A function that takes a file line by line, and gives the nodes of each. */
function highlighter() {
	let open = null;
	return line => {
		const nodes = [];
		let at = 0,
			plain = 0;
		const upTo = (end, style) => {
			if (at > plain) nodes.push(line.slice(plain, at));
			if (end > at) nodes.push(h(`span.j-${style}`, line.slice(at, end)));
			plain = at = end;
		};
		const closeOpen = from => {
			const end = line.indexOf(JAVA_ENDS[open], from),
				style = open;
			if (end >= 0) open = null;
			upTo(end < 0 ? line.length : end + JAVA_ENDS[style].length, style);
		};
		while (at < line.length) {
			if (open) {
				closeOpen(at);
				continue;
			}
			JAVA.lastIndex = at;
			const found = JAVA.exec(line);
			if (!found) {
				at++;
				continue;
			}
			const kind = found.findIndex((part, i) => i && part !== undefined),
				style = JAVA_STYLES[kind];
			if (found[0] === "/*" || kind === 2) {
				open = style;
				closeOpen(at + found[0].length);
			} else if (kind === 6 && !KEYWORDS.has(found[0])) {
				at += found[0].length;
			} else {
				upTo(at + found[0].length, style);
			}
		}
		if (at > plain) nodes.push(line.slice(plain));
		return nodes;
	};
}
