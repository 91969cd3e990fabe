/* SPDX-License-Identifier: Apache-2.0 */
/* engines.h - implementations of security engines: the classes that providers register for an algorithm, as their code says it, by
 * constants in one call: `ps("Cipher", "AES", "com.sun.crypto.provider.AESCipher$General", …)`, `put("Cipher.AES", "…")`. */
#ifndef ANALYSIS_DYNAMIC_MADE_ENGINES_H
#define ANALYSIS_DYNAMIC_MADE_ENGINES_H

#include "analysis/dynamic/query.h"

struct engine_row {
	str_id type, algorithm;          /* "Cipher", "AES" */
	class_id implementation;         /* none: the name of its class is no constant */
	str_id same;                     /* an alias: of this algorithm */
};

struct engines {
	VEC(struct engine_row) rows;
	struct map scanned;              /* class -> 1 */
	VEC(class_id) others;            /* providers that are not the library's: what they register may be no constants */
	bool has_others;                 /* one of them is made */
};
void engines_release(struct engines *e);
/* Reads what the providers register that modules and the class path name, that the library has built in, and that are loaded now. */
void engines_update(struct engines *e, struct hierarchy *h, const struct dynamic_opt *opt, const struct dynamic_graph *g);
/* Adds the classes that may implement the algorithms, all of the type if one is not registered under its name, or if `is_any`; false:
 * there may be others. */
bool engines_list(const struct engines *e, struct program *p, struct str type, struct metas algorithms, bool is_any, meta_list *out);
/* Adds the constructors that java.security.Provider calls: those without a parameter, and with one. */
void engines_constructors(struct program *p, class_id c, meta_list *out);

#endif
