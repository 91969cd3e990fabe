/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/fragment.h"

const char *const clients_names[] = { "closed", "open", "auto", NULL };

const char *fragment_interface(const struct fragment_opt *o)
{
	if (o->interface)
		return o->interface;
	return o->clients == CLIENTS_OPEN ? "protected" : "public";
}

/* With closed clients, tests can bring classes that their own interface leaves out. */
static void warn_of_own(struct session *s, const struct java_interface *i)
{
	struct strbuf name = { 0 };

	print_class(&s->program, i->own.data[0], &name);
	diag_add(&s->inquiry->diag, DIAG_W049, NULL, strbuf_str(&name), DIAG_NO_OFFSET,
		 "%u classes and lambdas of the tests, this one first, can be given to the component, and are no receivers "
		 "here; with --clients auto they are", (unsigned)i->own.len);
	strbuf_release(&name);
}

void fragment_init(struct fragment *f, struct session *s)
{
	*f = (struct fragment){ 0 };
	hierarchy_init(&f->h, &s->program);
}

bool fragment_find_component(struct session *s, const struct fragment_opt *o, struct fragment *f)
{
	struct strbuf tests = { 0 };

	interface_tests_path(fragment_interface(o), &tests);
	bool ok = component_classes(s, o->component, tests.len ? tests.s : NULL, &f->component);
	strbuf_release(&tests);
	return ok;
}

bool fragment_find_interface(struct session *s, const struct fragment_opt *o, struct fragment *f)
{
	bool ok = interface_of(s, fragment_interface(o), &f->component, &f->interface);

	if (ok && o->clients == CLIENTS_CLOSED && f->interface.own.len)
		warn_of_own(s, &f->interface);
	return ok;
}

static void add_opened(const struct fragment *f, struct strbuf *out)
{
	const struct placeholders *ph = &f->placeholders;
	VEC(class_id) opened = { 0 };

	for (uint32_t i = 0; i < ph->opened.len; i++)
		vec_push(&opened, ph->opened.data[i]);
	if (opened.len)
		print_order_classes(f->h.p, opened.data, opened.len);
	for (uint32_t i = 0; i < opened.len; i++) {
		strbuf_addch(out, ' ');
		print_class(f->h.p, opened.data[i], out);
	}
	vec_release(&opened);
}

enum clients fragment_clients(const struct fragment_opt *o, const struct fragment *f)
{
	struct strbuf tests = { 0 };

	interface_tests_path(fragment_interface(o), &tests);
	bool says_nothing = !tests.len && !f->interface.extended.len;
	strbuf_release(&tests);
	return o->clients == CLIENTS_AUTO && says_nothing ? CLIENTS_CLOSED : o->clients;
}

void fragment_add_placeholders(const struct fragment_opt *o, struct fragment *f)
{
	enum clients clients = fragment_clients(o, f);

	placeholders_make(&f->h, &f->interface, clients, &f->placeholders);
	strbuf_adds(&f->clients, clients_names[clients]);
	if (clients == CLIENTS_AUTO)
		add_opened(f, &f->clients);
}

void fragment_close(struct fragment *f)
{
	placeholders_release(&f->placeholders);
	strbuf_release(&f->clients);
	interface_release(&f->interface);
	component_release(&f->component);
	hierarchy_release(&f->h);
}

void fragment_entries(const struct fragment *f, struct cg_entries *out)
{
	vec_push(&out->methods, f->placeholders.main);
}

static struct req_request request(const struct fragment *f, unsigned criteria)
{
	return (struct req_request){ f->component.classes.data, f->component.classes.len, &f->placeholders, criteria };
}

void fragment_hierarchy(struct session *s, struct fragment *f, unsigned criteria, struct requirements *out)
{
	struct req_request q = request(f, criteria);

	program_load_all(&s->program);
	requirements_by_hierarchy(&f->h, &q, out);
	inquiry_phase(s->inquiry, PHASE_HIERARCHY);
}

void fragment_requirements(struct fragment *f, const struct requirements *cha, struct callgraph *g, struct pta *facts,
			   struct requirements *out)
{
	struct req_request q = request(f, cha->criteria);

	requirements_by_analysis(cha, &q, g, facts, out);
}
