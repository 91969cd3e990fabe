struct event {
	struct event *next;
	const char *name;
	void *data;
};
typedef void handler(struct event *e, void *context);

void on_event(handler *h, void *context);
int post(const char *name, void *data);
void run(void);
