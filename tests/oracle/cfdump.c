// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile
/* cfdump - prints what the class-file reader says about class files, one fact a line, for comparison with
 * javap (see javap.py, which prints the same from javap's text). Reads file names from stdin. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/sys/mapfile.h"
#include "formats/classfile/attributes.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"
#include "formats/classfile/descriptor.h"

/* UTF-16 units of modified UTF-8. */
static uint32_t next_unit(const uint8_t **p)
{
	const uint8_t *s = *p;

	if (s[0] < 0x80) {
		*p += 1;
		return s[0];
	}
	if (s[0] < 0xe0) {
		*p += 2;
		return (uint32_t)((s[0] & 0x1f) << 6 | (s[1] & 0x3f));
	}
	*p += 3;
	return (uint32_t)((s[0] & 0xf) << 12 | (s[1] & 0x3f) << 6 | (s[2] & 0x3f));
}

static void put_unit(uint32_t c)
{
	static const char escapes[] = "\tt\nn\rr\bb\ff\"\"''\\\\";

	for (const char *e = escapes; *e; e += 2)
		if ((uint32_t)*e == c) {
			printf("\\%c", e[1]);
			return;
		}
	if (c < 0x20 || c >= 0x7f)
		printf("\\u%04x", c);
	else
		putchar((int)c);
}

/* Text as javap escapes it, and everything outside ASCII escaped too; a lone surrogate becomes a `?`. */
static void put_text(struct str s)
{
	const uint8_t *p = (const uint8_t *)s.p, *end = p + s.len;

	while (p < end) {
		uint32_t c = next_unit(&p);
		const uint8_t *q = p;

		if (c >= 0xd800 && c < 0xdc00 && p < end && (next_unit(&q) & 0xfc00) == 0xdc00) {
			put_unit(c);
			put_unit(next_unit(&p));
		} else {
			put_unit((c & 0xf800) == 0xd800 ? '?' : c);
		}
	}
}

static void put_double(double x, uint64_t bits, int digits)
{
	if (isnan(x))
		fputs("NaN", stdout);
	else
		printf("%0*" PRIx64, digits, bits);
}

static void put_number(const struct classfile *cf, uint16_t i)
{
	float f;
	uint32_t bits;

	switch (cf_tag(cf, i)) {
	case CP_INTEGER:
		printf("%" PRId32, cf_int(cf, i));
		break;
	case CP_LONG:
		printf("%" PRId64, cf_long(cf, i));
		break;
	case CP_FLOAT:
		f = cf_float(cf, i);
		memcpy(&bits, &f, sizeof(bits));
		put_double(f, bits, 8);
		break;
	default:
		put_double(cf_double(cf, i), (uint64_t)cf_long(cf, i), 16);
	}
}

static void put_ref(const struct classfile *cf, uint16_t i)
{
	struct cf_ref ref = cf_ref(cf, i);

	if (ref.owner) {
		put_text(cf_name(cf, ref.owner));
		putchar('.');
	} else {
		printf("#%u:", ref.bootstrap);
	}
	put_text(ref.name);
	putchar(':');
	put_text(ref.desc);
}

static void put_named(const struct classfile *cf, const char *tag, uint16_t i)
{
	printf("%s #%u // ", tag, cf_u2(cf, cf->cp[i] + 1));
	put_text(cf_name(cf, i));
}

static void put_pair(const struct classfile *cf, const char *tag, const char *form, uint16_t i)
{
	uint32_t at = cf->cp[i];

	printf("%s ", tag);
	printf(form, cf_u2(cf, at + 1), cf_u2(cf, at + 3));
	fputs(" // ", stdout);
	put_ref(cf, i);
}

static void put_name_type(const struct classfile *cf, uint16_t i)
{
	uint16_t name = cf_u2(cf, cf->cp[i] + 1), desc = cf_u2(cf, cf->cp[i] + 3);

	printf("NameAndType #%u:#%u // ", name, desc);
	put_text(cf_utf8(cf, name));
	putchar(':');
	put_text(cf_utf8(cf, desc));
}

static void put_handle(const struct classfile *cf, uint16_t i)
{
	static const char *const kinds[] = { "", "getField", "getStatic", "putField", "putStatic", "invokeVirtual",
					     "invokeStatic", "invokeSpecial", "newInvokeSpecial", "invokeInterface" };
	struct cf_handle h = cf_handle(cf, i);

	printf("MethodHandle %u:#%u // REF_%s ", h.kind, h.ref, kinds[h.kind]);
	put_ref(cf, h.ref);
}

