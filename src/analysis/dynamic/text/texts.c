/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/text/texts.h"

#include "analysis/dynamic/text/texts_p.h"

enum {
	LISTED_MOST = 1024,              /* strings of a language that are asked for one by one */
	CLASSES_MOST = 400,              /* classes that a language may mean: one that means more says nothing */
};

static string_node new_node(struct texts *x)
{
	return grammar_node(x->grammar);
}

void texts_init(struct texts *x, struct program *p)
{
	x->languages = languages_new(NULL);
	x->grammar = grammar_new(x->languages);
	x->unknown = (struct text){ new_node(x), new_node(x) };
	grammar_add_language(x->grammar, x->unknown.full, language_any(x->languages));
	x->empty.full = x->empty.known = new_node(x);
	grammar_add_literal(x->grammar, x->empty.full, STR(""));
	arena_init(&x->classes.mem);
	vec_push(&x->builders, (struct builder){ 0 });
	vec_push(&x->contents, (struct content){ 0 });
	vec_push(&x->tests, (struct test){ 0 });
	texts_read_table(x, p);
}

void texts_release(struct texts *x)
{
	grammar_free(x->grammar);
	languages_free(x->languages);
	vec_release(&x->of);
	vec_release(&x->asked);
	map_release(&x->asked_of);
	map_release(&x->makers);
	vec_release(&x->builders);
	map_release(&x->builder_of);
	vec_release(&x->contents);
	map_release(&x->content_of);
	vec_release(&x->tests);
	map_release(&x->tests_of);
	vec_release(&x->classes.all);
	vec_release(&x->classes.shared);
	arena_release(&x->classes.mem);
}

/* The grammar */

struct text texts_of(struct values *v, uint32_t node)
{
	struct texts *x = &v->texts;

	while (x->of.len <= node)
		vec_push(&x->of, (struct text){ 0 });
	if (!x->of.data[node].full.i)
		x->of.data[node] = (struct text){ new_node(x), new_node(x) };
	return x->of.data[node];
}

void texts_open(struct values *v, uint32_t node)
{
	grammar_add_language(v->texts.grammar, texts_of(v, node).full, language_any(v->texts.languages));
	v->texts.has_grown = true;
}

void texts_add(struct values *v, uint32_t node, struct text t)
{
	struct text to = texts_of(v, node);

	grammar_add_node(v->texts.grammar, to.full, t.full);
	grammar_add_node(v->texts.grammar, to.known, t.known);
	v->texts.has_grown = true;
}

void texts_copy(struct values *v, uint32_t to, uint32_t from)
{
	texts_add(v, to, texts_of(v, from));
}

void texts_literal(struct values *v, uint32_t node, str_id s)
{
	texts_add(v, node, text_literal(v, interned(&v->p->strings, s)));
}

struct text text_language(struct values *v, const struct language *l)
{
	string_node n = new_node(&v->texts);

	grammar_add_language(v->texts.grammar, n, l);
	return (struct text){ n, n };
}

struct text text_literal(struct values *v, struct str s)
{
	return text_language(v, language_of(v->texts.languages, s));
}

static bool is_known(struct text t)
{
	return t.full.i == t.known.i;
}

/* An empty string says nothing about what comes with it. */
struct text text_concat(struct values *v, struct text a, struct text b)
{
	struct texts *x = &v->texts;
	struct text to = { .full = new_node(x) };

	if (a.full.i == x->empty.full.i || b.full.i == x->empty.full.i)
		return a.full.i == x->empty.full.i ? b : a;
	to.known = is_known(a) && is_known(b) ? to.full : new_node(x);
	grammar_add_concat(x->grammar, to.full, a.full, b.full);
	if (!is_known(to)) {
		grammar_add_concat(x->grammar, to.known, a.known, b.full);
		grammar_add_concat(x->grammar, to.known, a.full, b.known);
	}
	return to;
}

struct text text_operation(struct values *v, const struct operation *op, struct text a, struct text b)
{
	struct texts *x = &v->texts;
	struct text to = { .full = new_node(x) };

	to.known = is_known(a) && is_known(b) ? to.full : new_node(x);
	grammar_add_operation(x->grammar, to.full, op, a.full, b.full);
	if (!is_known(to))
		grammar_add_operation(x->grammar, to.known, op, a.known, b.known);
	return to;
}

struct text text_test(struct values *v, const struct operation *op, struct text a, bool says_something)
{
	struct text to = text_operation(v, op, a, (struct text){ 0 });

	return says_something ? (struct text){ to.full, to.full } : to;
}

/* Questions */

