/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - a summary as bytes, and back; docs/formats/summary.md describes them. One walk does both: what it codes is there when it
 * writes, and comes to be there when it reads. The rows are those of the text, in the same order, with numbers instead of names. */
#include <stdlib.h>

#include "summary/codec_p.h"

/* Rows that bytes can stand for: readers refuse more, writers add zeros until there are enough bytes. */
enum { ROWS_PER_BYTE = 16 };

/* Layouts: each behind what it contains. */

static clayout_id layout(struct codec *k, enum layout_use context, clayout_id l, uint32_t limit)
{
	uint32_t n = writes(k) ? k->form->places.data[l.i] : 0, place = n ? recent_place(&k->seen_layouts, n) : NONE;

	place = codec_symbol(k, k->m->layout[context], RECENT_BITS, place);
	if (place == NONE)
		return (clayout_id){ 0 };
	if (place < k->seen_layouts.n)
		n = k->seen_layouts.ids[place];
	else
		n = codec_below(k, N_LAYOUT, n, limit);
	recent_see(&k->seen_layouts, place, n);
	return writes(k) ? l : (clayout_id){ n };
}

static void code_fields(struct codec *k, struct clayout *l, uint32_t limit)
{
	uint32_t n = codec_count(k, N_FIELDS, l->nfields);
	uint64_t end = 0;

	l->first = writes(k) ? l->first : k->p->fields.len;
	for (uint32_t i = 0; i < n && !k->c.failed; i++) {
		struct cfield f = writes(k) ? k->p->fields.data[l->first + i] : (struct cfield){ 0 };
		f.offset = codec_number(k, &k->m->numbers[N_OFFSET], f.offset - end) + end;
		f.layout = layout(k, L_FIELD, f.layout, limit);
		f.name = codec_string(k, S_FIELD, f.name);
		end = f.offset + k->p->layouts.data[f.layout.i].size;
		if (!writes(k))
			vec_push(&k->p->fields, f);
	}
	l->nfields = n;
}

static void code_layout(struct codec *k, uint32_t place)
{
	struct clayout l = writes(k) ? k->p->layouts.data[k->form->order.data[place - 1]] : (struct clayout){ 0 };

	l.kind = (uint8_t)codec_symbol(k, k->m->kinds[K_LAYOUT], 2, l.kind);
	l.name = codec_string(k, S_LAYOUT, l.name);
	if (l.kind == CLAYOUT_ARRAY) {
		l.elem = layout(k, L_ELEMENT, l.elem, place);
		l.count = codec_number(k, &k->m->numbers[N_ELEMENTS], l.count);
		uint64_t size = l.count * k->p->layouts.data[l.elem.i].size;
		l.size = codec_bit(k, B_SIZE, l.size == size) ? size : codec_number(k, &k->m->numbers[N_SIZE], l.size);
	} else {
		l.size = codec_number(k, &k->m->numbers[N_SIZE], l.size);
	}
	if (l.kind == CLAYOUT_STRUCT)
		code_fields(k, &l, place);
	if (!writes(k))
		cir_layout(k->p, l);
}

static void code_layouts(struct codec *k)
{
	uint32_t n = codec_count(k, N_COUNT, writes(k) ? k->form->order.len : 0);

	for (uint32_t i = 1; i <= n && !k->c.failed; i++)
		code_layout(k, i);
}

static clayout_id any_layout(struct codec *k, enum layout_use context, clayout_id l)
{
	return layout(k, context, l, writes(k) ? UINT32_MAX : k->p->layouts.len);
}

/* Objects and variables, when they are declared */

static void code_object_row(struct codec *k, struct cobj *o)
{
	o->flags = (uint8_t)codec_number(k, &k->m->numbers[N_OBJECT_FLAGS], o->flags);
	o->layout = any_layout(k, L_OBJECT, o->layout);
	uint64_t size = k->p->layouts.data[o->layout.i].size;
	o->size = codec_bit(k, B_OBJECT_SIZE, o->size == size) ? size : codec_number(k, &k->m->numbers[N_OBJECT_SIZE], o->size);
	o->loc = codec_loc(k, AT_OBJECT, o->loc);
}

static void code_object(struct codec *k, uint32_t id)
{
	struct cobj o = writes(k) ? k->p->objs.data[id] : (struct cobj){ .fn = { k->fn } };

	o.kind = (uint8_t)codec_symbol(k, k->m->kinds[k->fn ? K_OWN_OBJECT : K_OBJECT], 3, o.kind);
	k->c.failed |= o.kind == COBJ_FUNCTION;
	o.name = codec_string(k, o.kind == COBJ_STRING ? S_TEXT : k->fn ? S_VAR : S_OBJECT, o.name);
	code_object_row(k, &o);
	if (!writes(k))
		cir_object(k->p, o);
}

