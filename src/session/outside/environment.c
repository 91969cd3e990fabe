/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "session/outside/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/sys/child.h"
#include "base/sys/mapfile.h"
#include "formats/properties/properties.h"

#define JVM_SECONDS 20u          /* of processor time, to say what its properties are */
#define JVM_MOST_BYTES (1u << 20)

struct row {
	struct str value;
	const char *source;
};

struct environment {
	struct arena mem;
	struct diag *d;
	const char *jdk;
	struct interner names;
	VEC(struct row) rows;            /* [0] unused */
	struct map row_of;               /* (sort, name) -> row; the first that says something counts */
	bool is_complete[SETTINGS];      /* what is not there is not set */
	bool has_asked;                  /* the JVM */
	struct settings settings;
	VEC(struct report_setting) used;
	struct map used_of;              /* (sort, name) -> 1 */
};

static struct str copy(struct environment *e, struct str s)
{
	return (struct str){ arena_copy(&e->mem, s.len ? s.p : "", s.len), s.len };
}

static void set(struct environment *e, enum setting of, struct str key, struct str value, const char *source)
{
	uint32_t *at = map_at(&e->row_of, map_key((uint32_t)of, intern(&e->names, key).i));

	if (*at)
		return;
	*at = e->rows.len;
	vec_push(&e->rows, ((struct row){ copy(e, value), source }));
}

/* Files */

struct filling {
	struct environment *e;
	enum setting of;
	const char *source;
};

static void set_property(void *ctx, struct str key, struct str value, uint32_t line)
{
	const struct filling *f = ctx;

	(void)line;
	set(f->e, f->of, key, value, f->source);
}

static bool read_file(struct environment *e, enum setting of, const char *path, const char *source)
{
	struct filling f = { e, of, source };
	struct mapfile file;

	if (!mapfile_open(&file, path))
		return false;
	properties_read(path, file.bytes, e->d, set_property, &f);
	mapfile_close(&file);
	return true;
}

/* What users give; of two, the last counts. */
static bool read_given(struct environment *e, const struct environment_opt *o)
{
	for (uint32_t i = o->ngiven; i-- > 0;) {
		struct str s = str_of(o->given[i]);
		const char *eq = memchr(s.p, '=', s.len);
		uint32_t n = eq ? (uint32_t)(eq - s.p) : s.len;
		set(e, SETTING_PROPERTY, str_sub(s, 0, n), str_sub(s, eq ? n + 1 : n, s.len), "-D");
	}
	for (uint32_t i = o->nfiles; i-- > 0;) {
		if (read_file(e, SETTING_PROPERTY, o->files[i], o->files[i]))
			continue;
		diag_add(e->d, DIAG_E076, o->files[i], (struct str){ 0 }, DIAG_NO_OFFSET, "%s", strerror(errno));
		return false;
	}
	return true;
}

extern char **environ;

static void read_variables(struct environment *e)
{
	for (char **v = environ; v && *v; v++) {
		const char *eq = strchr(*v, '=');
		if (eq)
			set(e, SETTING_VARIABLE, (struct str){ *v, (uint32_t)(eq - *v) }, str_of(eq + 1), "--environment");
	}
	e->is_complete[SETTING_VARIABLE] = true;
}

/* The JVM: "    key = value", and lines of paths below it. */

