/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.c - the classes and packages whose names are like one that does not exist. */
#include "session/component/component_p.h"

#define SUGGESTIONS 3
#define MAX_COMPARED 200      /* letters of names that are compared */

struct suggestion {
	uint32_t score;               /* 0: the best */
	struct str name;              /* internal form */
	bool is_package;
};
struct suggester {
	struct program *p;
	struct str wanted;            /* internal form */
	bool has_packages;            /* they may be meant, too */
	bool is_jdk;                  /* what is considered is the JDK's: where names are alike, the user's own are meant */
	struct map packages;          /* seen */
	struct suggestion best[SUGGESTIONS];
	uint32_t n;
};

static char letter(char c)
{
	return c == '.' || c == '$' ? '/' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* How many letters to insert, delete, change or swap with the next, whatever their case and whether dots or dollars. */
static uint32_t edit_distance(struct str a, struct str b)
{
	uint32_t rows[3][MAX_COMPARED + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	if (a.len > MAX_COMPARED || b.len > MAX_COMPARED)
		return UINT32_MAX;
	for (uint32_t k = 0; k <= b.len; k++)
		last[k] = k;
	for (uint32_t i = 1; i <= a.len; i++) {
		now[0] = i;
		for (uint32_t k = 1; k <= b.len; k++) {
			char x = letter(a.p[i - 1]), y = letter(b.p[k - 1]);
			now[k] = min3(last[k] + 1, now[k - 1] + 1, last[k - 1] + (x != y));
			if (i > 1 && k > 1 && x == letter(b.p[k - 2]) && y == letter(a.p[i - 2]))
				now[k] = min3(now[k], now[k], before[k - 2] + 1);
		}
		uint32_t *spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[b.len];
}

bool names_are_alike(struct str a, struct str b)
{
	return edit_distance(a, b) <= 1 + b.len / 5;
}

/* Behind the last slash or dollar. */
static struct str simple_name(struct str name)
{
	uint32_t i = name.len;

	while (i > 0 && letter(name.p[i - 1]) != '/')
		i--;
	return str_sub(name, i, name.len);
}

static uint32_t score_of(const struct suggester *k, struct str name, bool is_package)
{
	bool is_bare = !memchr(k->wanted.p, '/', k->wanted.len);      /* the package may be all that is missing */
	uint32_t limit = (k->wanted.len < 6 ? 1 : 2) + k->wanted.len / 8;
	uint32_t longer = name.len > k->wanted.len ? name.len - k->wanted.len : k->wanted.len - name.len;

	if (!is_package && edit_distance(simple_name(name), simple_name(k->wanted)) == 0)
		return is_bare ? 1 : 1 + edit_distance(name, k->wanted);
	if (is_package && longer && str_starts(name, k->wanted.p) && name.p[k->wanted.len] == '/')
		return 3;
	if (!is_package && is_bare)
		name = memchr(name.p, '$', name.len) ? name : simple_name(name);
	else if (longer > limit)
		return UINT32_MAX;
	uint32_t distance = edit_distance(name, k->wanted);
	return distance > limit ? UINT32_MAX : 2 * distance;
}

static void consider(struct suggester *k, struct str name, bool is_package)
{
	uint32_t score = score_of(k, name, is_package), at = k->n;

	if (score == UINT32_MAX)
		return;
	score = 2 * score + k->is_jdk;
	while (at > 0 && (k->best[at - 1].score > score ||
			  (k->best[at - 1].score == score && str_cmp(k->best[at - 1].name, name) > 0)))
		at--;
	if (at == SUGGESTIONS)
		return;
	if (k->n < SUGGESTIONS)
		k->n++;
	memmove(&k->best[at + 1], &k->best[at], (k->n - 1 - at) * sizeof(k->best[0]));
	k->best[at] = (struct suggestion){ score, name, is_package };
}

static void consider_class(void *ctx, class_id c)
{
	struct suggester *k = ctx;
	struct str name = class_name(k->p, c), package = package_of(name);

	consider(k, name, false);
	if (!package.len || !k->has_packages)
		return;
	str_id id = intern(&k->p->strings, package);
	uint32_t *seen = map_at(&k->packages, id.i);
	if (!*seen)
		consider(k, interned(&k->p->strings, id), true);
	*seen = 1;
}

static void print_suggestions(const struct suggester *k, struct strbuf *out)
{
	uint32_t n = 0;

	while (n < k->n && k->best[n].score == k->best[0].score)
		n++;
	for (uint32_t i = 0; i < n; i++) {
		strbuf_adds(out, i == 0 ? "; did you mean " : i + 1 == n ? " or " : ", ");
		for (uint32_t j = 0; j < k->best[i].name.len; j++)
			strbuf_addch(out, k->best[i].name.p[j] == '/' ? '.' : k->best[i].name.p[j]);
		strbuf_adds(out, k->best[i].is_package ? ".*" : "");
	}
	strbuf_adds(out, n ? "?" : "");
}

void suggest_names(struct session *s, struct str dotted, bool has_packages, const char *but, struct strbuf *out)
{
	struct strbuf wanted = { 0 };
	struct suggester k = { .p = &s->program, .has_packages = has_packages };

	for (uint32_t i = 0; i < dotted.len; i++)
		strbuf_addch(&wanted, dotted.p[i] == '.' ? '/' : dotted.p[i]);
	k.wanted = strbuf_str(&wanted);
	for (uint32_t a = 1; a < s->program.artifacts.len && k.wanted.len; a++)
		if (!path_has_artifact(s, but, a)) {
			k.is_jdk = loader_is_jdk(s->loader, a);
			loader_name_artifact(s->loader, a, consider_class, &k);
		}
	print_suggestions(&k, out);
	map_release(&k.packages);
	strbuf_release(&wanted);
}
