/* SPDX-License-Identifier: Apache-2.0 */
/* properties.h - files of properties as java.util.Properties reads them: keys and values, comments, continued lines, escapes. */
#ifndef FORMATS_PROPERTIES_PROPERTIES_H
#define FORMATS_PROPERTIES_PROPERTIES_H

#include "base/diag.h"
#include "base/span.h"

/* Calls fn for each property, in order, with the line that it begins in; texts are gone after the call. A line with a malformed escape is
 * left out and told (E075); what is no UTF-8 is taken for Latin-1, as Java did. */
void properties_read(const char *file, struct span bytes, struct diag *d,
		     void (*fn)(void *ctx, struct str key, struct str value, uint32_t line), void *ctx);

#endif
