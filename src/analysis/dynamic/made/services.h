/* SPDX-License-Identifier: Apache-2.0 */
/* services.h - what ServiceLoader finds: for each service a class of loaders of its own, so that providers of one service are not
 * taken for those of another. An object of it is the loader, its own iterator, and a ServiceLoader.Provider. */
#ifndef ANALYSIS_DYNAMIC_MADE_SERVICES_H
#define ANALYSIS_DYNAMIC_MADE_SERVICES_H

#include "analysis/dynamic/query.h"

/* Adds, for each class that may be the service, the class of its loaders; none where nobody provides it. */
void services_list_of(struct hierarchy *h, struct metas services, meta_list *out);

#endif
