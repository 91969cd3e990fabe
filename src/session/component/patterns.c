/* SPDX-License-Identifier: Apache-2.0 */
/* patterns.c - patterns of class names, and the classes of a component. */
#include <stdlib.h>
#include <sys/stat.h>

#include "session/component/component_p.h"
#include "base/text/glob.h"
#include "session/lookup/lines.h"

void patterns_release(struct patterns *p)
{
	vec_release(&p->rows);
	arena_release(&p->mem);
}

/* Reading */

struct place {
	const char *file;
	uint64_t line;
};

static bool complain(struct diag *d, struct place at, struct str text, const char *why)
{
	diag_add(d, DIAG_E045, at.file, (struct str){ 0 }, at.file ? at.line : DIAG_NO_OFFSET,
		 "'%.*s' is no pattern: %s; write pkg.* (a package), pkg.** (and below), pkg.Cls, !pattern or @file",
		 (int)text.len, text.p, why);
	return false;
}

/* What is wrong with a pattern; NULL: nothing. */
static const char *fault_of(struct str t)
{
	if (t.len == 0)
		return "it is empty";
	for (uint32_t i = 0, from = 0; i <= t.len; i++) {
		unsigned char c = i < t.len ? (unsigned char)t.p[i] : '.';
		if (c == '/' || c == '\\')
			return "names are written with dots";
		if (c <= ' ' || strchr(";[](),@!<>#", c))
			return "it has a character that no class name has";
		if (c == '*' && i > from && t.p[i - 1] == '*' && (i - from > 1 || (i + 1 < t.len && t.p[i + 1] != '.')))
			return "** stands alone between dots";
		if (c != '.')
			continue;
		if (i == from)
			return "there is nothing between two dots, or before or behind one";
		from = i + 1;
	}
	return NULL;
}

static bool add_pattern(struct diag *d, struct patterns *out, struct str text, bool excludes, struct place at)
{
	const char *fault = fault_of(text);

	if (fault)
		return complain(d, at, text, fault);
	char *copy = arena_copy(&out->mem, text.p, text.len), *written = arena_copy(&out->mem, text.p, text.len);
	for (uint32_t i = 0; i < text.len; i++)
		copy[i] = copy[i] == '.' ? '/' : copy[i];
	vec_push(&out->rows, ((struct pattern){ .text = { copy, text.len }, .written = { written, text.len },
						.file = at.file, .line = at.line, .excludes = excludes }));
	return true;
}

static struct str without_bang(struct str t, bool *excludes)
{
	*excludes = t.len && t.p[0] == '!';
	return *excludes ? str_trim(str_sub(t, 1, t.len)) : t;
}

static bool add_list(struct diag *d, struct patterns *out, struct str path, bool all_excluded)
{
	char *file = arena_zalloc(&out->mem, (size_t)path.len + 1);
	struct lines l;
	struct str item;
	bool ok = true, excludes;

	memcpy(file, path.p, path.len);
	if (!lines_open(&l, file, "the list of classes", d))
		return false;
	while (lines_next(&l, &item)) {
		struct place at = { file, l.n };
		item = without_bang(item, &excludes);
		if (item.len && item.p[0] == '@')
			ok = complain(d, at, item, "a list cannot contain a list");
		else
			ok = add_pattern(d, out, item, excludes || all_excluded, at) && ok;
	}
	return lines_close(&l) && ok;
}

static bool add_item(struct diag *d, struct patterns *out, struct str item)
{
	bool excludes;

	item = without_bang(item, &excludes);
	if (item.len && item.p[0] == '@')
		return add_list(d, out, str_sub(item, 1, item.len), excludes);
	return add_pattern(d, out, item, excludes, (struct place){ NULL, 0 });
}

static bool has_inclusion(const struct patterns *p)
{
	for (uint32_t i = 0; i < p->rows.len; i++)
		if (!p->rows.data[i].excludes)
			return true;
	return false;
}

bool patterns_read(struct diag *d, const char *text, struct patterns *out)
{
	bool ok = true;

	*out = (struct patterns){ 0 };
	arena_init(&out->mem);
	for (const char *p = text, *end; p; p = *end ? end + 1 : NULL) {
		end = p + strcspn(p, ",");
		ok = add_item(d, out, str_trim((struct str){ p, (uint32_t)(end - p) })) && ok;
	}
	if (ok && !has_inclusion(out))
		ok = complain(d, (struct place){ NULL, 0 }, str_of(text), "it only excludes; ** is every class");
	return ok;
}

/* Matching */

