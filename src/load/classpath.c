/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "load/classpath.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ARTIFACTS 10000      /* manifests can name each other without end */
#define MANIFEST_ENTRIES 100000u      /* of all directories that manifests name: more than projects have, less than systems */
#define NESTED_MB 64u
#define NESTED_RATIO 16u

void classpath_init(struct classpath *cp)
{
	*cp = (struct classpath){ .entries_left = MANIFEST_ENTRIES, .nested_limit = NESTED_MB << 20 };
	arena_init(&cp->mem);
	vec_push(&cp->archives, NULL);
	vec_push(&cp->asked_by, 0);
}

void classpath_release(struct classpath *cp)
{
	for (uint32_t i = 1; i < cp->archives.len; i++)
		archive_close(cp->archives.data[i]);
	vec_release(&cp->archives);
	vec_release(&cp->asked_by);
	vec_release(&cp->files);
	arena_release(&cp->mem);
}

static bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* "17.0.15" is 17; "1.8.0_402" is 8. */
static int feature_version(const char *version)
{
	int major = atoi(version);

	return major == 1 && version[1] == '.' ? atoi(version + 2) : major;
}

int jdk_release(const char *jdk)
{
	char path[PATH_MAX], line[256];
	int version = 0;

	snprintf(path, sizeof(path), "%s/release", jdk);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "JAVA_VERSION=\"", 14) == 0)
			version = feature_version(line + 14);
	if (f)
		fclose(f);
	if (version > 0)
		return version;
	snprintf(path, sizeof(path), "%s/jre/lib/rt.jar", jdk);
	return file_exists(path) ? 8 : 0;
}

/* False: the file was there before, under whatever name: manifests can lead in circles. */
static bool remember_file(struct classpath *cp, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return true;
	for (uint32_t i = 0; i < cp->files.len; i++)
		if (cp->files.data[i].dev == (uint64_t)st.st_dev && cp->files.data[i].ino == (uint64_t)st.st_ino)
			return false;
	vec_push(&cp->files, ((struct file_id){ (uint64_t)st.st_dev, (uint64_t)st.st_ino }));
	return true;
}

static void push_archive(struct classpath *cp, struct archive *a, uint32_t asked_by)
{
	vec_push(&cp->archives, a);
	vec_push(&cp->asked_by, asked_by);
}

static bool add_archive(struct classpath *cp, const char *path, int release, struct diag *d)
{
	if (!remember_file(cp, path) || cp->archives.len > MAX_ARTIFACTS)
		return true;
	struct archive *a = archive_open(path, release, d);
	if (a)
		push_archive(cp, a, 0);
	return a != NULL;
}

bool classpath_add_jdk(struct classpath *cp, const char *jdk, int release, struct diag *d)
{
	static const char *const layouts[][4] = {
		{ "lib/modules" },
		{ "jre/lib/rt.jar", "jre/lib/jce.jar", "jre/lib/jsse.jar", "jre/lib/charsets.jar" },
		{ "lib/rt.jar", "lib/jce.jar", "lib/jsse.jar", "lib/charsets.jar" },
	};
	char path[PATH_MAX];

	for (size_t k = 0; k < ARRAY_LEN(layouts); k++) {
		snprintf(path, sizeof(path), "%s/%s", jdk, layouts[k][0]);
		if (!file_exists(path))
			continue;
		for (size_t i = 0; i < 4 && layouts[k][i]; i++) {
			snprintf(path, sizeof(path), "%s/%s", jdk, layouts[k][i]);
			if ((i == 0 || file_exists(path)) && !add_archive(cp, path, release, d))
				return false;
		}
		cp->njdk = cp->archives.len - 1;
		return true;
	}
	diag_add(d, DIAG_E042, jdk, STR(""), DIAG_NO_OFFSET,
		 "neither lib/modules nor rt.jar is here; name a JDK with --jdk, or use --jdk none");
	return false;
}

/* Nested jars of an uber-jar or web archive. */
struct nested {
	struct classpath *cp;
	struct archive *outer;
	int release;
	struct diag *d;
};

/* Nested jars hold class files, which deflate packs to a third; those that take much more of memory than of the disk were made for
 * that. Plainly stored ones count, too: entries may share their bytes, tables of what is in them do not. */
