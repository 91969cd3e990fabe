// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load
/* lowerall [-j JDK] [-s N] [-t] [CLASSPATH] - lowers every method of the JDK and of the class path; checks each
 * body; compares its calls with those of the outline at the instructions that are reachable; and sends every
 * N-th body (1 in 16 if not given; 0: none) through its text form and back. Prints the failures and
 * `C classes, M methods, F failures`; exit status 1 when there are any. -t: only lowers and outlines, and
 * prints the CPU time of both. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "formats/classfile/bytecode.h"
#include "load/loader.h"
#include "load/lower/lower.h"

struct call {
	uint32_t pc, op, ref, ref2;
};
typedef VEC(struct call) calls;

struct run {
	struct program p;
	struct loader *l;
	struct arena mem, scratch;
	uint32_t classes, methods, failures, sample;
	uint64_t stmts;
	bool timing;
	double lower_time, outline_time;
	VEC(uint8_t) reached;
	VEC(uint32_t) work;
	calls in_body, in_outline;
	struct strbuf first, second;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void failure(struct run *r, const struct unit *u, const struct cf_member *m, const char *what)
{
	struct str c = class_name(&r->p, u->self), n = cf_utf8(&u->cf, m->name), d = cf_utf8(&u->cf, m->desc);

	printf("%.*s.%.*s:%.*s: %s\n", (int)c.len, c.p, (int)n.len, n.p, (int)d.len, d.p, what);
	r->failures++;
}

/* Which instructions can be reached, found without the lowering's blocks and contexts. */

static void reach(struct run *r, uint32_t pc)
{
	if (r->reached.data[pc])
		return;
	r->reached.data[pc] = 1;
	vec_push(&r->work, pc);
}

static bool may_throw(const struct unit *u, const struct insn *in)
{
	if (in->op >= BC_ldc && in->op <= BC_ldc2_w) {
		unsigned tag = cf_tag(&u->cf, (uint16_t)in->a);

		return tag >= CP_CLASS && tag != CP_STRING;
	}
	return (in->op >= BC_iaload && in->op <= BC_saload) || (in->op >= BC_iastore && in->op <= BC_sastore) ||
	       in->op == BC_idiv || in->op == BC_ldiv || in->op == BC_irem || in->op == BC_lrem ||
	       (in->op >= BC_getstatic && in->op <= BC_monitorexit) || in->op == BC_multianewarray;
}

static void reach_handlers(struct run *r, const struct unit *u, const struct cf_code *c, uint32_t pc)
{
	for (uint16_t k = 0; k < c->nhandlers; k++) {
		struct cf_handler h = cf_handler_at(&u->cf, c, k);

		if (pc < h.start || pc >= h.end)
			continue;
		reach(r, h.target);
		if (h.type == 0 || str_is(cf_name(&u->cf, h.type), "java/lang/Throwable"))
			return;
	}
}

static void reach_next(struct run *r, const struct cf_code *c, const struct insn *in)
{
	bool ends = in->op == BC_goto || in->op == BC_goto_w || (in->op >= BC_ret && in->op <= BC_return) ||
		    in->op == BC_athrow;

	if (in->format == BCF_BRANCH)
		reach(r, (uint32_t)in->a);
	if (in->format == BCF_TABLE || in->format == BCF_LOOKUP)
		for (int64_t k = -1; k < (int64_t)bytecode_switch_count(c->code, in); k++)
			reach(r, bytecode_switch_target(c->code, in, k));
	if (!ends && in->pc + in->len < c->code.len)
		reach(r, in->pc + in->len);
}

static void find_reached(struct run *r, const struct unit *u, const struct cf_code *c)
{
	vec_reserve(&r->reached, c->code.len);
	memset(r->reached.data, 0, c->code.len);
	reach(r, 0);
	while (r->work.len > 0) {
		struct insn in;

		if (!bytecode_decode(c->code, vec_pop(&r->work), &in))
			continue;
		reach_next(r, c, &in);
		if (may_throw(u, &in))
			reach_handlers(r, u, c, in.pc);
	}
}

/* Calls */

static int compare_calls(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct call));
}

static void list_calls(struct run *r, const struct ir_body *b, bool reached_only, calls *out)
{
	vec_clear(out);
	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		struct call c = { s->pc, (uint32_t)s->op << 16 | s->sub, s->ref, 0 };

		if (!ir_is_call(s->op) || (reached_only && !r->reached.data[s->pc]))
			continue;
		if (s->op == IR_CALL_DYNAMIC) {
			c.ref = b->dynamics[s->ref].bootstrap.i;
			c.ref2 = b->dynamics[s->ref].sel.i;
		}
		vec_push(out, c);
	}
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), compare_calls);
	uint32_t n = 0;

	for (uint32_t i = 0; i < out->len; i++)        /* subroutines are cloned: keep one of each */
		if (i == 0 || compare_calls(&out->data[i], &out->data[n - 1]) != 0)
			out->data[n++] = out->data[i];
	out->len = n;
}

