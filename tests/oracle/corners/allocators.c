/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that hand out memory: fresh or from a list, behind a header, by hooks, by way of others. */
#include <stdlib.h>
#include <string.h>

struct header {
	struct header *next;
	size_t size;
};
struct node {
	int *a;
	struct node *next;
	int *b;
};

static struct header *all;
static void *unused;
static void *(*hook)(size_t);
static int v[10], *out;
static char pool[256];
static size_t used;

static void *checked(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static void *from_pool(size_t n)
{
	void *p = pool + used;

	used += (n + 15) & ~(size_t)15;
	return p;
}

/* Users may set a hook. */
static void *hooked(size_t n)
{
	return hook ? hook(n) : malloc(n);
}

static void *zeroed(size_t n)
{
	return memset(hooked(n), 0, n);
}

static void *recycled(size_t n)
{
	void *p = unused;

	if (!p)
		return checked(n);
	unused = *(void **)p;
	return p;
}

static void recycle(void *p)
{
	*(void **)p = unused;
	unused = p;
}

static void *with_header(size_t n)
{
	struct header *h = checked(n + sizeof *h);

	h->size = n;
	h->next = all;
	all = h;
	return h + 1;
}

static struct node *node(void *memory, struct node *next, int *a, int *b)
{
	struct node *n = memory;

	n->a = a;
	n->next = next;
	n->b = b;
	return n;
}

static void use(int *p)
{
	out = p;
	*out = 1;
}

int main(void)
{
	struct node *n = node(hooked(sizeof *n), 0, &v[0], &v[1]);

	hook = from_pool;
	n = node(zeroed(sizeof *n), n, &v[2], &v[3]);
	use(n->next->b);
	use(n->a);
	struct node *r = node(recycled(sizeof *r), n, &v[4], &v[5]);
	recycle(r);
	struct node *again = node(recycled(sizeof *r), 0, &v[6], &v[7]);
	use(r->b);
	use(again->a);
	n = node(with_header(sizeof *n), again, &v[8], &v[9]);
	for (struct header *h = all; h; h = h->next)
		use(((struct node *)(h + 1))->b);
	return 0;
}
