/* SPDX-License-Identifier: Apache-2.0 */
/* classfile_walk.h - asks a parsed class file everything, so that a sanitizer sees every read. Used by the
 * fuzz target and by the unit tests of damaged files. */
#ifndef TESTS_CLASSFILE_WALK_H
#define TESTS_CLASSFILE_WALK_H

#include "base/compiler.h"
#include "formats/classfile/attributes.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"
#include "formats/classfile/descriptor.h"

static uint64_t walk_bytes(struct str s)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s.len; i++)
		sum += (uint8_t)s.p[i];
	return sum;
}

static uint64_t walk_descriptor(struct str desc)
{
	struct desc_iter it = desc_params(desc);
	struct str param;
	uint64_t sum = walk_bytes(desc_return(desc));

	while (desc_next(&it, &param)) {
		if (!desc_is_field(param))
			BUG("a parameter is not a descriptor");
		sum += walk_bytes(param) + desc_words(param) + desc_dims(param);
	}
	return sum;
}

static uint64_t walk_ref(const struct classfile *cf, uint16_t i)
{
	struct cf_ref ref = cf_ref(cf, i);
	uint64_t sum = walk_bytes(ref.name);

	if (ref.desc.p[0] == '(')
		sum += walk_descriptor(ref.desc);
	if (ref.owner)
		return sum + walk_bytes(cf_name(cf, ref.owner));
	return sum + cf_bootstrap(cf, ref.bootstrap).handle;
}

static uint64_t walk_entry(const struct classfile *cf, uint16_t i)
{
	switch (cf_tag(cf, i)) {
	case CP_UTF8:
		return walk_bytes(cf_utf8(cf, i));
	case CP_INTEGER:
		return (uint64_t)cf_int(cf, i);
	case CP_LONG:
		return (uint64_t)cf_long(cf, i);
	case CP_FLOAT:
		return cf_float(cf, i) > 0;
	case CP_DOUBLE:
		return cf_double(cf, i) > 0;
	case CP_CLASS: case CP_STRING: case CP_METHODTYPE: case CP_MODULE: case CP_PACKAGE:
		return walk_bytes(cf_name(cf, i));
	case CP_FIELD: case CP_METHOD: case CP_IMETHOD: case CP_DYNAMIC: case CP_INVOKEDYNAMIC:
		return walk_ref(cf, i);
	case CP_HANDLE:
		return walk_ref(cf, cf_handle(cf, i).ref);
	default:
		return 0;
	}
}

static uint64_t walk_names(const struct classfile *cf, struct cf_rows it)
{
	uint64_t sum = 0;
	uint16_t i;

	while (cf_index_next(cf, &it, &i))
		sum += walk_bytes(cf_name(cf, i));
	return sum;
}

static uint64_t walk_switch(struct span code, const struct insn *in)
{
	uint64_t sum = bytecode_switch_target(code, in, -1);

	for (uint32_t k = 0; k < bytecode_switch_count(code, in); k++) {
		if (bytecode_switch_target(code, in, k) >= code.len)
			BUG("a switch leaves the code");
		sum += (uint64_t)bytecode_switch_key(code, in, k);
	}
	return sum;
}

static uint64_t walk_instructions(struct span code)
{
	uint64_t sum = 0;
	struct insn in;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		if (in.len == 0 || in.len > code.len - pc || !bytecode_name(in.op) || in.format >= BCF_WIDE)
			BUG("a decoded instruction is not one");
		if (in.format == BCF_TABLE || in.format == BCF_LOOKUP)
			sum += walk_switch(code, &in);
		sum += (uint64_t)in.a + (uint64_t)in.b;
	}
	return sum;
}

static uint64_t walk_vtypes(const struct classfile *cf, struct cf_vtypes it)
{
	uint64_t sum = 0;
	struct cf_vtype v;

	while (cf_vtypes_next(cf, &it, &v))
		sum += v.tag == VT_OBJECT ? walk_bytes(cf_name(cf, v.data)) : v.tag;
	return sum;
}

static uint64_t walk_frames(const struct classfile *cf, const struct cf_member *m, struct span code)
{
	struct cf_frames it = cf_frames(cf, m);
	struct cf_frame f;
	uint64_t sum = 0;

	while (cf_frames_next(cf, &it, &f)) {
		if (f.pc >= code.len)
			BUG("a frame outside the code");
		sum += f.chopped + walk_vtypes(cf, f.locals) + walk_vtypes(cf, f.stack);
	}
	return sum;
}

static uint64_t walk_debug_tables(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_table it = cf_lines(cf, m);
	struct cf_line_row line;
	struct cf_local_row row;
	uint64_t sum = 0;

	while (cf_lines_next(cf, &it, &line))
		sum += line.line;
	for (it = cf_locals(cf, m); cf_locals_next(cf, &it, &row);)
		sum += walk_bytes(cf_utf8(cf, row.name)) + desc_words(cf_utf8(cf, row.desc));
	for (it = cf_locals(cf, m); cf_local_types_next(cf, &it, &row);)
		sum += walk_bytes(cf_utf8(cf, row.name)) + walk_bytes(cf_utf8(cf, row.desc));
	return sum;
}

