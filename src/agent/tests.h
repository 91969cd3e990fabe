/* SPDX-License-Identifier: Apache-2.0 */
/* tests.h - which test ran what: hooks in JUnit tell when tests begin and end; cells that count meanwhile are theirs. */
#ifndef AGENT_TESTS_H
#define AGENT_TESTS_H

#include <jni.h>

#include "base/span.h"

/* Places in test frameworks, by class and method. `kind` is handed to SherdProbe.test() with the first argument. */
enum tests_kind { TEST_4_STARTED, TEST_4_FINISHED, TEST_5_STARTED, TEST_5_FINISHED, TEST_3_STARTED, TEST_3_FINISHED };
bool tests_is_hooked(struct str internal_class);
bool tests_hook(struct str internal_class, struct str method, struct str desc, enum tests_kind *kind);

/* SherdProbe.test: never throws. */
void JNICALL tests_event(JNIEnv *jni, jclass helper, jobject o, jint kind);

/* What counted so far belongs to the tests that are running. Once a second; hold the lock. */
void tests_tick(JNIEnv *jni);

#endif
