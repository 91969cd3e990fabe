/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/fields/shadows.h"

#include "agent/agent_p.h"
#include "agent/fields/pairs.h"
#include "agent/probe/probe_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/stores.h"

enum state { NOT_LOADED, HAS_SHADOWS, HAS_NONE };
static uint8_t *states;               /* by class of the plan */

/* Hold the lock. */
static uint8_t *state_of(uint32_t class)
{
	if (!states)
		states = mem_zalloc(agent.plan.classes.len + 1);
	return &states[class];
}

static struct str shadow_name(const struct plan_field *f, struct arena *mem)
{
	struct strbuf name = { 0 };

	plan_shadow_name(f, &name);
	struct str kept = { arena_copy(mem, name.s, name.len), (uint32_t)name.len };
	strbuf_release(&name);
	return kept;
}

/* Whoever can access the field can access its shadow. What Java computes for classes that are serialized leaves out private ones. */
static uint16_t shadow_access(const struct plan_field *f)
{
	return (uint16_t)((f->access & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC)) | ACC_TRANSIENT | ACC_SYNTHETIC);
}

static struct new_field *list_fields(uint32_t class, struct arena *mem, uint32_t *n)
{
	const struct plan_fields *all = &agent.plan.fields;
	struct new_field *out = arena_array(mem, struct new_field, all->rows.len + 1);

	for (uint32_t i = 0; i < all->rows.len; i++) {
		const struct plan_field *f = &all->rows.data[i];
		if (f->class == class && !f->why.len)
			out[(*n)++] = (struct new_field){ shadow_access(f), shadow_name(f, mem), STR("I") };
	}
	return out;
}

struct new_field *shadows_of(uint32_t class, bool is_again, struct arena *mem, uint32_t *n)
{
	agent_lock();
	uint8_t *state = state_of(class);
	if (*state == NOT_LOADED)
		*state = is_again ? HAS_NONE : HAS_SHADOWS;
	bool has = *state == HAS_SHADOWS;
	agent_unlock();
	*n = 0;
	return has ? list_fields(class, mem, n) : NULL;
}

void shadows_refuse(uint32_t class)
{
	agent_lock();
	uint8_t *state = state_of(class);
	if (*state == NOT_LOADED)
		*state = HAS_NONE;
	agent_unlock();
}

static bool has_none(uint32_t class)
{
	agent_lock();
	bool has = *state_of(class) == HAS_NONE;
	agent_unlock();
	return has;
}

/* Methods */

uint32_t shadows_most(const struct classfile *cf, const struct cf_member *m)
{
	return m->code ? (uint32_t)cf_code(cf, m).code.len : 0;        /* an access is three bytes, and has two at most */
}

/* The field of the plan that an instruction accesses, or NULL. */
static const struct plan_field *field_at(const struct probes *p, const struct insn *in)
{
	if (in->op < BC_getstatic || in->op > BC_putfield || cf_tag(p->cf, (uint16_t)in->a) != CP_FIELD)
		return NULL;
	struct cf_ref ref = cf_ref(p->cf, (uint16_t)in->a);
	struct str owner = cf_name(p->cf, ref.owner);
	char *dotted = arena_copy(p->mem, owner.p, owner.len);
	for (uint32_t i = 0; i < owner.len; i++)
		if (dotted[i] == '/')
			dotted[i] = '.';
	uint32_t row = plan_find_field(&agent.plan, (struct str){ dotted, owner.len }, ref.name, ref.desc);
	return row == UINT32_MAX ? NULL : &agent.plan.fields.rows.data[row];
}

/* NULL: it can be watched. */
static const char *why_not(const struct probes *p, const struct plan_field *f)
{
	struct str class = agent.plan.classes.data[f->class].name, why = f->why;
	struct strbuf text = { 0 };

	if (!why.len && has_none(f->class))
		why = STR("its class was loaded before, or is left out");
	if (!why.len)
		return NULL;
	strbuf_addf(&text, "field %.*s.%.*s is not watched: %.*s", (int)class.len, class.p, (int)f->name.len, f->name.p, (int)why.len, why.p);
	char *kept = arena_copy(p->mem, text.s, text.len + 1);
	strbuf_release(&text);
	return kept;
}

static uint32_t number_of(const struct probes *p, uint32_t class, uint32_t pc)
{
	struct strbuf name = { 0 };

	cf_store_name(p->cf, p->m, pc, agent.plan.classes.data[class].name, &name);
	uint32_t number = pairs_number(strbuf_str(&name));
	strbuf_release(&name);
	return number;
}

static uint32_t site_at(const struct match *uses, uint32_t n, uint32_t pc)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (uses[mid].pc == pc)
			return uses[mid].site;
		*(uses[mid].pc < pc ? &lo : &hi) = uses[mid].pc < pc ? mid + 1 : mid;
	}
	return UINT32_MAX;
}

const char *shadows_edit(const struct probes *p, uint32_t class, const struct match *uses, uint32_t nuses, struct insertion *in,
			 uint32_t *made, bool *is_watched, uint32_t first_site)
{
	struct span code = cf_code(p->cf, p->m).code;
	const char *why = NULL;
	struct insn at;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &at); pc += at.len) {
		const struct plan_field *f = field_at(p, &at);
		bool is_use = at.op == BC_getfield || at.op == BC_getstatic;
		uint32_t site = f && is_use ? site_at(uses, nuses, pc) : UINT32_MAX;
		struct field_probe probe = { .n = 0 };
		if (!f || (is_use && site == UINT32_MAX))
			continue;
		const char *not = why_not(p, f);
		bool ok = !not && (is_use ? probe_loaded(p, pc, shadow_name(f, p->mem), "used", site, &probe) :
					    probe_stored(p, pc, shadow_name(f, p->mem), number_of(p, class, pc), &probe));
		if (!ok) {
			why = not ? not : "its constant pool is full";
			continue;
		}
		if (is_use)
			is_watched[site - first_site] = true;
		for (uint32_t i = 0; i < probe.n; i++)
			in[(*made)++] = probe.in[i];
	}
	return why;
}
