/* SPDX-License-Identifier: Apache-2.0 */
/* ask.h - nodes of method handles: what library methods answer that make them (handles.def). */
#ifndef ANALYSIS_DYNAMIC_HANDLES_ASK_H
#define ANALYSIS_DYNAMIC_HANDLES_ASK_H

#include "analysis/dynamic/values_p.h"

enum handle_question {
	ASK_TYPE, ASK_TYPE_OF_TEXT,
	ASK_FIND_VIRTUAL, ASK_FIND_STATIC, ASK_FIND_SPECIAL, ASK_FIND_NEW,
	ASK_FIND_GETTER, ASK_FIND_SETTER, ASK_FIND_STATIC_GETTER, ASK_FIND_STATIC_SETTER,
	ASK_UNREFLECT, ASK_UNREFLECT_SPECIAL, ASK_UNREFLECT_NEW, ASK_UNREFLECT_GETTER, ASK_UNREFLECT_SETTER,
	ASK_SAME, ASK_FIND_BOUND,
	/* handles that are made of others, or of nothing */
	ASK_BIND, ASK_INSERT, ASK_DROP, ASK_SPREAD, ASK_COLLECT, ASK_FILTER_RESULT, ASK_FOLD, ASK_GUARD, ASK_MIX, ASK_CATCH,
	ASK_INVOKER, ASK_CONSTANT, ASK_IDENTITY, ASK_ZERO, ASK_GET_ELEMENT, ASK_SET_ELEMENT, ASK_NEW_ARRAY, ASK_LENGTH,
	ASK_LAMBDA, ASK_WRAP,    /* objects that call handles */
};

/* A question, when it is evaluated. */
struct asking {
	struct values *v;
	uint32_t node;
	enum handle_question is;
	const struct metas *given;       /* by input; an input that is missing is open */
	uint32_t ngiven;
	uint32_t site;
	enum dynamic_reason open;        /* REASON_NONE: everything is known */
};
/* Adds a handle to the node; one that is too deep is not known. */
void asking_add(struct asking *q, struct handle h);

/* The next choice of one meta of each; false: that was the last. */
bool next_pick(const struct metas *given, uint32_t n, uint32_t *pick);

/* find.c: members of classes. One meta, of the first input. */
void find_member(struct asking *q, meta about);
/* combine.c: handles that are made of the given ones. The site of such a call, if it is one. */
uint32_t combine_site(struct values *v, method_id m, const struct code *c, const struct ir_stmt *s);
void combine(struct asking *q);

/* The handle that a constant stands for. False: it is not known. */
bool find_constant(struct values *v, class_id in, const struct ir_stmt *s, struct handle *out);

#endif
