/* SPDX-License-Identifier: Apache-2.0 */
/* chain_class.h - what java.lang.SherdProbe has besides, where call chains are tracked. As Java:
 *
 *     // A node: the chain of `up`, and a call (`call`, on an object of class k or w), made n times. It runs body `method`.
 *     SherdProbe[] kids;       // by call of that body: what it led to, linked by next
 *     long code;               // what is next when this call is made: see below
 *     int id;                  // its number: places[id]. What changes all the time are numbers: no collector watches who writes them
 *     int out;                 // the level outside, around this chain: what is entered without a call of ours is entered at places[out]
 *     int to;                  // in the list of a lambda: the node that counts, itself or another one
 *     SherdProbe up, first; int method, level, call, type; boolean root;
 *     static SherdProbe[] places;              // the first are those outside, by level; replaced when it is full
 *     static byte[][] marks; static byte[] pages;      // by number, and by 256 numbers: woken since the last time
 *     static volatile int order;
 *
 *     public static SherdProbe enter(int m)                  // at the beginning of body m; the frame keeps what it returns
 *     public static void leaf(int m)                         // the same for a body during which nothing can be entered
 *     public static void exit(SherdProbe n, int id)          // where it returns
 *     public static void thrown(SherdProbe n, int id)        // where an exception leaves it
 *     public static void caught(SherdProbe n, int id)        // in its handlers
 *     public static void before(Object receiver, SherdProbe n, int call)     // before a dispatched call
 *     public static void call(SherdProbe n, int call)        // before another one
 *     public static void constructs(SherdProbe n, int id)    // before and after this(...) and super(...)
 *     public static void constructed(SherdProbe n, int id)
 *     static void counts(int from, int len, long[] out)      // n of places, see chain_counts.c
 *     static int touched(int pages, int[] before, int len, int[] out)
 *
 * Where a frame is, it knows itself: n. A thread (thread_class.h) knows only what is *next*: the code of the call that was just announced.
 * Its upper half is the body that is expected, or says that none is; below it are the level outside (4 bits) and the number of a
 * place. Who is entered and is what was expected takes the node with that number, and makes the upper half -1, outside; who is not was
 * entered from outside, takes the root of its tree at that level, and puts back what was next when it is left. So nothing has to be
 * done after a call, and whatever exceptions do, every frame has its own position.
 *
 * Who announces a call counts it: the node is at hand there. An exception that finds a call announced and not come takes it back.
 *
 * Of a node that sleeps (chain_counts.c) the upper half is CHAIN_ASLEEP, so that whoever is entered looks closer, wakes it, and marks it.
 * That of a node that was not yet entered is the same, and so is that of a lambda's call, and of a call of a node above.
 *
 * Each probe that is inlined has one call of a method that is not (DontInline), for all that is not the usual way; the compiler's
 * time depends on their number.
 *
 * An exception from this(...) or super(...) leaves a constructor unseen (rewrite.h). If it was an entry, what is next is then one level too
 * deep; `constructors` tells where that can be, and settle() looks at the stack.
 *
 * `method` is -1 outside; -2 of a lambda's call, which leads to the body that it is seen to run, each of which is in the list `first`;
 * -3 of a call of `first`, a node above; -16 - m of a node for body m that was not entered yet. */
#ifndef AGENT_PROBE_CHAIN_CLASS_H
#define AGENT_PROBE_CHAIN_CLASS_H

#include "agent/probe/assemble.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/thread_class.h"

#define CHAIN_ROOT "(" PROBE_SELF "I)" PROBE_SELF
#define CHAIN_MADE "(" PROBE_SELF "I)" PROBE_SELF
#define CHAIN_LINK "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF
#define CHAIN_CALLED "(Ljava/lang/Class;" PROBE_SELF "I)V"
#define CHAIN_SETTLE "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF
#define CHAIN_GROW "(" THREAD_SELF ")Z"
#define CHAIN_COUNTS "(II[J)V"
#define CHAIN_TOUCHED "(I[II[I)I"

enum { CHAIN_ID_BITS = 28, CHAIN_IDS = (1 << CHAIN_ID_BITS) - 1 };    /* of a code; levels are above them */
enum { CHAIN_PAGE_BITS = 8, CHAIN_PAGES = 1 << 16 };          /* of marks */
enum { CHAIN_LEVELS = 15 };           /* the last one stands for all above it, too */
enum { CHAIN_OUTSIDE = -1, CHAIN_LAMBDA = -2, CHAIN_BACK = -3, CHAIN_ASLEEP = -4, CHAIN_EXPECTED = -16 };

void chain_class_members(struct assembler *a);

#endif
