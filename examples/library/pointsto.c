/* SPDX-License-Identifier: Apache-2.0 */
/* pointsto.c - which objects the fields of a class's objects may hold: pointsto CLASS_PATH MAIN_CLASS CLASS */
#include <sherd/sherd.h>
#include <stdio.h>
#include <string.h>

static void print_place(sherd_session *s, struct sherd_place at)
{
	if (at.sort == SHERD_PLACE_UNKNOWN)
		printf("an object that nobody knows");
	else
		printf("%s", sherd_class_name(s, at.cls));
	if (at.method)
		printf(" of %s:%u", sherd_method_name(s, at.method), (unsigned)at.line);
	printf("\n");
}

static void print_fields(sherd_session *s, sherd_pointsto *facts, size_t place)
{
	print_place(s, sherd_pointsto_place(facts, place));
	for (size_t k = 0; k < sherd_pointsto_fields(facts, place); k++) {
		sherd_field f = sherd_pointsto_field(facts, place, k);
		struct sherd_places held = sherd_pointsto_held(facts, place, f);
		for (size_t i = 0; i < held.n; i++) {
			printf("    %s: ", sherd_field_name(s, f));
			print_place(s, sherd_pointsto_place(facts, held.places[i]));
		}
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
	sherd_pointsto *facts = sherd_pointsto_compute(s, entry, SHERD_ANDERSEN);

	for (size_t p = 0; facts && p < sherd_pointsto_places(facts); p++) {
		struct sherd_place at = sherd_pointsto_place(facts, p);
		if (at.cls && strcmp(sherd_class_name(s, at.cls), argv[3]) == 0)
			print_fields(s, facts, p);
	}
	for (size_t k = 0; sherd_diagnostic(s, k); k++)
		fprintf(stderr, "%s\n", sherd_diagnostic(s, k));
	sherd_pointsto_free(facts);
	sherd_close(s);
	return facts ? 0 : 2;
}
