/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor.h - field and method descriptors, and the names that class files may use (JVMS 4.2, 4.3).
 *
 * The checks accept any text. The other functions require a descriptor that passed its check, as all those
 * of a parsed class file have; on other text they stop early but never read outside it. */
#ifndef FORMATS_DESCRIPTOR_H
#define FORMATS_DESCRIPTOR_H

#include "base/span.h"

#define DESC_MAX_WORDS 255      /* of the parameters of a method, `this` included */

bool desc_is_field(struct str s);       /* "I", "[[Ljava/lang/String;" */
bool desc_is_method(struct str s);      /* "(IJ)V", of at most DESC_MAX_WORDS words */

/* Parameters of a method descriptor, first to last:
 * for (it = desc_params(d); desc_next(&it, &param);) */
struct desc_iter {
	struct str desc;
	uint32_t at;
};
struct desc_iter desc_params(struct str method_desc);
bool desc_next(struct desc_iter *it, struct str *param);

struct str desc_return(struct str method_desc);         /* "V", or a field descriptor */
uint32_t desc_param_count(struct str method_desc);
uint32_t desc_param_words(struct str method_desc);      /* long and double: two; without `this` */
uint32_t desc_words(struct str desc);                   /* of one field descriptor or "V": 0, 1 or 2 */
uint32_t desc_dims(struct str desc);                    /* leading '[' */

/* Names as the JVM accepts them: class_name in internal form ("java/util/Map$Entry") or, as in Class
 * entries, an array descriptor; a member name has none of . ; [ /, and a method's none of < > except
 * <init> and <clinit>. */
bool name_is_class(struct str s);
bool name_is_field(struct str s);
bool name_is_method(struct str s);

#endif
