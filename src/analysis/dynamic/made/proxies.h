/* SPDX-License-Identifier: Apache-2.0 */
/* proxies.h - what calls do that make proxies: which classes of proxies (proxy.h), and who is called. */
#ifndef ANALYSIS_DYNAMIC_MADE_PROXIES_H
#define ANALYSIS_DYNAMIC_MADE_PROXIES_H

#include "analysis/dynamic/query.h"

/* Adds the classes of proxies with these interfaces: one for each where there `is_one` interface at a time, else one that has all.
 * Where some are not known, objects of unknown class are made that call every handler there is: InvocationHandler.invoke. */
void proxies_list(struct hierarchy *h, struct metas interfaces, bool is_one, meta_list *out);
/* The same for each interface that code calls methods of and that could be named in class `from`, of which the level of assumptions
 * says that it may be the one that is not known. `cast` is what the proxy is always cast to, or none. */
void proxies_assumed(struct hierarchy *h, enum dynamic_level level, class_id from, class_id cast, meta_list *out);
/* Adds the classes of all annotations that code calls methods of. The JVM drops annotations of other classes than it finds. */
void annotations_list(struct hierarchy *h, meta_list *out);

#endif
