/* SPDX-License-Identifier: Apache-2.0 */
/* bitcode_compile.h - which compilers there are, and sources compiled into bitcode as a command compiled them into
 * objects. */
#ifndef CLI_COMPILE_BITCODE_COMPILE_H
#define CLI_COMPILE_BITCODE_COMPILE_H

#include "cli/compile/compiler_args.h"

struct compilers {
	word_list command;            /* the compiler of objects: a program and its first words; empty: none */
	const char *clang;            /* the one that makes bitcode; NULL: there is none */
	bool is_foreign;              /* the command is not clang: its options may be too much for clang */
};
/* From $SHERD_CC or $SHERD_CXX, else the first clang on PATH; $SHERD_CLANG for bitcode, where the command is
 * another compiler. */
void compilers_find(struct compilers *c, bool is_cxx, struct arena *mem);
/* The same for a compiler that is already known by its name. */
void compilers_for(struct compilers *c, const char *name, bool is_cxx, struct arena *mem);
void compilers_release(struct compilers *c);

/* "g++-12" of "gcc-12", "clang++" of "clang", "c++" of "cc"; other names stay. */
const char *compiler_for_cxx(const char *name, struct arena *mem);

struct bitcode_job {
	const struct compiler_args *args;
	uint32_t source;
	const struct compilers *with;
	const char *directory;        /* where the command runs; NULL: here */
	const char *to;               /* absolute */
	bool ok;                      /* the bitcode is there */
	struct strbuf why;            /* otherwise: why not, in a line; to be released */
};
/* Each file appears whole, or not at all. */
void bitcode_compile(struct bitcode_job *jobs, uint32_t n, unsigned at_once);

#endif
