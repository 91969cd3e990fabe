/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and stores that start in the middle of an array and go on behind it. */
#include <stdlib.h>
#include <string.h>

struct record {
	char key[12];
	int priority;
	int *value;
};
struct node {
	int a[4];
	struct node *next;
};
struct named {
	int id;
	char name[4];
	int one;
	char tail[4];
	int two;
	int *value;
};

static struct record from, to, *heap;
static struct node node;
static struct named first, second;
static int x, *out;
static char *wire;

/* Compilers make one store of several here. */
__attribute__((noinline)) static void clear(struct record *r)
{
	r->key[8] = r->key[9] = r->key[10] = r->key[11] = 0;
	r->priority = 0;
}

__attribute__((noinline)) static void reset(struct node *n)
{
	n->a[2] = 0;
	n->a[3] = 0;
	n->next = 0;
}

__attribute__((noinline)) static void copy(struct named *d, const struct named *s)
{
	for (int i = 0; i < 4; i++)
		d->tail[i] = s->tail[i];
	d->two = s->two;
}

static void use(int *p)
{
	out = p;
	if (out)
		*out = 1;
}

int main(void)
{
	clear(&from);
	reset(&node);
	copy(&second, &first);
	from.value = &x;
	memcpy((char *)&to + 8, (char *)&from + 8, 16);
	use(to.value);
	first.value = &x;
	memcpy((char *)&second + 6, (char *)&first + 6, sizeof first - 6);
	use(second.value);
	heap = malloc(sizeof *heap);
	heap->value = &x;
	wire = malloc(64);
	memcpy(wire, heap->key + 8, 16);
	struct record *r = calloc(1, sizeof *r);
	memcpy((char *)r + 8, wire, 16);
	use(r->value);
	memset((char *)r + 8, 0, 16);
	return node.next != 0 || r->priority;
}
