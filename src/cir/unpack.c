/* SPDX-License-Identifier: Apache-2.0 */
/* unpack.c - bytes to a program. They may come from a process that was made to write anything. So every id of every row is
 * compared with its table, also of rows that no function has: analyses walk over whole tables. cir_check has the rest. */
#include "cir/cir.h"

#include "base/reader.h"
#include "cir/pack_p.h"

struct unpacker {
	struct reader r;
	struct cprogram *p;
	uint32_t n[PACK_NTABLES];     /* rows */
	const char *reason;
};

static bool bad(struct unpacker *u, const char *reason)
{
	if (!u->reason)
		u->reason = reason;
	return false;
}

/* An id, or 0; of a table that has one row more than were written. */
static uint32_t id_of(struct unpacker *u, enum pack_table t)
{
	uint32_t id = reader_le4(&u->r);

	if (LIKELY(id <= u->n[t]))
		return id;
	bad(u, "an id is out of range");
	return 0;
}

static str_id string(struct unpacker *u)
{
	return (str_id){ id_of(u, PACK_STRINGS) };
}

static cloc_id loc(struct unpacker *u)
{
	return (cloc_id){ id_of(u, PACK_LOCS) };
}

static cfn_id fn(struct unpacker *u)
{
	return (cfn_id){ id_of(u, PACK_FNS) };
}

static cvar_id var(struct unpacker *u)
{
	return (cvar_id){ id_of(u, PACK_VARS) };
}

static cobj_id object(struct unpacker *u)
{
	return (cobj_id){ id_of(u, PACK_OBJS) };
}

static clayout_id layout(struct unpacker *u)
{
	return (clayout_id){ id_of(u, PACK_LAYOUTS) };
}

static bool unpack_head(struct unpacker *u)
{
	static const uint8_t sizes[PACK_NTABLES] = {
#define T(name, size) [PACK_##name] = size,
		PACK_TABLES(T)
#undef T
	};
	uint64_t least = 0;
	struct span magic = reader_span(&u->r, sizeof(PACK_MAGIC) - 1);

	if (magic.len != sizeof(PACK_MAGIC) - 1 || memcmp(magic.p, PACK_MAGIC, magic.len) != 0)
		return bad(u, "not a packed program of this version");
	u->p->pointer_size = reader_le4(&u->r);
	u->p->initialisers.i = reader_le4(&u->r);
	for (uint32_t i = 0; i < PACK_NTABLES; i++) {
		u->n[i] = reader_le4(&u->r);
		least += (uint64_t)u->n[i] * sizes[i];
	}
	return (!u->r.failed && least <= reader_left(&u->r)) || bad(u, "there are fewer rows than it says");
}

/* Each string once: the number of a row is its id. */
static bool unpack_strings(struct unpacker *u)
{
	for (uint32_t i = 1; i <= u->n[PACK_STRINGS]; i++) {
		uint32_t len = reader_le4(&u->r);
		struct span text = reader_span(&u->r, len);

		if (u->r.failed)
			return bad(u, "it is cut off");
		if (intern(&u->p->names, (struct str){ (const char *)text.p, (uint32_t)text.len }).i != i)
			return bad(u, "a string is there twice");
	}
	return true;
}

static bool unpack_places(struct unpacker *u)
{
	vec_reserve(&u->p->locs, u->n[PACK_LOCS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_LOCS]; i++) {
		struct cloc l = { .file = string(u) };

		l.line = reader_le4(&u->r);
		l.column = reader_le4(&u->r);
		vec_push(&u->p->locs, l);
	}
	for (uint32_t i = 0; i < u->n[PACK_FOLDERS] && !u->reason; i++) {
		str_id name = string(u), folder = string(u);

		if (!folder.i)
			return bad(u, "a file without its folder");
		*map_at(&u->p->folders, name.i) = folder.i;
	}
	return true;
}

static void unpack_layouts(struct unpacker *u)
{
	vec_reserve(&u->p->layouts, u->n[PACK_LAYOUTS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_LAYOUTS]; i++) {
		struct clayout l = { .kind = reader_u1(&u->r) };

		l.size = reader_le8(&u->r);
		l.name = string(u);
		l.first = reader_le4(&u->r);
		l.nfields = reader_le4(&u->r);
		l.elem = layout(u);
		l.count = reader_le8(&u->r);
		vec_push(&u->p->layouts, l);
	}
	vec_reserve(&u->p->fields, u->n[PACK_FIELDS]);
	for (uint32_t i = 0; i < u->n[PACK_FIELDS]; i++) {
		struct cfield f = { .offset = reader_le8(&u->r) };

		f.layout = layout(u);
		f.name = string(u);
		vec_push(&u->p->fields, f);
	}
}

