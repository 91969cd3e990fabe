/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/recipe.h"

#include "ir/access.h"
#include "report/java/names.h"
#include "report/java/params.h"
#include "report/write/screen.h"

void recipe_init(struct recipe *r, const struct callgraph *g, const struct placeholders *clients)
{
	*r = (struct recipe){ .p = callgraph_program(g), .graph = g, .clients = clients };
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
static void add(struct recipe *r, uint32_t number, method_id callee)
{
	if (stmt_at(r, number) && (!r->acts.len || vec_last(&r->acts)->stmt != number))
		vec_push(&r->acts, ((struct recipe_act){ number, callee }));
}

/* The client's call on a shortest way to the method. */
static struct path_call way_to(struct recipe *r, method_id m)
{
	uint32_t *row = map_at(&r->way_of, m.i);
	struct call_path path = { 0 };
	struct path_call first = { 0 };

	if (*row)
		return r->ways.data[*row - 1];
	*row = r->ways.len + 1;
	if (call_tree_path(&r->paths, m, &path) && path.calls.len &&
	    path.calls.data[0].caller.i == r->clients->main.i)
		first = path.calls.data[0];
	vec_push(&r->ways, first);
	call_path_release(&path);
	return first;
}

/* Stretches */

struct stretch {
	method_id top;                /* the outermost method so far; none: the client began it, or it is over */
	int64_t depth, least;         /* calls from the start to here; to the outermost method */
	bool is_again;                /* it begins before the statement that ends the stretch before it: a call later */
};

static void begin(struct stretch *s, method_id in)
{
	*s = (struct stretch){ .top = in };
}

static void go(struct stretch *s, int by, method_id to)
{
	s->depth += by;
	if (s->depth < s->least && s->top.i)
		s->top = to, s->least = s->depth;
}

static void end(struct recipe *r, struct stretch *s)
{
	if (s->top.i) {
		struct path_call c = way_to(r, s->top);
		if (s->is_again && stmt_at(r, c.pc))
			vec_push(&r->acts, ((struct recipe_act){ c.pc, c.callee }));
		else
			add(r, c.pc, c.callee);
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
		add(r, client_stmt(r, s, makers[i]), (method_id){ 0 });
	if (!is_client(r, s->method))
		begin(now, s->method);
}

/* The client reads a field; other code goes on with what it read, or caught. */
static void take_object(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	uint32_t get = client_stmt(r, s, PH_GET);

	if (is_client(r, s->method)) {
		if (get && before->field.i && stmt_at(r, get)->field.i == before->field.i)
			add(r, get, (method_id){ 0 });
	} else if (is_memory(r, before)) {
		begin(now, s->method);
		now->is_again = before->by.i == s->method.i && before->by_pc != PC_NONE && s->by_pc < before->by_pc;
	} else if (before->sort == STEP_THROWN) {
		go(now, -1, s->method);
	}
}

static void pass_object(struct recipe *r, const struct pta_step *s, struct stretch *now)
{
	if (is_client(r, s->by)) {
		add(r, client_stmt(r, s, PH_CALL), s->method);
		add(r, client_stmt(r, s, PH_NEW), s->method);
		*now = (struct stretch){ 0 };
	} else if (!s->by.i) {
		begin(now, s->method);          /* a model calls, the JVM say */
	} else {
		go(now, 1, s->method);
	}
}

static void return_object(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	if (!is_client(r, s->method)) {
		go(now, -1, s->method);
		return;
	}
	add(r, client_stmt(r, s, PH_CALL), before->method);
	*now = (struct stretch){ 0 };
}

static void add_step(struct recipe *r, const struct pta_step *s, const struct pta_step *before, struct stretch *now)
{
	if (!before || s->sort == STEP_NEW)
		make_object(r, s, now);
	else if (s->sort == STEP_ASSIGN)
		take_object(r, s, before, now);
	else if (s->sort == STEP_ARGUMENT)
		pass_object(r, s, now);
	else if (s->sort == STEP_RESULT)
		return_object(r, s, before, now);
	if (is_memory(r, s))
		add(r, client_stmt(r, s, PH_PUT), (method_id){ 0 });
	if (is_memory(r, s) || is_client_variable(r, s) || s->sort == STEP_CALL)
		end(r, now);
}

/* Library classes */

/* The public constructor with the fewest parameters. */
static method_id easiest_constructor(const struct program *p, class_id c)
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

/* What every module may use: public packages of the JDK are not known apart from the others here, but these are public. */
static bool is_for_all(struct str internal)
{
	return !str_starts(internal, "sun/") && !str_starts(internal, "jdk/internal/") && !str_starts(internal, "com/sun/");
}

static bool can_be_made(const struct program *p, class_id c)
{
	const struct ir_class *k = class_row(p, c);
	struct str name = class_name(p, c);

	return k->kind == CLASS_FILE && (k->flags & ACCESS_PUBLIC) && !(k->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)) &&
	       str_rfind(name, '$') < 0 && is_for_all(name) && easiest_constructor(p, c).i;
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

	vec_clear(&r->acts);
	if (first < w->nsteps)
		vec_push(&r->acts, (struct recipe_act){ 0 });
	else
		first = 0;
	for (uint32_t i = first; i < w->nsteps; i++)
		add_step(r, &w->steps[i], i ? &w->steps[i - 1] : NULL, &now);
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
	default:
		strbuf_adds(out, "a string");
		break;
	}
}