static void put_entry(const struct classfile *cf, uint16_t i)
{
	static const char *const numbers[] = { "Integer", "Float", "Long", "Double" };
	unsigned tag = cf_tag(cf, i);

	printf("cp #%u ", i);
	switch (tag) {
	case CP_UTF8:
		fputs("Utf8 ", stdout);
		put_text(cf_utf8(cf, i));
		break;
	case CP_INTEGER: case CP_FLOAT: case CP_LONG: case CP_DOUBLE:
		printf("%s ", numbers[tag - CP_INTEGER]);
		put_number(cf, i);
		break;
	case CP_CLASS: put_named(cf, "Class", i); break;
	case CP_STRING: put_named(cf, "String", i); break;
	case CP_METHODTYPE: put_named(cf, "MethodType", i); break;
	case CP_MODULE: put_named(cf, "Module", i); break;
	case CP_PACKAGE: put_named(cf, "Package", i); break;
	case CP_FIELD: put_pair(cf, "Fieldref", "#%u.#%u", i); break;
	case CP_METHOD: put_pair(cf, "Methodref", "#%u.#%u", i); break;
	case CP_IMETHOD: put_pair(cf, "InterfaceMethodref", "#%u.#%u", i); break;
	case CP_DYNAMIC: put_pair(cf, "Dynamic", "#%u:#%u", i); break;
	case CP_INVOKEDYNAMIC: put_pair(cf, "InvokeDynamic", "#%u:#%u", i); break;
	case CP_NAMETYPE: put_name_type(cf, i); break;
	case CP_HANDLE: put_handle(cf, i); break;
	}
	putchar('\n');
}

static void put_signature(const struct classfile *cf, uint32_t attrs)
{
	uint16_t i = cf_signature(cf, attrs);

	if (!i)
		return;
	printf("signature #%u ", i);
	put_text(cf_utf8(cf, i));
	putchar('\n');
}

static void put_switch(struct span code, const struct insn *in)
{
	for (uint32_t k = 0; k < bytecode_switch_count(code, in); k++)
		printf(" %" PRId32 ":%u", bytecode_switch_key(code, in, k), bytecode_switch_target(code, in, k));
	printf(" default:%u", bytecode_switch_target(code, in, -1));
}

static void put_operands(struct span code, const struct insn *in)
{
	static const char *const arrays[] = { "boolean", "char", "float", "double", "byte", "short", "int", "long" };

	switch ((enum bc_format)in->format) {
	case BCF_S1: case BCF_S2: case BCF_LOCAL: case BCF_BRANCH:
		printf(" %d", in->a);
		break;
	case BCF_LDC: case BCF_CP:
		printf(" #%d", in->a);
		break;
	case BCF_IINC:
		printf(" %d,%d", in->a, in->b);
		break;
	case BCF_NEWARRAY:
		printf(" %s", arrays[in->a - 4]);
		break;
	case BCF_INTERFACE: case BCF_DYNAMIC:
		printf(" #%d,%u", in->a, code.p[in->pc + 3]);
		break;
	case BCF_MULTI:
		printf(" #%d,%d", in->a, in->b);
		break;
	case BCF_TABLE: case BCF_LOOKUP:
		put_switch(code, in);
		break;
	case BCF_NONE: case BCF_WIDE: case BCF_BAD:
		break;
	}
}

static void put_instructions(struct span code)
{
	struct insn in;

	for (uint32_t pc = 0; pc < code.len; pc += in.len) {
		if (!bytecode_decode(code, pc, &in)) {
			printf("%u: malformed\n", pc);
			return;
		}
		printf("%u: %s%s", pc, bytecode_name(in.op), code.p[pc] == BC_wide ? "_w" : "");
		put_operands(code, &in);
		putchar('\n');
	}
}

static void put_handlers(const struct classfile *cf, const struct cf_code *code)
{
	for (uint16_t k = 0; k < code->nhandlers; k++) {
		struct cf_handler h = cf_handler_at(cf, code, k);

		printf("handler %u %u %u ", h.start, h.end, h.target);
		put_text(h.type ? cf_name(cf, h.type) : STR("any"));
		putchar('\n');
	}
}

static void put_local(const struct classfile *cf, const char *what, const struct cf_local_row *row)
{
	printf("%s %u %u %u ", what, row->pc, row->len, row->slot);
	put_text(cf_utf8(cf, row->name));
	putchar(' ');
	put_text(cf_utf8(cf, row->desc));
	putchar('\n');
}

