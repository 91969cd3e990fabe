/* SPDX-License-Identifier: Apache-2.0 */
/* texts_p.h - operands of statements about strings, for the files that make productions of them. */
#ifndef ANALYSIS_DYNAMIC_TEXT_TEXTS_P_H
#define ANALYSIS_DYNAMIC_TEXT_TEXTS_P_H

#include "analysis/dynamic/values_p.h"

/* A statement that uses values, and the node that is made of them. */
struct use {
	uint32_t node, method;
	const struct code *c;
	const struct ir_stmt *at;
};

void texts_read_table(struct texts *x, struct program *p);
/* The class that a value is declared to be of; none: that is not clear. */
class_id text_type(struct values *v, const struct use *u, uint32_t value);
bool text_is_builder(const struct values *v, class_id type);
bool text_const_int(const struct use *u, uint32_t value, int32_t *out);
bool text_const_string(const struct values *v, const struct use *u, uint32_t value, struct str *out);
uint32_t text_position(const struct use *u, uint32_t value);             /* that is written down, or POSITION_UNKNOWN */
char text_param(const struct values *v, const struct ir_stmt *call, uint32_t k);     /* 'L', '[', 'I', ...; 0: there are fewer */
/* What String.valueOf makes of it. */
struct text text_of_value(struct values *v, const struct use *u, uint32_t value);
struct text text_of_primitive(struct values *v, const struct use *u, char type, uint32_t value);

/* --- builders.c: what a StringBuilder or StringBuffer holds before the statement --- */
struct text builder_text(struct values *v, const struct use *u, uint32_t value);

#endif
