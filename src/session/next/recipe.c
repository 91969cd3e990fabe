/* SPDX-License-Identifier: Apache-2.0 */
#include "session/next/recipe.h"

#include "ir/access.h"
#include "report/java/names.h"
#include "report/java/params.h"
#include "report/write/screen.h"
#include "session/next/values.h"

void recipe_init(struct recipe *r, const struct callgraph *g, struct hierarchy *h, const struct placeholders *clients)
{
	*r = (struct recipe){ .p = callgraph_program(g), .graph = g, .h = h, .clients = clients };
	call_tree_init(&r->paths, g, clients->main);
}

void recipe_release(struct recipe *r)
{
	call_tree_release(&r->paths);
	vec_release(&r->acts);
	vec_release(&r->ways);
	map_release(&r->way_of);
}

/* Acts */

static const struct placeholder *stmt_at(const struct recipe *r, uint32_t number)
{
	return number && number <= r->clients->stmts.len ? &r->clients->stmts.data[number - 1] : NULL;
}

/* What goes in and what comes out of a call is one act. */
static void add(struct recipe *r, struct recipe_act a)
{
	if (!stmt_at(r, a.stmt))
		return;
	if (!r->acts.len || vec_last(&r->acts)->stmt != a.stmt)
		vec_push(&r->acts, a);
	else if (a.gives)
		vec_last(&r->acts)->gives = true;
}

/* What runs below a call tells of which subclass its object is. */
static void narrow(const struct recipe *r, class_id *base, method_id m)
{
	class_id owner = method_row(r->p, m)->owner;
	bool is_instance = !(method_row(r->p, m)->flags & ACCESS_STATIC);

	if (base->i && is_instance && owner.i != base->i && hierarchy_is_subtype(r->h, owner, *base))
		*base = owner;
}

/* Is it an object that the call may be given: is one of its parameters of such a type? */
static bool is_argument(const struct recipe *r, method_id callee, class_id c)
{
	struct program *p = (struct program *)r->p;
	struct str desc = sel_desc(p, method_row(p, callee)->sel);

	for (uint32_t at = 1; at < desc.len && desc.p[at] != ')';) {
		class_id type;
		at += type_at(p, str_sub(desc, at, desc.len), &type);
		if (type.i && type.i != p->object.i && hierarchy_is_subtype(r->h, c, type))
			return true;
	}
	return false;
}

static void narrow_act(const struct recipe *r, struct recipe_act *a, method_id m, class_id receiver)
{
	class_id owner = method_row(r->p, m)->owner, base = a->base;

	narrow(r, &a->base, m);
	if (a->arg.i || a->base.i != base.i || !a->callee.i || owner.i == a->base.i || hierarchy_is_subtype(r->h, receiver, owner) ||
	    method_row(r->p, m)->flags & ACCESS_STATIC || !is_argument(r, a->callee, owner))
		return;
	a->arg = owner;
}

static class_id base_of(const struct recipe *r, method_id callee)
{
	const struct ir_method *m = method_row(r->p, callee);

	return m->flags & ACCESS_STATIC || str_is(sel_name(r->p, m->sel), "<init>") ? (class_id){ 0 } : m->owner;
}

/* The client's call on a shortest way to the method. */
static struct way_to way_to(struct recipe *r, method_id m)
{
	uint32_t *row = map_at(&r->way_of, m.i);
	struct call_path path = { 0 };
	struct way_to way = { 0 };

	if (*row)
		return r->ways.data[*row - 1];
	*row = r->ways.len + 1;
	if (call_tree_path(&r->paths, m, &path) && path.calls.len && path.calls.data[0].caller.i == r->clients->main.i) {
		way.call = path.calls.data[0];
		way.base = base_of(r, way.call.callee);
		for (uint32_t i = 1; i < path.calls.len; i++)
			narrow(r, &way.base, path.calls.data[i].callee);
	}
	vec_push(&r->ways, way);
	call_path_release(&path);
	return way;
}

/* Stretches */

#define STRETCH_CALLS 64
struct stretch {
	method_id first;              /* the innermost one, where it begins */
	method_id top;                /* the outermost method so far; none: the client began it, or it is over */
	int64_t depth, least;         /* calls from the start to here; to the outermost method */
	uint32_t ncalls;              /* that it is within, from its start; `callers` has the first ones of these */
	method_id callers[STRETCH_CALLS];
	bool is_again;                /* it begins before the statement that ends the stretch before it: a call later */
};

static void begin(struct stretch *s, method_id in)
{
	*s = (struct stretch){ .first = in, .top = in };
}

