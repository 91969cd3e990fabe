/* SPDX-License-Identifier: Apache-2.0 */
/* without.c - in the place of this folder where there is no LLVM. */
#include "bitcode/bitcode.h"

bool bitcode_load(struct cprogram *p, const char *const *paths, uint32_t n, const struct bitcode_opt *opt, struct diag *d)
{
	(void)p;
	(void)opt;
	diag_add(d, DIAG_E060, n ? paths[0] : NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
		 "this sherd was built without LLVM, which reads bitcode; build it where llvm-19-dev is installed");
	return false;
}

const char *bitcode_llvm_version(void)
{
	return "none";
}
