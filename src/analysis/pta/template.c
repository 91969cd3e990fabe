/* SPDX-License-Identifier: Apache-2.0 */
/* Methods as templates: what of their statements moves references. Done once a method, when it is first reached, together
 * with what does not depend on contexts: linking its calls and initialising classes. */
#include "analysis/pta/feature.h"

#include "ir/access.h"

/* Which values matter: those that reach a call, a field, an array, a return or a throw. */

static bool is_object(const struct frame *f, ir_value v)
{
	return v && f->body->kinds[v] == IR_KIND_OBJECT;
}

static bool mark(struct frame *f, ir_value v)
{
	if (!is_object(f, v) || f->live[v])
		return false;
	f->live[v] = true;
	return true;
}

static bool moves_references(const struct frame *f, const struct ir_stmt *s)
{
	if (f->is_made && accesses_matter(f, s))
		return true;
	switch (s->op) {
	case IR_PUTFIELD:
	case IR_PUTSTATIC:
		return is_object(f, f->body->args[s->args + s->nargs - 1]) || (f->keeps_bases && s->op == IR_PUTFIELD);
	case IR_GETFIELD:
		return is_object(f, s->result) || f->keeps_bases;
	case IR_ALOAD:
	case IR_ASTORE:
		return s->sub == IR_KIND_OBJECT;
	case IR_PHI:
	case IR_CAST:
		return f->live[s->result];
	case IR_RETURN:
	case IR_THROW:
		return true;
	default:
		return ir_is_call(s->op);
	}
}

static void find_live(struct frame *f)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = f->body->nstmts; i-- > 0;) {
			const struct ir_stmt *s = &f->body->stmts[i];
			if (!moves_references(f, s))
				continue;
			for (uint32_t k = 0; k < s->nargs; k++)
				more |= mark(f, f->body->args[s->args + k]);
		}
	}
}

/* Declared types, and which variable a value is. A phi of one value is that value. */

static class_id desc_type(struct maker *k, struct str desc)
{
	return desc.len && (desc.p[0] == 'L' || desc.p[0] == '[') ? program_class_of_desc(k->a->p, desc) : (class_id){ 0 };
}

class_id maker_result(struct maker *k, sel_id sel)
{
	struct str desc = sel_desc(k->a->p, sel);
	int64_t close = str_rfind(desc, ')');

	return close < 0 ? (class_id){ 0 } : desc_type(k, str_sub(desc, (uint32_t)close + 1, desc.len));
}

static class_id element_type(struct maker *k, class_id array)
{
	return array.i && class_row(k->a->p, array)->kind == CLASS_ARRAY ? class_row(k->a->p, array)->element : (class_id){ 0 };
}

static class_id type_of(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	struct program *p = k->a->p;

	switch (s->op) {
	case IR_PARAM:
		return s->ref < k->nparams ? k->param_types[s->ref] : (class_id){ 0 };
	case IR_NEW:
	case IR_NEWARRAY:
	case IR_CAST:
	case IR_CATCH:
		return (class_id){ s->ref };
	case IR_CONST_STRING:
		return p->string;
	case IR_CONST_CLASS:
		return p->class_;
	case IR_GETFIELD:
	case IR_GETSTATIC:
		return desc_type(k, sel_desc(p, fref_row(p, (fref_id){ s->ref })->sel));
	case IR_ALOAD:
		return element_type(k, f->types[f->body->args[s->args]]);
	case IR_CALL_STATIC:
	case IR_CALL_SPECIAL:
	case IR_CALL_VIRTUAL:
	case IR_CALL_INTERFACE:
		return maker_result(k, mref_row(p, (mref_id){ s->ref })->sel);
	default:
		return (class_id){ 0 };
	}
}

/* The one value that a phi has, or 0. */
static ir_value only_operand(const struct frame *f, const struct ir_stmt *s)
{
	ir_value only = 0;

	for (uint32_t i = 0; i < s->nargs; i++) {
		ir_value v = f->alias[f->body->args[s->args + i]];
		if (!v)      /* defined further on */
			return 0;
		if (v == s->result || v == only || f->is_null[v])
			continue;
		if (only)
			return 0;
		only = v;
	}
	return only;
}

static class_id common_type(const struct frame *f, const struct ir_stmt *s)
{
	class_id type = { 0 };

	for (uint32_t i = 0; i < s->nargs; i++) {
		ir_value v = f->body->args[s->args + i];
		if (v == s->result || f->is_null[v])
			continue;
		if (!f->types[v].i || (type.i && type.i != f->types[v].i))
			return (class_id){ 0 };
		type = f->types[v];
	}
	return type;
}

