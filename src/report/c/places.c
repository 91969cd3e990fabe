/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - statements by their place in the source, files and lines as users write them, notes. */
#include "report/c/c_p.h"

static const struct cloc *loc_of(const struct c_result *r, cloc_id l)
{
	return &r->program->locs.data[l.i];
}

static int compare_uint(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

struct placed {
	struct str file;
	uint32_t line, column;
	struct c_stmt stmt;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int c = str_cmp(x->file, y->file);

	if (!c)
		c = compare_uint(x->line, y->line);
	if (!c)
		c = compare_uint(x->column, y->column);
	return c ? c : compare_uint(x->stmt.row, y->stmt.row);
}

const char *c_stmt_kind(const struct cstmt *s)
{
	switch (s->op) {
	case C_PUT: case C_STORE: return "store";
	case C_GET: case C_LOAD: return "load";
	case C_MOVE: return "move";
	case C_CALL: return "call";
	default: return "copy";
	}
}

/* Addresses are computed without an access. */
static bool is_access(const struct cstmt *s)
{
	return s->op != C_ADDR && s->op != C_SHIFT && !(s->flags & CSTMT_HIDDEN);
}

void c_statements(const struct c_result *r, c_stmt_vec *out)
{
	const struct cprogram *p = r->program;
	VEC(struct placed) all = { 0 };

	for (uint32_t f = 1; f < p->fns.len; f++) {
		const struct cfn *row = &p->fns.data[f];
		if (!c_is_own(r, (cfn_id){ f }))
			continue;
		for (uint32_t i = row->stmts; i < row->stmts + row->nstmts; i++) {
			const struct cloc *l = loc_of(r, p->stmts.data[i].loc);
			if (p->stmts.data[i].loc.i && l->line && is_access(&p->stmts.data[i]))
				vec_push(&all, ((struct placed){ interned(&p->names, l->file), l->line, l->column,
								  { i, { f } } }));
		}
	}
	if (all.len)
		qsort(all.data, all.len, sizeof(all.data[0]), by_place);
	for (uint32_t i = 0; i < all.len; i++)
		vec_push(out, all.data[i].stmt);
	vec_release(&all);
}

bool c_is_at(const struct c_result *r, const struct c_line *lines, uint32_t nlines, uint32_t stmt)
{
	const struct cloc *l = loc_of(r, r->program->stmts.data[stmt].loc);

	for (uint32_t i = 0; i < nlines; i++)
		if (l->file.i == lines[i].file.i && l->line == lines[i].line)
			return true;
	return false;
}

/* Does the user's name mean this file: all of it, or its last parts? */
static bool is_called(struct str file, struct str name)
{
	if (name.len > file.len || memcmp(file.p + file.len - name.len, name.p, name.len) != 0)
		return false;
	return name.len == file.len || file.p[file.len - name.len - 1] == '/';
}

static struct str base_name(struct str file)
{
	return str_sub(file, (uint32_t)(str_rfind(file, '/') + 1), file.len);
}

/* The files of the statements, each once, by name. */
typedef VEC(str_id) file_vec;
static void files_of(const struct c_result *r, const c_stmt_vec *stmts, file_vec *out)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		str_id file = loc_of(r, r->program->stmts.data[stmts->data[i].row].loc)->file;
		if (!out->len || vec_last(out)->i != file.i)
			vec_push(out, file);
	}
}

static void add_file(const struct c_result *r, str_id file, struct strbuf *out)
{
	escape_add(out, ESCAPE_PLAIN, interned(&r->program->names, file));
}

enum { NEAREST = 8 };

static void say_several(const struct c_result *r, struct str name, const file_vec *found, struct strbuf *why)
{
	strbuf_addf(why, "%.*s is the name of several files: write one of", (int)name.len, name.p);
	for (uint32_t i = 0; i < found->len && i < NEAREST; i++) {
		strbuf_adds(why, "\n    ");
		add_file(r, found->data[i], why);
	}
	if (found->len > NEAREST)
		strbuf_addf(why, "\n    and %u more", found->len - NEAREST);
}

