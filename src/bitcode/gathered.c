/* SPDX-License-Identifier: Apache-2.0 */
/* gathered.c - arrays that the linker makes: it puts all data of a section S one behind the other, and defines
 * __start_S and __stop_S around them. Where these are not defined otherwise, their addresses are those of all data of
 * the section.
 *
 * Programs register things so, in tables that no file has as a whole, and walk from one end to the other. Without
 * this, the walk would find nothing, and functions in these tables would never be called. Statements that name an end
 * are turned into ones that go through a variable with the addresses of all data: what was access to an object becomes
 * access through a pointer. */
#include "bitcode/lower_p.h"

#define START "__start_"
#define STOP "__stop_"

struct gathering {
	struct symbols *l;
	struct map walked;           /* sections that somebody walks over: 1 */
	struct map addresses;        /* such a section: the variable that has the addresses of all its data; none: it has no data */
	struct map ends;             /* object __start_S or __stop_S: the variable of its section */
};

/* The section that a symbol is an end of; none: it is no end, or nothing has the name of that section. */
static str_id section_of(struct symbols *l, const struct symbol *s)
{
	struct str name = interned(&l->p->names, s->name);
	uint32_t prefix = str_starts(name, START) ? sizeof(START) - 1 : str_starts(name, STOP) ? sizeof(STOP) - 1 : 0;
	str_id section = { 0 };

	if (s->strength != UNDEFINED || s->fn.i || !prefix || !interner_find(&l->p->names, str_sub(name, prefix, name.len), &section))
		return (str_id){ 0 };
	return section;
}

static uint32_t new_variable(struct cprogram *p)
{
	return cir_var(p, CVAR_TEMP, (str_id){ 0 }, (cfn_id){ 0 }).i;
}

static void add_initial(struct symbols *l, struct cstmt s)
{
	vec_push(&l->initials, ((struct initial){ .stmt = s }));
}

/* One element's pointer leads to all others: what is reached beyond the end of one is reached from the start of another. */
static void gather(struct gathering *x, struct gathered g)
{
	cobj_id o = x->l->rows.data[g.symbol].obj;
	struct cprogram *p = x->l->p;
	uint32_t *all;

	if (!map_get(&x->walked, g.section.i))
		return;
	all = map_at(&x->addresses, g.section.i);
	if (!*all)
		*all = new_variable(p);
	add_initial(x->l, (struct cstmt){ .op = C_ADDR, .dst = *all, .src = o.i });
	if (p->layouts.data[p->objs.data[o.i].layout.i].size)
		p->objs.data[o.i].flags |= COBJ_REPEATS;
}

static void find_ends(struct gathering *x)
{
	struct symbols *l = x->l;

	for (uint32_t i = 1; i < l->rows.len; i++) {
		str_id section = section_of(l, &l->rows.data[i]);

		if (section.i)
			*map_at(&x->walked, section.i) = 1;
	}
	for (uint32_t i = 0; i < l->gathered.len; i++)
		gather(x, l->gathered.data[i]);
	for (uint32_t i = 1; i < l->rows.len; i++) {
		const struct symbol *s = &l->rows.data[i];
		uint32_t all = map_get(&x->addresses, section_of(l, s).i);

		if (all) {
			*map_at(&x->ends, s->obj.i) = all;
			l->p->objs.data[s->obj.i].flags = COBJ_STATIC;
		}
	}
}

/* The variable that has all addresses, `off` bytes on. */
static uint32_t shifted(struct symbols *l, uint32_t all, int32_t off)
{
	struct cstmt s = { .op = C_SHIFT, .src = all, .off = off };
	uint32_t *known;

	if (!off)
		return all;
	known = numbered_at(&l->numbers, &s);
	if (!*known) {
		s.dst = *known = new_variable(l->p);
		add_initial(l, s);
	}
	return *known;
}

static struct cstmt redirected(struct gathering *x, struct cstmt s)
{
	bool is_put = s.op == C_PUT;
	bool names_object = is_put || s.op == C_ADDR || s.op == C_GET;
	uint32_t all = names_object ? map_get(&x->ends, is_put ? s.dst : s.src) : 0, at;

	if (!all)
		return s;
	at = shifted(x->l, all, s.off);
	s.off = 0;
	if (s.op == C_ADDR)
		s.flags |= CSTMT_HIDDEN;
	s.op = is_put ? C_STORE : s.op == C_GET ? C_LOAD : C_COPY;
	*(is_put ? &s.dst : &s.src) = at;
	return s;
}

void symbols_gather(struct symbols *l)
{
	struct gathering x = { .l = l };
	uint32_t n;

	if (l->gathered.len)
		find_ends(&x);
	n = x.ends.len ? l->initials.len : 0;
	for (uint32_t i = 0; i < n; i++) {
		struct cstmt s = redirected(&x, l->initials.data[i].stmt);       /* may add others */

		l->initials.data[i].stmt = s;
	}
	for (uint32_t i = 0; x.ends.len && i < l->p->stmts.len; i++)
		l->p->stmts.data[i] = redirected(&x, l->p->stmts.data[i]);
	map_release(&x.walked);
	map_release(&x.addresses);
	map_release(&x.ends);
}
