/* SPDX-License-Identifier: Apache-2.0 */
/* Why a condition rules a call out, in words: the nearest branch that is decided, and what decides it. Values are named as far as
 * class files do. */
#include "analysis/chains/prune_p.h"

#define MOST_NESTED 3

struct telling {
	struct chain_prune *u;
	const struct evaluation *e;
	struct strbuf *out;
};

static const char *const relations[] = { "==", "!=", "<", ">=", ">", "<=" };

static void add_short_class(struct telling *t, class_id c)
{
	struct strbuf name = { 0 };

	print_class(t->u->x->p, c, &name);
	struct str s = strbuf_str(&name);
	strbuf_addstr(t->out, str_sub(s, (uint32_t)(str_rfind(s, '.') + 1), s.len));
	strbuf_release(&name);
}

static void add_value(struct telling *t, ir_value v, uint32_t depth);

static void add_operand(struct telling *t, const struct ir_stmt *s, uint32_t k, uint32_t depth)
{
	add_value(t, t->e->code->body->args[s->args + k], depth);
}

static void add_field(struct telling *t, const struct ir_stmt *s)
{
	struct program *p = t->u->c.p;

	if (s->op == IR_GETSTATIC) {
		add_short_class(t, fref_row(p, (fref_id){ s->ref })->owner);
		strbuf_addch(t->out, '.');
	}
	strbuf_addstr(t->out, sel_name(p, fref_row(p, (fref_id){ s->ref })->sel));
}

static void add_param(struct telling *t, uint32_t k)
{
	if (!t->e->code->is_static && k == 0)
		strbuf_adds(t->out, "this");
	else
		strbuf_addf(t->out, "parameter %u", (unsigned)(k + (t->e->code->is_static ? 1 : 0)));
}

static void add_value(struct telling *t, ir_value v, uint32_t depth)
{
	const struct ir_stmt *s = t->e->code->def[v];
	struct program *p = t->u->c.p;
	unsigned op = s && depth < MOST_NESTED ? s->op : IR_UNDEF;

	switch (op) {
	case IR_PARAM: add_param(t, s->ref); break;
	case IR_CONST_NULL: strbuf_adds(t->out, "null"); break;
	case IR_CONST_INT: strbuf_addf(t->out, "%d", (int)(int32_t)s->ref); break;
	case IR_CONST_CLASS: add_short_class(t, (class_id){ s->ref }), strbuf_adds(t->out, ".class"); break;
	case IR_CONST_STRING: strbuf_adds(t->out, "a string"); break;
	case IR_GETFIELD: case IR_GETSTATIC: add_field(t, s); break;
	case IR_CAST: add_operand(t, s, 0, depth + 1); break;
	case IR_LENGTH: add_operand(t, s, 0, depth + 1), strbuf_adds(t->out, ".length"); break;
	case IR_INSTANCEOF:
		add_operand(t, s, 0, depth + 1);
		strbuf_adds(t->out, " instanceof ");
		add_short_class(t, (class_id){ s->ref });
		break;
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE:
		strbuf_addstr(t->out, sel_name(p, mref_row(p, (mref_id){ s->ref })->sel));
		strbuf_adds(t->out, "()");
		break;
	default: strbuf_adds(t->out, "a value"); break;
	}
}

static bool is_boolean(struct telling *t, ir_value v)
{
	const struct ir_stmt *s = t->e->code->def[v];
	struct program *p = t->u->c.p;

	if (!s || s->op == IR_INSTANCEOF)
		return s != NULL;
	if (s->op == IR_GETFIELD || s->op == IR_GETSTATIC)
		return str_is(sel_desc(p, fref_row(p, (fref_id){ s->ref })->sel), "Z");
	if (ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC) {
		struct str desc = sel_desc(p, mref_row(p, (mref_id){ s->ref })->sel);
		return desc.p[desc.len - 1] == 'Z';
	}
	struct value x = s->op == IR_PARAM ? conditions_param(&t->u->c, t->e->code->m, s->ref) : VALUE_UNKNOWN;
	return x.kind == VALUE_INT && x.low == 0 && x.high == 1;
}

