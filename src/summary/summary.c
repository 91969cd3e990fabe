/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c - summaries as a whole: what they are digests of, and reading them back. */
#include "summary/summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/reader.h"
#include "summary/form_p.h"

void summary_init(struct summary *s)
{
	*s = (struct summary){ 0 };
	cprogram_init(&s->program);
}

void summary_release(struct summary *s)
{
	cprogram_release(&s->program);
	vec_release(&s->modules);
	vec_release(&s->uses);
	vec_release(&s->inner);
	*s = (struct summary){ 0 };
}

static uint32_t count_defined(const struct cprogram *p)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->fns.len; i++)
		n += (p->fns.data[i].flags & CFN_DEFINED) != 0;
	return n;
}

struct summary_stats summary_stats(const struct summary *s)
{
	const struct cprogram *p = &s->program;

	return (struct summary_stats){ .functions = count_defined(p), .objects = p->objs.len - 1, .variables = p->vars.len - 1,
				       .statements = p->stmts.len, .calls = p->calls.len - 1, .layouts = p->layouts.len - 1 };
}

/* What clients may name */

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

uint64_t summary_exports_digest(const struct cprogram *p)
{
	VEC(struct str) names = { 0 };
	uint64_t digest = DIGEST_START;

	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].flags & COBJ_EXPORTED)
			vec_push(&names, interned(&p->names, p->objs.data[i].name));
	for (uint32_t i = 0; i < p->aliases.len; i++)
		vec_push(&names, interned(&p->names, p->aliases.data[i].name));
	if (names.len)
		qsort(names.data, names.len, sizeof(*names.data), by_text);
	for (uint32_t i = 0; i < names.len; i++) {
		if (i && str_eq(names.data[i], names.data[i - 1]))
			continue;
		digest = digest_add(digest, names.data[i].p, names.data[i].len);
		digest = digest_add(digest, "\n", 1);
	}
	vec_release(&names);
	return digest;
}

uint64_t summary_build(const struct summary *s)
{
	uint64_t digest = digest_u32(DIGEST_START, s->modules.len);

	for (uint32_t i = 0; i < s->modules.len; i++) {
		const struct summary_module *m = &s->modules.data[i];
		digest = digest_str(digest, interned(&s->program.names, m->name));
		digest = digest_u32(digest_u32(digest, (uint32_t)m->digest), (uint32_t)(m->digest >> 32));
	}
	return digest_u32(digest_u32(digest, (uint32_t)s->exports), (uint32_t)(s->exports >> 32));
}

/* Reading */

static bool begins(struct span bytes, const char *with)
{
	size_t n = strlen(with);

	return bytes.len >= n && memcmp(bytes.p, with, n) == 0;
}

bool summary_is(struct span bytes)
{
	return begins(bytes, SUMMARY_TEXT) || begins(bytes, SUMMARY_BINARY);
}

struct span summary_first(struct span bytes)
{
	struct reader r = reader_of(bytes);

	if (!begins(bytes, SUMMARY_BINARY))
		return bytes;
	reader_take(&r, strlen(SUMMARY_BINARY) + 4);
	uint64_t length = reader_le8(&r);
	reader_le8(&r);
	return r.failed || length > reader_left(&r) ? bytes : (struct span){ bytes.p, reader_offset(&r) + (size_t)length };
}

/* 0: there is none. */
static uint32_t version_of(struct span bytes, bool is_text)
{
	struct reader r = reader_of(bytes);
	uint32_t version = 0;

	reader_take(&r, strlen(is_text ? SUMMARY_TEXT : SUMMARY_BINARY));
	if (!is_text)
		return reader_le4(&r);
	for (uint8_t c = reader_u1(&r); c >= '0' && c <= '9' && version < 100000; c = reader_u1(&r))
		version = version * 10 + (uint32_t)(c - '0');
	return version;
}

/* Text is written again: only one stands for a summary. Bytes have a digest, which was looked at; to code them again takes as long as to
 * read them. */

static void say_line(struct span read, struct str again, struct strbuf *why)
{
	uint32_t line = 1, start = 0;
	size_t i = 0;

	for (; i < read.len && i < again.len && read.p[i] == (uint8_t)again.p[i]; i++) {
		line += read.p[i] == '\n';
		start = read.p[i] == '\n' ? (uint32_t)i + 1 : start;
	}
	bool is_end = again.len > start + 4 && memcmp(again.p + start, "end ", 4) == 0;
	strbuf_addf(why, "line %u: %s", (unsigned)line,
		    is_end ? "the digest does not fit the lines before: something was changed" : "not as a summary is written, or out of order");
}

static bool is_as_written(const struct summary *s, struct span text, struct strbuf *why)
{
	struct strbuf again = { 0 };

	summary_write_text(s, &again);
	bool ok = again.len == text.len && memcmp(again.s, text.p, text.len) == 0;
	if (!ok)
		say_line(text, strbuf_str(&again), why);
	strbuf_release(&again);
	return ok;
}

static bool has_its_exports(const struct summary *s, struct strbuf *why)
{
	uint64_t digest = summary_exports_digest(&s->program);

	if (digest == s->exports)
		return true;
	strbuf_addf(why, "it says that clients may use other names than it exports: their digest is %016" PRIx64 ", not %016" PRIx64,
		    digest, s->exports);
	return false;
}

/* Nothing is there that is not named: no count is believed that is not seen. */

