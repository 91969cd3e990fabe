/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo formats/archive formats/classfile ir load analysis/hierarchy
/* Answers the questions of resolution/gen.py from the class files, as the JVM does when it runs them.
 * usage: resolution JDK CLASSES < QUESTIONS > ANSWERS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hierarchy/hierarchy.h"
#include "ir/access.h"
#include "load/loader.h"

struct question {
	char number[16], op[16], caller[128], ref[128], kind[2], name[32], desc[64], receiver[128];
};

struct asked {
	struct hierarchy *h;
	struct program *p;
	const struct question *q;
	class_id caller, ref;
	mref_id mref;
};

static class_id load(struct program *p, const char *name)
{
	class_id c = program_class(p, str_of(name));

	program_load(p, c);
	return c;
}

/* "[p/A" in a question is an array of p/A. */
static class_id receiver_class(struct program *p, const char *name)
{
	if (strcmp(name, "-") == 0)
		return (class_id){ 0 };
	return name[0] == '[' ? program_array_of(p, load(p, name + 1)) : load(p, name);
}

static const char *resolution_error(enum resolution r)
{
	switch (r) {
	case RESOLVE_OK:
		return NULL;
	case RESOLVE_NO_CLASS:
		return "NoClassDefFoundError";
	case RESOLVE_WRONG_KIND:
		return "IncompatibleClassChangeError";
	default:
		return "NoSuchMethodError";
	}
}

static const char *link_error(const struct asked *a)
{
	enum resolution r = resolve_method(a->h, a->mref);
	const char *error = resolution_error(r);

	if (r != RESOLVE_NO_CLASS && !access_class(a->p, a->caller, a->ref))
		return "IllegalAccessError";
	if (error)
		return error;
	const struct ir_method *m = method_row(a->p, mref_row(a->p, a->mref)->target);
	if (!access_method(a->h, a->caller, a->mref))
		return "IllegalAccessError";
	bool is_static = m->flags & ACCESS_STATIC;
	return is_static != (strcmp(a->q->op, "static") == 0) ? "IncompatibleClassChangeError" : NULL;
}

static bool declares(const struct program *p, class_id c, sel_id sel, uint16_t any_of)
{
	method_id m = program_declared(p, c, sel);

	return m.i && (!any_of || (method_row(p, m)->flags & any_of));
}

static bool some_superclass_hides(const struct asked *a, sel_id sel)
{
	bool found = false;

	for (class_id c = receiver_class(a->p, a->q->receiver); c.i; c = class_row(a->p, c)->super)
		found |= declares(a->p, c, sel, ACCESS_PRIVATE | ACCESS_STATIC);
	return found;
}

static bool some_interface_declares(const struct asked *a, class_id c, sel_id sel)
{
	struct supertypes s = hierarchy_supertypes(a->h, c);
	bool found = false;

	for (uint32_t i = s.nclasses; i < s.n; i++)
		found |= declares(a->p, s.classes[i], sel, 0);
	return found;
}

/* Where HotSpot is known to throw (AbstractMethodError, IncompatibleClassChangeError) although JVMS 5.4.6 and 6.5
 * select a method; sherd follows the JVMS. The cause are methods that HotSpot itself adds to classes for the interface
 * methods they lack, and its lists of inherited default methods:
 * - a default method is not seen when a private or static method with the same selector, in a class of the
 *   receiver, stands in the way;
 * - invokespecial may not see a private method whose class has an interface method with the same selector. */
static bool hotspot_may_throw(const struct asked *a, method_id m)
{
	const struct ir_method *row = method_row(a->p, m);

	if (strcmp(a->q->op, "static") == 0)
		return false;
	if (class_row(a->p, row->owner)->flags & ACCESS_INTERFACE)
		return some_superclass_hides(a, row->sel);
	return strcmp(a->q->op, "special") == 0 && (row->flags & ACCESS_PRIVATE) &&
	       some_interface_declares(a, row->owner, row->sel);
}

static void print_target(const struct asked *a, method_id m)
{
	bool is_null = strcmp(a->q->receiver, "-") == 0 && strcmp(a->q->op, "static") != 0;

	if (!m.i)
		puts(strcmp(a->q->name, "<init>") == 0 ? "NoSuchMethodError" : "none");
	else if (is_null)
		puts("linked");
	else
		printf("%s.%s%s\n", class_name(a->p, method_row(a->p, m)->owner).p, a->q->name,
		       hotspot_may_throw(a, m) ? " or none" : "");
}

static void answer_dispatched(const struct asked *a)
{
	class_id receiver = receiver_class(a->p, a->q->receiver);
	bool is_interface = strcmp(a->q->op, "interface") == 0;

	if (!receiver.i)
		puts("linked");
	else if (is_interface && !hierarchy_is_subtype(a->h, receiver, a->ref))
		puts("IncompatibleClassChangeError");
	else
		print_target(a, (is_interface ? select_interface : select_method)(a->h, receiver, mref_row(a->p, a->mref)->target));
}

static void answer_call(const struct asked *a)
{
	const char *error = link_error(a);

	if (error)
		puts(error);
	else if (strcmp(a->q->op, "static") == 0)
		print_target(a, mref_row(a->p, a->mref)->target);
	else if (strcmp(a->q->op, "special") == 0)
		print_target(a, select_special(a->h, a->caller, a->mref));
	else
		answer_dispatched(a);
}

static void answer_field(const struct asked *a)
{
	fref_id f = program_fref(a->p, a->ref, program_sel(a->p, str_of(a->q->name), STR("I")));
	enum resolution r = resolve_field(a->h, f);

	if (!access_class(a->p, a->caller, a->ref)) {
		puts("IllegalAccessError");
	} else if (r != RESOLVE_OK) {
		puts("NoSuchFieldError");
	} else {
		const struct ir_field *row = field_row(a->p, fref_row(a->p, f)->target);
		if (!access_member(a->h, a->caller, a->ref, row->owner, row->flags))
			puts("IllegalAccessError");
		else if (!(row->flags & ACCESS_STATIC))
			puts("IncompatibleClassChangeError");
		else
			printf("%s.%s\n", class_name(a->p, row->owner).p, a->q->name);
	}
}

static void answer(struct hierarchy *h, const struct question *q)
{
	struct asked a = { .h = h, .p = h->p, .q = q, .caller = load(h->p, q->caller), .ref = load(h->p, q->ref) };

	printf("%s ", q->number);
	if (strcmp(q->op, "getstatic") == 0) {
		answer_field(&a);
		return;
	}
	sel_id sel = program_sel(a.p, str_of(q->name), str_of(q->desc));
	a.mref = program_mref(a.p, a.ref, sel, q->kind[0] == '1');
	answer_call(&a);
}

int main(int argc, char **argv)
{
	struct diag d;
	struct program p;
	struct hierarchy h;
	struct question q;

	if (argc != 3)
		return 2;
	diag_init(&d);
	program_init(&p, &d);
	struct loader *l = loader_open(&p, &(struct loader_opt){ .jdk = argv[1], .class_path = argv[2] }, &d);
	if (!l)
		return 2;
	hierarchy_init(&h, &p);
	while (scanf("%15s %15s %127s %127s %1s %31s %63s %127s", q.number, q.op, q.caller, q.ref, q.kind, q.name, q.desc,
		     q.receiver) == 8)
		answer(&h, &q);
	hierarchy_release(&h);
	program_release(&p);
	loader_free(l);
	diag_release(&d);
	return 0;
}