static uint32_t place_of_class(struct pta *a, class_id c)
{
	kind_id k = kind_of_class(a, c);

	return a->class_place.data[k.i];
}

uint32_t maker_var(struct maker *k, class_id type)
{
	vec_push(&k->types, type);
	if (is_constant_type(k->a, type))
		vec_push(&k->stmts, ((struct t_stmt){ .op = T_OBJECT, .to = k->types.len - 1, .ref = place_of_class(k->a, type) }));
	return k->types.len - 1;
}

/* opt.merges_slots: one variable for all values that were in a local variable first. */
static uint32_t slot_var(struct maker *k, struct frame *f, ir_value v)
{
	uint32_t *var = f->var_of_slot ? &f->var_of_slot[f->body->slots[v]] : NULL;

	if (!var || !f->body->slots[v])
		return maker_var(k, f->types[v]);
	if (!*var)
		return *var = maker_var(k, f->types[v]);
	if (k->types.data[*var].i == f->types[v].i)
		return *var;
	k->types.data[*var] = k->a->p->object;
	if (is_constant_type(k->a, f->types[v]))
		vec_push(&k->stmts, ((struct t_stmt){ .op = T_OBJECT, .to = *var, .ref = place_of_class(k->a, f->types[v]) }));
	return *var;
}

static uint32_t *merge_slots(struct maker *k, const struct ir_body *body)
{
	uint32_t last = 0;

	if (!k->a->opt.merges_slots || !body->slots)
		return NULL;
	for (uint32_t v = 1; v <= body->nvalues; v++)
		last = body->slots[v] > last ? body->slots[v] : last;
	return arena_zarray(&k->a->scratch, uint32_t, last + 1);
}

static void number_value(struct maker *k, struct frame *f, const struct ir_stmt *s)
{
	ir_value v = s->result, only;

	f->alias[v] = v;
	f->is_null[v] = s->op == IR_CONST_NULL || s->op == IR_UNDEF;
	if (s->op == IR_PHI && f->live[v] && (only = only_operand(f, s)) != 0) {
		f->alias[v] = only;
		f->types[v] = f->types[only];
		if (f->is_made)
			f->is_made[v] = f->is_made[only];
		f->var[v] = f->var[only];
		return;
	}
	f->types[v] = s->op == IR_PHI ? common_type(f, s) : type_of(k, f, s);
	if (f->is_made)
		f->is_made[v] = accesses_makes(k, s);
	if (f->live[v] && !f->is_null[v])
		f->var[v] = slot_var(k, f, v);
}

static void number_values(struct maker *k, struct frame *f)
{
	for (uint32_t i = 0; i < f->body->nstmts; i++)
		if (is_object(f, f->body->stmts[i].result))
			number_value(k, f, &f->body->stmts[i]);
}

static struct frame open_frame(struct maker *k, const struct ir_body *body)
{
	struct frame f = { .body = body, .keeps_bases = k->a->opt.keeps_bases };
	struct arena *mem = &k->a->scratch;
	uint32_t n = body->nvalues + 1;

	f.live = arena_zarray(mem, bool, n);
	f.is_null = arena_zarray(mem, bool, n);
	f.types = arena_zarray(mem, class_id, n);
	f.alias = arena_zarray(mem, ir_value, n);
	f.var = arena_zarray(mem, uint32_t, n);
	f.var_of_slot = merge_slots(k, body);
	if (k->a->opt.keeps_accesses)
		f.is_made = arena_zarray(mem, bool, n);
	find_live(&f);
	number_values(k, &f);
	return f;
}

/* Statements */

/* What a variable of a constant type holds is known from the start. */
bool maker_is_constant(const struct maker *k, uint32_t var)
{
	return is_constant_type(k->a, k->types.data[var]);
}

/* Does it assign to such a variable? */
static bool is_known(const struct maker *k, const struct t_stmt *s)
{
	bool assigns = s->op == T_OBJECT || s->op == T_COPY || s->op == T_LOAD || s->op == T_GET_ELEMENT ||
		       s->op == T_GET_STATIC || s->op == T_GET_ANY;

	return assigns && maker_is_constant(k, s->to);
}

void maker_emit(struct maker *k, struct t_stmt s)
{
	if (!is_known(k, &s))
		vec_push(&k->stmts, s);
}

