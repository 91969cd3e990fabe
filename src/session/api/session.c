/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: a Java program, and the names in it. */
#include "session/api/api_p.h"

#include <stdlib.h>

#ifndef SHERD_VERSION
#define SHERD_VERSION "unknown"
#endif

const char *sherd_version(void)
{
	return SHERD_VERSION;
}

sherd_session *sherd_open(const struct sherd_options *opt)
{
	sherd_session *s = mem_zalloc(sizeof(*s));
	struct session_opt so = { .use_cache = true };

	if (opt)
		so = (struct session_opt){ .class_path = opt->class_path, .jdk = opt->jdk, .use_cache = !opt->no_cache, .jobs = opt->jobs };
	inquiry_init(&s->inquiry, PHASES_JAVA);
	s->ok = session_open(&s->s, &s->inquiry, &so);
	return s;
}

bool sherd_ok(const sherd_session *s)
{
	return s->ok;
}

void sherd_close(sherd_session *s)
{
	if (!s)
		return;
	session_close(&s->s);
	inquiry_release(&s->inquiry);
	api_texts_release(&s->diagnostics);
	api_texts_release(&s->methods);
	api_texts_release(&s->classes);
	api_texts_release(&s->fields);
	api_texts_release(&s->mrefs);
	free(s);
}

const char *sherd_diagnostic(sherd_session *s, size_t k)
{
	return api_diagnostic(&s->inquiry.diag, &s->diagnostics, k);
}

/* Algorithms */

const char *sherd_algorithm(size_t k)
{
	struct algorithm a;

	return k <= UINT32_MAX && algorithm_get((uint32_t)k, &a) ? a.name : NULL;
}

const char *sherd_algorithm_help(const char *name)
{
	struct algorithm a;

	return name && algorithm_find(name, &a) ? a.help : NULL;
}

bool sherd_algorithm_follows_objects(const char *name)
{
	struct algorithm a;

	return name && algorithm_find(name, &a) && algorithm_follows_objects(&a);
}

/* Levels of assumptions */

const char *sherd_level(size_t k)
{
	return k < DYNAMIC_LEVELS ? dynamic_level_name((enum dynamic_level)k) : NULL;
}

const char *sherd_level_help(const char *name)
{
	enum dynamic_level level;

	return name && dynamic_level_find(name, &level) ? dynamic_level_help(level) : NULL;
}

bool sherd_assume(sherd_session *s, const char *level)
{
	bool ok = level && dynamic_level_find(level, &s->level);

	if (!ok)
		api_refuse(&s->inquiry.diag, level, "no such level of assumptions; see sherd_level()");
	return ok;
}

bool api_choose(sherd_session *s, const char *algorithm, struct analysis *out)
{
	*out = (struct analysis){ .heap = pta_default_heap, .level = s->level };
	if (!s->ok) {
		api_refuse(&s->inquiry.diag, NULL, "the program could not be opened: nothing can be computed from it");
		return false;
	}
	if (algorithm && algorithm_find(algorithm, &out->algorithm))
		return true;
	api_refuse(&s->inquiry.diag, algorithm, "no such algorithm; see sherd_algorithm()");
	return false;
}

/* Names */

const char *sherd_method_name(sherd_session *s, sherd_method m)
{
	struct strbuf b = { 0 };

	if (m == 0 || m >= s->s.program.methods.len)
		return NULL;
	const char **at = api_text_at(&s->methods, m);
	if (!*at) {
		print_method(&s->s.program, (method_id){ m }, &b);
		*at = api_keep(&s->methods.mem, &b);
	}
	return *at;
}

const char *sherd_class_name(sherd_session *s, sherd_class c)
{
	struct strbuf b = { 0 };

	if (c == 0 || c >= s->s.program.classes.len)
		return NULL;
	const char **at = api_text_at(&s->classes, c);
	if (!*at) {
		print_class(&s->s.program, (class_id){ c }, &b);
		*at = api_keep(&s->classes.mem, &b);
	}
	return *at;
}

const char *sherd_field_name(sherd_session *s, sherd_field f)
{
	const struct program *p = &s->s.program;
	struct strbuf b = { 0 };

	if (f == 0 || f >= p->fields.len)
		return NULL;
	const char **at = api_text_at(&s->fields, f);
	if (!*at) {
		print_class(p, field_row(p, (field_id){ f })->owner, &b);
		strbuf_addch(&b, '.');
		strbuf_addstr(&b, sel_name(p, field_row(p, (field_id){ f })->sel));
		*at = api_keep(&s->fields.mem, &b);
	}
	return *at;
}

const char *api_mref_name(sherd_session *s, mref_id m)
{
	struct strbuf b = { 0 };

	if (m.i == 0)
		return NULL;
	const char **at = api_text_at(&s->mrefs, m.i);
	if (!*at) {
		print_mref(&s->s.program, m, &b);
		*at = api_keep(&s->mrefs.mem, &b);
	}
	return *at;
}

const char *sherd_method_class(sherd_session *s, sherd_method m)
{
	if (m == 0 || m >= s->s.program.methods.len)
		return NULL;
	return sherd_class_name(s, method_row(&s->s.program, (method_id){ m })->owner.i);
}

bool sherd_method_in_jdk(const sherd_session *s, sherd_method m)
{
	if (m == 0 || m >= s->s.program.methods.len)
		return false;
	return !session_is_application(&s->s, method_row(&s->s.program, (method_id){ m })->owner);
}

uint32_t api_line(const sherd_session *s, method_id m, uint32_t pc)
{
	const struct program *p = &s->s.program;

	return p->source.line(p->source.ctx, (struct program *)(uintptr_t)p, m, pc);
}
