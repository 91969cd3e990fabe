/* SPDX-License-Identifier: Apache-2.0 */
/* sherd dump */
#include <stdio.h>
#include <string.h>

#include "cli/verbs/c_options.h"

struct dump_args {
	struct shared_options shared;
	const char *method;
	bool outline;
};

static const char *const formats[] = { "text", NULL };

static const struct option_row rows[] = {
	OPT_STRING(struct dump_args, method, "method", "m", "NAME", "What to print",
		   "only methods called NAME, or NAME(DESCRIPTOR)RETURN"),
	OPT_FLAG(struct dump_args, outline, "outline", NULL, "What to print",
		 "only what a call graph looks at: calls, allocations, static fields"),
	SHARED_INPUT(struct dump_args), SHARED_OUTPUT(struct dump_args, formats), SHARED_RUN(struct dump_args),
};

struct dump {
	const struct dump_args *a;
	struct session *s;
	int nclasses;
	char **classes;
	struct strbuf out;
	struct arena mem;
	uint32_t printed;
};

static bool is_wanted(const struct dump *d, sel_id sel)
{
	struct str name = sel_name(&d->s->program, sel), desc = sel_desc(&d->s->program, sel);
	const char *want = d->a->method;

	if (!want)
		return true;
	size_t n = strcspn(want, "(");
	return str_eq(name, (struct str){ want, (uint32_t)n }) && (!want[n] || str_is(desc, want + n));
}

static const char *why_no_body(uint16_t flags)
{
	if (flags & ACCESS_ABSTRACT)
		return "abstract";
	return flags & ACCESS_NATIVE ? "native, without a model" : "malformed";
}

static void dump_method(struct dump *d, method_id m)
{
	struct program *p = &d->s->program;
	struct ir_method row = *method_row(p, m);
	struct program_source *src = &p->source;

	arena_clear(&d->mem);
	const struct ir_body *b = (d->a->outline ? src->outline : src->body)(src->ctx, p, m, &d->mem);
	body_print_head(p, row.owner, row.sel, &d->out);
	d->printed++;
	if (!b) {
		strbuf_addf(&d->out, " # %s\n\n", why_no_body(row.flags));
		return;
	}
	strbuf_adds(&d->out, " {\n");
	body_print(p, b, &d->out);
	strbuf_adds(&d->out, "}\n\n");
}

/* False when there is no such class. */
static bool dump_class(struct dump *d, const char *dotted)
{
	struct program *p = &d->s->program;
	class_id c = session_class(d->s, str_of(dotted));

	if (!c.i)
		return false;
	struct ir_class row = *class_row(p, c);
	for (uint32_t i = 0; i < row.nmethods; i++)
		if (is_wanted(d, method_row(p, (method_id){ row.first_method + i })->sel))
			dump_method(d, (method_id){ row.first_method + i });
	return true;
}

static void print_stats(struct cli_run *r, const struct dump *d)
{
	struct stats st = { 0 };

	stats_count(&st, "methods", d->printed);
	stats_show(&st, "methods", d->printed);
	inquiry_stats(&r->inquiry, false, &st);
	run_write_stats(r, "dump", &st);
	stats_release(&st);
}

static bool write_dump(struct sink *out, void *ctx)
{
	struct dump *d = ctx;

	sink_write(out, d->out.s, d->out.len);
	return sink_finish(out);
}

static bool dump_classes(struct dump *d, struct term *t)
{
	for (int i = 0; i < d->nclasses; i++) {
		if (dump_class(d, d->classes[i]))
			continue;
		term_error(t, "no class %s on the class path; is the -cp right, and the name complete with its package?",
			   d->classes[i]);
		return false;
	}
	if (d->a->method && !d->printed)
		term_error(t, "no method %s in %s", d->a->method, d->classes[0]);
	return !d->a->method || d->printed;
}

static int dump_all(struct cli_run *r, void *ctx)
{
	struct dump *d = ctx;

	d->s = &r->session;
	bool ok = dump_classes(d, &r->term);
	inquiry_phase(&r->inquiry, PHASE_SOLVE);
	ok = ok && (!run_writes(r) || run_write(r, write_dump, d));
	if (ok)
		print_stats(r, d);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* Operands are modules: the C program that they are, before models. */
static int dump_modules(struct cli_run *r, void *ctx)
{
	static const struct c_options none = { 0 };
	struct dump *d = ctx;
	struct c_analysis x = { .o = &none, .modules = (const char *const *)d->classes, .nmodules = (uint32_t)d->nclasses };
	bool ok = c_compute(&x, r, C_MODULES);

	if (ok) {
		csession_print(&x.session, &d->out);
		d->printed = x.session.program.fns.len - 1;
	}
	c_release(&x);
	inquiry_phase(&r->inquiry, PHASE_SOLVE);
	ok = ok && (!run_writes(r) || run_write(r, write_dump, d));
	if (ok)
		print_stats(r, d);
	return ok ? EXIT_DONE : EXIT_UNSERVED;
}

/* A class has no folder in its name, and is no file. */
static bool are_modules(int n, char **operands)
{
	for (int i = 0; i < n; i++)
		if (!csession_is_module(operands[i]))
			return false;
	return true;
}

static int run_dump(void *values, int n, char **operands)
{
	struct dump d = { .a = values, .nclasses = n, .classes = operands };
	bool is_c = are_modules(n, operands);

	if (is_c && (d.a->method || d.a->outline))
		return usage_error("%s is about Java, and '%s' is a C module", d.a->method ? "--method" : "--outline", operands[0]);
	int status = is_c ? run_verb_alone(&d.a->shared, PHASES_C, dump_modules, &d) : run_verb(&d.a->shared, dump_all, &d);

	strbuf_release(&d.out);
	arena_release(&d.mem);
	return status;
}

const struct command_spec cmd_dump = {
	.synopsis = { "CLASS... [--method NAME] [OPTION]...", "MODULE.bc... [OPTION]...", NULL },
	.description = "Prints the methods of classes as the analyses see them: statements in SSA form, with lambdas, string "
		       "concatenation, records and pattern switches lowered to what they do, and the models of native "
		       "methods. The text form is specified in docs/ir.md.\nOperands that are files of LLVM bitcode are read and "
		       "linked, and printed as the analyses of C see them, before models of library functions.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct dump_args),
	.needs_operands = "name classes, sherd dump -cp app.jar app.Main, or modules of C, sherd dump app.bc",
	.examples = { { "sherd dump -cp app.jar app.Main", "every method of a class" },
		      { "sherd dump java.lang.Thread --method start0", "the model of a native method" },
		      { NULL, NULL } },
	.run = run_dump,
};
