/* SPDX-License-Identifier: Apache-2.0 */
/* proguard.c - rules of ProGuard that keep classes and members: what they keep is used by name, or from outside.
 *
 * A rule becomes a row for its classes and one for each of its members. What follows no rule, such as other options, is passed over. */
#include "formats/facts/facts_p.h"

struct rules {
	struct factreader *r;
	const char *at, *end;
	uint32_t line;                /* at `at` */
	struct str word;              /* that was read last; empty at the end */
	bool is_quoted;
	struct str condition;         /* of -if, for the next rule */
	bool has_reference;           /* the rule has <1> or the like */

	/* the rule that is read */
	uint32_t first;               /* of its rows */
	uint32_t row_line;            /* where it begins, or its member does: the source of the next row */
	bool keeps_class, if_used, needs_all;
	struct str classes;
	struct fact_filter filter;
};

/* Words */

static void skip_blanks(struct rules *u)
{
	for (; u->at < u->end && strchr(" \t\r\n\f#", *u->at) && *u->at; u->at++) {
		if (*u->at == '#')
			while (u->at + 1 < u->end && u->at[1] != '\n')
				u->at++;
		u->line += *u->at == '\n';
	}
}

static bool is_sign(char c)
{
	return c && strchr("{}(),;!@=", c);
}

static bool ends_word(const char *p, const char *start)
{
	return !*p || strchr(" \t\r\n\f#'\"{}(),;=", *p) || (p == start && is_sign(*p));
}

static void next_quoted(struct rules *u)
{
	const char *start = u->at + 1, *p = start;

	while (p < u->end && *p != *u->at && *p != '\n')
		p++;
	u->word = (struct str){ start, (uint32_t)(p - start) };
	u->is_quoted = true;
	u->at = p < u->end && *p == *u->at ? p + 1 : p;
}

static void next(struct rules *u)
{
	skip_blanks(u);
	u->is_quoted = false;
	u->r->line = u->line;
	const char *p = u->at;
	if (p < u->end && (*p == '\'' || *p == '"')) {
		next_quoted(u);
		return;
	}
	while (p < u->end && !ends_word(p, u->at))
		p++;
	if (p == u->at && p < u->end)
		p++;                             /* a sign, or a byte that nothing has */
	u->word = (struct str){ u->at, (uint32_t)(p - u->at) };
	u->at = p;
}

static bool at_end(const struct rules *u)
{
	return !u->word.len && !u->is_quoted;
}

static bool at_option(const struct rules *u)
{
	return at_end(u) || (!u->is_quoted && u->word.p[0] == '-');
}

static bool is_word(const struct rules *u, const char *w)
{
	return !u->is_quoted && str_is(u->word, w);
}

static bool accept(struct rules *u, const char *w)
{
	if (!is_word(u, w))
		return false;
	next(u);
	return true;
}

/* At what follows the rule, the place is that of the rule. */
static bool fail(struct rules *u, const char *what)
{
	uint32_t line = u->r->line;

	if (at_option(u))
		u->r->line = u->row_line;
	factreader_drop(u->r, u->first, "%s; the rule is left out", what);
	u->r->line = line;
	return false;
}

static bool expect(struct rules *u, const char *w)
{
	char sentence[32];

	if (accept(u, w))
		return true;
	sentence[0] = '\'';
	sentence[1] = w[0];
	strcpy(sentence + 2, "' expected");
	return fail(u, sentence);
}

static void skip_option(struct rules *u)
{
	while (!at_option(u))
		next(u);
}

/* Names */

/* References to what another wildcard took, <1>, become wildcards themselves. */
static struct str without_references(struct rules *u, struct str s, const char *wildcard)
{
	struct strbuf *b = &u->r->scratch;