void texts_ask(struct values *v, uint32_t node, enum name_use use)
{
	uint32_t *row = map_at(&v->texts.asked_of, node);

	if (!*row) {
		vec_push(&v->texts.asked, (struct name){ .node = node });
		*row = v->texts.asked.len;
	}
	struct name *name = &v->texts.asked.data[*row - 1];
	if (!(name->uses & use))
		name->full = name->known = NULL;
	name->uses |= (uint8_t)use;
	v->texts.has_grown = true;
}

const struct name *texts_find(const struct values *v, uint32_t node)
{
	uint32_t row = map_get(&v->texts.asked_of, node);

	return row ? &v->texts.asked.data[row - 1] : NULL;
}

bool texts_have(const struct values *v, uint32_t node, str_id s)
{
	const struct name *name = texts_find(v, node);
	uint32_t bit = map_get(&v->meta_numbers, meta_of(META_STRING, s.i));
	const struct vnode *n = &v->nodes.data[node];

	if (bit && (bit - 1) / 64 < n->metas.len && n->metas.data[(bit - 1) / 64] >> ((bit - 1) % 64) & 1)
		return true;
	return name && name->filter && language_contains(name->filter, interned(&v->p->strings, s));
}

bool texts_are_open(const struct values *v, uint32_t node, enum name_use use)
{
	const struct name *name = texts_find(v, node);

	return name ? name->open & use : v->nodes.data[node].is_open;
}

/* The first that is any string, breadth first. */
uint32_t texts_blame(const struct values *v, uint32_t node)
{
	VEC(uint32_t) work = { 0 };
	struct map seen = { 0 };
	uint32_t found = 0;

	vec_push(&work, node);
	for (uint32_t i = 0; i < work.len && !found; i++) {
		const struct vnode *n = &v->nodes.data[work.data[i]];
		if (*map_at(&seen, work.data[i]))
			continue;
		*map_at(&seen, work.data[i]) = 1;
		found = n->is_any ? work.data[i] : 0;
		for (uint32_t k = 0; k < n->parts.len; k++)
			vec_push(&work, n->parts.data[k]);
		for (uint32_t k = 0; k < n->inputs.len && !n->query; k++)
			vec_push(&work, n->inputs.data[k]);
	}
	vec_release(&work);
	map_release(&seen);
	return found ? found : node;
}

struct adding {
	struct values *v;
	uint32_t node;
};

static void add_string(void *ctx, struct str s)
{
	struct adding *x = ctx;

	vnode_add(x->v, x->node, meta_of(META_STRING, intern(&x->v->p->strings, s).i));
}

static bool is_listed(struct texts *x, const struct language *l, struct language_list *out)
{
	*out = language_list(x->languages, l, LISTED_MOST);
	return language_is_finite(l) && !out->more;
}

/* What the node may be, as far as that can be said: by its strings, by the classes whose names they are, or by a test of names. */
static void answer(struct values *v, struct name *name, const struct language *l)
{
	struct language_list list;
	struct adding to = { v, name->node };

	name->filter = NULL;
	if (language_is_any(l))
		return;
	if (is_listed(&v->texts, l, &list)) {
		for (uint32_t i = 0; i < list.n; i++)
			add_string(&to, list.s[i]);
		return;
	}
	name->filter = l;
	name->open |= NAME_OTHER;
	if (!(name->uses & NAME_OF_CLASS))
		return;
	uint32_t n = class_names_match(v, l, CLASSES_MOST, add_string, &to);
	v->nodes.data[name->node].is_nowhere |= n == 0;
	if (n > CLASSES_MOST || (n == 0 && v->opt->level == DYNAMIC_LISTED))
		name->open |= NAME_OF_CLASS;
}

static bool is_same(struct texts *x, const struct language *before, const struct language *now)
{
	return before && (before == now || language_equals(x->languages, before, now));
}

static bool evaluate(struct values *v, uint32_t row)
{
	struct name name = v->texts.asked.data[row];
	struct text t = texts_of(v, name.node);
	const struct language *full = grammar_language(v->texts.grammar, t.full);
	const struct language *known = language_is_any(full) ? grammar_language(v->texts.grammar, t.known) : full;

	if (is_same(&v->texts, name.full, full) && is_same(&v->texts, name.known, known))
		return false;
	name.full = full;
	name.known = known;
	name.version++;
	if (language_is_any(full))
		name.open = NAME_OF_CLASS | NAME_OF_MEMBER | NAME_OTHER;
	answer(v, &name, known);
	v->texts.asked.data[row] = name;
	vnode_tell_users(v, name.node);
	return true;
}

bool texts_evaluate(struct values *v)
{
	bool is_new = false;

	if (!v->texts.has_grown)
		return false;
	v->texts.has_grown = false;
	for (uint32_t i = 0; i < v->texts.asked.len; i++)
		is_new |= evaluate(v, i);
	return is_new;
}
