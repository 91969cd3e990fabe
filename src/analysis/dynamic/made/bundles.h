/* SPDX-License-Identifier: Apache-2.0 */
/* bundles.h - classes of resource bundles, by the name of their family: app.Texts, app.Texts_de, app.Texts_de_AT, ... */
#ifndef ANALYSIS_DYNAMIC_MADE_BUNDLES_H
#define ANALYSIS_DYNAMIC_MADE_BUNDLES_H

#include "analysis/dynamic/query.h"

/* Adds the classes that ResourceBundle.getBundle may make objects of, in whatever locale, given these names. Files of properties are
 * none. */
void bundles_list(struct hierarchy *h, struct metas names, meta_list *out);

#endif
