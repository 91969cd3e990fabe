/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c - places of objects, and what pointer arithmetic makes of pointers to them.
 *
 * What a canonical offset is depends on the object alone: so two pointers to the same byte have the same cell, however
 * they were computed. The one assumption is that arithmetic on a pointer into an array stays in the array.
 *
 * C lets a pointer be moved by any number of bytes, and a struct be walked over as if it were an array of its fields.
 * Where it is not known where such a step leads, the pointer is to *any* place of the object: to round it to the start
 * of the field that it is in would lose what further steps find in the next one. An object collapses only when
 * something is stored through such a pointer, or when nothing of its fields can be told apart: the less it collapses,
 * the smaller are all sets that it is in. */
#include "analysis/cpta/cpta_p.h"

/* Objects of unknown layout: cells further out, or more of them, are not worth telling apart. */
#define RAW_REACH 4096
#define RAW_CELLS 64
/* Scalars do not start at other offsets, unless somebody walks over bytes. */
#define RAW_ALIGN 4

/* A scalar, or arrays of them: all elements are one cell. */
static bool is_single(const struct cprogram *p, clayout_id l)
{
	while (l.i && p->layouts.data[l.i].kind == CLAYOUT_ARRAY)
		l = p->layouts.data[l.i].elem;
	return l.i && p->layouts.data[l.i].kind == CLAYOUT_SCALAR;
}

void cells_init(struct cpta *a)
{
	uint32_t n = a->p->objs.len;

	vec_push(&a->cells, (struct cell){ 0 });
	vec_reserve(&a->memories, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct cobj *o = &a->p->objs.data[i];

		vec_push(&a->memories, ((struct memory){ .collapsed = !a->opt.fields,
							 .single = o->kind == COBJ_FUNCTION || is_single(a->p, o->layout) }));
	}
}

static const struct clayout *layout_of(const struct cpta *a, uint32_t obj)
{
	clayout_id l = a->p->objs.data[obj].layout;

	return l.i ? &a->p->layouts.data[l.i] : NULL;
}

static bool repeats(const struct cpta *a, uint32_t obj)
{
	return a->p->objs.data[obj].flags & COBJ_REPEATS;
}

static uint64_t canonical(const struct cpta *a, uint32_t obj, uint64_t off)
{
	const struct memory *m = &a->memories.data[obj];
	const struct clayout *l = layout_of(a, obj);

	if (m->collapsed || m->single)
		return 0;
	if (!l)
		return m->stride ? off % m->stride : off;
	if (repeats(a, obj) && l->size)
		off %= l->size;
	return clayout_cell(a->p, a->p->objs.data[obj].layout, off);
}

uint32_t cell_find(const struct cpta *a, uint32_t obj, uint64_t off)
{
	uint64_t at = canonical(a, obj, off);

	return at > UINT32_MAX ? 0 : map_get(&a->cell_at, map_key(obj, (uint32_t)at));
}

static void note_object(struct cpta *a, uint32_t cell)
{
	uint32_t at = a->cells.data[cell].object.i - KINDS_MAX;

	while (a->cell_of.len <= at)
		vec_push(&a->cell_of, 0);
	a->cell_of.data[at] = cell;
}

node_id cell_into(const struct cpta *a, uint32_t cell)
{
	return a->cells.data[cell].any ? solver_slot(a->s, a->cells.data[cell].object, 1) : content(a, cell);
}

static void join_any(struct cpta *a, uint32_t any, uint32_t cell)
{
	solver_copy(a->s, content(a, cell), content(a, any), (mask_id){ 0 });
}

