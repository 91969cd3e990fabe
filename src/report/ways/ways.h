/* SPDX-License-Identifier: Apache-2.0 */
/* ways.h - how libraries come to call an application back: the methods on the way, and the object that makes it. */
#ifndef REPORT_WAYS_WAYS_H
#define REPORT_WAYS_WAYS_H

#include "analysis/callbacks/callbacks.h"
#include "report/java/head.h"
#include "report/java/names.h"
#include "report/write/json.h"
#include "report/write/sink.h"

/* "app.Red, created at app.Main.run:12"; the empty string where no object is known. `place` renders name_brief. */
void way_object(struct names *names, struct names *place, const struct callbacks *c, const struct app_edge *e, struct strbuf *out);
/* The key "witness", with steps and object; nothing where the edge has no way. */
void way_json(struct json *j, struct names *names, struct names *place, const struct callbacks *c, const struct app_edge *e);

/* Which of these calls of the caller call the callee back; computed with callbacks_opt.witnesses. They finish the sink. */
struct ways {
	const struct callbacks *c;
	const struct callgraph *g;
	method_id caller, callee;
	struct pta_calls at;
};
static inline bool ways_have(const struct ways *w, const struct app_edge *e)
{
	return e->sort != CALL_DIRECT && e->caller.i == w->caller.i && e->callee.i == w->callee.i && pta_calls_have(w->at, e->pc);
}
typedef bool ways_writer(struct sink *out, const struct ways *w, const struct report_head *head);
ways_writer report_ways_text, report_ways_json;

#endif
