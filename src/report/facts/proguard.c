/* SPDX-License-Identifier: Apache-2.0 */
/* proguard.c - facts as rules of ProGuard. Facts about the same classes that hold under the same conditions are one rule. */
#include "report/facts/facts_p.h"

static const struct fact_filter nothing;

static const struct fact_filter *filter_of(const struct fact *f)
{
	return f->filter ? f->filter : &nothing;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By what a rule asks of classes; 0: rows of one rule. */
static int by_rule(const struct fact *a, const struct fact *b)
{
	const struct fact_filter *x = filter_of(a), *y = filter_of(b);
	int c;

	if ((c = str_cmp(a->class, b->class)) || (c = str_cmp(a->condition, b->condition)) ||
	    (c = compare_numbers((uint64_t)a->if_used << 1 | a->needs_all, (uint64_t)b->if_used << 1 | b->needs_all)) ||
	    (c = compare_numbers((uint64_t)x->class_set << 32 | x->class_unset, (uint64_t)y->class_set << 32 | y->class_unset)) ||
	    (c = str_cmp(x->class_annotation, y->class_annotation)) || (c = str_cmp(x->super, y->super)) ||
	    (c = str_cmp(x->super_annotation, y->super_annotation)))
		return c;
	return a->needs_all ? compare_numbers(a->entry, b->entry) : 0;
}

/* Words before classes and members */

static const struct {
	uint32_t bit;
	const char *word;
} flags[] = {
	{ 0x1, "public" },	 { 0x2, "private" },	  { 0x4, "protected" }, { 0x8, "static" },  { 0x10, "final" },	  { 0x400, "abstract" },
	{ 0x1000, "synthetic" }, { 0x20, "synchronized" }, { 0x40, "volatile" }, { 0x80, "transient" }, { 0x100, "native" },
	{ 0x800, "strictfp" },
};

static void write_flags(struct sink *out, uint32_t set, uint32_t unset)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if ((set | unset) & flags[i].bit)
			sink_printf(out, "%s%s ", unset & flags[i].bit ? "!" : "", flags[i].word);
}

static void write_annotation(struct sink *out, struct str annotation)
{
	if (!annotation.len)
		return;
	sink_putc(out, '@');
	sink_str(out, annotation);
	sink_putc(out, ' ');
}

static const char *keyword(uint32_t bits)
{
	return bits & FACT_INTERFACE ? "interface" : bits & FACT_ENUM ? "enum" : bits & FACT_ANNOTATION ? "@interface" : "class";
}

static void write_classes(struct sink *out, const struct fact *f)
{
	const struct fact_filter *x = filter_of(f);
	uint32_t words = FACT_INTERFACE | FACT_ENUM | FACT_ANNOTATION;

	write_annotation(out, x->class_annotation);
	write_flags(out, x->class_set, x->class_unset);
	sink_printf(out, "%s%s ", x->class_unset & words ? "!" : "", keyword(x->class_set | x->class_unset));
	sink_str(out, f->class);
	if (!x->super.len)
		return;
	sink_puts(out, " extends ");
	write_annotation(out, x->super_annotation);
	sink_str(out, x->super);
}

/* Members */

static struct str write_type(struct sink *out, struct str descriptor)
{
	struct strbuf type = { 0 };
	struct str rest = fact_add_java_type(&type, descriptor);

	sink_str(out, strbuf_str(&type));
	strbuf_release(&type);
	return rest;
}

static void write_parameters(struct sink *out, struct str descriptor)
{
	struct str rest = descriptor.len ? str_sub(descriptor, 1, descriptor.len) : STR("L...;)");
	const char *between = "";

	sink_putc(out, '(');
	for (; rest.len && rest.p[0] != ')'; between = ",") {
		sink_puts(out, between);
		rest = write_type(out, rest);
	}
	sink_putc(out, ')');
}

static void write_name(struct sink *out, struct str name)
{
	sink_str(out, name.len ? name : STR("*"));
}

static void write_method(struct sink *out, const struct fact *f)
{
	struct str d = f->descriptor, returned = str_sub(d, (uint32_t)(str_rfind(d, ')') + 1), d.len);

	write_type(out, returned.len ? returned : STR("L***;"));
	sink_putc(out, ' ');
	write_name(out, f->name);
	write_parameters(out, d);
}

static void write_field(struct sink *out, const struct fact *f)
{
	if (!f->name.len && !f->descriptor.len) {
		sink_puts(out, "<fields>");
		return;
	}
	write_type(out, f->descriptor.len ? f->descriptor : STR("L***;"));
	sink_putc(out, ' ');
	write_name(out, f->name);
}

static void write_member(struct sink *out, const struct fact *f)
{
	const struct fact_filter *x = filter_of(f);

	sink_puts(out, "    ");
	write_annotation(out, x->member_annotation);
	write_flags(out, x->member_set, x->member_unset);
	if (f->sort == FACT_INITIALISER) {
		sink_puts(out, "void <clinit>()");
	} else if (f->sort == FACT_CONSTRUCTOR) {
		sink_puts(out, "<init>");
		write_parameters(out, f->descriptor);
	} else if (f->sort == FACT_FIELD) {
		write_field(out, f);
	} else {
		write_method(out, f);
	}
	sink_puts(out, ";\n");
}

/* Rules */

static const char *option(const struct fact *f, bool has_class)
{
	if (f->needs_all)
		return f->if_used ? "-keepclasseswithmembernames" : "-keepclasseswithmembers";
	if (!f->if_used)
		return "-keep";
	return has_class ? "-keepnames" : "-keepclassmembers";
}

/* Rows of one rule; where there is one for the class it is the first. */
static void write_rule(struct sink *out, const struct fact *const *rows, uint32_t n)
{
	bool has_class = rows[0]->sort == FACT_CLASS;

	if (rows[0]->condition.len) {
		sink_puts(out, "-if class ");
		sink_str(out, rows[0]->condition);
		sink_putc(out, '\n');
	}
	sink_printf(out, "%s ", option(rows[0], has_class));
	write_classes(out, rows[0]);
	if (n > has_class)
		sink_puts(out, " {\n");
	for (uint32_t i = has_class; i < n; i++)
		write_member(out, rows[i]);
	sink_puts(out, n > has_class ? "}\n" : "\n");
}

bool report_facts_proguard(struct sink *out, const struct facts *said)
{
	const struct fact **rows = facts_ordered(said, by_rule);

	for (uint32_t at = 0, n; at < said->rows.len; at += n) {
		for (n = 1; at + n < said->rows.len && !by_rule(rows[at], rows[at + n]); n++)
			;
		write_rule(out, rows + at, n);
	}
	free(rows);
	return sink_finish(out);
}
