// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load
/* Lowers class files, or, when the input does not start like one, code in the frame of codeclass.h: bytes
 * max_stack, max_locals, descriptor, number of handlers, the handlers, and the code. What is lowered must pass
 * the checker, have an outline, and survive its text form. */
#include <stdlib.h>

#include "../unit/formats/codeclass.h"
#include "load/lower/lower.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void check_text(struct program *p, const struct ir_body *b, struct arena *mem)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct ir_body again;

	body_print(p, b, &first);
	must(body_parse(p, strbuf_str(&first), &again, mem, NULL));
	body_print(p, &again, &second);
	must(str_eq(strbuf_str(&first), strbuf_str(&second)));
	strbuf_release(&first);
	strbuf_release(&second);
}

static void check_method(struct program *p, struct unit *u, uint16_t index, struct arena *mem)
{
	const struct ir_body *b = lower_method(p, u, index, mem, mem);
	const struct ir_body *outline = outline_method(p, u, index, mem);
	const char *reason;

	if (!b)
		return;
	must(outline != NULL);
	must(body_check(b, mem, &reason));
	if (b->nstmts < 10000)
		check_text(p, b, mem);
}

/* Opening a loader reads all models, so a program serves many inputs, each with a class name of its own. */
#define INPUTS_PER_PROGRAM 256

static struct world {
	struct program p;
	struct diag d;
	struct loader *l;
	uint32_t inputs;
} world;

static void renew(struct world *w)
{
	if (w->l) {
		program_release(&w->p);
		loader_free(w->l);
		diag_release(&w->d);
	}
	*w = (struct world){ 0 };
	diag_init(&w->d);
	program_init(&w->p, &w->d);
	w->l = loader_open(&w->p, &(struct loader_opt){ 0 }, &w->d);
}

static void run(struct span bytes)
{
	struct world *w = &world;
	struct strbuf name = { 0 };
	struct arena mem;
	struct unit u;

	if (!w->l || w->inputs == INPUTS_PER_PROGRAM)
		renew(w);
	strbuf_addf(&name, "fuzz/C%u", (unsigned)w->inputs++);
	arena_init(&mem);
	if (codeclass_load(&w->p, &u, bytes, strbuf_str(&name)))
		for (uint16_t i = 0; i < u.cf.nmethods; i++)
			if (u.cf.methods[i].code)
				check_method(&w->p, &u, i, &mem);
	arena_release(&mem);
	strbuf_release(&name);
}

static bool frame(const uint8_t *data, size_t size, struct codeclass *c)
{
	static const char *const descs[] = {
		"()V", "(I)I", "(JD)J", "(Ljava/lang/Object;)Ljava/lang/Object;", "(F)F", "()D",
	};

	if (size < 5)
		return false;
	size_t nhandlers = data[3] % 8, head = 4 + 8 * nhandlers;

	if (size <= head || size - head > 65535)
		return false;
	*c = (struct codeclass){
		.desc = descs[data[2] % 6], .is_static = data[2] & 128, .max_stack = data[0], .max_locals = data[1],
		.handlers = data + 4, .nhandlers = (uint16_t)nhandlers,
		.code = data + head, .len = (uint32_t)(size - head),
	};
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bytes = { 0 };
	struct codeclass c;

	if (size > 4 && memcmp(data, "\xca\xfe\xba\xbe", 4) == 0) {
		run((struct span){ data, size });
		return 0;
	}
	if (frame(data, size, &c)) {
		codeclass_build(&c, &bytes);
		run((struct span){ (const uint8_t *)bytes.s, bytes.len });
	}
	strbuf_release(&bytes);
	return 0;
}