	if (!memchr(s.p, '<', s.len) || str_is(s, "<init>") || str_is(s, "<clinit>"))
		return factreader_copy(u->r, s);
	strbuf_clear(b);
	for (uint32_t i = 0; i < s.len; i++) {
		uint32_t n = i + 1;
		while (s.p[i] == '<' && n < s.len && s.p[n] >= '0' && s.p[n] <= '9')
			n++;
		if (n > i + 1 && n < s.len && s.p[n] == '>') {
			strbuf_adds(b, wildcard);
			u->has_reference = true;
			i = n;
		} else {
			strbuf_addch(b, s.p[i]);
		}
	}
	return factreader_copy(u->r, strbuf_str(b));
}

static bool take_class(struct rules *u, struct str *out)
{
	struct str s = at_option(u) ? (struct str){ "", 0 } : without_references(u, u->word, "**");

	if (!factname_is_class(s, NAME_PATTERN))
		return fail(u, "the name of a class is expected");
	*out = str_is(s, "*") ? STR("**") : s;         /* alone it means all classes */
	next(u);
	return true;
}

static bool take_classes(struct rules *u, struct str *out)
{
	struct strbuf list = { 0 };
	struct str one;
	bool ok;

	do {
		if (accept(u, "!"))
			strbuf_addch(&list, '!');
		ok = take_class(u, &one);
		if (ok)
			strbuf_addstr(&list, one);
		if (ok && is_word(u, ","))
			strbuf_addch(&list, ',');
	} while (ok && list.len <= UINT16_MAX && accept(u, ","));
	*out = factreader_copy(u->r, strbuf_str(&list));
	strbuf_release(&list);
	return ok && (out->len <= UINT16_MAX || fail(u, "the list of classes is too long"));
}

static bool take_annotation(struct rules *u, struct str *out)
{
	return !accept(u, "@") || take_class(u, out);
}

/* Flags */

static const struct flag {
	const char *word;
	uint32_t bit;
} flags[] = {
	{ "public", 0x1 },     { "private", 0x2 },   { "protected", 0x4 },    { "static", 0x8 },    { "final", 0x10 },
	{ "interface", 0x200 }, { "abstract", 0x400 }, { "synthetic", 0x1000 }, { "enum", 0x4000 },   { "synchronized", 0x20 },
	{ "volatile", 0x40 },  { "bridge", 0x40 },   { "transient", 0x80 },   { "varargs", 0x80 },  { "native", 0x100 },
	{ "strictfp", 0x800 },
};

static uint32_t flag_of(const struct rules *u)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (is_word(u, flags[i].word))
			return flags[i].bit;
	return 0;
}

static bool take_flag(struct rules *u, bool is_not, uint32_t bit, uint32_t *set, uint32_t *unset)
{
	*(is_not ? unset : set) |= bit;
	next(u);
	return !(*set & *unset) || fail(u, "a flag that is both asked for and excluded");
}

/* What precedes the names of classes: @Annotation !final public class */
static bool take_class_head(struct rules *u)
{
	struct fact_filter *f = &u->filter;

	for (;;) {
		bool is_not = accept(u, "!"), is_annotated = accept(u, "@");
		uint32_t bit = flag_of(u);

		if (is_annotated && is_word(u, "interface"))
			return take_flag(u, is_not, 0x2000, &f->class_set, &f->class_unset);
		if (is_annotated) {
			if (is_not || !take_class(u, &f->class_annotation))
				return is_not ? fail(u, "an annotation cannot be excluded") : false;
		} else if (accept(u, "class")) {
			return !is_not || fail(u, "'!' before class");
		} else if (is_word(u, "interface") || is_word(u, "enum")) {
			return take_flag(u, is_not, bit, &f->class_set, &f->class_unset);
		} else if (!bit) {
			return fail(u, "class, interface or enum expected");
		} else if (!take_flag(u, is_not, bit, &f->class_set, &f->class_unset)) {
			return false;
		}
	}
}

static bool take_super(struct rules *u)
{
	if (!accept(u, "extends") && !accept(u, "implements"))
		return true;
	return take_annotation(u, &u->filter.super_annotation) && take_class(u, &u->filter.super);
}

/* Rows */

static bool has_wildcard(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (strchr("*?%,!", s.p[i]) && s.p[i])
			return true;
	return s.len >= 6 && memchr(s.p, '.', s.len) && s.p[0] == '(';       /* L...; */
}

