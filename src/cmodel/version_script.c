/* SPDX-License-Identifier: Apache-2.0 */
/* version_script.c - a linker's version script: NAME { global: a; b*; local: *; } PREVIOUS; */
#include "cmodel/exports_p.h"

#include "base/text/glob.h"

#define MAX_PATTERNS 200000
#define MAX_GLOBS 4096           /* every symbol is held against each */

struct pattern {
	struct str text;
	bool global;
};

struct script {
	struct str text;
	uint32_t at, line;
	struct str word;             /* the current one: a punctuation sign, a name or pattern, a literal with its quotes; empty: the end */
	VEC(struct pattern) patterns;
	uint32_t nglobs;
	struct export_error *e;
};

static const char ends_inside[] = "the file ends inside of braces";

static bool is_sign(char c)
{
	return c == '{' || c == '}' || c == ';' || c == ':';
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

static void count_lines(struct script *s, uint32_t to)
{
	for (; s->at < to; s->at++)
		s->line += s->text.p[s->at] == '\n';
}

/* Blanks and comments, also those that start with #. */
static void skip(struct script *s)
{
	while (s->at < s->text.len) {
		uint32_t to = s->at;
		char c = s->text.p[s->at];
		if (is_blank(c))
			to++;
		else if (c == '#')
			while (to < s->text.len && s->text.p[to] != '\n')
				to++;
		else if (c == '/')
			to = export_skip(s->text, to);
		if (to == s->at)
			return;
		count_lines(s, to);
	}
}

/* Patterns of C++ have colons in pairs. */
static uint32_t word_end(const struct script *s)
{
	uint32_t i = s->at;

	for (; i < s->text.len && !is_blank(s->text.p[i]); i++) {
		bool pair = s->text.p[i] == ':' && i + 1 < s->text.len && s->text.p[i + 1] == ':';
		if (!pair && is_sign(s->text.p[i]))
			break;
		i += pair;
	}
	return i < s->text.len ? i : s->text.len;
}

static void next(struct script *s)
{
	skip(s);
	uint32_t from = s->at, to = from;

	if (from < s->text.len && is_sign(s->text.p[from]))
		to = from + 1;
	else if (from < s->text.len && s->text.p[from] == '"')
		to = export_skip(s->text, from);
	else if (from < s->text.len)
		to = word_end(s);
	s->word = str_sub(s->text, from, to);
	count_lines(s, to);
}

static bool fail(struct script *s, const char *reason)
{
	return export_fail(s->e, s->line, reason, s->word);
}

/* `reason` ends before the word that is there instead. */
static bool fail_before(struct script *s, const char *reason, const char *at_the_end)
{
	return fail(s, s->word.len ? reason : at_the_end);
}

static bool take(struct script *s, const char *word)
{
	if (!str_is(s->word, word))
		return false;
	next(s);
	return true;
}

static struct script start(struct str text, struct export_error *e)
{
	struct script s = { .text = text, .line = 1, .e = e };

	next(&s);
	return s;
}

bool version_script_is(struct str text)
{
	static const char *const words[] = { "struct", "union", "enum", "namespace" };
	struct export_error e;
	struct script s = start(text, &e);

	if (str_is(s.word, "{"))
		return true;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_is(s.word, words[i]))
			return false;
	if (s.word.len == 0 || is_sign(s.word.p[0]) || s.word.p[0] == '"')
		return false;
	next(&s);
	return str_is(s.word, "{");
}

static struct str unquoted(struct str s)
{
	return s.len >= 2 && s.p[0] == '"' ? str_sub(s, 1, s.len - 1) : s;
}

static bool read_pattern(struct script *s, bool global)
{
	if (s->word.len == 0 || is_sign(s->word.p[0]))
		return fail_before(s, "a name is missing before", ends_inside);
	s->nglobs += export_is_glob(s->word);
	if (s->patterns.len >= MAX_PATTERNS || s->nglobs > MAX_GLOBS)
		return fail(s, "too many names or patterns");
	vec_push(&s->patterns, ((struct pattern){ unquoted(s->word), global }));
	next(s);
	return take(s, ";") || str_is(s->word, "}") || fail_before(s, "';' is missing before", ends_inside);
}

