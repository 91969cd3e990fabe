/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/engines.h"

#include "ir/access.h"

#define MAX_INNER 9              /* anonymous classes of a provider that are looked at: P$1, ... */

void engines_release(struct engines *e)
{
	vec_release(&e->rows);
	vec_release(&e->others);
	map_release(&e->scanned);
}

/* Where the character is first; negative: nowhere. */
static int first_of(struct str s, char c)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] == c)
			return (int)i;
	return -1;
}

/* What providers register */

struct scan {
	struct engines *e;
	struct hierarchy *h;
	struct program *p;
	const struct ir_body *body;
	uint32_t *def;                   /* by value: 1 + its statement */
	class_id provider;               /* java/security/Provider */
	const struct dynamic_opt *opt;
};

/* The constant string that an operand is; none: it is no such. */
static str_id constant(const struct scan *x, const struct ir_stmt *s, uint32_t k)
{
	uint32_t at = k < s->nargs ? x->def[x->body->args[s->args + k]] : 0;
	const struct ir_stmt *d = at ? &x->body->stmts[at - 1] : NULL;

	return (str_id){ d && d->op == IR_CONST_STRING ? d->ref : 0 };
}

/* The class with this name, if it is there. */
static class_id class_of(const struct scan *x, str_id name)
{
	struct str text = name.i ? interned(&x->p->strings, name) : STR("");

	return text.len && first_of(text, '.') >= 0 ? query_class_named(x->p, text) : (class_id){ 0 };
}

static void add_row(struct scan *x, struct engine_row row)
{
	vec_push(&x->e->rows, row);
}

/* `Type.Algorithm` and a class, or `Alg.Alias.Type.Alias` and an algorithm. */
static void read_put(struct scan *x, str_id key, str_id value)
{
	struct str text = interned(&x->p->strings, key);
	struct str of = str_starts(text, "Alg.Alias.") ? str_sub(text, 10, text.len) : text;
	int dot = first_of(of, '.');

	if (dot <= 0)
		return;
	struct engine_row row = { .type = intern(&x->p->strings, str_sub(of, 0, (uint32_t)dot)),
				  .algorithm = intern(&x->p->strings, str_sub(of, (uint32_t)dot + 1, of.len)) };
	if (of.len < text.len)
		row.same = value;
	else
		row.implementation = class_of(x, value);
	add_row(x, row);
}

static bool is_string_param(struct scan *x, const struct ir_stmt *s, uint32_t operand)
{
	uint32_t at = 0, k = s->op != IR_CALL_STATIC;
	class_id type = { 0 };

	while (sel_next_param(x->p, mref_row(x->p, (mref_id){ s->ref })->sel, &at, &type) && k < operand)
		k++;
	return k == operand && type.i == x->p->string.i;
}

/* Three strings in a row: a type, an algorithm and the name of a class; or two that are passed to a put. */
static void read_call(struct scan *x, const struct ir_stmt *s)
{
	struct str name = sel_name(x->p, mref_row(x->p, (mref_id){ s->ref })->sel);

	for (uint32_t i = 0; i + 1 < s->nargs; i++) {
		str_id first = constant(x, s, i), second = constant(x, s, i + 1);
		if (!first.i)
			continue;
		if (str_starts(name, "put") && i + 2 == s->nargs) {
			read_put(x, first, second);
			continue;
		}
		class_id c = class_of(x, constant(x, s, i + 2));
		if (second.i && (c.i || (is_string_param(x, s, i + 2) && !constant(x, s, i + 2).i)))
			add_row(x, (struct engine_row){ .type = first, .algorithm = second, .implementation = c });
	}
}

static void read_method(struct scan *x, method_id m, struct arena *mem)
{
	x->body = x->p->source.body(x->p->source.ctx, x->p, m, mem);
	if (!x->body)
		return;
	x->def = arena_zarray(mem, uint32_t, x->body->nvalues + 1);
	for (uint32_t i = 0; i < x->body->nstmts; i++)
		if (x->body->stmts[i].result)
			x->def[x->body->stmts[i].result] = i + 1;
	for (uint32_t i = 0; i < x->body->nstmts; i++) {
		const struct ir_stmt *s = &x->body->stmts[i];
		if (ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC)
			read_call(x, s);
	}
}

static void read_class(struct scan *x, class_id c)
{
	struct arena mem;

	program_load(x->p, c);
	struct ir_class row = *class_row(x->p, c);
	arena_init(&mem);
	for (uint32_t i = 0; row.kind == CLASS_FILE && i < row.nmethods; i++) {
		arena_clear(&mem);
		read_method(x, (method_id){ row.first_method + i }, &mem);
	}
	arena_release(&mem);
}

/* The class with this name and more behind it. */
static void read_other(struct scan *x, class_id c, const char *more)
{
	struct strbuf name = { 0 };

	print_class(x->p, c, &name);
	strbuf_addf(&name, "%s", more);
	class_id other = query_class_named(x->p, strbuf_str(&name));
	strbuf_release(&name);
	if (other.i)
		read_class(x, other);
}

/* A provider, the classes above it, the anonymous ones within it, and its entries, as those of the JDK call them. */
static void read_provider(struct scan *x, class_id c)
{
	char inner[] = "$1";

	for (; c.i && c.i != x->provider.i && !map_get(&x->e->scanned, c.i); c = class_row(x->p, c)->super) {
		*map_at(&x->e->scanned, c.i) = 1;
		if (!x->opt->is_library || !x->opt->is_library(x->opt->ctx, c))
			vec_push(&x->e->others, c);
		read_class(x, c);
		read_other(x, c, "Entries");
		for (; inner[1] <= '0' + MAX_INNER; inner[1]++)
			read_other(x, c, inner);
		inner[1] = '1';
	}
}