static uint64_t walk_code(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_code code = cf_code(cf, m);
	uint64_t sum = walk_instructions(code.code) + walk_frames(cf, m, code.code) + walk_debug_tables(cf, m);

	for (uint16_t k = 0; k < code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(cf, &code, k);

		if (h.start >= h.end || h.end > code.code.len || h.target >= code.code.len)
			BUG("a handler outside the code");
		sum += h.type ? walk_bytes(cf_name(cf, h.type)) : 0;
	}
	return sum + cf_line(cf, m, 0) + cf_line(cf, m, (uint32_t)code.code.len - 1);
}

static uint64_t walk_attributes(const struct classfile *cf, uint32_t attrs)
{
	struct cf_attrs it = cf_attrs(cf, attrs);
	struct cf_attr a;
	uint64_t sum = cf_signature(cf, attrs) ? walk_bytes(cf_utf8(cf, cf_signature(cf, attrs))) : 0;

	while (cf_attrs_next(cf, &it, &a))
		sum += walk_bytes(a.name) + (a.len ? cf->bytes.p[a.body] + cf->bytes.p[a.body + a.len - 1] : 0);
	return sum;
}

static uint64_t walk_member(const struct classfile *cf, const struct cf_member *m)
{
	uint64_t sum = walk_attributes(cf, m->attrs);

	if (cf_utf8(cf, m->desc).p[0] != '(')
		return sum + (cf_constant_value(cf, m) ? walk_entry(cf, cf_constant_value(cf, m)) : 0);
	sum += walk_descriptor(cf_utf8(cf, m->desc)) + walk_names(cf, cf_exceptions(cf, m));
	return sum + (m->code ? walk_code(cf, m) : 0);
}

static uint64_t walk_nesting(const struct classfile *cf)
{
	struct cf_rows it = cf_inner_classes(cf);
	struct cf_enclosing e = cf_enclosing(cf);
	struct cf_inner in;
	struct cf_component c;
	uint64_t sum = walk_names(cf, cf_nest_members(cf)) + walk_names(cf, cf_permitted(cf));

	while (cf_inner_next(cf, &it, &in)) {
		sum += in.inner ? walk_bytes(cf_name(cf, in.inner)) : 0;
		sum += in.outer ? walk_bytes(cf_name(cf, in.outer)) : 0;
		sum += in.name ? walk_bytes(cf_utf8(cf, in.name)) : 0;
	}
	for (it = cf_record(cf); cf_component_next(cf, &it, &c);)
		sum += walk_bytes(cf_utf8(cf, c.name)) + desc_words(cf_utf8(cf, c.desc)) + walk_attributes(cf, c.attrs);
	sum += e.owner ? walk_bytes(cf_name(cf, e.owner)) : 0;
	sum += cf_nest_host(cf) ? walk_bytes(cf_name(cf, cf_nest_host(cf))) : 0;
	return sum + (cf_source_file(cf) ? walk_bytes(cf_utf8(cf, cf_source_file(cf))) : 0);
}

static uint64_t walk_exports(const struct classfile *cf, struct cf_rows it)
{
	struct cf_exports e;
	uint64_t sum = 0;

	while (cf_exports_next(cf, &it, &e))
		sum += walk_bytes(cf_name(cf, e.package)) + walk_names(cf, e.to);
	return sum;
}

static uint64_t walk_module(const struct classfile *cf)
{
	struct cf_module m = cf_module(cf);
	struct cf_requires req;
	struct cf_provides prov;
	uint64_t sum = walk_exports(cf, m.exports) + walk_exports(cf, m.opens) + walk_names(cf, m.uses);

	while (cf_requires_next(cf, &m.requires, &req))
		sum += walk_bytes(cf_name(cf, req.module)) + (req.version ? walk_bytes(cf_utf8(cf, req.version)) : 0);
	while (cf_provides_next(cf, &m.provides, &prov))
		sum += walk_bytes(cf_name(cf, prov.service)) + walk_names(cf, prov.with);
	return sum + (m.name ? walk_bytes(cf_name(cf, m.name)) : 0);
}

static uint64_t walk_bootstrap(const struct classfile *cf)
{
	uint64_t sum = 0;

	for (uint16_t row = 0; row < cf->nbootstrap; row++) {
		struct cf_bootstrap b = cf_bootstrap(cf, row);

		sum += walk_entry(cf, b.handle);
		for (uint32_t k = 0; k < b.nargs; k++)
			sum += cf_tag(cf, cf_u2(cf, b.args + 2 * k));
	}
	return sum;
}

/* A number that depends on everything read, so that no read is optimised away. */
static uint64_t classfile_walk(const struct classfile *cf)
{
	uint64_t sum = walk_attributes(cf, cf->attrs) + walk_nesting(cf) + walk_module(cf) + walk_bootstrap(cf);

	for (uint32_t i = 1; i < cf->ncp; i++)
		sum += walk_entry(cf, (uint16_t)i);
	for (uint16_t i = 0; i < cf->ninterfaces; i++)
		sum += walk_bytes(cf_name(cf, cf->interfaces[i]));
	for (uint16_t i = 0; i < cf->nfields; i++)
		sum += walk_member(cf, &cf->fields[i]);
	for (uint16_t i = 0; i < cf->nmethods; i++)
		sum += walk_member(cf, &cf->methods[i]);
	sum += cf->super_class ? walk_bytes(cf_name(cf, cf->super_class)) : 0;
	return sum + walk_bytes(cf_name(cf, cf->this_class));
}

#endif
