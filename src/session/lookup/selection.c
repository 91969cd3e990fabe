/* SPDX-License-Identifier: Apache-2.0 */
#include "session/lookup/selection.h"

bool class_selection_read(struct class_selection *s, struct session *session, const char *only, bool no_jdk)
{
	*s = (struct class_selection){ .session = session, .only = only, .no_jdk = no_jdk };
	return !only || patterns_read(&session->inquiry->diag, only, &s->patterns);
}

void class_selection_release(struct class_selection *s)
{
	if (s->only)
		patterns_release(&s->patterns);
}

bool class_selection_has(const void *selection, class_id c)
{
	const struct class_selection *s = selection;

	return (!s->no_jdk || session_is_application(s->session, c)) &&
	       (!s->only || patterns_match(&s->patterns, class_name(&s->session->program, c)));
}

bool class_selection_check(const struct class_selection *s, const struct callgraph *g, bool (*counts)(const void *ctx, method_id m),
			   const void *ctx, const char *whose)
{
	for (uint32_t k = 0; k < callgraph_nmethods(g); k++) {
		method_id m = callgraph_method(g, k);
		if ((!counts || counts(ctx, m)) && class_selection_has(s, method_row(callgraph_program(g), m)->owner))
			return true;
	}
	diag_add(&s->session->inquiry->diag, DIAG_E044, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
		 s->only ? "no class%s with a method in the graph matches --only %s%s; a package is app.*, with those below it app.**" :
			   "no class%s with a method in the graph is left%s%s: all are the JDK's; name those to write with --only",
		 whose, s->only ? s->only : "", s->only && s->no_jdk ? " and is not the JDK's" : "");
	return false;
}
