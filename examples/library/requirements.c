/* SPDX-License-Identifier: Apache-2.0 */
/* requirements.c - what tests of a component should exercise at its calls: requirements CLASS_PATH PATTERNS [INTERFACE] */
#include <sherd/sherd.h>
#include <stdio.h>

static void print_site(sherd_session *s, const struct sherd_required *r)
{
	printf("%s:%u calls %s on\n", sherd_method_name(s, r->method), (unsigned)r->line, r->declared);
	for (size_t i = 0; i < r->nreceivers; i++)
		printf("    %s\n", sherd_class_name(s, r->receivers[i]));
	if (r->open)
		printf("    and on objects that nobody knows\n");
}

static void print_all(sherd_session *s, const sherd_requirements *all)
{
	struct sherd_required_figures n = sherd_requirements_figures(all);

	for (size_t k = 0; k < sherd_requirements_count(all); k++) {
		struct sherd_required r = sherd_requirements_site(all, k);
		if (r.poly && r.reached)
			print_site(s, &r);
	}
	printf("%u receiver classes and %u target methods at %u calls\n", (unsigned)n.rc, (unsigned)n.tm, (unsigned)n.poly_sites);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	struct sherd_options opt = { .class_path = argv[1] };
	struct sherd_component part = { .patterns = argv[2], .interface = argc > 3 ? argv[3] : NULL };
	sherd_session *s = sherd_open(&opt);
	sherd_requirements *all = sherd_requirements_compute(s, &part);

	if (all)
		print_all(s, all);
	for (size_t k = 0; sherd_diagnostic(s, k); k++)
		fprintf(stderr, "%s\n", sherd_diagnostic(s, k));
	sherd_requirements_free(all);
	sherd_close(s);
	return all ? 0 : 2;
}
