/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.h - records of what dynamic features did (docs/formats/dynamic-record.md), in a folder of `sherd cover`. */
#ifndef SESSION_ARTIFACT_DYNAMIC_H
#define SESSION_ARTIFACT_DYNAMIC_H

#include "base/diag.h"
#include "base/strbuf.h"

/* All records of JVMs in the folder as one, appended. What is no record is told (W056) and counts up to where it is wrong. */
void dynamic_merge(const char *folder, struct diag *d, struct strbuf *out);
/* Takes away the records of JVMs and the merged one; files of the same names that are no records stay. */
void dynamic_remove(const char *folder);

#endif
