/* SPDX-License-Identifier: Apache-2.0 */
/* chains_p.h - what the writers of call chains share. */
#ifndef REPORT_CHAINS_CHAINS_P_H
#define REPORT_CHAINS_CHAINS_P_H

#include "report/chains/chains.h"
#include "report/java/names.h"
#include "report/write/screen.h"

/* The chains that are written, one after another: all, or the one that was asked for. */
struct chains_cursor {
	struct chain_walk w;
	uint64_t only;
	bool is_done;
};
static inline struct chains_cursor chains_start(const struct forest *f, const struct chains_head *head)
{
	return (struct chains_cursor){ .w = { .forest = f }, .only = head->only };
}
bool chains_next(struct chains_cursor *c);

static inline uint32_t tree_node(const struct forest *f, const struct forest_tree *t)
{
	return f->states.data[t->state].node;
}
/* The forest that only conditions have made smaller. */
static inline const struct forest *by_conditions(const struct forest *f, const struct chains_head *head)
{
	return head->unasserted ? head->unasserted : f;
}

/* conditions.c: what rules calls out, on the screen; nothing where nothing does. */
void show_conditions(struct screen_out *s, uint32_t width, const struct forest *f, struct names *source);
/* What assertions say, each with its reason; nothing where there are none. */
void show_assertions(struct screen_out *s, const struct forest *f, const struct chains_head *head);

#endif