static bool is_affordable(struct nested *n, uint32_t entry, struct str name)
{
	uint64_t size = archive_entry_size(n->outer, entry);

	if (size > n->cp->nested_limit - n->cp->nested) {
		diag_add(n->d, DIAG_E005, archive_path(n->outer), name, DIAG_NO_OFFSET,
			 "nested jars of a run may have %u MB and %u times the size of the jars they are in, here %" PRIu64
			 " MB in all: it is passed over; to have it analysed, unpack it and add it to --class-path",
			 NESTED_MB, NESTED_RATIO, n->cp->nested_limit >> 20);
		return false;
	}
	n->cp->nested += size;
	return true;
}

static void add_nested(void *ctx, uint32_t entry)
{
	struct nested *n = ctx;
	struct strbuf name = { 0 }, path = { 0 };
	struct str inner = archive_entry_name(n->outer, entry, &name);
	struct span bytes;

	if (n->cp->archives.len <= MAX_ARTIFACTS && is_affordable(n, entry, inner) &&
	    archive_read(n->outer, entry, &n->cp->mem, &bytes, n->d)) {
		strbuf_addf(&path, "%s!%.*s", archive_path(n->outer), (int)inner.len, inner.p);
		struct archive *a = archive_open_bytes(bytes, path.s, n->release, n->d);
		if (a)
			push_archive(n->cp, a, 0);
	}
	strbuf_release(&name);
	strbuf_release(&path);
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The path of a URL, %xx decoded, in `mem`. */
static char *path_of_url(struct arena *mem, struct str url)
{
	char *path = arena_alloc(mem, (size_t)url.len + 1), *at = path;

	for (uint32_t i = 0; i < url.len; i++) {
		bool coded = url.p[i] == '%' && i + 2 < url.len && hex_digit(url.p[i + 1]) >= 0 && hex_digit(url.p[i + 2]) >= 0;
		*at++ = (char)(coded ? hex_digit(url.p[i + 1]) << 4 | hex_digit(url.p[i + 2]) : url.p[i]);
		i += coded ? 2 : 0;
	}
	*at = 0;
	return path;
}

/* What the JVM makes of an item (URLClassPath.JarLoader.tryResolve, since JDK 11): a URL relative to the jar's, or a file: URL, which
 * is as good as relative when it has no slash; others are passed over. An absolute path is fine. The host is of no account in the
 * name of a directory, which ends with a slash; in that of a jar it must be this one. Empty: not taken. */
static struct str path_in_item(struct str item)
{
	static const char scheme[] = "file:";
	uint32_t i = 0, n = sizeof(scheme) - 1;

	while (i < item.len && item.p[i] != '#')
		i++;
	item.len = i;                         /* the rest is a fragment */
	if (item.len >= n && strncasecmp(item.p, scheme, n) == 0)
		item = str_sub(item, n, item.len);
	for (i = 0; i < item.len && item.p[i] != '/'; i++)
		if (item.p[i] == ':')
			return STR("");       /* of another scheme */
	if (!str_starts(item, "//"))
		return item;
	for (i = 2; i < item.len && item.p[i] != '/'; i++)
		;
	struct str host = str_sub(item, 2, i);
	bool is_here = host.len == 0 || (host.len == 9 && strncasecmp(host.p, "localhost", 9) == 0);
	return is_here || str_ends(item, "/") ? str_sub(item, i, item.len) : STR("");
}

/* The folder, with a slash, or "", against which a jar's manifest is read. The JVM follows links to jars on the class path first, but not
 * to those that manifests name. */
static const char *folder_of(struct classpath *cp, uint32_t artifact)
{
	const char *path = archive_path(cp->archives.data[artifact]), *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 0;
	char *given = arena_copy(&cp->mem, path, n + 1), real[PATH_MAX], real_folder[PATH_MAX];

	given[n] = 0;
	if (cp->asked_by.data[artifact] || !realpath(path, real) || !realpath(n ? given : ".", real_folder))
		return given;
	strrchr(real, '/')[1] = 0;
	n = strlen(real_folder);
	if (strncmp(real, real_folder, n) == 0 && (strcmp(real + n, "/") == 0 || !real[n]))
		return given;
	return arena_strdup(&cp->mem, real);
}

/* Is there something that the JVM would take? Looking at what it is comes before opening it: devices do not like that. */
static bool is_usable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (str_ends(str_of(path), "/") ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
}

static void add_asked(struct classpath *cp, uint32_t by, const char *path, int release, struct diag *d)
{
	if (!is_usable(path) || !remember_file(cp, path) || cp->archives.len > MAX_ARTIFACTS)
		return;
	struct archive *a = archive_open_within(path, release, &cp->entries_left, d);
	if (!a)
		return;
	push_archive(cp, a, by);
	if (archive_kind(a) == ARCHIVE_DIR && cp->entries_left == 0)
		diag_add(d, DIAG_E008, archive_path(cp->archives.data[by]), STR(""), DIAG_NO_OFFSET,
			 "its manifest adds %s; directories that manifests name may have %u files and folders in all, the rest is left out: add it "
			 "to --class-path if it is meant, or say --no-manifest-class-path", path, MANIFEST_ENTRIES);
}

/* Class-Path of a manifest: URLs, separated by blanks. Names that do not exist are passed over, as the JVM does. */
static void add_manifest_path(struct classpath *cp, uint32_t artifact, int release, struct diag *d)
{
	char path[PATH_MAX];
	struct str value;

	if (cp->no_manifests || !archive_manifest(cp->archives.data[artifact], "Class-Path", &cp->mem, &value))
		return;
	const char *folder = folder_of(cp, artifact);
	for (uint32_t i = 0, end; i < value.len; i = end + 1) {
		for (end = i; end < value.len && value.p[end] != ' ' && value.p[end] != '\t'; end++)
			;
		struct str item = path_in_item(str_sub(value, i, end));
		if (item.len == 0 || item.len + strlen(folder) >= PATH_MAX)
			continue;
		snprintf(path, sizeof(path), "%s%s", item.p[0] == '/' ? "" : folder, path_of_url(&cp->mem, item));
		add_asked(cp, artifact, path, release, d);
	}
}

static void add_element(struct classpath *cp, const char *path, int release, struct diag *d)
{
	uint32_t first = cp->archives.len;

	add_archive(cp, path, release, d);
	for (uint32_t i = first; i < cp->archives.len; i++) {
		struct archive *a = cp->archives.data[i];
		if (archive_kind(a) != ARCHIVE_ZIP)
			continue;
		add_manifest_path(cp, i, release, d);
		struct nested n = { cp, a, release, d };
		if (strchr(archive_path(a), '!'))
			continue;
		cp->nested_limit += NESTED_RATIO * archive_size(a);
		archive_nested(a, add_nested, &n);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* `dir/` + `*`: every .jar file of the directory, by name. */
static void add_wildcard(struct classpath *cp, const char *dir, int release, struct diag *d)
{
	VEC(char *) names = { 0 };
	char path[PATH_MAX];
	DIR *dp = opendir(dir);

	if (!dp)
		diag_add(d, DIAG_E001, dir, STR(""), DIAG_NO_OFFSET, "the directory cannot be read");
	for (struct dirent *e; dp && (e = readdir(dp)) != NULL;)
		if (str_ends(str_of(e->d_name), ".jar") || str_ends(str_of(e->d_name), ".JAR"))
			vec_push(&names, arena_strdup(&cp->mem, e->d_name));
	if (dp)
		closedir(dp);
	if (names.len)
		qsort(names.data, names.len, sizeof(char *), by_name);
	for (uint32_t i = 0; i < names.len; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names.data[i]);
		add_element(cp, path, release, d);
	}
	vec_release(&names);
}

void classpath_add(struct classpath *cp, const char *path, int release, struct diag *d)
{
	for (const char *p = path, *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, ":");
		if (end == p)
			continue;
		char *element = arena_copy(&cp->mem, p, (size_t)(end - p) + 1);
		size_t n = (size_t)(end - p);
		element[n] = 0;
		if (n >= 1 && element[n - 1] == '*' && (n == 1 || element[n - 2] == '/')) {
			element[n > 1 ? n - 2 : 0] = 0;
			add_wildcard(cp, n > 2 ? element : n == 1 ? "." : "/", release, d);
		} else {
			add_element(cp, element, release, d);
		}
	}
}

struct class_location classpath_find(const struct classpath *cp, struct str name)
{
	for (uint32_t i = 1; i < cp->archives.len; i++) {
		uint32_t e = archive_find_class(cp->archives.data[i], name);
		if (e)
			return (struct class_location){ i, e };
	}
	return (struct class_location){ 0, 0 };
}