/* The cell of pointers to somewhere in the object. Where nodes are unified anyway, that is the same as to collapse it. */
static uint32_t any_cell(struct cpta *a, uint32_t obj)
{
	struct memory *m = &a->memories.data[obj];

	if (a->opt.engine != CENGINE_ANDERSEN)
		collapse(a, obj);
	if (m->collapsed || m->single)
		return cell_at(a, obj, 0);
	if (m->any)
		return m->any;
	object_id o = solver_object(a->s, a->anywhere);

	m->any = a->cells.len;
	vec_push(&a->cells, ((struct cell){ .obj = obj, .object = o, .content = solver_slot(a->s, o, 0), .any = true }));
	note_object(a, m->any);
	for (uint32_t c = m->cells; c; c = a->cells.data[c].next)
		join_any(a, m->any, c);
	cwatch_add(a, cell_into(a, m->any), (mask_id){ 0 }, (struct cwatch){ .kind = CWATCH_ANY, .row = obj });
	return m->any;
}

static uint32_t new_cell(struct cpta *a, uint32_t obj, uint64_t off)
{
	struct memory *m = &a->memories.data[obj];
	uint32_t cell = a->cells.len;
	object_id o = solver_object(a->s, a->p->objs.data[obj].kind == COBJ_FUNCTION ? a->code : a->data);

	vec_push(&a->cells, ((struct cell){ .obj = obj, .off = off, .object = o, .content = solver_slot(a->s, o, 0) }));
	if (m->last)
		a->cells.data[m->last].next = cell;
	else
		m->cells = cell;
	m->last = cell;
	m->ncells++;
	note_object(a, cell);
	if (m->any)
		join_any(a, m->any, cell);
	if (m->movers && !a->p->objs.data[obj].layout.i)     /* moves before read the cells that there were */
		movers_see_cell(a, cell);
	return cell;
}

/* Cells of objects that are not laid out: are there too many, or none that a scalar could have? */
static bool is_too_fine(const struct cpta *a, uint32_t obj, uint64_t at)
{
	const struct memory *m = &a->memories.data[obj];

	return !m->collapsed && !m->single && !a->p->objs.data[obj].layout.i &&
	       (at % RAW_ALIGN || at > RAW_REACH || m->ncells == RAW_CELLS);
}

uint32_t cell_at(struct cpta *a, uint32_t obj, uint64_t off)
{
	uint64_t at = canonical(a, obj, off);
	uint32_t cell = at > UINT32_MAX ? 0 : map_get(&a->cell_at, map_key(obj, (uint32_t)at));

	if (cell)
		return cell;
	if (at > UINT32_MAX || is_too_fine(a, obj, at)) {
		collapse(a, obj);
		return cell_at(a, obj, 0);
	}
	cell = new_cell(a, obj, at);
	*map_at(&a->cell_at, map_key(obj, (uint32_t)at)) = cell;
	return cell;
}

/* The cells become those that now stand for them. */
static void fold(struct cpta *a, uint32_t obj)
{
	a->memories.data[obj].ncells = 0;
	for (uint32_t c = a->memories.data[obj].cells; c; c = a->cells.data[c].next) {
		uint32_t to = cell_at(a, obj, a->cells.data[c].off);

		if (to != c)
			solver_join(a->s, content(a, c), content(a, to));
		else
			a->memories.data[obj].ncells++;
	}
	uint32_t any = a->memories.data[obj].any;

	if (any && a->memories.data[obj].collapsed) {
		solver_join(a->s, content(a, any), content(a, cell_at(a, obj, 0)));
		solver_join(a->s, cell_into(a, any), content(a, cell_at(a, obj, 0)));
	}
	if (a->memories.data[obj].movers)
		movers_see_fold(a, obj);
	shift_again(a, obj);
}

void collapse(struct cpta *a, uint32_t obj)
{
	struct memory *m = &a->memories.data[obj];

	if (m->collapsed || m->single)
		return;
	m->collapsed = true;
	fold(a, obj);
}

/* Somebody indexes the object, of unknown layout, by this step: it is an array of elements of this size, as far as
 * anybody knows. Two such steps have a common divisor; where that is less than a pointer, nothing is told apart. */
static void set_stride(struct cpta *a, uint32_t obj, uint64_t step)
{
	struct memory *m = &a->memories.data[obj];
	uint64_t stride = cstride_join(m->stride, step);

	if (!step || stride < a->p->pointer_size) {
		collapse(a, obj);
	} else if (stride != m->stride) {
		m->stride = stride;
		fold(a, obj);
	}
}

