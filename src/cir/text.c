/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - see words.h. */
#include "cir/words.h"

#include "base/text/utf8.h"

const char *const cir_obj_kinds[COBJ_STRING + 1] = { "global", "local", "heap", "function", "string" };
const char *const cir_var_kinds[CVAR_LOCAL + 1] = { "temp", "param", "result", "local" };
const char *const cir_note_kinds[CNOTES] = { "asm", "unknown", "no-debug", "split", "instruction", "loads" };

const struct cir_flag cir_obj_flags[] = {
	{ "static", COBJ_STATIC },   { "imported", COBJ_IMPORTED }, { "exported", COBJ_EXPORTED },
	{ "repeats", COBJ_REPEATS }, { "model", COBJ_MODEL },       { "placeholder", COBJ_PLACEHOLDER },
	{ "hidden", COBJ_HIDDEN },   { "constant", COBJ_CONSTANT }, { 0 },
};
const struct cir_flag cir_fn_flags[] = {
	{ "defined", CFN_DEFINED },     { "model", CFN_MODEL },     { "variadic", CFN_VARIADIC },
	{ "static", CFN_STATIC },       { "starts", CFN_STARTS },   { "allocates", CFN_ALLOCATES },
	{ "unknown", CFN_UNKNOWN },     { "placeholder", CFN_PLACEHOLDER }, { "weak", CFN_WEAK },
	{ "settled", CFN_SETTLED },     { "summary", CFN_SUMMARY }, { 0 },
};
const struct cir_flag cir_use_flags[] = { { "escapes", CUSE_ESCAPES }, { "written", CUSE_WRITTEN }, { "returned", CUSE_RETURNED },
					 { "shifted", CUSE_SHIFTED }, { "only", CUSE_ONLY }, { 0 } };
const struct cir_flag cir_call_flags[] = { { "fresh", CCALL_FRESH }, { "asm", CCALL_ASM }, { "untyped", CCALL_UNTYPED },
					 { "later", CCALL_LATER }, { 0 } };
const struct cir_flag cir_stmt_flags[] = { { "elements", CSTMT_ELEMENTS }, { "bytes", CSTMT_BYTES }, { "range", CSTMT_RANGE },
					 { "hidden", CSTMT_HIDDEN }, { 0 } };

bool cir_is_plain(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
		bool other = (c >= '0' && c <= '9') || c == '.';

		if (!letter && !(other && i > 0))
			return false;
	}
	return s.len > 0 && s.len <= 64 && !(s.len == 1 && s.p[0] == '_') && utf8_is_shown(s);
}
