/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/descriptor.h"

/* What a byte may not be in which names. */
enum { IN_CLASS = 1, IN_FIELD = 2, IN_METHOD = 4, SLASH = 8 };
static const uint8_t byte_class[256] = {
	['.'] = IN_CLASS | IN_FIELD | IN_METHOD,
	[';'] = IN_CLASS | IN_FIELD | IN_METHOD,
	['['] = IN_CLASS | IN_FIELD | IN_METHOD,
	['/'] = SLASH | IN_FIELD | IN_METHOD,
	['<'] = IN_METHOD,
	['>'] = IN_METHOD,
};

static bool has_byte(const char *p, uint32_t n, unsigned classes)
{
	for (uint32_t i = 0; i < n; i++)
		if (byte_class[(uint8_t)p[i]] & classes)
			return true;
	return false;
}

/* Names between slashes must not be empty. */
static bool is_internal_name(const char *p, uint32_t n)
{
	unsigned before = SLASH;

	for (uint32_t i = 0; i < n; i++) {
		unsigned c = byte_class[(uint8_t)p[i]];

		if (c && ((c & IN_CLASS) || (c & before & SLASH)))
			return false;
		before = c;
	}
	return !(before & SLASH);
}

/* One past the field descriptor at `at`, or 0 when there is none. */
static uint32_t field_end(struct str s, uint32_t at)
{
	uint32_t from = at;

	while (at < s.len && s.p[at] == '[')
		at++;
	if (at == s.len || at - from > 255)
		return 0;
	switch (s.p[at]) {
	case 'B': case 'C': case 'D': case 'F': case 'I': case 'J': case 'S': case 'Z':
		return at + 1;
	case 'L':
		break;
	default:
		return 0;
	}
	const char *name = s.p + at + 1, *semi = memchr(name, ';', s.len - at - 1);

	if (!semi || !is_internal_name(name, (uint32_t)(semi - name)))
		return 0;
	return (uint32_t)(semi - s.p) + 1;
}

/* The same for descriptors known to be good; never leaves `s`. */
static uint32_t skip_field(struct str s, uint32_t at)
{
	while (at < s.len && s.p[at] == '[')
		at++;
	if (at < s.len && s.p[at] == 'L')
		while (at < s.len && s.p[at] != ';')
			at++;
	return at < s.len ? at + 1 : s.len;
}

bool desc_is_field(struct str s)
{
	return s.len && field_end(s, 0) == s.len;
}

bool desc_is_method(struct str s)
{
	uint32_t at = 1, words = 0;

	if (s.len < 3 || s.p[0] != '(')
		return false;
	while (at < s.len && s.p[at] != ')') {
		words += s.p[at] == 'J' || s.p[at] == 'D' ? 2 : 1;
		at = field_end(s, at);
		if (!at || words > DESC_MAX_WORDS)
			return false;
	}
	if (++at >= s.len)
		return false;
	return s.p[at] == 'V' ? at + 1 == s.len : field_end(s, at) == s.len;
}

struct desc_iter desc_params(struct str method_desc)
{
	return (struct desc_iter){ method_desc, 1 };
}

bool desc_next(struct desc_iter *it, struct str *param)
{
	uint32_t from = it->at;

	if (from >= it->desc.len || it->desc.p[from] == ')')
		return false;
	it->at = skip_field(it->desc, from);
	*param = str_sub(it->desc, from, it->at);
	return true;
}

struct str desc_return(struct str method_desc)
{
	int64_t close = str_rfind(method_desc, ')');

	return str_sub(method_desc, (uint32_t)(close + 1), method_desc.len);
}

uint32_t desc_param_count(struct str method_desc)
{
	struct desc_iter it = desc_params(method_desc);
	struct str param;
	uint32_t n = 0;

	while (desc_next(&it, &param))
		n++;
	return n;
}

uint32_t desc_param_words(struct str method_desc)
{
	struct desc_iter it = desc_params(method_desc);
	struct str param;
	uint32_t n = 0;

	while (desc_next(&it, &param))
		n += desc_words(param);
	return n;
}

uint32_t desc_words(struct str desc)
{
	switch (desc.len ? desc.p[0] : 'V') {
	case 'V':
		return 0;
	case 'J': case 'D':
		return 2;
	default:
		return 1;
	}
}

uint32_t desc_dims(struct str desc)
{
	uint32_t n = 0;

	while (n < desc.len && desc.p[n] == '[')
		n++;
	return n;
}

bool name_is_class(struct str s)
{
	return s.len && s.p[0] == '[' ? desc_is_field(s) : is_internal_name(s.p, s.len);
}

bool name_is_field(struct str s)
{
	return s.len && !has_byte(s.p, s.len, IN_FIELD);
}

bool name_is_method(struct str s)
{
	if (s.len && s.p[0] == '<')
		return str_eq(s, STR("<init>")) || str_eq(s, STR("<clinit>"));
	return s.len && !has_byte(s.p, s.len, IN_METHOD);
}