static void go(struct stretch *s, int by, method_id to)
{
	s->depth += by;
	if (s->depth < s->least && s->top.i)
		s->top = to, s->least = s->depth;
}

static void enter(struct stretch *s, method_id caller)
{
	if (s->ncalls < STRETCH_CALLS)
		s->callers[s->ncalls] = caller;
	s->ncalls++;
}

/* What the client passed in comes back to it, or goes on from memory. */
static void leave(struct recipe *r, struct stretch *s, method_id to)
{
	if (s->ncalls)
		s->ncalls--;
	else
		r->is_crossed |= !s->top.i;
	if (s->ncalls < STRETCH_CALLS && s->callers[s->ncalls].i)
		r->is_crossed |= s->callers[s->ncalls].i != to.i;
	if (s->ncalls < STRETCH_CALLS)
		s->callers[s->ncalls] = (method_id){ 0 };
}

static void end(struct recipe *r, struct stretch *s)
{
	if (s->top.i) {
		struct way_to way = way_to(r, s->top);
		struct recipe_act act = { .stmt = way.call.pc, .callee = way.call.callee, .base = way.base };
		if (s->is_again && stmt_at(r, act.stmt))
			vec_push(&r->acts, act);
		else
			add(r, act);
		if (r->acts.len && vec_last(&r->acts)->stmt == act.stmt)
			narrow_act(r, vec_last(&r->acts), s->first, r->receiver);
	}
	*s = (struct stretch){ 0 };
}

static bool is_client(const struct recipe *r, method_id m)
{
	return placeholders_is_code(r->p, r->clients, m);
}

/* The number of the statement of clients that makes the step, if it is of such a sort; 0: none. */
static uint32_t client_stmt(const struct recipe *r, const struct pta_step *s, enum placeholder_sort sort)
{
	const struct placeholder *stmt = s->by.i == r->clients->main.i && s->by_pc != PC_NONE ? stmt_at(r, s->by_pc) : NULL;

	return stmt && stmt->sort == sort ? s->by_pc : 0;
}

static bool is_client_variable(const struct recipe *r, const struct pta_step *s)
{
	return s->sort == STEP_STATIC && s->field.i && field_row(r->p, s->field)->owner.i == r->clients->cls.i;
}

static bool is_memory(const struct recipe *r, const struct pta_step *s)
{
	return (s->sort == STEP_FIELD || s->sort == STEP_STATIC || s->sort == STEP_ELEMENT || s->sort == STEP_JVM ||
		s->sort == STEP_UNKNOWN) &&
	       !is_client_variable(r, s);
}

static void make_object(struct recipe *r, const struct pta_step *s, struct stretch *now)
{
	static const enum placeholder_sort makers[] = { PH_NEW, PH_ARRAY, PH_STRING };

	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		add(r, (struct recipe_act){ .stmt = client_stmt(r, s, makers[i]), .gives = true });
	if (!is_client(r, s->method))
		begin(now, s->method);
}

/* The client reads a field; other code goes on with what it read, or caught. */
static void take_object(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	uint32_t get = client_stmt(r, s, PH_GET);

	if (is_client(r, s->method)) {
		if (get && before->field.i && stmt_at(r, get)->field.i == before->field.i)
			add(r, (struct recipe_act){ .stmt = get, .gives = true });
	} else if (is_memory(r, before)) {
		begin(now, s->method);
		now->is_again = before->by.i == s->method.i && before->by_pc != PC_NONE && s->by_pc < before->by_pc;
	} else if (before->sort == STEP_THROWN) {
		leave(r, now, s->method);
		go(now, -1, s->method);
	}
}

static void pass_object(struct recipe *r, const struct pta_step *s, struct stretch *now)
{
	if (is_client(r, s->by)) {
		class_id base = s->param ? base_of(r, s->method) : (class_id){ 0 };
		add(r, (struct recipe_act){ .stmt = client_stmt(r, s, PH_CALL), .callee = s->method, .param = s->param + 1, .base = base });
		add(r, (struct recipe_act){ .stmt = client_stmt(r, s, PH_NEW), .callee = s->method, .param = s->param + 1 });
		*now = (struct stretch){ 0 };
	} else if (!s->by.i) {
		begin(now, s->method);          /* a model calls, the JVM say */
	} else {
		go(now, 1, s->method);
		enter(now, s->by);
	}
}

static void return_object(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	if (!is_client(r, s->method)) {
		leave(r, now, s->method);
		go(now, -1, s->method);
		return;
	}
	add(r, (struct recipe_act){ .stmt = client_stmt(r, s, PH_CALL), .callee = before->method, .gives = true });
	*now = (struct stretch){ 0 };
}