static uint32_t run_of_objects(const struct codec *k, uint32_t from)
{
	uint32_t i = from;

	while (i < k->p->objs.len && k->p->objs.data[i].fn.i == k->fn && k->p->objs.data[i].kind != COBJ_FUNCTION)
		i++;
	return i - from;
}

static void code_objects(struct codec *k)
{
	uint32_t n = codec_count(k, N_OBJECTS, writes(k) ? run_of_objects(k, k->obj) : 0);

	for (uint32_t i = 0; i < n && !k->c.failed; i++)
		code_object(k, k->obj++);
}

static void code_var(struct codec *k, uint8_t kind)
{
	struct cvar v = writes(k) ? k->p->vars.data[k->var] : (struct cvar){ .kind = kind, .fn = { k->fn } };

	v.name = codec_string(k, S_VAR, v.name);
	v.loc = codec_loc(k, AT_VAR, v.loc);
	if (!writes(k))
		vec_push(&k->p->vars, v);
	k->var++;
}

static bool is_plain(const struct codec *k, uint32_t v)
{
	const struct cvar *row = &k->p->vars.data[v];

	return !row->name.i && sform_same_loc(k->p, row->loc, (cloc_id){ 0 });
}

static uint32_t free_vars(const struct codec *k)
{
	uint32_t i = 1;

	while (i < k->p->vars.len && !k->p->vars.data[i].fn.i)
		i++;
	return i - 1;
}

static bool is_here(const struct codec *k, uint32_t v)
{
	return v < k->p->vars.len && k->p->vars.data[v].fn.i == k->fn;
}

static uint32_t run_of_vars(const struct codec *k, bool only_temps)
{
	uint32_t i = k->var;

	while (is_here(k, i) && (!only_temps || (k->p->vars.data[i].kind == CVAR_TEMP && is_plain(k, i))))
		i++;
	return i - k->var;
}

/* Runs of temporaries, and what is between them. */
static void code_vars(struct codec *k)
{
	uint32_t n = codec_count(k, N_VARS, writes(k) ? run_of_vars(k, false) : 0);

	while (n > 0 && !k->c.failed) {
		uint32_t temps = codec_below(k, N_TEMPS, writes(k) ? run_of_vars(k, true) : 0, n + 1);
		for (uint32_t i = 0; i < temps && !writes(k); i++)
			cir_var(k->p, CVAR_TEMP, (str_id){ 0 }, (cfn_id){ k->fn });
		n -= temps;
		k->var += temps;
		if (!n)
			return;
		uint8_t kind = writes(k) ? k->p->vars.data[k->var].kind : 0;
		code_var(k, (uint8_t)codec_symbol(k, k->m->kinds[K_VAR], 2, kind));
		n--;
	}
}

/* Functions: what they have */

static void code_use(struct codec *k)
{
	struct cuse u = { .param = { k->var } };
	bool has_use = writes(k) && k->use < k->p->uses.len && k->p->uses.data[k->use].param.i == k->var;

	if (has_use)
		u = k->p->uses.data[k->use++];
	if (!codec_bit(k, B_USE, has_use))
		return;
	u.flags = (uint8_t)codec_number(k, &k->m->numbers[N_USE], u.flags);
	u.moves = (uint16_t)codec_below(k, N_NTH, u.moves, UINT16_MAX + 1);
	if (!writes(k))
		vec_push(&k->p->uses, u);
}

static void code_notes(struct codec *k)
{
	uint32_t n = 0;

	while (writes(k) && k->note + n < k->p->notes.len && k->p->notes.data[k->note + n].fn.i == k->fn)
		n++;
	n = codec_count(k, N_NOTES, n);
	for (uint32_t i = 0; i < n && !k->c.failed; i++, k->note++) {
		struct cnote x = writes(k) ? k->p->notes.data[k->note] : (struct cnote){ .fn = { k->fn } };
		x.kind = (uint8_t)codec_symbol(k, k->m->kinds[K_NOTE], 3, x.kind);
		x.text = codec_string(k, S_NOTE, x.text);
		x.loc = codec_loc(k, AT_NOTE, x.loc);
		if (!writes(k))
			vec_push(&k->p->notes, x);
	}
}

