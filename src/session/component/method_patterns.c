/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/method_patterns.h"

#include "base/text/glob.h"

void method_patterns_release(struct method_patterns *m)
{
	patterns_release(&m->classes);
	strbuf_release(&m->name);
	strbuf_release(&m->desc);
}

/* pkg.Cls.name(params): what is before the last dot names classes. */
bool method_patterns_read(struct diag *d, struct str text, struct method_patterns *out)
{
	const char *open = memchr(text.p, '(', text.len);
	struct str cls = open ? str_sub(text, 0, (uint32_t)(open - text.p)) : text;
	struct strbuf plain = { 0 };

	*out = (struct method_patterns){ 0 };
	if (open) {
		int64_t dot = str_rfind(cls, '.');
		strbuf_addstr(&out->name, str_sub(cls, (uint32_t)(dot + 1), cls.len));
		strbuf_addstr(&out->desc, str_sub(text, cls.len, text.len));
		if (out->desc.s[out->desc.len - 1] == ')')
			strbuf_addch(&out->desc, '*');
		cls = str_sub(cls, 0, dot < 0 ? 0 : (uint32_t)dot);
	}
	strbuf_addstr(&plain, cls);
	bool ok = patterns_read(d, plain.len ? plain.s : "**", &out->classes);
	strbuf_release(&plain);
	return ok;
}

bool method_patterns_match(const struct method_patterns *m, struct str internal_class_name, struct str name, struct str desc)
{
	if (m->name.len && !glob_matches_plain(strbuf_str(&m->name), name))
		return false;
	if (m->desc.len && !glob_matches_plain(strbuf_str(&m->desc), desc))
		return false;
	return m->name.len ? patterns_match_class(&m->classes, internal_class_name) : patterns_match(&m->classes, internal_class_name);
}