static void add_step(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	if (r->acts.len && s->method.i && !is_client(r, s->method))
		narrow_act(r, vec_last(&r->acts), s->method, r->receiver);
	if (!before || s->sort == STEP_NEW)
		make_object(r, s, now);
	else if (s->sort == STEP_ASSIGN)
		take_object(r, s, before, now);
	else if (s->sort == STEP_ARGUMENT)
		pass_object(r, s, now);
	else if (s->sort == STEP_RESULT)
		return_object(r, s, before, now);
	if (is_memory(r, s))
		add(r, (struct recipe_act){ .stmt = client_stmt(r, s, PH_PUT), .param = 1 });
	if (is_memory(r, s) || is_client_variable(r, s) || s->sort == STEP_CALL)
		end(r, now);
}

/* Library classes */

/* The public constructor with the fewest parameters. */
method_id easiest_constructor(const struct program *p, class_id c)
{
	const struct ir_class *k = class_row(p, c);
	method_id best = { 0 };

	for (uint32_t i = 0; i < k->nmethods; i++) {
		method_id m = { k->first_method + i };
		const struct ir_method *row = method_row(p, m);
		if (!str_is(sel_name(p, row->sel), "<init>") || !(row->flags & ACCESS_PUBLIC))
			continue;
		if (!best.i || sel_row(p, row->sel)->nargs < sel_row(p, method_row(p, best)->sel)->nargs)
			best = m;
	}
	return best;
}

static bool can_be_made(const struct program *p, class_id c)
{
	return can_be_named(p, c) && !is_inner(p, c) && !(class_row(p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)) &&
	       easiest_constructor(p, c).i;
}

/* The last step by which the client hands the object to other code; nsteps: none. */
static uint32_t last_handing(const struct recipe *r, const struct pta_witness *w)
{
	for (uint32_t i = w->nsteps; i-- > 0;)
		if (w->steps[i].sort == STEP_ARGUMENT && is_client(r, w->steps[i].by))
			return i;
	return w->nsteps;
}

void recipe_make(struct recipe *r, const struct pta_witness *w, bool is_library)
{
	uint32_t first = is_library && can_be_made(r->p, w->receiver) ? last_handing(r, w) : w->nsteps;
	struct stretch now = { 0 };

	r->receiver = w->receiver;
	r->is_crossed = false;
	vec_clear(&r->acts);
	if (first < w->nsteps)
		vec_push(&r->acts, (struct recipe_act){ .gives = true });
	else
		first = 0;
	for (uint32_t i = first; i < w->nsteps; i++)
		add_step(r, &w->steps[i], i ? &w->steps[i - 1] : NULL, &now);
	if (r->acts.len)
		narrow_act(r, vec_last(&r->acts), w->caller, w->receiver);
}

/* Text */

static void add_new(const struct program *p, class_id c, method_id constructor, struct strbuf *out)
{
	strbuf_adds(out, "new ");
	print_class(p, c, out);
	add_params(sel_desc(p, method_row(p, constructor)->sel), out);
}

/* Where another method runs than the one that the client names, that one tells more, unless nobody knows its name. */
static void add_called(const struct program *p, const struct placeholder *s, method_id callee, struct strbuf *out)
{
	bool is_other = callee.i && callee.i != s->method.i && class_row(p, method_row(p, callee)->owner)->kind == CLASS_FILE;
	const struct ir_method *m = method_row(p, is_other ? callee : s->method);

	name_source(p, is_other ? m->owner : s->via, m->sel, out);
}

static void add_field(const struct program *p, const struct placeholder *s, struct strbuf *out)
{
	print_class(p, s->via, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, field_row(p, s->field)->sel));
	strbuf_adds(out, s->sort == PH_PUT ? " =" : "");
}

void recipe_add_text(const struct recipe *r, const struct recipe_act *a, class_id receiver, struct strbuf *out)
{
	const struct placeholder *s = stmt_at(r, a->stmt);

	if (!s) {
		add_new(r->p, receiver, easiest_constructor(r->p, receiver), out);
		return;
	}
	switch (s->sort) {
	case PH_NEW:
		add_new(r->p, s->via, s->method, out);
		break;
	case PH_CALL:
		add_called(r->p, s, a->callee, out);
		break;
	case PH_GET:
	case PH_PUT:
		add_field(r->p, s, out);
		break;
	case PH_ARRAY:
		strbuf_adds(out, "new ");
		print_class(r->p, r->clients->types.data[s->to], out);
		break;
	case PH_STRING:
		strbuf_adds(out, "a string");
		break;
	default:
		strbuf_adds(out, "a class of yours");
		break;
	}
}
