/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - the calls that came and went, by caller. */
#include "report/calls/calls.h"

#include "report/write/escape.h"
#include "report/write/json.h"
#include "report/write/screen.h"

#define MAX_SHOWN 100            /* changes of one sort on a screen */
#define MAX_LINES 2              /* of each */

/* JSON */

static void write_result(struct json *j, const char *key, const char *name, const struct calls *c, const uint64_t *counts)
{
	json_break(j);
	json_key(j, key), json_object(j);
	if (name)
		json_key(j, "file"), json_str(j, str_of(name));
	for (uint32_t i = 0; i < CALLS_FACTS; i++)
		if (c->facts[i].i)
			json_key(j, calls_fact_names[i]), json_str(j, interned(&c->names, c->facts[i]));
	for (uint32_t i = 0; i < CALLS_KINDS; i++)
		json_key(j, call_kind_names[i]), json_uint(j, counts[i]);
	json_end_object(j);
}

static void write_counts(struct json *j, const char *key, const uint64_t *counts)
{
	json_key(j, key), json_object(j);
	for (uint32_t i = 0; i < CALLS_KINDS; i++)
		json_key(j, call_kind_names[i]), json_uint(j, counts[i]);
	json_end_object(j);
}

static void write_change(struct json *j, const struct calls_diff *d, const struct calls_change *c)
{
	json_break(j);
	json_object(j);
	json_key(j, "change"), json_escaped(j, c->is_added ? STR("added") : STR("removed"));
	json_key(j, "caller"), json_str(j, c->caller);
	json_key(j, "kind"), json_escaped(j, str_of(call_kind_names[c->kind]));
	json_key(j, "callee"), json_str(j, c->callee);
	json_key(j, "lines"), json_array(j);
	for (uint32_t i = c->first; i < c->first + c->n; i++)
		json_uint(j, d->lines.data[i]);
	json_end_array(j);
	if (c->declared.len)
		json_key(j, "declared"), json_str(j, c->declared);
	json_end_object(j);
}

static void write_places(struct json *j, const struct calls_places *c)
{
	json_break(j);
	json_object(j);
	json_key(j, "caller"), json_str(j, c->caller);
	json_key(j, "kind"), json_escaped(j, str_of(call_kind_names[c->kind]));
	json_key(j, "callee"), json_str(j, c->callee);
	json_key(j, "old"), json_uint(j, c->old);
	json_key(j, "new"), json_uint(j, c->new);
	json_end_object(j);
}

static void write_differs(struct json *j, unsigned differs)
{
	json_key(j, "differs"), json_array(j);
	for (uint32_t i = 0; i < CALLS_FACTS; i++)
		if (differs & 1u << i)
			json_escaped(j, str_of(calls_fact_names[i]));
	json_end_array(j);
}

bool report_calls_diff_json(struct sink *out, const struct calls_diff *d, const struct calls_head *head)
{
	struct json j = { .out = out };

	json_object(&j);
	json_key(&j, "schema"), json_escaped(&j, STR("sherd/callbacks-diff/1"));
	write_result(&j, "old", head->old_name, head->old, d->old);
	write_result(&j, "new", head->new_name, head->new, d->new);
	json_break(&j);
	write_differs(&j, d->differs);
	write_counts(&j, "added", d->added);
	write_counts(&j, "removed", d->removed);
	json_break(&j);
	json_key(&j, "changes"), json_array(&j);
	for (uint32_t i = 0; i < d->changes.len; i++)
		write_change(&j, d, &d->changes.data[i]);
	json_end_array(&j);
	json_break(&j);
	json_key(&j, "places"), json_array(&j);
	for (uint32_t i = 0; i < d->places.len; i++)
		write_places(&j, &d->places.data[i]);
	json_end_array(&j);
	json_end_object(&j);
	sink_putc(out, '\n');
	return sink_finish(out);
}

/* The screen */

struct screen {
	struct screen_out s;
	const struct calls_diff *d;
	const struct calls_head *head;
	struct strbuf text, plain;
};

