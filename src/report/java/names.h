/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - the text of methods and references, rendered once each.
 *
 * A graph names its methods millions of times; each text is made on first use and kept. */
#ifndef REPORT_JAVA_NAMES_H
#define REPORT_JAVA_NAMES_H

#include "analysis/callgraph/callgraph.h"
#include "report/write/escape.h"

/* Adds the text of a method, given as its class and selector. */
typedef void name_render(const struct program *p, class_id owner, sel_id sel, struct strbuf *out);
name_render name_full;        /* java.util.Map.get(Ljava/lang/Object;)Ljava/lang/Object; */
name_render name_brief;       /* java.util.Map.put */
name_render name_source;      /* java.util.Map.put(Object, Object) */

struct names {
	const struct program *p;
	name_render *render;
	enum escape form;             /* applied to what `render` adds */
	struct arena text;
	struct strbuf raw, done;      /* scratch */
	struct str *methods, *mrefs;  /* by id; p is NULL: not made yet */
	struct str *classes;          /* the same; the table itself is made on first use */
};

void names_init(struct names *n, const struct program *p, name_render *render, enum escape form);
void names_release(struct names *n);
/* Valid until names_release. The id must be of a row that existed at names_init. */
struct str names_method(struct names *n, method_id m);
struct str names_mref(struct names *n, mref_id m);
struct str names_class(struct names *n, class_id c);      /* as print_class has it */

/* The class's printed name, escaped. */
void name_class(const struct program *p, class_id c, enum escape form, struct strbuf *out);

/* The printed names of the phantom classes, sorted, not escaped; *n of them, in `mem`. */
struct str *phantom_names(const struct program *p, struct arena *mem, uint32_t *n);

/* Where a method's pc is: java.util.HashMap.put:607, or @12 where no line is known. `brief` renders name_brief. */
void add_place(struct names *brief, method_id m, uint32_t pc, struct strbuf *out);

/* "static", "virtual", ...: the word of the output formats for an IR_CALL_*. */
const char *op_name(unsigned op);
/* The source line of a pc of `m`; 0: unknown. */
uint32_t line_of(const struct program *p, method_id m, uint32_t pc);

#endif
