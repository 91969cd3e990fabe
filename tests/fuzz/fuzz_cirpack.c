// SPDX-License-Identifier: Apache-2.0
// links: base algo cir analysis/allocation
/* Packed C programs: what is accepted passes the checker, has allocation sites and names, and packs to the bytes that it was
 * unpacked from; what is not has a reason. */
#include <stdlib.h>

#include "analysis/allocation/allocation.h"
#include "base/strbuf.h"
#include "cir/cir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file whose folder is said twice, or out of order, is the one thing that need not come back as it was. */
static void pack_again(const struct cprogram *p, size_t size)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct cprogram again;
	const char *reason;

	cir_pack(p, &first);
	if (first.len > size)
		abort();
	cprogram_init(&again);
	if (!cir_unpack(&again, (struct span){ (const uint8_t *)first.s, first.len }, &reason))
		abort();
	cir_pack(&again, &second);
	if (!str_eq(strbuf_str(&first), strbuf_str(&second)))
		abort();
	cprogram_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

static void use(struct cprogram *p)
{
	struct strbuf out = { 0 };
	const char *reason;

	allocation_rewrite(p, false);
	if (!cir_check(p, &reason))
		abort();
	for (uint32_t i = 1; i < p->objs.len; i++, strbuf_clear(&out))
		cname_cell(p, (cobj_id){ i }, i % 3 * 8, &out);
	for (uint32_t i = 1; i < p->vars.len; i++, strbuf_clear(&out))
		cname_var(p, (cvar_id){ i }, &out);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cprogram p;
	const char *reason = NULL;

	cprogram_init(&p);
	if (cir_unpack(&p, (struct span){ data, size }, &reason)) {
		pack_again(&p, size);
		use(&p);
	} else if (!reason) {
		abort();
	}
	cprogram_release(&p);
	return 0;
}