static bool same_calls(struct run *r, const struct ir_body *body, const struct ir_body *outline)
{
	list_calls(r, body, false, &r->in_body);
	list_calls(r, outline, true, &r->in_outline);
	return r->in_body.len == r->in_outline.len &&
	       (r->in_body.len == 0 ||
		memcmp(r->in_body.data, r->in_outline.data, r->in_body.len * sizeof(struct call)) == 0);
}

static const char *round_trip(struct run *r, const struct ir_body *b)
{
	struct ir_body again;

	strbuf_clear(&r->first);
	strbuf_clear(&r->second);
	body_print(&r->p, b, &r->first);
	if (!body_parse(&r->p, strbuf_str(&r->first), &again, &r->scratch, r->p.diag))
		return "its text form is not accepted";
	body_print(&r->p, &again, &r->second);
	return str_eq(strbuf_str(&r->first), strbuf_str(&r->second)) ? NULL : "its text form changes when read back";
}

static void check_method(struct run *r, struct unit *u, const struct cf_member *m, const struct ir_body *body,
			 const struct ir_body *outline)
{
	struct cf_code code = cf_code(&u->cf, m);
	const char *reason = NULL;

	if (!body || !outline) {
		failure(r, u, m, body ? "no outline" : "not lowered");
		return;
	}
	if (!body_check(body, &r->scratch, &reason)) {
		failure(r, u, m, reason);
		return;
	}
	find_reached(r, u, &code);
	if (!same_calls(r, body, outline))
		failure(r, u, m, "body and outline differ in their calls");
	if (r->sample && r->methods % r->sample == 0 && (reason = round_trip(r, body)) != NULL)
		failure(r, u, m, reason);
}

static void visit_method(struct run *r, struct unit *u, uint16_t index)
{
	const struct cf_member *m = &u->cf.methods[index];
	double t0 = now();
	const struct ir_body *body = lower_method(&r->p, u, index, &r->mem, &r->scratch);
	double t1 = now();
	const struct ir_body *outline = outline_method(&r->p, u, index, &r->mem);

	r->lower_time += t1 - t0;
	r->outline_time += now() - t1;
	r->methods++;
	r->stmts += body ? body->nstmts : 0;
	if (!r->timing)
		check_method(r, u, m, body, outline);
	arena_clear(&r->mem);
	arena_clear(&r->scratch);
}

static void visit_unit(struct run *r, struct unit *u)
{
	r->classes++;
	for (uint16_t i = 0; i < u->cf.nmethods; i++)
		if (u->cf.methods[i].code)
			visit_method(r, u, i);
}

/* Lowering names more classes, but those of the class path and JDK are named at the start. */
static void visit_all(struct run *r)
{
	r->p.source.name_all(r->p.source.ctx, &r->p);
	for (uint32_t i = 1, n = r->p.classes.len; i < n; i++) {
		program_load(&r->p, (class_id){ i });
		struct unit *u = loader_unit(r->l, (class_id){ i });

		if (u)
			visit_unit(r, u);
	}
}

static void report(struct run *r, const struct diag *d)
{
	struct strbuf line = { 0 };

	for (uint32_t i = 0; i < d->entries.len; i++) {
		const struct diag_entry *e = &d->entries.data[i];

		if (diag_severity(e->code) != DIAG_ERROR)
			continue;
		strbuf_clear(&line);
		diag_render(e, &line);
		printf("%s\n", line.s);
	}
	strbuf_release(&line);
	if (r->timing)
		printf("%llu statements; lowering %.3f s, outlines %.3f s\n", (unsigned long long)r->stmts,
		       r->lower_time, r->outline_time);
	printf("%u classes, %u methods, %u failures\n", (unsigned)r->classes, (unsigned)r->methods,
	       (unsigned)r->failures);
}

static void release(struct run *r)
{
	arena_release(&r->mem);
	arena_release(&r->scratch);
	vec_release(&r->reached);
	vec_release(&r->work);
	vec_release(&r->in_body);
	vec_release(&r->in_outline);
	strbuf_release(&r->first);
	strbuf_release(&r->second);
	program_release(&r->p);
	if (r->l)
		loader_free(r->l);
}

int main(int argc, char **argv)
{
	static struct run r = { .sample = 16 };
	struct loader_opt opt = { 0 };
	struct diag d;
	int o;

	while ((o = getopt(argc, argv, "j:s:t")) != -1) {
		if (o == 'j')
			opt.jdk = optarg;
		else if (o == 's')
			r.sample = (uint32_t)atoi(optarg);
		else if (o == 't')
			r.timing = true;
		else
			return 2;
	}
	opt.class_path = optind < argc ? argv[optind] : NULL;
	diag_init(&d);
	program_init(&r.p, &d);
	r.l = loader_open(&r.p, &opt, &d);
	if (r.l)
		visit_all(&r);
	report(&r, &d);
	bool ok = r.l && r.failures == 0;

	release(&r);
	diag_release(&d);
	return ok ? 0 : 1;
}
