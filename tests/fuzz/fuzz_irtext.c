// SPDX-License-Identifier: Apache-2.0
// links: base algo ir
/* The text form of bodies: what is accepted must pass the checker and read back as it was printed. */
#include <stdlib.h>

#include "ir/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_body(struct program *p, const struct ir_body *b, struct arena *mem)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct ir_body again;

	body_print(p, b, &first);
	if (!body_parse(p, strbuf_str(&first), &again, mem, NULL))
		abort();
	body_print(p, &again, &second);
	if (!str_eq(strbuf_str(&first), strbuf_str(&second)))
		abort();
	strbuf_release(&first);
	strbuf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, (uint32_t)size };
	struct program p;
	struct diag d;
	struct arena mem;
	struct ir_body b;
	class_id owner;
	sel_id sel;

	diag_init(&d);
	arena_init(&mem);
	program_init(&p, &d);
	if (body_parse(&p, text, &b, &mem, &d))
		check_body(&p, &b, &mem);
	while (body_parse_next(&p, &text, &owner, &sel, &b, &mem, &d))
		check_body(&p, &b, &mem);
	program_release(&p);
	arena_release(&mem);
	diag_release(&d);
	return 0;
}
