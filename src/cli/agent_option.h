/* SPDX-License-Identifier: Apache-2.0 */
/* agent_option.h - the option that makes a JVM load sherd's agent, and the variable that passes it on to every JVM. */
#ifndef CLI_AGENT_OPTION_H
#define CLI_AGENT_OPTION_H

#include "base/strbuf.h"

#define AGENT_LIBRARY "libsherd-agent.so"

/* Where the agent is: `asked`, else $SHERD_AGENT, else beside this program or in ../lib/sherd of it; absolute. False: `err`
 * says where it was looked for. */
bool agent_find(const char *asked, struct strbuf *out, struct strbuf *err);

/* -agentpath:AGENT=plan=FOLDER/plan.sherd,destfile=FOLDER/run-%p.cov with `records` dynamic=FOLDER/dynamic-%p.txt, and `more`,
 * which may be NULL. `folder` is absolute; commas and percent signs of its name are written as the agent reads them. */
void agent_option(const char *agent, const char *folder, bool records, const char *more, struct strbuf *out);

/* The value of JAVA_TOOL_OPTIONS: what it is now, and the option. */
void agent_variable(const char *option, struct strbuf *out);

#endif
