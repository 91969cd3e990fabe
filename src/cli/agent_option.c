/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "cli/agent_option.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/spawn.h"
#include "session/artifact/measurement.h"
#include "session/artifact/result.h"

static bool take(const char *path, struct strbuf *out)
{
	char *real = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;

	if (real)
		strbuf_adds(out, real);
	free(real);
	return real != NULL;
}

static bool take_named(const char *path, const char *by, struct strbuf *out, struct strbuf *err)
{
	if (take(path, out))
		return true;
	strbuf_addf(err, "%s: the agent cannot be read: %s: %s", by, path, strerror(errno));
	return false;
}

static bool take_installed(struct strbuf *out, struct strbuf *err)
{
	static const char *const places[] = { "", "../lib/sherd/" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct strbuf path = { 0 };

	self[n > 0 ? n : 0] = 0;
	if (strrchr(self, '/'))
		strrchr(self, '/')[1] = 0;
	for (size_t i = 0; i < ARRAY_LEN(places) && !out->len; i++) {
		strbuf_clear(&path);
		strbuf_addf(&path, "%s%s" AGENT_LIBRARY, self, places[i]);
		take(path.s, out);
	}
	strbuf_release(&path);
	if (!out->len)
		strbuf_addf(err, AGENT_LIBRARY " is neither in %s nor in %s../lib/sherd: name it with --agent or $SHERD_AGENT",
			    self, self);
	return out->len > 0;
}

bool agent_find(const char *asked, struct strbuf *out, struct strbuf *err)
{
	const char *variable = getenv("SHERD_AGENT");
	bool ok = asked ? take_named(asked, "--agent", out, err) :
		  variable && *variable ? take_named(variable, "$SHERD_AGENT", out, err) : take_installed(out, err);

	if (ok && strchr(out->s, '=')) {
		strbuf_addf(err, "a JVM cannot load an agent with '=' in its path: copy %s elsewhere and name it with --agent",
			    out->s);
		return false;
	}
	return ok;
}

static void add_value(const char *text, struct strbuf *out)
{
	for (; *text; text++) {
		if (*text == ',' || *text == '%')
			strbuf_addf(out, "%%%02X", (unsigned)*text);
		else
			strbuf_addch(out, *text);
	}
}

void agent_option(const char *agent, const char *folder, bool records, const char *more, struct strbuf *out)
{
	strbuf_addf(out, "-agentpath:%s=plan=", agent);
	add_value(folder, out);
	strbuf_adds(out, "/" RESULT_PLAN ",destfile=");
	add_value(folder, out);
	strbuf_adds(out, "/" MEASUREMENT_DATA "%p.cov");
	if (records) {
		strbuf_adds(out, ",dynamic=");
		add_value(folder, out);
		strbuf_adds(out, "/" MEASUREMENT_DYNAMIC "%p.txt");
	}
	if (more && *more)
		strbuf_addf(out, ",%s", more);
}

void agent_variable(const char *option, struct strbuf *out)
{
	const char *now = getenv("JAVA_TOOL_OPTIONS");

	if (now && *now)
		strbuf_addf(out, "%s ", now);
	java_option_quote(option, out);
}
