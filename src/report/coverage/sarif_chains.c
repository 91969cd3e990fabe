/* SPDX-License-Identifier: Apache-2.0 */
/* sarif_chains.c - call chains as SARIF: the calls that tests come to and never make, at their lines, with the calls before them as
 * a code flow; entries that no test calls; and chains that nobody expected. */
#include "base/digest.h"
#include "report/coverage/sarif_p.h"
#include "report/java/params.h"
#include "report/write/screen.h"

#define MOST_MISSED 300u      /* the most valuable ones: services show no more */
#define MOST_TESTS 3u

struct chain_writer {
	struct sarif *w;
	const struct cov_chains *c;
	const struct plan_chains *x;
	struct strbuf text;           /* of messages: places use the sarif's own */
};

static void add_method(struct chain_writer *k, uint32_t body)
{
	const struct plan_method *m = &k->x->bodies.data[body];

	strbuf_addstr(&k->text, k->c->plan->classes.data[m->class].name);
	strbuf_addch(&k->text, '.');
	strbuf_addstr(&k->text, m->name);
	add_params(m->desc, &k->text);
}

static void add_receiver(struct chain_writer *k, const struct plan_child *c)
{
	if (c->receiver)
		strbuf_adds(&k->text, " on "), strbuf_addstr(&k->text, k->c->plan->types.data[c->receiver].name);
	else if (c->flags & PLAN_TO_CLIENT)
		strbuf_adds(&k->text, " on a class of clients");
}

static uint32_t entry_of(const struct chain_writer *k, uint32_t tree)
{
	return k->x->states.data[k->x->trees.data[tree].state].body;
}

/* Where a call stands; an entry, where its class is. */
static void write_place(struct chain_writer *k, uint32_t body, uint32_t line)
{
	struct strbuf name = { 0 };

	sarif_physical(k->w, k->x->bodies.data[body].class, line);
	cov_body_text(k->c->plan, body, &name);
	sarif_logical(k->w, strbuf_str(&name), "function");
	strbuf_release(&name);
}

static void write_call_place(struct chain_writer *k, uint32_t call)
{
	write_place(k, k->x->calls.data[call].method, k->x->calls.data[call].line);
}

/* Flows */

static void begin_step(struct chain_writer *k)
{
	json_object(&k->w->j);
	json_key(&k->w->j, "location"), json_object(&k->w->j);
	strbuf_clear(&k->text);
}

static void end_step(struct chain_writer *k)
{
	sarif_message(k->w, "message", strbuf_str(&k->text));
	json_end_object(&k->w->j);
	json_end_object(&k->w->j);
}

static void write_step(struct chain_writer *k, uint32_t child, const char *verb)
{
	const struct plan_child *c = &k->x->children.data[child];

	begin_step(k);
	write_call_place(k, c->call);
	strbuf_adds(&k->text, verb);
	add_method(k, c->callee);
	add_receiver(k, c);
	end_step(k);
}

static void write_way(struct chain_writer *k, uint32_t row)
{
	const struct cov_chain *r = &k->c->rows.data[row];

	if (r->parent != UINT32_MAX) {
		write_way(k, r->parent);
		write_step(k, r->child, "calls ");
		return;
	}
	begin_step(k);
	write_place(k, entry_of(k, r->tree), 0);
	strbuf_adds(&k->text, "is called from outside: ");
	add_method(k, entry_of(k, r->tree));
	end_step(k);
}

/* Fingerprints: what is called, one after the other, whatever lines and offsets it has. */

static uint64_t digest_body(const struct chain_writer *k, uint64_t d, uint32_t body)
{
	const struct plan_method *m = &k->x->bodies.data[body];

	return digest_str(digest_str(digest_str(d, k->c->plan->classes.data[m->class].name), m->name), m->desc);
}

static uint64_t digest_child(const struct chain_writer *k, uint64_t d, uint32_t child)
{
	const struct plan_child *c = &k->x->children.data[child];

	d = digest_u32(digest_body(k, d, c->callee), k->x->calls.data[c->call].nth);
	return digest_str(d, k->c->plan->types.data[c->receiver].name);
}

static uint64_t digest_way(const struct chain_writer *k, uint64_t d, uint32_t row)
{
	const struct cov_chain *r = &k->c->rows.data[row];

	if (r->parent == UINT32_MAX)
		return digest_body(k, d, entry_of(k, r->tree));
	return digest_child(k, digest_way(k, d, r->parent), r->child);
}

static uint64_t fingerprint(const struct chain_writer *k, const struct cov_next *n)
{
	struct sarif_rule rule = sarif_rule(COV_CHAINS);
	uint64_t d = digest_str(DIGEST_START, str_of(rule.id));

	if (n->call == UINT32_MAX)
		return digest_body(k, d, n->body);
	return digest_child(k, digest_way(k, d, n->row), n->child);
}

/* Results */

