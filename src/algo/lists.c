/* SPDX-License-Identifier: Apache-2.0 */
#include "algo/lists.h"

void lists_release(struct lists *l)
{
	vec_release(&l->rows);
	vec_release(&l->heads);
	*l = (struct lists){ 0 };
}

void lists_add(struct lists *l, uint32_t key, uint32_t number)
{
	while (l->heads.len <= key)
		vec_push(&l->heads, (struct list_head){ 0 });
	vec_push(&l->rows, (struct list_row){ .number = number });
	struct list_head *h = &l->heads.data[key];
	uint32_t row = l->rows.len;

	if (h->last)
		l->rows.data[h->last - 1].next = row;
	else
		h->first = row;
	if (!lists_is_new(l, h->fresh))
		h->fresh = row;
	h->last = row;
}
