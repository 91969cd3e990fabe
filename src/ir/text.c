/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - see text_p.h. */
#include "ir/text_p.h"

#include "base/text/utf8.h"
#include "ir/arith.h"

const char *const ir_kind_names[IR_KIND_SHORT + 1] = {
	"none", "int", "long", "float", "double", "object", "byte", "char", "short",
};

const char *const ir_call_names[IR_CALL_TARGET + 1] = {
	[IR_CALL_LINK] = "link", [IR_CALL_LOWERED] = "lowered", [IR_CALL_LINKED] = "linked", [IR_CALL_TARGET] = "target",
};

const char *const ir_handle_names[IR_HANDLE_KINDS] = {
	[IR_HANDLE_GETFIELD] = "getField",   [IR_HANDLE_GETSTATIC] = "getStatic",    [IR_HANDLE_PUTFIELD] = "putField",
	[IR_HANDLE_PUTSTATIC] = "putStatic", [IR_HANDLE_VIRTUAL] = "invokeVirtual",  [IR_HANDLE_STATIC] = "invokeStatic",
	[IR_HANDLE_SPECIAL] = "invokeSpecial", [IR_HANDLE_NEW] = "newInvokeSpecial",
	[IR_HANDLE_INTERFACE] = "invokeInterface",
};

enum ir_kind ir_default_kind(const struct program *p, const struct ir_stmt *s, const struct ir_dynamic *dynamics)
{
	switch (s->op) {
	case IR_PARAM: case IR_PHI: case IR_UNDEF:
		return IR_KIND_OBJECT;
	case IR_GETFIELD: case IR_GETSTATIC:
		return ir_kind_of_desc(sel_desc(p, fref_row(p, (fref_id){ s->ref })->sel));
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE:
		return ir_kind_of_desc(sel_desc(p, mref_row(p, (mref_id){ s->ref })->sel));
	case IR_CONST_DYNAMIC: case IR_CALL_DYNAMIC:
		return ir_kind_of_desc(sel_desc(p, dynamics[s->ref].sel));
	default:
		return ir_result_kind(s);
	}
}

static bool is_plain(struct str s, const char *also)
{
	for (uint32_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;

		if (!word && (c == 0 || !strchr(also, c)))
			return false;
	}
	return s.len > 0 && utf8_is_shown(s);
}

bool ir_is_plain_name(struct str s)
{
	return is_plain(s, "_$/<>;[-");
}

bool ir_is_plain_desc(struct str s)
{
	return is_plain(s, "_$/<>;[-()");
}