/* Adds the type of a descriptor that begins at p, without packages; returns where the next begins. */
static const char *add_type(struct strbuf *out, const char *p, const char *end)
{
	static const char *const primitives[] = { "Bbyte", "Cchar", "Ddouble", "Ffloat", "Iint", "Jlong", "Sshort", "Zboolean" };
	uint32_t arrays = 0;

	for (; p < end && *p == '['; p++)
		arrays++;
	if (p < end && *p == 'L') {
		const char *semicolon = memchr(p, ';', (size_t)(end - p)), *last = semicolon ? semicolon : end;
		struct str name = { p + 1, (uint32_t)(last - p - 1) };
		strbuf_addstr(out, str_sub(name, (uint32_t)(str_rfind(name, '/') + 1), name.len));
		p = semicolon ? semicolon + 1 : end;
	} else if (p < end) {
		for (size_t i = 0; i < ARRAY_LEN(primitives); i++)
			if (primitives[i][0] == *p)
				strbuf_adds(out, primitives[i] + 1);
		p++;
	}
	while (arrays--)
		strbuf_adds(out, "[]");
	return p;
}

/* pkg.Cls.name(Ljava/util/List;I)V: pkg.Cls.name(List, int). A text that is no such name is as it is. */
static void set_method(struct screen *x, struct str full)
{
	const char *open = memchr(full.p, '(', full.len), *close = open ? memchr(open, ')', full.len - (size_t)(open - full.p)) : NULL;

	strbuf_clear(&x->plain);
	strbuf_clear(&x->text);
	if (!close) {
		strbuf_addstr(&x->plain, full);
	} else {
		strbuf_add(&x->plain, full.p, (size_t)(open + 1 - full.p));
		for (const char *p = open + 1; p < close;) {
			strbuf_adds(&x->plain, p > open + 1 ? ", " : "");
			p = add_type(&x->plain, p, close);
		}
		strbuf_addch(&x->plain, ')');
	}
	escape_add(&x->text, ESCAPE_PLAIN, strbuf_str(&x->plain));
}

/* java.util.Map.put(Object, Object): Map.put */
static struct str brief(struct str name)
{
	const char *open = memchr(name.p, '(', name.len);
	uint32_t end = open ? (uint32_t)(open - name.p) : name.len, dots = 0, from = end;

	while (from > 0 && (name.p[from - 1] != '.' || ++dots < 2))
		from--;
	return str_sub(name, from, end);
}

static const char *const padded_kinds[] = { "direct  ", "callback", "later   " };

/*       70, 74  callback  notes.Blue.toString()  through StringBuffer.append */
static void show_change(struct screen *x, const struct calls_change *c)
{
	char line[64];
	size_t n = 0;

	for (uint32_t i = 0; i < c->n && i < MAX_LINES; i++)
		n += (size_t)snprintf(line + n, sizeof(line) - n, i ? ",%u" : "%u", (unsigned)x->d->lines.data[c->first + i]);
	if (c->n > MAX_LINES)
		snprintf(line + n, sizeof(line) - n, "…");
	else if (!n)
		snprintf(line, sizeof(line), "-");
	uint32_t columns = text_columns(str_of(line));
	for (; columns < 10; columns++)
		sink_putc(x->s.out, ' ');
	sink_puts(x->s.out, line);
	sink_puts(x->s.out, "  ");
	screen_puts(&x->s, STYLE_DIM, padded_kinds[c->kind]);
	sink_puts(x->s.out, "  ");
	set_method(x, c->callee);
	sink_str(x->s.out, strbuf_str(&x->text));
	if (c->declared.len) {
		set_method(x, c->declared);
		sink_puts(x->s.out, "  ");
		screen_style(&x->s, STYLE_DIM);
		sink_puts(x->s.out, "through ");
		sink_str(x->s.out, brief(strbuf_str(&x->text)));
		screen_plain(&x->s);
	}
	sink_putc(x->s.out, '\n');
}

static void show_changes(struct screen *x, bool is_added, const uint64_t *counts)
{
	uint64_t total = counts[CALLS_DIRECT] + counts[CALLS_BACK] + counts[CALLS_LATER], shown = 0;
	struct str caller = { 0 };
	char buf[32];

	if (!total)
		return;
	sink_putc(x->s.out, '\n');
	screen_puts(&x->s, is_added ? STYLE_GREEN : STYLE_RED, is_added ? "Added" : "Removed");
	sink_printf(x->s.out, "  %s\n", grouped(total, buf));
	for (uint32_t i = 0; i < x->d->changes.len; i++) {
		const struct calls_change *c = &x->d->changes.data[i];
		if (c->is_added != is_added)
			continue;
		if (shown == MAX_SHOWN && !x->head->is_verbose)
			break;
		if (!shown++ || !str_eq(caller, c->caller)) {
			set_method(x, c->caller);
			sink_puts(x->s.out, "\n  ");
			sink_str(x->s.out, strbuf_str(&x->text));
			sink_putc(x->s.out, '\n');
		}
		caller = c->caller;
		show_change(x, c);
	}
	if (shown < total)
		sink_printf(x->s.out, "\n  … %s more; -v lists all\n", grouped(total - shown, buf));
}

