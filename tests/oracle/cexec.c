// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/elf cir bitcode cmodel analysis/cpta analysis/modref analysis/allocation
/* cexec [OPTION]... FACTS MODULE... - is what a run did in what the analysis says?
 *
 * MODULEs are KEYED versions of tests/oracle/cinstrument.c, FACTS is what tests/lib/crecorder.c wrote. Every address
 * that was stored has to be in the points-to set of its place, every write in MOD, and every read in USE, of its
 * instruction and of the calls that were active then, every function that an indirect call called among its targets,
 * every function that was entered among those reached. Prints what is not, then
 * `N observations, N missed, N unmatched, N coarse`: unmatched are things of the run for which the program has no name,
 * coarse are writes and reads of a place that no statement names, of an object that is in MOD or USE. Exit status 1 when
 * something is missed. Options: --engine NAME, --fields off; --all: print each; --lines FILE: what cinstrument wrote
 * about lines; --without KIND: leave out the program's statements of one kind (addr, copy, shift, ...): then something
 * must be missed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cpipeline.h"

#define SHOWN 12
#define CHAIN 8
#define LONG_TEXT 32

/* What the run calls an object. A heap object's chain of calls: any of them may be where the program has it. */
struct seen {
	char kind;                   /* g, s, l, h, f: the first letters of their words */
	char *name, *function;       /* a string's `function` is its text */
	uint64_t size;
	uint32_t chain[CHAIN], nchain;       /* a local: where its memory is made */
	VEC(cobj_id) objs;           /* the program's */
	VEC(cvar_id) vars;
};
typedef VEC(struct seen) seen_vec;

/* A statement of a key, and 1 + the next one's row. */
struct at {
	uint32_t stmt, fn, next;
};

/* A write or read that was seen. */
struct access {
	enum effect effect;
	uint32_t key, object;
	int64_t off;
	uint64_t len;
};

struct check {
	struct cprogram p;
	struct cpta *a;
	struct modref *m;
	seen_vec seen;               /* by id */
	struct map by_key;           /* key -> 1 + row of `at` */
	struct map made_at;          /* key -> the first object of the heap, or local without a name */
	struct map objs_named, vars_named;       /* name -> the first; then by `next_*` */
	VEC(uint32_t) next_obj, next_var, next_made;
	VEC(struct at) at;
	VEC(struct access) accesses;
	ccell_vec cells;
	affected_vec places;
	uint64_t observations, missed, unmatched, coarse;
	bool all;
	const char *without;         /* NULL: none */
	VEC(char *) lines;           /* what is known of keys: `KEY text` */
};

/* The program: tables by key and by name */

static void chain(struct map *first, uint64_t key, uint32_t *next, uint32_t i)
{
	uint32_t *at = map_at(first, key);

	*next = *at;
	*at = i;
}

static void index_names(struct check *c)
{
	for (uint32_t i = 0; i < c->p.objs.len; i++) {
		const struct cobj *o = &c->p.objs.data[i];

		vec_push(&c->next_obj, 0);
		vec_push(&c->next_made, 0);
		if (i && o->name.i)
			chain(&c->objs_named, o->name.i, vec_last(&c->next_obj), i);
		if (i && (o->kind == COBJ_HEAP || o->kind == COBJ_LOCAL) && key_at(&c->p, o->loc))
			chain(&c->made_at, key_at(&c->p, o->loc), vec_last(&c->next_made), i);
	}
	for (uint32_t i = 0; i < c->p.vars.len; i++) {
		vec_push(&c->next_var, 0);
		if (i && c->p.vars.data[i].name.i)
			chain(&c->vars_named, c->p.vars.data[i].name.i, vec_last(&c->next_var), i);
	}
}

static void index_stmts(struct check *c)
{
	for (uint32_t f = 1; f < c->p.fns.len; f++) {
		const struct cfn *fn = &c->p.fns.data[f];

		for (uint32_t s = fn->stmts; s < fn->stmts + fn->nstmts; s++) {
			uint32_t key = key_at(&c->p, c->p.stmts.data[s].loc), *first;

			if (!key)
				continue;
			first = map_at(&c->by_key, key);
			vec_push(&c->at, ((struct at){ s, f, *first }));
			*first = c->at.len;
		}
	}
}

/* Objects of the run */

