/* SPDX-License-Identifier: Apache-2.0 */
/* In which order answers are solved, and on top of what.
 *
 * Answers with the same callees share what these do whatever they are given: that is solved first, and each of them on top of it. Most
 * are small. Large ones have nearly all in common, since they come to the same part of the library by one way or the other, and what
 * they share is solved once: where some answers took too much work, a *beginning* is looked for that they all come to (beginning.c).
 * From then on an answer is looked at from where the beginning is near, and left as soon as it is seen to come there. At the end, what
 * the beginning leads to is solved, and on top of it, as a *level* of its own in the same way, the answers that come to it.
 *
 * A beginning is not seen in answers that come to its part of the library elsewhere. So other methods and objects are looked for that
 * lead to it: these are signs of it, too. What leads elsewhere is another beginning of the same level. */
#include "analysis/pta/reach/asking.h"

#ifdef SHERD_TORTURE
#define MUCH 100u
#define VERY_MUCH 400u
#else
#define MUCH (1u << 17)          /* words: who walks more is looked at later, with others like it */
#define VERY_MUCH (3u << 19)     /* an answer that walked so much came to what large answers share */
#endif
#define FAR 6                    /* methods that lead far: so many are compared */
#define FEW 4                    /* large answers: worth a look */
#define MANY 12                  /* ... also for a beginning that is not large itself, but has half of what one of them has */
#define LOOKS 8                  /* at a level */
#define LEVELS 6

struct level {
	struct asking *q;
	uint32_t depth;
	const uint32_t *shapes;
	uint32_t nshapes;
	VEC(uint32_t) large;             /* answers, some of which come to a beginning since */
	uint32_t fresh;                  /* from here on, they came since the last look */
	uint32_t looks, few;             /* how many; after how many large answers more is the next one */
	beginning_list to;               /* beginnings, and others that lead to one of those before them */
	uint32_t nbeginnings;
	struct nearness *nearness;       /* of all levels */
	const uint8_t *near;             /* to these */
};

static bool is_at(const struct level *l, uint32_t answer, enum progress which)
{
	const struct answer *x = &l->q->answers.data[answer];

	return x->level == l->depth && x->progress == which;
}

static bool has_large(const struct level *l, uint32_t shape)
{
	struct shape s = l->q->shapes.data[shape];

	for (uint32_t i = s.first; i < s.first + s.n; i++)
		if (is_at(l, l->q->order.data[i], LARGE))
			return true;
	return false;
}

/* One answer */

static void open_run(struct level *l, uint32_t limit)
{
	struct reach *r = l->q->r;

	r->limit = limit ? part_work(r->part) + limit : 0;
	r->stop_at = l->to.len ? &l->to : NULL;
	r->near = l->to.len ? l->near : NULL;
}

static void close_run(struct level *l)
{
	l->q->r->limit = 0;
	l->q->r->stop_at = NULL;
	l->q->r->near = NULL;
}

struct outcome { enum progress how; uint32_t beginning, size; };         /* size: instances */

static struct outcome run(struct level *l)
{
	struct reach *r = l->q->r;
	bool is_done = reach_run(r);
	const struct beginning *b = is_done ? NULL : beginnings_hold(r, r->stop_at);

	return (struct outcome){ is_done ? DONE : b ? BEGUN : LARGE, b ? b->of : 0, r->instances.len };
}

static void set_outcome(struct level *l, uint32_t answer, struct outcome o)
{
	l->q->answers.data[answer].progress = (uint8_t)o.how;
	l->q->answers.data[answer].beginning = o.beginning;
	if (o.how == LARGE)
		vec_push(&l->large, answer);
}

/* On top of its shape. */
static void solve_answer(struct level *l, uint32_t answer, uint32_t limit)
{
	struct reach_mark m = reach_mark(l->q->r);

	open_run(l, limit);
	begin_answer(l->q, answer);
	struct outcome o = run(l);
	if (o.how == DONE)
		finish_answer(l->q, answer);
	set_outcome(l, answer, o);
	close_run(l);
	reach_undo(l->q->r, m);
}

