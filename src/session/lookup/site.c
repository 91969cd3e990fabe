/* SPDX-License-Identifier: Apache-2.0 */
#include "session/lookup/site.h"

#include <string.h>

#include "base/compiler.h"
#include "session/session_p.h"

#define MAX_LISTED 40       /* calls, and classes, that a message names */

/* A written site in its parts. */
struct wanted {
	struct str code;              /* the method, or the class */
	struct str number;            /* digits, empty: none */
	bool is_pc;
	uint32_t value;
};

struct finder {
	struct session *s;
	struct wanted wanted;
	struct cg_classes scope;      /* whose names can be cut short */
	bool (*is_site)(struct session *s, const struct ir_stmt *call);      /* is the call one of those that are looked for? */
	const char *what;             /* those are: "dispatched call" */
	named_site_list fitting, all; /* all: of the same methods */
	struct arena mem;
};

static bool is_digits(struct str t)
{
	for (uint32_t i = 0; i < t.len; i++)
		if (t.p[i] < '0' || t.p[i] > '9')
			return false;
	return t.len > 0;
}

static struct wanted split(struct str text)
{
	struct wanted w = { .code = text };
	uint32_t at = text.len;

	while (at > 0 && text.p[at - 1] != '@' && text.p[at - 1] != ':')
		at--;
	struct str number = str_sub(text, at, text.len);
	if (at < 2 || !is_digits(number) || number.len > 9)
		return w;
	w.code = str_sub(text, 0, at - 1);
	w.is_pc = text.p[at - 1] == '@';
	w.number = number;
	for (uint32_t i = 0; i < number.len; i++)
		w.value = w.value * 10 + (uint32_t)(number.p[i] - '0');
	return w;
}

static uint32_t line_of_site(struct session *s, const struct named_site *at)
{
	struct program *p = &s->program;

	return p->source.line ? p->source.line(p->source.ctx, p, at->method, at->pc) : 0;
}

static bool is_fitting(struct finder *f, const struct named_site *at)
{
	if (!f->wanted.number.len)
		return true;
	return f->wanted.value == (f->wanted.is_pc ? at->pc : line_of_site(f->s, at));
}

static void add_calls(struct finder *f, method_id m)
{
	struct program *p = &f->s->program;

	arena_clear(&f->mem);
	const struct ir_body *b = p->source.body(p->source.ctx, p, m, &f->mem);
	for (uint32_t i = 0; b && i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		if (!ir_is_call(s->op) || s->sub != IR_CALL_WRITTEN || !f->is_site(f->s, s))
			continue;
		struct named_site at = { m, s->pc, { s->ref }, (uint8_t)s->op };
		vec_push(&f->all, at);
		if (is_fitting(f, &at))
			vec_push(&f->fitting, at);
	}
}

/* Methods of the class with this name, and descriptor if one is given; an empty name: all. */
static uint32_t add_methods(struct finder *f, class_id c, struct str name, struct str desc)
{
	struct program *p = &f->s->program;
	struct ir_class row = *class_row(p, c);
	uint32_t n = 0;

	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		sel_id sel = method_row(p, m)->sel;
		if (name.len && !str_eq(sel_name(p, sel), name))
			continue;
		if (desc.len && !str_eq(sel_desc(p, sel), desc))
			continue;
		add_calls(f, m);
		n++;
	}
	return n;
}

/* Messages */

static void add_str(struct strbuf *out, const char *before, struct str t)
{
	strbuf_addf(out, "%s%.*s", before, (int)t.len, t.p);
}

static void list_calls(struct finder *f, const struct named_site *sites, uint32_t n, struct strbuf *why)
{
	const struct program *p = &f->s->program;

	for (uint32_t i = 0; i < n && i < MAX_LISTED; i++) {
		uint32_t line = line_of_site(f->s, &sites[i]);
		strbuf_adds(why, "\n    ");
		print_method(p, sites[i].method, why);
		strbuf_addf(why, "@%u  ", (unsigned)sites[i].pc);
		if (line)
			strbuf_addf(why, "line %u  ", (unsigned)line);
		strbuf_adds(why, "calls ");
		print_mref(p, sites[i].declared, why);
	}
	if (n > MAX_LISTED)
		strbuf_addf(why, "\n    and %u more", (unsigned)(n - MAX_LISTED));
}

static void say_calls(struct finder *f, struct strbuf *why)
{
	const struct wanted *w = &f->wanted;

	add_str(why, "", w->code);
	strbuf_addf(why, " has no %s", f->what);
	if (!f->all.len)
		return;
	add_str(why, w->is_pc ? " at pc " : " at line ", w->number);
	strbuf_adds(why, "; it has these:");
	list_calls(f, f->all.data, f->all.len, why);
}

/* Sites */

static bool ends_name(struct str printed, struct str name);

