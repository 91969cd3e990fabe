/* SPDX-License-Identifier: Apache-2.0 */
/* tables_p.h - the attributes of code, moved with it; private to this folder. */
#ifndef REWRITE_TABLES_P_H
#define REWRITE_TABLES_P_H

#include "rewrite/layout_p.h"
#include "rewrite/out_p.h"

/* Each appends the body of the attribute `a` for the new code. False when it is malformed: nobody can use it then, and
 * the caller leaves it out. */
typedef bool table_writer(const struct layout *l, const struct cf_attr *a, struct out *o);
table_writer lines_write;               /* LineNumberTable */
table_writer locals_write;              /* LocalVariableTable, LocalVariableTypeTable */
table_writer type_annotations_write;    /* Runtime(In)VisibleTypeAnnotations */

/* Does the method have a stack map that counts? */
bool frames_exist(const struct layout *l);
/* Adds the constants that frames_write() needs to the pool, where a method has a local or a handler of its own; l->edit, l->m
 * and l->code are enough. */
void frames_prepare(const struct layout *l);
/* Appends the body of StackMapTable. NULL, or why it cannot be moved. */
const char *frames_write(const struct layout *l, struct out *o);
/* Conditional jumps that became too far jump over a goto_w, so what is behind it becomes a target and needs a frame. Most code
 * has none there, and methods of more than 32 KB with such jumps are too rare to infer one. NULL, or why the method must
 * stay as it is. */
const char *frames_check(const struct layout *l);

#endif