/* A whole call of a library went, say, and another one still calls back what it did. */
static void show_all_places(struct screen *x)
{
	char buf[32];
	uint32_t n = x->d->places.len, most = x->head->is_verbose || n < MAX_SHOWN ? n : MAX_SHOWN;

	if (!n)
		return;
	sink_printf(x->s.out, "\nThe same at other places  %s\n", grouped(n, buf));
	for (uint32_t i = 0; i < most; i++) {
		const struct calls_places *c = &x->d->places.data[i];
		if (!i || !str_eq(c->caller, c[-1].caller)) {
			set_method(x, c->caller);
			sink_puts(x->s.out, "\n  ");
			sink_str(x->s.out, strbuf_str(&x->text));
			sink_putc(x->s.out, '\n');
		}
		sink_printf(x->s.out, "  %3u → %-3u  ", (unsigned)c->old, (unsigned)c->new);
		screen_puts(&x->s, STYLE_DIM, padded_kinds[c->kind]);
		set_method(x, c->callee);
		sink_puts(x->s.out, "  ");
		sink_str(x->s.out, strbuf_str(&x->text));
		sink_putc(x->s.out, '\n');
	}
	if (most < n)
		sink_printf(x->s.out, "\n  … %s more; -v lists all\n", grouped(n - most, buf));
}

/*   Callbacks            33 →         35      +3   −1 */
static void show_count(struct screen *x, const char *label, enum call_kind kind)
{
	char a[32], b[32], c[32], e[32];
	const struct calls_diff *d = x->d;

	sink_printf(x->s.out, "  %-13s %11s → %11s", label, grouped(d->old[kind], a), grouped(d->new[kind], b));
	if (d->added[kind]) {
		sink_puts(x->s.out, "  ");
		screen_style(&x->s, STYLE_GREEN);
		sink_printf(x->s.out, "+%s", grouped(d->added[kind], c));
		screen_plain(&x->s);
	}
	if (d->removed[kind]) {
		sink_puts(x->s.out, "  ");
		screen_style(&x->s, STYLE_RED);
		sink_printf(x->s.out, "−%s", grouped(d->removed[kind], e));
		screen_plain(&x->s);
	}
	sink_putc(x->s.out, '\n');
}

static void show_fact(struct screen *x, enum calls_fact fact)
{
	struct str old = interned(&x->head->old->names, x->head->old->facts[fact]);
	struct str new = interned(&x->head->new->names, x->head->new->facts[fact]);
	char label[32];

	if (!old.len && !new.len)
		return;
	snprintf(label, sizeof(label), "%c%s", calls_fact_names[fact][0] - 'a' + 'A', calls_fact_names[fact] + 1);
	strbuf_clear(&x->text);
	escape_add(&x->text, ESCAPE_PLAIN, old.len ? old : STR("(not said)"));
	if (x->d->differs & 1u << fact) {
		strbuf_adds(&x->text, " → ");
		escape_add(&x->text, ESCAPE_PLAIN, new.len ? new : STR("(not said)"));
	}
	screen_fact(&x->s, 1000, label, strbuf_str(&x->text));
}

bool report_calls_diff_text(struct sink *out, const struct calls_diff *d, const struct calls_head *head)
{
	struct screen x = { .s = { out, head->color }, .d = d, .head = head };

	screen_puts(&x.s, STYLE_BOLD, "Application call graph, before and after\n");
	screen_fact(&x.s, 1000, "Old", screen_text(head->old_name));
	screen_fact(&x.s, 1000, "New", screen_text(head->new_name));
	for (uint32_t i = 0; i < CALLS_FACTS; i++)
		show_fact(&x, (enum calls_fact)i);
	sink_putc(out, '\n');
	show_count(&x, "Direct calls", CALLS_DIRECT);
	show_count(&x, "Callbacks", CALLS_BACK);
	show_count(&x, "By threads", CALLS_LATER);
	show_changes(&x, false, d->removed);
	show_changes(&x, true, d->added);
	if (!d->changes.len)
		sink_puts(out, "\n  The same calls.\n");
	show_all_places(&x);
	strbuf_release(&x.text);
	strbuf_release(&x.plain);
	return sink_finish(out);
}
