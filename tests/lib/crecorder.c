/* SPDX-License-Identifier: Apache-2.0 */
/* crecorder - linked into programs that tests/oracle/cinstrument.c has instrumented: writes down what was really done, without
 * repetitions, into the file that $CRECORD names when the program ends:
 *
 *   o ID global NAME SIZE            an object; functions and locals of all calls of a function are one object each
 *   o ID string NAME SIZE xTEXT      its first bytes, in hexadecimal digits
 *   o ID local FUNCTION NAME SIZE KEY
 *   o ID heap ALLOCATOR KEY...       the call of the allocator, the call of the function that it is in, and so on
 *   o ID function NAME
 *   p ID OFF ID OFF                  the address of the second was stored in the first
 *   m KEY ID OFF LEN                 the instruction, or a call that was active and before which the memory was there, wrote
 *   u KEY ID OFF LEN                 the same, but read
 *   c KEY ID                         an indirect call called the function
 *   e ID                             the function was entered
 *   n NAME NUMBER                    counts of what was left out
 *
 * A key is an instruction: the module's number << 24 | the instruction's. Freed memory is not used again, so that a pointer
 * that dangles still means what it meant; locals and heap memory start as zeros, so that nothing old is found in them.
 * One thread. */
#define _GNU_SOURCE
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHAIN 6                  /* calls that are written down of an allocation */
#define SHOWN 48                 /* places of one pair, or of one instruction and object */
#define ARENA (1ull << 36)       /* bytes of addresses for heap memory */
#define SNAPSHOT 4096            /* bytes of an argument's object that are compared */
#define CHUNK 16                 /* log2 of the bytes that one piece of the map of addresses covers */

struct row { const char *name, *function; char *address; uint64_t size; };
struct module {
	uint64_t number;
	struct row *globals;
	uint64_t nglobals;
	struct row *functions;
	uint64_t nfunctions;
	struct row *locals;
	uint64_t nlocals;
};
extern struct module __start_rec_modules[] __attribute__((weak)), __stop_rec_modules[] __attribute__((weak));

enum kind { GLOBAL, LOCAL, HEAP, FUNCTION };
struct object {
	enum kind kind;
	const char *name, *function;         /* a string's `function` is its text */
	uint64_t size;
	uint32_t chain[CHAIN];               /* a local: its key first */
};
struct instance { char *start; uint64_t size; uint32_t object, depth; uint64_t born; };
struct frame { uint32_t function, key; uint64_t time; uint32_t nlocals; };
struct points { uint32_t object, to; uint64_t off, to_off; };
struct effect { uint32_t key, object; uint64_t off, len; bool use; };
struct call { uint32_t key, object; };
struct snapshot { uint32_t depth; char *at; uint64_t len; char *copy; };

/* A growing table: rows, how many, room. */
#define TABLE(T, name) static T *name; static uint32_t n##name, room_##name
#define ADD(T, name) (*(T *)add_row((void **)&name, &n##name, &room_##name, sizeof(T)))
TABLE(struct object, objects);
TABLE(struct instance, instances);
TABLE(struct frame, frames);
TABLE(uint32_t, stack);          /* instances of locals, those of the innermost frame last */
TABLE(struct points, points);
TABLE(struct effect, effects);
TABLE(struct call, calls);
TABLE(uint32_t, entered);
TABLE(struct snapshot, snapshots);
static uint32_t first_local[128], first_function[128], *free_instances, nfree, room_free, top;
static uint64_t now, unknown_writes, unknown_values, cut;
static char *arena, *arena_end;

static void *add_row(void **rows, uint32_t *n, uint32_t *room, size_t size)
{
	if (*n == *room) {
		*room = *room ? *room * 2 : 1024;
		*rows = realloc(*rows, *room * size);
		if (!*rows)
			abort();
	}
	return memset((char *)*rows + size * (*n)++, 0, size);
}

/* Sets and counters by 64-bit hashes, which are taken for the things themselves. */
struct slot { uint64_t key; uint32_t value; };
struct hash { struct slot *slots; uint64_t mask, len; };
static struct hash known, counts, chunks, functions, heap_objects;

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ b * 0x9e3779b97f4a7c15u) + 0x7f4a7c15u;

	x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 33) | 1;
}

