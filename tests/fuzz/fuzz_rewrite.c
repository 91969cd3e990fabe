// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile rewrite
/* Rewrites class files at random places: what parses can be rewritten, parses again, and is the old file with just the
 * insertions added. Input that does not start like a class file is code in the frame of codeclass.h: bytes version,
 * descriptor, number of handlers, the handlers, and the code. */
#include "../unit/formats/codeclass.h"
#include "rewrite_edits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct span bytes)
{
	struct arena mem;
	struct classfile cf;
	uint64_t seed = 0;

	for (size_t i = 0; i < bytes.len; i++)
		seed = seed * 31 + bytes.p[i];
	arena_init(&mem);
	if (classfile_parse(&cf, bytes, &mem, "fuzz", STR("class"), NULL))
		rewrite_at_random(&cf, seed, seed % 5 ? 64 : 40000);
	arena_release(&mem);
}

static bool frame(const uint8_t *data, size_t size, struct codeclass *c)
{
	static const char *const descs[] = { "()V", "(I)I", "(JD)J", "(Ljava/lang/Object;)Ljava/lang/Object;" };

	if (size < 4)
		return false;
	size_t nhandlers = data[2] % 8, head = 3 + 8 * nhandlers;

	if (size <= head || size - head > 65535)
		return false;
	*c = (struct codeclass){
		.desc = descs[data[1] % 4], .is_static = data[1] & 128, .max_stack = 10, .max_locals = data[1],
		.handlers = data + 3, .nhandlers = (uint16_t)nhandlers, .code = data + head, .len = (uint32_t)(size - head),
	};
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bytes = { 0 };
	struct codeclass c;

	if (size > 4 && memcmp(data, "\xca\xfe\xba\xbe", 4) == 0) {
		run((struct span){ data, size });
	} else if (frame(data, size, &c)) {
		codeclass_build(&c, &bytes);
		bytes.s[7] = (char)(45 + data[0] % 25);         /* version */
		run((struct span){ (const uint8_t *)bytes.s, bytes.len });
	}
	strbuf_release(&bytes);
	return 0;
}
