/* SPDX-License-Identifier: Apache-2.0 */
/* record.c - sherd's own record of what a run did by name: sherd-dynamic 1, and five fields a line. */
#include "base/text/jsonreader.h"
#include "formats/facts/facts_p.h"

enum { KIND, TARGET, CALLER, LINE, COUNT, FIELDS };

enum target { OF_CLASS, OF_METHOD, OF_FIELD, OF_MEMBER, OF_INTERFACES, OF_SERVICE, OF_TEXT };

static const struct kind {
	const char *word;
	enum fact_sort sort;
	enum target target;
} kinds[] = {
	{ "load", FACT_CLASS, OF_CLASS },
	{ "new", FACT_CONSTRUCTOR, OF_CLASS },
	{ "construct", FACT_CONSTRUCTOR, OF_METHOD },
	{ "invoke", FACT_INVOKE, OF_METHOD },
	{ "get", FACT_FIELD_READ, OF_FIELD },
	{ "set", FACT_FIELD_WRITTEN, OF_FIELD },
	{ "proxy", FACT_PROXY, OF_INTERFACES },
	{ "proxycall", FACT_PROXY_CALL, OF_METHOD },
	{ "handle", FACT_HANDLE, OF_MEMBER },
	{ "service", FACT_SERVICE, OF_SERVICE },
	{ "deserialize", FACT_DESERIALIZED, OF_CLASS },
	{ "string", FACT_STRING, OF_TEXT },
};

static const struct kind *find_kind(struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_is(word, kinds[i].word))
			return &kinds[i];
	return NULL;
}

/* Targets: each is false when the text is no such thing. */

static bool read_class(struct factreader *r, struct str text, struct fact *out)
{
	if (out->sort == FACT_CONSTRUCTOR) {
		out->name = STR("<init>");
		out->descriptor = STR("()V");
	}
	return factname_class(r, text, NAME_JVM, &out->class);
}

static bool read_member(struct factreader *r, struct str text, enum target what, struct fact *out)
{
	if (!factname_jvm_member(r, text, out) || str_is(out->name, "<clinit>"))
		return false;
	bool is_method = out->descriptor.p[0] == '(', is_constructor = str_is(out->name, "<init>");

	if (is_constructor && (!is_method || !str_ends(out->descriptor, ")V")))
		return false;
	if (what == OF_MEMBER)
		return true;
	return is_method == (what == OF_METHOD) && is_constructor == (out->sort == FACT_CONSTRUCTOR);
}

static bool read_service(struct factreader *r, struct str text, struct fact *out)
{
	struct str service;

	return fact_field(&text, '=', &service) && factname_class(r, service, NAME_JVM, &out->extra) &&
	       factname_class(r, text, NAME_JVM, &out->class);
}

static bool read_text(struct factreader *r, struct str text, struct fact *out)
{
	struct strbuf err = { 0 };

	strbuf_clear(&r->scratch);
	bool ok = jsonread_unescape(text, &r->scratch, &err);
	out->name = factreader_copy(r, strbuf_str(&r->scratch));
	strbuf_release(&err);
	return ok;
}

static bool read_target(struct factreader *r, struct str text, enum target what, struct fact *out)
{
	switch (what) {
	case OF_CLASS: return read_class(r, text, out);
	case OF_METHOD: case OF_FIELD: case OF_MEMBER: return read_member(r, text, what, out);
	case OF_INTERFACES: return factname_interfaces(r, text, NAME_JVM, out);
	case OF_SERVICE: return read_service(r, text, out);
	case OF_TEXT: return read_text(r, text, out);
	}
	return false;
}

/* pkg.Cls.name(desc)ret@pc; nothing or - where there is none */
static bool read_caller(struct factreader *r, struct str text, struct fact_place *out)
{
	int64_t at = str_rfind(text, '@');
	uint64_t pc = FACT_NO_PC;
	struct fact method = { 0 };

	if (!text.len || str_is(text, "-"))
		return true;
	if (at >= 0 && !fact_number(str_sub(text, (uint32_t)at + 1, text.len), UINT16_MAX, &pc))
		return false;
	if (!factname_jvm_member(r, at >= 0 ? str_sub(text, 0, (uint32_t)at) : text, &method) || method.descriptor.p[0] != '(')
		return false;
	*out = (struct fact_place){ method.class, method.name, method.descriptor, 0, (uint32_t)pc };
	return true;
}

static bool split(struct str line, struct str fields[FIELDS])
{
	int n = 0;
	struct str field;

	while (fact_field(&line, '\t', &field)) {
		if (n == FIELDS)
			return false;
		fields[n++] = field;
	}
	return n == FIELDS;
}

static bool read_line(struct factreader *r, struct str line, uint32_t first)
{
	struct str fields[FIELDS];
	uint64_t source_line, count;

	if (!split(line, fields))
		return factreader_drop(r, first, "five fields are expected, with tabs between them: kind, target, caller, line, count");
	const struct kind *kind = find_kind(fields[KIND]);
	if (!kind)
		return factreader_drop(r, first, "unknown kind \"%.*s\"", shown(fields[KIND]), fields[KIND].p);
	struct fact row = *factreader_add(r, kind->sort);
	if (!read_target(r, fields[TARGET], kind->target, &row))
		return factreader_drop(r, first, "no target of kind %s", kind->word);
	if (!read_caller(r, fields[CALLER], &row.at))
		return factreader_drop(r, first, "no caller: write pkg.Cls.name(desc)ret@pc, or nothing");
	if (!fact_number(fields[LINE], UINT16_MAX, &source_line) || !fact_number(fields[COUNT], INT64_MAX, &count))
		return factreader_drop(r, first, "line and count are numbers");
	row.at.line = (uint32_t)source_line;
	row.count = count;
	if (!r->is_full)
		r->f->rows.data[first] = row;
	return true;
}

bool facts_read_record(struct factreader *r, struct span bytes)
{
	struct factlines l = factlines_of(bytes);
	struct str line;

	if (!factlines_next(&l, &line) || !str_is(fact_trim(line), "sherd-dynamic 1")) {
		diag_add(r->d, DIAG_E070, r->artifact, (struct str){ 0 }, 1,
			 "the first line is not \"sherd-dynamic 1\": record again with this version of sherd");
		return false;
	}
	while (!r->is_full && factlines_next(&l, &line))
		if (line.len)
			read_line(r, line, factreader_entry(r, l.line));
	if (bytes.len && bytes.p[bytes.len - 1] != '\n')
		factreader_note(r, l.line, "the last line has no end: the record may have been cut off");
	return true;
}