static void read_named(void *ctx, class_id c, bool is_module)
{
	struct scan *x = ctx;

	(void)is_module;
	program_load(x->p, c);
	if (class_row(x->p, c)->kind == CLASS_FILE && hierarchy_is_subclass(x->h, c, x->provider))
		read_provider(x, c);
}

static bool is_made(const struct program *p, const struct dynamic_graph *g, class_id c)
{
	struct ir_class row = *class_row(p, c);
	bool is = false;

	for (uint32_t i = 0; i < row.nmethods; i++)
		is |= g->is_reached(g->ctx, (method_id){ row.first_method + i });
	return is;
}

void engines_update(struct engines *e, struct hierarchy *h, const struct dynamic_opt *opt, const struct dynamic_graph *g)
{
	/* Those that sun.security.jca.ProviderConfig makes itself; of Java 8, those that java.security names. */
	static const char *const built_in[] = {
		"sun/security/provider/Sun", "sun/security/rsa/SunRsaSign", "com/sun/crypto/provider/SunJCE",
		"sun/security/ssl/SunJSSE", "com/sun/net/ssl/internal/ssl/Provider", "sun/security/ec/SunEC",
	};
	struct scan x = { .e = e, .h = h, .p = h->p, .opt = opt, .provider = program_class(h->p, STR("java/security/Provider")) };
	bool is_first = !e->scanned.len;

	for (size_t i = 0; is_first && i < ARRAY_LEN(built_in); i++)
		read_named(&x, program_class(h->p, str_of(built_in[i])), true);
	if (is_first && h->p->source.providers)
		h->p->source.providers(h->p->source.ctx, h->p, x.provider, read_named, &x);
	for (uint32_t i = 1; i < h->p->classes.len; i++) {
		class_id c = { i };
		bool is_loaded = class_row(h->p, c)->kind == CLASS_FILE && class_row(h->p, c)->state == LOAD_DONE;
		if (is_loaded && hierarchy_is_subclass(h, c, x.provider))
			read_provider(&x, c);
	}
	for (uint32_t i = 0; i < e->others.len; i++)
		e->has_others |= is_made(h->p, g, e->others.data[i]);
}

/* Questions */

static bool is_same(struct str a, struct str b)
{
	bool is = a.len == b.len;

	for (uint32_t i = 0; is && i < a.len; i++)
		is = (a.p[i] >= 'A' && a.p[i] <= 'Z' ? a.p[i] | 0x20 : a.p[i]) == (b.p[i] >= 'A' && b.p[i] <= 'Z' ? b.p[i] | 0x20 : b.p[i]);
	return is;
}

/* `AES/CBC/PKCS5Padding` may be had as `AES`, `AES/CBC` and `AES//PKCS5Padding`. */
static bool fits(struct str registered, struct str wanted)
{
	int mode = first_of(wanted, '/');

	if (is_same(registered, wanted))
		return true;
	if (mode < 0)
		return false;
	int end = first_of(registered, '/');
	return is_same(str_sub(registered, 0, end < 0 ? registered.len : (uint32_t)end), str_sub(wanted, 0, (uint32_t)mode));
}

struct choice {
	const struct engines *e;
	struct program *p;
	struct str type;
	meta_list *out;
	bool is_found, is_all;
};

static void choose(struct choice *x, const struct engine_row *row)
{
	x->is_found = true;
	if (row->implementation.i)
		vec_push(x->out, meta_of(META_CLASS, row->implementation.i));
	else
		x->is_all = false;
}

/* An alias leads to others once. */
static void choose_named(struct choice *x, struct str wanted, bool is_alias)
{
	for (uint32_t i = 0; i < x->e->rows.len; i++) {
		const struct engine_row *row = &x->e->rows.data[i];
		bool is_one = str_eq(interned(&x->p->strings, row->type), x->type) &&
			      fits(interned(&x->p->strings, row->algorithm), wanted);
		if (is_one && row->same.i && !is_alias)
			choose_named(x, interned(&x->p->strings, row->same), true);
		else if (is_one && !row->same.i)
			choose(x, row);
	}
}

static void choose_all(struct choice *x)
{
	for (uint32_t i = 0; i < x->e->rows.len; i++)
		if (!x->e->rows.data[i].same.i && str_eq(interned(&x->p->strings, x->e->rows.data[i].type), x->type))
			choose(x, &x->e->rows.data[i]);
}

bool engines_list(const struct engines *e, struct program *p, struct str type, struct metas algorithms, bool is_any, meta_list *out)
{
	struct choice x = { .e = e, .p = p, .type = type, .out = out, .is_all = !e->has_others };

	for (uint32_t i = 0; !is_any && i < algorithms.n; i++) {
		x.is_found = false;
		if (meta_sort(algorithms.data[i]) == META_STRING)
			choose_named(&x, interned(&p->strings, (str_id){ meta_id(algorithms.data[i]) }), false);
		is_any |= !x.is_found;
	}
	if (is_any)
		choose_all(&x);
	return x.is_all;
}

void engines_constructors(struct program *p, class_id c, meta_list *out)
{
	program_load(p, c);
	struct ir_class row = *class_row(p, c);
	for (uint32_t i = 0; i < row.nmethods && !(row.flags & ACCESS_ABSTRACT); i++) {
		struct ir_method m = *method_row(p, (method_id){ row.first_method + i });
		if (str_is(sel_name(p, m.sel), "<init>") && (m.flags & ACCESS_PUBLIC) && sel_row(p, m.sel)->nargs <= 1)
			vec_push(out, meta_of(META_METHOD, row.first_method + i));
	}
}