static void unpack_objects(struct unpacker *u)
{
	vec_reserve(&u->p->objs, u->n[PACK_OBJS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_OBJS]; i++) {
		struct cobj o = { .kind = reader_u1(&u->r) };

		o.flags = reader_u1(&u->r);
		o.name = string(u);
		o.fn = fn(u);
		o.layout = layout(u);
		o.size = reader_le8(&u->r);
		o.loc = loc(u);
		vec_push(&u->p->objs, o);
	}
	vec_reserve(&u->p->vars, u->n[PACK_VARS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_VARS]; i++) {
		struct cvar v = { .kind = reader_u1(&u->r) };

		v.name = string(u);
		v.fn = fn(u);
		v.loc = loc(u);
		vec_push(&u->p->vars, v);
	}
}

static void unpack_functions(struct unpacker *u)
{
	vec_reserve(&u->p->fns, u->n[PACK_FNS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_FNS]; i++) {
		struct cfn f = { .name = string(u) };

		f.obj = object(u);
		f.flags = reader_le2(&u->r);
		f.realloc = reader_le2(&u->r);
		f.returns = reader_le2(&u->r);
		f.other = var(u);
		f.params = reader_le4(&u->r);
		f.nparams = reader_le4(&u->r);
		f.result = var(u);
		f.rest = object(u);
		f.stmts = reader_le4(&u->r);
		f.nstmts = reader_le4(&u->r);
		f.calls = reader_le4(&u->r);
		f.ncalls = reader_le4(&u->r);
		f.of = fn(u);
		f.loc = loc(u);
		vec_push(&u->p->fns, f);
	}
}

static void unpack_stmts(struct unpacker *u)
{
	vec_reserve(&u->p->stmts, u->n[PACK_STMTS]);
	for (uint32_t i = 0; i < u->n[PACK_STMTS]; i++) {
		struct cstmt s = { .op = reader_u1(&u->r) };

		s.flags = reader_u1(&u->r);
		s.dst = id_of(u, s.op == C_PUT ? PACK_OBJS : s.op == C_CALL ? PACK_CALLS : PACK_VARS);
		s.src = id_of(u, s.op == C_ADDR || s.op == C_GET ? PACK_OBJS : PACK_VARS);
		s.off = (int32_t)reader_le4(&u->r);
		s.width = reader_le4(&u->r);
		s.loc = loc(u);
		if (UNLIKELY(s.op > C_CALL))
			bad(u, "a statement of no kind");
		vec_push(&u->p->stmts, s);
	}
}

static bool in_range(uint32_t first, uint32_t n, uint32_t limit)
{
	return first <= limit && n <= limit - first;
}

static void unpack_calls(struct unpacker *u)
{
	vec_reserve(&u->p->calls, u->n[PACK_CALLS] + UINT64_C(1));
	for (uint32_t i = 0; i < u->n[PACK_CALLS]; i++) {
		struct ccall c = { .callee = fn(u) };

		c.pointer = var(u);
		c.result = var(u);
		c.args = reader_le4(&u->r);
		c.nargs = reader_le4(&u->r);
		c.flags = reader_u1(&u->r);
		c.hint = layout(u);
		c.size = reader_le8(&u->r);
		c.memory = object(u);
		c.caller = fn(u);
		c.loc = loc(u);
		if (UNLIKELY(!in_range(c.args, c.nargs, u->n[PACK_ARGS])))
			bad(u, "arguments are out of range");
		vec_push(&u->p->calls, c);
	}
	vec_reserve(&u->p->args, u->n[PACK_ARGS]);
	for (uint32_t i = 0; i < u->n[PACK_ARGS]; i++)
		vec_push(&u->p->args, var(u));
}

static void unpack_rest(struct unpacker *u)
{
	for (uint32_t i = 0; i < u->n[PACK_NOTES]; i++) {
		struct cnote n = { .kind = reader_u1(&u->r) };

		n.fn = fn(u);
		n.loc = loc(u);
		n.text = string(u);
		vec_push(&u->p->notes, n);
	}
	for (uint32_t i = 0; i < u->n[PACK_ALIASES]; i++) {
		struct calias a = { .name = string(u) };

		a.obj = object(u);
		vec_push(&u->p->aliases, a);
	}
	for (uint32_t i = 0; i < u->n[PACK_USES]; i++) {
		struct cuse x = { .param = var(u) };

		x.flags = reader_u1(&u->r);
		x.moves = reader_le2(&u->r);
		vec_push(&u->p->uses, x);
	}
}

bool cir_unpack(struct cprogram *p, struct span bytes, const char **reason)
{
	struct unpacker u = { .r = reader_of(bytes), .p = p };

	if (unpack_head(&u) && unpack_strings(&u) && unpack_places(&u)) {
		unpack_layouts(&u);
		unpack_objects(&u);
		unpack_functions(&u);
		unpack_stmts(&u);
		unpack_calls(&u);
		unpack_rest(&u);
		if (u.r.failed || reader_left(&u.r))
			bad(&u, "it is cut off, or goes on behind its end");
	}
	*reason = u.reason;
	return !u.reason && cir_check(p, reason);
}
