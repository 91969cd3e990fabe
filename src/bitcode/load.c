/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - modules are read by a child process. LLVM's readers are made for what compilers wrote: on other bytes they may abort,
 * access memory that is not there, write where they should not, want all memory or come to no end. So the child reads, lowers and
 * links, and hands over a packed program, which is checked like any other input; what happened to the child before becomes a
 * diagnostic about the module that it was at.
 *
 * One child reads all modules: when one of them ends it, there is no program, and another child looks at the modules behind that
 * one, to say what is wrong with them as well.
 *
 * The child writes messages: a letter, then numbers, then texts with their lengths; numbers are as they are in memory.
 *   S  step, module, 1 when the limit on memory is ours         before each step of each module
 *   D  code, file, sentence                                     a diagnostic
 *   R  text                                                     in LLVM's words, why it gives up: the child ends
 *   P  bytes to the end                                         the program; not when there was an error */
#define _XOPEN_SOURCE 700
#include "bitcode/lower_p.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sys/child.h"

enum { MAX_TEXT = 1 << 16 };

struct loading {
	struct cprogram *p;
	const char *const *paths;
	uint32_t n, from;
	const struct bitcode_opt *opt;
	struct diag *d;
	bool has_error;              /* there is a diagnostic of one */
};

/* The child. */

struct writing {
	const struct loading *x;
	FILE *out;
	struct diag d;
};

static void put(FILE *out, uint32_t v)
{
	fwrite(&v, sizeof(v), 1, out);
}

static void put_text(FILE *out, const char *s)
{
	size_t n = strlen(s);

	put(out, (uint32_t)(n < MAX_TEXT ? n : MAX_TEXT));
	fwrite(s, 1, n < MAX_TEXT ? n : MAX_TEXT, out);
}

static void send_diagnostics(struct writing *w)
{
	for (uint32_t i = 0; i < w->d.entries.len; i++) {
		const struct diag_entry *e = &w->d.entries.data[i];

		fputc('D', w->out);
		put(w->out, e->code);
		put_text(w->out, e->artifact);
		put_text(w->out, e->text);
	}
	diag_release(&w->d);
	diag_init(&w->d);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* Many times what it takes: some damaged files are never done, or want what a number in them says. */
static bool limit(const struct loading *x, enum link_step step, uint32_t file)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < x->n; i++)
		if (i == file || step == LINK_FINISH)
			bytes += size_of(x->paths[i]);
	return child_limit(5 + (uint32_t)(bytes >> 20) * 10, (256 << 20) + bytes * 200);
}

static void send_step(void *ctx, enum link_step step, uint32_t file)
{
	struct writing *w = ctx;

	send_diagnostics(w);
	fputc('S', w->out);
	put(w->out, step);
	put(w->out, file);
	put(w->out, limit(w->x, step, file));
	fflush(w->out);
}

/* llvm::install_fatal_error_handler and install_bad_alloc_error_handler: what LLVM calls before it would abort. The former's C
 * function has no place for `data`. */
typedef void (*llvm_handler)(void *data, const char *reason, bool crash);
void _ZN4llvm27install_fatal_error_handlerEPFvPvPKcbES0_(llvm_handler handler, void *data);
void _ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(llvm_handler handler, void *data);

/* std::set_new_handler: what runs when `new` finds no memory. Otherwise it would throw, through code that cannot catch. */
typedef void (*new_handler)(void);
new_handler _ZSt15set_new_handlerPFvvE(new_handler handler);

static void on_fatal_error(void *data, const char *reason, bool crash)
{
	(void)crash;
	fputc('R', data);
	put_text(data, reason);
	child_give_up(data);
}

static void on_bad_alloc(void *data, const char *reason, bool crash)
{
	(void)data;
	(void)reason;
	(void)crash;
	child_exhausted();
}

static void read_modules(void *ctx, FILE *out)
{
	const struct loading *x = ctx;
	struct writing w = { .x = x, .out = out };
	struct link_opt opt = { .from = x->from, .before = send_step, .ctx = &w };
	struct strbuf bytes = { 0 };

	_ZN4llvm27install_fatal_error_handlerEPFvPvPKcbES0_(on_fatal_error, out);
	_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(on_bad_alloc, NULL);
	_ZSt15set_new_handlerPFvvE(child_exhausted);
	bool is_ok = link_modules(x->p, x->paths, x->n, &opt, &w.d);
	send_diagnostics(&w);
	if (!is_ok)
		return;
	cir_pack(x->p, &bytes);
	fputc('P', out);
	fwrite(bytes.s, 1, bytes.len, out);
}

/* The parent. */