static uint32_t *hash_at(struct hash *h, uint64_t key)
{
	uint64_t i;

	if (h->len * 2 >= h->mask) {
		struct hash larger = { calloc((h->mask + 1) * 4 + 1024, sizeof *h->slots), 0, 0 };

		larger.mask = h->mask ? (h->mask + 1) * 4 - 1 : 1023;
		for (uint64_t k = 0; h->slots && k <= h->mask; k++)
			if (h->slots[k].key)
				*hash_at(&larger, h->slots[k].key) = h->slots[k].value;
		free(h->slots);
		*h = larger;
	}
	for (i = key & h->mask; h->slots[i].key && h->slots[i].key != key; i = (i + 1) & h->mask)
		;
	if (!h->slots[i].key) {
		h->slots[i].key = key;
		h->len++;
	}
	return &h->slots[i].value;
}

static bool is_new(uint64_t key)
{
	uint32_t *v = hash_at(&known, key);

	return !(*v)++;
}

/* Is there room for one more of these? */
static bool is_shown(uint64_t key)
{
	uint32_t *v = hash_at(&counts, key);

	if (*v == SHOWN) {
		cut++;
		return false;
	}
	(*v)++;
	return true;
}

/* From addresses to instances: a piece for each 64 KB, in it a number for each 8 bytes. `mixed`: less than all 8 bytes were
 * written last, so that what is there now was never stored as a pointer. */

#define WORDS (1u << (CHUNK - 3))
struct piece { uint32_t instance[WORDS]; uint8_t mixed[WORDS]; };

static struct piece **piece_at(uint64_t address)
{
	static struct piece **pieces;
	static uint32_t npieces, room_pieces, last;
	static uint64_t last_key;
	uint64_t key = (address >> CHUNK) + 1;

	if (key != last_key) {
		uint32_t *v = hash_at(&chunks, key);

		if (!*v) {
			*(struct piece **)add_row((void **)&pieces, &npieces, &room_pieces, sizeof *pieces) = NULL;
			*v = npieces;
		}
		last_key = key;
		last = *v;
	}
	return &pieces[last - 1];
}

static uint32_t word_of(uint64_t address)
{
	return (uint32_t)(address >> 3) & (WORDS - 1);
}

static uint32_t instance_at(const void *p)
{
	uint64_t a = (uint64_t)p;
	struct piece *piece;

	if (a < 4096 || a >> 47)
		return 0;
	piece = *piece_at(a);
	return piece ? piece->instance[word_of(a)] : 0;
}

static bool is_mixed(const void *p)
{
	struct piece *piece = *piece_at((uint64_t)p);

	return piece && piece->mixed[word_of((uint64_t)p)];
}

static void set_mixed(const void *p, bool mixed)
{
	struct piece *piece = *piece_at((uint64_t)p);

	if (piece)
		piece->mixed[word_of((uint64_t)p)] = mixed;
}

/* The 8 bytes behind it are called its own. */
static void map_instance(uint32_t i, uint32_t from, uint32_t to)
{
	uint64_t end = (uint64_t)instances[i].start + instances[i].size + 8;

	for (uint64_t a = (uint64_t)instances[i].start; a < end; a += 8) {
		struct piece **piece = piece_at(a);
		uint32_t k = word_of(a);

		if (!*piece)
			*piece = calloc(1, sizeof **piece);
		if (!from || (*piece)->instance[k] == from) {
			(*piece)->instance[k] = to;
			(*piece)->mixed[k] = false;
		}
	}
}

static uint32_t new_instance(uint32_t object, char *start, uint64_t size, uint32_t depth)
{
	uint32_t i;

	if (!ninstances)
		ADD(struct instance, instances) = (struct instance){ 0 };         /* 0 is none */
	if (nfree)
		i = free_instances[--nfree];
	else {
		ADD(struct instance, instances) = (struct instance){ 0 };
		i = ninstances - 1;
	}
	instances[i] = (struct instance){ start, size, object, depth, ++now };
	map_instance(i, 0, i);
	return i;
}

