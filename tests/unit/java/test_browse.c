// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats ir load analysis report coverage session cir cmodel bitcode cli/chains
/* sherd chains --interactive, without a terminal: keys in, lines out; and files of filters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/chains/browse.h"
#include "java_case.h"
#include "report/write/screen.h"
#include "session/component/chain_filter.h"

/* The component is package a. `start` calls twice, and a method whose name means a lot to lists; `twice` calls `mid`, that calls
 * `leaf` and itself. A nested class has a method of the same name. */
static const char bodies[] =
	"method b/Main.main:()V {\n"
	"  call.static a/Top.start:()V () @1\n"
	"  call.static a/Top.other:()V () @2\n"
	"  return @3\n"
	"}\n"
	"method a/Top.start:()V {\n"
	"  call.static a/Top.twice:()V () @1\n"
	"  call.static a/Top.twice:()V () @2\n"
	"  call.static a/Top.leaf:()V () @3\n"
	"  return @4\n"
	"}\n"
	"method a/Top.other:()V {\n"
	"  call.static a/Top.mid:()V () @1\n"
	"  call.static a/Top$In.leaf:()V () @2\n"
	"  return @3\n"
	"}\n"
	"method a/Top.twice:()V {\n"
	"  call.static a/Top.mid:()V () @1\n"
	"  return @2\n"
	"}\n"
	"method a/Top.mid:()V {\n"
	"  call.static a/Top.leaf:()V () @1\n"
	"  call.static a/Top.mid:()V () @2\n"
	"  return @3\n"
	"}\n";

struct fixture {
	struct diag diag;
	struct program p;
	struct java_case java;
	struct hierarchy h;
	struct callgraph *g;
	struct map component;
	struct chains chains;
	struct browse b;
	method_id main, leaf, nested;
};

static uint32_t no_line(void *ctx ATTR_UNUSED, struct program *p ATTR_UNUSED, method_id m ATTR_UNUSED, uint32_t pc ATTR_UNUSED)
{
	return 0;
}

static void add_classes(struct fixture *f)
{
	class_id main = java_class(&f->java, "b/Main", "java/lang/Object");
	f->main = java_method(&f->java, main, "main", "()V", ACCESS_STATIC);
	class_id top = java_class(&f->java, "a/Top", "java/lang/Object");
	java_method(&f->java, top, "start", "()V", ACCESS_STATIC);
	java_method(&f->java, top, "other", "()V", ACCESS_STATIC);
	java_method(&f->java, top, "twice", "()V", ACCESS_STATIC);
	java_method(&f->java, top, "mid", "()V", ACCESS_STATIC);
	f->leaf = java_method(&f->java, top, "leaf", "()V", ACCESS_STATIC);
	class_id in = java_class(&f->java, "a/Top$In", "java/lang/Object");
	f->nested = java_method(&f->java, in, "leaf", "()V", ACCESS_STATIC);
	*map_at(&f->component, top.i) = 1;
	*map_at(&f->component, in.i) = 1;
}

static const struct chains_request by_site = { .granularity = CHAIN_SITE, .k = 3 };

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));
	struct cg_opt opt = { .algorithm = CG_RTA };
	struct cg_entries entries = { 0 };
	struct strbuf why = { 0 };

	diag_init(&f->diag);
	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	f->p.source.line = no_line;
	add_classes(f);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	vec_push(&entries.methods, f->main);
	f->g = callgraph_compute(&f->p, &entries, &opt);
	hierarchy_init(&f->h, &f->p);
	f->chains.graph = chain_graph_make(f->g, &f->h, &(struct chain_graph_opt){ &f->component, f->main, NULL });
	assert_true(chains_ask(&f->chains, &f->diag, &by_site, &why));
	browse_init(&f->b, &f->chains, &f->diag, "a.*", NULL);
	vec_release(&entries.methods);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	browse_release(&f->b);
	chains_release(&f->chains);
	hierarchy_release(&f->h);
	callgraph_free(f->g);
	map_release(&f->component);
	java_case_release(&f->java);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

static enum browse_wish press(struct browse *b, const char *keys)
{
	enum browse_wish last = BROWSE_GO_ON;

	for (; *keys; keys++)
		last = browse_key(b, (unsigned char)*keys);
	return last;
}

