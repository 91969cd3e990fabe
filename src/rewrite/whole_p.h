/* SPDX-License-Identifier: Apache-2.0 */
/* whole_p.h - frames of a stack map, each with all of its locals; private to this folder. */
#ifndef REWRITE_WHOLE_P_H
#define REWRITE_WHOLE_P_H

#include "formats/classfile/attributes.h"
#include "rewrite/layout_p.h"

struct whole {
	struct cf_frames it;
	struct cf_frame frame;          /* as the file has it */
	struct cf_vtype *locals;
	uint32_t n, words;              /* of locals */
	uint32_t max_words;
	const char *failed;             /* why there is no next frame; NULL: all have been read */
};

/* The frame at the beginning of the method, which the stack map has not: its arguments, whose classes become constants. */
void whole_begin(struct whole *w, const struct layout *l);
/* False: that was the last one, or w->failed. */
bool whole_next(struct whole *w, const struct layout *l);

#endif