static void end_local(void)
{
	uint32_t i = stack[--nstack];

	map_instance(i, i, 0);
	*(uint32_t *)add_row((void **)&free_instances, &nfree, &room_free, sizeof i) = i;
}

static void end_locals(uint32_t depth)
{
	while (nstack > frames[depth].nlocals)
		end_local();
}

static void end_snapshots(uint32_t depth)
{
	while (nsnapshots && snapshots[nsnapshots - 1].depth > depth)
		free(snapshots[--nsnapshots].copy);
}

/* Frames above this one have ended, by a return or a longjmp. */
static void back_to(uint32_t depth)
{
	if (top <= depth)
		return;
	end_locals(depth + 1);
	end_snapshots(depth);
	top = depth;
	nframes = depth + 1;
}

/* Facts */

static void note_points(struct instance *from, uint64_t off, const char *value)
{
	uint32_t i = instance_at(value);
	struct points p = { from->object, 0, off, 0 };

	if (i) {
		p.to = instances[i].object;
		p.to_off = (uint64_t)(value - instances[i].start);
	} else {
		p.to = *hash_at(&functions, mix((uint64_t)value, 1));
		if (!p.to) {
			unknown_values += value > (char *)4096 && !((uint64_t)value >> 47);
			return;
		}
	}
	if (is_new(mix(mix(mix(p.object, p.off), p.to), p.to_off ^ 1ull << 63)) && is_shown(mix(mix(p.object, p.to), 2)))
		ADD(struct points, points) = p;
}

static void note_effect(bool use, uint32_t key, uint32_t object, uint64_t off, uint64_t len)
{
	if (key && is_new(mix(mix(mix(key, object), off), len << 1 | use)) && is_shown(mix(mix(key, object), 8 | use)))
		ADD(struct effect, effects) = (struct effect){ key, object, off, len, use };
}

/* The instruction's, and that of all calls that were active when the memory was there already. */
static void note_effects(bool use, uint32_t depth, uint32_t key, const struct instance *at, uint64_t off, uint64_t len)
{
	note_effect(use, key, at->object, off, len);
	for (uint32_t d = depth; d-- > 0;)
		if (at->depth <= d && at->born < frames[d].time)
			note_effect(use, frames[d].key, at->object, off, len);
}

static void note_words(struct instance *at, char *p, uint64_t len)
{
	char *first = (char *)(((uint64_t)p + 7) & ~7ull);
	const char *value;

	if (len == 8)
		first = p;
	for (char *w = first; w + 8 <= p + len; w += 8) {
		if (is_mixed(w))
			continue;
		memcpy(&value, w, 8);
		note_points(at, (uint64_t)(w - at->start), value);
	}
}

/* Words at both ends that are written in part are mixed now; those in between are as `from` says, or not. */
static void mark(char *p, uint64_t len, const char *from)
{
	uint64_t a = (uint64_t)p & ~7ull, end = (uint64_t)p + len;
	bool down = from && from < p;

	if (from && ((uint64_t)from - (uint64_t)p) % 8)
		from = NULL;
	for (uint64_t k = 0, n = (end + 7 - a) / 8; k < n; k++) {
		uint64_t w = a + 8 * (down ? n - 1 - k : k);
		bool whole = w >= (uint64_t)p && w + 8 <= end;

		set_mixed((void *)w, whole ? from && is_mixed(from + (w - (uint64_t)p)) : true);
	}
}

static void write_to(uint32_t depth, uint32_t key, char *p, uint64_t len, const char *from)
{
	uint32_t i = instance_at(p);

	if (!len)
		return;
	if (!i) {
		unknown_writes++;
		return;
	}
	note_effects(false, depth, key, &instances[i], (uint64_t)(p - instances[i].start), len);
	if (len != 8 || (uint64_t)p % 8 == 0)        /* else perhaps a pointer that is not aligned */
		mark(p, len, from);
	if (len >= 8)
		note_words(&instances[i], p, len);
}

void rec_write(uint32_t depth, uint32_t key, char *p, uint64_t len);
void rec_write(uint32_t depth, uint32_t key, char *p, uint64_t len)
{
	write_to(depth, key, p, len, NULL);
}

