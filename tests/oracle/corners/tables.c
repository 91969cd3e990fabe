/* SPDX-License-Identifier: Apache-2.0 */
/* Switches that optimisers turn into tables, also of relative addresses; parts of memory that are searched for. */
#define _GNU_SOURCE
#include <string.h>

static char a[4], b[4], c[4], d[4], e[4], *at;
static const char *name;
static void (*chosen)(void);
struct message {
	char head[8], text[8];
	int *value;
};
struct packet {
	int *first, *second;
	char tail[8];
};
static struct message message;
static struct packet packet;
static int x, *out;

static void fa(void) { a[0] = 1; }
static void fb(void) { b[0] = 1; }
static void fc(void) { c[0] = 1; }
static void fd(void) { d[0] = 1; }

__attribute__((noinline)) static char *place(int i)
{
	switch (i) {
	case 0: return a;
	case 1: return b;
	case 2: return c;
	case 3: return d;
	case 4: return e;
	default: return 0;
	}
}

__attribute__((noinline)) static const char *name_of(int i)
{
	switch (i) {
	case 0: return "zero";
	case 1: return "one";
	case 2: return "two";
	case 3: return "three";
	case 4: return "four";
	default: return "?";
	}
}

__attribute__((noinline)) static void (*function(int i))(void)
{
	switch (i) {
	case 0: return fa;
	case 1: return fb;
	case 2: return fc;
	case 3: return fd;
	default: return 0;
	}
}

int main(void)
{
	int *p = &x;

	for (int i = 0; i < 5; i++) {
		at = place(i);
		*at = (char)i;
		name = name_of(i);
		chosen = function(i);
		if (chosen)
			chosen();
	}
	memcpy(message.text, "hello", 6);
	at = memchr(&message, 'h', sizeof message);
	*at = 'j';
	at = memmem(&message, sizeof message, "ello", 4);
	*at = 'x';
	char *end = mempcpy(&packet, &p, sizeof p);
	end = mempcpy(end, &p, sizeof p);
	memcpy(end, "abc", 4);
	out = packet.second;
	*out = 1;
	return 0;
}
