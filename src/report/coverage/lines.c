/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - source files, their classes, and the calls on their lines. */
#include "report/coverage/coverage_p.h"

#include "report/coverage/sources.h"

/* Sources */

struct named_class {
	struct str package, source;
	uint32_t class;
};

static int compare_classes(const void *a, const void *b)
{
	const struct named_class *x = a, *y = b;
	int c = str_cmp(x->package, y->package);

	c = c ? c : str_cmp(x->source, y->source);
	return c ? c : (x->class > y->class) - (x->class < y->class);        /* rows are by name */
}

static struct str keep(struct arena *mem, struct str s)
{
	return (struct str){ arena_copy(mem, s.p, s.len), s.len };
}

/* "Shapes.java", also where the class file does not say. */
static struct str source_name(struct cov_layout *l, const struct plan_class *p, struct strbuf *text)
{
	strbuf_clear(text);
	source_path(cov_simple(p->name), p->source, text);
	return keep(&l->mem, strbuf_str(text));
}

static void add_class(struct cov_layout *l, const struct named_class *n)
{
	struct cov_source *last = l->sources.len ? vec_last(&l->sources) : NULL;

	if (!last || !str_eq(last->package, n->package) || !str_eq(last->name, n->source)) {
		vec_push(&l->sources, ((struct cov_source){ n->package, n->source, l->classes.len, 0 }));
		last = vec_last(&l->sources);
	}
	vec_push(&l->classes, n->class);
	last->n++;
}

static void find_sources(struct cov_layout *l)
{
	const struct plan *p = l->c->plan;
	VEC(struct named_class) all = { 0 };
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < p->classes.len; i++) {
		const struct plan_class *k = &p->classes.data[i];
		if (k->nsites)
			vec_push(&all, ((struct named_class){ cov_package(k->name), source_name(l, k, &text), i }));
	}
	if (all.len)
		qsort(all.data, all.len, sizeof(*all.data), compare_classes);
	for (uint32_t i = 0; i < all.len; i++)
		add_class(l, &all.data[i]);
	strbuf_release(&text);
	vec_release(&all);
}

/* Lines */

static uint32_t first_line(const struct plan *p, uint32_t first, uint32_t n)
{
	uint32_t least = 0;

	for (uint32_t i = first; i < first + n; i++)
		if (p->sites.data[i].line && (!least || p->sites.data[i].line < least))
			least = p->sites.data[i].line;
	return least;
}

static void find_lines(struct cov_layout *l, const struct plan_class *k)
{
	const struct plan *p = l->c->plan;
	uint32_t of_class = first_line(p, k->first_site, k->nsites);

	for (uint32_t m = k->first_method; m < k->first_method + k->nmethods; m++) {
		const struct plan_method *pm = &p->methods.data[m];
		uint32_t of_method = first_line(p, pm->first_site, pm->nsites);
		uint32_t other = of_method ? of_method : of_class ? of_class : 1;
		for (uint32_t s = pm->first_site; s < pm->first_site + pm->nsites; s++)
			l->lines.data[s] = p->sites.data[s].line ? p->sites.data[s].line : other;
	}
}

void cov_layout_init(struct cov_layout *l, const struct coverage *c)
{
	const struct plan *p = c->plan;

	*l = (struct cov_layout){ .c = c };
	arena_init(&l->mem);
	find_sources(l);
	for (uint32_t i = 0; i < p->sites.len; i++)
		vec_push(&l->lines, 1);
	for (uint32_t i = 0; i < p->classes.len; i++)
		find_lines(l, &p->classes.data[i]);
}

void cov_layout_release(struct cov_layout *l)
{
	vec_release(&l->classes);
	vec_release(&l->sources);
	vec_release(&l->lines);
	arena_release(&l->mem);
}

uint32_t cov_package_end(const struct cov_layout *l, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < l->sources.len && str_eq(l->sources.data[end].package, l->sources.data[first].package))
		end++;
	return end;
}

/* Calls of a line */

void cov_lines_add(struct cov_lines *t, const struct cov_layout *l, uint32_t first_site, uint32_t n)
{
	for (uint32_t i = first_site; i < first_site + n; i++)
		vec_push(&t->calls, ((struct cov_on_line){ l->lines.data[i], i }));
}

static int compare_calls(const void *a, const void *b)
{
	const struct cov_on_line *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

static void add_call(struct cov_line *to, const struct cov_site *s)
{
	to->n++;
	to->hits += s->count;
	to->made += s->count > 0;
	cov_add(&to->branches, cov_branches(s));
}

void cov_lines_sort(struct cov_lines *t, const struct coverage *c)
{
	if (t->calls.len)
		qsort(t->calls.data, t->calls.len, sizeof(*t->calls.data), compare_calls);
	vec_clear(&t->lines);
	for (uint32_t i = 0; i < t->calls.len; i++) {
		uint32_t line = t->calls.data[i].line;
		if (!t->lines.len || vec_last(&t->lines)->line != line)
			vec_push(&t->lines, ((struct cov_line){ .line = line, .first = i }));
		add_call(vec_last(&t->lines), &c->sites.data[t->calls.data[i].site]);
	}
}

void cov_lines_release(struct cov_lines *t)
{
	vec_release(&t->calls);
	vec_release(&t->lines);
}
