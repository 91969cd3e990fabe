/* SPDX-License-Identifier: Apache-2.0 */
/* interactive.h - `sherd chains --interactive`: the view of browse.h on the terminal. */
#ifndef CLI_CHAINS_INTERACTIVE_H
#define CLI_CHAINS_INTERACTIVE_H

#include "cli/run.h"
#include "session/component/chains.h"

/* Until the user quits; `c` is then what was left. `file`: of --filter, which may be written over; or NULL. False, with an error
 * on stderr, when there is no terminal any more. */
bool chains_interact(struct cli_run *r, struct chains *c, const char *component, const char *file);

#endif
