/* SPDX-License-Identifier: Apache-2.0 */
/* probe_class.h - java.lang.SherdProbe, the class that rewritten code calls. As Java:
 *
 *     public final class SherdProbe {              // a view: objects of class k were receivers at this site, n times
 *         @Stable Class k; WeakReference w; long n, seen; int site; @Stable SherdProbe next;
 *         @Stable static final SherdProbe[] first = new SherdProbe[SITES];     // by site: its views, linked by next
 *         static final SherdProbe[] table = new SherdProbe[TABLE];             // recent ones, by class and site
 *         static final SherdProbe[][] all = new SherdProbe[PROBE_CHUNKS][];    // in the order in which they were made
 *
 *         public static void hit(Object o, int site) {
 *             if (o == null)
 *                 return;                          // the call will throw by itself
 *             SherdProbe p = first[site];
 *             if (p == null) goto slow;
 *             if (p.k == o.getClass()) { p.n++; return; }
 *             ... the same with p.next, some times ...
 *         slow:
 *             slow(o.getClass(), site);
 *         }
 *         static void slow(Class c, int site) { ... the table, the list of views, miss() ... }
 *         static void copy(int chunk, int len, long[] out) { for (i < len) out[i] = all[chunk][i].n; }
 *         static int changed(int chunk, int len, int[] out) { ... those with n != seen, which becomes n ... }
 *         static void bind() { SherdProbe$Bound.at; }              // called when it is initialised: see cells.c
 *         static native SherdProbe miss(Class c, int site);        // makes a view and links it; null: do not count
 *         public static native void test(Object o, int kind);
 *         public static native void note(Object o, int note);      // see dynamic/hooks.h
 *         public static native void note(Object o, Object p, int note);
 *     }
 *
 * A class that lives as long as the JVM is in k, which never changes: compiled code takes it for a constant (@Stable). Others
 * are in w, so that they can be unloaded; w may get another class, one that is to be counted by the same view. A view is never
 * taken out of its list. Increments race; a class is not lost by that, since its view exists. Nothing here calls code that can
 * be rewritten. */
#ifndef AGENT_PROBE_PROBE_CLASS_H
#define AGENT_PROBE_PROBE_CLASS_H

#include "agent/probe/assemble.h"

#define PROBE_CLASS "java/lang/SherdProbe"
#define PROBE_SELF "Ljava/lang/SherdProbe;"
#define PROBE_NOTE_1 "(Ljava/lang/Object;I)V"
#define PROBE_NOTE_2 "(Ljava/lang/Object;Ljava/lang/Object;I)V"
#define PROBE_WEAK "Ljava/lang/ref/WeakReference;"

enum { PROBE_CHUNK = 1024, PROBE_CHUNKS = 8192 };

/* The bytes of the class, for a plan of this many sites. With chains it has what chain_class.h says, too; with callbacks what callbacks.h
 * does, with def-use pairs what fields/pairs.h does: enum plan_criteria. */
void probe_class_bytes(uint32_t sites, uint32_t criteria, struct strbuf *out);
/* Jumps away unless p (local 2) is not null and of class c (local 0). Takes local 4. */
void probe_unless_of_class(struct assembler *a, struct label *away);

/* The class that bind() names. */
#define BOUND_CLASS "java/lang/SherdProbe$Bound"
void bound_class_bytes(struct strbuf *out);

#endif