static void put_debug_tables(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_table it = cf_lines(cf, m);
	struct cf_line_row line;
	struct cf_local_row local;

	while (cf_lines_next(cf, &it, &line))
		printf("line %u %u\n", line.line, line.pc);
	for (it = cf_locals(cf, m); cf_locals_next(cf, &it, &local);)
		put_local(cf, "local", &local);
	for (it = cf_locals(cf, m); cf_local_types_next(cf, &it, &local);)
		put_local(cf, "localtype", &local);
}

static void put_vtypes(const struct classfile *cf, const char *what, struct cf_vtypes it)
{
	static const char *const names[] = { "top", "int", "float", "double", "long", "null", "this", "class",
					     "uninitialized" };
	struct cf_vtype v;

	printf(" %s=[", what);
	for (const char *sep = ""; cf_vtypes_next(cf, &it, &v); sep = ",") {
		printf("%s%s", sep, names[v.tag]);
		if (v.tag == VT_UNINIT)
			printf(" %u", v.data);
		if (v.tag == VT_OBJECT) {
			putchar(' ');
			put_text(cf_name(cf, v.data));
		}
	}
	putchar(']');
}

static void put_frames(const struct classfile *cf, const struct cf_member *m)
{
	static const char *const kinds[] = { "same", "same1", "chop", "append", "full" };
	struct cf_frames it = cf_frames(cf, m);
	struct cf_frame f;

	while (cf_frames_next(cf, &it, &f)) {
		printf("frame %u %u %s %u", f.pc, f.type, kinds[f.kind], f.chopped);
		put_vtypes(cf, "locals", f.locals);
		put_vtypes(cf, "stack", f.stack);
		putchar('\n');
	}
}

static void put_code(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_code code = cf_code(cf, m);
	uint32_t args = desc_param_count(cf_utf8(cf, m->desc)) + !(m->access & ACC_STATIC);

	printf("code stack=%u locals=%u args=%u\n", code.max_stack, code.max_locals, args);
	put_instructions(code.code);
	put_handlers(cf, &code);
	put_debug_tables(cf, m);
	put_frames(cf, m);
}

static void put_member(const struct classfile *cf, const char *what, const struct cf_member *m)
{
	printf("%s ", what);
	put_text(cf_utf8(cf, m->name));
	putchar(' ');
	put_text(cf_utf8(cf, m->desc));
	printf(" 0x%04x\n", m->access);
	put_signature(cf, m->attrs);
}

static void put_field(const struct classfile *cf, const struct cf_member *m)
{
	static const char *const types[] = { "int", "float", "long", "double" };
	uint16_t value = cf_constant_value(cf, m);

	put_member(cf, "field", m);
	if (!value)
		return;
	if (cf_tag(cf, value) == CP_STRING) {
		fputs("constant String ", stdout);
		put_text(cf_name(cf, value));
	} else {
		printf("constant %s ", types[cf_tag(cf, value) - CP_INTEGER]);
		put_number(cf, value);
	}
	putchar('\n');
}

static void put_names(const struct classfile *cf, const char *what, struct cf_rows it)
{
	uint16_t i;

	while (cf_index_next(cf, &it, &i)) {
		printf("%s ", what);
		put_text(cf_name(cf, i));
		putchar('\n');
	}
}

static void put_method(const struct classfile *cf, const struct cf_member *m)
{
	put_member(cf, "method", m);
	put_names(cf, "throws", cf_exceptions(cf, m));
	if (m->code)
		put_code(cf, m);
}

static void put_bootstrap(const struct classfile *cf)
{
	for (uint16_t row = 0; row < cf->nbootstrap; row++) {
		struct cf_bootstrap b = cf_bootstrap(cf, row);

		printf("bootstrap %u #%u", row, b.handle);
		for (uint32_t k = 0; k < b.nargs; k++)
			printf(" #%u", cf_u2(cf, b.args + 2 * k));
		putchar('\n');
	}
}

/* javap names only these flags of an inner class, and does not call an interface abstract. */
static void put_inner_flags(uint16_t access)
{
	static const struct {
		uint16_t flag;
		const char *word;
	} words[] = { { ACC_PUBLIC, "public" }, { ACC_PRIVATE, "private" }, { ACC_PROTECTED, "protected" },
		      { ACC_STATIC, "static" }, { ACC_FINAL, "final" }, { ACC_ABSTRACT, "abstract" } };

	if (access & ACC_INTERFACE)
		access &= (uint16_t)~ACC_ABSTRACT;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (access & words[i].flag)
			printf(" %s", words[i].word);
}