struct receiving {
	struct loading *x;
	struct child child;
	uint32_t file;               /* which it is at; n: it has read all */
	bool is_limit_ours;
	bool is_broken;              /* not what a child writes */
	bool has_program;
	struct strbuf reason, program;
};

static uint32_t get(struct receiving *r)
{
	uint32_t v = 0;

	if (child_read(&r->child, &v, sizeof(v)) != sizeof(v))
		r->is_broken = true;
	return v;
}

static void get_text(struct receiving *r, struct strbuf *out)
{
	uint32_t n = get(r);
	char part[1024];

	r->is_broken |= n > MAX_TEXT;
	strbuf_clear(out);
	strbuf_adds(out, "");
	while (n > 0 && !r->is_broken) {
		size_t k = child_read(&r->child, part, n < sizeof(part) ? n : sizeof(part));

		r->is_broken |= k == 0;
		strbuf_add(out, part, k);
		n -= (uint32_t)k;
	}
}

static void get_step(struct receiving *r)
{
	const struct bitcode_opt *opt = r->x->opt;
	uint32_t step = get(r), file = get(r), is_ours = get(r);

	r->is_broken |= step > LINK_FINISH || file < r->file || file > r->x->n || (file == r->x->n) != (step == LINK_FINISH);
	if (r->is_broken)
		return;
	r->file = file;
	r->is_limit_ours = is_ours;
	if (step == LINK_READ && opt && opt->progress)
		opt->progress(opt->ctx, file, r->x->n, r->x->paths[file]);
}

static void get_diagnostic(struct receiving *r)
{
	struct strbuf file = { 0 }, sentence = { 0 };
	uint32_t code = get(r);

	get_text(r, &file);
	get_text(r, &sentence);
	r->is_broken |= code >= DIAG_CODES;
	if (!r->is_broken) {
		diag_add(r->x->d, code, file.s, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", sentence.s);
		r->x->has_error |= diag_severity(code) == DIAG_ERROR;
	}
	strbuf_release(&file);
	strbuf_release(&sentence);
}

static void get_program(struct receiving *r)
{
	char part[1 << 14];

	r->has_program = true;
	for (size_t n; (n = child_read(&r->child, part, sizeof(part))) > 0;)
		strbuf_add(&r->program, part, n);
}

static void receive(struct receiving *r)
{
	for (char c; !r->is_broken && child_read(&r->child, &c, 1) == 1;)
		if (c == 'S')
			get_step(r);
		else if (c == 'D')
			get_diagnostic(r);
		else if (c == 'R')
			get_text(r, &r->reason);
		else if (c == 'P')
			get_program(r);
		else
			r->is_broken = true;
}

/* The module that it was at when it ended is the one that ended it. */
static void complain(const struct receiving *r)
{
	struct loading *x = r->x;
	uint32_t file = x->n == 1 ? 0 : r->file;

	x->has_error = true;
	if (file < x->n)
		bitfile_complain(x->paths[file], strbuf_str(&r->reason), x->d);
	else
		diag_add(x->d, DIAG_E060, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "what was read is no program: one of the modules is damaged; compile them again");
}

/* Runs a child for the modules from `from` on. True: there is nothing more to say about them. */
static bool try_modules(struct loading *x, bool *is_ok)
{
	struct receiving r = { .x = x, .file = x->from };
	const char *reason;

	if (!child_start(&r.child, read_modules, x)) {
		diag_add(x->d, DIAG_E060, NULL, (struct str){ 0 }, DIAG_NO_OFFSET, "no process can be started that reads bitcode: %s",
			 strerror(errno));
		return true;
	}
	receive(&r);
	enum child_end end = child_wait(&r.child);
	if (end == CHILD_KILLED || (end == CHILD_EXHAUSTED && !r.is_limit_ours))
		mem_exhausted(0);        /* it is not the module's fault */
	bool is_done = end == CHILD_DONE && !r.is_broken && r.has_program == !x->has_error;
	if (is_done && r.has_program)
		*is_ok = is_done = cir_unpack(x->p, (struct span){ (const uint8_t *)r.program.s, r.program.len }, &reason);
	if (!is_done)
		complain(&r);
	x->from = r.file + 1;
	strbuf_release(&r.reason);
	strbuf_release(&r.program);
	return is_done;
}

bool bitcode_load(struct cprogram *p, const char *const *paths, uint32_t n, const struct bitcode_opt *opt, struct diag *d)
{
	struct loading x = { .p = p, .paths = paths, .n = n, .opt = opt, .d = d };
	bool is_ok = false;

	while (!try_modules(&x, &is_ok) && x.from < n)
		;
	return is_ok;
}

const char *bitcode_llvm_version(void)
{
	return LLVM_VERSION_STRING;
}