static void match_named(struct check *c, struct seen *s)
{
	str_id name;

	if (!interner_find(&c->p.names, str_of(s->name), &name))
		return;
	for (uint32_t i = map_get(&c->objs_named, name.i); i; i = c->next_obj.data[i]) {
		const struct cobj *o = &c->p.objs.data[i];

		if (s->kind == 'g' || s->kind == 's' ? o->kind == COBJ_GLOBAL :
		    s->kind == 'f' ? o->kind == COBJ_FUNCTION : o->kind == COBJ_LOCAL && fn_is(&c->p, o->fn, s->function))
			vec_push(&s->objs, (cobj_id){ i });
	}
	for (uint32_t i = s->kind == 'l' ? map_get(&c->vars_named, name.i) : 0; i; i = c->next_var.data[i])
		if (fn_is(&c->p, c->p.vars.data[i].fn, s->function))
			vec_push(&s->vars, (cvar_id){ i });
}

static void match_function(struct check *c, struct seen *s)
{
	for (uint32_t f = 1; f < c->p.fns.len; f++)
		if (fn_is(&c->p, (cfn_id){ f }, s->name))
			vec_push(&s->objs, c->p.fns.data[f].obj);
}

static void match_made(struct check *c, struct seen *s)
{
	for (uint32_t k = 0; k < s->nchain; k++)
		for (uint32_t o = map_get(&c->made_at, s->chain[k]); o; o = c->next_made.data[o])
			vec_push(&s->objs, (cobj_id){ o });
}

/* What an allocator hands out when it is called through a pointer is its own. */
static void match_heap(struct check *c, struct seen *s)
{
	match_made(c, s);
	for (uint32_t o = 1; o < c->p.objs.len; o++)
		if (c->p.objs.data[o].kind == COBJ_HEAP && fn_is(&c->p, c->p.objs.data[o].fn, s->name))
			vec_push(&s->objs, (cobj_id){ o });
}

/* Strings have no names of their own: their text is. Of long ones, both may have the beginning only. */
static void match_string(struct check *c, struct seen *s)
{
	size_t len = strlen(s->function);

	for (uint32_t o = 1; o < c->p.objs.len; o++) {
		struct str name = interned(&c->p.names, c->p.objs.data[o].name);
		size_t both = len < name.len ? len : name.len;

		if (c->p.objs.data[o].kind == COBJ_STRING && c->p.objs.data[o].size == s->size &&
		    memcmp(name.p, s->function, both) == 0 && (len == name.len || both >= LONG_TEXT))
			vec_push(&s->objs, (cobj_id){ o });
	}
}

static void match(struct check *c, struct seen *s)
{
	switch (s->kind) {
	case 'h': match_heap(c, s); break;
	case 'f': match_function(c, s); break;
	default:
		match_named(c, s);
		match_made(c, s);
		if (s->kind == 's' && !s->objs.len)
			match_string(c, s);
	}
}

/* Printing */

static const char *line_of(const struct check *c, uint32_t key)
{
	for (uint32_t k = 0; k < c->lines.len; k++)
		if (strtoul(c->lines.data[k], NULL, 10) == key)
			return strchr(c->lines.data[k], ' ');
	return "";
}

static void print_seen(const struct check *c, uint32_t id)
{
	const struct seen *s = &c->seen.data[id];

	if (s->kind == 'l')
		printf("%s::%s", s->function, s->name);
	else
		printf("%s%s", s->kind == 'h' ? "heap of " : "", s->name);
	for (uint32_t k = 0; k < s->nchain && s->kind == 'h'; k++)
		printf(" @%u%s", s->chain[k], line_of(c, s->chain[k]));
}

static bool miss(struct check *c, const char *what)
{
	c->missed++;
	if (c->missed > SHOWN && !c->all)
		return false;
	printf("missed: %s: ", what);
	return true;
}

static void print_cells(struct check *c)
{
	struct strbuf s = { 0 };

	for (uint32_t k = 0; k < c->cells.len && k < 10; k++) {
		struct ccell x = cpta_cell(c->a, c->cells.data[k]);

		strbuf_adds(&s, k ? ", " : " - is in the set: ");
		cname_cell(&c->p, x.obj, x.off, &s);
	}
	puts(s.s ? s.s : " - the set is empty");
	strbuf_release(&s);
}

/* Laws */