/* The JDK's machinery for the JVM. What method handles and accessors of its own return is said where others use these. */
static bool is_shared(struct pta *a, method_id m)
{
	static const char *const prefixes[] = {
#define SHARED(prefix) prefix,
#include "analysis/pta/shared.def"
#undef SHARED
	};
	struct str name = class_name(a->p, method_row(a->p, m)->owner);

	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (str_starts(name, prefixes[i]))
			return true;
	return false;
}

/* What comes out of code that is not there or not modelled. */
static void emit_unknown(struct maker *k, uint32_t to)
{
	if (is_shared(k->a, k->caller.m))
		return;
	uint32_t place = place_of_unknown(k->a, k->types.data[to], origin_in(k->a, k->caller.m));
	maker_emit(k, (struct t_stmt){ .op = T_OBJECT, .to = to, .ref = place });
}

/* Everything is an Object. */
void maker_cast(struct maker *k, uint32_t to, uint32_t from, class_id c, bool is_sure)
{
	maker_emit(k, (struct t_stmt){ .op = T_COPY, .to = to, .from = from, .ref = c.i == k->a->p->object.i ? 0 : c.i,
				 .more = is_sure });
}

uint32_t frame_operand(const struct frame *f, const struct ir_stmt *s, uint32_t i)
{
	return i < s->nargs ? f->var[f->body->args[s->args + i]] : 0;
}

/* Objects */

static uint32_t add_place(struct maker *k, class_id c, uint32_t pc)
{
	struct pta *a = k->a;

	program_load(a->p, c);
	if (class_row(a->p, c)->kind == CLASS_PHANTOM)
		return 0;
	uint32_t of_world = world_place(a, k->caller.m, c);
	if (of_world)
		return of_world;
	const struct feature *feature = feature_of(a, k->caller.cls);
	uint32_t place = feature->place ? feature->place(k, c, pc) : 0;
	if (place)
		return place;
	enum heap_sort sort = heap_sort_of_class(a, c);
	bool by_site = a->policy->objects == OBJECT_OF_SITE && (sort == HEAP_SORTS || a->opt.heap.by_site[sort]);
	if (!by_site)
		return place_of_class(a, c);
	struct pta_place is = { .sort = PLACE_NEW, .cls = c, .method = k->caller.m, .pc = pc };
	vec_push(&a->places, ((struct place){ .is = is, .by_site = true }));
	return a->places.len - 1;
}

/* Constants are numbered by sort. */
enum constant_sort { CONSTANT_STRING = 1, CONSTANT_CLASS, CONSTANT_METHOD_TYPE };

/* The place of a constant: one for the program. */
static uint32_t constant_place(struct pta *a, class_id c, enum constant_sort sort, uint32_t number)
{
	enum heap_sort heap = sort == CONSTANT_STRING ? HEAP_STRINGS : HEAP_CLASSES;

	if (a->policy->objects != OBJECT_OF_SITE || !a->opt.heap.by_site[heap])
		return place_of_class(a, c);
	uint32_t *at = map_at(&a->place_by_key, map_key(sort, number));
	if (!*at) {
		*at = a->places.len;
		vec_push(&a->places, ((struct place){ .is = { .sort = PLACE_CLASS, .cls = c }, .by_site = true }));
	}
	return *at;
}

static void emit_constant(struct maker *k, uint32_t to, class_id c, enum constant_sort sort, uint32_t number)
{
	maker_emit(k, (struct t_stmt){ .op = T_OBJECT, .to = to, .ref = constant_place(k->a, c, sort, number) });
}

/* Objects with a finalizer are handed to the JVM's finalizer thread. */
static bool is_finalizable(struct pta *a, class_id c)
{
	if (class_row(a->p, c)->kind == CLASS_ARRAY)
		return false;
	for (; c.i && c.i != a->p->object.i; c = class_row(a->p, c)->super)
		if (program_declared(a->p, c, a->finalize).i)
			return true;
	return false;
}