static uint64_t magnitude(int64_t n)
{
	return n < 0 ? (uint64_t)-n : (uint64_t)n;
}

static struct shifted one(uint32_t cell)
{
	return (struct shifted){ { cell, 0 } };
}

/* Modulo what repeats, also for negative offsets. */
static uint64_t wrapped(int64_t at, uint64_t size)
{
	int64_t rest = at % (int64_t)size;

	return (uint64_t)(rest < 0 ? rest + (int64_t)size : rest);
}

/* Of an object whose layout nobody knows: its cells are the offsets that are met. */
static struct shifted shift_raw(struct cpta *a, uint32_t cell, const struct cwatch *w)
{
	uint32_t obj = a->cells.data[cell].obj;
	int64_t at = (int64_t)a->cells.data[cell].off + w->off;

	if (w->width)
		set_stride(a, obj, w->width);
	else if (w->flags & CSTMT_ELEMENTS)
		set_stride(a, obj, magnitude(w->off));
	const struct memory *m = &a->memories.data[obj];

	if (m->collapsed)
		return one(cell_at(a, obj, 0));
	if (m->stride)
		return one(cell_at(a, obj, wrapped(at, m->stride)));
	return one(at < 0 ? 0 : cell_at(a, obj, (uint64_t)at));
}

/* The cell of an offset of an object with a layout; 0: outside. */
static uint32_t cell_inside(struct cpta *a, uint32_t obj, int64_t at)
{
	const struct clayout *l = layout_of(a, obj);

	if (repeats(a, obj) && l->size)
		return cell_at(a, obj, wrapped(at, l->size));
	if (at < 0 || (uint64_t)at >= (a->p->objs.data[obj].size ? a->p->objs.data[obj].size : l->size))
		return 0;
	return cell_at(a, obj, (uint64_t)at);
}

/* A step that leads to where no cell starts, or back out of an array from an element that is not the first one perhaps: what is next
 * to it after further steps is not known. */
static bool loses_its_way(const struct cpta *a, const struct cell *c, const struct cwatch *w)
{
	clayout_id l = a->p->objs.data[c->obj].layout;
	uint64_t size = a->p->layouts.data[l.i].size;
	int64_t at = (int64_t)c->off + w->off;

	if ((w->flags & CSTMT_BYTES) && w->off < 0 && clayout_leaves(a->p, l, c->off, magnitude(w->off)))
		return true;
	if (repeats(a, c->obj) && size)
		return clayout_inside(a->p, l, wrapped(at, size));
	return at >= 0 && (uint64_t)at < size && clayout_inside(a->p, l, (uint64_t)at);
}

/* One past the end: from there it may come back. */
static bool is_end(const struct cpta *a, const struct cell *c, const struct cwatch *w)
{
	const struct cobj *o = &a->p->objs.data[c->obj];
	uint64_t size = o->size ? o->size : a->p->layouts.data[o->layout.i].size;

	return !(o->flags & COBJ_REPEATS) && w->off > 0 && c->off + (uint64_t)w->off == size;
}

/* To an element of an array, by way of something around it: from there, the end of the array is nearer than from its cell. That
 * matters to accesses that go on behind it, as those of small elements may: they are put together. */
static bool is_middle(const struct cpta *a, const struct cell *c, const struct cwatch *w)
{
	const struct cobj *o = &a->p->objs.data[c->obj];
	uint64_t size = a->p->layouts.data[o->layout.i].size;
	int64_t at = (int64_t)c->off + w->off;

	if (!(w->flags & (CSTMT_ELEMENTS | CSTMT_BYTES | CSTMT_RANGE)))
		return false;
	if ((o->flags & COBJ_REPEATS) && size)
		at = (int64_t)wrapped(at, size);
	return at >= 0 && clayout_middle(a->p, o->layout, (uint64_t)at, w->flags & CSTMT_BYTES ? a->p->pointer_size : 0);
}

