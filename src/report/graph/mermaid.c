/* SPDX-License-Identifier: Apache-2.0 */
/* mermaid.c - who calls whom as a flowchart of Mermaid, a box for each class: small enough to be shown in a pull request.
 *
 * Callbacks name the library's method that the code calls. Arrows are numbered in the order of the text, and have their colours by
 * number. */
#include "report/graph/mermaid.h"

struct writer {
	struct strbuf *out;
	struct graph_view *v;
	struct strbuf name, label;
	uint32_t arrows;
	VEC(uint32_t) of_kind[3];        /* the numbers of arrows that are no direct calls */
};

/* Names of Java may have signs that Mermaid takes for its own. */
static void add_text(struct strbuf *out, struct str t)
{
	for (uint32_t i = 0; i < t.len; i++) {
		if (strchr("\"#<>&;`\\", t.p[i]))
			strbuf_addf(out, "#%d;", t.p[i]);
		else
			strbuf_addch(out, t.p[i]);
	}
}

/* The name of a node without its class, which `prefix` is. */
static struct str short_name(struct str name, struct str prefix)
{
	bool is_prefix = name.len > prefix.len && memcmp(name.p, prefix.p, prefix.len) == 0 && name.p[prefix.len] == '.';

	return is_prefix ? str_sub(name, prefix.len + 1, name.len) : name;
}

static void add_nodes(struct writer *w)
{
	struct strbuf open = { 0 };
	uint32_t boxes = 0;

	for (uint32_t k = 0; k < w->v->nnodes; k++) {
		const struct graph_node *n = &w->v->nodes[k];
		struct graph_detail d;
		w->v->maker->detail(w->v, k, &d);
		strbuf_clear(&w->name);
		escape_add(&w->name, ESCAPE_PLAIN, d.class_name);
		if (!boxes || !str_eq(strbuf_str(&w->name), strbuf_str(&open))) {
			strbuf_adds(w->out, boxes ? "  end\n" : "");
			strbuf_addf(w->out, "  subgraph c%u[\"", (unsigned)++boxes);
			add_text(w->out, strbuf_str(&w->name));
			strbuf_adds(w->out, "\"]\n");
			strbuf_clear(&open);
			strbuf_addstr(&open, strbuf_str(&w->name));
		}
		strbuf_addf(w->out, "    n%u[\"", (unsigned)(w->v->first + k));
		add_text(w->out, short_name(n->name, strbuf_str(&open)));
		strbuf_adds(w->out, "\"]\n");
	}
	strbuf_adds(w->out, boxes ? "  end\n" : "");
	strbuf_release(&open);
}

/* java.util.Map.put(Object, Object): Map.put */
static struct str brief(struct str declared)
{
	const char *open = memchr(declared.p, '(', declared.len);
	uint32_t end = open ? (uint32_t)(open - declared.p) : declared.len, dots = 0, from = end;

	while (from > 0 && (declared.p[from - 1] != '.' || ++dots < 2))
		from--;
	return str_sub(declared, from, end);
}

static bool has_target(struct graph_view *v, const struct graph_site *s, uint32_t node)
{
	struct graph_targets t = graph_targets(v, s);

	for (uint32_t i = 0; i < t.n; i++)
		if (t.nodes[i] == node)
			return true;
	return false;
}

/* What the calls name that the arrow stands for; "..." for further ones. */
static void set_label(struct writer *w, uint32_t from, uint32_t to, uint32_t kind)
{
	uint32_t n, first = 0;
	const struct graph_site *sites = w->v->maker->sites(w->v, from, &n);

	strbuf_clear(&w->label);
	for (uint32_t i = 0; i < n; i++) {
		const struct graph_site *s = &sites[i];
		if (s->kind != kind || !s->declared || s->declared == first || !has_target(w->v, s, to))
			continue;
		if (first) {
			strbuf_adds(&w->label, ", ...");
			return;
		}
		first = s->declared;
		add_text(&w->label, brief(w->v->maker->declared(w->v, first)));
	}
}

static void add_arrow(struct writer *w, uint32_t from, uint32_t to, uint32_t kind)
{
	if (kind) {
		set_label(w, from, to, kind);
		vec_push(&w->of_kind[kind], w->arrows);
	}
	strbuf_addf(w->out, "  n%u ", (unsigned)(w->v->first + from));
	if (!kind)
		strbuf_adds(w->out, "-->");
	else if (w->label.len)
		strbuf_addf(w->out, "-. \"%s\" .->", w->label.s);
	else
		strbuf_adds(w->out, "-.->");
	strbuf_addf(w->out, " n%u\n", (unsigned)(w->v->first + to));
	w->arrows++;
}

static void add_arrows(struct writer *w, uint32_t from)
{
	for (uint32_t kind = 0; kind < graph_nkinds(w->v); kind++) {
		struct graph_targets t = graph_callees(w->v, from, kind);
		for (uint32_t i = 0; i < t.n; i++)
			add_arrow(w, from, t.nodes[i], kind);
	}
}

static void add_styles(struct writer *w)
{
	static const char *const styles[] = { "", "stroke:#b35900,color:#b35900", "stroke:#6a3d9a,color:#6a3d9a,stroke-dasharray:1 4" };

	for (uint32_t kind = 1; kind < ARRAY_LEN(styles); kind++) {
		for (uint32_t i = 0; i < w->of_kind[kind].len; i++)
			strbuf_addf(w->out, i ? ",%u" : "  linkStyle %u", (unsigned)w->of_kind[kind].data[i]);
		if (w->of_kind[kind].len)
			strbuf_addf(w->out, " %s\n", styles[kind]);
	}
}

static uint64_t count_arrows(struct graph_view *v)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < v->nnodes; k++)
		for (uint32_t kind = 0; kind < graph_nkinds(v); kind++)
			n += graph_callees(v, k, kind).n;
	return n;
}

static void write_chart(struct writer *w)
{
	strbuf_adds(w->out, "flowchart LR\n");
	add_nodes(w);
	for (uint32_t k = 0; k < w->v->nnodes; k++)
		add_arrows(w, k);
	add_styles(w);
}

bool report_graph_mermaid(struct strbuf *out, struct graph_view *v, struct strbuf *why)
{
	struct writer w = { .out = out, .v = v };
	uint64_t arrows = count_arrows(v);

	if (arrows <= MERMAID_ARROWS && v->nnodes <= 2 * MERMAID_ARROWS) {
		graph_view_name_nodes(v, ESCAPE_PLAIN);
		write_chart(&w);
	}
	if (arrows > MERMAID_ARROWS)
		strbuf_addf(why, "the flowchart would have %llu arrows, and Mermaid draws %u", (unsigned long long)arrows, MERMAID_ARROWS);
	else if (!out->len)
		strbuf_addf(why, "the flowchart would have %u methods, and Mermaid draws what fits in %u characters", (unsigned)v->nnodes,
			    MERMAID_TEXT);
	else if (out->len > MERMAID_TEXT)
		strbuf_addf(why, "the flowchart would have %llu characters, and Mermaid draws %u", (unsigned long long)out->len, MERMAID_TEXT);
	strbuf_release(&w.name);
	strbuf_release(&w.label);
	for (size_t i = 0; i < ARRAY_LEN(w.of_kind); i++)
		vec_release(&w.of_kind[i]);
	return why->len == 0;
}