/* What holds at an IR_IF of which one side is dead. */
static void add_condition(struct telling *t, const struct ir_stmt *s, bool holds)
{
	const ir_value *args = &t->e->code->body->args[s->args];
	unsigned r = (unsigned)(s->sub - (s->sub >= 159 ? 159 : 153)) % 6;

	add_value(t, args[0], 0);
	if (s->sub == 198 || s->sub == 199)
		strbuf_adds(t->out, (s->sub == 198) == holds ? " is null" : " is not null");
	else if (s->sub <= 154 && is_boolean(t, args[0]))
		strbuf_adds(t->out, (s->sub == 154) == holds ? " is true" : " is false");
	else if (s->sub <= 158)
		strbuf_addf(t->out, " %s 0", relations[holds ? r : r ^ 1]);
	else {
		strbuf_addf(t->out, " %s ", relations[s->sub >= 165 ? (unsigned)(s->sub - 165) ^ !holds : holds ? r : r ^ 1]);
		add_value(t, args[1], 0);
	}
}

static void add_branch(struct telling *t, const struct ir_stmt *s, uint32_t block)
{
	int32_t number;

	if (s->op == IR_IF) {
		add_condition(t, s, t->e->taken[block] & 1);
		return;
	}
	add_operand(t, s, 0, 0);
	if (value_is_int(evaluation_use(&t->u->c, t->e, t->e->code->body->args[s->args], block), &number))
		strbuf_addf(t->out, " is %d", (int)number);
	else
		strbuf_adds(t->out, " is no such case");
}

static void tell_branch(struct telling *t, uint32_t dead_block, struct chain_reason *r)
{
	const struct ir_stmt *s = evaluation_why(t->e, dead_block);

	if (!s || (s->op != IR_IF && s->op != IR_SWITCH)) {
		strbuf_adds(t->out, "no way leads there");
		return;
	}
	r->pc = s->pc;
	add_branch(t, s, t->e->code->block_of[s - t->e->code->body->stmts]);
}

static void tell_receiver(struct telling *t, const struct chain_site *site, const struct site_fact *f)
{
	const struct ir_body *b = t->e->code->body;

	for (uint32_t i = 0; i < b->nstmts; i++)
		if (ir_is_call(b->stmts[i].op) && b->stmts[i].pc == site->pc && b->stmts[i].ref == site->declared.i && b->stmts[i].nargs) {
			add_operand(t, &b->stmts[i], 0, 0);
			break;
		}
	if (value_is_null(f->receiver)) {
		strbuf_adds(t->out, " is null");
		return;
	}
	strbuf_adds(t->out, " is a ");
	add_short_class(t, f->receiver.cls);
}

static struct chain_reason find_reason(struct chain_prune *u, const struct chain_edge *edge, uint32_t context)
{
	const struct chain_site *site = &u->x->sites.data[edge->site];
	const struct site_fact *f = prune_fact(u, edge, context);
	struct chain_reason r = { .method = u->x->methods.data[edge->from], .pc = site->pc };
	struct evaluation e;

	strbuf_clear(&u->text);
	if (!prune_evaluate(u, edge->from, context, &e))
		return r;
	struct telling t = { u, &e, &u->text };
	if (f->is_live)
		tell_receiver(&t, site, f);
	else
		tell_branch(&t, f->dead_block, &r);
	evaluation_release(&e);
	r.line = u->c.p->source.line(u->c.p->source.ctx, u->c.p, r.method, r.pc);
	r.text = arena_strdup(&u->mem, u->text.s ? u->text.s : "");
	return r;
}

struct chain_reason chain_prune_why(struct chain_prune *u, uint32_t edge, uint32_t context)
{
	const struct chain_edge *e = &u->x->edges.data[edge];
	uint32_t place = map_get(&u->facts_of, map_key(e->from, context));
	uint32_t known = map_get(&u->reason_of, map_key(place, edge));

	if (known)
		return u->reasons.data[known - 1];
	struct chain_reason r = find_reason(u, e, context);
	place = map_get(&u->facts_of, map_key(e->from, context));
	vec_push(&u->reasons, r);
	*map_at(&u->reason_of, map_key(place, edge)) = u->reasons.len;
	return r;
}