static void code_address(struct codec *k, struct cobj *o, const struct cfn *f)
{
	bool is_there = writes(k) && o->name.i == f->name.i && sform_same_loc(k->p, o->loc, f->loc);

	if (codec_bit(k, B_ADDRESS, is_there && !o->layout.i && !o->size)) {
		o->name = f->name;
		o->loc = f->loc;
		o->flags = (uint8_t)codec_number(k, &k->m->numbers[N_ADDRESS_FLAGS], o->flags);
		return;
	}
	o->name = codec_string(k, S_FN, o->name);
	code_object_row(k, o);
}

static void code_result(struct codec *k)
{
	struct cvar v = { .kind = CVAR_RESULT, .fn = { k->fn } };

	if (writes(k))
		v = k->p->vars.data[k->var];
	if (codec_bit(k, B_RESULT, writes(k) && is_plain(k, k->var))) {
		if (!writes(k))
			vec_push(&k->p->vars, v);
		k->var++;
	} else {
		code_var(k, CVAR_RESULT);
	}
}

static void code_function(struct codec *k)
{
	struct cfn f = writes(k) ? k->p->fns.data[k->fn] : (struct cfn){ 0 };
	struct cobj address = writes(k) ? k->p->objs.data[f.obj.i] : (struct cobj){ .kind = COBJ_FUNCTION, .fn = { k->fn } };

	f.name = codec_string(k, S_FN, f.name);
	f.flags = (uint16_t)codec_number(k, &k->m->numbers[N_FN_FLAGS], f.flags);
	f.realloc = (uint16_t)codec_below(k, N_NTH, f.realloc, UINT16_MAX + 1);
	f.returns = (uint16_t)codec_below(k, N_NTH, f.returns, UINT16_MAX + 1);
	f.loc = codec_loc(k, AT_FN, f.loc);
	code_address(k, &address, &f);
	f.nparams = codec_count(k, N_PARAMS, f.nparams);
	f.params = f.nparams ? k->var : 0;
	for (uint32_t i = 0; i < f.nparams && !k->c.failed; i++) {
		code_use(k);
		code_var(k, CVAR_PARAM);
	}
	f.result.i = k->var;
	code_result(k);
	code_vars(k);
	code_objects(k);
	code_notes(k);
	if (writes(k))
		return;
	vec_push(&k->p->fns, f);
	vec_push(&k->addresses, address);
}

/* Rows that are named: a place among those that were named lately; the next one that was not named yet; else a number. */

static uint32_t own_row(struct codec *k, enum number context, uint32_t id, struct own *own)
{
	return own->first + codec_below(k, context, id - own->first, own->end - own->first);
}

static uint32_t place_among(uint32_t id, const struct recent *seen, const struct own *own)
{
	uint32_t place = id ? recent_place(seen, id) : NONE;

	if (place == MISS && id >= own->first && id < own->end)
		place = id == own->fresh ? FRESH : OWN;
	return place;
}

static uint32_t named(struct codec *k, struct recent *seen, struct own *own, uint32_t place, uint32_t id)
{
	k->c.failed |= place == FRESH && id >= own->end;
	if (k->c.failed)
		return 0;
	recent_see(seen, place, id);
	if (id >= own->fresh && id < own->end)
		own->fresh = id + 1;
	return id;
}

static uint32_t var(struct codec *k, enum var_use context, uint32_t v)
{
	struct bitmodel *trees[] = { k->m->var[context][k->op], k->m->var_behind[context][k->place],
				     k->m->var_again[context][k->places[context]] };
	uint32_t place = code_symbol(&k->c, trees, 3, &k->mixers.vars, RECENT_BITS, place_among(v, &k->seen_vars, &k->vars));

	k->place = k->places[context] = (uint8_t)place;
	if (place == NONE)
		return 0;
	if (place < k->seen_vars.n)
		v = k->seen_vars.ids[place];
	else if (place == FRESH)
		v = k->vars.fresh;
	else if (place == OWN)
		v = own_row(k, N_OWN_VAR, v, &k->vars);
	else
		v = codec_below(k, N_OTHER_VAR, v, k->p->vars.len);
	return named(k, &k->seen_vars, &k->vars, place, v);
}

static uint32_t fn(struct codec *k, uint32_t f)
{
	uint32_t place = codec_symbol(k, k->m->fn, RECENT_BITS, f ? recent_place(&k->seen_fns, f) : NONE);

	if (place == NONE)
		return 0;
	f = place < k->seen_fns.n ? k->seen_fns.ids[place] : codec_below(k, N_FN, f, k->p->fns.len);
	recent_see(&k->seen_fns, place, f);
	return f;
}