/* Is it the cell, or was it before the pointer went past the end of an array within the object? */
static bool is_cell(const struct check *c, struct ccell x, ccell_id id, uint64_t off)
{
	const struct cprogram *p = &c->p;
	clayout_id l = p->objs.data[x.obj.i].layout;

	if (cpta_cell_at(c->a, x.obj, off).i == id.i)
		return true;
	return off && l.i && cpta_cell_at(c->a, x.obj, off - 1).i == id.i && clayout_in_array(p, l, x.off, 0);
}

static bool set_has(const struct check *c, const struct seen *to, int64_t off)
{
	for (uint32_t k = 0; k < c->cells.len; k++) {
		struct ccell x = cpta_cell(c->a, c->cells.data[k]);

		for (uint32_t o = 0; o < to->objs.len; o++) {
			if (to->objs.data[o].i != x.obj.i)
				continue;
			/* behind the end, and before the beginning: no cell of its own */
			if (to->kind == 'f' || x.whole || off < 0 || (to->size && (uint64_t)off >= to->size) ||
			    is_cell(c, x, c->cells.data[k], (uint64_t)off))
				return true;
		}
	}
	return false;
}

static void check_points(struct check *c, uint32_t from, int64_t off, uint32_t to, int64_t to_off)
{
	struct seen *s = &c->seen.data[from], *t = &c->seen.data[to];

	c->observations++;
	if ((!s->objs.len && !s->vars.len) || !t->objs.len) {
		c->unmatched++;
		if (c->all)
			printf("unmatched: %s %s\n", s->name, t->name);
		return;
	}
	vec_clear(&c->cells);
	for (uint32_t k = 0; k < s->vars.len; k++)
		cpta_points_to(c->a, s->vars.data[k], &c->cells);
	for (uint32_t k = 0; k < s->objs.len; k++) {
		ccell_id x = cpta_cell_at(c->a, s->objs.data[k], off < 0 ? 0 : (uint64_t)off);

		if (x.i)
			cpta_content(c->a, x, &c->cells);
	}
	if (set_has(c, t, to_off) || !miss(c, "points-to"))
		return;
	print_seen(c, from);
	printf(" + %" PRId64 " -> ", off);
	print_seen(c, to);
	printf(" + %" PRId64, to_off);
	print_cells(c);
}

/* Does the set have the place; 2: another of the object, and the analysis never heard of this one. */
static int has_place(struct check *c, const struct seen *s, uint64_t off)
{
	int best = 0;

	for (uint32_t k = 0; k < c->places.len; k++) {
		struct affected x = c->places.data[k];

		for (uint32_t v = 0; v < s->vars.len && !x.cell.i; v++)
			if (s->vars.data[v].i == x.var.i)
				return 1;
		for (uint32_t o = 0; o < s->objs.len && x.cell.i; o++) {
			ccell_id at = cpta_cell_at(c->a, s->objs.data[o], off);

			struct ccell cell = cpta_cell(c->a, x.cell);

			if (at.i == x.cell.i || (cell.whole && cell.obj.i == s->objs.data[o].i))
				return 1;
			if (!at.i && cell.obj.i == s->objs.data[o].i)
				best = 2;
		}
	}
	return best;
}

struct range {
	struct check *c;
	const struct seen *s;
	uint64_t wrong, at;
	bool coarse;
};

static void check_cell(void *ctx, uint64_t cell)
{
	struct range *r = ctx;
	int found = has_place(r->c, r->s, cell);

	r->coarse |= found == 2;
	if (!found && !r->wrong++)
		r->at = cell;
}

/* All cells that the bytes are in. */
static void check_range(struct range *r, uint64_t off, uint64_t len)
{
	const struct cobj *o = r->s->objs.len ? &r->c->p.objs.data[r->s->objs.data[0].i] : NULL;

	if (r->s->vars.len || !o->layout.i || (o->flags & COBJ_REPEATS))
		check_cell(r, off);
	else
		clayout_each(&r->c->p, o->layout, off, len, check_cell, r);
}

static void effects_at(struct check *c, enum effect e, uint32_t key)
{
	affected_vec one = { 0 };

	vec_clear(&c->places);
	for (uint32_t k = map_get(&c->by_key, key); k; k = c->at.data[k - 1].next) {
		modref_stmt(c->m, (cfn_id){ c->at.data[k - 1].fn }, c->at.data[k - 1].stmt, e, &one);
		for (uint32_t i = 0; i < one.len; i++)
			vec_push(&c->places, one.data[i]);
	}
	vec_release(&one);
}

