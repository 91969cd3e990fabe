/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dynamic/moves.h"

#include "base/digest.h"
#include "base/map.h"
#include "base/vec.h"

struct moved {
	uint32_t first, n;            /* rows */
};
static struct {
	VEC(struct moved) methods;
	VEC(struct move) rows;
	struct map by_name;           /* digest of class, name, descriptor: method + 1 */
} table;

static uint64_t key_of(struct str class, struct str name, struct str desc)
{
	return digest_str(digest_str(digest_str(DIGEST_START, class), name), desc);
}

void moves_keep(struct str class, struct str name, struct str desc, const struct method_edit *e)
{
	struct moved m = { table.rows.len, e->nmoves };

	for (uint32_t i = 0; i < e->nmoves; i++)
		vec_push(&table.rows, e->moves[i]);
	vec_push(&table.methods, m);
	*map_at(&table.by_name, key_of(class, name, desc)) = table.methods.len;
}

uint32_t moves_original(struct str class, struct str name, struct str desc, uint32_t pc)
{
	uint32_t method = map_get(&table.by_name, key_of(class, name, desc)), by = 0;
	struct moved m = method ? table.methods.data[method - 1] : (struct moved){ 0 };

	for (uint32_t i = 0; i < m.n && table.rows.data[m.first + i].at <= pc; i++)
		by = table.rows.data[m.first + i].by;
	return by <= pc ? pc - by : 0;
}