static void emit_object(struct maker *k, uint32_t to, class_id c, uint32_t pc)
{
	struct pta *a = k->a;
	uint32_t place = add_place(k, c, pc);
	bool is_raised = k->caller.is_outside && place && hierarchy_is_subtype(&a->h, c, a->p->throwable);
	bool is_final = place && is_finalizable(a, c);

	if (!place && k->caller.is_made)      /* models serve several JDKs, each of which lacks some of the classes */
		return;
	if (!to && (is_raised || is_final))
		to = maker_var(k, c);
	maker_emit(k, (struct t_stmt){ .op = T_OBJECT, .to = to, .ref = place });
	if (is_final)
		maker_emit(k, (struct t_stmt){ .op = T_PUT_STATIC, .from = to, .ref = jvm_field(a->finalizable_field) });
	if (is_raised)
		maker_emit(k, (struct t_stmt){ .op = T_PUT_STATIC, .from = to, .ref = jvm_field(a->raised_field) });
}

/* Is the array of length 0, as far as the statements before it tell? Containers share such arrays while they are empty. The
 * lengths in models mean nothing. */
static bool is_empty_array(const struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	if (k->caller.is_made || k->depth || s->nargs != 1)
		return false;
	for (const struct ir_stmt *d = s; d-- > f->body->stmts;)
		if (d->result == f->body->args[s->args])
			return d->op == IR_CONST_INT && d->ref == 0;
	return false;
}

static void make_array(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	class_id c = { s->ref };
	uint32_t to = f->var[s->result];

	if (to && is_empty_array(k, f, s)) {
		maker_emit(k, (struct t_stmt){ .op = T_OBJECT, .to = to, .ref = place_of_empty(k->a, c) });
		return;
	}
	emit_object(k, to, c, s->pc);
	for (uint32_t i = 1; i < s->nargs && (c = element_type(k, c)).i; i++) {
		uint32_t inner = to ? maker_var(k, c) : 0;
		emit_object(k, inner, c, s->pc);
		if (to)
			maker_emit(k, (struct t_stmt){ .op = T_PUT_ELEMENT, .to = to, .from = inner });
		to = inner;
	}
}

/* Fields */

uint32_t jvm_or_field(struct maker *k, fref_id f)
{
	struct pta *a = k->a;

	if (fref_row(a->p, f)->owner.i == a->linker.jvm.i)
		return jvm_field(f);
	if (resolve_field(&a->h, f) != RESOLVE_OK)
		return 0;
	struct ir_field row = *field_row(a->p, fref_row(a->p, f)->target);
	bool is_odd = (class_row(a->p, row.owner)->flags & ACCESS_INTERFACE) && !(row.flags & ACCESS_STATIC);      /* JVMS 4.5 */
	return is_odd ? 0 : fref_row(a->p, f)->target.i;
}

/* The field is in a class that is missing, as far as one can know. */
static bool is_missing(const struct maker *k, fref_id f)
{
	enum resolution r = fref_row(k->a->p, f)->resolution;

	return r == RESOLVE_NO_CLASS || r == RESOLVE_INCOMPLETE;
}

static bool is_static_field(const struct maker *k, uint32_t field)
{
	return is_jvm_field(field) || (field_row(k->a->p, (field_id){ field })->flags & ACCESS_STATIC);
}

static void make_field(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	uint32_t field = jvm_or_field(k, (fref_id){ s->ref });
	uint32_t result = s->result ? f->var[s->result] : 0;
	bool is_static = s->op == IR_GETSTATIC || s->op == IR_PUTSTATIC;

	if (!field && result && is_missing(k, (fref_id){ s->ref }))
		emit_unknown(k, result);
	if (!field || is_static_field(k, field) != is_static)
		return;
	if (!s->result && is_constant_type(k->a, desc_type(k, sel_desc(k->a->p, fref_row(k->a->p, (fref_id){ s->ref })->sel))))
		return;
	if (s->op == IR_GETFIELD && result && frame_operand(f, s, 0))
		maker_emit(k, (struct t_stmt){ .op = T_LOAD, .to = result, .from = frame_operand(f, s, 0), .ref = field });
	else if (s->op == IR_PUTFIELD && frame_operand(f, s, 0) && frame_operand(f, s, 1))
		maker_emit(k, (struct t_stmt){ .op = T_STORE, .to = frame_operand(f, s, 0), .from = frame_operand(f, s, 1), .ref = field });
	else if (s->op == IR_GETSTATIC && result)
		maker_emit(k, (struct t_stmt){ .op = T_GET_STATIC, .to = result, .ref = field });
	else if (s->op == IR_PUTSTATIC && frame_operand(f, s, 0))
		maker_emit(k, (struct t_stmt){ .op = T_PUT_STATIC, .from = frame_operand(f, s, 0), .ref = field });
}

