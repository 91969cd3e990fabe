/* SPDX-License-Identifier: Apache-2.0 */
/* dir.c - a directory of class files. Links to directories are followed, as the JVM does, except back to
 * a directory that holds them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/archive/archive_p.h"

#define MAX_DEPTH 256
#define MAX_FILES (4u << 20)          /* links can make exponentially many paths */

struct folder {
	struct str path;              /* "" or "a/b/" */
	uint32_t parent;              /* its index; the root is its own parent */
	uint32_t depth;
	dev_t dev;
	ino_t ino;
};

struct dir {
	struct archive base;
	int root;                     /* file descriptor */
	struct arena text;
	VEC(struct str) names;        /* terminated by a NUL */
};

struct walk {
	struct dir *dir;
	VEC(struct folder) folders;   /* those to visit follow those visited */
	struct diag *d;
	uint32_t *left;               /* NULL: MAX_FILES is the only limit */
	bool full;
};

static struct str join(struct arena *text, struct str folder, const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);
	char *s = arena_alloc(text, folder.len + n + m + 1);

	memcpy(s, folder.p, folder.len);
	memcpy(s + folder.len, name, n);
	memcpy(s + folder.len + n, end, m + 1);
	return (struct str){ s, (uint32_t)(folder.len + n + m) };
}

static bool holds_itself(const struct walk *w, uint32_t folder, const struct stat *st)
{
	for (uint32_t f = folder;; f = w->folders.data[f].parent) {
		if (w->folders.data[f].dev == st->st_dev && w->folders.data[f].ino == st->st_ino)
			return true;
		if (f == 0)
			return false;
	}
}

static void add_folder(struct walk *w, uint32_t parent, const char *name, const struct stat *st)
{
	struct folder *p = &w->folders.data[parent];
	struct folder f = { .parent = parent, .depth = p->depth + 1, .dev = st->st_dev, .ino = st->st_ino };

	if (holds_itself(w, parent, st))
		return;
	f.path = join(&w->dir->text, p->path, name, "/");
	if (f.depth > MAX_DEPTH)
		diag_add(w->d, DIAG_E004, w->dir->base.path, f.path, DIAG_NO_OFFSET, "folders nested too deeply");
	else
		vec_push(&w->folders, f);
}

static void visit(struct walk *w, uint32_t folder, int fd, const char *name)
{
	struct stat st;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || fstatat(fd, name, &st, 0) != 0)
		return;
	if (w->folders.len + w->dir->names.len >= MAX_FILES || (w->left && *w->left == 0)) {
		w->full = true;
		return;
	}
	if (w->left)
		--*w->left;
	if (S_ISDIR(st.st_mode))
		add_folder(w, folder, name, &st);
	else if (S_ISREG(st.st_mode))
		vec_push(&w->dir->names, join(&w->dir->text, w->folders.data[folder].path, name, ""));
}

static void list_folder(struct walk *w, uint32_t folder)
{
	struct str path = w->folders.data[folder].path;
	int fd = openat(w->dir->root, path.len ? path.p : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		diag_add(w->d, DIAG_E004, w->dir->base.path, path, DIAG_NO_OFFSET, "%s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	for (struct dirent *f; !w->full && (f = readdir(dir)) != NULL;)
		visit(w, folder, fd, f->d_name);
	closedir(dir);
}

static int compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void list_all(struct dir *dir, uint32_t *left, struct diag *d)
{
	struct walk w = { .dir = dir, .left = left, .d = d };
	struct stat st;
	struct folder root = { .path = STR("") };

	if (fstat(dir->root, &st) == 0) {
		root.dev = st.st_dev;
		root.ino = st.st_ino;
	}
	vec_push(&w.folders, root);
	for (uint32_t f = 0; f < w.folders.len && !w.full; f++)
		list_folder(&w, f);
	if (w.full && !left)
		archive_fails(dir->base.path, DIAG_E003, DIAG_NO_OFFSET, "too many files: the rest is ignored", d);
	if (dir->names.len)
		qsort(dir->names.data, dir->names.len, sizeof(*dir->names.data), compare_names);
	vec_release(&w.folders);
}

static void index_names(struct dir *dir)
{
	name_index_init(&dir->base.names, dir->names.len);
	for (uint32_t e = 1; e <= dir->names.len; e++) {
		struct str name = dir->names.data[e - 1];
		uint32_t *at = name_index_at(&dir->base.names, &dir->base, name, path_is);
		if (at && !*at)
			*at = e;
		if (path_is_manifest(name))
			dir->base.manifest = e;
	}
}

static struct str dir_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	(void)tmp;
	return ((const struct dir *)a)->names.data[e - 1];
}

static bool read_all(int fd, uint8_t *to, size_t n)
{
	while (n) {
		ssize_t got = read(fd, to, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

static bool read_file(const struct archive *a, uint32_t e, int fd, struct arena *mem, struct span *out,
		      struct diag *d)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return entry_fails(a, e, DIAG_E004, "no longer a regular file", d);
	if ((uint64_t)st.st_size > ARCHIVE_ENTRY_LIMIT)
		return entry_fails(a, e, DIAG_E005, "file is larger than 64 MiB", d);
	uint8_t *bytes = arena_alloc(mem, (size_t)st.st_size);
	if (!read_all(fd, bytes, (size_t)st.st_size))
		return entry_fails(a, e, DIAG_E004, "file cannot be read to its end", d);
	*out = (struct span){ bytes, (size_t)st.st_size };
	return true;
}

static bool dir_read(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d)
{
	const struct dir *dir = (const struct dir *)a;
	int fd = openat(dir->root, dir->names.data[e - 1].p, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return entry_fails(a, e, DIAG_E004, strerror(errno), d);
	bool ok = read_file(a, e, fd, mem, out, d);
	close(fd);
	return ok;
}

static void dir_close(struct archive *a)
{
	struct dir *dir = (struct dir *)a;

	close(dir->root);
	arena_release(&dir->text);
	vec_release(&dir->names);
}

static const struct archive_ops dir_ops = {
	.name = dir_name,
	.class_name = path_class_name,
	.defines = path_defines,
	.find = path_find,
	.read = dir_read,
	.close = dir_close,
};

struct archive *dir_open(const char *path, uint32_t *left, struct diag *d)
{
	int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (root < 0) {
		archive_fails(path, DIAG_E001, DIAG_NO_OFFSET, strerror(errno), d);
		return NULL;
	}
	struct dir *dir = mem_zalloc(sizeof(*dir));
	dir->base = (struct archive){ .ops = &dir_ops, .kind = ARCHIVE_DIR };
	dir->base.path = strcpy(mem_alloc(strlen(path) + 1), path);
	dir->root = root;
	list_all(dir, left, d);
	index_names(dir);
	dir->base.count = dir->names.len;
	archive_index_classes(&dir->base, d);
	return &dir->base;
}