/* The class itself, or one that it is nested in. */
static bool match_class(struct str pattern, struct str name)
{
	for (uint32_t i = 1; i <= name.len; i++)
		if ((i == name.len || name.p[i] == '$') && glob_matches_plain(pattern, str_sub(name, 0, i)))
			return true;
	return false;
}

/* Takes the part before the first slash off; false: `path` was the last part. */
static bool next_part(struct str *path, struct str *part)
{
	const char *slash = memchr(path->p, '/', path->len);

	*part = slash ? str_sub(*path, 0, (uint32_t)(slash - path->p)) : *path;
	*path = str_sub(*path, part->len + (slash != NULL), path->len);
	return slash != NULL;
}

/* Only the last ** is tried again: what those before it matched can stay. O(parts of the pattern * parts of the name). */
static bool match_path(struct str pattern, struct str name, bool with_nested)
{
	struct str want, part, behind = { 0 }, retry = { 0 };      /* the rest behind the last **, and where it was tried */

	for (;;) {
		struct str pattern_rest = pattern, name_rest = name;
		bool wants_more = next_part(&pattern_rest, &want), has_more = next_part(&name_rest, &part);
		if (str_is(want, "**")) {
			if (!wants_more)
				return true;
			behind = pattern = pattern_rest;
			retry = name;
		} else if (wants_more == has_more && (has_more || !with_nested ? glob_matches_plain : match_class)(want, part)) {
			if (!has_more)
				return true;
			pattern = pattern_rest;
			name = name_rest;
		} else {
			if (!behind.len || !next_part(&retry, &part))
				return false;
			pattern = behind;
			name = retry;
		}
	}
}

/* Counts at each pattern; does the name match in all? */
static bool match_rows(struct pattern *rows, uint32_t n, struct str name)
{
	bool included = false, excluded = false;

	for (uint32_t i = 0; i < n; i++) {
		if (!match_path(rows[i].text, name, true))
			continue;
		rows[i].hits++;
		*(rows[i].excludes ? &excluded : &included) = true;
	}
	return included && !excluded;
}

static bool match(const struct patterns *p, struct str name, bool with_nested)
{
	bool included = false;

	for (uint32_t i = 0; i < p->rows.len; i++) {
		const struct pattern *row = &p->rows.data[i];
		if ((row->excludes || !included) && match_path(row->text, name, with_nested)) {
			if (row->excludes)
				return false;
			included = true;
		}
	}
	return included;
}

bool patterns_match(const struct patterns *p, struct str name)
{
	return match(p, name, true);
}

bool patterns_match_class(const struct patterns *p, struct str name)
{
	return match(p, name, false);
}

/* Components */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* `dir/` + `*`: is the artifact a jar in this directory? */
static bool is_jar_in(const char *dir, const char *artifact)
{
	const char *slash = strrchr(artifact, '/');
	struct strbuf parent = { 0 };

	strbuf_add(&parent, slash ? artifact : ".", slash ? (size_t)(slash - artifact) : 1);
	bool is_in = same_file(parent.len ? parent.s : "/", dir) && !same_file(artifact, dir);
	strbuf_release(&parent);
	return is_in;
}

bool path_has_artifact(const struct session *s, const char *path, uint32_t artifact)
{
	struct strbuf element = { 0 };
	bool found = false;

	for (const char *p = path ? path : "", *end; *p && !found; p = *end ? end + 1 : end) {
		end = p + strcspn(p, ":");
		strbuf_clear(&element);
		strbuf_add(&element, p, (size_t)(end - p));
		if (str_ends(strbuf_str(&element), "/*")) {
			element.s[element.len - 1] = 0;
			found = is_jar_in(element.s, s->program.artifacts.data[artifact]);
		} else if (element.len) {
			found = same_file(element.s, s->program.artifacts.data[artifact]);
		}
	}
	strbuf_release(&element);
	return found;
}

struct gather {
	struct session *s;
	struct patterns *patterns;
	struct component *out;
	bool *is_test;                /* by artifact */
};

static void gather_class(void *ctx, class_id c)
{
	struct gather *g = ctx;
	struct str name = class_name(&g->s->program, c);

	if (match_rows(g->patterns->rows.data, g->patterns->rows.len, name))
		vec_push(&g->out->classes, c);
}

/* Each class once, if it can be loaded, and is not one of the tests under the same name. */
static void keep_loaded(struct gather *g)
{
	struct program *p = &g->s->program;
	struct component *out = g->out;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < out->classes.len; i++) {
		class_id c = out->classes.data[i];
		uint32_t *at = map_at(&out->has, c.i);
		if (*at)
			continue;
		*at = 1;
		program_load(p, c);
		if (class_row(p, c)->kind == CLASS_FILE && !g->is_test[class_row(p, c)->artifact])
			out->classes.data[kept++] = c;
	}
	out->classes.len = kept;
	map_release(&out->has);
}