static void name_var(uint8_t *named, cvar_id v)
{
	named[v.i] = 1;
}

static void name_call(const struct cprogram *p, const struct ccall *c, uint8_t *named)
{
	name_var(named, c->pointer);
	name_var(named, c->result);
	for (uint32_t i = 0; i < c->nargs; i++)
		name_var(named, p->args.data[c->args + i]);
}

static void name_vars(const struct cprogram *p, uint8_t *named)
{
	for (uint32_t i = 0; i < p->stmts.len; i++) {
		const struct cstmt *s = &p->stmts.data[i];
		if (s->op == C_CALL)
			name_call(p, &p->calls.data[s->dst], named);
		else if (s->op != C_PUT)
			named[s->dst] = 1;
		if (s->op != C_CALL && s->op != C_ADDR && s->op != C_GET)
			named[s->src] = 1;
	}
	for (uint32_t i = 1; i < p->fns.len; i++) {
		const struct cfn *f = &p->fns.data[i];
		memset(named + f->params, 1, f->nparams);
		name_var(named, f->result);
		name_var(named, f->other);
	}
}

static bool names_its_variables(const struct cprogram *p, struct strbuf *why)
{
	uint8_t *named = mem_zalloc(p->vars.len);
	uint32_t i = 1;

	name_vars(p, named);
	while (i < p->vars.len && named[i])
		i++;
	bool ok = i == p->vars.len;
	if (!ok)
		strbuf_addf(why, "it has a variable that nothing names: number %u", (unsigned)i);
	free(named);
	return ok;
}

/* The order of cir_compact, as far as names say; two of one name are told apart by more. */

static int compare_names(const struct cprogram *p, str_id a, str_id b)
{
	return str_cmp(interned(&p->names, a), interned(&p->names, b));
}

static const char *unordered_lists(const struct summary *s)
{
	for (uint32_t i = 1; i < s->modules.len; i++)
		if (compare_names(&s->program, s->modules.data[i - 1].name, s->modules.data[i].name) > 0)
			return "modules";
	for (uint32_t i = 1; i < s->uses.len; i++)
		if (compare_names(&s->program, s->uses.data[i - 1].name, s->uses.data[i].name) > 0)
			return "other libraries";
	for (uint32_t i = 1; i < s->inner.len; i++)
		if (compare_names(&s->program, s->inner.data[i - 1], s->inner.data[i]) >= 0)
			return "inner symbols";
	for (uint32_t i = 1; i < s->program.aliases.len; i++)
		if (compare_names(&s->program, s->program.aliases.data[i - 1].name, s->program.aliases.data[i].name) > 0)
			return "aliases";
	return NULL;
}

static const char *unordered_rows(const struct cprogram *p)
{
	for (uint32_t i = 2; i < p->fns.len; i++)
		if (compare_names(p, p->fns.data[i - 1].name, p->fns.data[i].name) > 0)
			return "functions";
	for (uint32_t i = 2; i < p->objs.len; i++) {
		const struct cobj *o = &p->objs.data[i];
		if (o->fn.i)
			break;
		if (o->kind < o[-1].kind || (o->kind == o[-1].kind && compare_names(p, o[-1].name, o->name) > 0))
			return "objects";
	}
	return NULL;
}

static bool has_its_order(const struct summary *s, struct strbuf *why)
{
	const char *what = unordered_lists(s);

	what = what ? what : unordered_rows(&s->program);
	if (what)
		strbuf_addf(why, "its %s are out of order", what);
	return !what;
}

static bool read_rows(struct summary *s, struct span bytes, struct strbuf *why)
{
	bool is_text = begins(bytes, SUMMARY_TEXT);
	uint32_t version = version_of(bytes, is_text);
	const char *reason;

	if (version == 0) {
		strbuf_adds(why, is_text ? "line 1: a version expected" : "byte 8: it was cut off");
		return false;
	}
	if (version != SUMMARY_VERSION) {
		strbuf_addf(why, "made by another version of sherd (%u; this one reads %d)", (unsigned)version, SUMMARY_VERSION);
		return false;
	}
	if (is_text ? !summary_parse(s, (struct str){ (const char *)bytes.p, (uint32_t)bytes.len }, why) : !summary_decode(s, bytes, why))
		return false;
	if (!cir_check(&s->program, &reason)) {
		strbuf_addf(why, "it contradicts itself: %s", reason);
		return false;
	}
	return names_its_variables(&s->program, why) && has_its_order(s, why) && has_its_exports(s, why) &&
	       (!is_text || is_as_written(s, bytes, why));
}

bool summary_read(struct summary *s, struct span bytes, const char *artifact, struct diag *d)
{
	struct strbuf why = { 0 };
	bool ok = false;

	if (!summary_is(bytes))
		diag_add(d, DIAG_E081, artifact, STR(""), DIAG_NO_OFFSET, "not a summary: name a file that sherd summarize made");
	else if (bytes.len >= UINT32_MAX)
		diag_add(d, DIAG_E081, artifact, STR(""), DIAG_NO_OFFSET, "larger than a summary can be");
	else if (!(ok = read_rows(s, bytes, &why)))
		diag_add(d, DIAG_E081, artifact, STR(""), DIAG_NO_OFFSET, "%s: make it anew with sherd summarize", why.s);
	strbuf_release(&why);
	return ok;
}
