/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of what a plan has. */
#include "report/coverage/coverage_p.h"

#include "report/java/clients.h"

struct str cov_package(struct str class)
{
	int64_t dot = str_rfind(class, '.');

	return str_sub(class, 0, dot < 0 ? 0 : (uint32_t)dot);
}

struct str cov_simple(struct str class)
{
	return str_sub(class, (uint32_t)(str_rfind(class, '.') + 1), class.len);
}

static void add_member(struct str class, struct str name, struct str desc, struct strbuf *out)
{
	strbuf_addstr(out, class);
	strbuf_addch(out, '.');
	strbuf_addstr(out, name);
	if (str_starts(desc, "("))    /* fields are known by their names */
		strbuf_addstr(out, desc);
}

void cov_add_method(const struct coverage *c, uint32_t method, struct strbuf *out)
{
	const struct plan_method *m = &c->plan->methods.data[method];

	add_member(c->plan->classes.data[m->class].name, m->name, m->desc, out);
}

void cov_add_site(const struct coverage *c, const struct cov_site *s, struct strbuf *out)
{
	const struct plan_site *p = cov_plan_site(c, s);

	cov_add_method(c, p->method, out);
	strbuf_addf(out, "@%u", (unsigned)p->pc);
}

void cov_add_declared(const struct plan_site *p, struct strbuf *out)
{
	add_member(p->owner, p->name, p->desc, out);
}

void cov_add_target(const struct plan_site *p, struct str class, struct strbuf *out)
{
	add_member(class, p->name, p->desc, out);
}

void cov_add_item(uint32_t criterion, const struct plan_site *p, struct str name, struct strbuf *out)
{
	if (cov_criteria[criterion].items == ITEM_TARGETS)
		cov_add_target(p, name, out);
	else
		strbuf_addstr(out, name);
}

uint64_t cov_last_start(const struct coverage *c)
{
	uint64_t last = 0;

	for (uint32_t i = 0; c->runs && i < c->runs->runs.len; i++)
		if (c->runs->runs.data[i].start > last)
			last = c->runs->runs.data[i].start;
	return last;
}

struct coverage_past coverage_past(const struct coverage *c, struct str name)
{
	struct coverage_past past = { .name = name, .start = cov_last_start(c), .criteria = c->plan->criteria };

	memcpy(past.of, c->sums.of, sizeof(past.of));
	return past;
}

const char *cov_tool(const struct coverage_head *head)
{
	return head->tool ? head->tool : "sherd";
}

const char *cov_origin_word(enum cov_origin o)
{
	static const char *const words[] = { [COV_COMPONENT] = "component", [COV_LIBRARY] = "library",
					     [COV_CLIENT] = "client", [COV_GENERATED] = "generated" };

	return words[o];
}

const char *cov_state_word(enum cov_state s)
{
	static const char *const words[] = { [COV_WATCHED] = "watched", [COV_NOT_LOADED] = "not-loaded",
					     [COV_MATCHED] = "matched", [COV_PARTLY] = "partly",
					     [COV_OTHER] = "other", [COV_STALE] = "stale" };

	return words[s];
}

bool cov_has_tests(const struct coverage *c)
{
	struct str interface = c->plan->interface;

	for (uint32_t i = 0; i < interface.len; i++)
		if (str_starts(str_sub(interface, i, interface.len), "tests:") && (i == 0 || interface.p[i - 1] == ','))
			return true;
	return false;
}

static const char *other_clients(const struct coverage *c)
{
	struct str word = clients_word(c->plan->clients);

	if (str_is(word, "closed") && cov_has_tests(c))
		return "--clients auto";
	return str_is(word, "open") ? NULL : "--clients open";
}

const char *cov_unreached_advice(const struct coverage *c)
{
	const char *other = other_clients(c);

	return !other ? "please report it." : str_is(str_of(other), "--clients auto") ? "try --clients auto." : "try --clients open.";
}

/* What the interface that was asked for may lack. */
static void add_interface_advice(const struct coverage *c, struct strbuf *out)
{
	struct str asked = c->plan->interface;
	bool is_wide = str_starts(asked, "public") || str_starts(asked, "protected") || str_is(asked, "");

	if (!cov_has_tests(c))
		strbuf_adds(out, "--interface public,tests:FOLDER, with the folder of the compiled tests");
	else if (!is_wide)
		strbuf_adds(out, "--interface public,tests:…, which adds all public members");
}

void cov_add_advice(const struct coverage *c, struct strbuf *out)
{
	const char *other = other_clients(c);
	struct strbuf wider = { 0 };

	add_interface_advice(c, &wider);
	if (other || wider.len) {
		strbuf_addf(out, "If clients may do what the tests did, say so: %s%s%s. Otherwise please", other ? other : "",
			    other && wider.len ? ", or " : "", wider.len ? wider.s : "");
	} else {
		strbuf_adds(out, "Please");
	}
	strbuf_adds(out, " report it.");
	strbuf_release(&wider);
}
