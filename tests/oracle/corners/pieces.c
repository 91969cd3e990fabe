/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers that are copied byte by byte, by way of variables of other types; an index behind a constant offset. */
#include <stddef.h>
#include <stdint.h>

struct fields {
	long id;
	int *a, *b, *c;
};

static struct fields fields;
static int x, y, *out;
static volatile size_t eight = 8;
static volatile int one = 1;

static void use(int *p)
{
	out = p;
	if (out)
		*out = 1;
}

int main(void)
{
	int *p = &x, *q = 0, *r = 0, *s = 0, *t = 0;

	for (int i = 0; i < 8; i++) {
		int c = ((char *)&p)[i];

		((char *)&q)[i] = (char)c;
	}
	use(q);
	for (int i = 0; i < 8; i++) {
		unsigned c = ((uint8_t *)&p)[i];

		((uint8_t *)&r)[i] = (uint8_t)c;
	}
	use(r);
	for (int i = 0; i < 8; i++) {
		char c = one ? ((char *)&p)[i] : 0;

		((char *)&s)[i] = c;
	}
	use(s);
	for (int i = 0; i < 2; i++) {
		long half = ((int32_t *)&p)[i];

		((int32_t *)&t)[i] = (int32_t)half;
	}
	use(t);

	*(int **)((char *)&fields + 8 + eight) = &x;
	use(fields.b);
	fields.c = &y;
	char *base = (char *)&fields + offsetof(struct fields, a);
	use(*(int **)(base + eight * 2));
	return 0;
}