/* The class of that dotted name, or the one of the scope whose name ends so. */
static class_id find_class(struct finder *f, struct str name, struct strbuf *why)
{
	class_id whole = session_class(f->s, name), found = whole;
	struct strbuf printed = { 0 };

	for (uint32_t i = 0; i < f->scope.n && !whole.i; i++) {
		strbuf_clear(&printed);
		print_class(&f->s->program, f->scope.classes[i], &printed);
		if (!ends_name(strbuf_str(&printed), name))
			continue;
		if (found.i)
			strbuf_addf(why, "'%.*s' can be more than one class of the component, %s is one: write the whole name", (int)name.len, name.p,
				    printed.s);
		if (why->len)
			break;
		found = f->scope.classes[i];
	}
	strbuf_release(&printed);
	return found;
}

/* All methods of a class and of those nested in it: a line may be in one of these. */
static void add_nest(struct finder *f, class_id c)
{
	const struct program *p = &f->s->program;

	add_methods(f, c, (struct str){ 0 }, (struct str){ 0 });
	for (uint32_t i = 0; i < f->scope.n; i++) {
		struct str outer = class_name(p, c), name = class_name(p, f->scope.classes[i]);
		if (name.len > outer.len && memcmp(name.p, outer.p, outer.len) == 0 && name.p[outer.len] == '$')
			add_methods(f, f->scope.classes[i], (struct str){ 0 }, (struct str){ 0 });
	}
}

/* Finds the code that is named. False, with a message: there is no such class or method. */
static bool find_code(struct finder *f, struct strbuf *why)
{
	const struct wanted *w = &f->wanted;
	struct method_name n;
	method_id one;
	class_id c = { 0 };

	if (split_method_name(w->code, &n)) {
		c = find_class(f, n.cls, why);
		if (why->len)
			return false;
		if (c.i && add_methods(f, c, n.name, n.desc))
			return true;
	}
	class_id whole = w->number.len && !w->is_pc ? find_class(f, w->code, why) : (class_id){ 0 };
	if (whole.i)
		add_nest(f, whole);
	if (whole.i || why->len)
		return !why->len;
	struct strbuf code = { 0 };
	strbuf_addstr(&code, w->code);
	session_method(f->s, code.s ? code.s : "", &one, why);      /* says what is wrong */
	strbuf_release(&code);
	return false;
}

static void release(struct finder *f)
{
	vec_release(&f->fitting);
	vec_release(&f->all);
	arena_release(&f->mem);
}

static bool is_dispatched(struct session *s ATTR_UNUSED, const struct ir_stmt *call)
{
	return call->op == IR_CALL_VIRTUAL || call->op == IR_CALL_INTERFACE;
}

bool session_sites(struct session *s, struct cg_classes scope, const char *text, named_site_list *out, struct strbuf *why)
{
	struct finder f = { .s = s, .wanted = split(str_of(text)), .scope = scope, .is_site = is_dispatched, .what = "dispatched call" };

	arena_init(&f.mem);
	if (find_code(&f, why) && f.fitting.len)
		for (uint32_t i = 0; i < f.fitting.len; i++)
			vec_push(out, f.fitting.data[i]);
	else if (!why->len)
		say_calls(&f, why);
	release(&f);
	return why->len == 0;
}

void session_list_sites(struct session *s, const char *text, const named_site_list *sites, struct strbuf *why)
{
	struct finder f = { .s = s };

	strbuf_addf(why, "%s can be any of these calls; name one as METHOD@PC:", text);
	list_calls(&f, sites->data, sites->len, why);
}

/* Calls of any kind */

static bool is_any(struct session *s ATTR_UNUSED, const struct ir_stmt *call ATTR_UNUSED)
{
	return true;
}

bool session_names_calls(const char *text)
{
	return split(str_of(text)).number.len > 0;
}

static bool is_of_one(const named_site_list *l)
{
	uint32_t i = 0;

	while (i < l->len && l->data[i].method.i == l->data[0].method.i)
		i++;
	return l->len && i == l->len;
}

bool session_calls(struct session *s, const char *text, named_site_list *out, struct strbuf *why)
{
	struct finder f = { .s = s, .wanted = split(str_of(text)), .is_site = is_any, .what = "call" };

	arena_init(&f.mem);
	if (find_code(&f, why) && is_of_one(&f.fitting))
		for (uint32_t i = 0; i < f.fitting.len; i++)
			vec_push(out, f.fitting.data[i]);
	else if (!why->len)
		say_calls(&f, why);
	release(&f);
	return why->len == 0;
}

/* Strings */

bool session_string_operand(struct session *s, const struct named_site *at, uint32_t k, uint32_t *operand)
{
	struct program *p = &s->program;
	sel_id sel = mref_row(p, at->declared)->sel;
	uint32_t from = 0, i = at->op != IR_CALL_STATIC;
	class_id type;

	for (; sel_next_param(p, sel, &from, &type); i++) {
		if (type.i != p->string.i || k-- > 0)
			continue;
		*operand = i;
		return true;
	}
	return false;
}

static bool is_given_string(struct session *s, const struct ir_stmt *call)
{
	struct named_site at = { .declared = { call->ref }, .op = (uint8_t)call->op };
	uint32_t operand;

	return call->op != IR_CALL_DYNAMIC && session_string_operand(s, &at, 0, &operand);
}