void rec_read(uint32_t depth, uint32_t key, const char *p, uint64_t len);
void rec_read(uint32_t depth, uint32_t key, const char *p, uint64_t len)
{
	uint32_t i = instance_at(p);

	if (len && i)
		note_effects(true, depth, key, &instances[i], (uint64_t)(p - instances[i].start), len);
}

void rec_move(uint32_t depth, uint32_t key, char *p, uint64_t len, const char *from);
void rec_move(uint32_t depth, uint32_t key, char *p, uint64_t len, const char *from)
{
	rec_read(depth, key, from, len);
	write_to(depth, key, p, len, from);
}

/* Calls */

static void note_called(uint32_t key, uint32_t function)
{
	if (key && function && is_new(mix(mix(key, function), 4)))
		ADD(struct call, calls) = (struct call){ key, function };
}

uint32_t rec_enter(uint32_t module, uint32_t index);
uint32_t rec_enter(uint32_t module, uint32_t index)
{
	uint32_t f = first_function[module] + index;

	ADD(struct frame, frames) = (struct frame){ f, 0, now, nstack };
	top = nframes - 1;
	if (is_new(mix(f, 5)))
		ADD(uint32_t, entered) = f;
	return top;
}

void rec_leave(uint32_t depth);
void rec_leave(uint32_t depth)
{
	back_to(depth);
	end_locals(depth);
	if (depth)
		back_to(depth - 1);
	else
		nframes = 0;
}

void rec_local(uint32_t depth, uint32_t module, uint32_t index, char *p, uint64_t size);
void rec_local(uint32_t depth, uint32_t module, uint32_t index, char *p, uint64_t size)
{
	struct object *o = &objects[first_local[module] + index];

	o->size = size;
	ADD(uint32_t, stack) = new_instance(first_local[module] + index, p, size, depth);
}

/* With what the caller has put there. */
void rec_passed(uint32_t depth, uint32_t module, uint32_t index, char *p, uint64_t size);
void rec_passed(uint32_t depth, uint32_t module, uint32_t index, char *p, uint64_t size)
{
	rec_local(depth, module, index, p, size);
	note_words(&instances[stack[nstack - 1]], p, size);
}

/* The stack pointer is `p` again: what is below has ended. */
void rec_restore(uint32_t depth, const char *p);
void rec_restore(uint32_t depth, const char *p)
{
	while (nstack > frames[depth].nlocals && instances[stack[nstack - 1]].start < p)
		end_local();
}

void rec_zero(char *p, uint64_t size);
void rec_zero(char *p, uint64_t size)
{
	memset(p, 0, size);
}

void rec_call(uint32_t depth, uint32_t key, void *target);
void rec_call(uint32_t depth, uint32_t key, void *target)
{
	back_to(depth);
	frames[depth].key = key;
	frames[depth].time = ++now;
	if (target)
		note_called(key, *hash_at(&functions, mix((uint64_t)target, 1)));
}

static void compare(uint32_t depth, struct snapshot *s)
{
	struct instance *at = &instances[instance_at(s->at)];

	for (uint64_t k = 0; k < s->len; k++) {
		uint64_t from = k;

		while (k < s->len && s->at[k] != s->copy[k])
			k++;
		if (k == from)
			continue;
		note_effects(false, depth, frames[depth].key, at, (uint64_t)(s->at + from - at->start), k - from);
		/* all words that changed in part; those that are pointers now were written whole */
		from &= ~7ull;
		note_words(at, s->at + from, ((k + 7) & ~7ull) - from > s->len - from ? s->len - from : ((k + 7) & ~7ull) - from);
	}
}