static const struct fact_filter *keep_filter(struct rules *u, const struct fact_filter *f)
{
	bool is_empty = !(f->class_set | f->class_unset | f->member_set | f->member_unset) && !f->class_annotation.len && !f->super.len &&
			!f->super_annotation.len && !f->member_annotation.len;

	return is_empty ? NULL : arena_copy(&u->r->f->text, f, sizeof(*f));
}

static void add_row(struct rules *u, enum fact_sort sort, struct str name, struct str descriptor, const struct fact_filter *filter)
{
	struct fact *row = factreader_add(u->r, sort);

	row->line = u->row_line;
	row->class = u->classes;
	row->name = name;
	row->descriptor = descriptor;
	row->condition = u->condition;
	row->filter = filter;
	row->if_used = u->if_used;
	row->needs_all = u->needs_all;
	row->is_pattern = has_wildcard(row->class) || has_wildcard(name) || has_wildcard(descriptor);
}

/* Members */

static const struct str none = { "", 0 };

static bool take_member_head(struct rules *u, struct fact_filter *f)
{
	for (;;) {
		bool is_not = accept(u, "!");
		uint32_t bit = is_word(u, "interface") || is_word(u, "enum") ? 0 : flag_of(u);

		if (!is_not && accept(u, "@")) {
			if (!take_class(u, &f->member_annotation))
				return false;
		} else if (!bit) {
			return !is_not || fail(u, "a flag expected after '!'");
		} else if (!take_flag(u, is_not, bit, &f->member_set, &f->member_unset)) {
			return false;
		}
	}
}

/* Behind the name of a method: its parameters, and the type that it returns unless that is any, as a descriptor. */
static bool take_descriptor(struct rules *u, struct str returned, struct str *out)
{
	const char *from = u->at;
	struct strbuf *b = &u->r->scratch;

	while (!at_option(u) && !is_word(u, ")"))
		next(u);
	if (at_option(u))
		return fail(u, "')' expected");
	struct str list = without_references(u, (struct str){ from, (uint32_t)(u->at - 1 - from) }, "**");
	strbuf_clear(b);
	if (!factname_add_parameters(b, list, NAME_PATTERN) || str_is(returned, "...") ||
	    (!str_is(returned, "***") && !factname_add_type(b, returned, NAME_PATTERN)))
		return fail(u, "no signature: write type name(types)");
	if (b->len > FACTS_MOST_PATTERN && has_wildcard(strbuf_str(b)))
		return fail(u, "the signature is too long");
	*out = factreader_copy(u->r, strbuf_str(b));
	next(u);
	return true;
}

/* A method or constructor; the word is the opening parenthesis. */
static bool take_method(struct rules *u, struct str type, struct str name, const struct fact_filter *f)
{
	struct str descriptor;

	if (name.p[0] == '<' && type.len && !str_is(type, "void"))
		return fail(u, "a constructor returns nothing");
	if (!take_descriptor(u, type.len ? type : STR("void"), &descriptor))
		return false;
	if (str_is(name, "<clinit>"))
		add_row(u, FACT_INITIALISER, none, none, f);
	else if (str_is(name, "<init>") || !type.len)
		add_row(u, FACT_CONSTRUCTOR, STR("<init>"), str_is(descriptor, "(L...;)V") ? none : descriptor, f);
	else
		add_row(u, FACT_INVOKE, str_is(name, "*") ? none : name, str_is(descriptor, "(L...;)") ? none : descriptor, f);
	return true;
}

static bool take_field(struct rules *u, struct str type, struct str name, const struct fact_filter *f)
{
	struct strbuf *b = &u->r->scratch;

	strbuf_clear(b);
	if (str_is(type, "void") || str_is(type, "...") || name.p[0] == '<' || !factname_add_type(b, type, NAME_PATTERN))
		return fail(u, "no field: write type name");
	struct str descriptor = str_is(strbuf_str(b), "L***;") ? none : factreader_copy(u->r, strbuf_str(b));
	add_row(u, FACT_FIELD, str_is(name, "*") ? none : name, descriptor, f);
	return true;
}