static void make_element(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	uint32_t array = frame_operand(f, s, 0), value = frame_operand(f, s, 2);

	if (s->op == IR_ASTORE && array && value)
		maker_emit(k, (struct t_stmt){ .op = T_PUT_ELEMENT, .to = array, .from = value });
	if (s->op == IR_ALOAD && array && f->var[s->result])
		maker_emit(k, (struct t_stmt){ .op = T_GET_ELEMENT, .to = f->var[s->result], .from = array,
					 .ref = f->types[s->result].i });
}

/* Scopes */

static struct handler handler_at(struct maker *k, const struct frame *f, uint32_t block, uint32_t *except)
{
	const struct ir_stmt *s = &f->body->stmts[f->body->blocks[block].first];
	struct handler h = { 0 };

	h.var = s->result ? f->var[s->result] : 0;
	h.mask = mask_of_rest(k->a, (class_id){ s->ref }, *except);
	*except = cell_push(k->a, (class_id){ s->ref }, *except);
	return h;
}

static bool same_handlers(const struct ir_body *b, const struct ir_block *x, const struct ir_block *y)
{
	if (x->nhandlers != y->nhandlers)
		return false;
	for (uint32_t i = 0; i < x->nhandlers; i++)
		if (b->edges[x->handlers + i] != b->edges[y->handlers + i])
			return false;
	return true;
}

/* The scope of a block; that of the block before it, very often. */
static uint32_t scope_of(struct maker *k, struct frame *f, uint32_t block)
{
	const struct ir_block *b = &f->body->blocks[block];
	struct scope s = { .first = k->handlers.len, .n = b->nhandlers };
	uint32_t except = 0;

	if (!b->nhandlers)
		return 0;
	if (f->scope && same_handlers(f->body, b, &f->body->blocks[f->scope_block]))
		return f->scope;
	for (uint32_t i = 0; i < b->nhandlers; i++) {
		uint32_t at = f->body->edges[b->handlers + i];
		const struct ir_stmt *c = &f->body->stmts[f->body->blocks[at].first];
		struct handler h = handler_at(k, f, at, &except);
		vec_push(&k->handlers, h);
		s.catches_all |= !c->ref || c->ref == k->a->p->throwable.i;
	}
	s.escapes = mask_of_rest(k->a, k->a->p->throwable, except);
	vec_push(&k->scopes, s);
	f->scope = k->scopes.len - 1;
	maker_emit(k, (struct t_stmt){ .op = T_RAISE, .more = f->scope });
	f->scope_block = block;
	return f->scope;
}

/* Calls */

static bool is_constructor(const struct program *p, method_id m)
{
	return m.i && str_is(sel_name(p, method_row(p, m)->sel), "<init>");
}

/* Is it this(...) or super(...)? */
static bool is_delegation(const struct maker *k, const struct link *l)
{
	const struct program *p = k->a->p;

	return l->sort == LINK_ONE && is_constructor(p, l->target) && is_constructor(p, k->caller.m) &&
	       hierarchy_is_subclass(&k->a->h, k->caller.cls, method_row(p, l->target)->owner);
}

/* Compilers write one call of this(...) or super(...); a constructor that has more gets one context for the others,
 * since contexts of each in each class below would multiply. */
uint32_t maker_site(struct maker *k, const struct link *l, uint32_t scope)
{
	struct site row = { .link = *l, .method = k->caller.m, .scope = scope, .is_outside = k->caller.is_outside,
			    .delegates = has_own_variables(k->a) && !k->delegates && is_delegation(k, l) };

	k->delegates |= row.delegates;
	vec_push(&k->a->sites, row);
	return k->a->sites.len - 1;
}

uint32_t maker_operands(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	uint32_t at = k->args.len;

	vec_push(&k->args, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		vec_push(&k->args, frame_operand(f, s, i));
	return at;
}

static void add_unresolved(struct maker *k, enum cg_cause cause, uint32_t pc, bool is_implied)
{
	struct link l = { .site = { .pc = pc, .op = IR_CALL_DYNAMIC, .cause = (uint8_t)cause, .implied = is_implied },
			  .is_listed = true };

	maker_site(k, &l, 0);
}

static void make_body(struct maker *k, const struct ir_body *body, uint32_t result);

/* It calls nothing that is known: what it passes escapes (features/callbacks.c). */
static void make_missing_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l, uint32_t scope)
{
	uint32_t site = maker_site(k, l, scope);

	if (l->site.cause == CG_MISSING)
		maker_emit(k, (struct t_stmt){ .op = T_CALL, .from = maker_operands(k, f, s), .ref = site, .more = scope });
}