struct named_class {
	struct str name;
	class_id c;
};

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct named_class *)a)->name, ((const struct named_class *)b)->name);
}

/* Names in internal form have the order of printed ones: no character is between a dot and a slash. */
static void sort_classes(const struct program *p, struct component *out)
{
	struct named_class *rows = mem_alloc((out->classes.len + 1) * sizeof(*rows));

	for (uint32_t i = 0; i < out->classes.len; i++)
		rows[i] = (struct named_class){ class_name(p, out->classes.data[i]), out->classes.data[i] };
	qsort(rows, out->classes.len, sizeof(*rows), by_name);
	for (uint32_t i = 0; i < out->classes.len; i++) {
		out->classes.data[i] = rows[i].c;
		*map_at(&out->has, rows[i].c.i) = i + 1;
	}
	free(rows);
}

/* The pattern without its wild cards: what to look for in names. */
static struct str literal_part(struct str written)
{
	while (written.len && (written.p[written.len - 1] == '*' || written.p[written.len - 1] == '.'))
		written.len--;
	return written;
}

/* Then it is the class path that is wrong, and no name of the JDK is meant. */
static bool has_missing_place(const struct session *s)
{
	for (uint32_t i = 0; i < s->inquiry->diag.entries.len; i++)
		if (s->inquiry->diag.entries.data[i].code == DIAG_E001)
			return true;
	return false;
}

/* Besides what names are alike: nothing but the JDK was looked at, or nothing is alike. */
static const char *path_hint(const struct session *s, bool has_names)
{
	if (has_missing_place(s))
		return "; a place of -cp is not there: compile first, or name another one";
	for (uint32_t a = 1; a < s->program.artifacts.len; a++)
		if (!loader_is_jdk(s->loader, a))
			return has_names ? "" : "; is the -cp right, and the name complete with its package?";
	return has_names ? " Or name the class path: -cp" : "; name the class path with -cp";
}

/* Every inclusion must have matched something: what is misspelt shall not vanish from a list. */
static bool check_hits(struct session *s, const struct patterns *patterns, const char *tests)
{
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < patterns->rows.len; i++) {
		const struct pattern *row = &patterns->rows.data[i];
		struct strbuf hint = { 0 };
		if (row->hits || row->excludes)
			continue;
		if (wrong++ < MAX_SUGGESTED && !has_missing_place(s))
			suggest_names(s, literal_part(row->written), true, tests, &hint);
		diag_add(&s->inquiry->diag, DIAG_E044, row->file, (struct str){ 0 }, row->file ? row->line : DIAG_NO_OFFSET,
			 "no class%s matches %.*s%s%s", tests ? " outside of the tests" : "",
			 (int)row->written.len, row->written.p, hint.len ? hint.s : "", path_hint(s, hint.len > 0));
		strbuf_release(&hint);
	}
	return wrong == 0;
}

static bool gather_classes(struct gather *g, const char *tests)
{
	struct session *s = g->s;

	for (uint32_t a = 1; a < s->program.artifacts.len; a++) {
		g->is_test[a] = tests && !loader_is_jdk(s->loader, a) && path_has_artifact(s, tests, a);
		if (!g->is_test[a])
			loader_name_artifact(s->loader, a, gather_class, g);
	}
	if (!check_hits(s, g->patterns, tests))
		return false;
	uint32_t matched = g->out->classes.len;
	keep_loaded(g);
	sort_classes(&s->program, g->out);
	if (g->out->classes.len)
		return true;
	diag_add(&s->inquiry->diag, DIAG_E044, NULL, (struct str){ 0 }, DIAG_NO_OFFSET, "%s",
		 matched ? "none of the classes that match can be read" : "every class that matches is excluded again");
	return false;
}

bool component_classes(struct session *s, const char *text, const char *tests, struct component *out)
{
	struct patterns patterns;

	*out = (struct component){ 0 };
	bool ok = patterns_read(&s->inquiry->diag, text, &patterns);
	if (ok) {
		struct gather g = { s, &patterns, out, mem_zalloc(s->program.artifacts.len) };
		ok = gather_classes(&g, tests);
		free(g.is_test);
	}
	patterns_release(&patterns);
	return ok;
}

void component_release(struct component *c)
{
	vec_release(&c->classes);
	map_release(&c->has);
}
