// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* fuzz_plan.c - any bytes as a plan, and as a file of reasons, with and without the right digest; what is accepted is written and
 * read again. */
#include <stdlib.h>

#include "base/compiler.h"
#include "base/digest.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/reasons.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_plan(const struct plan *p)
{
	for (uint32_t i = 0; i < p->classes.len; i++)
		if (plan_find_class(p, p->classes.data[i].name) != i)
			BUG("class %u is not found", i);
	for (uint32_t i = 0; i < p->methods.len; i++)
		if (plan_find_method(p, p->methods.data[i].class, p->methods.data[i].name, p->methods.data[i].desc) != i)
			BUG("method %u is not found", i);
	for (uint32_t i = 0; i < p->sites.len; i++) {
		const struct plan_site *s = &p->sites.data[i];
		for (uint32_t k = 0; k < s->rc.n; k++)
			if (p->ids.data[s->rc.first + k] >= p->types.len)
				BUG("site %u refers to type %u", i, p->ids.data[s->rc.first + k]);
	}
}

/* Whoever walks the trees may follow every number. */
static void check_chains(const struct plan *p)
{
	const struct plan_chains *x = &p->chains;

	for (uint32_t i = 0; i < x->bodies.len; i++)
		if (plan_find_body(p, x->bodies.data[i].class, x->bodies.data[i].name, x->bodies.data[i].desc) != i)
			BUG("body %u is not found", i);
	for (uint32_t i = 0; i < x->trees.len; i++)
		if (!x->trees.data[i].state || x->trees.data[i].state >= x->states.len || x->trees.data[i].level >= x->levels.len)
			BUG("tree %u refers to nothing", i);
	for (uint32_t i = 1; i < x->states.len; i++)
		if (x->states.data[i].body >= x->bodies.len || x->states.data[i].first > x->children.len ||
		    x->states.data[i].n > x->children.len - x->states.data[i].first)
			BUG("state %u refers to nothing", i);
	for (uint32_t i = 0; i < x->children.len; i++) {
		const struct plan_child *c = &x->children.data[i];
		if (c->call >= x->calls.len || c->receiver >= p->types.len || c->callee >= x->bodies.len || c->state >= x->states.len)
			BUG("child %u refers to nothing", i);
	}
}

static void read_plan(struct span bytes)
{
	struct plan p, back;
	struct arena mem;
	struct strbuf err = { 0 }, out = { 0 };

	arena_init(&mem);
	if (plan_read(&p, bytes, &mem, &err)) {
		check_plan(&p);
		check_chains(&p);
		plan_write(&p, &out);
		if (!plan_read(&back, (struct span){ (const uint8_t *)out.s, out.len }, &mem, &err))
			BUG("what was written is not read: %s", err.s);
		if (back.id != p.id || back.sites.len != p.sites.len || back.types.len != p.types.len ||
		    back.chains.children.len != p.chains.children.len)
			BUG("what was written is not what was read");
		plan_release(&back);
		plan_release(&p);
	} else if (err.len == 0) {
		BUG("refused without a reason");
	}
	arena_release(&mem);
	strbuf_release(&err);
	strbuf_release(&out);
}

static void read_reasons(struct span bytes)
{
	struct reasons r;
	struct arena mem;
	struct strbuf err = { 0 };

	arena_init(&mem);
	if (reasons_read(&r, bytes, &mem, &err)) {
		for (uint32_t i = 0; i < r.rows.len; i++)
			if (reasons_find(&r, r.rows.data[i].site, r.rows.data[i].type) != &r.rows.data[i])
				BUG("row %u is not found", i);
		reasons_release(&r);
	} else if (err.len == 0) {
		BUG("refused without a reason");
	}
	arena_release(&mem);
	strbuf_release(&err);
}

/* Behind a first line, with the digest that readers want. */
static struct strbuf sealed(const char *head, struct span rest)
{
	struct strbuf b = { 0 };
	uint64_t d = digest_add(DIGEST_START, rest.p, rest.len);

	strbuf_adds(&b, head);
	for (int i = 0; i < 8; i++)
		strbuf_addch(&b, (char)(d >> 8 * i));
	strbuf_add(&b, rest.p, rest.len);
	return b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { data, size };
	struct span rest = size > 21 && memcmp(data, "sherd plan 1\n", 13) == 0 ? (struct span){ data + 21, size - 21 } : all;
	struct strbuf plan = sealed("sherd plan 1\n", rest), why = sealed("sherd why 1\n", rest);

	read_plan(all);
	read_plan((struct span){ (const uint8_t *)plan.s, plan.len });
	read_reasons((struct span){ (const uint8_t *)why.s, why.len });
	strbuf_release(&plan);
	strbuf_release(&why);
	return 0;
}
