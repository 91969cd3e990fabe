/* SPDX-License-Identifier: Apache-2.0 */
/* graph_text.c - the call graph of a C program as a screen: what was asked, the figures, calls through pointers with many
 * targets, what is not resolved, and all calls when they fit. */
#include "report/c/c_p.h"

#define TOP 10
#define MAX_ROWS 200       /* of the listing */

struct view {
	struct c_screen s;
	struct cgraph g;
	struct cgraph_stats stats;
};

static struct str name_of(const struct view *v, uint32_t node)
{
	return v->s.names.fns[v->g.nodes.data[node].fn.i];
}

static void write_figures(struct view *v)
{
	const struct cgraph_stats *st = &v->stats;
	const struct screen_out *o = &v->s.out;
	struct sink *out = o->out;

	screen_figure(o, "Functions", st->functions), screen_figure(o, "Call sites", st->sites);
	sink_putc(out, '\n');
	screen_figure(o, "Edges", st->edges), screen_figure(o, "Through pointers", st->indirect);
	screen_share(out, st->indirect, st->sites);
	screen_figure(o, "Function edges", st->function_edges), screen_figure(o, "Several targets", st->poly);
	screen_share(out, st->poly, st->sites);
	screen_figure(o, "Unknown code", v->s.head->nunknown), screen_figure(o, "Unresolved", st->unresolved);
	sink_putc(out, '\n');
}

struct ranked {
	uint32_t node, site;
};

/* The sites with the most targets, in their order where they have as many. */
static uint32_t most_targets(const struct view *v, struct ranked top[TOP])
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < v->g.nodes.len; k++)
		for (uint32_t i = v->g.nodes.data[k].first; i < v->g.nodes.data[k].first + v->g.nodes.data[k].nsites; i++) {
			uint32_t size = v->g.sites.data[i].ntargets, at = n;
			if (size < 2 || (n == TOP && size <= v->g.sites.data[top[TOP - 1].site].ntargets))
				continue;
			if (n == TOP)
				at--;
			else
				n++;
			for (; at > 0 && v->g.sites.data[top[at - 1].site].ntargets < size; at--)
				top[at] = top[at - 1];
			top[at] = (struct ranked){ k, i };
		}
	return n;
}

/* Without a place in the source: the function. */
static uint32_t write_place(struct view *v, const struct cgraph_site *s)
{
	const struct ccall *c = &v->s.r->program->calls.data[s->call.i];

	strbuf_clear(&v->s.text);
	if (c->loc.i)
		c_add_place(&v->s, c->loc, false, &v->s.text);
	else
		strbuf_addstr(&v->s.text, v->s.names.fns[c->caller.i]);
	return c_screen_name(&v->s, strbuf_str(&v->s.text), v->s.width / 2);
}

/* Names of targets, in what is left of the line. */
static void write_targets(struct view *v, const struct cgraph_site *s, uint32_t at)
{
	enum { ROOM = 12 };

	for (uint32_t i = 0; i < s->ntargets; i++) {
		struct str name = name_of(v, v->g.targets.data[s->first + i]);
		uint32_t room = v->s.width - (i ? 0 : at) - (i + 1 < s->ntargets ? ROOM + 1 : 0), n = c_name_columns(&v->s, name, room) + 2;
		if (i && at + n > v->s.width - (i + 1 < s->ntargets ? ROOM : 0)) {
			screen_style(&v->s.out, STYLE_DIM);
			sink_printf(v->s.out.out, " … %u more", s->ntargets - i);
			screen_plain(&v->s.out);
			break;
		}
		sink_puts(v->s.out.out, i ? " " : "");
		c_screen_name(&v->s, name, room);
		sink_puts(v->s.out.out, i + 1 < s->ntargets ? "," : "");
		at += n;
	}
	sink_putc(v->s.out.out, '\n');
}

