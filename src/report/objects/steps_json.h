/* SPDX-License-Identifier: Apache-2.0 */
/* steps_json.h - what steps are made of, in JSON: methods, places in code, objects, fields. Shared by why-call and why. */
#ifndef REPORT_OBJECTS_STEPS_JSON_H
#define REPORT_OBJECTS_STEPS_JSON_H

#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"
#include "report/write/json.h"
#include "report/java/names.h"

struct step_json {
	struct json j;
	const struct program *p;
	const struct pta *facts;
	const struct placeholders *clients;    /* NULL: a whole program */
	struct names names;
	struct strbuf text;           /* scratch */
};
void step_json_init(struct step_json *x, struct sink *out, const struct callgraph *g, const struct pta *facts,
		    const struct placeholders *clients);
void step_json_release(struct step_json *x);

/* Keys and values of the object under way. */
void step_json_method(struct step_json *x, const char *key, method_id m);
void step_json_code(struct step_json *x, method_id m, uint32_t pc);       /* method, pc, line, client */
void step_json_object(struct step_json *x, const char *key, uint32_t place);
void step_json_field(struct step_json *x, field_id f);
void step_json_value(struct step_json *x, ir_value v);

#endif
