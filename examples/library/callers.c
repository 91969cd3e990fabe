/* SPDX-License-Identifier: Apache-2.0 */
/* callers.c - prints who calls a method: callers CLASS_PATH MAIN_CLASS METHOD_PREFIX */
#include <sherd/sherd.h>
#include <stdio.h>
#include <string.h>

static void print_callers(sherd_session *s, const sherd_callgraph *g, sherd_method caller, const char *prefix)
{
	for (size_t k = 0; k < sherd_callgraph_sites(g, caller); k++) {
		struct sherd_site site = sherd_callgraph_site(g, caller, k);
		for (size_t t = 0; t < site.ntargets; t++)
			if (strncmp(sherd_method_name(s, site.targets[t]), prefix, strlen(prefix)) == 0)
				printf("%s:%u -> %s\n", sherd_method_name(s, caller), (unsigned)site.line,
				       sherd_method_name(s, site.targets[t]));
	}
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	struct sherd_options opt = { .class_path = argv[1] };
	sherd_session *s = sherd_open(&opt);
	char entry[1024];
	snprintf(entry, sizeof(entry), "main %s", argv[2]);
	sherd_callgraph *g = sherd_ok(s) ? sherd_callgraph_compute(s, entry, SHERD_RTA) : NULL;
	for (size_t i = 0; g && i < sherd_callgraph_count(g); i++)
		if (!sherd_method_in_jdk(s, sherd_callgraph_method(g, i)))
			print_callers(s, g, sherd_callgraph_method(g, i), argv[3]);
	for (size_t k = 0; sherd_diagnostic(s, k); k++)
		fprintf(stderr, "%s\n", sherd_diagnostic(s, k));
	int status = g ? 0 : 2;
	sherd_callgraph_free(g);
	sherd_close(s);
	return status;
}
