/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/options.h"

#include "agent/say.h"
#include "base/compiler.h"

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Is there `name=` at s? */
static bool starts_option(const char *s)
{
	const char *p = s;

	while (is_name_char(*p))
		p++;
	return p > s && *p == '=';
}

static const char *end_of_option(const char *s)
{
	while (*s && !(*s == ',' && starts_option(s + 1)))
		s++;
	return s;
}

static char *copy_text(struct arena *mem, const char *from, const char *to)
{
	size_t n = (size_t)(to - from);
	char *s = arena_alloc(mem, n + 1);

	memcpy(s, from, n);
	s[n] = 0;
	return s;
}

char options_char(const char **s)
{
	bool is_comma = !strncmp(*s, "%2C", 3) || !strncmp(*s, "%2c", 3), is_percent = !strncmp(*s, "%25", 3);

	if (is_comma || is_percent)
		*s += 2;
	return is_comma ? ',' : is_percent ? '%' : **s;
}

/* The same, as a whole: in place. */
static void decode(char *text)
{
	char *to = text;

	for (const char *s = text; *s; s++)
		*to++ = options_char(&s);
	*to = 0;
}

static bool read_bool(const char *name, const char *value, bool otherwise)
{
	if (!strcmp(value, "true") || !strcmp(value, "false"))
		return value[0] == 't';
	say("option %s=%s: true or false is meant; it stays %s", name, value, otherwise ? "true" : "false");
	return otherwise;
}

static void set(struct options *o, const char *name, char *value)
{
	const struct { const char *name; const char **text; bool *flag; } known[] = {
		{ "plan", &o->plan, NULL }, { "destfile", &o->destfile, NULL }, { "sessionid", &o->session, NULL },
		{ "dynamic", &o->dynamic, NULL }, { "includes", &o->includes, NULL }, { "excludes", &o->excludes, NULL },
		{ "dumponexit", NULL, &o->dumps_on_exit }, { "tests", NULL, &o->has_tests },
		{ "debug", NULL, &o->is_debug }, { "append", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (strcmp(name, known[i].name))
			continue;
		if (known[i].text != &o->destfile && known[i].text != &o->dynamic)
			decode(value);                /* these have %p, too: see new_file.c */
		if (known[i].text)
			*known[i].text = value;
		else if (known[i].flag)
			*known[i].flag = read_bool(name, value, *known[i].flag);
		return;
	}
	say("unknown option '%s' is passed over", name);
}

void options_parse(struct options *o, const char *text, struct arena *mem)
{
	*o = (struct options){ .destfile = "sherd-%p.cov", .session = "", .includes = "*", .excludes = "",
			       .dumps_on_exit = true, .has_tests = true };
	for (const char *s = text ? text : ""; *s;) {
		const char *end = end_of_option(s), *eq = memchr(s, '=', (size_t)(end - s));
		if (eq && eq > s)
			set(o, copy_text(mem, s, eq), copy_text(mem, eq + 1, end));
		else
			say("option '%.*s' is passed over: name=value is meant", (int)(end - s), s);
		s = *end ? end + 1 : end;
	}
}

static char dotted(char c)
{
	return c == '/' ? '.' : c;
}

/* Wildcards, without recursion: after a mismatch the last * takes one character more. */
static bool wild_match(struct str pattern, struct str s)
{
	uint32_t p = 0, i = 0, star = UINT32_MAX, from = 0;

	while (i < s.len) {
		if (p < pattern.len && pattern.p[p] == '*') {
			star = p++;
			from = i;
		} else if (p < pattern.len && (pattern.p[p] == '?' || dotted(pattern.p[p]) == dotted(s.p[i]))) {
			p++;
			i++;
		} else if (star != UINT32_MAX) {
			p = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.p[p] == '*')
		p++;
	return p == pattern.len;
}

static bool any_match(const char *patterns, struct str s)
{
	while (*patterns) {
		uint32_t n = (uint32_t)strcspn(patterns, ":");
		if (wild_match((struct str){ patterns, n }, s))
			return true;
		patterns += n + (patterns[n] == ':');
	}
	return false;
}

bool options_allow(const struct options *o, struct str name)
{
	return any_match(o->includes, name) && !any_match(o->excludes, name);
}