static uint64_t total(const struct fixture *f)
{
	return forest_total(f->chains.forest);
}

/* The chains that a request gives, of the same graph. */
static uint64_t asked(struct fixture *f, struct chains_request q)
{
	struct chains c = { .graph = f->chains.graph };
	struct strbuf why = { 0 };

	assert_true(chains_ask(&c, &f->diag, &q, &why));
	uint64_t n = forest_total(c.forest);
	forest_free(c.forest);
	chain_levels_release(&c.levels);
	return n;
}

static void expect_screen(struct browse *b, const char *part)
{
	struct strbuf out = { 0 };

	browse_draw(b, false, &out);
	if (!strstr(out.s, part))
		fail_msg("'%s' is not on\n%s", part, out.s);
	strbuf_release(&out);
}

static void expect_status(const struct browse *b, const char *part)
{
	if (!b->status.s || !strstr(b->status.s, part))
		fail_msg("'%s' is not in '%s'", part, b->status.s);
}

/* start: twice (2), its mid (2), below it leaf and mid (4), leaf (1): 9; other: mid, leaf, mid, leaf, mid, In.leaf: 6 */
static void trees_open_and_close(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	assert_int_equal(total(f), 15);
	assert_int_equal(b->rows.len, 2);
	expect_screen(b, "> + a.Top.start()");
	expect_screen(b, "15 chains in 2 trees");
	expect_screen(b, "By length   1: 5   2: 4   3: 6");
	press(b, " ");
	assert_int_equal(b->rows.len, 5);
	expect_screen(b, "@1  + Top.twice()");
	browse_key(b, KEY_RIGHT);              /* it is open: to the first call */
	assert_int_equal(b->cursor, 1);
	press(b, "\r");
	assert_int_equal(b->rows.len, 6);
	press(b, "\r\r\r");                    /* mid, then to its leaf, which has nothing below */
	assert_int_equal(b->rows.len, 8);
	assert_int_equal(b->rows.data[b->cursor].depth, 3);
	assert_false(b->rows.data[b->cursor].has_more);
	browse_key(b, KEY_LEFT);               /* to its caller, then close that */
	browse_key(b, KEY_LEFT);
	assert_int_equal(b->rows.len, 6);
	press(b, "g ");
	assert_int_equal(b->rows.len, 2);
	press(b, " ");                         /* what was open below is again */
	assert_int_equal(b->rows.len, 6);
}

static void counts_are_of_what_is_below(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;

	assert_int_equal(b->rows.data[0].chains, 9);
	assert_int_equal(b->rows.data[1].chains, 6);
	press(b, " ");
	assert_int_equal(b->rows.data[1].chains, 4);
	assert_int_equal(b->rows.data[3].chains, 1);
}

static void a_call_is_dropped_and_comes_back(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, " jd");
	assert_int_equal(total(f), asked(f, (struct chains_request){ .granularity = CHAIN_SITE, .k = 3,
								      .not_through = "a.Top.start(*)->a.Top.twice(*)" }));
	assert_int_equal(total(f), 7);
	expect_status(b, "7 chains, 8 fewer: dropped Top.start() -> Top.twice()");
	expect_screen(b, "not-through: 1");
	assert_int_equal(b->rows.len, 3);      /* both calls went; other has more now, and is first */
	assert_int_equal(b->cursor, 2);
	expect_screen(b, ">     @3    Top.leaf()");
	press(b, "u");
	assert_int_equal(total(f), 15);
	assert_int_equal(b->rows.len, 5);
	assert_int_equal(b->cursor, 1);
	assert_false(b->is_changed);
	press(b, "u");
	expect_status(b, "nothing to undo");
}

static void methods_and_trees_are_dropped(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, "  jd");                      /* the tree of other */
	assert_int_equal(total(f), 9);
	assert_int_equal(f->chains.forest->trees.len, 1);
	assert_int_equal(b->cursor, 0);
	press(b, "u/mid\rD");
	assert_int_equal(total(f), asked(f, (struct chains_request){ .granularity = CHAIN_SITE, .k = 3, .not_through = "a.Top.mid(*)" }));
	assert_int_equal(total(f), 4);
	press(b, "gd");
	press(b, "gd");
	assert_int_equal(b->rows.len, 0);
	expect_screen(b, "No chain is left");
	press(b, " dDtTejkGgnNo+-");           /* there is no row to do anything to */
	expect_screen(b, "No chain is left");
}