void rec_extern(uint32_t depth, uint32_t n, ...);
void rec_extern(uint32_t depth, uint32_t n, ...)
{
	va_list ap;

	va_start(ap, n);
	while (n--) {
		char *p = va_arg(ap, char *);
		uint32_t i = instance_at(p);
		struct snapshot s = { depth, i ? instances[i].start : p, 0, NULL };

		if (!i)
			continue;
		if (instances[i].size > SNAPSHOT)
			s.at = s.at + (uint64_t)(p - s.at) / 8 * 8;
		s.len = (uint64_t)(instances[i].start + instances[i].size - s.at);
		if (s.len > SNAPSHOT)
			s.len = s.len >> 62 ? 0 : SNAPSHOT;      /* behind the end: nothing */
		s.copy = memcpy(malloc(s.len + 1), s.at, s.len);
		ADD(struct snapshot, snapshots) = s;
	}
	va_end(ap);
}

void rec_back(uint32_t depth);
void rec_back(uint32_t depth)
{
	back_to(depth);
	while (nsnapshots && snapshots[nsnapshots - 1].depth == depth) {
		compare(depth, &snapshots[nsnapshots - 1]);
		free(snapshots[--nsnapshots].copy);
	}
}

/* Allocation: never twice the same memory. Sizes are before the memory. */

static uint32_t heap_object(const char *allocator)
{
	struct object o = { HEAP, allocator, "", 0, { 0 } };
	uint64_t h = mix((uint64_t)allocator, 6);
	uint32_t n = 0, *v;

	for (uint32_t d = nframes; d-- > 0 && n < CHAIN;)
		h = mix(h, o.chain[n++] = frames[d].key);
	v = hash_at(&heap_objects, h);
	if (!*v) {
		ADD(struct object, objects) = o;
		*v = nobjects - 1;
	}
	return *v;
}

static bool is_ours(const char *p)
{
	return arena && p >= arena && p < arena_end;
}

static char *take(const char *allocator, uint64_t align, uint64_t size)
{
	static char *next;
	uint64_t a = align < 16 ? 16 : align;
	char *p;

	if (!arena) {
		arena = next = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (arena == MAP_FAILED)
			abort();
		arena_end = arena + ARENA;
	}
	p = (char *)(((uint64_t)next + 16 + a - 1) & ~(a - 1));
	if (size > ARENA / 2 || p + size + 32 > arena_end)
		return NULL;
	memcpy(p - 8, &size, 8);
	next = p + size + 24;
	new_instance(heap_object(allocator), p, size, 0);
	return p;
}

static uint64_t size_of(const char *p)
{
	uint64_t size;

	if (!is_ours(p))
		return malloc_usable_size((void *)p);
	memcpy(&size, p - 8, 8);
	return size;
}

void *rec_malloc(uint64_t size);
void *rec_malloc(uint64_t size)
{
	return take("malloc", 16, size);
}

void *rec_calloc(uint64_t n, uint64_t size);
void *rec_calloc(uint64_t n, uint64_t size)
{
	return size && n > ARENA / size ? NULL : take("calloc", 16, n * size);
}

void rec_free(void *p);
void rec_free(void *p)
{
	if (!is_ours(p))
		free(p);
}

static void *grown(const char *allocator, char *old, uint64_t size)
{
	char *p = take(allocator, 16, size);
	uint64_t had = old ? size_of(old) : 0;

	if (!p)
		return NULL;
	if (old)
		memcpy(p, old, had < size ? had : size);
	note_words(&instances[instance_at(p)], p, had < size ? had : size);
	rec_free(old);
	return p;
}

void *rec_realloc(char *old, uint64_t size);
void *rec_realloc(char *old, uint64_t size)
{
	if (old && !size) {
		rec_free(old);
		return NULL;
	}
	return grown("realloc", old, size);
}

void *rec_reallocarray(char *old, uint64_t n, uint64_t size);
void *rec_reallocarray(char *old, uint64_t n, uint64_t size)
{
	return size && n > ARENA / size ? NULL : grown("reallocarray", old, n * size);
}

void *rec_strdup(const char *s);
void *rec_strdup(const char *s)
{
	return memcpy(take("strdup", 16, strlen(s) + 1), s, strlen(s) + 1);
}

void *rec_strndup(const char *s, uint64_t n);
void *rec_strndup(const char *s, uint64_t n)
{
	return memcpy(take("strndup", 16, strnlen(s, n) + 1), s, strnlen(s, n));
}

