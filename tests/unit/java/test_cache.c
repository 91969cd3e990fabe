// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load
/* test_cache.c - one run learns two classes, later runs load them from files that are whole, old or damaged. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../fuzz/cache_seal.h"
#include "../formats/codeclass.h"

enum { HOST_ENTRY = 3, MEMBER_ENTRY = 5, ENTRIES = 6 };

/* A run: a program, its diagnostics and the cache of the artifact in the folder of the test. */

struct run {
	struct program p;
	struct diag d;
	struct cache *k;
	struct arena mem;
	struct unit unit;
	class_id host, member;
};

static char folder[] = "/tmp/test_cache.XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_text(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

/* The class file of a/Host: abstract, with methods run (code), other (code) and none, and NestMembers. */

static void put_method(struct strbuf *b, unsigned access, unsigned name, bool code)
{
	cc_put(b, access, 2);
	cc_put(b, name, 2);
	cc_put(b, 9, 2);
	cc_put(b, code, 2);
	if (!code)
		return;
	cc_put(b, 10, 2);
	cc_put(b, 13, 4);
	cc_put(b, 0x00010001, 4);
	cc_put(b, 1, 4);
	cc_put(b, 0xb1, 1);
	cc_put(b, 0, 4);
}

static struct span host_file(struct arena *mem)
{
	struct strbuf b = { 0 };

	cc_put(&b, 0xcafebabe, 4);
	cc_put(&b, 61, 4);
	cc_put(&b, 13, 2);
	cc_utf8(&b, "a/Host");
	cc_one(&b, CP_CLASS, 1);
	cc_utf8(&b, "java/lang/Object");
	cc_one(&b, CP_CLASS, 3);
	cc_utf8(&b, "NestMembers");
	cc_utf8(&b, "a/Host$Member");
	cc_one(&b, CP_CLASS, 6);
	cc_utf8(&b, "run");
	cc_utf8(&b, "()V");
	cc_utf8(&b, "Code");
	cc_utf8(&b, "other");
	cc_utf8(&b, "none");
	cc_put(&b, ACC_ABSTRACT | ACC_SUPER, 2);
	cc_put(&b, 2, 2);
	cc_put(&b, 4, 2);
	cc_put(&b, 0, 4);
	cc_put(&b, 3, 2);
	put_method(&b, ACC_PUBLIC, 8, true);
	put_method(&b, ACC_PROTECTED, 11, true);
	put_method(&b, ACC_ABSTRACT, 12, false);
	cc_put(&b, 1, 2);
	cc_put(&b, 5, 2);
	cc_put(&b, 4, 4);
	cc_put(&b, 1, 2);
	cc_put(&b, 7, 2);
	struct span bytes = { arena_copy(mem, b.s, b.len), b.len };
	strbuf_release(&b);
	return bytes;
}

static void run_start(struct run *r)
{
	*r = (struct run){ 0 };
	diag_init(&r->d);
	program_init(&r->p, &r->d);
	arena_init(&r->mem);
	assert_true(classfile_parse(&r->unit.cf, host_file(&r->mem), &r->mem, "modules", STR("a/Host"), &r->d));
	r->p.release = 17;
	r->host = program_class(&r->p, STR("a/Host"));
	r->member = program_class(&r->p, STR("a/Host$Member"));
	r->k = cache_open(&r->p, in_folder("modules"), ENTRIES);
	assert_non_null(r->k);
}

static void run_end(struct run *r)
{
	program_release(&r->p);
	cache_free(r->k);
	arena_release(&r->mem);
	diag_release(&r->d);
}

static void remove_files(const char *path)
{
	char file[512];
	DIR *d = opendir(path);

	for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
		snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		if (e->d_name[0] != '.')
			remove(file);
	}
	if (d)
		closedir(d);
}

