/* SPDX-License-Identifier: Apache-2.0 */
/* Where a program starts: main, everything public of a library, or a list. */
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/component/suggest.h"
#include "session/lookup/lines.h"
#include "session/session_p.h"

#define MAX_WALK 10000      /* supertypes looked at for inherited methods: diamonds are seen more than once */

void entries_release(struct cg_entries *e)
{
	vec_release(&e->methods);
	vec_release(&e->calls);
	vec_release(&e->receivers);
	vec_release(&e->initialised);
}

static bool is_instantiable(const struct ir_class *row)
{
	return !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

/* main */

static method_id find_main(struct session *s, class_id c, const char *desc, bool is_static)
{
	struct program *p = &s->program;
	sel_id sel = program_sel(p, STR("main"), str_of(desc));

	for (; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, sel);
		uint16_t flags = m.i ? method_row(p, m)->flags : 0;
		if (m.i && ((flags & ACCESS_STATIC) != 0) == is_static && !(flags & (ACCESS_PRIVATE | ACCESS_ABSTRACT)))
			return m;
	}
	return (method_id){ 0 };
}

static void add_instance_main(struct session *s, class_id c, struct cg_entries *out)
{
	struct program *p = &s->program;
	method_id init = program_declared(p, c, program_sel(p, STR("<init>"), STR("()V")));

	vec_push(&out->receivers, c);
	if (init.i)
		vec_push(&out->methods, init);
}

static void complain_of_class(struct session *s, const char *class_name)
{
	struct strbuf hint = { 0 };

	suggest_names(s, str_of(class_name), false, NULL, &hint);
	diag_add(&s->inquiry->diag, DIAG_E041, NULL, str_of(class_name), DIAG_NO_OFFSET, "no such class on the class path%s",
		 hint.len ? hint.s : "; is the -cp right, and the name complete with its package?");
	strbuf_release(&hint);
}

bool entries_main(struct session *s, const char *class_name, struct cg_entries *out)
{
	static const char *const descs[] = { "([Ljava/lang/String;)V", "()V" };
	class_id c = session_class(s, str_of(class_name));

	if (!c.i) {
		complain_of_class(s, class_name);
		return false;
	}
	for (int k = 0; k < 4; k++) {      /* the launcher's order; instance main methods since Java 25, in preview since 21 */
		bool is_static = k % 2 == 0;
		method_id m = find_main(s, c, descs[k / 2], is_static);
		if (!m.i || (k > 0 && s->program.release < 21))
			continue;
		vec_push(&out->methods, m);
		vec_push(&out->initialised, c);      /* main may be inherited */
		if (!is_static)
			add_instance_main(s, c, out);
		return true;
	}
	diag_add(&s->inquiry->diag, DIAG_E041, NULL, str_of(class_name), DIAG_NO_OFFSET,
		 "the class has no method `public static void main(String[])`; name another with --main, or use --entry public");
	return false;
}

/* Spring Boot's jars name the program that their launcher starts. */
static const char *const main_keys[] = { "Start-Class", "Main-Class" };

bool session_main_class(struct session *s, struct strbuf *name, struct main_source *from)
{
	uint32_t jar = loader_first_jar(s->loader);
	struct arena mem;
	struct str value = { 0 };
	bool found = false;

	*from = (struct main_source){ .jar = jar ? s->program.artifacts.data[jar] : NULL };
	arena_init(&mem);
	for (size_t i = 0; i < ARRAY_LEN(main_keys) && jar && !found; i++) {
		found = loader_manifest(s->loader, jar, main_keys[i], &mem, &value) && str_trim(value).len;
		from->key = main_keys[i];
	}
	if (found)
		strbuf_addstr(name, str_trim(value));
	arena_release(&mem);
	return found;
}

/* public */

/* A public method that public class `c` declares, or inherits from a class that a client cannot name: its own code, and
 * whatever classes below override it with, since objects of them may come out of the library. */
static void add_public_method(struct session *s, class_id c, method_id m, struct cg_entries *out)
{
	struct program *p = &s->program;
	struct ir_method row = *method_row(p, m);
	bool is_interface = class_row(p, c)->flags & ACCESS_INTERFACE;

	if (!(row.flags & ACCESS_PUBLIC))
		return;
	if (!(row.flags & ACCESS_ABSTRACT))
		vec_push(&out->methods, m);
	if (!(row.flags & ACCESS_STATIC) && sel_name(p, row.sel).p[0] != '<')
		vec_push(&out->calls, program_mref(p, c, row.sel, is_interface));
}

/* The public methods of `c` and of its supertypes that clients cannot name: they are inherited, and javac makes no
 * bridge for final, static and default ones. */
static void add_methods(struct session *s, class_id c, struct cg_entries *out)
{
	struct program *p = &s->program;
	VEC(class_id) todo = { 0 };

	vec_push(&todo, c);
	for (uint32_t k = 0; k < todo.len; k++) {
		struct ir_class row = *class_row(p, todo.data[k]);
		if (k > 0 && ((row.flags & ACCESS_PUBLIC) || row.kind != CLASS_FILE))
			continue;
		for (uint32_t i = 0; i < row.nmethods; i++) {
			method_id m = { row.first_method + i };
			if (k == 0 || sel_name(p, method_row(p, m)->sel).p[0] != '<')
				add_public_method(s, c, m, out);
		}
		if (row.super.i)
			vec_push(&todo, row.super);
		for (uint32_t i = 0; i < row.ninterfaces && todo.len < MAX_WALK; i++)
			vec_push(&todo, row.interfaces[i]);
	}
	vec_release(&todo);
}