static void put_nesting(const struct classfile *cf)
{
	struct cf_rows it = cf_inner_classes(cf);
	struct cf_enclosing e = cf_enclosing(cf);
	struct cf_inner row;

	while (cf_inner_next(cf, &it, &row)) {
		printf("inner #%u #%u #%u", row.name, row.inner, row.outer);
		put_inner_flags(row.access);
		putchar('\n');
	}
	if (e.owner)
		printf("enclosing #%u.#%u\n", e.owner, e.method);
	if (cf_nest_host(cf)) {
		fputs("nesthost ", stdout);
		put_text(cf_name(cf, cf_nest_host(cf)));
		putchar('\n');
	}
	put_names(cf, "nestmember", cf_nest_members(cf));
	put_names(cf, "permitted", cf_permitted(cf));
}

static void put_record(const struct classfile *cf)
{
	struct cf_rows it = cf_record(cf);
	struct cf_component c;

	while (cf_component_next(cf, &it, &c)) {
		fputs("component ", stdout);
		put_text(cf_utf8(cf, c.name));
		putchar(' ');
		put_text(cf_utf8(cf, c.desc));
		putchar('\n');
		put_signature(cf, c.attrs);
	}
}

static void put_indices(const struct classfile *cf, struct cf_rows it)
{
	uint16_t i;

	while (cf_index_next(cf, &it, &i))
		printf("module #%u\n", i);
}

static void put_exports(const struct classfile *cf, struct cf_rows it)
{
	struct cf_exports row;

	printf("module %u\n", it.left);
	while (cf_exports_next(cf, &it, &row)) {
		printf("module #%u,%x\n", row.package, row.flags);
		put_indices(cf, row.to);
	}
}

static void put_module(const struct classfile *cf)
{
	struct cf_module m = cf_module(cf);
	struct cf_requires req;
	struct cf_provides prov;

	if (!m.name)
		return;
	printf("module #%u,%x\nmodule #%u\nmodule %u\n", m.name, m.flags, m.version, m.requires.left);
	while (cf_requires_next(cf, &m.requires, &req))
		printf("module #%u,%x\nmodule #%u\n", req.module, req.flags, req.version);
	put_exports(cf, m.exports);
	put_exports(cf, m.opens);
	printf("module %u\n", m.uses.left);
	put_indices(cf, m.uses);
	printf("module %u\n", m.provides.left);
	while (cf_provides_next(cf, &m.provides, &prov)) {
		printf("module #%u\n", prov.service);
		put_indices(cf, prov.with);
	}
}

static void put_header(const struct classfile *cf)
{
	printf("version %u.%u\nflags 0x%04x\nthis #%u\nsuper #%u\n", cf->major, cf->minor, cf->access, cf->this_class,
	       cf->super_class);
	for (uint16_t i = 0; i < cf->ninterfaces; i++) {
		fputs("interface ", stdout);
		put_text(cf_name(cf, cf->interfaces[i]));
		putchar('\n');
	}
	for (uint32_t i = 1; i < cf->ncp; i++)
		if (cf_tag(cf, (uint16_t)i))
			put_entry(cf, (uint16_t)i);
}

static void put_class(const struct classfile *cf)
{
	uint16_t source = cf_source_file(cf);

	put_header(cf);
	for (uint16_t i = 0; i < cf->nfields; i++)
		put_field(cf, &cf->fields[i]);
	for (uint16_t i = 0; i < cf->nmethods; i++)
		put_method(cf, &cf->methods[i]);
	puts("attributes");
	put_signature(cf, cf->attrs);
	if (source) {
		fputs("source ", stdout);
		put_text(cf_utf8(cf, source));
		putchar('\n');
	}
	put_bootstrap(cf);
	put_nesting(cf);
	put_record(cf);
	put_module(cf);
}

static void dump_file(const char *path, struct arena *mem)
{
	struct mapfile file;
	struct classfile cf;
	struct diag d;

	printf("== %s\n", path);
	if (!mapfile_open(&file, path)) {
		puts("cannot be read");
		return;
	}
	diag_init(&d);
	if (classfile_parse(&cf, file.bytes, mem, path, STR(""), &d))
		put_class(&cf);
	for (uint32_t i = 0; i < d.entries.len; i++)
		printf("diagnostic %s %s\n", diag_name(d.entries.data[i].code), d.entries.data[i].text);
	diag_release(&d);
	arena_clear(mem);
	mapfile_close(&file);
}

int main(void)
{
	static char line[8192];
	struct arena mem;

	arena_init(&mem);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		dump_file(line, &mem);
	}
	arena_release(&mem);
	return 0;
}
