/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - what facts with wildcards mean, and the order of facts. */
#include "base/text/glob.h"
#include "formats/facts/facts_p.h"

/* Where to go on after a mismatch: the wildcard takes one character more. Of wildcards of one kind only the last one counts, since what is
 * between two of them may as well be found as early as possible; `*` never takes a separator, so that one before it cannot help either. */
struct retry {
	uint32_t pattern, text;
	bool is_set;
};

static void retry(struct retry *w, uint32_t *p, uint32_t *t)
{
	*p = w->pattern;
	*t = ++w->text;
}

/* Takes the wildcard at p, if there is one, and notes it. */
static bool take_star(struct str pattern, uint32_t *p, uint32_t t, struct retry *one, struct retry *many)
{
	if (*p >= pattern.len || pattern.p[*p] != '*')
		return false;
	bool is_many = *p + 1 < pattern.len && pattern.p[*p + 1] == '*';
	*p += is_many ? 2 : 1;
	*(is_many ? many : one) = (struct retry){ *p, t, true };
	if (is_many)
		one->is_set = false;
	return true;
}

static bool takes(char pattern, char c, char separator)
{
	return pattern == c || (pattern == '?' && c != separator);
}

static bool matches(struct str pattern, struct str text, char separator)
{
	struct retry one = { 0 }, many = { 0 };
	uint32_t p = 0, t = 0;

	for (;;) {
		if (take_star(pattern, &p, t, &one, &many))
			continue;
		if (t == text.len && p == pattern.len)
			return true;
		if (t < text.len && p < pattern.len && takes(pattern.p[p], text.p[t], separator)) {
			p++;
			t++;
		} else if (one.is_set && one.text < text.len && text.p[one.text] != separator) {
			retry(&one, &p, &t);
		} else if (many.is_set && many.text < text.len) {
			one.is_set = false;
			retry(&many, &p, &t);
		} else {
			return false;
		}
	}
}

bool fact_pattern_matches(struct str classes, struct str class)
{
	struct str one;
	bool is_not = false;

	while (fact_field(&classes, ',', &one)) {
		is_not = one.len && one.p[0] == '!';
		if (matches(is_not ? str_sub(one, 1, one.len) : one, class, '.'))
			return !is_not;
	}
	return is_not;           /* a list that ends with an exception means all others */
}

bool fact_matches_class(const struct fact *f, struct str class)
{
	if (!f->class.len)
		return true;
	return f->is_pattern ? fact_pattern_matches(f->class, class) : str_eq(f->class, class);
}

bool fact_matches_name(const struct fact *f, struct str name)
{
	if (!f->name.len)
		return true;
	return f->is_pattern ? glob_matches_plain(f->name, name) : str_eq(f->name, name);
}

/* Descriptors */

static struct str take_type(struct str *s)
{
	uint32_t n = 0;

	while (n < s->len && s->p[n] == '[')
		n++;
	if (n < s->len && s->p[n] == 'L')
		while (n < s->len && s->p[n] != ';')
			n++;
	n += n < s->len;
	struct str type = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->len);
	return type;
}

static bool type_matches(struct str pattern, struct str type)
{
	while (pattern.len && type.len && pattern.p[0] == '[' && type.p[0] == '[') {
		pattern = str_sub(pattern, 1, pattern.len);
		type = str_sub(type, 1, type.len);
	}
	if (str_is(pattern, "L***;"))
		return type.len > 0;
	if (str_is(pattern, "%"))
		return type.len == 1 && type.p[0] != 'V';
	if (str_eq(pattern, type))
		return true;
	if (pattern.len < 2 || type.len < 2 || pattern.p[0] != 'L' || type.p[0] != 'L')
		return false;
	return matches(str_sub(pattern, 1, pattern.len - 1), str_sub(type, 1, type.len - 1), '/');
}

