/* SPDX-License-Identifier: Apache-2.0 */
/* conditions.c - what rules calls out, for the screen: conditions, those that rule out most first, and assertions. */
#include <stdlib.h>
#include <string.h>

#include "report/chains/chains_p.h"

#define MAX_CONDITIONS 10
#define COUNT_COLUMNS 14

struct condition {
	struct chain_reason reason;
	uint32_t calls;
};
typedef VEC(struct condition) conditions;

static int by_place(const void *a, const void *b)
{
	const struct condition *x = a, *y = b;

	if (x->reason.method.i != y->reason.method.i)
		return x->reason.method.i < y->reason.method.i ? -1 : 1;
	if (x->reason.pc != y->reason.pc)
		return x->reason.pc < y->reason.pc ? -1 : 1;
	return strcmp(x->reason.text, y->reason.text);
}

static int by_calls(const void *a, const void *b)
{
	const struct condition *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return by_place(a, b);
}

/* Each once, with how many calls it rules out. */
static void collect(const struct forest *f, conditions *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->dead.len; i++)
		vec_push(out, ((struct condition){ chain_prune_why(f->opt.prune, f->dead.data[i].edge, f->dead.data[i].context), 1 }));
	if (!out->len)
		return;
	qsort(out->data, out->len, sizeof(*out->data), by_place);
	for (uint32_t i = 1; i < out->len; i++)
		if (by_place(&out->data[n], &out->data[i]) == 0)
			out->data[n].calls++;
		else
			out->data[++n] = out->data[i];
	out->len = n + 1;
	qsort(out->data, out->len, sizeof(*out->data), by_calls);
}

static void show_condition(struct screen_out *s, uint32_t width, const struct chain_graph *x, struct names *source,
			   const struct condition *c)
{
	struct strbuf text = { 0 };
	char buf[32];
	uint32_t most = width - 2 - COUNT_COLUMNS;

	struct str name = chains_short_name(x, chain_node(x, c->reason.method), names_method(source, c->reason.method));
	const char *params = memchr(name.p, '(', name.len);
	strbuf_addstr(&text, params ? str_sub(name, 0, (uint32_t)(params - name.p)) : name);
	if (c->reason.line)
		strbuf_addf(&text, ":%u", (unsigned)c->reason.line);
	strbuf_addf(&text, "  %s", c->reason.text);
	struct str t = strbuf_str(&text);
	uint32_t columns = text_columns(t);
	sink_puts(s->out, "  ");
	sink_str(s->out, columns > most ? str_sub(t, 0, t.len - text_skip(t, most - 3).len) : t);
	sink_puts(s->out, columns > most ? "..." : "");
	for (uint32_t i = columns > most ? most : columns; i < most; i++)
		sink_putc(s->out, ' ');
	screen_style(s, STYLE_DIM);
	sink_printf(s->out, "%*s", COUNT_COLUMNS, grouped(c->calls, buf));
	screen_plain(s);
	sink_putc(s->out, '\n');
	strbuf_release(&text);
}

void show_conditions(struct screen_out *s, uint32_t width, const struct forest *f, struct names *source)
{
	conditions all = { 0 };
	char buf[32];

	collect(f, &all);
	if (chain_prune_forgotten(f->opt.prune))
		sink_printf(s->out, "\n  In %s calls, less was kept of what they pass than is known: their methods have too many contexts\n",
			    grouped(chain_prune_forgotten(f->opt.prune), buf));
	if (!all.len)
		return;
	uint32_t shown = all.len <= MAX_CONDITIONS + 1 ? all.len : MAX_CONDITIONS;
	screen_title(s, shown < all.len ? "Conditions that rule out most calls" : "Conditions that rule out calls", all.len);
	sink_putc(s->out, '\n');
	for (uint32_t i = 0; i < shown; i++)
		show_condition(s, width, f->x, source, &all.data[i]);
	if (shown < all.len) {
		screen_style(s, STYLE_DIM);
		sink_printf(s->out, "\n  ... and %s more; --format json has all", grouped(all.len - shown, buf));
		screen_plain(s);
		sink_putc(s->out, '\n');
	}
	vec_release(&all);
}

void show_assertions(struct screen_out *s, const struct forest *f, const struct chains_head *head)
{
	if (!f->cuts.len)
		return;
	screen_title(s, "Asserted to be impossible", f->cuts.len);
	sink_putc(s->out, '\n');
	for (uint32_t i = 0; i < f->cuts.len; i++) {
		const struct chains_assertion *a = &head->asserted[i];
		sink_printf(s->out, "  %s:%u  %s%s\n", head->assertions, (unsigned)a->line, a->chain, f->cuts.data[i] ? "" : "  (rules out none)");
		screen_style(s, STYLE_DIM);
		sink_printf(s->out, "      because %s", a->because);
		screen_plain(s);
		sink_putc(s->out, '\n');
	}
}
