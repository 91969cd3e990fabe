/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "session/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/outside/known.h"

/* bin/java of a JDK on PATH, links followed: two folders above is the JDK. */
static char *jdk_on_path(void)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX], real[PATH_MAX];

	for (const char *p = path ? path : "", *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, ":");
		snprintf(file, sizeof(file), "%.*s/java", (int)(end - p), p);
		if (access(file, X_OK) != 0 || !realpath(file, real))
			continue;
		for (int up = 0; up < 2; up++)
			if (strrchr(real, '/'))
				*strrchr(real, '/') = 0;
		return strdup(real);
	}
	return NULL;
}

char *session_default_jdk(void)
{
	const char *home = getenv("JAVA_HOME");

	return home && *home ? strdup(home) : jdk_on_path();
}

static char *find_jdk(const char *asked)
{
	if (!asked)
		return session_default_jdk();
	return strcmp(asked, "none") == 0 ? NULL : strdup(asked);
}

bool session_open(struct session *s, struct inquiry *r, const struct session_opt *opt)
{
	*s = (struct session){ .inquiry = r, .jdk = find_jdk(opt->jdk) };
	program_init(&s->program, &r->diag);
	if (!s->jdk && !(opt->jdk && strcmp(opt->jdk, "none") == 0)) {
		diag_add(&s->inquiry->diag, DIAG_E042, NULL, STR(""), DIAG_NO_OFFSET,
			 "no JDK found: set JAVA_HOME, name one with --jdk, or say --jdk none");
		return false;
	}
	struct loader_opt lo = { opt->class_path, s->jdk, opt->use_cache, opt->jobs, opt->no_manifests };
	s->loader = loader_open(&s->program, &lo, &s->inquiry->diag);
	bool ok = s->loader && environment_read(&opt->environment, s->jdk, &r->diag, &s->environment) &&
		  known_read(s, opt->facts, opt->nfacts, &s->known);
	inquiry_phase(s->inquiry, PHASE_OPEN);
	return ok;
}

void session_close(struct session *s)
{
	known_free(s->known);
	environment_free(s->environment);
	if (s->loader)
		loader_save(s->loader);
	program_release(&s->program);
	if (s->loader)
		loader_free(s->loader);
	free(s->jdk);
}

bool session_is_application(const struct session *s, class_id c)
{
	const struct ir_class *row = class_row(&s->program, c);

	return row->artifact != 0 && !loader_is_jdk(s->loader, row->artifact);
}
