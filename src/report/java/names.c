/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - the text of methods and references, rendered once each. */
#include "report/java/names.h"

#include "report/java/params.h"

void name_full(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	print_class(p, owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, sel));
	strbuf_addstr(out, sel_desc(p, sel));
}

void names_init(struct names *n, const struct program *p, name_render *render, enum escape form)
{
	*n = (struct names){ .p = p, .render = render, .form = form };
	arena_init(&n->text);
	n->methods = mem_zalloc(sizeof(struct str) * (p->methods.len + 1));
	n->mrefs = mem_zalloc(sizeof(struct str) * (p->mrefs.len + 1));
}

void names_release(struct names *n)
{
	arena_release(&n->text);
	strbuf_release(&n->raw);
	strbuf_release(&n->done);
	free(n->methods);
	free(n->mrefs);
	free(n->classes);
}

/* What is in n->raw, escaped and kept. */
static struct str keep_raw(struct names *n)
{
	strbuf_clear(&n->done);
	escape_add(&n->done, n->form, strbuf_str(&n->raw));
	struct str t = strbuf_str(&n->done);
	t.p = arena_copy(&n->text, t.p, (size_t)t.len + 1);
	return t;
}

static struct str render(struct names *n, class_id owner, sel_id sel)
{
	strbuf_clear(&n->raw);
	n->render(n->p, owner, sel, &n->raw);
	return keep_raw(n);
}

struct str names_method(struct names *n, method_id m)
{
	struct str *t = &n->methods[m.i];

	if (UNLIKELY(!t->p))
		*t = render(n, method_row(n->p, m)->owner, method_row(n->p, m)->sel);
	return *t;
}

struct str names_mref(struct names *n, mref_id m)
{
	struct str *t = &n->mrefs[m.i];

	if (UNLIKELY(!t->p))
		*t = render(n, mref_row(n->p, m)->owner, mref_row(n->p, m)->sel);
	return *t;
}

struct str names_class(struct names *n, class_id c)
{
	if (UNLIKELY(!n->classes))
		n->classes = mem_zalloc(sizeof(struct str) * (n->p->classes.len + 1));
	struct str *t = &n->classes[c.i];
	if (UNLIKELY(!t->p)) {
		strbuf_clear(&n->raw);
		print_class(n->p, c, &n->raw);
		*t = keep_raw(n);
	}
	return *t;
}

void name_class(const struct program *p, class_id c, enum escape form, struct strbuf *out)
{
	struct strbuf raw = { 0 };

	print_class(p, c, &raw);
	escape_add(out, form, strbuf_str(&raw));
	strbuf_release(&raw);
}

static int compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct str *phantom_names(const struct program *p, struct arena *mem, uint32_t *n)
{
	struct str *names = arena_array(mem, struct str, p->phantoms.len);
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < p->phantoms.len; i++) {
		strbuf_clear(&text);
		print_class(p, p->phantoms.data[i], &text);
		names[i] = strbuf_str(&text);
		names[i].p = arena_copy(mem, names[i].p, (size_t)names[i].len + 1);
	}
	strbuf_release(&text);
	*n = p->phantoms.len;
	if (*n)
		qsort(names, *n, sizeof *names, compare_names);
	return names;
}

const char *op_name(unsigned op)
{
	switch (op) {
	case IR_CALL_STATIC: return "static";
	case IR_CALL_SPECIAL: return "special";
	case IR_CALL_VIRTUAL: return "virtual";
	case IR_CALL_INTERFACE: return "interface";
	default: return "dynamic";
	}
}

uint32_t line_of(const struct program *p, method_id m, uint32_t pc)
{
	if (!p->source.line)
		return 0;
	return p->source.line(p->source.ctx, (struct program *)p, m, pc);
}

void name_brief(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	print_class(p, owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, sel));
}

void name_source(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	name_brief(p, owner, sel, out);
	add_params(sel_desc(p, sel), out);
}

void add_place(struct names *brief, method_id m, uint32_t pc, struct strbuf *out)
{
	uint32_t line = line_of(brief->p, m, pc);

	strbuf_addstr(out, names_method(brief, m));
	if (line)
		strbuf_addf(out, ":%u", (unsigned)line);
	else
		strbuf_addf(out, "@%u", (unsigned)pc);
}