static void chains_are_kept(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, "je");
	assert_int_equal(total(f), 6);
	expect_status(b, "only from a.Top.other()");
	press(b, " jt");
	assert_int_equal(total(f), 5);
	press(b, "ut");
	press(b, "gjjT");                      /* no row there: the last one; mid within mid */
	assert_int_equal(b->now.filters.len, 3);
	press(b, "uuu");
	assert_int_equal(total(f), 15);
	press(b, "gj t");
	assert_int_equal(total(f), asked(f, (struct chains_request){ .granularity = CHAIN_SITE, .k = 3, .nthrough = 1,
								      .through = (const char *[]){ "a.Top.other(*)" } }));
}

static void contradictions_change_nothing(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, " jjjt");
	uint64_t n = total(f);
	press(b, "d");
	expect_status(b, "contradict");
	assert_int_equal(total(f), n);
	assert_int_equal(b->now.filters.len, 1);
}

static void lengths_change(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, "+");
	assert_int_equal(total(f), asked(f, (struct chains_request){ .granularity = CHAIN_SITE, .k = 4 }));
	expect_screen(b, "k 4");
	press(b, "---");
	assert_int_equal(total(f), 5);
	press(b, "-");
	expect_status(b, "one call at least");
	press(b, "uuuu");
	assert_int_equal(total(f), 15);
	for (int i = 0; i < 200; i++)
		press(b, "+");
	assert_int_equal(b->now.k, 203);
}

static void search_finds_what_is_closed(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;

	press(b, "/IN.LEAF\r");                /* capitals count */
	expect_status(b, "no call of a method with 'IN.LEAF'");
	press(b, "/in.leaf\r");
	assert_int_equal(b->rows.data[b->cursor].depth, 1);
	expect_screen(b, "    Top$In.leaf()");
	press(b, "g/mid\r");                   /* the visible one first */
	assert_int_equal(b->rows.data[b->cursor].depth, 1);
	assert_int_equal(b->rows.data[b->cursor].tree, b->rows.data[b->cursor - 1].tree);
	uint32_t rows = b->rows.len;
	press(b, "n");
	assert_true(b->rows.len > rows);       /* then below it */
	press(b, "G/zzz\x7f\x7f\x7fother\r");
	expect_screen(b, "> - a.Top.other()");
	press(b, "/twice\x1b");
	expect_screen(b, "> - a.Top.other()");
	press(b, "/start\r");
	expect_status(b, "from the other end");
	press(b, "N");
	expect_status(b, "from the other end");
}

static uint32_t count_leaves(const struct fixture *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->b.rows.len; i++) {
		const struct browse_row *r = &f->b.rows.data[i];
		uint32_t to = r->depth ? f->chains.graph->edges.data[r->edge].to : 0;
		n += to && (to == chain_node(f->chains.graph, f->leaf) || to == chain_node(f->chains.graph, f->nested));
	}
	return n;
}

/* There are six calls of leaf, of which none is visible at first. */
static void search_goes_through_all(void **state)
{
	struct fixture *f = *state;

	press(&f->b, "/leaf\rnnnnnnnnnnnn");
	assert_int_equal(count_leaves(f), 6);
	press(&f->b, "g h");
	press(&f->b, "G");
	browse_key(&f->b, KEY_LEFT);
	press(&f->b, "NNNNNNNNNNNN");
	assert_int_equal(count_leaves(f), 6);
}

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void expect_same_counts(const struct forest *a, const struct forest *b)
{
	assert_int_equal(forest_longest(a), forest_longest(b));
	for (uint32_t l = 1; l <= forest_longest(a); l++)
		assert_int_equal(forest_count(a, l), forest_count(b, l));
}

/* Saved, read, asked for: the same chains. */
static void expect_round_trip(struct fixture *f)
{
	char path[] = "/tmp/sherd-browse-XXXXXX";
	struct strbuf text = { 0 }, err = { 0 };
	struct filter_file file;
	struct chains c = { .graph = f->chains.graph };

	close(mkstemp(path));
	browse_text(&f->b, &text);
	write_text(path, text.s);
	assert_true(filter_file_read(path, &file, &err));
	struct chains_request q = { .granularity = CHAIN_SITE, .k = file.k, .filters = file.lines.data, .nfilters = file.lines.len };
	assert_true(chains_ask(&c, &f->diag, &q, &err));
	expect_same_counts(f->chains.forest, c.forest);
	forest_free(c.forest);
	chain_levels_release(&c.levels);
	filter_file_release(&file);
	strbuf_release(&text);
	unlink(path);
}

