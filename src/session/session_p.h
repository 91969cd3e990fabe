/* SPDX-License-Identifier: Apache-2.0 */
/* session_p.h - shared by the files of session/. */
#ifndef SESSION_SESSION_P_H
#define SESSION_SESSION_P_H

#include "session/session.h"

/* pkg.Cls.name or pkg.Cls.name(desc)ret, in its parts; desc is empty when there is none. */
struct method_name {
	struct str cls, name, desc;
};
bool split_method_name(struct str text, struct method_name *out);    /* false: no class and name in it */

#endif
