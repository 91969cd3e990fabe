/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/accept.h"

#include <inttypes.h>

#include "session/component/method_patterns.h"
#include "session/lookup/lines.h"

/* impossible CLASSES [of METHODS] [in METHODS] because REASON */
struct entry {
	struct str classes, of, in, because;
	bool is_impossible;
};

struct reading {
	struct cov_accepted *out;
	const struct plan *p;
	struct arena *mem;
	struct diag *d;
	struct strbuf name;           /* scratch */
};

static const char form[] = "write 'impossible CLASSES [of METHODS] [in METHODS] because REASON', or 'unwanted ...'";

static struct str keep(struct reading *r, struct str s)
{
	return (struct str){ arena_copy(r->mem, s.p, s.len), s.len };
}

/* Patterns are about internal names. */
static struct str internal(struct reading *r, struct str dotted)
{
	strbuf_clear(&r->name);
	for (uint32_t i = 0; i < dotted.len; i++)
		strbuf_addch(&r->name, dotted.p[i] == '.' ? '/' : dotted.p[i]);
	return strbuf_str(&r->name);
}

/* The text up to the next space; *rest begins behind that. */
static struct str next_word(struct str *rest)
{
	uint32_t n = 0;

	while (n < rest->len && rest->p[n] != ' ' && rest->p[n] != '\t')
		n++;
	struct str word = str_sub(*rest, 0, n);
	*rest = str_trim(str_sub(*rest, n, rest->len));
	return word;
}

/* NULL, or what is wrong. */
static const char *take_apart(struct str line, struct entry *e)
{
	struct str word = next_word(&line);

	*e = (struct entry){ .is_impossible = str_is(word, "impossible") };
	if (!e->is_impossible && !str_is(word, "unwanted"))
		return "an entry begins with impossible or unwanted";
	e->classes = next_word(&line);
	for (word = next_word(&line); str_is(word, "of") || str_is(word, "in"); word = next_word(&line))
		*(str_is(word, "of") ? &e->of : &e->in) = next_word(&line);
	e->because = line;
	if (!str_is(word, "because"))
		return "the reason is missing";
	return e->classes.len && e->because.len ? NULL : "something is missing";
}

static bool *match_types(struct reading *r, const struct patterns *classes)
{
	bool *types = arena_zalloc(r->mem, r->p->types.len + 1u);

	for (uint32_t i = 1; i < r->p->types.len; i++)
		types[i] = patterns_match(classes, internal(r, r->p->types.data[i].name));
	return types;
}

static bool *match_sites(struct reading *r, const struct method_patterns *of, const struct method_patterns *in)
{
	bool *sites = arena_zalloc(r->mem, r->p->sites.len + (size_t)1);

	for (uint32_t i = 0; i < r->p->methods.len; i++) {
		const struct plan_method *m = &r->p->methods.data[i];
		if (in && !method_patterns_match(in, internal(r, r->p->classes.data[m->class].name), m->name, m->desc))
			continue;
		for (uint32_t k = m->first_site; k < m->first_site + m->nsites; k++) {
			const struct plan_site *s = &r->p->sites.data[k];
			sites[k] = !of || method_patterns_match(of, internal(r, s->owner), s->name, s->desc);
		}
	}
	return sites;
}

static bool bind(struct reading *r, const struct entry *e, struct cov_acceptance *out)
{
	struct patterns classes = { 0 };
	struct method_patterns of = { 0 }, in = { 0 };
	struct str text = keep(r, e->classes);
	char *list = arena_zalloc(r->mem, text.len + 1u);

	memcpy(list, text.p, text.len);
	bool ok = patterns_read(r->d, list, &classes) && (!e->of.len || method_patterns_read(r->d, e->of, &of)) &&
		  (!e->in.len || method_patterns_read(r->d, e->in, &in));
	if (ok) {
		out->types = match_types(r, &classes);
		out->sites = match_sites(r, e->of.len ? &of : NULL, e->in.len ? &in : NULL);
	}
	patterns_release(&classes);
	method_patterns_release(&of);
	method_patterns_release(&in);
	return ok;
}

static void complain(struct reading *r, const struct lines *l, struct str item, const char *wrong)
{
	diag_add(r->d, DIAG_E059, l->path, STR(""), DIAG_NO_OFFSET, "line %" PRIu64 ", '%.*s': %s; %s", l->n, (int)item.len, item.p, wrong, form);
}

static bool read_entry(struct reading *r, const struct lines *l, struct str item)
{
	struct entry e;
	const char *wrong = take_apart(item, &e);

	if (wrong) {
		complain(r, l, item, wrong);
		return false;
	}
	struct cov_acceptance row = { .line = (uint32_t)l->n, .is_impossible = e.is_impossible, .text = keep(r, item),
				      .because = keep(r, e.because) };
	if (!bind(r, &e, &row)) {
		complain(r, l, item, "one of its patterns is malformed");
		return false;
	}
	vec_push(&r->out->entries, row);
	return true;
}

bool accept_read(struct cov_accepted *a, const char *path, const struct plan *p, struct arena *mem, struct diag *d)
{
	struct reading r = { .out = a, .p = p, .mem = mem, .d = d };
	struct lines l;
	struct str item;
	bool ok = true;

	*a = (struct cov_accepted){ .path = path };
	if (!lines_open(&l, path, "the list of accepted requirements", d))
		return false;
	while (lines_next(&l, &item))
		ok &= read_entry(&r, &l, item);
	strbuf_release(&r.name);
	return lines_close(&l) && ok;
}

void accept_release(struct cov_accepted *a)
{
	vec_release(&a->entries);
}

bool accept_check(const struct cov_accepted *a, struct diag *d)
{
	bool ok = true;

	for (uint32_t i = 0; i < a->entries.len; i++) {
		const struct cov_acceptance *e = &a->entries.data[i];
		if (!e->named)
			diag_add(d, DIAG_W058, a->path, STR(""), DIAG_NO_OFFSET, "line %" PRIu32 " names no requirement, or only those that lines "
				 "before it name: correct it, or take it away: %.*s", e->line, (int)e->text.len, e->text.p);
		if (!e->is_impossible || !e->seen)
			continue;
		diag_add(d, DIAG_E057, a->path, STR(""), DIAG_NO_OFFSET, "line %" PRIu32 " says that %" PRIu64 " requirement%s impossible, of which runs "
			 "exercised %" PRIu64 ": correct it, or write 'unwanted': %.*s", e->line, e->named, e->named == 1 ? " is" : "s are", e->seen,
			 (int)e->text.len, e->text.p);
		ok = false;
	}
	return ok;
}