static void what_is_saved_gives_the_same_chains(void **state)
{
	struct fixture *f = *state;

	expect_round_trip(f);
	press(&f->b, "+/mid\rdgG");
	expect_round_trip(f);
	press(&f->b, "gtu+/twice\rtd");
	expect_round_trip(f);
	press(&f->b, "gd+");
	expect_round_trip(f);
	press(&f->b, "uuge");
	expect_round_trip(f);
}

static void saving_asks(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;

	assert_int_equal(press(b, "+q"), BROWSE_GO_ON);
	expect_status(b, "not saved");
	assert_int_equal(press(b, "jq"), BROWSE_GO_ON);
	press(b, "s");
	expect_screen(b, "save as: chains.filter_");
	assert_int_equal(press(b, "\x15mine\r"), BROWSE_SAVE);
	assert_string_equal(b->path.s, "mine");
	browse_ask_to_replace(b);
	expect_screen(b, "mine is there: replace it?");
	assert_int_equal(press(b, "n"), BROWSE_GO_ON);
	assert_int_equal(press(b, "s\x15mine\r"), BROWSE_SAVE);
	browse_saved(b, "disk full");
	expect_status(b, "cannot write mine: disk full");
	assert_true(b->is_changed);
	browse_saved(b, NULL);
	assert_false(b->is_changed);
	assert_int_equal(press(b, "s\r"), BROWSE_SAVE_OVER);       /* it is ours now */
	assert_int_equal(press(b, "q"), BROWSE_QUIT);
	press(b, "-");
	assert_int_equal(press(b, "qq"), BROWSE_QUIT);
}

static void filters_are_listed_and_removed(void **state)
{
	struct fixture *f = *state;
	struct browse *b = &f->b;

	press(b, " jd+F");
	expect_screen(b, "> not-through  Top.start() -> Top.twice()");
	press(b, "d");
	assert_int_equal(total(f), asked(f, (struct chains_request){ .granularity = CHAIN_SITE, .k = 4 }));
	expect_screen(b, "There are no filters.");
	press(b, "du");
	expect_screen(b, "> not-through  Top.start() -> Top.twice()");
	press(b, "q");
	assert_int_equal(b->mode, BROWSE_TREES);
	press(b, "?");
	expect_screen(b, "drop the method, wherever it is called");
	press(b, "q");
	assert_int_equal(b->mode, BROWSE_TREES);
}

static uint32_t widest(const char *text, uint32_t *lines)
{
	uint32_t most = 0;

	*lines = 0;
	for (const char *p = text, *end; p; p = *end ? end + 1 : NULL) {
		end = p + strcspn(p, "\n");
		uint32_t n = text_columns((struct str){ p, (uint32_t)(end - p) });
		most = n > most ? n : most;
		++*lines;
	}
	return most;
}

static void every_size_of_terminal_fits(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;
	static const char *const keys[] = { " j j j ", "F", "d?", "qs", "\x1b/abcdefghijklmnopqrstuvwxyz", "\x1bG" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		press(b, keys[i]);
		for (uint32_t height = 0; height < 30; height++)
			for (uint32_t width = 0; width < 90; width += width < 20 ? 1 : 7) {
				struct strbuf out = { 0 };
				uint32_t lines;
				browse_resize(b, width, height);
				browse_draw(b, false, &out);
				if (width && height) {
					assert_in_range(widest(out.s, &lines), 0, width);
					assert_int_equal(lines, height);
				}
				strbuf_release(&out);
			}
	}
}

static void the_cursor_stays_in_sight(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;

	browse_resize(b, 80, 8);
	press(b, " j j j jjj j j ");
	assert_true(b->rows.len > 5);
	for (uint32_t i = 0; i < 2; i++) {
		press(b, i ? "g" : "G");
		expect_screen(b, ">");
		browse_key(b, i ? KEY_PAGE_DOWN : KEY_PAGE_UP);
		expect_screen(b, ">");
	}
}

