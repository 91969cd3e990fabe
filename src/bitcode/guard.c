/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c - LLVM's readers are made for what compilers wrote: on other bytes they may abort, or access memory that is not
 * there, or come to no end. While they run, that becomes a return. */
#define _XOPEN_SOURCE 700               /* sigaltstack */
#include "bitcode/lower_p.h"

#include <llvm-c/ErrorHandling.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/compiler.h"

enum { STACK = 64 * 1024, SPARE = 4 << 20 };

/* std::set_new_handler: what runs when `new` finds no memory. Otherwise it would throw, through code that cannot catch. */
typedef void (*new_handler)(void);
new_handler _ZSt15set_new_handlerPFvvE(new_handler handler);

/* llvm::install_bad_alloc_error_handler and remove_...: the same for malloc. Otherwise LLVM would print and abort. */
typedef void (*bad_alloc_handler)(void *data, const char *reason, bool crash);
void _ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(bad_alloc_handler handler, void *data);
void _ZN4llvm30remove_bad_alloc_error_handlerEv(void);

static const int caught[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGVTALRM };

/* Handlers of signals and of LLVM have no argument that could hold this. */
static struct {
	sigjmp_buf back;
	struct strbuf *reason;
	volatile sig_atomic_t is_on;
	new_handler before;
} guard;

static void on_signal(int signal)
{
	if (guard.is_on)
		siglongjmp(guard.back, signal);
}

static void on_fatal_error(const char *reason)
{
	if (!guard.is_on)
		return;
	strbuf_adds(guard.reason, reason);
	siglongjmp(guard.back, SIGABRT);
}

/* There is none as large as that: calls the handler of mem.h. */
static void on_exhausted(void)
{
	if (guard.is_on)
		siglongjmp(guard.back, SIGABRT);
	free(mem_alloc(SIZE_MAX / 2));
}

static void on_bad_alloc(void *data, const char *reason, bool crash)
{
	(void)data;
	(void)reason;
	(void)crash;
	on_exhausted();
}

void run_with_memory_watched(void (*f)(void *ctx), void *ctx)
{
	guard.before = _ZSt15set_new_handlerPFvvE(on_exhausted);
	_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(on_bad_alloc, NULL);
	f(ctx);
	_ZN4llvm30remove_bad_alloc_error_handlerEv();
	_ZSt15set_new_handlerPFvvE(guard.before);
}

/* Of private memory that can be written; 0: not known. */
static uint64_t bytes_in_use(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Allocations fail beyond that; a tighter limit stays. */
static void limit_memory(uint64_t more, struct rlimit *before)
{
	uint64_t used = bytes_in_use();

	if (getrlimit(RLIMIT_DATA, before) != 0)
		before->rlim_cur = before->rlim_max = RLIM_INFINITY;
	struct rlimit now = { used + more, before->rlim_max };

	if (used && now.rlim_cur < before->rlim_cur)
		setrlimit(RLIMIT_DATA, &now);
}

/* On a stack of its own: it may be the stack that is used up. */
static void install(struct sigaction *before, stack_t *stack, stack_t *stack_before, uint32_t seconds)
{
	struct sigaction a = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	struct itimerval t = { .it_value.tv_sec = (time_t)seconds };

	sigemptyset(&a.sa_mask);
	sigaltstack(stack, stack_before);
	for (uint32_t i = 0; i < ARRAY_LEN(caught); i++)
		sigaction(caught[i], &a, &before[i]);
	setitimer(ITIMER_VIRTUAL, &t, NULL);
	LLVMInstallFatalErrorHandler(on_fatal_error);
}

static void uninstall(const struct sigaction *before, const stack_t *stack_before)
{
	struct itimerval off = { .it_value.tv_sec = 0 };

	LLVMResetFatalErrorHandler();
	setitimer(ITIMER_VIRTUAL, &off, NULL);
	for (uint32_t i = 0; i < ARRAY_LEN(caught); i++)
		sigaction(caught[i], &before[i], NULL);
	sigaltstack(stack_before, NULL);
}

bool run_guarded(void (*f)(void *ctx), void *ctx, struct guard_limits limits, struct strbuf *reason)
{
	struct rlimit memory;
	struct sigaction before[ARRAY_LEN(caught)];
	stack_t stack = { .ss_sp = mem_alloc(STACK), .ss_size = STACK }, stack_before;
	volatile bool is_ok = false;

	limit_memory(limits.bytes, &memory);
	install(before, &stack, &stack_before, limits.seconds);
	guard.reason = reason;
	if (sigsetjmp(guard.back, 1) == 0) {
		guard.is_on = 1;
		f(ctx);
		is_ok = true;
	}
	guard.is_on = 0;
	uninstall(before, &stack_before);
	setrlimit(RLIMIT_DATA, &memory);
	free(stack.ss_sp);
	if (!is_ok)
		free(mem_alloc(SPARE));          /* or was it for want of memory? Then this is the end */
	return is_ok;
}