/* Files of the same base name are most likely meant. */
static void say_none(const struct c_result *r, struct str name, const file_vec *files, struct strbuf *why)
{
	struct str base = base_name(name);
	uint32_t same = 0, shown = 0;

	if (!files->len) {
		strbuf_adds(why, "no statement has a place in a source file: compile with -g");
		return;
	}
	for (uint32_t i = 0; i < files->len; i++)
		same += str_eq(base_name(interned(&r->program->names, files->data[i])), base);
	strbuf_addf(why, "no statement of the program is in a file %.*s; statements are in", (int)name.len, name.p);
	for (uint32_t i = 0; i < files->len && shown < NEAREST; i++) {
		struct str file = interned(&r->program->names, files->data[i]);
		if (same && !str_eq(base_name(file), base))
			continue;
		strbuf_adds(why, "\n    ");
		escape_add(why, ESCAPE_PLAIN, file);
		shown++;
	}
	if (shown < (same ? same : files->len))
		strbuf_addf(why, "\n    and %u more", (same ? same : files->len) - shown);
}

/* Those that the name may mean. `is_longer`: it has folders that the compiler did not see. */
static void candidates(const struct c_result *r, const file_vec *files, struct str name, bool is_longer, file_vec *out)
{
	for (uint32_t i = 0; i < files->len; i++) {
		struct str text = interned(&r->program->names, files->data[i]);
		if (str_eq(text, name))
			vec_clear(out);
		if (is_longer ? is_called(name, text) : is_called(text, name))
			vec_push(out, files->data[i]);
		if (str_eq(text, name))
			break;
	}
}

static bool find_file(const struct c_result *r, const c_stmt_vec *stmts, struct str name, str_id *file, struct strbuf *why)
{
	file_vec files = { 0 }, found = { 0 };

	while (str_starts(name, "./"))
		name = str_sub(name, 2, name.len);
	files_of(r, stmts, &files);
	candidates(r, &files, name, false, &found);
	if (!found.len)
		candidates(r, &files, name, true, &found);
	bool ok = found.len == 1 && name.len;
	if (ok)
		*file = found.data[0];
	else if (found.len && name.len)
		say_several(r, name, &found, why);
	else
		say_none(r, name, &files, why);
	vec_release(&files);
	vec_release(&found);
	return ok;
}

bool c_find_file(const struct c_result *r, struct str name, str_id *file, struct strbuf *why)
{
	c_stmt_vec stmts = { 0 };

	c_statements(r, &stmts);
	bool ok = find_file(r, &stmts, name, file, why);
	vec_release(&stmts);
	return ok;
}

/* The last line before and the first one behind. */
static void say_no_statement(const struct c_result *r, const c_stmt_vec *stmts, const struct c_line *at, struct strbuf *why)
{
	uint32_t before = 0, behind = 0;

	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct cloc *l = loc_of(r, r->program->stmts.data[stmts->data[i].row].loc);
		if (l->file.i != at->file.i)
			continue;
		if (l->line < at->line)
			before = l->line;
		else if (!behind)
			behind = l->line;
	}
	strbuf_addf(why, "no statement that may run on line %u of ", at->line);
	add_file(r, at->file, why);
	strbuf_adds(why, "; the nearest that have one: ");
	if (before)
		strbuf_addf(why, "%u%s", before, behind ? ", " : "");
	if (behind)
		strbuf_addf(why, "%u", behind);
}

static bool has_line(const struct c_result *r, const c_stmt_vec *stmts, const struct c_line *at)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct cloc *l = loc_of(r, r->program->stmts.data[stmts->data[i].row].loc);
		if (l->file.i == at->file.i && l->line == at->line)
			return true;
	}
	return false;
}

static bool find_line(const struct c_result *r, struct str file, uint32_t line, struct c_line *out, struct strbuf *why)
{
	c_stmt_vec stmts = { 0 };

	c_statements(r, &stmts);
	out->line = line;
	bool ok = find_file(r, &stmts, file, &out->file, why);
	if (ok && !has_line(r, &stmts, out)) {
		say_no_statement(r, &stmts, out, why);
		ok = false;
	}
	vec_release(&stmts);
	return ok;
}

