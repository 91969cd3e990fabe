/* SPDX-License-Identifier: Apache-2.0 */
/* common.js - what the scripts of all pages share: packed numbers, figures and names as people read them, parts of addresses. */
/* A function that gives the next number of packed text, or undefined at its end. */
function unpack(packed) {
	let at = 0;
	return () => {
		if (at >= packed.length) return undefined;
		for (let n = 0, scale = 1; ; scale *= 45) {
			let digit = packed.charCodeAt(at++) - 35;
			digit -= (digit > 57) + (digit > 25);
			if (digit < 45) return n + digit * scale;
			n += (digit - 45) * scale;
		}
	};
}

/* What is made when it is first asked for. */
function later(make) {
	let made;
	return () => (made ??= make());
}

const number = new Intl.NumberFormat("en");
const count = (n, one, many) => `${number.format(n)} ${n === 1 ? one : many || one + "s"}`;

function simpleName(name) {
	return name.slice(name.lastIndexOf(".") + 1);
}

const PRIMITIVES = {
	B: "byte",
	C: "char",
	D: "double",
	F: "float",
	I: "int",
	J: "long",
	S: "short",
	Z: "boolean",
	V: "void"
};

/* (Ljava/util/List;[I)V as (List, int[]) */
function params(desc) {
	if (!desc.startsWith("(")) return ""; /* a field */
	const out = [];
	for (const [, dims, object, primitive] of desc
		.slice(0, desc.indexOf(")"))
		.matchAll(/(\[*)(?:L([^;]*);|([BCDFIJSZ]))/g))
		out.push(
			(object === undefined ? PRIMITIVES[primitive] : object.slice(object.lastIndexOf("/") + 1)) +
				"[]".repeat(dims.length)
		);
	return `(${out.join(", ")})`;
}

/* owner.name(desc)ret as owner.name(List, int[]) */
function named(member) {
	const open = member.indexOf("(");
	return open < 0 ? member : member.slice(0, open) + params(member.slice(open));
}

/* Parts of an address, which exclamation marks set apart. */
const encode = s =>
	encodeURIComponent(s)
		.replaceAll("!", "%21")
		.replace(/%(?:24|2F|3A|3B|40|2C|3C|3E)/g, decodeURIComponent);
function decode(s) {
	try {
		return decodeURIComponent(s);
	} catch {
		return s;
	}
}
