// SPDX-License-Identifier: Apache-2.0
// links: base algo cir analysis/allocation
/* The text form of C programs: what is accepted passes the checker, reads back as it was printed, and has allocation sites and
 * names; what is not has one error. */
#include <stdlib.h>

#include "analysis/allocation/allocation.h"
#include "base/diag.h"
#include "cir/cir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const struct cprogram *p)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct cprogram again;

	cir_print(p, &first);
	cprogram_init(&again);
	if (!cir_parse(&again, strbuf_str(&first), "again", NULL))
		abort();
	cir_print(&again, &second);
	if (!str_eq(strbuf_str(&first), strbuf_str(&second)))
		abort();
	cprogram_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

static void name_all(const struct cprogram *p)
{
	struct strbuf out = { 0 };

	for (uint32_t i = 1; i < p->objs.len; i++, strbuf_clear(&out))
		cname_cell(p, (cobj_id){ i }, i % 3 * 8, &out);
	for (uint32_t i = 1; i < p->vars.len; i++, strbuf_clear(&out))
		cname_var(p, (cvar_id){ i }, &out);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cprogram p;
	struct diag d;
	const char *reason;

	diag_init(&d);
	cprogram_init(&p);
	if (cir_parse(&p, (struct str){ (const char *)data, (uint32_t)size }, "fuzz", &d)) {
		read_back(&p);
		allocation_rewrite(&p, false);
		if (!cir_check(&p, &reason))
			abort();
		read_back(&p);
		name_all(&p);
	} else if (d.errors != 1) {
		abort();
	}
	cprogram_release(&p);
	diag_release(&d);
	return 0;
}
