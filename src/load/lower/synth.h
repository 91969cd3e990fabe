/* SPDX-License-Identifier: Apache-2.0 */
/* synth.h - synthetic classes: what the JDK's bootstraps spin at run time, as ordinary classes and methods. */
#ifndef LOAD_LOWER_SYNTH_H
#define LOAD_LOWER_SYNTH_H

#include "ir/builder.h"
#include "load/loader_p.h"

/* A body under construction, with the type of each value at hand. */
struct synth {
	struct program *p;
	struct body_builder b;
};

/* A new synthetic class `outer$$tag$place`, a final subclass of Object. Add its members, then program_load() it. When
 * there is a class of that name, ' is added to it. */
class_id synth_class(struct program *p, class_id outer, const char *tag, struct str place);
void synth_finish(struct synth *s, method_id m);          /* the body of `m` is what was built */

ir_value synth_param(struct synth *s, uint32_t k, struct str desc);
ir_value synth_call(struct synth *s, enum ir_op op, const char *owner, const char *name, const char *desc,
		    const ir_value *args, uint32_t n);
ir_value synth_call_ref(struct synth *s, enum ir_op op, mref_id m, const ir_value *args, uint32_t n);
ir_value synth_new(struct synth *s, class_id c);
/* Converts as LambdaMetafactory does: casts, boxing, unboxing, widening. Descriptors of fields; "V" makes
 * nothing (0). */
ir_value synth_convert(struct synth *s, ir_value v, struct str from, struct str to);
void synth_return(struct synth *s, ir_value v);            /* 0: void */
ir_value synth_default(struct synth *s, struct str desc);  /* null or 0 */

/* Leaves an object in a static field of sherd/JVM, where the models find it: what code of the JDK that is not
 * lowered gets to see. Outlines have no such statement. */
void synth_leave(struct program *p, struct body_builder *b, const char *field, ir_value v);

#endif
