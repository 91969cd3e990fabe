/* SPDX-License-Identifier: Apache-2.0 */
#include "session/outside/written.h"

#include "analysis/dynamic/values.h"

struct writing {
	struct session *s;
	const struct program *p;
	struct facts found;              /* rows, and their text */
	uint32_t unresolved;
};

static struct str keep(struct writing *w, struct strbuf *text)
{
	struct str s = { arena_copy(&w->found.text, text->len ? text->s : "", text->len), (uint32_t)text->len };

	strbuf_release(text);
	return s;
}

static struct str name_of(struct writing *w, class_id c)
{
	struct strbuf text = { 0 };

	print_class(w->p, c, &text);
	return keep(w, &text);
}

static struct str copy(struct writing *w, struct str s)
{
	return (struct str){ arena_copy(&w->found.text, s.p, s.len), s.len };
}

static struct fact *add(struct writing *w, enum fact_sort sort, class_id c)
{
	struct fact f = { .sort = sort, .class = name_of(w, c), .at = { .pc = FACT_NO_PC } };

	vec_push(&w->found.rows, f);
	return vec_last(&w->found.rows);
}

static void add_member(struct writing *w, enum fact_sort sort, class_id owner, sel_id sel)
{
	struct fact *f = add(w, sort, owner);

	f->name = copy(w, sel_name(w->p, sel));
	f->descriptor = copy(w, sel_desc(w->p, sel));
}

static bool has_initialiser(const struct program *p, class_id c)
{
	struct ir_class row = *class_row(p, c);

	for (uint32_t i = 0; i < row.nmethods; i++)
		if (str_is(sel_name(p, method_row(p, (method_id){ row.first_method + i })->sel), "<clinit>"))
			return true;
	return false;
}

/* Interfaces of a class of proxies, in their order. */
static void add_proxy(struct writing *w, class_id c)
{
	struct ir_class row = *class_row(w->p, c);
	struct str *names = arena_array(&w->found.text, struct str, row.ninterfaces);

	if (!row.ninterfaces)
		return;
	for (uint32_t i = 0; i < row.ninterfaces; i++)
		names[i] = name_of(w, row.interfaces[i]);
	struct fact *f = add(w, FACT_PROXY, c);
	f->class = (struct str){ "", 0 };
	f->interfaces = names;
	f->ninterfaces = row.ninterfaces;
}

static void add_class(struct writing *w, enum dynamic_sort sort, class_id c)
{
	if (sort == DYNAMIC_PROXY) {
		add_proxy(w, c);
		return;
	}
	add(w, FACT_CLASS, c);
	if ((sort == DYNAMIC_LOAD || sort == DYNAMIC_INITIALISE) && has_initialiser(w->p, c))
		add(w, FACT_INITIALISER, c);
	if (sort != DYNAMIC_NEW)
		return;
	struct fact *f = add(w, FACT_CONSTRUCTOR, c);
	f->name = STR("<init>");
	f->descriptor = STR("()V");
}

static void add_method(struct writing *w, enum dynamic_sort sort, method_id m)
{
	struct ir_method row = *method_row(w->p, m);
	bool is_constructor = str_is(sel_name(w->p, row.sel), "<init>");

	add_member(w, sort == DYNAMIC_HANDLE ? FACT_HANDLE : is_constructor ? FACT_CONSTRUCTOR : FACT_INVOKE, row.owner, row.sel);
}

static void add_field(struct writing *w, enum dynamic_sort sort, field_id f)
{
	struct ir_field row = *field_row(w->p, f);

	add_member(w, sort == DYNAMIC_GET ? FACT_FIELD_READ : sort == DYNAMIC_SET ? FACT_FIELD_WRITTEN : FACT_HANDLE, row.owner, row.sel);
}

static class_id owner_of(const struct writing *w, meta x)
{
	switch (meta_sort(x)) {
	case META_METHOD:
		return method_row(w->p, meta_method(x))->owner;
	case META_FIELD:
		return field_row(w->p, meta_field(x))->owner;
	default:
		return meta_class(x);
	}
}

/* Other classes are made by the analysis: they have no names that others know. */
static bool is_named(const struct writing *w, enum dynamic_sort sort, class_id c)
{
	while (class_row(w->p, c)->kind == CLASS_ARRAY)
		c = class_row(w->p, c)->element;
	return class_row(w->p, c)->kind == CLASS_FILE || sort == DYNAMIC_PROXY;
}

static void add_found(struct writing *w, const struct cg_dynamic *d, meta x)
{
	class_id owner = owner_of(w, x), caller = method_row(w->p, d->caller)->owner;

	if (!is_named(w, d->sort, owner) || (!session_is_application(w->s, caller) && !session_is_application(w->s, owner)))
		return;
	if (meta_sort(x) == META_CLASS)
		add_class(w, d->sort, meta_class(x));
	else if (meta_sort(x) == META_METHOD)
		add_method(w, d->sort, meta_method(x));
	else if (meta_sort(x) == META_FIELD)
		add_field(w, d->sort, meta_field(x));
}

static void add_all(struct writing *w, struct callgraph *g, const struct report_head *head)
{
	for (uint32_t k = 0; k < callgraph_ndynamic(g); k++) {
		const struct cg_dynamic *d = callgraph_dynamic(g, k);
		const uint64_t *what = callgraph_found(g, d);
		if (!selection_has(&head->selection, w->p, d->caller))
			continue;
		for (uint32_t i = 0; i < d->nfound; i++)
			add_found(w, d, what[i]);
		w->unresolved += !d->is_resolved && session_is_application(w->s, method_row(w->p, d->caller)->owner);
	}
}

static void tell_unresolved(const struct writing *w)
{
	if (w->unresolved)
		diag_add(&w->s->inquiry->diag, DIAG_W074, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "%u calls of the program are not resolved, and what they do is not written: record a run with sherd cover "
			 "--record-dynamic, and give it with --facts", (unsigned)w->unresolved);
}

bool written_facts(struct sink *out, struct session *s, struct callgraph *g, const struct report_head *head, enum facts_form form)
{
	struct writing w = { .s = s, .p = callgraph_program(g) };
	struct facts said;

	facts_init(&w.found);
	facts_init(&said);
	add_all(&w, g, head);
	facts_express(&said, form, w.found.rows.data, w.found.rows.len);
	bool ok = (form == FACTS_METADATA ? report_facts_metadata : report_facts_proguard)(out, &said);
	tell_unresolved(&w);
	facts_release(&said);
	facts_release(&w.found);
	return ok;
}
