/* SPDX-License-Identifier: Apache-2.0 */
/* interface_file.c - reads what interface_print() writes; docs/formats/interface.md has the syntax. */
#include "analysis/fragment/members.h"
#include "base/text/escaped.h"
#include "session/component/component_p.h"
#include "session/lookup/lines.h"
#include "session/session_p.h"

#define CANDIDATES 3      /* named in a message */

enum { NAME_CLASS, NAME_MEMBER, NAME_DESC, NAMES };

struct item_reader {
	struct interface_builder *b;
	struct session *s;
	struct lines lines;
	class_id cls;                 /* whose members are in `members`: items of a class stand together */
	struct members members;
	uint32_t suggested;           /* times that names like a wrong one were looked for */
	struct strbuf names[NAMES];   /* of the line, without escapes */
	struct strbuf why;            /* what is wrong with the line, and what to write instead */
};

typedef bool read_item(struct item_reader *r, struct str text);

/* Classes */

/* What a name stands for; what is malformed stands for itself, and nothing has that name. */
static struct str unescape(struct item_reader *r, int which, struct str text)
{
	struct strbuf *name = &r->names[which];

	strbuf_clear(name);
	return escaped_read(text, name) ? strbuf_str(name) : text;
}

static bool find_class(struct item_reader *r, struct str text, class_id *out)
{
	struct str dotted = unescape(r, NAME_CLASS, text);

	*out = (class_id){ 0 };
	if (dotted.len && !memchr(dotted.p, '/', dotted.len) && !memchr(dotted.p, '[', dotted.len))
		*out = session_class(r->s, dotted);
	if (out->i)
		return true;
	strbuf_addf(&r->why, "no class '%.*s'", (int)dotted.len, dotted.p);
	size_t before = r->why.len;
	if (r->suggested++ < MAX_SUGGESTED)
		suggest_names(r->s, dotted, false, NULL, &r->why);
	if (r->why.len == before)
		strbuf_adds(&r->why, " on the class path; is the name complete with its package?");
	return false;
}

static bool read_class(struct item_reader *r, struct str text)
{
	class_id c;

	if (!find_class(r, text, &c))
		return false;
	vec_push(&r->b->out->classes, c);
	return true;
}

static bool add_members(struct item_reader *r, struct str text, enum interface_reach reach)
{
	class_id c;

	if (!find_class(r, text, &c))
		return false;
	if (interface_add_class(&r->b->h, r->b->out, c, reach))
		return true;
	strbuf_addf(&r->why, "%.*s, or a class around it, is not public; for clients in its package, list its members "
			     "with 'method' and 'field'", (int)text.len, text.p);
	return false;
}

static bool read_public(struct item_reader *r, struct str text)
{
	return add_members(r, text, REACH_PUBLIC);
}

static bool read_protected(struct item_reader *r, struct str text)
{
	return add_members(r, text, REACH_PROTECTED);
}

static bool read_extend(struct item_reader *r, struct str text)
{
	class_id c;

	if (!find_class(r, text, &c))
		return false;
	vec_push(&r->b->out->extended, c);
	vec_push(&r->b->out->classes, c);
	return true;
}

/* Where nothing of the component is in a package, it does not matter that clients are. */
static bool read_package(struct item_reader *r, struct str text)
{
	struct program *p = &r->s->program;
	struct str dotted = unescape(r, NAME_CLASS, text);
	struct strbuf name = { 0 };

	for (uint32_t i = 0; i < r->b->component->classes.len; i++) {
		class_id c = r->b->component->classes.data[i];
		strbuf_clear(&name);
		print_class(p, c, &name);
		int64_t dot = str_rfind(strbuf_str(&name), '.');
		if (dot < 0 || !str_eq(str_sub(strbuf_str(&name), 0, (uint32_t)dot), dotted))
			continue;
		vec_push(&r->b->out->neighbours, c);
		break;
	}
	strbuf_release(&name);
	return true;
}

/* Members */

/* Splits pkg.Cls.name(desc)ret or pkg.Cls.name:desc, and finds the class and its members. */
static bool find_owner(struct item_reader *r, struct str text, const char *form, struct method_name *n, class_id *c)
{
	if (!split_method_name(text, n)) {
		strbuf_addf(&r->why, "'%.*s' names no class and member; write %s", (int)text.len, text.p, form);
		return false;
	}
	if (!find_class(r, n->cls, c))
		return false;
	n->name = unescape(r, NAME_MEMBER, n->name);
	n->desc = unescape(r, NAME_DESC, n->desc);
	if (c->i != r->cls.i) {
		members_release(&r->members);
		members_of(&r->b->h, *c, &r->members);
		r->cls = *c;
	}
	return true;
}

