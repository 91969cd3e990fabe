/* SPDX-License-Identifier: Apache-2.0 */
/* fragment_p.h - placeholders while they are made. placeholders.c finds out which there are, define.c makes the
 * classes, clients.c what is added for clients with classes of their own. */
#ifndef ANALYSIS_FRAGMENT_P_H
#define ANALYSIS_FRAGMENT_P_H

#include "analysis/fragment/fragment.h"
#include "ir/builder.h"

/* Placeholders in the making. */
struct ph_maker {
	struct hierarchy *h;
	struct program *p;
	const struct java_interface *i;
	struct placeholders *out;
	enum clients clients;
	struct map is_extended;       /* class -> 1: the tests do */
};

/* A class or interface, or an array of such. */
bool is_pure_reference(const struct program *p, class_id t);
/* The variable of a type, added when it is new; 0: the type holds no references that matter. */
uint32_t placeholder_variable(struct ph_maker *k, class_id t);
void ph_signature(struct ph_maker *k, sel_id sel);       /* variables for all types in it */

/* define.c: the class of the placeholders, when all are known. */
void placeholders_define(struct ph_maker *k);

/* A body of placeholders under construction: variables are static fields of the class of placeholders. */
struct ph_body {
	struct program *p;
	const struct placeholders *ph;
	struct body_builder b;
	ir_value *loaded;              /* by variable: its value; 0: not read yet */
	ir_value zero[IR_KIND_OBJECT + 1];      /* by kind: a value that does not matter */
};
void ph_body_start(struct ph_body *x, struct program *p, const struct placeholders *ph);
void ph_body_define(struct ph_body *x, method_id m);     /* it is the body of `m` */
ir_value ph_read(struct ph_body *x, uint32_t variable);
void ph_write(struct ph_body *x, uint32_t variable, ir_value v);
/* What other code hands out. An analysis may not know that it is of the variable's type: only what is gets there. */
void ph_receive(struct ph_body *x, uint32_t variable, ir_value v);
ir_value ph_value(struct ph_body *x, class_id type);     /* of a variable, or one that does not matter; 0: void */
/* The call of a method with placeholders as arguments; `receiver` 0: there is none. */
ir_value ph_call(struct ph_body *x, enum ir_op op, class_id via, method_id m, ir_value receiver);
ir_value ph_zero(struct ph_body *x);                     /* an int */

/* clients.c */
void ph_clients(struct ph_maker *k);                     /* the types that they need, and PH_CLIENT statements */
void clients_define(struct ph_maker *k);                 /* their methods */

#endif