/* The answers of a shape that are as far as `from`; without a limit, none of these is large then. */
static void solve_shape(struct level *l, uint32_t shape, enum progress from, uint32_t limit)
{
	struct asking *q = l->q;
	struct shape s = q->shapes.data[shape];
	struct reach_mark m = reach_mark(q->r);

	open_run(l, limit);
	begin_shape(q, shape);
	struct outcome o = run(l);
	close_run(l);
	for (uint32_t i = s.first; i < s.first + s.n; i++) {
		uint32_t answer = q->order.data[i];
		if (is_at(l, answer, from) && o.how == DONE)
			solve_answer(l, answer, limit);
		else if (is_at(l, answer, from))
			set_outcome(l, answer, o);
	}
	reach_undo(q->r, m);
}

/* Looking for a beginning: among the methods that an answer comes to, those that lead far; and the one of them that most others lead
 * to, which are signs of it. */

struct look {
	beginning_list signs;            /* that lead to what the level has */
	beginning_list all;              /* that lead far */
	VEC(uint8_t) leads;              /* [i * all.len + k]: all[i] leads to all[k] */
	struct outcome answer;           /* of the answer that they were noted of: BEGUN wants signs alone */
};

/* Methods that a large answer comes to, until it is done or comes to a beginning that is known. */
static struct outcome note_answer(struct level *l, uint32_t answer, beginning_list *out)
{
	struct asking *q = l->q;
	struct reach_mark m = reach_mark(q->r);

	open_run(l, VERY_MUCH);
	begin_shape(q, q->shape_of.data[answer]);
	begin_answer(q, answer);
	struct outcome o = run(l);
	close_run(l);
	if (o.how == DONE)
		finish_answer(q, answer);
	else
		beginnings_note(q->r, out);
	q->answers.data[answer].progress = (uint8_t)o.how;
	q->answers.data[answer].beginning = o.beginning;
	reach_undo(q->r, m);
	return o;
}

/* DONE: it leads to little. BEGUN: to one of those. LARGE: to more than the limit. */
static struct outcome try_beginning(struct level *l, const struct beginning *b, const beginning_list *to, const uint8_t *near,
				    uint32_t limit)
{
	struct reach *r = l->q->r;
	struct reach_mark m = reach_mark(r);

	r->limit = part_work(r->part) + limit;
	r->stop_at = to;
	r->near = near;
	beginning_state(r, b);
	struct outcome o = run(l);
	close_run(l);
	reach_undo(r, m);
	return o;
}

/* Those that lead far; and signs of what the level has, at once. Few of each are enough. */
static void try_noted(struct level *l, struct look *k, beginning_list *noted)
{
	bool is_known = k->answer.how == BEGUN;
	uint32_t far = 0;

	for (uint32_t i = 0; i < noted->len; i++) {
		struct beginning *b = &noted->data[i];
		struct outcome o = { DONE, 0, 0 };
		if (far < FAR && k->signs.len < FAR && !l->q->r->stopped)
			o = try_beginning(l, b, l->to.len ? &l->to : NULL, l->to.len ? l->near : NULL, is_known ? MUCH / 4 : MUCH);
		b->of = o.beginning;
		far += o.how == LARGE;
		if (o.how == BEGUN)
			vec_push(&k->signs, *b);
		else if (o.how == LARGE && !is_known)
			vec_push(&k->all, *b);
		else
			vec_release(&b->given);
	}
	vec_release(noted);
}

static void add_signs(struct level *l, struct look *k)
{
	for (uint32_t i = 0; i < k->signs.len; i++)
		vec_push(&l->to, k->signs.data[i]);
	if (k->signs.len)
		l->near = nearness_to(l->nearness, &l->to);
	vec_release(&k->signs);
}

