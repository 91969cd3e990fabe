/* SPDX-License-Identifier: Apache-2.0 */
/* accept.h - the list of requirements that a project's authors declare to be none (docs/formats/accept.md), read for a plan. */
#ifndef SESSION_ARTIFACT_ACCEPT_H
#define SESSION_ARTIFACT_ACCEPT_H

#include "base/diag.h"
#include "base/mem.h"
#include "coverage/accepted.h"
#include "formats/coverage/plan.h"

#define ACCEPT_FILE "sherd.accept"

/* Tables in `mem`; end it with accept_release() in any case. False, with a diagnostic that names the line and says what to write, when the
 * file cannot be read or a line is no entry. O(entries * (types + calls)). */
bool accept_read(struct cov_accepted *a, const char *path, const struct plan *p, struct arena *mem, struct diag *d);
void accept_release(struct cov_accepted *a);

/* After coverage_join(): warns of entries that name nothing (W058); it is an error when a run exercised what one says is impossible
 * (E057). False: there was such a run. */
bool accept_check(const struct cov_accepted *a, struct diag *d);

#endif
