/* SPDX-License-Identifier: Apache-2.0 */
/* proxy.h - classes that the JDK makes at run time: those of proxies, and of annotations, which are proxies with a handler of
 * the JDK's own. Each is made once in a program. A method of such a class boxes its arguments into an array and calls
 * InvocationHandler.invoke, as the JDK's own does; its initialiser looks the Method objects up. */
#ifndef ANALYSIS_DYNAMIC_MADE_PROXY_H
#define ANALYSIS_DYNAMIC_MADE_PROXY_H

#include "analysis/hierarchy/hierarchy.h"

/* The class of proxies that implement these interfaces; none: it would have too many methods. */
class_id proxy_class(struct hierarchy *h, const class_id *interfaces, uint32_t n);
/* The same of an interface of which there may be proxies, who knows: its methods pass some Method, and it is sure of none. */
class_id proxy_class_assumed(struct hierarchy *h, class_id interface);
/* That of annotations of a type, an annotation interface. Its methods give what annotations can have there: any constant of an enum,
 * an annotation of a type, some string or class. */
class_id annotation_class(struct hierarchy *h, class_id type);

#endif
