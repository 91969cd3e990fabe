/* SPDX-License-Identifier: Apache-2.0 */
/* chain_class.h - what java.lang.SherdProbe has besides, where call chains are tracked. As Java:
 *
 *     // A node: the chain of `up`, and a call (`call`, on an object of class k or w). It runs body `method`.
 *     SherdProbe[] kids;       // by call of that body: what it led to, linked by next
 *     int id;                  // its number: places[id >> 10][id & 1023]. What changes all the time are numbers: no collector
 *                              // watches who writes them
 *     int out;                 // the place outside, around this chain: what is entered without a call of ours is entered there
 *     int to;                  // what is next when this call is made: itself; out, when other code runs; or another node
 *     SherdProbe up, first; int method, level, call, type; boolean root;
 *     static SherdProbe[][] places;
 *     static SherdThread last, spare; static SherdThread[] threads; static int misses;
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
 *
 *     final class SherdThread {         // what a thread does
 *         Thread thread; WeakReference w; int next; int[] saved; SherdProbe[] constructors; int deep;
 *     }
 *
 * Where a frame is, it knows itself: n. A thread knows only what is *next*: the node that the call which was just announced leads to,
 * or a place outside (method -1), one for each level. Who is entered and is what was expected takes that node; who is not was entered
 * from outside, takes the root of its tree at that level, and puts back what was next when it is left. So nothing has to be
 * done after a call, and whatever exceptions do, every frame has its own position.
 *
 * An exception from this(...) or super(...) leaves a constructor unseen (rewrite.h). If it was an entry, what is next is then one level too
 * deep; `constructors` tells where that can be, and settle() looks at the stack.
 *
 * `method` is -1 outside; -2 of a lambda's call, which leads to the body that it is seen to run, each of which is in the list `first`;
 * -16 - m of a node for body m that was not entered yet. */
#ifndef AGENT_PROBE_CHAIN_CLASS_H
#define AGENT_PROBE_CHAIN_CLASS_H

#include "agent/probe/assemble.h"
#include "agent/probe/probe_class.h"

#define THREAD_CLASS "java/lang/SherdThread"
#define THREAD_SELF "Ljava/lang/SherdThread;"
#define CHAIN_THREAD "(Ljava/lang/Thread;)" THREAD_SELF
#define CHAIN_ROOT "(" PROBE_SELF "I)" PROBE_SELF
#define CHAIN_MADE "(" PROBE_SELF "I)" PROBE_SELF
#define CHAIN_LINK "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF
#define CHAIN_SETTLE "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF
#define CHAIN_GROW "(" THREAD_SELF ")Z"

enum { CHAIN_CHUNK_BITS = 10, CHAIN_CHUNKS = 1 << 14 };
enum { CHAIN_LEVELS = 15 };           /* the last one stands for all above it, too */
enum { CHAIN_OUTSIDE = -1, CHAIN_LAMBDA = -2, CHAIN_EXPECTED = -16 };

void chain_class_members(struct assembler *a);
void thread_class_bytes(struct strbuf *out);

#endif