static void colours_are_asked_for(void **state)
{
	struct browse *b = &((struct fixture *)*state)->b;
	struct strbuf out = { 0 };

	browse_draw(b, false, &out);
	assert_null(strchr(out.s, '\033'));
	strbuf_clear(&out);
	browse_draw(b, true, &out);
	assert_non_null(strstr(out.s, "\033[7m> + a.Top.start()"));
	strbuf_release(&out);
}

/* Methods are named exactly: neither those of nested classes, nor by characters that mean something. */
static void names_are_exact(void **state)
{
	struct fixture *f = *state;
	const struct chain_graph *x = f->chains.graph;

	for (uint32_t node = 1; node < x->methods.len; node++) {
		struct strbuf item = { 0 }, why = { 0 };
		struct filter_hits hits;
		filter_name_method(x->p, x->methods.data[node], &item);
		assert_true(filter_read(&f->diag, x, "--from", item.s, &hits, &why));
		for (uint32_t i = 1; i < x->methods.len; i++)
			assert_int_equal(hits.nodes[i], i == node);
		filter_hits_release(&hits);
		strbuf_release(&item);
	}
}

static void odd_names_can_stand_in_lists(void **state)
{
	struct fixture *f = *state;
	struct strbuf item = { 0 };
	class_id odd = java_class(&f->java, "a/Odd #1", "java/lang/Object");
	method_id m = java_method(&f->java, odd, "x,y!(*", "(La b;)V", ACCESS_STATIC);

	filter_name_method(&f->p, m, &item);
	assert_string_equal(item.s, "a.Odd?" "?1.x?y?" "?" "?(La?b;)V");
	strbuf_release(&item);
}

static void wrong_files_are_named(void **state)
{
	static const struct { const char *text, *error; } wrong[] = {
		{ "k 4\nfrom\n", ":2: 'from' stands alone" },
		{ "\n# k\nthru a\n", ":3: 'thru' is no filter" },
		{ "k zero\n", ":1: 'zero' is no length" },
		{ "k 0\n", ":1: '0' is no length" },
		{ "k 99999999999999999999\n", "is no length" },
	};
	char path[] = "/tmp/sherd-browse-XXXXXX";

	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct filter_file file;
		struct strbuf err = { 0 };
		write_text(path, wrong[i].text);
		assert_false(filter_file_read(path, &file, &err));
		assert_non_null(strstr(err.s, wrong[i].error));
		assert_ptr_equal(strstr(err.s, path), err.s);
		filter_file_release(&file);
		strbuf_release(&err);
	}
	unlink(path);
}

static void unknown_methods_are_named_with_their_line(void **state)
{
	struct fixture *f = *state;
	struct filter_line lines[] = { { FILTER_NOT_THROUGH, "a.Top", "x.filter", 1 }, { FILTER_NOT_THROUGH, "a.Gone.m(*)", "x.filter", 7 } };
	struct chains_request q = by_site;
	struct strbuf why = { 0 };
	uint64_t before = total(f);

	q.filters = lines;
	q.nfilters = 2;
	assert_false(chains_ask(&f->chains, &f->diag, &q, &why));
	assert_ptr_equal(strstr(why.s, "x.filter:7: --not-through: 'a.Gone.m(*)' names no method"), why.s);
	assert_non_null(strstr(why.s, "remove the line"));
	assert_int_equal(total(f), before);
	strbuf_release(&why);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(trees_open_and_close),
		CASE(counts_are_of_what_is_below),
		CASE(a_call_is_dropped_and_comes_back),
		CASE(methods_and_trees_are_dropped),
		CASE(chains_are_kept),
		CASE(contradictions_change_nothing),
		CASE(lengths_change),
		CASE(search_finds_what_is_closed),
		CASE(search_goes_through_all),
		CASE(what_is_saved_gives_the_same_chains),
		CASE(saving_asks),
		CASE(filters_are_listed_and_removed),
		CASE(every_size_of_terminal_fits),
		CASE(the_cursor_stays_in_sight),
		CASE(colours_are_asked_for),
		CASE(names_are_exact),
		CASE(odd_names_can_stand_in_lists),
		CASE(wrong_files_are_named),
		CASE(unknown_methods_are_named_with_their_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
