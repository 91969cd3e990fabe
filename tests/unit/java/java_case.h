/* SPDX-License-Identifier: Apache-2.0 */
/* java_case.h - a Java program that is made up: its classes and members by calls, its bodies as text. */
#ifndef TESTS_JAVA_CASE_H
#define TESTS_JAVA_CASE_H

#include "base/compiler.h"
#include "ir/access.h"
#include "ir/body.h"
#include "ir/program.h"

struct java_body {
	method_id m;
	struct ir_body body;
};
struct java_case {
	struct program *p;
	VEC(struct java_body) bodies;
	uint32_t named_all;                  /* how often every class was asked for */
};

/* Classes that nobody added are missing. */
static inline void java_load(void *ctx ATTR_UNUSED, struct program *p, class_id c)
{
	if (!class_row(p, c)->flags)
		program_make_phantom(p, c);
}

static inline void java_name_all(void *ctx, struct program *p ATTR_UNUSED)
{
	((struct java_case *)ctx)->named_all++;
}

/* Methods without a body do nothing. */
static inline const struct ir_body *java_body_of(void *ctx, struct program *p ATTR_UNUSED, method_id m,
						 struct arena *mem ATTR_UNUSED)
{
	static const struct ir_stmt end = { .op = IR_RETURN };
	static const struct ir_block block = { .end = 1 };
	static const uint8_t kinds[1];
	static const struct ir_body nothing = { .stmts = &end, .blocks = &block, .kinds = kinds, .nstmts = 1, .nblocks = 1 };
	const struct java_case *j = ctx;

	for (uint32_t i = 0; i < j->bodies.len; i++)
		if (j->bodies.data[i].m.i == m.i)
			return &j->bodies.data[i].body;
	return &nothing;
}

static inline class_id java_class(struct java_case *j, const char *name, const char *super)
{
	class_id c = program_class(j->p, str_of(name));

	class_row(j->p, c)->super = super ? program_class(j->p, str_of(super)) : (class_id){ 0 };
	class_row(j->p, c)->flags = ACCESS_PUBLIC;
	return c;
}

/* Members are of the class that was added last. */
static inline method_id java_method(struct java_case *j, class_id c, const char *name, const char *desc, unsigned flags)
{
	sel_id sel = program_sel(j->p, str_of(name), str_of(desc));

	program_add_method(j->p, c, sel, (uint16_t)(ACCESS_PUBLIC | flags), 0);
	return program_declared(j->p, c, sel);
}

/* `p` is initialised. The case keeps its place in memory; java_case_release() it before the program. */
static inline void java_case_init(struct java_case *j, struct program *p)
{
	*j = (struct java_case){ .p = p };
	p->source = (struct program_source){ .ctx = j, .load = java_load, .name_all = java_name_all, .body = java_body_of,
					     .outline = java_body_of };
	java_class(j, "java/lang/Object", NULL);
	java_class(j, "java/lang/Throwable", "java/lang/Object");
	java_class(j, "java/lang/String", "java/lang/Object");
}

/* "method a/B.c:()V { ... }", one after another. False, with a diagnostic or without, when one is wrong. */
static inline bool java_bodies(struct java_case *j, const char *bodies, struct diag *d)
{
	struct str text = str_of(bodies);
	struct java_body b;
	class_id c;
	sel_id s;

	while (body_parse_next(j->p, &text, &c, &s, &b.body, &j->p->mem, d)) {
		b.m = program_declared(j->p, c, s);
		if (!b.m.i)
			return false;
		vec_push(&j->bodies, b);
	}
	return d->entries.len == 0;
}

static inline void java_case_release(struct java_case *j)
{
	vec_release(&j->bodies);
}

#endif
