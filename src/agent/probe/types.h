/* SPDX-License-Identifier: Apache-2.0 */
/* types.h - classes of receivers and of targets as rows of the data file. Hold the lock; nothing here runs Java code. */
#ifndef AGENT_PROBE_TYPES_H
#define AGENT_PROBE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

#include "base/strbuf.h"
#include "formats/coverage/runs.h"

#define NO_TYPE UINT32_MAX

/* The row of a class; its record is put when it is new. NO_TYPE: the JVM does not tell its name. `is_lasting`: it lives as
 * long as the JVM, so that a reference keeps nothing alive. */
uint32_t type_of(JNIEnv *jni, jclass c, bool *is_lasting);

/* The name of a class in internal form, as JVMTI writes it: "Lp/A;". NULL: unknown. Free with agent_free(). */
char *type_signature(jclass c);
enum run_loader type_loader(JNIEnv *jni, jclass c);
/* What a signature tells: "Lp/A;" is p.A, "[Lp/A;" is [Lp.A; and of hidden classes what they have in common. Text in `mem`. */
struct run_type type_named(const char *sig, struct arena *mem);
/* The method that the class of a lambda runs, as "p.A.lambda$m$0()V", appended. False when it is no such class, or mentions several. */
bool type_body(jclass c, struct strbuf *out);

#endif
