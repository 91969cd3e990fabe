/* SPDX-License-Identifier: Apache-2.0 */
/* params.h - the parameters of a method as they stand in source code. */
#ifndef REPORT_JAVA_PARAMS_H
#define REPORT_JAVA_PARAMS_H

#include "base/strbuf.h"

void add_params(struct str desc, struct strbuf *out); /* (Object, int), of a method's descriptor; of a field's nothing */

#endif
