/* SPDX-License-Identifier: Apache-2.0 */
/* log.h - the data file: records are gathered in memory and appended once a second and at the end. */
#ifndef AGENT_LOG_H
#define AGENT_LOG_H

#include "base/strbuf.h"

/* Creates the file of the options, with its header and the record of the run. False, after saying why, when it cannot be created. */
bool log_open(void);

/* Records that wait to be written; hold the lock. NULL: nothing is recorded any more. */
struct strbuf *log_records(void);

/* Appends what waits to the file. Hold neither lock. A failure is reported once and closes the agent. */
void log_write(void);
void log_close(void);         /* no record is taken after this */

uint64_t log_size(void);      /* bytes so far, waiting ones too; hold the lock */

#endif