static void add_class(struct session *s, class_id c, struct cg_entries *out)
{
	if (is_instantiable(class_row(&s->program, c)))
		vec_push(&out->receivers, c);
	add_methods(s, c, out);
}

static void add_public_class(struct session *s, class_id c, struct cg_entries *out)
{
	program_load(&s->program, c);
	const struct ir_class *row = class_row(&s->program, c);
	if ((row->flags & ACCESS_PUBLIC) && row->kind == CLASS_FILE)
		add_class(s, c, out);
}

struct collect {
	struct session *s;
	VEC(class_id) classes;
};

static void collect_class(void *ctx, class_id c)
{
	struct collect *k = ctx;

	vec_push(&k->classes, c);
}

bool entries_public(struct session *s, struct cg_entries *out)
{
	struct collect k = { .s = s };

	for (uint32_t a = 1; a < s->program.artifacts.len; a++)
		if (!loader_is_jdk(s->loader, a))
			loader_name_artifact(s->loader, a, collect_class, &k);
	for (uint32_t i = 0; i < k.classes.len; i++)
		add_public_class(s, k.classes.data[i], out);
	vec_release(&k.classes);
	if (out->methods.len)
		return true;
	diag_add(&s->inquiry->diag, DIAG_E041, NULL, STR(""), DIAG_NO_OFFSET,
		 "no public method on the class path; name the library with -cp");
	return false;
}

/* A list: a method with its descriptor, a method (all overloads), or a class (its public methods). */

/* The methods of this name that `c` declares, or else the nearest superclass that declares any. */
static bool add_named(struct session *s, class_id c, struct str name, struct str desc, struct cg_entries *out)
{
	struct program *p = &s->program;
	bool is_receiver = is_instantiable(class_row(p, c)), found = false;

	for (class_id k = c; k.i && !found; k = class_row(p, k)->super) {
		struct ir_class row = *class_row(p, k);
		for (uint32_t i = 0; i < row.nmethods; i++) {
			method_id m = { row.first_method + i };
			struct ir_method mr = *method_row(p, m);
			if (!str_eq(sel_name(p, mr.sel), name) || (desc.len && !str_eq(sel_desc(p, mr.sel), desc)) ||
			    (mr.flags & ACCESS_ABSTRACT))
				continue;
			found = true;
			vec_push(&out->methods, m);
			if (!(mr.flags & ACCESS_STATIC) && is_receiver)
				vec_push(&out->receivers, c);
		}
	}
	vec_push(&out->initialised, c);
	return found;
}

static bool add_line(struct session *s, struct str line, struct cg_entries *out)
{
	class_id c = session_class(s, line);
	struct method_name n;

	if (c.i) {
		uint32_t before = out->methods.len;
		add_class(s, c, out);
		return out->methods.len > before;
	}
	if (!split_method_name(line, &n))
		return false;
	c = session_class(s, n.cls);
	return c.i && add_named(s, c, n.name, n.desc, out);
}

static struct str trim(char *line)
{
	struct str t = str_of(line);

	while (t.len && strchr(" \t\r\n", t.p[t.len - 1]))
		t.len--;
	while (t.len && strchr(" \t", t.p[0]))
		t = str_sub(t, 1, t.len);
	return t;
}

bool entries_file(struct session *s, const char *path, struct cg_entries *out)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	bool ok = true;

	if (!f) {
		diag_add(&s->inquiry->diag, DIAG_E001, path, STR(""), DIAG_NO_OFFSET, "the list of entries cannot be read: %s",
			 strerror(errno));
		return false;
	}
	for (uint64_t n = 1; getline(&line, &size, f) >= 0; n++) {
		struct str t = trim(line);
		if (t.len == 0 || t.p[0] == '#' || add_line(s, t, out))
			continue;
		diag_add(&s->inquiry->diag, DIAG_E041, path, (struct str){ 0 }, n,
			 "no such entry: %.*s; write pkg.Cls, pkg.Cls.method or pkg.Cls.method(desc)ret", (int)t.len, t.p);
		ok = false;
	}
	fclose(f);
	free(line);
	if (ok && !out->methods.len) {
		diag_add(&s->inquiry->diag, DIAG_E041, path, STR(""), DIAG_NO_OFFSET, "the list names no method");
		ok = false;
	}
	return ok;
}

bool entries_of(struct session *s, const char *entry, struct cg_entries *out)
{
	if (strncmp(entry, "main ", 5) == 0)
		return entries_main(s, entry + 5, out);
	if (strncmp(entry, "file ", 5) == 0)
		return entries_file(s, entry + 5, out);
	if (strcmp(entry, "public") == 0)
		return entries_public(s, out);
	diag_add(&s->inquiry->diag, DIAG_E041, NULL, str_of(entry), DIAG_NO_OFFSET, "an entry is `main CLASS`, `public` or `file PATH`");
	return false;
}
