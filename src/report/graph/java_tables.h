/* SPDX-License-Identifier: Apache-2.0 */
/* java_tables.h - what views of Java graphs share: the details of methods, and the classes and declared methods of a database. */
#ifndef REPORT_GRAPH_JAVA_TABLES_H
#define REPORT_GRAPH_JAVA_TABLES_H

#include "report/graph/view.h"
#include "report/java/names.h"

/* Numbered as the sorted methods come to them: ids of the program may differ from run to run. */
struct java_tables {
	const struct program *p;
	struct arena *mem;
	uint32_t *classes, *mrefs;    /* by id: its number; 0: not needed. NULL: not begun */
	VEC(class_id) class_list;     /* by number - 1 */
	VEC(mref_id) mref_list;
	struct graph_tables done;
};
void java_tables_init(struct java_tables *t, const struct program *p, struct arena *mem);
void java_tables_class(struct java_tables *t, class_id c);
void java_tables_mref(struct java_tables *t, mref_id m);
void java_tables_finish(struct java_tables *t, struct names *names);      /* adds ancestors, and makes `done` */
void java_tables_release(struct java_tables *t);

/* Scratch of a view's details: texts are valid until the next one. */
struct java_texts {
	struct strbuf class_name, package;
};
void java_detail(struct java_texts *x, const struct java_tables *t, const struct program *p, method_id m, struct graph_detail *out);
void java_texts_release(struct java_texts *x);

#endif
