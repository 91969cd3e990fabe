// SPDX-License-Identifier: Apache-2.0
// links: base formats/compdb
/* fuzz_compdb.c - any bytes as a compile_commands.json. */
#include "base/compiler.h"
#include "formats/compdb/compdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf err = { 0 };
	struct arena mem;
	compdb db = { 0 };

	arena_init(&mem);
	bool ok = compdb_read((struct span){ data, size }, &mem, &db, &err);
	if (ok == (err.len > 0))
		BUG("refused without a reason, or a reason without refusing");
	for (uint32_t i = 0; i < db.len; i++)
		if (!db.data[i].directory || !db.data[i].file || !db.data[i].command == !db.data[i].arguments)
			BUG("an entry is not complete");
	vec_release(&db);
	strbuf_release(&err);
	arena_release(&mem);
	return 0;
}
