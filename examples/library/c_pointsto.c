/* SPDX-License-Identifier: Apache-2.0 */
/* c_pointsto.c - what calls through pointers of a C program may call, what a variable may point to, and what a line may modify:
 * c_pointsto VARIABLE FILE:LINE MODULE.bc... */
#include <sherd/sherd.h>
#include <stdio.h>

static void print_set(const char *what, struct sherd_c_set set)
{
	printf("%s:", what);
	for (size_t i = 0; i < set.n; i++)
		printf(" %s", set.names[i]);
	printf("\n");
}

static void print_call(sherd_c_program *p, struct sherd_c_call c)
{
	printf("%s:%u in %s calls", c.file, (unsigned)c.line, sherd_c_function_name(p, c.caller));
	for (size_t i = 0; i < c.ntargets; i++)
		printf(" %s", sherd_c_function_name(p, c.targets[i]));
	printf("\n");
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	struct sherd_c_options opt = { .modules = (const char *const *)argv + 3, .nmodules = (size_t)argc - 3 };
	sherd_c_program *p = sherd_c_open(&opt);
	struct sherd_c_set set;

	for (size_t k = 0; k < sherd_c_calls(p); k++)
		if (sherd_c_call_at(p, k).through_pointer)
			print_call(p, sherd_c_call_at(p, k));
	if (sherd_c_find(p, argv[1]) < sherd_c_variables(p))
		print_set(argv[1], sherd_c_points_to(p, sherd_c_find(p, argv[1])));
	if (sherd_c_line_effects(p, argv[2], SHERD_C_MOD, &set))
		print_set(argv[2], set);
	for (size_t k = 0; sherd_c_unknown(p, k); k++)
		printf("%s may do anything\n", sherd_c_unknown(p, k));
	for (size_t k = 0; sherd_c_diagnostic(p, k); k++)
		fprintf(stderr, "%s\n", sherd_c_diagnostic(p, k));
	int status = sherd_c_ok(p) ? 0 : 2;
	sherd_c_close(p);
	return status;
}