/* The code initialises the class, if that is one. */
static void initialise(struct maker *k, class_id c)
{
	if (!c.i)
		return;
	initialise_class(k->a, c);
	if (!k->initialises.len || vec_last(&k->initialises)->i != c.i)
		vec_push(&k->initialises, c);
}

static void make_linked_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l, uint32_t scope)
{
	struct pta *a = k->a;
	uint32_t result = s->result ? f->var[s->result] : 0;

	initialise(k, l->initialises);
	if (l->sort == LINK_NOTHING) {
		if (result && l->site.cause == CG_MISSING)
			emit_unknown(k, result);
		if (l->is_listed)
			make_missing_call(k, f, s, l, scope);
		return;
	}
	const struct feature *feature = feature_of(a, mref_row(a->p, (mref_id){ s->ref })->owner);
	if (feature->call && feature->call(k, f, s, l))
		result = 0;
	bool is_followed = l->dynamic && a->dynamic && !k->caller.is_outside;
	bool is_handle = l->site.cause == CG_METHOD_HANDLE || l->site.cause == CG_BOOTSTRAP;
	if (result && (l->site.cause == CG_MISSING || (is_handle && !is_followed)))
		emit_unknown(k, result);
	if (maker_is_constant(k, result))
		result = 0;
	uint32_t site = maker_site(k, l, scope);
	bool is_answered = is_followed && reflection_call(k, f, s, l, scope, site);
	if (is_followed && !is_answered && result && l->dynamic == DYNAMIC_HANDLE)
		emit_unknown(k, result);
	if (is_answered)
		result = 0;
	maker_emit(k, (struct t_stmt){ .op = T_CALL, .to = result, .from = maker_operands(k, f, s), .ref = site, .more = scope });
}

static void make_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, uint32_t scope)
{
	struct pta *a = k->a;
	struct link l = link_call(&a->linker, &k->caller, s);

	if (l.sort != LINK_INLINED) {
		make_linked_call(k, f, s, &l, scope);
		return;
	}
	const struct ir_body *body = a->p->source.body(a->p->source.ctx, a->p, l.target, &a->scratch);
	if (body && k->depth < MAX_INLINED) {
		k->depth++;
		make_body(k, body, s->result ? f->var[s->result] : 0);
		k->depth--;
	}
}

static void make_handle(struct maker *k, const struct frame *f, const struct ir_stmt *s, uint32_t scope)
{
	struct ir_stmt call;
	class_id made = link_instantiates(&k->a->linker, s);

	if (f->var[s->result])
		emit_unknown(k, f->var[s->result]);
	if (made.i)
		emit_object(k, 0, made, s->pc);
	if (link_handle(s, &call))
		make_call(k, f, &call, scope);
}

static void make_return(struct maker *k, const struct frame *f, const struct ir_stmt *s, uint32_t result)
{
	uint32_t v = frame_operand(f, s, 0);

	if (v && k->depth && result)
		maker_emit(k, (struct t_stmt){ .op = T_COPY, .to = result, .from = v });
	if (v && !k->depth)
		vec_push(&k->returned, v);
}

static void make_phi(struct maker *k, const struct frame *f, const struct ir_stmt *s)
{
	uint32_t to = f->var[s->result];

	for (uint32_t i = 0; to && i < s->nargs; i++) {
		uint32_t from = frame_operand(f, s, i);
		if (from && from != to && f->alias[s->result] == s->result)
			maker_emit(k, (struct t_stmt){ .op = T_COPY, .to = to, .from = from });
	}
}

