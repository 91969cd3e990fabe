/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks.h - which methods of the component libraries call back, and how often: cells of the data file. What java.lang.SherdProbe and
 * SherdThread have for that, as Java:
 *
 *     // A cell: at this site, the library called method `callee` n times
 *     int callee;                                      // of one that a thread runs which the call starts: -1 - its number
 *     static final SherdProbe[] backs, calls;          // by site: its cells, linked by next; the one that counts the calls themselves
 *
 *     public static void calls(int site)               // before a watched call: counts it, and
 *     public static void leaves(int site)              // the component is left, at this site
 *     public static void returns(int id)               // behind a watched call, and in handlers: the thread is in the component
 *     public static int begins(int m)                  // at the beginning of method m; the frame keeps what it returns
 *     public static void passes(int m)                 // the same for a method during which nothing can be entered
 *     public static void ends(int site, int id)        // where it returns
 *     public static void fails(int site, int id)       // where an exception leaves it
 *     public static void starts(Object thread, int id) // at the beginning of Thread.start()
 *
 * `site` of a thread is 0 in the component, and where nothing is known; 1 + the site that it left the component by; or, at the bottom of a
 * thread that a library call started, minus that. Who is entered and finds one was called back: it counts, and the thread is in the
 * component until the method ends, which puts back what it found. Whatever exceptions do, every frame knows what that is. Only one from
 * this(...) or super(...) leaves a constructor unseen (rewrite.h), and the thread may then seem to be at a call that is over. So the stack
 * is looked at when a method is called back by a site for the first time: between them must be none of the component, and it is no callback
 * when nothing is between them, or a lambda alone. */
#ifndef AGENT_PROBE_CALLBACKS_H
#define AGENT_PROBE_CALLBACKS_H

#include <stdbool.h>
#include <stdint.h>

#include <jni.h>

#include "agent/probe/assemble.h"
#include "base/span.h"

#define CALLBACKS_LOCAL "I"           /* of methods: the descriptor of what a frame keeps */
#define CALLBACKS_THREAD "java/lang/Thread"           /* the class that has `starts` */

/* callback_class.c: for a plan of this many sites. What is called `back` there, uses of fields have, too (agent/fields/pairs.h). */
void back_members(struct assembler *a);
void back_array(struct assembler *a, uint32_t sites);         /* a part of the initialiser of SherdProbe */
void callback_members(struct assembler *a);
void callback_array(struct assembler *a, uint32_t sites);     /* likewise */

/* In this order, around the definition of SherdProbe: each is false when the JVM refuses. */
bool callbacks_bind(JNIEnv *jni, jclass probe);
bool callbacks_init(JNIEnv *jni);

/* The number of a method of a class of the plan, for its probes. Takes the lock. */
uint32_t callbacks_number(uint32_t class, struct str name, struct str desc);

#endif
