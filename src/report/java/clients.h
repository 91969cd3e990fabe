/* SPDX-License-Identifier: Apache-2.0 */
/* clients.h - which classes clients have, as plans and heads of results say it: "closed", "open", or "auto" with the types that those
 * of the tests extend and implement, by name, each behind a blank. */
#ifndef REPORT_JAVA_CLIENTS_H
#define REPORT_JAVA_CLIENTS_H

#include "report/write/json.h"
#include "report/write/screen.h"

struct str clients_word(struct str clients);                      /* without types */
void clients_add_words(struct str clients, struct strbuf *out);   /* for people */
void clients_show(const struct screen_out *s, uint32_t width, struct str clients);      /* likewise, a line of a head */
void clients_write(struct json *j, struct str clients);           /* "clients": the word; with auto, "opened": the types */

#endif