static void make_stmt(struct maker *k, struct frame *f, const struct ir_stmt *s, uint32_t scope, uint32_t result)
{
	struct pta *a = k->a;
	uint32_t to = s->result ? f->var[s->result] : 0;

	if (f->is_made)
		accesses_of_stmt(k, f, s);
	switch (s->op) {
	case IR_PARAM:
		if (!k->depth && s->ref < k->nparams)
			k->params[s->ref] = to;
		break;
	case IR_PHI:
		make_phi(k, f, s);
		break;
	case IR_CONST_STRING:
		emit_constant(k, to, a->p->string, CONSTANT_STRING, s->ref);
		break;
	case IR_CONST_CLASS:
		emit_constant(k, to, a->p->class_, CONSTANT_CLASS, s->ref);
		break;
	case IR_CONST_MTYPE:
		emit_constant(k, to, a->method_type, CONSTANT_METHOD_TYPE, s->ref);
		break;
	case IR_CONST_HANDLE:
		make_handle(k, f, s, scope);
		break;
	case IR_CONST_DYNAMIC:
	case IR_CALL_DYNAMIC:
		add_unresolved(k, CG_BOOTSTRAP, s->pc, false);
		if (to)
			emit_unknown(k, to);
		break;
	case IR_NEW:
		emit_object(k, to, (class_id){ s->ref }, s->pc);
		break;
	case IR_NEWARRAY:
		make_array(k, f, s);
		break;
	case IR_CAST:
		if (to && frame_operand(f, s, 0))
			maker_cast(k, to, frame_operand(f, s, 0), (class_id){ s->ref }, s->sub == IR_CAST_KNOWN);
		break;
	case IR_GETFIELD:
	case IR_PUTFIELD:
	case IR_GETSTATIC:
	case IR_PUTSTATIC:
		make_field(k, f, s);
		break;
	case IR_ALOAD:
	case IR_ASTORE:
		make_element(k, f, s);
		break;
	case IR_CALL_STATIC:
	case IR_CALL_SPECIAL:
	case IR_CALL_VIRTUAL:
	case IR_CALL_INTERFACE:
		make_call(k, f, s, scope);
		break;
	case IR_RETURN:
		make_return(k, f, s, result);
		break;
	case IR_THROW:
		if (frame_operand(f, s, 0))
			maker_emit(k, (struct t_stmt){ .op = T_THROW, .from = frame_operand(f, s, 0), .more = scope });
		break;
	default:
		break;
	}
	initialise(k, link_initialises(&a->linker, s));
}

static void make_body(struct maker *k, const struct ir_body *body, uint32_t result)
{
	struct frame f = open_frame(k, body);

	for (uint32_t b = 0; b < body->nblocks; b++) {
		uint32_t scope = scope_of(k, &f, b);
		for (uint32_t i = body->blocks[b].first; i < body->blocks[b].end; i++)
			make_stmt(k, &f, &body->stmts[i], scope, result);
	}
	if (!k->depth) {
		k->nvalues = body->nvalues;
		k->var_of_value = arena_copy(&k->a->mem, f.var, (body->nvalues + 1) * sizeof(*f.var));
	}
}

/* Without a body */

static void make_unknown(struct maker *k)
{
	struct ir_method row = *method_row(k->a->p, k->caller.m);
	bool is_native = row.flags & ACCESS_NATIVE;
	class_id type = maker_result(k, row.sel);

	if (!is_native || !has_assumptions(k->a))
		add_unresolved(k, is_native ? CG_NATIVE : CG_LINK_ERROR, 0, true);      /* malformed: VerifyError */
	const struct feature *feature = feature_of(k->a, row.owner);
	if (is_native && feature->native && feature->native(k))
		return;
	if (is_native && type.i) {
		uint32_t v = maker_var(k, type);
		emit_unknown(k, v);
		vec_push(&k->returned, v);
	}
}

/* The whole */

static void set_params(struct maker *k)
{
	struct program *p = k->a->p;
	struct ir_method row = *method_row(p, k->caller.m);
	struct str desc = sel_desc(p, row.sel);
	uint32_t n = 0, at = 1;

	k->nparams = (uint32_t)sel_row(p, row.sel)->nargs + (row.flags & ACCESS_STATIC ? 0 : 1);
	k->params = arena_zarray(&k->a->mem, uint32_t, k->nparams);
	k->param_types = arena_zarray(&k->a->scratch, class_id, k->nparams);
	if (!(row.flags & ACCESS_STATIC))
		k->param_types[n++] = row.owner;
	while (n < k->nparams && at < desc.len && desc.p[at] != ')') {
		uint32_t from = at;
		while (at < desc.len && desc.p[at] == '[')
			at++;
		if (at < desc.len && desc.p[at] == 'L')
			while (at < desc.len && desc.p[at] != ';')
				at++;
		at++;
		k->param_types[n++] = desc_type(k, str_sub(desc, from, at < desc.len ? at : desc.len));
	}
}