static int remove_folder(void **state)
{
	(void)state;
	remove_files(in_folder("sherd"));
	remove_files(folder);
	return rmdir(folder);
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(strrchr(folder, '.'), ".XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

/* An artifact and no cache. */
static void start_anew(void)
{
	remove_files(in_folder("sherd"));
	assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
	write_text(in_folder("modules"), "image", 5);
}

/* What the loader would do. */

static method_id host_method(struct run *r, const char *name)
{
	return program_declared(&r->p, r->host, program_sel(&r->p, str_of(name), STR("()V")));
}

static void load_host(struct run *r)
{
	struct program *p = &r->p;
	class_id *interfaces = arena_array(&p->mem, class_id, 1);

	interfaces[0] = program_class(p, STR("a/Face"));
	struct ir_class *row = class_row(p, r->host);
	row->flags = ACC_ABSTRACT | ACC_SUPER;
	row->super = p->object;
	row->interfaces = interfaces;
	row->ninterfaces = 1;
	row->is_sealed = 1;
	row->state = LOAD_DONE;
	program_add_field(p, r->host, program_sel(p, STR("f"), STR("I")), ACC_STATIC);
	program_add_method(p, r->host, program_sel(p, STR("run"), STR("()V")), ACC_PUBLIC, 0);
	program_add_method(p, r->host, program_sel(p, STR("other"), STR("()V")), ACC_PROTECTED, 1);
	program_add_method(p, r->host, program_sel(p, STR("none"), STR("()V")), ACC_ABSTRACT, 2);
	cache_learn_class(r->k, r->host, HOST_ENTRY, &r->unit);
}

static void load_member(struct run *r)
{
	struct ir_class *row = class_row(&r->p, r->member);

	row->super = r->host;
	row->outer = row->nest_host = r->host;
	row->is_record = 1;
	row->state = LOAD_DONE;
	cache_learn_class(r->k, r->member, MEMBER_ENTRY, &r->unit);
}

static void learn(struct run *r, const char *method, const struct ir_stmt *stmts, uint32_t n)
{
	struct ir_body b = { .stmts = stmts, .nstmts = n };

	cache_learn_outline(r->k, host_method(r, method), &b);
}

static void learn_run(struct run *r)
{
	struct program *p = &r->p;
	sel_id call = program_sel(p, STR("call"), STR("(I)V")), field = program_sel(p, STR("g"), STR("J"));
	class_id face = program_class(p, STR("a/Face"));
	struct ir_stmt stmts[] = {
		{ .op = IR_CALL_INTERFACE, .pc = 7, .ref = program_mref(p, face, call, true).i },
		{ .op = IR_CALL_STATIC, .sub = 1, .pc = 9, .ref = program_mref(p, face, call, false).i },
		{ .op = IR_GETSTATIC, .pc = 65534, .ref = program_fref(p, r->host, field).i },
		{ .op = IR_NEW, .ref = program_class(p, STR("a/Other")).i },
		{ .op = IR_CONST_MTYPE, .ref = intern(&p->strings, STR("()J")).i },
		{ .op = IR_CONST_STRING },
		{ .op = IR_CONST_HANDLE, .sub = 2, .ref = program_fref(p, face, field).i },
		{ .op = IR_CONST_HANDLE, .sub = 5, .ref = program_mref(p, face, call, false).i },
	};

	learn(r, "run", stmts, ARRAY_LEN(stmts));
}

static void save_first(void)
{
	struct run r;

	run_start(&r);
	assert_false(cache_load(r.k, r.host, HOST_ENTRY));
	load_host(&r);
	learn_run(&r);
	cache_save(r.k);
	assert_int_equal(r.d.warnings, 0);
	run_end(&r);
}

static void expect_mref(struct run *r, const struct ir_stmt *s, const char *text)
{
	struct strbuf b = { 0 };

	print_mref(&r->p, (mref_id){ s->ref }, &b);
	assert_string_equal(b.s, text);
	strbuf_release(&b);
}

static void expect_run(struct run *r)
{
	struct ir_body b;

	assert_int_equal(cache_outline(r->k, host_method(r, "run"), &r->mem, &b), CACHE_OUTLINE);
	assert_int_equal(b.nstmts, 8);
	assert_int_equal(b.stmts[0].op, IR_CALL_INTERFACE);
	assert_int_equal(b.stmts[0].pc, 7);
	assert_int_equal(mref_row(&r->p, (mref_id){ b.stmts[0].ref })->is_interface, 1);
	expect_mref(r, &b.stmts[0], "a.Face.call(I)V");
	assert_int_equal(b.stmts[1].sub, 1);
	assert_int_equal(mref_row(&r->p, (mref_id){ b.stmts[1].ref })->is_interface, 0);
	assert_int_equal(b.stmts[2].pc, 65534);
	assert_int_equal(fref_row(&r->p, (fref_id){ b.stmts[2].ref })->owner.i, r->host.i);
	assert_int_equal(b.stmts[3].ref, program_class(&r->p, STR("a/Other")).i);
	assert_int_equal(b.stmts[4].ref, intern(&r->p.strings, STR("()J")).i);
	assert_int_equal(b.stmts[5].ref, 0);
	assert_int_equal(b.stmts[6].ref, program_fref(&r->p, program_class(&r->p, STR("a/Face")),
						      program_sel(&r->p, STR("g"), STR("J"))).i);
	expect_mref(r, &b.stmts[7], "a.Face.call(I)V");
}

static void expect_host(struct run *r)
{
	const struct ir_class *row = class_row(&r->p, r->host);
	struct ir_body b;
	bool listed;

	assert_int_equal(row->flags, ACC_ABSTRACT | ACC_SUPER);
	assert_int_equal(row->super.i, r->p.object.i);
	assert_int_equal(row->nest_host.i, r->host.i);
	assert_int_equal(row->outer.i, 0);
	assert_int_equal(row->ninterfaces, 1);
	assert_true(str_is(class_name(&r->p, row->interfaces[0]), "a/Face"));
	assert_int_equal(row->is_sealed, 1);
	assert_int_equal(row->is_record, 0);
	assert_int_equal(row->nfields, 1);
	assert_int_equal(row->nmethods, 3);
	assert_int_equal(method_row(&r->p, host_method(r, "other"))->index, 1);
	assert_int_equal(method_row(&r->p, host_method(r, "other"))->flags, ACC_PROTECTED);
	assert_int_equal(cache_outline(r->k, host_method(r, "none"), &r->mem, &b), CACHE_NO_CODE);
	assert_true(cache_nest(r->k, r->host, r->member, &listed));
	assert_true(listed);
	assert_true(cache_nest(r->k, r->host, r->host, &listed));
	assert_false(listed);
	expect_run(r);
}

static void load_comes_back(void **state)
{
	struct run r;
	struct ir_body b;

	(void)state;
	start_anew();
	save_first();
	run_start(&r);
	assert_false(cache_load(r.k, r.member, MEMBER_ENTRY));
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	expect_host(&r);
	assert_int_equal(cache_outline(r.k, host_method(&r, "other"), &r.mem, &b), CACHE_UNKNOWN);
	assert_int_equal(r.d.warnings, 0);
	run_end(&r);
}

/* A second run adds a class, and an outline to a class that is there. */
static void news_are_added(void **state)
{
	struct run r;
	struct ir_body b;

	(void)state;
	start_anew();
	save_first();
	run_start(&r);
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	class_row(&r.p, r.host)->state = LOAD_DONE;
	load_member(&r);
	struct ir_stmt make = { .op = IR_NEW, .pc = 1, .ref = r.member.i };
	learn(&r, "other", &make, 1);
	cache_save(r.k);
	run_end(&r);
	run_start(&r);
	assert_true(cache_load(r.k, r.member, MEMBER_ENTRY));
	assert_int_equal(class_row(&r.p, r.member)->outer.i, r.host.i);
	assert_int_equal(class_row(&r.p, r.member)->nest_host.i, r.host.i);
	assert_int_equal(class_row(&r.p, r.member)->is_record, 1);
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	expect_host(&r);
	assert_int_equal(cache_outline(r.k, host_method(&r, "other"), &r.mem, &b), CACHE_OUTLINE);
	assert_int_equal(b.stmts[0].ref, r.member.i);
	run_end(&r);
}

/* Synthetic classes are made anew in each run, and unknown bootstraps have rows of their body. */
static void some_outlines_are_not_kept(void **state)
{
	struct run r;
	struct ir_body b;

	(void)state;
	start_anew();
	run_start(&r);
	load_host(&r);
	class_id lambda = program_class(&r.p, STR("a/Host$$Lambda"));
	class_row(&r.p, lambda)->kind = CLASS_SYNTHETIC;
	struct ir_stmt make = { .op = IR_NEW, .ref = lambda.i }, dynamic = { .op = IR_CALL_DYNAMIC };
	learn(&r, "run", &make, 1);
	learn(&r, "other", &dynamic, 1);
	cache_save(r.k);
	run_end(&r);
	run_start(&r);
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	assert_int_equal(cache_outline(r.k, host_method(&r, "run"), &r.mem, &b), CACHE_UNKNOWN);
	assert_int_equal(cache_outline(r.k, host_method(&r, "other"), &r.mem, &b), CACHE_UNKNOWN);
	run_end(&r);
}

/* Only the content counts, whatever the time stamp says; but the content is read again when that changes. */
static void content_decides(void **state)
{
	struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct run r;

	(void)state;
	start_anew();
	save_first();
	assert_int_equal(utimensat(AT_FDCWD, in_folder("modules"), times, 0), 0);
	run_start(&r);
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	run_end(&r);
	write_text(in_folder("modules"), "IMAGE", 5);
	run_start(&r);
	assert_false(cache_load(r.k, r.host, HOST_ENTRY));
	assert_int_equal(r.d.warnings, 0);
	run_end(&r);
}

static void link_errors_are_not_kept(void **state)
{
	struct run r;

	(void)state;
	start_anew();
	run_start(&r);
	load_host(&r);
	class_row(&r.p, r.host)->link_error = LINK_CYCLE;
	cache_save(r.k);
	run_end(&r);
	run_start(&r);
	assert_false(cache_load(r.k, r.host, HOST_ENTRY));
	run_end(&r);
}

static void no_place_is_silent(void **state)
{
	struct run r;

	(void)state;
	start_anew();
	assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
	run_start(&r);
	load_host(&r);
	learn_run(&r);
	cache_save(r.k);
	assert_int_equal(r.d.entries.len, 0);
	run_end(&r);
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("HOME");
	struct program p;
	program_init(&p, NULL);
	assert_null(cache_open(&p, in_folder("modules"), ENTRIES));
	program_release(&p);
}

/* Damage: the file of save_first(), changed. */

static uint8_t *read_cache(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = mem_alloc(1 << 16);

	assert_non_null(f);
	*len = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	return bytes;
}

static char *first_file(void)
{
	struct run r;

	start_anew();
	save_first();
	run_start(&r);
	char *path = strcpy(mem_alloc(strlen(r.k->path) + 1), r.k->path);
	run_end(&r);
	return path;
}

/* Either everything is as it was, or there is one warning, nothing wrong is loaded, and the file is replaced. */
static void run_damaged(void)
{
	struct run r;
	struct ir_body b;

	run_start(&r);
	bool loaded = cache_load(r.k, r.host, HOST_ENTRY);
	if (loaded && cache_outline(r.k, host_method(&r, "run"), &r.mem, &b) == CACHE_OUTLINE)
		expect_host(&r);
	else if (!loaded)
		load_host(&r);
	assert_true(loaded || r.d.warnings == 1);
	cache_save(r.k);
	run_end(&r);
	run_start(&r);
	assert_int_equal(r.d.warnings, 0);
	assert_true(cache_load(r.k, r.host, HOST_ENTRY));
	run_end(&r);
}

static void damage_is_met(void **state)
{
	char *path = first_file();
	size_t len;
	uint8_t *bytes = read_cache(path, &len);

	(void)state;
	for (size_t cut = 0; cut < len; cut++) {
		write_text(path, bytes, cut);
		run_damaged();
	}
	for (size_t i = 0; i < len; i++) {
		bytes[i] ^= (uint8_t)(1u << i % 8);
		write_text(path, bytes, len);
		run_damaged();
		bytes[i] ^= (uint8_t)(1u << i % 8);
	}
	free(bytes);
	free(path);
}

/* Numbers that lie behind checksums that are right: nothing is read outside, whatever comes out. */
static void run_forged(void)
{
	struct run r;
	struct ir_body b;
	bool listed;

	run_start(&r);
	if (cache_load(r.k, r.host, HOST_ENTRY)) {
		struct ir_class row = *class_row(&r.p, r.host);
		for (uint32_t i = 0; i < row.nmethods; i++)
			cache_outline(r.k, (method_id){ row.first_method + i }, &r.mem, &b);
		cache_nest(r.k, r.host, r.member, &listed);
		class_row(&r.p, r.host)->state = LOAD_DONE;
	}
	load_member(&r);
	cache_save(r.k);
	run_end(&r);
}

static void forgery_is_survived(void **state)
{
	static const uint32_t values[] = { 0, 1, 7, 0x10000, UINT32_MAX };
	char *path = first_file();
	size_t len;
	uint8_t *bytes = read_cache(path, &len);

	(void)state;
	for (size_t at = sizeof(struct cache_header); at + 4 <= len; at += 4)
		for (size_t v = 0; v < ARRAY_LEN(values); v++) {
			uint8_t *forged = memcpy(mem_alloc(len), bytes, len);
			memcpy(forged + at, &values[v], 4);
			seal_cache(forged, len);
			write_text(path, forged, len);
			run_forged();
			free(forged);
		}
	free(bytes);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_comes_back),     cmocka_unit_test(news_are_added),
		cmocka_unit_test(some_outlines_are_not_kept), cmocka_unit_test(content_decides),
		cmocka_unit_test(link_errors_are_not_kept),   cmocka_unit_test(damage_is_met),
		cmocka_unit_test(forgery_is_survived), cmocka_unit_test(no_place_is_silent),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