/* extern "C" { a; b; }; */
static bool read_extern(struct script *s, bool global)
{
	if (!str_is(s->word, "\"C\""))
		return fail(s, "names of other languages than C are not supported; list the symbols themselves instead of extern");
	next(s);
	if (!take(s, "{"))
		return fail_before(s, "'{' is missing before", "'{' is missing at the end of the file");
	while (!str_is(s->word, "}"))
		if (!read_pattern(s, global))
			return false;
	next(s);
	return take(s, ";") || str_is(s->word, "}") || fail_before(s, "';' is missing before", ends_inside);
}

/* Is the current word, `global` or `local`, a label? A symbol may have that name. */
static bool is_label(const struct script *s)
{
	struct script ahead = *s;

	next(&ahead);
	return str_is(ahead.word, ":");
}

static bool read_block(struct script *s)
{
	bool global = true;

	while (!str_is(s->word, "}")) {
		bool to_global = str_is(s->word, "global"), to_local = str_is(s->word, "local");
		if ((to_global || to_local) && is_label(s)) {
			global = to_global;
			next(s);
			next(s);
		} else if (str_is(s->word, "extern") && !is_label(s)) {
			next(s);
			if (!read_extern(s, global))
				return false;
		} else if (!read_pattern(s, global)) {
			return false;
		}
	}
	next(s);
	return true;
}

/* NAME { ... } PREVIOUS ...; */
static bool read_version(struct script *s)
{
	if (!str_is(s->word, "{"))
		next(s);
	if (!take(s, "{"))
		return fail_before(s, "'{' is missing before", "'{' is missing at the end of the file");
	if (!read_block(s))
		return false;
	while (s->word.len && !is_sign(s->word.p[0]))
		next(s);
	return take(s, ";") || fail_before(s, "';' is missing after '}', before", "';' is missing after the last '}'");
}

/* Names win over patterns, patterns over `*`; of equals the exported one wins. */
static uint32_t strength(const struct pattern *p)
{
	return (str_is(p->text, "*") ? 0u : export_is_glob(p->text) ? 2u : 4u) + (p->global ? 1u : 0u);
}

struct chosen {
	VEC(const struct pattern *) globs;
	struct interner names;
	VEC(uint32_t) strength;      /* by name: of what lists it, from 1; 0: nothing does */
};

static void sort_out(const struct script *s, struct chosen *c)
{
	interner_init(&c->names);
	for (uint32_t i = 0; i < s->patterns.len; i++) {
		const struct pattern *p = &s->patterns.data[i];
		if (export_is_glob(p->text)) {
			vec_push(&c->globs, p);
			continue;
		}
		str_id id = intern(&c->names, p->text);
		while (c->strength.len <= id.i)
			vec_push(&c->strength, 0);
		if (strength(p) + 1 > c->strength.data[id.i])
			c->strength.data[id.i] = strength(p) + 1;
	}
}

static bool is_exported(const struct chosen *c, struct str name)
{
	str_id id;
	uint32_t best = interner_find(&c->names, name, &id) && id.i < c->strength.len ? c->strength.data[id.i] : 0;

	for (uint32_t i = 0; i < c->globs.len; i++)
		if (strength(c->globs.data[i]) + 1 > best && glob_matches(c->globs.data[i]->text, name))
			best = strength(c->globs.data[i]) + 1;
	return best == 0 || (best - 1) % 2 == 1;
}

bool version_script_read(struct cprogram *p, struct str text, struct export_error *e)
{
	struct script s = start(text, e);
	struct chosen c = { 0 };
	bool good = true;

	while (good && s.word.len)
		good = read_version(&s);
	sort_out(&s, &c);
	for (uint32_t i = 1; good && i < p->objs.len; i++)
		if (export_candidate(p, (cobj_id){ i }) && is_exported(&c, interned(&p->names, p->objs.data[i].name)))
			p->objs.data[i].flags |= COBJ_EXPORTED;
	for (uint32_t i = 0; good && i < p->aliases.len; i++) {
		const struct calias *a = &p->aliases.data[i];
		if (export_candidate(p, a->obj) && is_exported(&c, interned(&p->names, a->name)))
			p->objs.data[a->obj.i].flags |= COBJ_EXPORTED;
	}
	vec_release(&s.patterns);
	vec_release(&c.globs);
	vec_release(&c.strength);
	interner_release(&c.names);
	return good;
}
