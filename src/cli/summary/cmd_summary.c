/* SPDX-License-Identifier: Apache-2.0 */
/* sherd summary: show, diff, convert, check, attach */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verbs/c_options.h"
#include "session/summaries.h"

struct summary_args {
	struct shared_options shared;
	bool all;
};

enum { FORMAT_TEXT, FORMAT_BINARY };
static const char *const formats[] = { "text", "binary", NULL };

#define T struct summary_args
static const struct option_row rows[] = {
	OPT_FLAG(T, all, "all", NULL, "Output", "show: every function; diff: the lines that differ"),
	SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T

struct work {
	const struct summary_args *a;
	struct cli_run *r;
	int n;
	char **operands;
	int (*serve)(struct work *w);
	struct strbuf out;
	int status;
};

static bool write_bytes(struct sink *out, void *ctx)
{
	const struct work *w = ctx;

	sink_write(out, w->out.s, w->out.len);
	return sink_finish(out);
}

static bool open_file(struct work *w, const char *path, struct summary *s)
{
	summary_init(s);
	return summary_open(s, path, &w->r->inquiry.diag);
}

/* show */

static struct str name_of(const struct summary *s, str_id name)
{
	return interned(&s->program.names, name);
}

static void show_head(struct work *w, const struct summary *s)
{
	struct summary_stats n = summary_stats(s);
	struct strbuf binary = { 0 };
	struct str lib = name_of(s, s->library);
	uint32_t exports = 0;

	for (uint32_t i = 1; i < s->program.objs.len; i++)
		exports += (s->program.objs.data[i].flags & COBJ_EXPORTED) != 0;
	summary_write_binary(s, &binary);
	strbuf_addf(&w->out, "%.*s: %s summary, version %d\n\n", (int)lib.len, lib.p, s->options & SUMMARY_OPTIMISED ? "optimised" : "basic",
		    SUMMARY_VERSION);
	strbuf_addf(&w->out, "  %-14s %u exported, %u inner symbols\n", "names", exports + s->program.aliases.len, s->inner.len);
	strbuf_addf(&w->out, "  %-14s %u, %u statements, %u calls\n", "functions", n.functions, n.statements, n.calls);
	strbuf_addf(&w->out, "  %-14s %u, %u variables, %u layouts\n", "objects", n.objects, n.variables, n.layouts);
	strbuf_addf(&w->out, "  %-14s %u bytes in binary form\n", "size", (unsigned)binary.len);
	strbuf_addf(&w->out, "  %-14s %016" PRIx64 "\n", "exports", s->exports);
	if (s->attached.i)
		strbuf_addf(&w->out, "  %-14s %.*s\n", "attached to", (int)name_of(s, s->attached).len, name_of(s, s->attached).p);
	for (uint32_t i = 0; i < s->modules.len; i++) {
		struct str m = name_of(s, s->modules.data[i].name);
		strbuf_addf(&w->out, "  %-14s %016" PRIx64 " %.*s\n", i ? "" : "modules", s->modules.data[i].digest, (int)m.len, m.p);
	}
	for (uint32_t i = 0; i < s->uses.len; i++) {
		struct str m = name_of(s, s->uses.data[i].name);
		strbuf_addf(&w->out, "  %-14s %016" PRIx64 " %.*s\n", i ? "" : "made with", s->uses.data[i].digest, (int)m.len, m.p);
	}
	strbuf_release(&binary);
}

enum { SHOWN = 20 };

static bool is_exported(const struct cprogram *p, const struct cfn *f)
{
	return f->flags & CFN_DEFINED && p->objs.data[f->obj.i].flags & COBJ_EXPORTED;
}

static void show_functions(struct work *w, const struct cprogram *p)
{
	uint32_t shown = 0, left = 0;

	strbuf_adds(&w->out, "\n  statements  calls  exported function\n");
	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];
		struct str name = interned(&p->names, f->name);
		if (!is_exported(p, f))
			continue;
		if (!w->a->all && shown >= SHOWN) {
			left++;
			continue;
		}
		shown++;
		strbuf_addf(&w->out, "  %10u  %5u  %.*s%s%s\n", f->nstmts, f->ncalls, (int)name.len, name.p,
			    f->flags & CFN_ALLOCATES ? "  allocates" : "", f->flags & CFN_SETTLED ? "" : "  open: it calls what is not there");
	}
	if (left)
		strbuf_addf(&w->out, "  ... and %u more; --all shows them\n", left);
}