static void add_candidate(struct item_reader *r, struct str name, struct str desc, uint32_t n, const char *intro)
{
	if (n < CANDIDATES) {
		strbuf_adds(&r->why, n == 0 ? intro : ", ");
		print_class(&r->s->program, r->cls, &r->why);
		strbuf_addf(&r->why, ".%.*s%.*s", (int)name.len, name.p, (int)desc.len, desc.p);
	}
}

/* Names the methods that are called `name`, or like it; how many there are. */
static uint32_t add_method_candidates(struct item_reader *r, struct str name, bool exactly, const char *intro)
{
	const struct program *p = &r->s->program;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->members.methods.len; i++) {
		sel_id sel = method_row(p, r->members.methods.data[i])->sel;
		if (exactly ? str_eq(sel_name(p, sel), name) : names_are_alike(sel_name(p, sel), name))
			add_candidate(r, sel_name(p, sel), sel_desc(p, sel), n++, intro);
	}
	if (n > CANDIDATES)
		strbuf_addf(&r->why, " and %u more", (unsigned)(n - CANDIDATES));
	return n;
}

static uint32_t count_named(const struct item_reader *r, struct str name, method_id *last)
{
	const struct program *p = &r->s->program;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->members.methods.len; i++)
		if (str_eq(sel_name(p, method_row(p, r->members.methods.data[i])->sel), name)) {
			*last = r->members.methods.data[i];
			n++;
		}
	return n;
}

/* A compiler-made method can be named with its descriptor: tests do. */
static method_id find_resolved(struct item_reader *r, sel_id sel)
{
	struct program *p = &r->s->program;
	mref_id ref = program_mref(p, r->cls, sel, class_row(p, r->cls)->flags & ACCESS_INTERFACE);

	if (resolve_method(&r->b->h, ref) != RESOLVE_OK)
		return (method_id){ 0 };
	method_id m = mref_row(p, ref)->target;
	struct ir_method row = *method_row(p, m);
	bool is_own = row.owner.i == r->cls.i || sel_name(p, sel).p[0] != '<';
	return is_own && !(row.flags & ACCESS_PRIVATE) && !str_is(sel_name(p, sel), "<clinit>") ? m : (method_id){ 0 };
}

static method_id find_method(struct item_reader *r, const struct method_name *n)
{
	method_id m = { 0 };

	if (!n->desc.len) {
		uint32_t named = count_named(r, n->name, &m);
		if (named > 1)
			add_method_candidates(r, n->name, true,
					      "the name stands for more than one method; write one of ");
		if (named > 0)
			return m;
	} else {
		sel_id sel = program_sel(&r->s->program, n->name, n->desc);
		m = members_method(&r->s->program, &r->members, sel);
		m = m.i ? m : find_resolved(r, sel);
		if (m.i)
			return m;
	}
	strbuf_addf(&r->why, "%.*s has no method %.*s%.*s that clients can name", (int)n->cls.len, n->cls.p,
		    (int)n->name.len, n->name.p, (int)n->desc.len, n->desc.p);
	if (!add_method_candidates(r, n->name, true, "; it has ") && r->suggested++ < MAX_SUGGESTED)
		add_method_candidates(r, n->name, false, "; did you mean ");
	return (method_id){ 0 };
}

static bool read_method(struct item_reader *r, struct str text)
{
	struct program *p = &r->s->program;
	struct method_name n;
	class_id c;

	if (!find_owner(r, text, "pkg.Cls.method or pkg.Cls.method(desc)ret", &n, &c))
		return false;
	method_id m = find_method(r, &n);
	if (r->why.len)
		return false;
	if (str_is(n.name, "<init>") && (class_row(p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE))) {
		strbuf_addf(&r->why, "%.*s is abstract: clients cannot make objects of it; take the line out",
			    (int)n.cls.len, n.cls.p);
		return false;
	}
	interface_add_method(r->b->out, c, m);
	return true;
}

static uint32_t add_field_candidates(struct item_reader *r, struct str name, bool exactly, const char *intro)
{
	const struct program *p = &r->s->program;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->members.fields.len; i++) {
		sel_id sel = field_row(p, r->members.fields.data[i])->sel;
		struct strbuf desc = { 0 };
		strbuf_addf(&desc, ":%.*s", (int)sel_desc(p, sel).len, sel_desc(p, sel).p);
		if (exactly ? str_eq(sel_name(p, sel), name) : names_are_alike(sel_name(p, sel), name))
			add_candidate(r, sel_name(p, sel), exactly ? strbuf_str(&desc) : STR(""), n++, intro);
		strbuf_release(&desc);
	}
	return n;
}