static void add_tests(struct chain_writer *k, const struct cov_chain *r)
{
	uint32_t n = r->ntests < MOST_TESTS ? r->ntests : MOST_TESTS;

	for (uint32_t i = 0; i < n; i++) {
		strbuf_adds(&k->text, i ? ", " : " Tests that come here: ");
		strbuf_addstr(&k->text, k->w->c->tests.data[k->c->tests.data[r->first_test + i]].name);
	}
	if (n < r->ntests)
		strbuf_addf(&k->text, " and %u more", (unsigned)(r->ntests - n));
	strbuf_adds(&k->text, n ? "." : "");
}

static void add_message(struct chain_writer *k, const struct cov_next *n)
{
	char buf[32];

	strbuf_clear(&k->text);
	add_method(k, n->call == UINT32_MAX ? n->body : entry_of(k, n->tree));
	if (n->call == UINT32_MAX) {
		strbuf_adds(&k->text, " is an entry that no run calls");
	} else {
		strbuf_addf(&k->text, " %s ", cov_criteria[COV_CHAINS].never);
		add_method(k, n->body);
		add_receiver(k, &k->x->children.data[n->child]);
		strbuf_adds(&k->text, " here");
	}
	strbuf_addf(&k->text, ": %s missed chain%s begin%s so.", grouped(n->below, buf), n->below == 1 ? "" : "s",
		    n->below == 1 ? "s" : "");
	if (n->call != UINT32_MAX)
		add_tests(k, &k->c->rows.data[n->row]);
}

static void write_missed(struct chain_writer *k, const struct cov_next *n)
{
	bool is_entry = n->call == UINT32_MAX;

	sarif_begin_result(k->w, COV_CHAINS, !n->is_own || n->is_fixed);
	add_message(k, n);
	sarif_message(k->w, "message", strbuf_str(&k->text));
	json_key(&k->w->j, "locations"), json_array(&k->w->j), json_object(&k->w->j);
	is_entry ? write_place(k, n->body, 0) : write_call_place(k, n->call);
	json_end_object(&k->w->j), json_end_array(&k->w->j);
	sarif_fingerprint(k->w, fingerprint(k, n));
	if (!is_entry) {
		sarif_begin_flow(k->w);
		write_way(k, n->row);
		write_step(k, n->child, "never calls ");
		sarif_end_flow(k->w);
	}
	json_end_object(&k->w->j);
}

static bool is_asked(const struct chain_writer *k, const struct cov_next *n)
{
	const struct coverage_head *head = k->w->head;
	uint32_t body = n->call == UINT32_MAX ? n->body : k->x->calls.data[n->call].method;

	return !head->is_shown || head->is_shown(head->context, k->c->plan->classes.data[k->x->bodies.data[body].class].name);
}

/* The class of the first method of a chain's text: p.C of "p.C.m(I)V > ...". */
static uint32_t first_class(const struct plan *p, struct str text)
{
	const char *open = memchr(text.p, '(', text.len);
	struct str method = str_sub(text, 0, open ? (uint32_t)(open - text.p) : 0);
	int64_t dot = str_rfind(method, '.');

	return dot > 0 ? plan_find_class(p, str_sub(method, 0, (uint32_t)dot)) : UINT32_MAX;
}

static void write_strange(struct chain_writer *k, const struct cov_strange *s)
{
	struct sarif_rule rule = sarif_rule(SARIF_STRANGE);
	uint32_t class = first_class(k->c->plan, s->text);

	sarif_begin_result(k->w, SARIF_STRANGE, false);
	strbuf_clear(&k->text);
	strbuf_addstr(&k->text, s->text);
	strbuf_adds(&k->text, " was seen, and is not among the requirements.");
	sarif_message(k->w, "message", strbuf_str(&k->text));
	json_key(&k->w->j, "locations"), json_array(&k->w->j);
	if (class != UINT32_MAX)
		json_object(&k->w->j), sarif_physical(k->w, class, 0), json_end_object(&k->w->j);
	json_end_array(&k->w->j);
	sarif_fingerprint(k->w, digest_str(digest_str(DIGEST_START, str_of(rule.id)), s->text));
	json_end_object(&k->w->j);
}

uint32_t sarif_most_chains(const struct coverage *c)
{
	return criterion_in(c->plan, COV_CHAINS) ? c->chains.strange.len + MOST_MISSED : 0;
}

uint64_t sarif_chains(struct sarif *w)
{
	struct chain_writer k = { .w = w, .c = &w->c->chains, .x = &w->c->plan->chains };
	struct cov_nexts all;
	uint64_t n = 0;

	if (!criterion_in(w->c->plan, COV_CHAINS))
		return 0;
	for (uint32_t i = 0; i < k.c->strange.len && !k.c->strange.data[i].is_excused; i++)
		write_strange(&k, &k.c->strange.data[i]);
	cov_chains_next(k.c, &all);
	for (uint32_t i = 0; i < all.rows.len; i++)
		if (is_asked(&k, &all.rows.data[i]) && n++ < MOST_MISSED)
			write_missed(&k, &all.rows.data[i]);
	vec_release(&all.rows);
	strbuf_release(&k.text);
	return n > MOST_MISSED ? n - MOST_MISSED : 0;
}
