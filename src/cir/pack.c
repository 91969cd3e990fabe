/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c - a program as bytes: counts of all tables, then their rows, each field in a fixed number of bytes, little-endian. */
#include "cir/cir.h"

#include "base/strbuf.h"
#include "cir/pack_p.h"

/* A row is put together here and added at once. */
struct row {
	uint8_t bytes[64];
	uint32_t n;
};

static void put(struct row *r, uint64_t v, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		r->bytes[r->n + i] = (uint8_t)(v >> 8 * i);
	r->n += bytes;
}

static void put1(struct row *r, uint8_t v)
{
	put(r, v, 1);
}

static void put2(struct row *r, uint16_t v)
{
	put(r, v, 2);
}

static void put4(struct row *r, uint32_t v)
{
	put(r, v, 4);
}

static void put8(struct row *r, uint64_t v)
{
	put(r, v, 8);
}

static void end_row(struct row *r, struct strbuf *out)
{
	strbuf_add(out, r->bytes, r->n);
	r->n = 0;
}

static uint32_t count_folders(const struct cprogram *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; p->folders.len && i < p->names.strings.len; i++)
		n += map_get(&p->folders, i) != 0;
	return n;
}

static void pack_head(const struct cprogram *p, struct strbuf *out)
{
	const uint32_t counts[PACK_NTABLES] = {
		[PACK_STRINGS] = p->names.strings.len - 1, [PACK_LOCS] = p->locs.len - 1, [PACK_FOLDERS] = count_folders(p),
		[PACK_LAYOUTS] = p->layouts.len - 1, [PACK_FIELDS] = p->fields.len, [PACK_OBJS] = p->objs.len - 1,
		[PACK_VARS] = p->vars.len - 1, [PACK_FNS] = p->fns.len - 1, [PACK_STMTS] = p->stmts.len,
		[PACK_CALLS] = p->calls.len - 1, [PACK_ARGS] = p->args.len, [PACK_NOTES] = p->notes.len - 1,
		[PACK_ALIASES] = p->aliases.len, [PACK_USES] = p->uses.len,
	};
	struct row r = { .n = 0 };

	strbuf_add(out, PACK_MAGIC, sizeof(PACK_MAGIC) - 1);
	put4(&r, p->pointer_size);
	put4(&r, p->initialisers.i);
	end_row(&r, out);
	for (uint32_t i = 0; i < PACK_NTABLES; i++)
		put4(&r, counts[i]);
	end_row(&r, out);
}

static void pack_strings(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->names.strings.len; i++) {
		put4(&r, p->names.strings.data[i].len);
		end_row(&r, out);
		strbuf_addstr(out, p->names.strings.data[i]);
	}
}

static void pack_places(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->locs.len; i++) {
		put4(&r, p->locs.data[i].file.i);
		put4(&r, p->locs.data[i].line);
		put4(&r, p->locs.data[i].column);
		end_row(&r, out);
	}
	for (uint32_t i = 0; p->folders.len && i < p->names.strings.len; i++)
		if (map_get(&p->folders, i)) {
			put4(&r, i);
			put4(&r, map_get(&p->folders, i));
			end_row(&r, out);
		}
}

static void pack_layouts(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->layouts.len; i++) {
		const struct clayout *l = &p->layouts.data[i];

		put1(&r, l->kind);
		put8(&r, l->size);
		put4(&r, l->name.i);
		put4(&r, l->first);
		put4(&r, l->nfields);
		put4(&r, l->elem.i);
		put8(&r, l->count);
		end_row(&r, out);
	}
	for (uint32_t i = 0; i < p->fields.len; i++) {
		put8(&r, p->fields.data[i].offset);
		put4(&r, p->fields.data[i].layout.i);
		put4(&r, p->fields.data[i].name.i);
		end_row(&r, out);
	}
}

static void pack_objects(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->objs.len; i++) {
		const struct cobj *o = &p->objs.data[i];

		put1(&r, o->kind);
		put1(&r, o->flags);
		put4(&r, o->name.i);
		put4(&r, o->fn.i);
		put4(&r, o->layout.i);
		put8(&r, o->size);
		put4(&r, o->loc.i);
		end_row(&r, out);
	}
	for (uint32_t i = 1; i < p->vars.len; i++) {
		const struct cvar *v = &p->vars.data[i];

		put1(&r, v->kind);
		put4(&r, v->name.i);
		put4(&r, v->fn.i);
		put4(&r, v->loc.i);
		end_row(&r, out);
	}
}

static void pack_functions(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];

		put4(&r, f->name.i);
		put4(&r, f->obj.i);
		put2(&r, f->flags);
		put2(&r, f->realloc);
		put2(&r, f->returns);
		put4(&r, f->other.i);
		put4(&r, f->params);
		put4(&r, f->nparams);
		put4(&r, f->result.i);
		put4(&r, f->rest.i);
		put4(&r, f->stmts);
		put4(&r, f->nstmts);
		put4(&r, f->calls);
		put4(&r, f->ncalls);
		put4(&r, f->of.i);
		put4(&r, f->loc.i);
		end_row(&r, out);
	}
}

static void pack_bodies(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 0; i < p->stmts.len; i++) {
		const struct cstmt *s = &p->stmts.data[i];

		put1(&r, s->op);
		put1(&r, s->flags);
		put4(&r, s->dst);
		put4(&r, s->src);
		put4(&r, (uint32_t)s->off);
		put4(&r, s->width);
		put4(&r, s->loc.i);
		end_row(&r, out);
	}
	for (uint32_t i = 1; i < p->calls.len; i++) {
		const struct ccall *c = &p->calls.data[i];

		put4(&r, c->callee.i);
		put4(&r, c->pointer.i);
		put4(&r, c->result.i);
		put4(&r, c->args);
		put4(&r, c->nargs);
		put1(&r, c->flags);
		put4(&r, c->hint.i);
		put8(&r, c->size);
		put4(&r, c->memory.i);
		put4(&r, c->caller.i);
		put4(&r, c->loc.i);
		end_row(&r, out);
	}
	for (uint32_t i = 0; i < p->args.len; i++) {
		put4(&r, p->args.data[i].i);
		end_row(&r, out);
	}
}

static void pack_rest(const struct cprogram *p, struct strbuf *out)
{
	struct row r = { .n = 0 };

	for (uint32_t i = 1; i < p->notes.len; i++) {
		put1(&r, p->notes.data[i].kind);
		put4(&r, p->notes.data[i].fn.i);
		put4(&r, p->notes.data[i].loc.i);
		put4(&r, p->notes.data[i].text.i);
		end_row(&r, out);
	}
	for (uint32_t i = 0; i < p->aliases.len; i++) {
		put4(&r, p->aliases.data[i].name.i);
		put4(&r, p->aliases.data[i].obj.i);
		end_row(&r, out);
	}
	for (uint32_t i = 0; i < p->uses.len; i++) {
		put4(&r, p->uses.data[i].param.i);
		put1(&r, p->uses.data[i].flags);
		put2(&r, p->uses.data[i].moves);
		end_row(&r, out);
	}
}

void cir_pack(const struct cprogram *p, struct strbuf *out)
{
	pack_head(p, out);
	pack_strings(p, out);
	pack_places(p, out);
	pack_layouts(p, out);
	pack_objects(p, out);
	pack_functions(p, out);
	pack_bodies(p, out);
	pack_rest(p, out);
}