static void write_most(struct view *v)
{
	struct ranked top[TOP];
	uint32_t n = most_targets(v, top);

	if (!n)
		return;
	c_screen_title(&v->s, "Calls with the most targets", v->stats.poly);
	for (uint32_t i = 0; i < n; i++) {
		const struct cgraph_site *s = &v->g.sites.data[top[i].site];
		sink_printf(v->s.out.out, "  %5u  ", s->ntargets);
		uint32_t used = write_place(v, s);
		sink_puts(v->s.out.out, " → ");
		write_targets(v, s, used + 12);
	}
	c_screen_more(&v->s, v->stats.poly - n, "");
}

static void write_unresolved(struct view *v)
{
	uint32_t shown = 0;

	if (!v->stats.unresolved)
		return;
	c_screen_title(&v->s, "Unresolved calls", v->stats.unresolved);
	for (uint32_t k = 0; k < v->g.nodes.len; k++)
		for (uint32_t i = v->g.nodes.data[k].first; i < v->g.nodes.data[k].first + v->g.nodes.data[k].nsites; i++) {
			const struct cgraph_site *s = &v->g.sites.data[i];
			if (!s->cause || shown == TOP)
				continue;
			shown++;
			sink_puts(v->s.out.out, "  ");
			screen_style(&v->s.out, STYLE_RED);
			sink_printf(v->s.out.out, "%-13s", cgraph_cause_name(s->cause));
			screen_plain(&v->s.out);
			sink_puts(v->s.out.out, "  ");
			uint32_t used = write_place(v, s);
			sink_puts(v->s.out.out, "  ");
			c_screen_name(&v->s, name_of(v, k), v->s.width - 19 - used);
			sink_putc(v->s.out.out, '\n');
		}
	c_screen_more(&v->s, v->stats.unresolved - shown, "");
}

static void write_site(struct view *v, const struct cgraph_site *s, bool last)
{
	uint32_t line = v->s.r->program->locs.data[v->s.r->program->calls.data[s->call.i].loc.i].line;

	sink_puts(v->s.out.out, last ? "  └─ " : "  ├─ ");
	if (line)
		sink_printf(v->s.out.out, "%5u  ", line);
	else
		sink_printf(v->s.out.out, "@%-4u  ", s->number);
	if (s->kind == CGRAPH_POINTER)
		screen_puts(&v->s.out, STYLE_DIM, "pointer ");
	if (s->ntargets)
		write_targets(v, s, s->kind == CGRAPH_POINTER ? 20 : 12);
	else
		sink_printf(v->s.out.out, "%s\n", s->cause ? cgraph_cause_name(s->cause) : "nothing");
}

static bool is_own(const struct view *v, uint32_t k)
{
	return !v->g.nodes.data[k].is_library && v->g.nodes.data[k].nsites;
}

static void write_listing(struct view *v)
{
	uint64_t rows = 0;

	for (uint32_t k = 0; k < v->g.nodes.len; k++)
		rows += is_own(v, k) ? v->g.nodes.data[k].nsites : 0;
	if (!rows || rows > MAX_ROWS)
		return;
	c_screen_title(&v->s, "Calls of the program", rows);
	for (uint32_t k = 0; k < v->g.nodes.len; k++) {
		const struct cgraph_node *n = &v->g.nodes.data[k];
		if (!is_own(v, k))
			continue;
		sink_puts(v->s.out.out, "  ");
		screen_style(&v->s.out, STYLE_GREEN);
		c_screen_name(&v->s, name_of(v, k), v->s.width - 9);
		screen_plain(&v->s.out);
		if (n->is_entry)
			screen_puts(&v->s.out, STYLE_DIM, "  entry");
		sink_putc(v->s.out.out, '\n');
		for (uint32_t i = 0; i < n->nsites; i++)
			write_site(v, &v->g.sites.data[n->first + i], i + 1 == n->nsites);
	}
}

bool report_callgraph_c_text(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct view v;

	c_screen_init(&v.s, out, r, head);
	cgraph_compute(&v.g, &v.s.names.functions, r->ph_proc);
	v.stats = cgraph_stats(&v.g);
	c_screen_head(&v.s, "Call graph");
	write_figures(&v);
	write_most(&v);
	write_unresolved(&v);
	write_listing(&v);
	cgraph_release(&v.g);
	c_screen_release(&v.s);
	return sink_finish(out);
}