/* First values come in the order of objects. */
static uint32_t other_object(struct codec *k, uint32_t op, uint32_t o)
{
	if (op != C_PUT)
		return codec_below(k, N_OTHER_OBJECT, o, k->p->objs.len);
	int64_t id = k->put + codec_difference(k, &k->m->numbers[N_PUT], (int64_t)o - k->put);
	if (id > 0 && id < k->p->objs.len)
		return k->put = (uint32_t)id;
	k->c.failed = true;
	return 0;
}

static uint32_t object(struct codec *k, uint32_t op, uint32_t o)
{
	uint32_t place = codec_symbol(k, k->m->object[op], RECENT_BITS, place_among(o, &k->seen_objs, &k->objs));

	if (place == NONE)
		return 0;
	if (place < k->seen_objs.n)
		o = k->seen_objs.ids[place];
	else if (place == FRESH)
		o = k->objs.fresh;
	else if (place == OWN)
		o = own_row(k, N_OWN_OBJECT, o, &k->objs);
	else
		o = other_object(k, op, o);
	return named(k, &k->seen_objs, &k->objs, place, o);
}

/* Statements */

static void code_args(struct codec *k, const struct ccall *c, uint32_t n)
{
	vec_clear(&k->args);
	for (uint32_t i = 0; i < n && !k->c.failed; i++) {
		uint32_t v = writes(k) ? k->p->args.data[c->args + i].i : 0;
		vec_push(&k->args, ((cvar_id){ var(k, i ? V_ARG : V_FIRST_ARG, v) }));
	}
}

static void code_call(struct codec *k, const struct cstmt *s)
{
	struct ccall c = { 0 };

	if (writes(k))
		c = k->p->calls.data[s->dst];
	c.callee.i = fn(k, c.callee.i);
	c.pointer.i = c.callee.i ? 0 : var(k, V_POINTER, c.pointer.i);
	c.nargs = codec_count(k, N_ARGS, c.nargs);
	code_args(k, &c, c.nargs);
	c.result.i = var(k, V_RESULT, c.result.i);
	c.flags = (uint8_t)codec_number(k, &k->m->numbers[N_CALL_FLAGS], c.flags);
	c.hint = any_layout(k, L_HINT, c.hint);
	c.size = codec_number(k, &k->m->numbers[N_CALL_SIZE], c.size);
	c.memory.i = object(k, C_CALL, c.memory.i);
	c.loc = codec_loc(k, AT_STMT, c.loc);
	if (writes(k) || k->c.failed)
		return;
	cir_call(k->p, c, k->args.data);
	vec_last(&k->p->stmts)->flags = s->flags;
}

static void code_operands(struct codec *k, struct cstmt *s)
{
	bool has_object = s->op == C_ADDR || s->op == C_GET;

	s->src = has_object ? object(k, s->op, s->src) : var(k, V_SRC + s->op, s->src);
	if (s->op == C_ADDR || s->op == C_SHIFT || s->op == C_GET || s->op == C_PUT)
		s->off = (int32_t)codec_difference(k, &k->m->offs[s->op], s->off);
	s->width = codec_u32(k, &k->m->widths[s->op], s->width);
	s->dst = s->op == C_PUT ? object(k, C_PUT, s->dst) : var(k, V_DST + s->op, s->dst);
	s->loc = codec_loc(k, AT_STMT, s->loc);
	if (!writes(k))
		cir_stmt(k->p, *s);
}

static void code_stmt(struct codec *k, uint32_t i)
{
	struct cstmt s = { 0 };

	if (writes(k))
		s = k->p->stmts.data[i];
	struct bitmodel *trees[] = { k->m->op[k->op], k->m->op_of_ops[k->before][k->op],
				     k->m->op_of_place[k->op][k->place < 4 ? k->place : 4] };
	s.op = (uint8_t)code_symbol(&k->c, trees, 3, &k->mixers.ops, 4, s.op);
	if (s.op > C_CALL) {
		k->c.failed = true;
		return;
	}
	k->before = k->op;
	k->op = s.op;
	s.flags = (uint8_t)codec_number(k, &k->m->flags[s.op], s.flags);
	if (s.op == C_CALL)
		code_call(k, &s);
	else
		code_operands(k, &s);
}

/* Bodies */