/* One variable for what is returned. */
static uint32_t join_returned(struct maker *k)
{
	bool is_one = true;

	for (uint32_t i = 1; i < k->returned.len; i++)
		is_one &= k->returned.data[i] == k->returned.data[0];
	if (!k->returned.len || is_one)
		return k->returned.len ? k->returned.data[0] : 0;
	uint32_t v = maker_var(k, maker_result(k, method_row(k->a->p, k->caller.m)->sel));
	for (uint32_t i = 0; i < k->returned.len; i++)
		maker_emit(k, (struct t_stmt){ .op = T_COPY, .to = v, .from = k->returned.data[i] });
	return v;
}

static bool is_cloned(struct pta *a, method_id m, bool has_body)
{
	struct ir_method row = *method_row(a->p, m);
	str_id name = sel_row(a->p, row.sel)->name;

	if (a->policy->variables != ONE_A_VARIABLE)
		return false;
	if (row.flags & ACCESS_NATIVE)
		return has_body;
	if (a->dynamic && dynamic_is_dispatcher(a->dynamic, m))
		return true;
	return map_get(&a->cloned, map_key(row.owner.i, name.i)) || map_get(&a->cloned, map_key(row.owner.i, 0));
}

#define keep(k, v) arena_copy(&(k)->a->mem, (k)->v.data, (k)->v.len * sizeof(*(k)->v.data))

static struct template *finish(struct maker *k)
{
	struct template *t = arena_new(&k->a->mem, struct template);

	t->returns = join_returned(k);
	t->stmts = keep(k, stmts);
	t->args = keep(k, args);
	t->handlers = keep(k, handlers);
	t->scopes = keep(k, scopes);
	t->types = keep(k, types);
	t->initialises = keep(k, initialises);
	t->accesses = keep(k, accesses);
	t->naccesses = k->accesses.len;
	t->ninitialised = k->initialises.len;
	t->nstmts = k->stmts.len;
	t->nvars = k->types.len - 1;
	t->params = k->params;
	t->nparams = k->nparams;
	t->var_of_value = k->var_of_value;
	t->nvalues = k->nvalues;
	t->first_site = k->first_site;
	t->nsites = k->a->sites.len - k->first_site;
	t->has_receiver = !(method_row(k->a->p, k->caller.m)->flags & ACCESS_STATIC);
	t->thrown = solver_nodes(k->a->s, 1);
	name_nodes(k->a, t->thrown, NAME_THROWN, k->caller.m.i);
	return t;
}

static void release_maker(struct maker *k)
{
	vec_release(&k->stmts);
	vec_release(&k->args);
	vec_release(&k->handlers);
	vec_release(&k->scopes);
	vec_release(&k->types);
	vec_release(&k->returned);
	vec_release(&k->initialises);
	vec_release(&k->accesses);
}

static struct template *make(struct pta *a, method_id m)
{
	struct maker k = { .a = a, .caller = link_caller(&a->linker, m), .first_site = a->sites.len };
	const struct ir_body *body;

	vec_push(&k.types, (class_id){ 0 });
	vec_push(&k.scopes, (struct scope){ 0 });
	set_params(&k);
	body = a->p->source.body(a->p->source.ctx, a->p, m, &a->scratch);
	k.has_body = body;
	if (body)
		make_body(&k, body, 0);
	else
		make_unknown(&k);
	if (feature_of(a, k.caller.cls)->method)
		feature_of(a, k.caller.cls)->method(&k);
	if (has_assumptions(a))
		assumptions_method(&k);
	if (a->opt.keeps_accesses && (method_row(a->p, m)->flags & ACCESS_NATIVE))
		accesses_of_native(&k);
	if (a->opt.keeps_this && !(method_row(a->p, m)->flags & ACCESS_STATIC) && !k.params[0])
		k.params[0] = maker_var(&k, k.caller.cls);
	struct template *t = finish(&k);
	bool moves_nothing = !t->nstmts && !t->returns;
	t->is_cloned = !moves_nothing && is_cloned(a, m, body || t->nstmts);
	t->is_pooled = t->is_cloned && str_is(class_name(a->p, method_row(a->p, m)->owner), "java/lang/Class");
	t->is_shared = moves_nothing || is_shared(a, m);
	t->is_constructor = is_constructor(a->p, m);
	release_maker(&k);
	return t;
}

struct template *template_of(struct pta *a, method_id m)
{
	while (a->templates.len <= m.i)
		vec_push(&a->templates, NULL);
	if (a->templates.data[m.i])
		return a->templates.data[m.i];
	arena_clear(&a->scratch);
	struct template *t = make(a, m);
	a->templates.data[m.i] = t;
	vec_push(&a->reached, m);
	return t;
}
