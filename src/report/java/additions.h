/* SPDX-License-Identifier: Apache-2.0 */
/* additions.h - what the manifests of jars added to the class path: nobody named it on the command line, so results do. */
#ifndef REPORT_JAVA_ADDITIONS_H
#define REPORT_JAVA_ADDITIONS_H

#include "ir/program.h"
#include "report/write/json.h"

/* Calls fact(ctx, label, text) for each line of a head, the first of them with a label; for none when nothing was added. Of many, the
 * last line says how many more there are. */
void additions_show(const struct program *p, void (*fact)(void *ctx, const char *label, struct str text), void *ctx);

/* Adds the key "manifest_class_path" with an object for each; nothing when nothing was added. */
void additions_json(struct json *j, const struct program *p);

#endif