static bool is_of_this_run(struct str key)
{
	static const char *const keys[] = { "java.class.path", "sun.java.command", "sun.java.launcher", "user.dir", "jdk.module.path", "jdk.module.main" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (str_is(key, keys[i]))
			return true;
	return false;
}

static struct str trimmed(struct str s)
{
	while (s.len && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

static void unescape(struct str s, struct strbuf *out)
{
	strbuf_clear(out);
	for (uint32_t i = 0; i < s.len; i++) {
		bool is_escape = s.p[i] == '\\' && i + 1 < s.len && strchr("nr", s.p[i + 1]);
		strbuf_addch(out, !is_escape ? s.p[i] : s.p[i + 1] == 'n' ? '\n' : '\r');
		i += is_escape;
	}
}

static void end_setting(struct environment *e, struct str *key, struct strbuf *value)
{
	if (key->len && !is_of_this_run(*key))
		set(e, SETTING_PROPERTY, *key, strbuf_str(value), "the JVM");
	key->len = 0;
	strbuf_clear(value);
}

static bool read_settings(struct environment *e, struct str text)
{
	struct str key = { "", 0 };
	struct strbuf value = { 0 };
	bool is_within = false;

	for (uint32_t at = 0; at < text.len;) {
		const char *stop = memchr(text.p + at, '\n', text.len - at);
		struct str line = str_sub(text, at, stop ? (uint32_t)(stop - text.p) : text.len);
		const char *eq = line.len > 4 ? memchr(line.p, '=', line.len) : NULL;
		at += line.len + 1;
		if (str_starts(line, "        ") && key.len) {
			strbuf_addch(&value, ':');
			strbuf_addstr(&value, trimmed(str_sub(line, 8, line.len)));
			continue;
		}
		end_setting(e, &key, &value);
		is_within |= str_starts(line, "Property settings");
		if (!is_within || !str_starts(line, "    ") || !eq)
			continue;
		key = trimmed(str_sub(line, 4, (uint32_t)(eq - line.p)));
		uint32_t from = (uint32_t)(eq - line.p) + 1;
		unescape(trimmed(str_sub(line, from + (from < line.len), line.len)), &value);
	}
	end_setting(e, &key, &value);
	strbuf_release(&value);
	return is_within;
}

static void run_jvm(void *ctx, FILE *out)
{
	char *const command[] = { ctx, "-XshowSettings:properties", "-version", NULL };

	child_limit(JVM_SECONDS, UINT64_C(1) << 40);
	if (dup2(fileno(out), 1) < 0 || dup2(fileno(out), 2) < 0)
		child_give_up(out);
	execv(command[0], command);
	child_give_up(out);
}

static bool ask_jvm(struct environment *e, const char *java)
{
	char *text = mem_alloc(JVM_MOST_BYTES);
	struct child c;
	bool ok = false;

	if (child_start(&c, run_jvm, (void *)java)) {
		size_t n = child_read(&c, text, JVM_MOST_BYTES);
		child_wait(&c);
		ok = read_settings(e, (struct str){ text, (uint32_t)n });
	}
	free(text);
	return ok;
}

static void read_jvm(struct environment *e)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s/bin/java", e->jdk);
	e->is_complete[SETTING_PROPERTY] = ask_jvm(e, path.s);
	if (!e->is_complete[SETTING_PROPERTY])
		diag_add(e->d, DIAG_W077, path.s, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "it does not say what its properties are: those that are not given with -D or --properties are not known");
	strbuf_clear(&path);
	strbuf_addf(&path, "%s/conf/security/java.security", e->jdk);
	bool ok = read_file(e, SETTING_SECURITY, path.s, "java.security");
	strbuf_clear(&path);
	strbuf_addf(&path, "%s/lib/security/java.security", e->jdk);
	e->is_complete[SETTING_SECURITY] = ok || read_file(e, SETTING_SECURITY, path.s, "java.security");
	strbuf_release(&path);
}

/* Answers */

static void note_used(struct environment *e, enum setting of, str_id name, const struct row *row)
{
	static const char *const kinds[] = { [SETTING_PROPERTY] = "property", [SETTING_VARIABLE] = "variable", [SETTING_SECURITY] = "security property",
					     [SETTING_RESOURCE] = "resource property" };
	uint32_t *at = map_at(&e->used_of, map_key((uint32_t)of, name.i));

	if (*at)
		return;
	*at = 1;
	vec_push(&e->used, ((struct report_setting){ kinds[of], copy(e, interned(&e->names, name)), row ? row->value : (struct str){ 0 },
						     row ? row->source : NULL }));
}

static enum setting_is ask(void *ctx, enum setting of, struct str key, struct str *value)
{
	struct environment *e = ctx;
	str_id name = intern(&e->names, key);
	uint32_t row = map_get(&e->row_of, map_key((uint32_t)of, name.i));

	if (!row && (!e->is_complete[of] || is_of_this_run(key)))
		return SETTING_UNKNOWN;
	note_used(e, of, name, row ? &e->rows.data[row] : NULL);
	if (row)
		*value = e->rows.data[row].value;
	return row ? SETTING_KNOWN : SETTING_ABSENT;
}

/* Resources: the key of a row is `name: key`, that of the resource itself its name. */

struct resource {
	struct environment *e;
	const char *name;
	struct strbuf *key;
};

/* The last counts. */
static void set_in_resource(void *ctx, struct str key, struct str value, uint32_t line)
{
	const struct resource *r = ctx;

	(void)line;
	strbuf_clear(r->key);
	strbuf_addf(r->key, "%s: %.*s", r->name, (int)key.len, key.p);
	*map_at(&r->e->row_of, map_key(SETTING_RESOURCE, intern(&r->e->names, strbuf_str(r->key)).i)) = 0;
	set(r->e, SETTING_RESOURCE, strbuf_str(r->key), value, r->name);
}

static void read_resource(struct environment *e, struct str name, struct span bytes, struct strbuf *key)
{
	uint32_t *at = map_at(&e->row_of, map_key(SETTING_RESOURCE, intern(&e->names, name).i));

	if (*at)
		return;
	*at = e->rows.len;
	strbuf_addstr(key, name);
	struct resource r = { e, arena_strdup(&e->mem, key->s), key };
	vec_push(&e->rows, ((struct row){ { 0 }, r.name }));
	properties_read(r.name, bytes, e->d, set_in_resource, &r);
}

static enum setting_is ask_resource(void *ctx, struct str name, struct span bytes, struct str key, struct str *value)
{
	struct environment *e = ctx;
	struct strbuf text = { 0 };

	read_resource(e, name, bytes, &text);
	strbuf_clear(&text);
	strbuf_addf(&text, "%.*s: %.*s", (int)name.len, name.p, (int)key.len, key.p);
	enum setting_is is = ask(e, SETTING_RESOURCE, strbuf_str(&text), value);
	strbuf_release(&text);
	return is;
}

bool environment_read(const struct environment_opt *o, const char *jdk, struct diag *d, struct environment **out)
{
	struct environment *e = *out = mem_zalloc(sizeof(*e));

	arena_init(&e->mem);
	interner_init(&e->names);
	e->d = d;
	e->jdk = jdk;
	e->settings = (struct settings){ e, ask, ask_resource };
	e->is_complete[SETTING_RESOURCE] = true;
	vec_push(&e->rows, (struct row){ 0 });
	if (o->variables)
		read_variables(e);
	return read_given(e, o);
}

void environment_free(struct environment *e)
{
	if (!e)
		return;
	interner_release(&e->names);
	vec_release(&e->rows);
	map_release(&e->row_of);
	vec_release(&e->used);
	map_release(&e->used_of);
	arena_release(&e->mem);
	free(e);
}

const struct settings *environment_settings(struct environment *e)
{
	if (!e->has_asked && e->jdk)
		read_jvm(e);
	e->has_asked = true;
	map_release(&e->used_of);
	e->used_of = (struct map){ 0 };
	vec_clear(&e->used);
	return &e->settings;
}

static int by_name(const void *x, const void *y)
{
	const struct report_setting *a = x, *b = y;
	int c = strcmp(a->kind, b->kind);

	return c ? c : str_cmp(a->name, b->name);
}

struct report_settings environment_used(const struct environment *e)
{
	if (!e)
		return (struct report_settings){ 0 };
	if (e->used.len)
		qsort(e->used.data, e->used.len, sizeof(*e->used.data), by_name);
	return (struct report_settings){ e->used.data, e->used.len };
}
