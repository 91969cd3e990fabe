/* A library: events go into a queue, and handlers get them. */
#include <stdlib.h>
#include <string.h>

struct event {
	struct event *next;
	const char *name;
	void *data;
};

typedef void handler(struct event *e, void *context);

static struct event *first, *last;
static handler *current;
static void *current_context;
static unsigned sent;
int limit = 10;

void on_event(handler *h, void *context)
{
	current = h;
	current_context = context;
}

int post(const char *name, void *data)
{
	struct event *e;

	if (sent >= (unsigned)limit)
		return 0;
	e = malloc(sizeof(*e));
	e->next = NULL;
	e->name = strdup(name);
	e->data = data;
	if (last)
		last->next = e;
	else
		first = e;
	last = e;
	sent++;
	return 1;
}

static struct event *take(void)
{
	struct event *e = first;

	if (e)
		first = e->next;
	if (!first)
		last = NULL;
	return e;
}

void run(void)
{
	struct event *e;

	while ((e = take()) != NULL)
		if (current)
			current(e, current_context);
}

unsigned count(void)
{
	return sent;
}