static field_id find_field(struct item_reader *r, struct str name, struct str desc)
{
	struct program *p = &r->s->program;
	field_id f = { 0 };

	if (desc.len) {
		fref_id ref = program_fref(p, r->cls, program_sel(p, name, desc));
		if (resolve_field(&r->b->h, ref) == RESOLVE_OK)
			f = fref_row(p, ref)->target;
		if (f.i && (field_row(p, f)->flags & ACCESS_PRIVATE))
			f.i = 0;
	} else {
		f = members_field(p, &r->members, name);
	}
	if (f.i)
		return f;
	if (!desc.len && add_field_candidates(r, name, true, "the name stands for more than one field; write one of "))
		return f;
	strbuf_adds(&r->why, "no such field that clients can name");
	if (!add_field_candidates(r, name, true, "; it has ") && r->suggested++ < MAX_SUGGESTED)
		add_field_candidates(r, name, false, "; did you mean ");
	return f;
}

static bool read_field(struct item_reader *r, struct str text)
{
	const char *colon = memchr(text.p, ':', text.len);
	uint32_t end = colon ? (uint32_t)(colon - text.p) : text.len;
	struct method_name n;
	class_id c;

	if (!find_owner(r, str_sub(text, 0, end), "pkg.Cls.field", &n, &c))
		return false;
	field_id f = find_field(r, n.name, colon ? unescape(r, NAME_DESC, str_sub(text, end + 1, text.len)) : STR(""));
	if (f.i)
		interface_add_field(r->b->out, c, f);
	return f.i != 0;
}

/* Arrays */

static bool is_primitive_name(const struct program *p, struct str name)
{
	for (uint32_t i = 1; i < p->classes.len && class_row(p, (class_id){ i })->kind == CLASS_PRIMITIVE; i++)
		if (str_eq(class_name(p, (class_id){ i }), name))
			return true;
	return false;
}

static bool read_array(struct item_reader *r, struct str text, bool is_made)
{
	uint32_t dims = 0;
	struct str element = text;
	class_id c;

	for (; str_ends(element, "[]"); dims++)
		element = str_trim(str_sub(element, 0, element.len - 2));
	if (dims == 0 || dims > UINT8_MAX) {
		strbuf_addf(&r->why, "'%.*s' is no array; write pkg.Cls[]%s", (int)text.len, text.p,
			    is_made ? ", or 'method pkg.Cls.<init>(desc)V' when clients make objects of a class" : "");
		return false;
	}
	if (is_primitive_name(&r->s->program, element)) {
		strbuf_adds(&r->why, "arrays of primitives hold no objects and do not matter; take the line out");
		return false;
	}
	if (!find_class(r, element, &c))
		return false;
	while (dims-- > 0)
		c = program_array_of(&r->s->program, c);
	return interface_add_array(&r->s->program, r->b->out, c, is_made);
}

static bool read_new(struct item_reader *r, struct str text)
{
	return read_array(r, text, true);
}

static bool read_access(struct item_reader *r, struct str text)
{
	return read_array(r, text, false);
}

/* Lines */

static const struct keyword {
	const char *word;
	read_item *read;
} keywords[] = {
	{ "class", read_class },   { "public", read_public }, { "protected", read_protected },
	{ "method", read_method }, { "field", read_field },   { "new", read_new },
	{ "access", read_access }, { "extend", read_extend }, { "package", read_package },
};

static bool read_line(struct item_reader *r, struct str line)
{
	uint32_t end = 0;

	while (end < line.len && line.p[end] != ' ' && line.p[end] != '\t')
		end++;
	struct str word = str_sub(line, 0, end), text = str_trim(str_sub(line, end, line.len));
	for (uint32_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (str_is(word, keywords[i].word) && text.len)
			return keywords[i].read(r, text);
	strbuf_addf(&r->why, "'%.*s' is no item; write class, public, protected, method, field, new, access, extend or "
			     "package, and a name", (int)line.len, line.p);
	return false;
}

bool interface_file(struct interface_builder *b, const char *path)
{
	struct item_reader r = { .b = b, .s = b->s };
	struct str line;
	uint64_t items = 0;
	bool ok = true;

	if (!lines_open(&r.lines, path, "the interface file", &b->s->inquiry->diag))
		return false;
	for (; lines_next(&r.lines, &line); items++) {
		strbuf_clear(&r.why);
		if (read_line(&r, line))
			continue;
		diag_add(&b->s->inquiry->diag, DIAG_E046, path, (struct str){ 0 }, r.lines.n, "%s", r.why.len ? r.why.s : "");
		ok = false;
	}
	ok = lines_close(&r.lines) && ok;
	if (ok && !items) {
		diag_add(&b->s->inquiry->diag, DIAG_E046, path, (struct str){ 0 }, DIAG_NO_OFFSET, "the file lists nothing");
		ok = false;
	}
	members_release(&r.members);
	for (int i = 0; i < NAMES; i++)
		strbuf_release(&r.names[i]);
	strbuf_release(&r.why);
	return ok;
}
