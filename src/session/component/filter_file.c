/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/filter_file.h"

#include "session/component/chains.h"
#include "session/lookup/lines.h"

const char *const filter_kind_names[] = { "from", "through", "not-through", NULL };
const char *const filter_kind_options[] = { "--from", "--through", "--not-through", NULL };

struct reading {
	struct filter_file *out;
	const char *path;
	uint64_t line;
	struct strbuf *err;
};

static bool complain(struct reading *r, struct str what, const char *why)
{
	strbuf_addf(r->err, "%s:%llu: '%.*s' %s", r->path, (unsigned long long)r->line, (int)what.len, what.p, why);
	return false;
}

static bool read_k(struct reading *r, struct str number)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < number.len && n <= CHAINS_MOST_K; i++)
		n = number.p[i] >= '0' && number.p[i] <= '9' ? n * 10 + (uint64_t)(number.p[i] - '0') : UINT32_MAX;
	if (n < 1 || n > CHAINS_MOST_K)
		return complain(r, number, "is no length of chains: write k and a number from 1 to 10000");
	r->out->k = (uint32_t)n;
	return true;
}

static bool read_line(struct reading *r, struct str text)
{
	uint32_t end = 0;

	while (end < text.len && text.p[end] != ' ' && text.p[end] != '\t')
		end++;
	struct str word = str_sub(text, 0, end), rest = str_trim(str_sub(text, end, text.len));

	if (memchr(text.p, 0, text.len) || !rest.len)
		return complain(r, word, "stands alone: write k N, from LIST, through LIST or not-through LIST");
	if (str_is(word, "k"))
		return read_k(r, rest);
	for (int kind = 0; kind < FILTER_KINDS; kind++)
		if (str_is(word, filter_kind_names[kind])) {
			char *list = arena_zalloc(&r->out->mem, (size_t)rest.len + 1);
			memcpy(list, rest.p, rest.len);
			vec_push(&r->out->lines, ((struct filter_line){ (enum filter_kind)kind, list, r->path, r->line }));
			return true;
		}
	return complain(r, word, "is no filter: write k N, from LIST, through LIST or not-through LIST");
}

/* What could not be read, as a sentence. */
static void take_diagnostic(const struct diag *d, struct strbuf *err)
{
	if (!err->len && d->entries.len)
		strbuf_addf(err, "%s: %s", d->entries.data[0].artifact, d->entries.data[0].text);
}

bool filter_file_read(const char *path, struct filter_file *out, struct strbuf *err)
{
	struct reading r = { .out = out, .err = err };
	struct diag diag;
	struct lines l;
	struct str text;
	bool ok = true;

	*out = (struct filter_file){ 0 };
	arena_init(&out->mem);
	diag_init(&diag);
	r.path = arena_strdup(&out->mem, path);
	if (lines_open(&l, path, "the file of filters", &diag)) {
		while (ok && lines_next(&l, &text)) {
			r.line = l.n;
			ok = read_line(&r, text);
		}
		ok = lines_close(&l) && ok;
	} else {
		ok = false;
	}
	take_diagnostic(&diag, err);
	diag_release(&diag);
	return ok;
}

void filter_file_release(struct filter_file *f)
{
	vec_release(&f->lines);
	arena_release(&f->mem);
}

void filter_file_print(uint32_t k, const struct filter_line *lines, uint32_t n, struct strbuf *out)
{
	strbuf_adds(out, "# Filters of call chains, for sherd chains --filter FILE\n");
	if (k)
		strbuf_addf(out, "k %u\n", (unsigned)k);
	for (uint32_t i = 0; i < n; i++)
		strbuf_addf(out, "%s %s\n", filter_kind_names[lines[i].kind], lines[i].list);
}
