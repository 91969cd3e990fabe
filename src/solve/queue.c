/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c - the queue of nodes in the order of their ranks: a bit set of two levels. */
#include "solve/solve_p.h"

void queue_add_rank(struct queue *q, uint32_t node)
{
	uint32_t rank = q->nodes.len;

	vec_push(&q->nodes, node);
	if (rank % 64 == 0)
		vec_push(&q->bits, 0);
	if (rank % 4096 == 0)
		vec_push(&q->summary, 0);
}

void queue_put(struct queue *q, uint32_t rank)
{
	q->bits.data[rank / 64] |= (uint64_t)1 << rank % 64;
	q->summary.data[rank / 4096] |= (uint64_t)1 << rank / 64 % 64;
	q->len++;
}

void queue_drop(struct queue *q, uint32_t rank)
{
	uint64_t *word = &q->bits.data[rank / 64], bit = (uint64_t)1 << rank % 64;

	if (!(*word & bit))
		return;
	*word &= ~bit;
	if (!*word)
		q->summary.data[rank / 4096] &= ~((uint64_t)1 << rank / 64 % 64);
	q->len--;
}

/* The first word of `bits` from `i` on that is not 0, or their number. */
static uint32_t next_word(const struct queue *q, uint32_t i)
{
	if (i >= q->bits.len)
		return q->bits.len;
	uint64_t word = q->summary.data[i / 64] & ~(uint64_t)0 << i % 64;

	for (i /= 64; !word; word = q->summary.data[i])
		if (++i == q->summary.len)
			return q->bits.len;
	return i * 64 + first_bit(word);
}

/* The first queued rank from `rank` on, or the number of ranks. */
static uint32_t next_rank(const struct queue *q, uint32_t rank)
{
	if (rank >= q->nodes.len)
		return q->nodes.len;
	uint64_t word = q->bits.data[rank / 64] & ~(uint64_t)0 << rank % 64;

	if (word)
		return (rank & ~63u) + first_bit(word);
	uint32_t i = next_word(q, rank / 64 + 1);
	return i < q->bits.len ? i * 64 + first_bit(q->bits.data[i]) : q->nodes.len;
}

uint32_t queue_take(struct queue *q)
{
	uint32_t rank = next_rank(q, q->at);

	if (rank == q->nodes.len) {
		q->at = 0;
		return 0;
	}
	queue_drop(q, rank);
	q->at = rank + 1;
	return q->nodes.data[rank];
}

void queue_clear(struct queue *q)
{
	vec_clear(&q->bits);
	vec_clear(&q->summary);
	vec_clear(&q->nodes);
	q->at = q->len = 0;
}

void queue_release(struct queue *q)
{
	vec_release(&q->bits);
	vec_release(&q->summary);
	vec_release(&q->nodes);
}