/* The function's rows follow those of the function before; the initialisers have the variables of no function. */
static void enter(struct codec *k)
{
	const struct cfn *f = &k->p->fns.data[k->fn];

	k->seen_vars.n = k->seen_objs.n = 0;
	k->op = k->before = NO_OP;
	k->at = k->p->locs.data[f->loc.i];
	k->vars = (struct own){ .first = k->var, .fresh = f->result.i + 1 };
	while (k->var < k->p->vars.len && k->p->vars.data[k->var].fn.i == k->fn)
		k->var++;
	k->vars.end = k->var;
	for (uint32_t i = f->nparams; i-- > 0;)
		recent_see(&k->seen_vars, MISS, f->params + i);
	if (k->fn == k->p->initialisers.i)
		k->vars = (struct own){ 1, 1, 1 + free_vars(k) };
	k->objs = (struct own){ .first = k->obj, .fresh = k->obj };
	k->obj += run_of_objects(k, k->obj);
	k->objs.end = k->obj;
}

static void code_references(struct codec *k)
{
	struct cfn *f = &k->p->fns.data[k->fn];
	uint32_t rest = object(k, NO_OP, f->rest.i), other = var(k, V_OTHER, f->other.i);
	uint32_t of = codec_bit(k, B_OF, f->of.i) ? fn(k, f->of.i) : 0;

	if (writes(k))
		return;
	f->rest.i = rest;
	f->other.i = other;
	f->of.i = of;
}

static void code_body(struct codec *k)
{
	bool is_defined = k->p->fns.data[k->fn].flags & CFN_DEFINED;
	uint32_t first = k->p->fns.data[k->fn].stmts, n;

	enter(k);
	code_references(k);
	if (!is_defined || k->c.failed)
		return;
	n = codec_count(k, N_STMTS, k->p->fns.data[k->fn].nstmts);
	if (!writes(k))
		cir_begin(k->p, (cfn_id){ k->fn });
	for (uint32_t i = 0; i < n && !k->c.failed; i++)
		code_stmt(k, first + i);
	if (!writes(k))
		cir_end(k->p, (cfn_id){ k->fn });
}

/* The whole */

enum { HAS_USES = 2, IS_ATTACHED = 4 };  /* beside summary_option */

static struct summary_module code_module(struct codec *k, struct summary_module m)
{
	m.name = codec_string(k, S_HEAD, m.name);
	m.digest = code_raw(&k->c, 64, m.digest);
	return m;
}

/* Most libraries were made without others: these have no count. */
static void code_uses(struct codec *k)
{
	struct summary *s = k->s;
	uint32_t n = codec_count(k, N_COUNT, s->uses.len);

	if (!n)
		k->c.failed = true;
	for (uint32_t i = 0; i < n && !k->c.failed; i++) {
		struct summary_module m = code_module(k, writes(k) ? s->uses.data[i] : (struct summary_module){ 0 });
		if (!writes(k))
			vec_push(&s->uses, m);
	}
}

static uint32_t head_options(const struct summary *s)
{
	return s->options | (s->uses.len ? HAS_USES : 0u) | (s->attached.i ? IS_ATTACHED : 0u);
}

static void code_attached(struct codec *k)
{
	str_id attached = codec_string(k, S_HEAD, k->s->attached);

	k->c.failed |= !attached.i;
	if (!writes(k))
		k->s->attached = attached;
}

static void code_head(struct codec *k)
{
	struct summary *s = k->s;
	uint32_t modules = codec_count(k, N_COUNT, s->modules.len), inner = codec_count(k, N_COUNT, s->inner.len);
	str_id library = codec_string(k, S_HEAD, s->library);
	uint32_t options = codec_u32(k, &k->m->numbers[N_OPTION], head_options(s));
	uint32_t pointers = codec_u32(k, &k->m->numbers[N_OPTION], s->program.pointer_size);
	uint64_t exports = code_raw(&k->c, 64, s->exports), models = code_raw(&k->c, 64, s->models);

	if (!writes(k)) {
		s->library = library;
		s->options = options & ~(uint32_t)(HAS_USES | IS_ATTACHED);
		s->program.pointer_size = pointers;
		s->exports = exports;
		s->models = models;
	}
	for (uint32_t i = 0; i < modules && !k->c.failed; i++) {
		struct summary_module m = code_module(k, writes(k) ? s->modules.data[i] : (struct summary_module){ 0 });
		if (!writes(k))
			vec_push(&s->modules, m);
	}
	if (options & HAS_USES && !k->c.failed)
		code_uses(k);
	if (options & IS_ATTACHED && !k->c.failed)
		code_attached(k);
	for (uint32_t i = 0; i < inner && !k->c.failed; i++) {
		str_id name = codec_string(k, S_FN, writes(k) ? s->inner.data[i] : (str_id){ 0 });
		if (!writes(k))
			vec_push(&s->inner, name);
	}
}

