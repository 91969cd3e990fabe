/* SPDX-License-Identifier: Apache-2.0 */
/* bitcode.h - LLVM bitcode and assembly to a C program. The only folder that knows LLVM (through LLVM-C).
 *
 * Modules are read one at a time, lowered and closed again, so that only one is in memory; symbols are linked as a linker
 * does: strong over weak, internal ones apart, aliases and ifuncs to what they stand for.
 *
 * All that is done by a child process (base/child.h), since LLVM may do anything on bytes that no compiler wrote. */
#ifndef BITCODE_BITCODE_H
#define BITCODE_BITCODE_H

#include "base/diag.h"
#include "cir/cir.h"

struct bitcode_opt {
	void (*progress)(void *ctx, uint32_t done, uint32_t all, const char *path);      /* before each module; may be NULL */
	void *ctx;
};

/* Reads and links the modules into `p`, which is new. Errors, each with a diagnostic: a file that cannot be read, is neither
 * bitcode nor assembly, is damaged or of a newer LLVM, a second strong definition of a symbol. False: there was one; what is in
 * `p` is of no use. */
bool bitcode_load(struct cprogram *p, const char *const *paths, uint32_t n, const struct bitcode_opt *opt, struct diag *d);

const char *bitcode_llvm_version(void);          /* "19.1.7" */

#endif