/* L...; takes any number of types: as few as possible, and after a mismatch one more. */
static bool types_match(struct str pattern, struct str types)
{
	struct str pattern_again = { 0 }, types_again = { 0 };
	bool is_set = false;

	for (;;) {
		struct str p = pattern, t = types, want = take_type(&p), type = take_type(&t);
		if (str_is(want, "L...;")) {
			pattern_again = pattern = p;
			types_again = types;
			is_set = true;
		} else if (!want.len && !type.len) {
			return true;
		} else if (want.len && type.len && type_matches(want, type)) {
			pattern = p;
			types = t;
		} else if (is_set && types_again.len) {
			take_type(&types_again);
			pattern = pattern_again;
			types = types_again;
		} else {
			return false;
		}
	}
}

/* (types)ret in two; of a field only the second. */
static void divide(struct str s, struct str *types, struct str *returned)
{
	int64_t close = str_rfind(s, ')');

	*types = close > 0 ? str_sub(s, 1, (uint32_t)close) : (struct str){ "", 0 };
	*returned = str_sub(s, (uint32_t)(close + 1), s.len);
}

bool fact_matches_descriptor(const struct fact *f, struct str descriptor)
{
	struct str want_types, want, types, type;

	if (!f->descriptor.len)
		return true;
	divide(f->descriptor, &want_types, &want);
	divide(descriptor, &types, &type);
	if ((f->descriptor.p[0] == '(') != (descriptor.len && descriptor.p[0] == '('))
		return false;
	if (!f->is_pattern)
		return str_eq(want_types, types) && (!want.len || str_eq(want, type));
	return types_match(want_types, types) && (!want.len || type_matches(want, type));
}

/* Order */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static uint64_t pack(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

static int compare_filters(const struct fact_filter *a, const struct fact_filter *b)
{
	int c;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	if ((c = compare_numbers(pack(a->class_set, a->class_unset), pack(b->class_set, b->class_unset))) ||
	    (c = str_cmp(a->class_annotation, b->class_annotation)) || (c = str_cmp(a->super, b->super)) ||
	    (c = str_cmp(a->super_annotation, b->super_annotation)) ||
	    (c = compare_numbers(pack(a->member_set, a->member_unset), pack(b->member_set, b->member_unset))))
		return c;
	return str_cmp(a->member_annotation, b->member_annotation);
}

static int compare_interfaces(const struct fact *a, const struct fact *b)
{
	for (uint32_t i = 0; i < a->ninterfaces && i < b->ninterfaces; i++) {
		int c = str_cmp(a->interfaces[i], b->interfaces[i]);
		if (c)
			return c;
	}
	return compare_numbers(a->ninterfaces, b->ninterfaces);
}

static int compare_places(const struct fact_place *a, const struct fact_place *b)
{
	int c;

	if ((c = str_cmp(a->class, b->class)) || (c = str_cmp(a->name, b->name)) || (c = str_cmp(a->descriptor, b->descriptor)) ||
	    (c = compare_numbers(a->line, b->line)))
		return c;
	return compare_numbers(a->pc, b->pc);
}

static uint32_t flags_of(const struct fact *f)
{
	return (uint32_t)f->is_pattern << 3 | (uint32_t)f->all_public << 2 | (uint32_t)f->if_used << 1 | f->needs_all;
}

int fact_compare(const struct fact *a, const struct fact *b)
{
	int c;

	if ((c = str_cmp(a->class, b->class)) || (c = compare_numbers(a->sort, b->sort)) || (c = str_cmp(a->name, b->name)) ||
	    (c = str_cmp(a->descriptor, b->descriptor)) || (c = str_cmp(a->extra, b->extra)) ||
	    (c = compare_interfaces(a, b)) || (c = str_cmp(a->condition, b->condition)) ||
	    (c = compare_numbers(flags_of(a), flags_of(b))) || (c = compare_filters(a->filter, b->filter)) ||
	    (c = compare_places(&a->at, &b->at)))
		return c;
	return a->needs_all ? compare_numbers(a->entry, b->entry) : 0;      /* of which they are part */
}