static bool is_given_name(struct session *s, const struct named_site *at)
{
	static const char *const classes[] = { "java/lang/Class", "java/lang/ClassLoader", "java/lang/invoke/MethodHandles$Lookup" };
	struct str owner = class_name(&s->program, mref_row(&s->program, at->declared)->owner);

	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (str_is(owner, classes[i]))
			return true;
	return false;
}

/* Who does not name one call asks for those that matter. */
static void choose_strings(struct finder *f, named_site_list *out)
{
	bool has_names = false;

	for (uint32_t i = 0; i < f->fitting.len && !f->wanted.is_pc; i++)
		has_names |= is_given_name(f->s, &f->fitting.data[i]);
	for (uint32_t i = 0; i < f->fitting.len; i++)
		if (!has_names || is_given_name(f->s, &f->fitting.data[i]))
			vec_push(out, f->fitting.data[i]);
}

bool session_string_calls(struct session *s, const char *text, named_site_list *out, struct strbuf *why)
{
	struct finder f = { .s = s, .wanted = split(str_of(text)), .is_site = is_given_string, .what = "call that is given a string" };

	arena_init(&f.mem);
	if (find_code(&f, why) && f.fitting.len)
		choose_strings(&f, out);
	else if (!why->len)
		say_calls(&f, why);
	release(&f);
	return why->len == 0;
}

/* Receivers */

/* Is `name` the class's printed name, or its end? */
static bool ends_name(struct str printed, struct str name)
{
	if (!name.len || printed.len < name.len)
		return false;
	struct str end = str_sub(printed, printed.len - name.len, printed.len);
	char before = printed.len > name.len ? printed.p[printed.len - name.len - 1] : '.';

	return str_eq(end, name) && (before == '.' || before == '$');
}

static bool is_named(const struct program *p, class_id c, struct str name, bool is_whole)
{
	struct strbuf printed = { 0 };

	print_class(p, c, &printed);
	bool is_array = class_row(p, c)->kind == CLASS_ARRAY && str_ends(name, "[]");
	bool ok = is_array || (is_whole ? str_eq(strbuf_str(&printed), name) : ends_name(strbuf_str(&printed), name));
	strbuf_release(&printed);
	return ok;
}

/* Those that are named so, or all of them. */
static void list_classes(const struct program *p, struct cg_classes classes, struct str name, struct strbuf *why)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < classes.n; i++) {
		if ((name.len && !is_named(p, classes.classes[i], name, false)) || shown++ >= MAX_LISTED)
			continue;
		strbuf_adds(why, "\n    ");
		print_class(p, classes.classes[i], why);
	}
	if (shown > MAX_LISTED)
		strbuf_addf(why, "\n    and %u more", (unsigned)(shown - MAX_LISTED));
}

static uint32_t count_named(const struct program *p, struct cg_classes classes, struct str name, bool is_whole,
			    class_id *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < classes.n; i++)
		if (is_named(p, classes.classes[i], name, is_whole)) {
			*out = classes.classes[i];
			n++;
		}
	return n;
}

/* The loaded class whose name ends so, if there is one only. */
static class_id only_loaded(const struct program *p, struct str name)
{
	class_id found = { 0 };

	for (uint32_t i = 1; i < p->classes.len; i++) {
		const struct ir_class *row = &p->classes.data[i];
		if (row->kind != CLASS_FILE || row->state != LOAD_DONE || !is_named(p, (class_id){ i }, name, false))
			continue;
		if (found.i)
			return (class_id){ 0 };
		found = (class_id){ i };
	}
	return found;
}

/* On the class path, by its whole name. Names with brackets are those of arrays, which are one class. */
static class_id class_named(struct session *s, struct str name)
{
	if (name.len > 2 && str_ends(name, "[]"))
		return program_class(&s->program, STR("[Ljava/lang/Object;"));
	return !name.len || memchr(name.p, '[', name.len) ? (class_id){ 0 } : session_class(s, name);
}

bool session_has_receiver(struct session *s, const char *text, struct cg_classes classes)
{
	class_id found;

	return count_named(&s->program, classes, str_of(text), false, &found) > 0;
}

bool session_receiver(struct session *s, const char *text, struct cg_classes classes, class_id *out, struct strbuf *why)
{
	const struct program *p = &s->program;
	struct str name = str_of(text);

	if (count_named(p, classes, name, true, out) == 1)
		return true;
	uint32_t n = count_named(p, classes, name, false, out);
	if (n == 1)
		return true;
	if (n > 1) {
		strbuf_addf(why, "'%s' can be any of these receivers; write the whole name:", text);
		list_classes(p, classes, name, why);
		return false;
	}
	*out = class_named(s, name);
	if (out->i || (*out = only_loaded(p, name)).i)
		return true;
	strbuf_addf(why, memchr(name.p, '.', name.len) ? "no class '%s' on the class path, nor among the receivers of the call%s" :
			 "'%s' is not the short name of a receiver of the call, nor of one class alone: write the whole name of a class%s",
		    text, classes.n ? "; receivers are:" : "");
	list_classes(p, classes, (struct str){ 0 }, why);
	return false;
}