static void find_leads(struct level *l, struct look *k)
{
	uint32_t n = k->all.len;

	vec_reserve(&k->leads, n * n);
	k->leads.len = n * n;
	for (uint32_t to = 0; to < n; to++) {
		beginning_list one = { .data = &k->all.data[to], .len = 1, .cap = 1 };
		const uint8_t *near = nearness_to(l->nearness, &one);
		for (uint32_t i = 0; i < n; i++)
			k->leads.data[i * n + to] = i == to || try_beginning(l, &k->all.data[i], &one, near, MUCH / 2).how == BEGUN;
	}
}

static uint32_t find_best(const struct look *k)
{
	uint32_t n = k->all.len, best = 0, most = 0;

	for (uint32_t to = 0; to < n; to++) {
		uint32_t votes = 0;
		for (uint32_t i = 0; i < n; i++)
			votes += k->leads.data[i * n + to];
		if (votes > most) {
			most = votes;
			best = to;
		}
	}
	return best;
}

/* The beginning that it leads to: by its number, one of the level's, or a new one. False: it is not worth it. */
static bool choose_beginning(struct level *l, const struct look *k, const struct beginning *b, uint32_t *of)
{
	bool has_some = l->to.len;
	struct outcome o = try_beginning(l, b, has_some ? &l->to : NULL, has_some ? l->near : NULL, 2 * VERY_MUCH);

	*of = o.how == BEGUN ? o.beginning : l->nbeginnings;
	return o.how != DONE || (l->large.len >= MANY && o.size >= k->answer.size / 2);
}

/* It goes first, so that its number is that of the first one that has it. */
static void add_beginning(struct level *l, struct look *k, uint32_t best)
{
	uint32_t n = k->all.len, of;

	l->near = l->to.len ? nearness_to(l->nearness, &l->to) : NULL;
	if (!choose_beginning(l, k, &k->all.data[best], &of))
		return;
	l->nbeginnings += of == l->nbeginnings;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t which = !i ? best : i == best ? 0 : i;
		if (!k->leads.data[which * n + best])
			continue;
		k->all.data[which].of = of;
		vec_push(&k->signs, k->all.data[which]);
		k->all.data[which] = (struct beginning){ 0 };
	}
}

/* Another beginning, or signs of one that there is, that the last large answer of the level comes to; false: none. */
static bool look(struct level *l)
{
	struct look k = { 0 };
	beginning_list noted = { 0 };

	l->looks++;
	for (uint32_t i = l->large.len, tries = 0; i-- > l->fresh && tries++ < FEW && !noted.len && !l->q->r->stopped;)
		if (is_at(l, l->large.data[i], LARGE))
			k.answer = note_answer(l, l->large.data[i], &noted);
	try_noted(l, &k, &noted);
	if (!k.signs.len && k.all.len) {
		find_leads(l, &k);
		add_beginning(l, &k, find_best(&k));
	}
	bool is_found = k.signs.len || k.answer.how == BEGUN;
	add_signs(l, &k);
	l->few = is_found ? FEW : 2 * l->few;
	l->fresh = l->large.len;
	vec_release(&k.leads);
	beginnings_release(&k.all);
	return is_found;
}

/* Levels */

static void solve_level(struct level *l);

/* Answers of the shape that come to the beginning: they are open again, a level higher. False: there are none. */
static bool raise_shape(struct level *l, uint32_t shape, uint32_t beginning)
{
	struct shape s = l->q->shapes.data[shape];
	bool has_some = false;

	for (uint32_t i = s.first; i < s.first + s.n; i++) {
		struct answer *x = &l->q->answers.data[l->q->order.data[i]];
		if (!is_at(l, l->q->order.data[i], BEGUN) || x->beginning != beginning)
			continue;
		x->progress = OPEN;
		x->level = (uint8_t)(l->depth + 1);
		has_some = true;
	}
	return has_some;
}

