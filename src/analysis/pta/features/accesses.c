/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields and elements methods read and write: also those that hold no references, which no constraint is about. The variable
 * of whose objects they are is kept, so that each solution says which objects. */
#include "analysis/pta/feature.h"

#include "ir/access.h"

static bool is_access(unsigned op)
{
	return op == IR_GETFIELD || op == IR_PUTFIELD || op == IR_ALOAD || op == IR_ASTORE;
}

bool accesses_matter(const struct frame *f ATTR_UNUSED, const struct ir_stmt *s)
{
	return is_access(s->op);
}

static bool is_constructor(const struct maker *k)
{
	return str_is(sel_name(k->a->p, method_row(k->a->p, k->caller.m)->sel), "<init>");
}

/* Until its constructor is over, nobody has used an object: what it writes to it is new. */
bool accesses_makes(const struct maker *k, const struct ir_stmt *s)
{
	bool is_this = s->op == IR_PARAM && !s->ref && !k->depth;

	return s->op == IR_NEW || s->op == IR_NEWARRAY || (is_this && is_constructor(k));
}

static void add(struct maker *k, struct t_access x)
{
	vec_push(&k->accesses, x);
}

/* The variable of null has no objects. */
static void add_base(struct maker *k, const struct frame *f, const struct ir_stmt *s, struct t_access x)
{
	x.base = frame_operand(f, s, 0);
	x.is_made = f->is_made[f->body->args[s->args]];
	if (x.base)
		add(k, x);
}

/* Until its class is initialised, nobody but its initialiser has used a static field. */
static bool is_initialising(const struct maker *k, uint32_t field)
{
	const struct program *p = k->a->p;

	return str_is(sel_name(p, method_row(p, k->caller.m)->sel), "<clinit>") &&
	       method_row(p, k->caller.m)->owner.i == field_row(p, (field_id){ field })->owner.i;
}

static void add_field(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	bool is_write = s->op == IR_PUTFIELD || s->op == IR_PUTSTATIC, is_static = s->op == IR_GETSTATIC || s->op == IR_PUTSTATIC;
	uint32_t field = jvm_or_field(k, (fref_id){ s->ref });

	if (is_jvm_field(field))
		return;
	if (!field)
		add(k, (struct t_access){ .sort = ACCESS_UNKNOWN, .is_write = is_write });
	else if (!(field_row(k->a->p, (field_id){ field })->flags & ACCESS_STATIC) == is_static)
		return;          /* the JVM would throw */
	else if (is_static)
		add(k, (struct t_access){ .sort = ACCESS_GLOBAL, .is_write = is_write, .ref = field,
					  .is_made = is_initialising(k, field) });
	else
		add_base(k, f, s, (struct t_access){ .sort = ACCESS_FIELD, .is_write = is_write, .ref = field });
}

static void add_both(struct maker *k, enum access_sort sort, uint32_t base)
{
	add(k, (struct t_access){ .sort = sort, .base = base });
	add(k, (struct t_access){ .sort = sort, .is_write = true, .base = base });
}

/* Accesses of VarHandles are about the first of their coordinates. Without one, the field is static. */
static void add_var_handle(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	struct ir_mref row = *mref_row(k->a->p, (mref_id){ s->ref });
	class_id handle = program_find_class(k->a->p, STR("java/lang/invoke/VarHandle"));
	method_id m = row.owner.i == handle.i && handle.i ? row.target : (method_id){ 0 };
	uint16_t flags = m.i ? method_row(k->a->p, m)->flags : 0;
	uint32_t base = s->nargs > 1 ? frame_operand(f, s, 1) : 0;

	if (!(flags & ACCESS_NATIVE) || !(flags & ACCESS_VARARGS))
		return;
	add_both(k, base ? ACCESS_ANY : ACCESS_UNKNOWN, base);
}