void *rec_aligned_alloc(uint64_t align, uint64_t size);
void *rec_aligned_alloc(uint64_t align, uint64_t size)
{
	return take("aligned_alloc", align, size);
}

void *rec_memalign(uint64_t align, uint64_t size);
void *rec_memalign(uint64_t align, uint64_t size)
{
	return take("memalign", align, size);
}

int rec_posix_memalign(void **out, uint64_t align, uint64_t size);
int rec_posix_memalign(void **out, uint64_t align, uint64_t size)
{
	*out = take("posix_memalign", align, size);
	return *out ? 0 : 12;
}

/* Beginning and end */

static void print_object(FILE *f, uint32_t id)
{
	const struct object *o = &objects[id];
	unsigned long long size = o->size;

	switch (o->kind) {
	case GLOBAL:
		fprintf(f, "o %u %s %s %llu %s\n", id, *o->function ? "string" : "global", o->name, size, o->function);
		break;
	case LOCAL: fprintf(f, "o %u local %s %s %llu %u\n", id, o->function, o->name, size, o->chain[0]); break;
	case FUNCTION: fprintf(f, "o %u function %s\n", id, o->name); break;
	case HEAP:
		fprintf(f, "o %u heap %s", id, o->name);
		for (int k = 0; k < CHAIN && o->chain[k]; k++)
			fprintf(f, " %u", o->chain[k]);
		fputc('\n', f);
	}
}

static void print_all(FILE *f)
{
	for (uint32_t k = 1; k < nobjects; k++)
		print_object(f, k);
	for (uint32_t k = 0; k < npoints; k++)
		fprintf(f, "p %u %lld %u %lld\n", points[k].object, (long long)points[k].off, points[k].to, (long long)points[k].to_off);
	for (uint32_t k = 0; k < neffects; k++)
		fprintf(f, "%c %u %u %lld %llu\n", effects[k].use ? 'u' : 'm', effects[k].key, effects[k].object,
			(long long)effects[k].off, (unsigned long long)effects[k].len);
	for (uint32_t k = 0; k < ncalls; k++)
		fprintf(f, "c %u %u\n", calls[k].key, calls[k].object);
	for (uint32_t k = 0; k < nentered; k++)
		fprintf(f, "e %u\n", entered[k]);
	fprintf(f, "n unknown-writes %llu\nn unknown-values %llu\nn cut %llu\n", (unsigned long long)unknown_writes,
		(unsigned long long)unknown_values, (unsigned long long)cut);
}

/* Programs may have a getenv of their own. */
static const char *wanted_file(void)
{
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "CRECORD=", 8) == 0)
			return *e + 8;
	return NULL;
}

static void finish(void)
{
	const char *path = wanted_file();
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		return;
	print_all(f);
	fclose(f);
}

static void add_object(enum kind kind, const struct row *r)
{
	ADD(struct object, objects) = (struct object){ kind, r->name, r->function, r->size, { 0 } };
}

static void add_module(const struct module *m)
{
	for (uint64_t k = 0; k < m->nglobals; k++) {
		add_object(GLOBAL, &m->globals[k]);
		new_instance(nobjects - 1, m->globals[k].address, m->globals[k].size, 0);
	}
	first_function[m->number] = nobjects;
	for (uint64_t k = 0; k < m->nfunctions; k++) {
		add_object(FUNCTION, &m->functions[k]);
		*hash_at(&functions, mix((uint64_t)m->functions[k].address, 1)) = nobjects - 1;
	}
	first_local[m->number] = nobjects;
	for (uint64_t k = 0; k < m->nlocals; k++) {
		add_object(LOCAL, &m->locals[k]);
		objects[nobjects - 1].chain[0] = (uint32_t)m->locals[k].size;
	}
}

/* First values of globals are pointers stored, too. */
__attribute__((constructor(101))) static void start(void)
{
	ADD(struct object, objects) = (struct object){ 0 };      /* 0 is none */
	for (struct module *m = __start_rec_modules; m < __stop_rec_modules; m++)
		add_module(m);
	for (uint32_t i = 1; i < ninstances; i++)
		note_words(&instances[i], instances[i].start, instances[i].size);
	atexit(finish);
}