static int serve_show(struct work *w)
{
	struct summary s;
	bool ok = open_file(w, w->operands[0], &s);

	if (ok) {
		show_head(w, &s);
		show_functions(w, &s.program);
		ok = run_write(w->r, write_bytes, w);
	}
	summary_release(&s);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* convert */

static int serve_convert(struct work *w)
{
	struct summary s;
	bool ok = open_file(w, w->operands[0], &s);

	if (ok) {
		(w->a->shared.format == FORMAT_TEXT ? summary_write_text : summary_write_binary)(&s, &w->out);
		ok = run_write(w->r, write_bytes, w);
	}
	summary_release(&s);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* diff: the text has entries, which are a line without blanks before it, and the lines with blanks behind it */

struct entry {
	struct str key, text;         /* "function deflate", all of its lines */
};
typedef VEC(struct entry) entries;

static struct str line_at(struct str text, uint32_t at)
{
	const char *end = memchr(text.p + at, '\n', text.len - at);

	return (struct str){ text.p + at, (uint32_t)(end ? end - (text.p + at) + 1 : (ptrdiff_t)(text.len - at)) };
}

/* The first two words; a name may have blanks in quotes. */
static struct str key_of(struct str line)
{
	uint32_t i = 0, words = 0;
	bool quoted = false;

	for (; i < line.len && line.p[i] != '\n'; i++) {
		quoted ^= line.p[i] == '"' && line.p[i - (i > 0)] != '\\';
		if (!quoted && (line.p[i] == ' ' || line.p[i] == '(') && ++words == 2)
			break;
	}
	return (struct str){ line.p, i };
}

static void split(struct str text, entries *out)
{
	for (uint32_t at = 0; at < text.len;) {
		struct str line = line_at(text, at);
		at += line.len;
		if (line.p[0] == '\n' || line.p[0] == '}')
			continue;
		if (line.p[0] == ' ' && out->len)
			vec_last(out)->text.len = (uint32_t)(line.p + line.len - vec_last(out)->text.p);
		else
			vec_push(out, ((struct entry){ key_of(line), line }));
	}
}

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return str_cmp(a->key, b->key);
}

static void sort_entries(entries *e)
{
	if (e->len)
		qsort(e->data, e->len, sizeof(*e->data), compare_entries);
}

static void put_lines(struct work *w, char sign, struct str text)
{
	for (uint32_t at = 0; at < text.len && w->a->all;) {
		struct str line = line_at(text, at);
		at += line.len;
		strbuf_addf(&w->out, "  %c ", sign);
		strbuf_addstr(&w->out, line);
	}
}

static void put_change(struct work *w, const char *what, const struct entry *old, const struct entry *new)
{
	struct str key = old ? old->key : new->key;

	w->status = EXIT_CHECK_FAILED;
	strbuf_addf(&w->out, "%s %.*s\n", what, (int)key.len, key.p);
	if (old)
		put_lines(w, '-', old->text);
	if (new)
		put_lines(w, '+', new->text);
}

/* The digest of the text differs when anything does; and it is the same summary wherever it is attached. */
static bool is_passed(const struct entry *e)
{
	return str_starts(e->key, "end ") || str_starts(e->key, "attached ");
}

static void compare(struct work *w, const entries *old, const entries *new)
{
	uint32_t i = 0, k = 0;

	while (i < old->len || k < new->len) {
		const struct entry *a = i < old->len ? &old->data[i] : NULL, *b = k < new->len ? &new->data[k] : NULL;
		int c = !a ? 1 : !b ? -1 : str_cmp(a->key, b->key);
		if (c < 0 && !is_passed(a))
			put_change(w, "removed", a, NULL);
		else if (c > 0 && !is_passed(b))
			put_change(w, "added  ", NULL, b);
		else if (c == 0 && !is_passed(a) && !str_eq(a->text, b->text))
			put_change(w, "changed", a, b);
		i += c <= 0;
		k += c >= 0;
	}
}

static void diff(struct work *w, const struct summary *old, const struct summary *new)
{
	struct strbuf a = { 0 }, b = { 0 };
	entries x = { 0 }, y = { 0 };

	summary_write_text(old, &a);
	summary_write_text(new, &b);
	split(strbuf_str(&a), &x);
	split(strbuf_str(&b), &y);
	sort_entries(&x);
	sort_entries(&y);
	compare(w, &x, &y);
	vec_release(&x);
	vec_release(&y);
	strbuf_release(&a);
	strbuf_release(&b);
}

static int serve_diff(struct work *w)
{
	struct summary old, new;
	bool ok = open_file(w, w->operands[0], &old);

	w->status = EXIT_DONE;
	ok &= open_file(w, w->operands[1], &new);
	if (ok) {
		diff(w, &old, &new);
		ok = run_write(w->r, write_bytes, w);
	}
	summary_release(&old);
	summary_release(&new);
	return ok ? w->status : EXIT_UNSERVED;
}

/* check, attach */

static bool fits(struct work *w, const struct summary *s)
{
	struct c_files files;
	bool ok = true;

	c_files_init(&files);
	for (int i = 1; i < w->n; i++)
		ok &= c_files_add(&files, w->operands[i], false, &w->r->inquiry.diag);
	ok = ok && summary_fits(s, w->operands[0], files.modules.data, files.modules.len, &w->r->inquiry.diag);
	c_files_release(&files);
	return ok;
}

static int serve_check(struct work *w)
{
	struct summary s;
	bool ok = open_file(w, w->operands[0], &s) && fits(w, &s);

	if (ok && !w->a->shared.quiet) {
		struct str name = name_of(&s, s.library);
		strbuf_addf(&w->out, "%.*s: ok%s\n", (int)name.len, name.p, w->n > 1 ? ", and made of these modules" : "");
		ok = run_write(w->r, write_bytes, w);
	}
	summary_release(&s);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static int serve_attach(struct work *w)
{
	struct summary s;
	const char *to = w->a->shared.output ? w->a->shared.output : w->operands[1];
	bool ok = open_file(w, w->operands[0], &s) && summary_attach(&s, w->operands[1], to, &w->r->inquiry.diag);

	summary_release(&s);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

static const struct what {
	const char *name, *usage;
	int least, most;              /* operands */
	int (*serve)(struct work *w);
} whats[] = {
	{ "show", "show LIB.sum", 1, 1, serve_show },
	{ "diff", "diff OLD.sum NEW.sum", 2, 2, serve_diff },
	{ "convert", "convert LIB.sum --format text|binary -o FILE", 1, 1, serve_convert },
	{ "check", "check LIB.sum [MODULE.bc...]", 1, INT32_MAX, serve_check },
	{ "attach", "attach LIB.sum LIBRARY [-o FILE]", 2, 2, serve_attach },
};

static int serve(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;

	w->r = r;
	int status = w->serve(w);
	strbuf_release(&w->out);
	return status;
}

static const struct what *find_what(const char *name)
{
	for (uint32_t i = 0; i < ARRAY_LEN(whats); i++)
		if (strcmp(whats[i].name, name) == 0)
			return &whats[i];
	return NULL;
}

static int run_summary(void *values, int n, char **operands)
{
	const struct what *what = find_what(operands[0]);
	struct work w = { .a = values, .n = n - 1, .operands = operands + 1 };

	if (!what)
		return usage_error("'%s' is nothing that can be done with a summary: show, diff, convert, check or attach", operands[0]);
	if (n - 1 < what->least || n - 1 > what->most)
		return usage_error("usage: sherd summary %s", what->usage);
	w.serve = what->serve;
	return run_verb_alone(&w.a->shared, PHASES_C, serve, &w);
}

const struct command_spec cmd_summary = {
	.synopsis = { "show LIB.sum [OPTION]...", "diff OLD.sum NEW.sum [OPTION]...",
		      "convert LIB.sum --format text|binary -o FILE", "check LIB.sum [MODULE.bc...]",
		      "attach LIB.sum LIBRARY [-o FILE]", NULL },
	.description = "Works on summaries of C libraries, which sherd summarize makes.\nshow: what is in one; diff: which functions and "
		       "objects changed, with status 1 if any did; convert: to text, which is stable under diff, or to the binary form; "
		       "check: is it whole, and was it made of these modules; attach: puts it into a shared library or object, "
		       "so that --summary LIBRARY finds it.\nWherever a summary is read, a library that carries one will do.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct summary_args),
	.needs_operands = "say what to do: sherd summary show libz.sum",
	.examples = { { "sherd summary show libz.sum", "what is in it" },
		      { "sherd summary diff old.sum new.sum --all", "what a new version of the library changed" },
		      { "sherd summary check libz.sum libz.so", "is it of this build?" },
		      { "sherd summary attach libz.sum libz.so", "vendor's last step" },
		      { NULL, NULL } },
	.run = run_summary,
};