void accesses_of_stmt(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_GETFIELD:
	case IR_PUTFIELD:
	case IR_GETSTATIC:
	case IR_PUTSTATIC:
		add_field(k, f, s);
		break;
	case IR_ALOAD:
	case IR_ASTORE:
		add_base(k, f, s, (struct t_access){ .sort = ACCESS_ELEMENT, .is_write = s->op == IR_ASTORE });
		break;
	case IR_CALL_VIRTUAL:
		add_var_handle(k, f, s);
		break;
	default:
		break;
	}
}

/* Natives */

/* A parameter, receiver first, that is a reference: its variable. */
static uint32_t param_var(struct maker *k, uint32_t i)
{
	if (i >= k->nparams || !k->param_types[i].i)
		return 0;
	if (!k->params[i])
		k->params[i] = maker_var(k, k->param_types[i]);
	return k->params[i];
}

static void add_any(struct maker *k, uint32_t base, bool is_write)
{
	if (base)
		add(k, (struct t_access){ .sort = ACCESS_ANY, .is_write = is_write, .base = base });
}

static void add_param(struct maker *k, uint32_t i, bool is_write)
{
	add_any(k, param_var(k, i), is_write);
}

/* What the field fd of a parameter has. */
static uint32_t descriptor_var(struct maker *k, uint32_t i)
{
	struct program *p = k->a->p;
	sel_id sel = program_sel(p, STR("fd"), STR("Ljava/io/FileDescriptor;"));
	uint32_t base = param_var(k, i), field = jvm_or_field(k, program_fref(p, method_row(p, k->caller.m)->owner, sel));

	if (!base || !field)
		return 0;
	uint32_t v = maker_var(k, program_class_of_desc(p, sel_desc(p, sel)));
	maker_emit(k, (struct t_stmt){ .op = T_LOAD, .to = v, .from = base, .ref = field });
	return v;
}

/* Two letters of natives.def. */
static void add_row(struct maker *k, const char *what)
{
	uint32_t i = (uint32_t)(what[1] - '0');
	bool is_descriptor = what[0] == 'R' || what[0] == 'W';

	add_any(k, is_descriptor ? descriptor_var(k, i) : param_var(k, i), what[0] == 'w' || what[0] == 'W');
}

static const char *find_row(struct str cls, struct str name)
{
	static const struct { const char *cls, *name, *what; } rows[] = {
#define NATIVE(cls, name, what) { cls, name, what },
#include "analysis/pta/features/natives.def"
#undef NATIVE
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_is(cls, rows[i].cls) && (str_is(name, rows[i].name) || rows[i].name[0] == '*'))
			return rows[i].what;
	return NULL;
}

/* (object, offset, ...): what its name says; no object: memory that is no object's. */
static bool is_memory(struct maker *k, struct str cls, struct str name)
{
	if (!str_ends(cls, "misc/Unsafe"))
		return false;
	bool is_copy = str_starts(name, "copy"), is_get = str_starts(name, "get") && !str_starts(name, "getAnd");

	for (uint32_t i = 1; i < k->nparams; i++)
		if (k->param_types[i].i == k->a->p->object.i && (i == 1 || is_copy)) {
			if (!is_copy || i == 1)
				add_param(k, i, false);
			if (is_copy ? i > 1 : !is_get)
				add_param(k, i, true);
		}
	return true;
}

static void add_all_params(struct maker *k)
{
	for (uint32_t i = 0; i < k->nparams; i++) {
		add_param(k, i, false);
		if (k->param_types[i].i != k->a->p->string.i)
			add_param(k, i, true);
	}
}

void accesses_of_native(struct maker *k)
{
	struct ir_method row = *method_row(k->a->p, k->caller.m);
	struct str cls = class_name(k->a->p, row.owner), name = sel_name(k->a->p, row.sel);
	const char *what = find_row(cls, name);

	vec_clear(&k->accesses);         /* of a model, which speaks of references alone */
	for (; what && what[0] && what[1]; what += 2)
		add_row(k, what);
	if (what || is_memory(k, cls, name))
		return;
	if (k->has_body)
		add_all_params(k);
	else
		add(k, (struct t_access){ .sort = ACCESS_UNKNOWN, .is_write = true });
}
