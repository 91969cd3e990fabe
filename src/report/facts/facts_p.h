/* SPDX-License-Identifier: Apache-2.0 */
/* facts_p.h - rows in the order of a writer. */
#ifndef REPORT_FACTS_FACTS_P_H
#define REPORT_FACTS_FACTS_P_H

#include "report/facts/facts.h"

/* A row, and the rule or entry that it is part of. */
typedef int (*fact_order)(const struct fact *a, const struct fact *b);

/* The rows by `order`, and by fact_compare where that is 0; to be freed. */
const struct fact **facts_ordered(const struct facts *f, fact_order order);

#define FACT_PUBLIC 0x1u               /* access flags (JVMS 4.1) */
#define FACT_INTERFACE 0x200u
#define FACT_ANNOTATION 0x2000u
#define FACT_ENUM 0x4000u

#endif
