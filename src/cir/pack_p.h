/* SPDX-License-Identifier: Apache-2.0 */
/* pack_p.h - the head of packed programs, between pack.c and unpack.c; docs/formats/packed-c.md describes the whole. */
#ifndef CIR_PACK_P_H
#define CIR_PACK_P_H

#define PACK_MAGIC "SCIR\2"      /* with its version */

/* Tables in their order, and the bytes of a row of each, of strings without their text: no count is believed that the rest of
 * the bytes cannot hold. Rows 0, which are unused, are left out. */
#define PACK_TABLES(T) T(STRINGS, 4) T(LOCS, 12) T(FOLDERS, 8) T(LAYOUTS, 33) T(FIELDS, 16) T(OBJS, 26) T(VARS, 13) T(FNS, 58) \
	T(STMTS, 22) T(CALLS, 45) T(ARGS, 4) T(NOTES, 13) T(ALIASES, 8) T(USES, 7)

enum pack_table {
#define T(name, size) PACK_##name,
	PACK_TABLES(T)
#undef T
	PACK_NTABLES
};

#endif