/* <fields>, <methods> and *; constructors are methods here. */
static bool take_all(struct rules *u, const struct fact_filter *f)
{
	bool is_any = is_word(u, "*"), has_fields = is_any || is_word(u, "<fields>"), has_methods = is_any || is_word(u, "<methods>");

	if (!has_fields && !has_methods)
		return false;
	if (has_fields)
		add_row(u, FACT_FIELD, none, none, f);
	if (has_methods) {
		add_row(u, FACT_CONSTRUCTOR, STR("<init>"), none, f);
		add_row(u, FACT_INVOKE, none, none, f);
	}
	next(u);
	return true;
}

/* Type and name, or the name alone: of a constructor, which may be that of its class. */
static bool take_named(struct rules *u, const struct fact_filter *f)
{
	struct strbuf *b = &u->r->scratch;
	struct str type = without_references(u, u->word, "**");

	next(u);
	if (is_word(u, "("))
		return take_method(u, none, str_is(type, "<clinit>") ? type : STR("<init>"), f);
	strbuf_clear(b);
	strbuf_addstr(b, type);
	for (; is_word(u, "[]"); next(u))
		strbuf_adds(b, "[]");
	type = factreader_copy(u->r, strbuf_str(b));
	struct str name = at_option(u) ? none : without_references(u, u->word, "*");
	if (!factname_is_member(name, NAME_PATTERN) || (!u->is_quoted && is_sign(name.p[0])))
		return fail(u, "the name of a member is expected");
	next(u);
	return is_word(u, "(") ? take_method(u, type, name, f) : take_field(u, type, name, f);
}

static bool take_member(struct rules *u)
{
	struct fact_filter own = u->filter;

	u->row_line = u->r->line;
	if (!take_member_head(u, &own))
		return false;
	const struct fact_filter *f = keep_filter(u, &own);
	if (at_option(u) || (!u->is_quoted && is_sign(u->word.p[0])))
		return fail(u, "a member is expected");
	return (take_all(u, f) || (!is_word(u, ";") && take_named(u, f))) && expect(u, ";");
}

static bool take_members(struct rules *u)
{
	if (!accept(u, "{"))
		return true;
	while (!accept(u, "}") && !u->r->is_full) {
		if (at_option(u))
			return fail(u, "'}' expected");
		if (!take_member(u))
			return false;
	}
	return true;
}

/* Rules */

static const struct keep {
	const char *word;
	bool keeps_class, if_used, needs_all;
} keeps[] = {
	{ "-keep", true, false, false },
	{ "-keepclassmembers", false, true, false },
	{ "-keepclasseswithmembers", true, false, true },
	{ "-keepnames", true, true, false },
	{ "-keepclassmembernames", false, true, false },
	{ "-keepclasseswithmembernames", true, true, true },
};

static const struct keep *find_keep(const struct rules *u)
{
	for (size_t i = 0; i < ARRAY_LEN(keeps); i++)
		if (is_word(u, keeps[i].word))
			return &keeps[i];
	return NULL;
}

static bool take_modifiers(struct rules *u)
{
	while (accept(u, ",")) {
		if (is_word(u, "allowshrinking"))
			u->if_used = true;
		else if (!is_word(u, "allowoptimization") && !is_word(u, "allowobfuscation") && !is_word(u, "includedescriptorclasses") &&
			 !is_word(u, "includecode") && !is_word(u, "allowaccessmodification"))
			return fail(u, "unknown modifier of the rule");
		next(u);
	}
	return true;
}

static void begin_rule(struct rules *u)
{
	u->filter = (struct fact_filter){ .class_annotation = none, .super = none, .super_annotation = none, .member_annotation = none };
	u->has_reference = false;
	u->row_line = u->r->line;
	u->first = factreader_entry(u->r, u->row_line);
}

static bool take_specification(struct rules *u)
{
	return take_class_head(u) && take_classes(u, &u->classes) && take_super(u);
}

