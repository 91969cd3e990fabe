/* A client of queue.c. */
#include <stdio.h>

struct event {
	struct event *next;
	const char *name;
	void *data;
};
typedef void handler(struct event *e, void *context);
void on_event(handler *h, void *context);
int post(const char *name, void *data);
void run(void);

struct totals {
	int seen, sum;
	int *latest;
};

static void add(struct event *e, void *context)
{
	struct totals *t = context;
	int *value = e->data;

	t->seen++;
	t->sum += *value;
	t->latest = value;
	*value = 0;
}

static void print(struct event *e, void *context)
{
	fprintf(context, "%s\n", e->name);
}

int main(int argc, char **argv)
{
	struct totals t = { 0, 0, NULL };
	int one = 1, two = 2;

	(void)argv;
	if (argc > 1)
		on_event(print, stdout);
	else
		on_event(add, &t);
	post("one", &one);
	post("two", &two);
	run();
	return t.sum;
}
