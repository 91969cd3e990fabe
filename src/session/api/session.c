/* SPDX-License-Identifier: Apache-2.0 */
/* The public library: sherd.h over session.h. */
#include "sherd/sherd.h"

#include <stdlib.h>
#include <string.h>

#include "session/analysis.h"

#ifndef SHERD_VERSION
#define SHERD_VERSION "unknown"
#endif

struct sherd_session {
	struct inquiry inquiry;
	struct session s;
	bool ok;
	struct arena text;                /* what was returned */
	VEC(const char *) method_names;   /* by method; NULL: not asked yet */
	VEC(const char *) class_names;    /* by class */
};

struct sherd_callgraph {
	sherd_session *session;
	struct callgraph *g;
};

_Static_assert(sizeof(method_id) == sizeof(sherd_method), "target sets are handed out as they are");
_Static_assert(sizeof(class_id) == sizeof(sherd_class), "receiver sets are, too");

const char *sherd_version(void)
{
	return SHERD_VERSION;
}

sherd_session *sherd_open(const struct sherd_options *opt)
{
	sherd_session *s = mem_zalloc(sizeof(*s));
	struct session_opt so = { opt->class_path, opt->jdk, !opt->no_cache, opt->jobs, false };

	arena_init(&s->text);
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
	arena_release(&s->text);
	vec_release(&s->method_names);
	vec_release(&s->class_names);
	free(s);
}

static const char *keep(sherd_session *s, struct strbuf *b)
{
	const char *copy = arena_copy(&s->text, b->s ? b->s : "", b->len + 1);

	strbuf_release(b);
	return copy;
}

const char *sherd_diagnostic(sherd_session *s, size_t k)
{
	struct strbuf b = { 0 };

	if (k >= s->inquiry.diag.entries.len)
		return NULL;
	diag_render(&s->inquiry.diag.entries.data[k], &b);
	return keep(s, &b);
}

const char *sherd_algorithm(size_t k)
{
	struct algorithm a;

	return k <= UINT32_MAX && algorithm_get((uint32_t)k, &a) ? a.name : NULL;
}

const char *sherd_algorithm_help(const char *name)
{
	struct algorithm a;

	return algorithm_find(name, &a) ? a.help : NULL;
}

sherd_callgraph *sherd_callgraph_compute(sherd_session *s, const char *entry, const char *algorithm)
{
	struct cg_entries entries = { 0 };
	struct analysis x = { .heap = pta_default_heap };
	sherd_callgraph *g = NULL;

	if (!algorithm_find(algorithm, &x.algorithm)) {
		diag_add(&s->inquiry.diag, DIAG_E041, NULL, str_of(algorithm), DIAG_NO_OFFSET,
			 "no such algorithm; see sherd_algorithm()");
		return NULL;
	}
	if (entries_of(&s->s, entry, &entries)) {
		analysis_start(&x, &s->s, &entries);
		analysis_need(&x, JAVA_GRAPH);
		analysis_forget_facts(&x);
		g = mem_zalloc(sizeof(*g));
		g->session = s;
		g->g = x.graph;
	}
	entries_release(&entries);
	return g;
}

void sherd_callgraph_free(sherd_callgraph *g)
{
	if (g)
		callgraph_free(g->g);
	free(g);
}

size_t sherd_callgraph_count(const sherd_callgraph *g)
{
	return callgraph_nmethods(g->g);
}

sherd_method sherd_callgraph_method(const sherd_callgraph *g, size_t k)
{
	return callgraph_method(g->g, (uint32_t)k).i;
}

bool sherd_callgraph_is_entry(const sherd_callgraph *g, sherd_method m)
{
	return callgraph_is_entry(g->g, (method_id){ m });
}

const char *sherd_method_name(sherd_session *s, sherd_method m)
{
	struct strbuf b = { 0 };

	while (s->method_names.len <= m)
		vec_push(&s->method_names, NULL);
	if (!s->method_names.data[m]) {
		print_method(&s->s.program, (method_id){ m }, &b);
		s->method_names.data[m] = keep(s, &b);
	}
	return s->method_names.data[m];
}

const char *sherd_class_name(sherd_session *s, sherd_class c)
{
	struct strbuf b = { 0 };

	while (s->class_names.len <= c)
		vec_push(&s->class_names, NULL);
	if (!s->class_names.data[c]) {
		print_class(&s->s.program, (class_id){ c }, &b);
		s->class_names.data[c] = keep(s, &b);
	}
	return s->class_names.data[c];
}

const char *sherd_method_class(sherd_session *s, sherd_method m)
{
	return sherd_class_name(s, method_row(&s->s.program, (method_id){ m })->owner.i);
}

bool sherd_method_in_jdk(const sherd_session *s, sherd_method m)
{
	return !session_is_application(&s->s, method_row(&s->s.program, (method_id){ m })->owner);
}

size_t sherd_callgraph_sites(const sherd_callgraph *g, sherd_method m)
{
	uint32_t n;

	callgraph_sites(g->g, (method_id){ m }, &n);
	return n;
}

struct sherd_site sherd_callgraph_site(const sherd_callgraph *g, sherd_method m, size_t k)
{
	struct program *p = &g->session->s.program;
	struct strbuf b = { 0 };
	uint32_t n;
	const struct cg_site *s = callgraph_sites(g->g, (method_id){ m }, &n) + k;
	struct cg_targets t = callgraph_targets(g->g, s);
	struct cg_classes c = callgraph_receivers(g->g, s);

	if (s->mref.i)
		print_mref(p, s->mref, &b);
	return (struct sherd_site){
		.pc = s->pc,
		.line = p->source.line(p->source.ctx, p, (method_id){ m }, s->pc),
		.declared = s->mref.i ? keep(g->session, &b) : NULL,
		.unresolved = s->cause == CG_RESOLVED ? NULL : cg_cause_name(s->cause),
		.targets = (const sherd_method *)t.methods,
		.ntargets = t.n,
		.receivers = (const sherd_class *)c.classes,
		.nreceivers = c.n,
		.open = s->open,
	};
}