static void code_aliases(struct codec *k)
{
	uint32_t n = codec_count(k, N_COUNT, k->p->aliases.len);

	for (uint32_t i = 0; i < n && !k->c.failed; i++) {
		struct calias a = { 0 };
		if (writes(k))
			a = k->p->aliases.data[i];
		a.name = codec_string(k, S_FN, a.name);
		a.obj.i = codec_below(k, N_OTHER_OBJECT, a.obj.i, k->p->objs.len);
		if (!writes(k))
			vec_push(&k->p->aliases, a);
	}
}

static void add_addresses(struct codec *k)
{
	for (uint32_t i = 0; i < k->addresses.len; i++)
		k->p->fns.data[i + 1].obj = cir_object(k->p, k->addresses.data[i]);
}

static void code_declarations(struct codec *k, uint32_t nfns)
{
	code_layouts(k);
	k->var = k->obj = k->note = 1;
	code_objects(k);
	code_vars(k);
	code_notes(k);
	for (k->fn = 1; k->fn < nfns && !k->c.failed; k->fn++)
		code_function(k);
}

static void code_summary(struct codec *k)
{
	code_head(k);
	uint32_t nfns = 1 + codec_count(k, N_COUNT, k->p->fns.len - 1);
	uint32_t initialisers = codec_below(k, N_COUNT, k->p->initialisers.i, nfns);
	code_declarations(k, nfns);
	if (k->c.failed)
		return;
	if (!writes(k)) {
		add_addresses(k);
		k->p->initialisers.i = initialisers;
	}
	k->fn = 0;
	k->var = 1 + free_vars(k);
	k->obj = 1 + run_of_objects(k, 1);
	for (k->fn = 1; k->fn < nfns && !k->c.failed; k->fn++)
		code_body(k);
	code_aliases(k);
}

static void put_le(struct strbuf *out, uint64_t v, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		strbuf_addch(out, (char)(uint8_t)(v >> 8 * i));
}

void summary_write_binary(const struct summary *s, struct strbuf *out)
{
	struct strbuf bytes = { 0 };
	struct sform form;
	struct codec k;

	sform_init(&form, &s->program);
	codec_init(&k, (struct summary *)s);
	k.form = &form;
	for (uint32_t i = 0; i < s->program.names.strings.len; i++)
		vec_push(&k.numbers, 0);
	k.most = UINT64_MAX;
	coder_begin_writing(&k.c, &bytes);
	code_summary(&k);
	coder_end_writing(&k.c);
	while (bytes.len * ROWS_PER_BYTE < k.rows)
		strbuf_addch(&bytes, 0);
	strbuf_adds(out, SUMMARY_BINARY);
	put_le(out, SUMMARY_VERSION, 4);
	put_le(out, bytes.len, 8);
	put_le(out, digest_add(DIGEST_START, bytes.s, bytes.len), 8);
	strbuf_add(out, bytes.s, bytes.len);
	codec_release(&k);
	sform_release(&form);
	strbuf_release(&bytes);
}

bool summary_decode(struct summary *s, struct span bytes, struct strbuf *why)
{
	struct reader r = reader_of(bytes);
	struct codec k;

	reader_take(&r, sizeof(SUMMARY_BINARY) - 1 + 4);
	uint64_t length = reader_le8(&r), digest = reader_le8(&r);
	if (r.failed || length != reader_left(&r)) {
		strbuf_addf(why, "byte %zu: it was cut off, or something was added", bytes.len);
		return false;
	}
	if (digest_add(DIGEST_START, r.p, reader_left(&r)) != digest) {
		strbuf_addf(why, "byte %zu: the digest does not fit what follows: it is damaged", reader_offset(&r) - 8);
		return false;
	}
	codec_init(&k, s);
	k.most = length * ROWS_PER_BYTE;
	coder_begin_reading(&k.c, (struct span){ r.p, reader_left(&r) });
	code_summary(&k);
	coder_end_reading(&k.c);
	if (k.c.failed)
		strbuf_addf(why, "byte %zu: rows that contradict others", reader_offset(&r) + (k.c.at < length ? k.c.at : (size_t)length));
	codec_release(&k);
	return !k.c.failed;
}
