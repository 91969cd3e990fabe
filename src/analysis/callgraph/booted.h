/* SPDX-License-Identifier: Apache-2.0 */
/* booted.h - classes that are initialised before a program starts, whatever the program is: the JVM does so itself, or has to
 * in order to come up. Their initialisers have run, so that no call of the program runs them.
 *
 * That is HotSpot from JDK 8 to 25, whatever its options, but for two: with a cache of the user's own (-XX:AOTCache, JDK 24 and
 * later), some initialisers ran when that was made, and what they needed may not be initialised; and a class loader that the
 * property java.system.class.loader names runs before the last of them. */
#ifndef ANALYSIS_CALLGRAPH_BOOTED_H
#define ANALYSIS_CALLGRAPH_BOOTED_H

#include "analysis/callgraph/link.h"

struct booted;

/* From the method startup of sherd/JVM, of which every statement runs (src/load/models/jdk.model); without it, or without a JDK,
 * there are none. Loads classes and makes the bodies of some hundred methods of the JDK. The result does not need the linker;
 * booted_free() it. */
struct booted *booted_compute(struct linker *l);
void booted_free(struct booted *b);

/* Is it one of them? Never for arrays, missing classes and those of sherd's own. Interfaces without an initialiser may be missing. */
bool booted_has(const struct booted *b, class_id c);

#endif
