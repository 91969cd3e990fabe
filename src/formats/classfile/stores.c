/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/stores.h"

#include "formats/classfile/bytecode.h"

static bool is_store(const struct classfile *cf, const struct insn *in)
{
	return (in->op == BC_putfield || in->op == BC_putstatic) && cf_tag(cf, (uint16_t)in->a) == CP_FIELD;
}

static bool same_field(const struct cf_ref *a, const struct cf_ref *b)
{
	return str_eq(a->name, b->name) && str_eq(a->desc, b->desc);
}

/* The how manieth of its line, from 1. Classes that instructions name do not count: they may differ for one field. */
static uint32_t number_in_line(const struct classfile *cf, const struct cf_member *m, uint32_t pc, uint32_t line)
{
	struct span code = cf_code(cf, m).code;
	struct insn in;
	uint32_t n = 1;

	if (!bytecode_decode(code, pc, &in) || !is_store(cf, &in))
		return n;
	struct cf_ref field = cf_ref(cf, (uint16_t)in.a);
	for (uint32_t at = 0; at < pc && bytecode_decode(code, at, &in); at += in.len) {
		if (!is_store(cf, &in))
			continue;
		struct cf_ref other = cf_ref(cf, (uint16_t)in.a);
		n += same_field(&field, &other) && cf_line(cf, m, at) == line;
	}
	return n;
}

void cf_store_name(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct str class, struct strbuf *out)
{
	uint32_t line = cf_line(cf, m, pc), n = line ? number_in_line(cf, m, pc, line) : 1;

	strbuf_addstr(out, class);
	strbuf_addch(out, '.');
	strbuf_addstr(out, cf_utf8(cf, m->name));
	strbuf_addstr(out, cf_utf8(cf, m->desc));
	strbuf_addf(out, line ? ":%u" : "@%u", (unsigned)(line ? line : pc));
	if (n > 1)
		strbuf_addf(out, "#%u", (unsigned)n);
}
