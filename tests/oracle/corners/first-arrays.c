/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that start with an array: a pointer to one is also a pointer to the array. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct server {
	char host[16];
	int port;
	char *document;
	void (*handler)(int);
	struct server *next;
};
struct words {
	long head[2];
	int *value;
	struct words *next;
};
struct small {
	int head[4];
	int *one, *two;
};
struct part {
	char name[4];
	int k;
	int *value;
};
struct parts {
	int id;
	struct part part[3];
};
struct slots {
	int *slot[3];
	int *behind;
};

static const struct field {
	const char *name;
	size_t off;
} fields[] = { { "document", offsetof(struct server, document) }, { "handler", offsetof(struct server, handler) },
	       { "next", offsetof(struct server, next) } };

static char document[4];
static struct words words, more_words;
static struct small small, more_small;
static struct part part, more_part;
static struct parts parts;
static struct slots slots;
static int x, y, z, *out;
static volatile size_t eight = 8, step = sizeof(struct part);

static void on_request(int n)
{
	z = n;
}

/* Options by their offsets. */
static void set(struct server *s, int i, void *value)
{
	*(void **)((char *)s + fields[i].off) = value;
}

static void copy_bytes(void *d, const void *s, size_t n)
{
	char *to = d;

	for (const char *at = s; n--;)
		*to++ = *at++;
}

static void copy_words(void *d, const void *s, size_t n)
{
	uintptr_t *to = d;
	const uintptr_t *at = s;

	for (size_t i = 0; i < n / sizeof *to; i++)
		to[i] = at[i];
}

static void copy_halves(void *d, const void *s, size_t n)
{
	for (size_t i = 0; i < n / sizeof(unsigned); i++)
		((unsigned *)d)[i] = ((const unsigned *)s)[i];
}

static void swap(void *a, void *b, size_t n)
{
	char *p = a, *q = b;

	do {
		char t = *p;

		*p++ = *q;
		*q++ = t;
	} while (--n);
}

static void use(int *p)
{
	out = p;
	if (out)
		*out = 1;
}

int main(void)
{
	struct server *s = calloc(1, sizeof *s);
	struct part one = { "a", 1, &x }, two = { "b", 2, &y };

	set(s, 0, document);
	set(s, 1, (void *)on_request);
	set(s, 2, s);
	*s->next->document = 1;
	s->next->handler(2);

	words.value = &x;
	words.next = &words;
	copy_words(&more_words, &words, sizeof words);
	use(more_words.next->value);
	small.one = &x;
	small.two = &y;
	copy_halves(&more_small, &small, sizeof small);
	use(more_small.one);
	use(more_small.two);
	part.value = &x;
	copy_bytes(&more_part, &part, sizeof part);
	use(more_part.value);
	swap(&one, &two, sizeof one);
	use(one.value);
	swap(&parts.part[0], &one, sizeof one);
	use(parts.part[0].value);

	struct part *inner = &parts.part[1];
	char *base = (char *)&parts.part[0];
	*(int **)((char *)inner + eight) = &x;
	use(parts.part[1].value);
	*(int **)(base + step * 2 + 8) = &y;
	use(parts.part[2].value);

	((int **)&slots)[eight / 2 - 1] = &z;
	use(slots.behind);
	slots.behind = &x;
	use(*(int **)((char *)&slots + eight * 3));
	return 0;
}
