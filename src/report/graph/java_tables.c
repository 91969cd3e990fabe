/* SPDX-License-Identifier: Apache-2.0 */
#include "report/graph/java_tables.h"

#include <stdlib.h>

#define FLAG_INTERFACE 0x0200

static void set_package(const struct program *p, class_id c, struct strbuf *out)
{
	struct str name = package_of(class_name(p, c));

	strbuf_clear(out);
	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(out, name.p[i] == '/' ? '.' : name.p[i]);
}

static void set_class(struct java_texts *x, const struct program *p, class_id c)
{
	strbuf_clear(&x->class_name);
	print_class(p, c, &x->class_name);
	set_package(p, c, &x->package);
}

void java_detail(struct java_texts *x, const struct java_tables *t, const struct program *p, method_id m, struct graph_detail *out)
{
	const struct ir_method *row = method_row(p, m);

	set_class(x, p, row->owner);
	*out = (struct graph_detail){ .name = sel_name(p, row->sel), .descriptor = sel_desc(p, row->sel),
				      .class_name = strbuf_str(&x->class_name), .package = strbuf_str(&x->package),
				      .class = t->classes ? t->classes[row->owner.i] : 0, .flags = row->flags };
}

void java_texts_release(struct java_texts *x)
{
	strbuf_release(&x->class_name);
	strbuf_release(&x->package);
}

void java_tables_init(struct java_tables *t, const struct program *p, struct arena *mem)
{
	*t = (struct java_tables){ .p = p, .mem = mem, .classes = mem_zalloc(sizeof(uint32_t) * ((size_t)p->classes.len + 1)),
				   .mrefs = mem_zalloc(sizeof(uint32_t) * ((size_t)p->mrefs.len + 1)) };
}

void java_tables_class(struct java_tables *t, class_id c)
{
	if (c.i && !t->classes[c.i]) {
		vec_push(&t->class_list, c);
		t->classes[c.i] = t->class_list.len;
	}
}

void java_tables_mref(struct java_tables *t, mref_id m)
{
	if (!m.i || t->mrefs[m.i])
		return;
	vec_push(&t->mref_list, m);
	t->mrefs[m.i] = t->mref_list.len;
	java_tables_class(t, mref_row(t->p, m)->owner);
}

/* The list grows while it is walked. */
static void number_ancestors(struct java_tables *t)
{
	for (uint32_t k = 0; k < t->class_list.len; k++) {
		const struct ir_class *row = class_row(t->p, t->class_list.data[k]);
		java_tables_class(t, row->super);
		java_tables_class(t, row->element);
		for (uint32_t i = 0; i < row->ninterfaces; i++)
			java_tables_class(t, row->interfaces[i]);
	}
}

static const char *kind_name(const struct ir_class *c)
{
	switch (c->kind) {
	case CLASS_ARRAY: return "array";
	case CLASS_PRIMITIVE: return "primitive";
	case CLASS_SYNTHETIC: return "synthetic";
	case CLASS_PHANTOM: return "phantom";
	default: return c->flags & FLAG_INTERFACE ? "interface" : "class";
	}
}

static struct str kept(struct java_tables *t, const struct strbuf *text)
{
	struct str s = strbuf_str(text);

	s.p = arena_copy(t->mem, s.p, (size_t)s.len + 1);
	return s;
}

static struct graph_class class_of(struct java_tables *t, struct java_texts *x, class_id c)
{
	const struct ir_class *row = class_row(t->p, c);
	uint32_t *interfaces = arena_array(t->mem, uint32_t, row->ninterfaces);

	for (uint32_t i = 0; i < row->ninterfaces; i++)
		interfaces[i] = t->classes[row->interfaces[i].i];
	set_class(x, t->p, c);
	return (struct graph_class){ .name = kept(t, &x->class_name), .package = kept(t, &x->package), .kind = kind_name(row),
				     .flags = row->flags, .super = t->classes[row->super.i], .artifact = row->artifact,
				     .interfaces = interfaces, .ninterfaces = row->ninterfaces };
}

void java_tables_finish(struct java_tables *t, struct names *names)
{
	struct java_texts x = { 0 };

	number_ancestors(t);
	struct graph_class *classes = arena_array(t->mem, struct graph_class, t->class_list.len);
	for (uint32_t k = 0; k < t->class_list.len; k++)
		classes[k] = class_of(t, &x, t->class_list.data[k]);
	struct graph_declared *rows = arena_array(t->mem, struct graph_declared, t->mref_list.len);
	for (uint32_t k = 0; k < t->mref_list.len; k++) {
		const struct ir_mref *row = mref_row(t->p, t->mref_list.data[k]);
		rows[k] = (struct graph_declared){ t->classes[row->owner.i], sel_name(t->p, row->sel), sel_desc(t->p, row->sel),
						   names_mref(names, t->mref_list.data[k]) };
	}
	t->done = (struct graph_tables){ .classes = classes, .nclasses = t->class_list.len, .declared = rows,
					 .ndeclared = t->mref_list.len, .declared_number = t->mrefs,
					 .artifacts = (const char *const *)t->p->artifacts.data + 1,
					 .nartifacts = t->p->artifacts.len - 1 };
	java_texts_release(&x);
}

void java_tables_release(struct java_tables *t)
{
	free(t->classes);
	free(t->mrefs);
	vec_release(&t->class_list);
	vec_release(&t->mref_list);
}