static void print_places(struct check *c)
{
	struct strbuf s = { 0 };

	for (uint32_t k = 0; k < c->places.len && k < 10; k++) {
		strbuf_adds(&s, k ? ", " : " - it has ");
		modref_name(c->m, c->places.data[k], &s);
	}
	puts(s.s ? s.s : " - it has nothing");
	strbuf_release(&s);
}

static int by_key(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	if (a->effect != b->effect)
		return a->effect < b->effect ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static void check_access(struct check *c, const struct access *x)
{
	struct range r = { .c = c, .s = &c->seen.data[x->object] };

	c->observations++;
	if ((!r.s->objs.len && !r.s->vars.len) || x->off < 0) {
		c->unmatched++;
		if (c->all)
			printf("unmatched: %s %s\n", r.s->function, r.s->name);
		return;
	}
	check_range(&r, (uint64_t)x->off, x->len);
	c->coarse += r.coarse;
	if (!r.wrong || !miss(c, x->effect == EFFECT_MOD ? "MOD" : "USE"))
		return;
	printf("%u%s: ", x->key, line_of(c, x->key));
	print_seen(c, x->object);
	printf(" + %" PRIu64, r.at);
	print_places(c);
}

static void check_accesses(struct check *c)
{
	const struct access *all = c->accesses.data;

	qsort(c->accesses.data, c->accesses.len, sizeof *c->accesses.data, by_key);
	for (uint32_t k = 0; k < c->accesses.len; k++) {
		if (!k || by_key(&all[k], &all[k - 1]))
			effects_at(c, all[k].effect, all[k].key);
		check_access(c, &all[k]);
	}
}

static void check_call(struct check *c, uint32_t key, uint32_t id)
{
	cfn_vec targets = { 0 };
	bool found = false;

	c->observations++;
	for (uint32_t k = map_get(&c->by_key, key); k; k = c->at.data[k - 1].next) {
		const struct cstmt *s = &c->p.stmts.data[c->at.data[k - 1].stmt];

		if (s->op != C_CALL)
			continue;
		vec_clear(&targets);
		cpta_targets(c->a, (ccall_id){ s->dst }, &targets);
		for (uint32_t i = 0; i < targets.len; i++)
			found |= fn_is(&c->p, targets.data[i], c->seen.data[id].name);
	}
	vec_release(&targets);
	if (!found && miss(c, "call"))
		printf("%u%s: %s\n", key, line_of(c, key), c->seen.data[id].name);
}

static void check_entered(struct check *c, uint32_t id)
{
	bool found = false;

	c->observations++;
	for (uint32_t f = 1; f < c->p.fns.len; f++)
		found |= fn_is(&c->p, (cfn_id){ f }, c->seen.data[id].name) && cpta_reached(c->a, (cfn_id){ f });
	if (!found && miss(c, "reached"))
		puts(c->seen.data[id].name);
}

/* Facts */

static char *copy(const char *s)
{
	return strcpy(malloc(strlen(s) + 1), s);
}

static void decode(const char *digits, char *out)
{
	unsigned byte;

	while (sscanf(digits, "%2x", &byte) == 1) {
		*out++ = (char)byte;
		digits += 2;
	}
	*out = 0;
}

static struct seen parse_object(char *text)
{
	struct seen s = { 0 };
	char *kind = strtok(text, " "), *word;

	s.kind = kind ? kind[0] : 0;
	s.function = copy(s.kind == 'l' ? strtok(NULL, " ") : "");
	word = strtok(NULL, " ");
	s.name = copy(word ? word : "");
	while ((word = strtok(NULL, " ")))
		if (word[0] == 'x')
			decode(word + 1, s.function = realloc(s.function, strlen(word)));
		else if (s.kind != 'h' && !s.size)
			s.size = strtoull(word, NULL, 10);
		else if (s.nchain < CHAIN)
			s.chain[s.nchain++] = (uint32_t)strtoul(word, NULL, 10);
	return s;
}

static void add_object(struct check *c, char *text)
{
	uint32_t id = (uint32_t)strtoul(text, &text, 10);
	struct seen s = parse_object(text);

	while (c->seen.len <= id)
		vec_push(&c->seen, ((struct seen){ .kind = 0 }));
	match(c, &s);
	c->seen.data[id] = s;
}

static void check_line(struct check *c, char *line)
{
	uint32_t a, b;
	int64_t x, y;

	line[strcspn(line, "\n")] = 0;
	if (line[0] == 'o')
		add_object(c, line + 2);
	else if (sscanf(line, "p %" SCNu32 " %" SCNd64 " %" SCNu32 " %" SCNd64, &a, &x, &b, &y) == 4)
		check_points(c, a, x, b, y);
	else if ((line[0] == 'm' || line[0] == 'u') &&
		 sscanf(line + 1, " %" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNd64, &a, &b, &x, &y) == 4)
		vec_push(&c->accesses, ((struct access){ line[0] == 'm' ? EFFECT_MOD : EFFECT_USE, a, b, x, (uint64_t)y }));
	else if (sscanf(line, "c %" SCNu32 " %" SCNu32, &a, &b) == 2)
		check_call(c, a, b);
	else if (sscanf(line, "e %" SCNu32, &a) == 1)
		check_entered(c, a);
	else if (line[0] != 'n')
		die("not a fact", line);
}

static void each_line(struct check *c, const char *path, void (*each)(struct check *c, char *line))
{
	static char line[8192];
	FILE *f = fopen(path, "r");

	if (!f)
		die("cannot open", path);
	while (fgets(line, sizeof line, f))
		each(c, line);
	fclose(f);
}

static void keep_line(struct check *c, char *line)
{
	line[strcspn(line, "\n")] = 0;
	vec_push(&c->lines, copy(line));
}

static bool is_own(const struct cfn *f)
{
	return !(f->flags & (CFN_MODEL | CFN_PLACEHOLDER));
}

static void analyse(struct check *c, const struct cpta_opt *opt, char *const *paths, uint32_t n)
{
	read_program(&c->p, paths, n, false);
	if (c->without)
		drop_statements(&c->p, c->without, is_own);
	c->a = solve_program(&c->p, opt);
	c->m = modref_compute(c->a, NULL, NULL);
	index_names(c);
	index_stmts(c);
}

static void release(struct check *c)
{
	for (uint32_t k = 0; k < c->seen.len; k++) {
		free(c->seen.data[k].name);
		free(c->seen.data[k].function);
		vec_release(&c->seen.data[k].objs);
		vec_release(&c->seen.data[k].vars);
	}
	for (uint32_t k = 0; k < c->lines.len; k++)
		free(c->lines.data[k]);
	vec_release(&c->seen);
	vec_release(&c->lines);
	vec_release(&c->next_obj);
	vec_release(&c->next_var);
	vec_release(&c->next_made);
	vec_release(&c->at);
	vec_release(&c->accesses);
	vec_release(&c->cells);
	vec_release(&c->places);
	map_release(&c->by_key);
	map_release(&c->made_at);
	map_release(&c->objs_named);
	map_release(&c->vars_named);
	modref_free(c->m);
	cpta_free(c->a);
	cprogram_release(&c->p);
}

static enum cengine engine_named(const char *name)
{
	for (int e = 0; e < CENGINES; e++)
		if (name && strcmp(name, cengine_name((enum cengine)e)) == 0)
			return (enum cengine)e;
	die("no engine", name);
}

int main(int argc, char **argv)
{
	struct check c = { 0 };
	struct cpta_opt opt = { .engine = CENGINE_ANDERSEN, .categories = 4, .fields = true };
	int k = 1;

	for (; k < argc && argv[k][0] == '-'; k++)
		if (strcmp(argv[k], "--all") == 0)
			c.all = true;
		else if (strcmp(argv[k], "--engine") == 0 && k + 1 < argc)
			opt.engine = engine_named(argv[++k]);
		else if (strcmp(argv[k], "--fields") == 0 && k + 1 < argc)
			opt.fields = strcmp(argv[++k], "off") != 0;
		else if (strcmp(argv[k], "--without") == 0 && k + 1 < argc)
			c.without = argv[++k];
		else if (strcmp(argv[k], "--lines") == 0 && k + 1 < argc)
			each_line(&c, argv[++k], keep_line);
	if (argc - k < 2)
		die("usage: cexec [--engine NAME] [--fields off] [--without KIND] [--lines FILE] [--all] FACTS MODULE...", NULL);
	analyse(&c, &opt, argv + k + 1, (uint32_t)(argc - k - 1));
	each_line(&c, argv[k], check_line);
	check_accesses(&c);
	printf("%" PRIu64 " observations, %" PRIu64 " missed, %" PRIu64 " unmatched, %" PRIu64 " coarse\n", c.observations,
	       c.missed, c.unmatched, c.coarse);
	release(&c);
	return c.missed != 0;
}