static struct shifted shift_exactly(struct cpta *a, uint32_t cell, const struct cwatch *w)
{
	struct cell c = a->cells.data[cell];
	bool stays = (w->flags & (CSTMT_ELEMENTS | CSTMT_BYTES)) && w->off &&
		     clayout_around(a->p, a->p->objs.data[c.obj].layout, c.off, magnitude(w->off));

	if (stays && (w->flags & CSTMT_ELEMENTS))
		return one(cell);
	if (loses_its_way(a, &c, w) || is_end(a, &c, w) || (!stays && is_middle(a, &c, w)))
		return one(any_cell(a, c.obj));
	uint32_t to = cell_inside(a, c.obj, (int64_t)c.off + w->off);

	return (struct shifted){ { to, stays ? cell : 0 } };     /* bytes: a field further on, or another element */
}

uint32_t cell_address(struct cpta *a, uint32_t obj, int32_t off, uint8_t flags)
{
	uint32_t base = cell_at(a, obj, 0);
	struct cwatch w = { .flags = flags, .off = off };

	if (!off || a->memories.data[obj].collapsed || a->memories.data[obj].single || !a->p->objs.data[obj].layout.i)
		return off < 0 ? base : cell_at(a, obj, (uint64_t)off);
	struct cell c = a->cells.data[base];

	if (off < 0 || loses_its_way(a, &c, &w) || is_end(a, &c, &w) || is_middle(a, &c, &w))
		return any_cell(a, obj);
	return cell_at(a, obj, (uint64_t)off);
}

/* Does an index over elements of this size, at `at`, stay in an array? Of a pointer, which may be to a struct that starts there,
 * less is known than of an array. */
static bool is_element(const struct cpta *a, const struct cell *c, uint64_t at, const struct cwatch *w)
{
	const struct cobj *o = &a->p->objs.data[c->obj];
	const struct clayout *l = &a->p->layouts.data[o->layout.i];

	if ((o->flags & COBJ_REPEATS) && l->size && w->width % l->size == 0)
		return true;
	return w->flags & CSTMT_ELEMENTS ? clayout_in_array(a->p, o->layout, at, w->width) : clayout_around(a->p, o->layout, at, w->width);
}

/* Does it stay at one object? Not where a struct starts that may be seen as an array of scalars, nor in memory that may have more
 * behind the layout, nor over bytes: these may go on behind the scalar that they start at. */
static bool is_alone(const struct cpta *a, const struct cell *c, uint64_t width)
{
	const struct cobj *o = &a->p->objs.data[c->obj];
	uint64_t part = clayout_part(a->p, o->layout, c->off);

	if ((o->flags & COBJ_REPEATS) && o->size != a->p->layouts.data[o->layout.i].size)
		return false;
	return width > a->p->pointer_size ? clayout_starts(a->p, o->layout, c->off, width) : part ? part == width : width > 1;
}

/* By a multiple of the width that nobody knows: an index. */
static struct shifted shift_any(struct cpta *a, uint32_t cell, const struct cwatch *w)
{
	struct cell c = a->cells.data[cell];
	uint32_t to = cell_inside(a, c.obj, (int64_t)c.off + w->off);
	bool anywhere = w->flags & CSTMT_BYTES;

	if (!anywhere && to && is_element(a, &c, a->cells.data[to].off, w))
		return one(to);
	if (!anywhere && (is_element(a, &c, c.off, w) || is_alone(a, &c, w->width)))
		return one(to ? to : cell);
	if (anywhere)
		collapse(a, c.obj);
	return one(any_cell(a, c.obj));
}

/* A pointer to any place of an object stays one, whatever is added to it. */
struct shifted cell_shift(struct cpta *a, uint32_t cell, const struct cwatch *w)
{
	uint32_t obj = a->cells.data[cell].obj;
	const struct memory *m = &a->memories.data[obj];

	if (m->single || m->collapsed)
		return one(cell_at(a, obj, 0));
	if (a->cells.data[cell].any && !(w->width && (w->flags & CSTMT_BYTES)))
		return one(cell);
	if (!a->p->objs.data[obj].layout.i)
		return shift_raw(a, cell, w);
	return w->width ? shift_any(a, cell, w) : shift_exactly(a, cell, w);
}