/* On top of what the beginning leads to, which is solved. */
static void solve_on_top(struct level *l, uint32_t beginning, uint32_t instance)
{
	uint32_t before = begin_sharing(l->q, instance);
	uint32_t *shapes = mem_zalloc((l->nshapes + 1) * sizeof(*shapes));
	struct level up = { .q = l->q, .depth = l->depth + 1, .nearness = l->nearness, .shapes = shapes };

	l->q->out->beginnings++;
	for (uint32_t i = 0; i < l->nshapes; i++)
		if (raise_shape(l, l->shapes[i], beginning))
			shapes[up.nshapes++] = l->shapes[i];
	solve_level(&up);
	end_sharing(l->q, before);
	free(shapes);
}

static void rename_beginning(struct level *l, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < l->nshapes; i++) {
		struct shape s = l->q->shapes.data[l->shapes[i]];
		for (uint32_t k = s.first; k < s.first + s.n; k++) {
			struct answer *x = &l->q->answers.data[l->q->order.data[k]];
			if (is_at(l, l->q->order.data[k], BEGUN) && x->beginning == from)
				x->beginning = to;
		}
	}
}

/* Takes it out, with its signs; what remains keeps its order. */
static struct beginning take_beginning(struct level *l, uint32_t of)
{
	struct beginning b = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->to.len; i++) {
		struct beginning *x = &l->to.data[i];
		if (x->of != of)
			l->to.data[n++] = *x;
		else if (!b.instance)
			b = *x;
		else
			vec_release(&x->given);
	}
	l->to.len = n;
	l->near = nearness_to(l->nearness, &l->to);
	return b;
}

/* The last one. Where it leads to another one after all, so do the answers that come to it. */
static void solve_begun(struct level *l)
{
	struct reach *r = l->q->r;
	struct reach_mark m = reach_mark(r);
	struct beginning b = take_beginning(l, --l->nbeginnings);
	struct outcome o = { LARGE, 0, 0 };

	if (l->to.len)
		o = try_beginning(l, &b, &l->to, l->near, VERY_MUCH);
	beginning_state(r, &b);
	if (o.how == BEGUN)
		rename_beginning(l, l->nbeginnings, o.beginning);
	else if (reach_run(r))
		solve_on_top(l, l->nbeginnings, b.instance);
	reach_undo(r, m);
	vec_release(&b.given);
}

/* Once more, the answers that are large: more is known by now of what they may come to. */
static void solve_again(struct level *l)
{
	l->large.len = l->fresh = 0;
	for (uint32_t i = 0; i < l->nshapes && !l->q->r->stopped; i++)
		if (has_large(l, l->shapes[i]))
			solve_shape(l, l->shapes[i], LARGE, MUCH);
	l->fresh = 0;
}

static bool may_look(const struct level *l, uint32_t few)
{
	return l->large.len - l->fresh >= few && l->looks < LOOKS && l->depth < LEVELS && !l->q->r->stopped;
}

/* As long as it takes. */
static void solve_large(struct level *l)
{
	struct asking *q = l->q;

	for (uint32_t i = 0; i < l->nshapes && !q->r->stopped; i++) {
		if (has_large(l, l->shapes[i]))
			solve_shape(l, l->shapes[i], LARGE, 0);
	}
}

static void solve_level(struct level *l)
{
	l->few = FEW;
	for (uint32_t i = 0; i < l->nshapes && !l->q->r->stopped; i++) {
		solve_shape(l, l->shapes[i], OPEN, MUCH);
		if (may_look(l, l->few))
			look(l);
	}
	l->fresh = 0;
	if (l->to.len)
		solve_again(l);
	while (may_look(l, 2) && look(l))
		solve_again(l);
	solve_large(l);
	while (l->nbeginnings && !l->q->r->stopped)
		solve_begun(l);
	beginnings_release(&l->to);
	vec_release(&l->large);
}

void solve_all(struct asking *q)
{
	struct level l = { .q = q, .nshapes = q->shapes.len, .nearness = nearness_new(q->r) };
	uint32_t *shapes = mem_zalloc((q->shapes.len + 1) * sizeof(*shapes));

	for (uint32_t i = 0; i < q->shapes.len; i++)
		shapes[i] = i;
	l.shapes = shapes;
	solve_level(&l);
	nearness_free(l.nearness);
	free(shapes);
}
