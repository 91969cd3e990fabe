/* SPDX-License-Identifier: Apache-2.0 */
/* Properties that are read from files on the class path: an object of java.util.Properties that a method makes, fills from a stream of
 * `X.class.getResourceAsStream("/a/b.properties")` and asks, and that nobody else gets hold of. */
#include "analysis/dynamic/outside/settings.h"
#include "analysis/dynamic/values_p.h"

#define MAX_WRAPPERS 4u          /* streams and readers around the stream */

struct filled {
	struct values *v;
	method_id m;
	const struct code *c;
};

static bool is_of(const struct filled *x, const struct ir_stmt *s, const char *class, const char *name)
{
	bool is_call = s && ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC;
	struct ir_mref ref = is_call ? *mref_row(x->v->p, (mref_id){ s->ref }) : (struct ir_mref){ 0 };

	return is_call && (!class || str_is(class_name(x->v->p, ref.owner), class)) && str_is(sel_name(x->v->p, ref.sel), name);
}

/* The name as class loaders have it: without the slash, or below the package of the class. */
static str_id full_name(const struct filled *x, class_id from, str_id name)
{
	struct str text = interned(&x->v->p->strings, name), package = from.i ? package_of(class_name(x->v->p, from)) : STR("");
	struct strbuf full = { 0 };

	if (from.i && text.len && text.p[0] == '/')
		text = str_sub(text, 1, text.len);
	else if (package.len)
		strbuf_addf(&full, "%.*s/", (int)package.len, package.p);
	strbuf_addstr(&full, text);
	str_id id = intern(&x->v->p->strings, strbuf_str(&full));
	strbuf_release(&full);
	return id;
}

static const struct ir_stmt *constructor_of(const struct filled *x, ir_value object)
{
	struct uses all = values_uses(x->v, x->m, object);

	for (uint32_t i = 0; i < all.n; i++) {
		const struct ir_stmt *s = &x->c->body->stmts[all.at[i]];
		if (s->op == IR_CALL_SPECIAL && code_operand(x->c, s, 0) == object && is_of(x, s, NULL, "<init>"))
			return s;
	}
	return NULL;
}

static bool is_wrapper(const struct filled *x, class_id c)
{
	struct str name = class_name(x->v->p, c);

	return str_is(name, "java/io/BufferedInputStream") || str_is(name, "java/io/InputStreamReader") ||
	       str_is(name, "java/io/BufferedReader");
}

/* The file that a stream or reader reads; none: that is not known. */
static str_id file_of(const struct filled *x, ir_value stream, uint32_t depth)
{
	const struct ir_stmt *s = code_definition(x->c, stream);
	bool is_class = is_of(x, s, "java/lang/Class", "getResourceAsStream");

	if (s && s->op == IR_NEW && depth < MAX_WRAPPERS && is_wrapper(x, (class_id){ s->ref })) {
		const struct ir_stmt *init = constructor_of(x, stream);
		return init ? file_of(x, code_operand(x->c, init, 1), depth + 1) : (str_id){ 0 };
	}
	if (!is_class && !is_of(x, s, "java/lang/ClassLoader", "getResourceAsStream"))
		return (str_id){ 0 };
	const struct ir_stmt *of = code_definition(x->c, code_operand(x->c, s, 0)), *name = code_definition(x->c, code_operand(x->c, s, 1));
	bool is_known = name && name->op == IR_CONST_STRING && (!is_class || (of && of->op == IR_CONST_CLASS));
	return is_known ? full_name(x, is_class ? (class_id){ of->ref } : (class_id){ 0 }, (str_id){ name->ref }) : (str_id){ 0 };
}

/* What can be done with it without changing it, or handing it out. */
static bool is_harmless(const struct filled *x, const struct ir_stmt *s, ir_value object)
{
	static const char *const names[] = { "getProperty", "containsKey", "isEmpty", "size", "stringPropertyNames" };
	bool is = s->op == IR_IF;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		is |= is_of(x, s, NULL, names[i]);
	for (uint32_t k = 1; k < s->nargs && ir_is_call(s->op); k++)
		is &= code_operand(x->c, s, k) != object;
	return is;
}

str_id resources_find(struct values *v, method_id m, const struct code *c, ir_value receiver)
{
	const struct filled x = { v, m, c };
	const struct ir_stmt *made = code_definition(c, receiver);
	str_id file = { 0 };

	if (!made || made->op != IR_NEW || !str_is(class_name(v->p, (class_id){ made->ref }), "java/util/Properties"))
		return file;
	struct uses all = values_uses(v, m, receiver);
	for (uint32_t i = 0; i < all.n; i++) {
		const struct ir_stmt *s = &c->body->stmts[all.at[i]];
		bool is_on = code_operand(c, s, 0) == receiver;
		bool is_init = is_on && s->nargs == 1 && is_of(&x, s, "java/util/Properties", "<init>");
		bool is_load = is_on && s->nargs == 2 && is_of(&x, s, "java/util/Properties", "load") && !file.i;
		if (is_load)
			file = file_of(&x, code_operand(c, s, 1), 0);
		if (!is_init && !(is_load && file.i) && !is_harmless(&x, s, receiver))
			return (str_id){ 0 };
	}
	return file;
}

bool resources_answer(struct values *v, uint32_t n, meta about, meta_list *out)
{
	str_id file = { map_get(&v->resource_of, n) };
	struct span bytes;
	struct str value;

	if (meta_sort(about) != META_STRING || !v->p->source.resource)
		return false;
	if (!v->p->source.resource(v->p->source.ctx, v->p, interned(&v->p->strings, file), &bytes))
		return false;
	struct str key = interned(&v->p->strings, (str_id){ meta_id(about) }), name = interned(&v->p->strings, file);
	enum setting_is is = v->opt->settings->ask_resource(v->opt->settings->ctx, name, bytes, key, &value);
	if (is == SETTING_KNOWN)
		vec_push(out, meta_of(META_STRING, intern(&v->p->strings, value).i));
	return is != SETTING_UNKNOWN;
}