/* 0: not one, or too large. */
static uint32_t read_number(struct str t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t.len; i++) {
		if (t.p[i] < '0' || t.p[i] > '9' || n > UINT32_MAX / 10)
			return 0;
		n = n * 10 + (uint64_t)(t.p[i] - '0');
	}
	return (uint32_t)n;
}

/* The number behind the last colon, which is cut off with it; 0: there is none. */
static uint32_t take_number(struct str *t)
{
	int64_t colon = str_rfind(*t, ':');
	uint32_t n = colon > 0 ? read_number(str_sub(*t, (uint32_t)colon + 1, t->len)) : 0;

	if (n)
		*t = str_sub(*t, 0, (uint32_t)colon);
	return n;
}

bool c_find_line(const struct c_result *r, const char *text, struct c_line *out, struct strbuf *why)
{
	struct str file = str_of(text), more;
	uint32_t line, before;

	if (file.len && file.p[file.len - 1] == ':')
		file.len--;
	line = take_number(&file);
	more = file;
	before = line ? take_number(&more) : 0;
	if (before)
		return find_line(r, more, before, out, why);
	if (line)
		return find_line(r, file, line, out, why);
	strbuf_addf(why, "--statement needs FILE:LINE, not '%s'", text);
	return false;
}

const char *c_note_name(enum cnote_kind k)
{
	static const char *const names[CNOTES] = {
		[CNOTE_ASM] = "inline-assembly", [CNOTE_UNKNOWN] = "unknown-function", [CNOTE_NO_DEBUG] = "no-debug-information",
		[CNOTE_SPLIT] = "split-pointer", [CNOTE_INSTRUCTION] = "instruction", [CNOTE_LOADS] = "loaded-function",
	};

	return k < CNOTES && names[k] ? names[k] : "other";
}

const char *c_note_title(enum cnote_kind k)
{
	static const char *const titles[CNOTES] = {
		[CNOTE_ASM] = "inline assembly does only what its operands say",
		[CNOTE_UNKNOWN] = "a function without body and model may do anything",
		[CNOTE_NO_DEBUG] = "modules without debug information: names are those of the bitcode",
		[CNOTE_SPLIT] = "pieces of pointers are followed only where they are copied or put together again",
		[CNOTE_INSTRUCTION] = "instructions that are not modelled do nothing",
		[CNOTE_LOADS] = "functions found by name at run time are not called (--loaded)",
	};

	return k < CNOTES && titles[k] ? titles[k] : "other";
}

struct sorted_note {
	const struct cprogram *p;
	struct cnote note;
};

static int by_note(const void *a, const void *b)
{
	const struct sorted_note *x = a, *y = b;
	const struct cprogram *p = x->p;
	const struct cloc *lx = &p->locs.data[x->note.loc.i], *ly = &p->locs.data[y->note.loc.i];
	int c = compare_uint(x->note.kind, y->note.kind);

	if (!c)
		c = str_cmp(interned(&p->names, x->note.text), interned(&p->names, y->note.text));
	if (!c)
		c = str_cmp(interned(&p->names, lx->file), interned(&p->names, ly->file));
	if (!c)
		c = compare_uint(lx->line, ly->line);
	if (!c)
		c = compare_uint(lx->column, ly->column);
	return c ? c : compare_uint(x->note.fn.i, y->note.fn.i);
}

void c_notes(const struct c_result *r, c_note_vec *out)
{
	VEC(struct sorted_note) all = { 0 };

	for (uint32_t i = 1; i < r->program->notes.len; i++)
		vec_push(&all, ((struct sorted_note){ r->program, r->program->notes.data[i] }));
	if (all.len)
		qsort(all.data, all.len, sizeof(all.data[0]), by_note);
	for (uint32_t i = 0; i < all.len; i++)
		if (i == 0 || by_note(&all.data[i - 1], &all.data[i]) != 0)
			vec_push(out, all.data[i].note);
	vec_release(&all);
}
