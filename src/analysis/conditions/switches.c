/* SPDX-License-Identifier: Apache-2.0 */
/* Switches on enums: javac translates ordinals by a table, `$SwitchMap$...`, of a class that it makes for that: element
 * E.X.ordinal() is the number of the case of X, or 0. */
#include "analysis/conditions/conditions.h"
#include "ir/access.h"

static bool is_table(struct conditions *c, const struct ir_stmt *s)
{
	if (!s || s->op != IR_GETSTATIC || resolve_field(c->h, (fref_id){ s->ref }) != RESOLVE_OK)
		return false;
	const struct ir_field *f = field_row(c->p, fref_row(c->p, (fref_id){ s->ref })->target);
	return str_starts(sel_name(c->p, f->sel), "$SwitchMap$") && (class_row(c->p, f->owner)->flags & ACCESS_SYNTHETIC) &&
	       (f->flags & ACCESS_FINAL);
}

/* The constant that a store of the table is for; none: it is no such store. */
static field_id constant_at(struct conditions *c, const struct code *k, const struct ir_stmt *s, uint32_t table)
{
	const ir_value *args = &k->body->args[s->args];
	const struct ir_stmt *array = k->def[args[0]], *index = k->def[args[1]], *value = k->def[args[2]];

	if (!array || array->op != IR_GETSTATIC || array->ref != table || !value || value->op != IR_CONST_INT || !index ||
	    !ir_is_call(index->op) || index->nargs != 1)
		return (field_id){ 0 };
	const struct ir_stmt *of = k->def[k->body->args[index->args]];
	if (!of || of->op != IR_GETSTATIC || resolve_field(c->h, (fref_id){ of->ref }) != RESOLVE_OK)
		return (field_id){ 0 };
	return fref_row(c->p, (fref_id){ of->ref })->target;
}

static struct value read_table(struct conditions *c, const struct code *k, uint32_t table, uint32_t constant)
{
	struct value v = value_int(0);

	for (uint32_t i = 0; i < k->body->nstmts; i++) {
		const struct ir_stmt *s = &k->body->stmts[i];
		if (s->op != IR_ASTORE)
			continue;
		field_id f = constant_at(c, k, s, table);
		if (!f.i && k->def[k->body->args[s->args]]->ref == table)
			return VALUE_UNKNOWN;
		if (f.i == constant)
			v = value_int((int32_t)k->def[k->body->args[s->args + 2]]->ref);
	}
	return v;
}

struct value conditions_element(struct conditions *c, const struct evaluation *e, const struct ir_stmt *load, uint32_t block)
{
	const ir_value *args = &e->code->body->args[load->args];
	struct value index = evaluation_use(c, e, args[1], block);
	const struct ir_stmt *array = e->code->def[args[0]];

	if (index.kind == VALUE_NONE)
		return index;
	if (index.kind != VALUE_ORDINAL || !is_table(c, array))
		return VALUE_UNKNOWN;
	class_id owner = field_row(c->p, fref_row(c->p, (fref_id){ array->ref })->target)->owner;
	method_id clinit = program_declared(c->p, owner, c->clinit);
	const struct code *k = clinit.i ? conditions_code(c, clinit) : NULL;
	return k ? read_table(c, k, array->ref, index.id) : VALUE_UNKNOWN;
}