static void read_keep(struct rules *u, const struct keep *k)
{
	uint32_t line = u->r->line;

	begin_rule(u);
	u->keeps_class = k->keeps_class;
	u->if_used = k->if_used;
	u->needs_all = k->needs_all;
	next(u);
	bool ok = take_modifiers(u) && take_specification(u);
	if (ok && u->keeps_class)
		add_row(u, FACT_CLASS, none, none, keep_filter(u, &u->filter));
	if (ok && take_members(u) && u->has_reference)
		factreader_note(u->r, line, "references to wildcards count as wildcards: more is kept");
	u->condition = none;
	if (!is_word(u, "@"))                    /* of which another file may follow a rule that is whole */
		skip_option(u);
}

/* -if class pkg.Cls: the next rule holds when that is used. More than a name cannot be asked. */
static void read_if(struct rules *u)
{
	uint32_t line = u->r->line;

	begin_rule(u);
	next(u);
	u->condition = none;
	if (!take_specification(u)) {
		skip_option(u);
		return;
	}
	if (keep_filter(u, &u->filter) || is_word(u, "{"))
		factreader_note(u->r, line, "of a condition only the name of the class counts");
	u->condition = u->classes;
	skip_option(u);
}

/* Options that keep nothing. */
static const char *const others[] = {
	"-adaptclassstrings", "-adaptkotlinmetadata", "-adaptresourcefilecontents", "-adaptresourcefilenames", "-addconfigurationdebugging",
	"-allowaccessmodification", "-alwaysinline", "-android", "-applymapping", "-assumeescapingparameters",
	"-assumenoescapingparameters", "-assumenoexternalreturnvalues", "-assumenoexternalsideeffects", "-assumenosideeffects",
	"-assumevalues", "-basedirectory", "-checkdiscard", "-classobfuscationdictionary", "-dontnote", "-dontobfuscate", "-dontoptimize",
	"-dontpreverify", "-dontprocesskotlinmetadata", "-dontshrink", "-dontskipnonpubliclibraryclasses",
	"-dontskipnonpubliclibraryclassmembers", "-dontusemixedcaseclassnames", "-dontwarn", "-dump", "-flattenpackagehierarchy",
	"-forceprocessing", "-ignorewarnings", "-injars", "-keepattributes", "-keepdirectories", "-keepkotlinmetadata",
	"-keeppackagenames", "-keepparameternames", "-libraryjars", "-maximuminlinedcodelength", "-mergeinterfacesaggressively",
	"-microedition", "-obfuscationdictionary", "-optimizationpasses", "-optimizations", "-outjars",
	"-overloadaggressively", "-packageobfuscationdictionary", "-printconfiguration", "-printmapping", "-printseeds", "-printusage",
	"-renamesourcefileattribute", "-repackageclasses", "-skipnonpubliclibraryclasses", "-target", "-useuniqueclassmembernames",
	"-verbose", "-whyareyoukeeping",
};

static void pass_over(struct rules *u)
{
	bool is_known = false;

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		is_known |= is_word(u, others[i]);
	if (!is_known)
		factreader_note(u->r, u->r->line, "unknown option %.*s: it has no effect", shown(u->word), u->word.p);
	next(u);
	skip_option(u);
}

/* -include FILE or @FILE */
static void refuse_file(struct rules *u)
{
	factreader_note(u->r, u->r->line, "other files are not included: give them with --facts, too");
	next(u);
	if (!at_option(u))
		next(u);
}

bool facts_read_proguard(struct factreader *r, struct span bytes)
{
	struct factlines l = factlines_of(bytes);
	struct rules u = { .r = r, .at = l.at, .end = l.end, .line = 1, .condition = none };

	next(&u);
	while (!at_end(&u) && !r->is_full) {
		const struct keep *k = find_keep(&u);
		if (k)
			read_keep(&u, k);
		else if (is_word(&u, "-if"))
			read_if(&u);
		else if (is_word(&u, "-include") || is_word(&u, "@"))
			refuse_file(&u);
		else
			pass_over(&u);
	}
	return true;
}
