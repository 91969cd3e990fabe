/* SPDX-License-Identifier: Apache-2.0 */
/* test_name.h - one name for a test, whichever framework tells about it: p.FooTest.testBar, p.FooTest$Nested.testBar,
 * p.FooTest.testBar(int)[3] for the third invocation of a template. */
#ifndef AGENT_TEST_NAME_H
#define AGENT_TEST_NAME_H

#include "base/span.h"
#include "base/strbuf.h"

/* From a description of JUnit 3 and 4: testBar(p.FooTest), testBar[2](p.FooTest). Other text is taken as it is. */
void test_name_4(struct str description, struct strbuf *out);

/* From a unique id of the JUnit Platform: [engine:junit-jupiter]/[class:p.FooTest]/[method:testBar()]. False for tests of the
 * vintage engine, which are told about as those of JUnit 4, too. */
bool test_name_5(struct str unique_id, struct strbuf *out);

#endif
