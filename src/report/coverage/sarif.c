/* SPDX-License-Identifier: Apache-2.0 */
/* sarif.c - what is missed, and what nobody expected, as SARIF 2.1.0: results at lines of source code. The steps of
 * a witness are a code flow. Fingerprints name class, method, call and requirement, not lines: a result stays the same one
 * when code around it moves. */
#include "report/coverage/sarif_p.h"

#include "base/digest.h"
#include "report/java/params.h"
#include "report/write/screen.h"

struct sarif_rule sarif_rule(uint32_t k)
{
	struct sarif_rule r = { "unexpected", "error", "A receiver that the analysis did not expect.",
			  "In a run, an object of this class was the receiver of the call, but it is not among the requirements: "
			  "clients do what the interface of the component does not allow, or the analysis is wrong." };

	if (k == SARIF_UNEXPECTED)
		return r;
	if (k == SARIF_STRANGE)
		return (struct sarif_rule){ "unexpected-chain", "error", "A call chain that the analysis did not expect.",
					    "In a run, these calls followed each other, but they are not among the requirements: clients "
					    "do what the interface of the component does not allow, or the analysis is wrong." };
	if (k == SARIF_CALLED)
		return (struct sarif_rule){ "unexpected-callback", "error", "A callback that the analysis did not expect.",
					    "In a run, this method was called back before the call was over, but it is not among the "
					    "requirements: clients do what the interface of the component does not allow, or the analysis "
					    "is wrong." };
	if (k == SARIF_READ)
		return (struct sarif_rule){ "unexpected-definition", "error", "A def-use pair that the analysis did not expect.",
					    "In a run, what this statement wrote was read here, but it is not among the requirements: clients "
					    "do what the interface of the component does not allow, or the analysis is wrong." };
	r.level = "warning", r.brief = cov_criteria[k].brief, r.full = cov_criteria[k].full;
	snprintf(r.id, sizeof r.id, "%s-missed", cov_criteria[k].short_name);
	return r;
}

/* Parts have none, nor has what was not asked for. */
static bool is_rule(const struct plan *p, uint32_t k)
{
	if (k == SARIF_STRANGE)
		return criterion_in(p, COV_CHAINS);
	if (k == SARIF_CALLED)
		return criterion_in(p, COV_CALLBACKS);
	if (k == SARIF_READ)
		return criterion_in(p, COV_DU);
	return k == SARIF_UNEXPECTED || (!criterion_is_part(k) && criterion_in(p, k));
}

uint32_t sarif_rule_index(const struct plan *p, uint32_t k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k; i++)
		n += is_rule(p, i);
	return n;
}

void sarif_word(struct sarif *w, const char *key, const char *word)
{
	json_key(&w->j, key), json_str(&w->j, str_of(word));
}

void sarif_message(struct sarif *w, const char *key, struct str text)
{
	json_key(&w->j, key), json_object(&w->j);
	json_key(&w->j, "text"), json_str(&w->j, text);
	json_end_object(&w->j);
}

/* Places */

static void add_uri(struct strbuf *out, struct str path)
{
	for (uint32_t i = 0; i < path.len; i++) {
		unsigned char b = (unsigned char)path.p[i];
		if (b > ' ' && b < 0x7f && !strchr("\"#%<>?[\\]^`{|}", b))
			strbuf_addch(out, (char)b);
		else
			strbuf_addf(out, "%%%02X", b);
	}
}

/* src/main/java/p/Shapes.java where it is found; a folder given as an absolute path makes a file URI. */
static void locate(struct sarif *w, uint32_t class)
{
	const struct plan_class *k = &w->c->plan->classes.data[class];
	struct source_file f;

	if (w->located == class + 1)
		return;
	w->located = class + 1;
	strbuf_clear(&w->path), strbuf_clear(&w->uri), strbuf_clear(&w->text);
	source_path(k->name, k->source, &w->path);
	w->is_found = source_open(w->head->source, strbuf_str(&w->path), &f);
	if (w->is_found) {
		source_close(&f);
		strbuf_adds(&w->uri, f.folder.len && f.folder.p[0] == '/' ? "file://" : "");
		while (str_starts(f.folder, "./"))
			f.folder = str_sub(f.folder, 2, f.folder.len);
		if (f.folder.len && !str_is(f.folder, ".")) {
			add_uri(&w->uri, f.folder);
			strbuf_adds(&w->uri, str_ends(f.folder, "/") ? "" : "/");
		}
	}
	escape_add(&w->text, ESCAPE_PLAIN, strbuf_str(&w->path));
	add_uri(&w->uri, strbuf_str(&w->text));
}

void sarif_physical(struct sarif *w, uint32_t class, uint32_t line)
{
	locate(w, class);
	json_key(&w->j, "physicalLocation"), json_object(&w->j);
	json_key(&w->j, "artifactLocation"), json_object(&w->j);
	json_key(&w->j, "uri"), json_str(&w->j, strbuf_str(&w->uri));
	if (!w->is_found)
		sarif_word(w, "uriBaseId", "SRCROOT");
	json_end_object(&w->j);
	if (line) {
		json_key(&w->j, "region"), json_object(&w->j);
		json_key(&w->j, "startLine"), json_uint(&w->j, line);
		json_end_object(&w->j);
	}
	json_end_object(&w->j);
}

void sarif_logical(struct sarif *w, struct str name, const char *kind)
{
	json_key(&w->j, "logicalLocations"), json_array(&w->j);
	json_object(&w->j);
	json_key(&w->j, "fullyQualifiedName"), json_str(&w->j, name);
	sarif_word(w, "kind", kind);
	json_end_object(&w->j);
	json_end_array(&w->j);
}

static void write_location(struct sarif *w, const struct cov_site *s)
{
	const struct plan_site *p = cov_plan_site(w->c, s);

	json_object(&w->j);
	sarif_physical(w, cov_method(w->c, s)->class, p->line);
	strbuf_clear(&w->text);
	cov_add_method(w->c, p->method, &w->text);
	sarif_logical(w, strbuf_str(&w->text), "function");
	json_end_object(&w->j);
}

/* Ways */

/* The number behind the last ':' of a place, which is cut off there; 0: none. */
static uint32_t take_line(struct str *place)
{
	int64_t colon = str_rfind(*place, ':');
	uint32_t line = 0;

	if (colon < 0 || place->len - colon > 10)
		return 0;
	for (uint32_t i = (uint32_t)colon + 1; i < place->len; i++) {
		if (place->p[i] < '0' || place->p[i] > '9')
			return 0;
		line = line * 10 + (uint32_t)(place->p[i] - '0');
	}
	place->len = (uint32_t)colon;
	return line;
}

/* Where a step is: class UINT32_MAX for one that is not in the component. */
struct step_place {
	struct str name;              /* p.Factory.make */
	uint32_t class, line;
};

static struct step_place place_of(const struct sarif *w, struct str place)
{
	struct step_place at = { .line = take_line(&place) };
	int64_t dot = str_rfind(place, '.');

	at.name = place;
	at.class = dot > 0 ? plan_find_class(w->c->plan, str_sub(place, 0, (uint32_t)dot)) : UINT32_MAX;
	return at;
}

/* Viewers show only what has a place in a file: what clients and other code do is shown where it comes to the component. */
static void write_step_place(struct sarif *w, const struct reason *r, uint32_t step, const struct cov_site *s)
{
	const struct reason_step *steps = &w->c->reasons->steps.data[r->first_step];
	struct step_place at = place_of(w, steps[step].place), file = at;

	for (uint32_t i = step + 1; file.class == UINT32_MAX && i < r->nsteps; i++)
		file = place_of(w, steps[i].place);
	if (file.class == UINT32_MAX)
		file = (struct step_place){ .class = cov_method(w->c, s)->class, .line = cov_plan_site(w->c, s)->line };
	sarif_physical(w, file.class, file.line);
	if (at.name.len)
		sarif_logical(w, at.name, "function");
	strbuf_clear(&w->text);
	strbuf_addstr(&w->text, steps[step].place);
	strbuf_adds(&w->text, steps[step].place.len ? " " : "");
	strbuf_addstr(&w->text, steps[step].text);
	sarif_message(w, "message", strbuf_str(&w->text));
}

void sarif_begin_flow(struct sarif *w)
{
	json_key(&w->j, "codeFlows"), json_array(&w->j), json_object(&w->j);
	json_key(&w->j, "threadFlows"), json_array(&w->j), json_object(&w->j);
	json_key(&w->j, "locations"), json_array(&w->j);
}

void sarif_end_flow(struct sarif *w)
{
	json_end_array(&w->j);
	json_end_object(&w->j), json_end_array(&w->j);
	json_end_object(&w->j), json_end_array(&w->j);
}

static void write_flow(struct sarif *w, const struct reason *r, const struct cov_site *s)
{
	sarif_begin_flow(w);
	for (uint32_t i = 0; i < r->nsteps; i++) {
		json_object(&w->j);
		json_key(&w->j, "location"), json_object(&w->j);
		write_step_place(w, r, i, s);
		json_end_object(&w->j);
		json_end_object(&w->j);
	}
	sarif_end_flow(w);
}

/* Results */

struct finding {
	const struct cov_site *s;
	const struct cov_item *item;
	uint32_t rule;                /* enum cov_criterion, or SARIF_UNEXPECTED */
	const struct reason *why;     /* NULL: not known */
};

static void add_call(struct strbuf *out, struct str class, const struct plan_site *p)
{
	strbuf_addstr(out, class);
	strbuf_addch(out, '.');
	strbuf_addstr(out, p->name);
	add_params(p->desc, out);
}

static const char *origin_sentence(enum cov_origin o)
{
	static const char *const sentences[] = {
		[COV_COMPONENT] = "a class of the component",
		[COV_LIBRARY] = "a class of the JDK or the class path",
		[COV_CLIENT] = "a class of clients",
		[COV_GENERATED] = "a class made at run time",
	};

	return sentences[o];
}

/* What a test does, in one line; else how the code flow begins. */
static void add_way(struct sarif *w, const struct reason *r)
{
	const struct reasons *why = w->c->reasons;
	struct strbuf *t = &w->text;

	if (r->nacts) {
		strbuf_adds(t, " What brings it here: ");
		for (uint32_t i = 0; i < r->nacts; i++) {
			strbuf_adds(t, i ? " → " : "");
			strbuf_addstr(t, why->acts.data[r->first_act + i]);
		}
	} else if (r->nsteps) {
		strbuf_adds(t, " A shortest way to here begins: ");
		strbuf_addstr(t, why->steps.data[r->first_step].place);
		strbuf_adds(t, why->steps.data[r->first_step].place.len ? " " : "");
		strbuf_addstr(t, why->steps.data[r->first_step].text);
	}
	strbuf_adds(t, r->nacts || r->nsteps ? "." : "");
}

static bool is_unexpected(const struct finding *f)
{
	return f->rule >= CRITERIA;
}

static const char *words_before(const struct finding *f)
{
	if (!is_unexpected(f))
		return cov_criteria[f->rule].never;
	return f->rule == SARIF_CALLED ? "called back" : f->rule == SARIF_READ ? "read what was written in" : "had a receiver of class";
}

static void add_by(struct strbuf *t, struct str by)
{
	strbuf_adds(t, "; it can do so by ");
	strbuf_addstr(t, by);
}

static void add_message(struct sarif *w, const struct finding *f)
{
	struct strbuf *t = &w->text;
	const struct plan_site *p = cov_plan_site(w->c, f->s);

	strbuf_clear(t);
	add_call(t, p->owner, p);
	strbuf_addf(t, " %s ", words_before(f));
	if (!is_unexpected(f) && cov_criteria[f->rule].items == ITEM_TARGETS)
		add_call(t, f->item->name, p);
	else
		strbuf_addstr(t, f->item->name);
	if (f->rule == SARIF_UNEXPECTED)
		strbuf_addf(t, " here, %s, which is not required.", origin_sentence(f->item->origin));
	else if (f->rule == SARIF_CALLED || f->rule == SARIF_READ)
		strbuf_adds(t, " here, which is not required.");
	else
		strbuf_adds(t, f->s->count ? " here" : " here: this call is never made");
	if (!is_unexpected(f) && f->item->by.len)
		add_by(t, f->item->by);
	if (!is_unexpected(f))
		strbuf_addch(t, '.');
	if (is_unexpected(f) && !(p->flags & PLAN_REACHED))
		strbuf_addf(t, " The analysis does not reach this call: a class of the tests may (a subclass, a callback); %s",
			    cov_unreached_advice(w->c));
	if (f->why)
		add_way(w, f->why);
}

static uint64_t fingerprint(const struct sarif *w, const struct finding *f)
{
	const struct plan_site *p = cov_plan_site(w->c, f->s);
	const struct plan_method *m = cov_method(w->c, f->s);
	struct sarif_rule rule = sarif_rule(f->rule);
	uint64_t d = digest_str(DIGEST_START, str_of(rule.id));

	d = digest_str(digest_str(digest_str(d, cov_class(w->c, f->s)->name), m->name), m->desc);
	d = digest_str(digest_str(digest_str(d, p->owner), p->name), p->desc);
	return digest_str(digest_u32(d, p->nth), f->item->name);
}

void sarif_begin_result(struct sarif *w, uint32_t k, bool is_note)
{
	struct sarif_rule rule = sarif_rule(k);

	json_break(&w->j);
	json_object(&w->j);
	sarif_word(w, "ruleId", rule.id);
	json_key(&w->j, "ruleIndex"), json_uint(&w->j, sarif_rule_index(w->c->plan, k));
	sarif_word(w, "level", is_note ? "note" : rule.level);
}

void sarif_fingerprint(struct sarif *w, uint64_t digest)
{
	char mark[24];

	snprintf(mark, sizeof mark, "%016llx", (unsigned long long)digest);
	json_key(&w->j, "partialFingerprints"), json_object(&w->j);
	sarif_word(w, "sherdRequirement/v1", mark);
	json_end_object(&w->j);
}

static void write_finding(struct sarif *w, const struct finding *f)
{
	sarif_begin_result(w, f->rule, !is_unexpected(f) && !f->item->is_own);
	add_message(w, f);
	sarif_message(w, "message", strbuf_str(&w->text));
	json_key(&w->j, "locations"), json_array(&w->j);
	write_location(w, f->s);
	json_end_array(&w->j);
	sarif_fingerprint(w, fingerprint(w, f));
	if (f->why && f->why->nsteps)
		write_flow(w, f->why, f->s);
	json_end_object(&w->j);
}

static int round_of(const struct cov_item *i)
{
	return !i->is_required ? SARIF_ALARMS : i->is_own ? SARIF_OWN : SARIF_OTHERS;
}

/* Is there room for one more? All alarms are written. */
static bool takes(struct sarif *w, uint32_t k)
{
	uint32_t chains = sarif_most_chains(w->c), most = chains < SARIF_MOST ? SARIF_MOST - chains : 0;
	bool fits = w->round == SARIF_ALARMS || w->written < most;

	w->written += fits;
	w->left_out[k] += !fits;
	return fits && !w->is_dry;
}

static void write_items(struct sarif *w, const struct cov_site *s, uint32_t k)
{
	const struct cov_item *items = cov_items(w->c, s->of[k]);
	bool are_receivers = k == criteria_receivers(w->c->plan), are_methods = criterion_is_of_methods(k);

	for (uint32_t i = 0; i < s->of[k].n; i++) {
		struct finding f = { .s = s, .item = &items[i], .rule = k };
		if (items[i].is_required ? !cov_is_missed(&items[i]) :
					   (!are_receivers && !are_methods) || coverage_is_excused(w->c, s, &items[i]))
			continue;
		if (round_of(&items[i]) != w->round || !takes(w, k))
			continue;
		if (!items[i].is_required)
			f.rule = k == COV_DU ? SARIF_READ : are_methods ? SARIF_CALLED : SARIF_UNEXPECTED;
		else if (are_receivers && w->c->reasons)
			f.why = reasons_find(w->c->reasons, s->site, items[i].type);
		write_finding(w, &f);
	}
}

static bool is_asked(const struct sarif *w, const struct cov_site *s)
{
	return !w->head->is_shown || w->head->is_shown(w->head->context, cov_class(w->c, s)->name);
}

static void write_calls(struct sarif *w)
{
	for (w->round = 0; w->round < SARIF_ROUNDS; w->round++)
		for (uint32_t i = 0; i < w->c->sites.len; i++)
			for (uint32_t k = 0; k < CRITERIA && is_asked(w, &w->c->sites.data[i]); k++)
				write_items(w, &w->c->sites.data[i], k);
}

static uint64_t count_left_out(const struct sarif *w)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < CRITERIA; k++)
		n += w->left_out[k];
	return n;
}

/* What a viewer shows about the run. */
static void write_notification(struct sarif *w, uint64_t left_out)
{
	char buf[32], most[32];

	strbuf_clear(&w->text);
	strbuf_addf(&w->text, "%s results are left out: a run has %s at most, those of the component's own classes first. "
			      "properties.resultsLeftOut counts them by rule.", grouped(left_out, buf), grouped(SARIF_MOST, most));
	json_key(&w->j, "invocations"), json_array(&w->j), json_object(&w->j);
	json_key(&w->j, "executionSuccessful"), json_bool(&w->j, true);
	json_key(&w->j, "toolExecutionNotifications"), json_array(&w->j), json_object(&w->j);
	sarif_word(w, "level", "warning");
	sarif_message(w, "message", strbuf_str(&w->text));
	json_end_object(&w->j), json_end_array(&w->j);
	json_end_object(&w->j), json_end_array(&w->j);
}

static void write_left_out(struct sarif *w, uint64_t results, uint64_t chain_calls)
{
	if (results)
		write_notification(w, results);
	if (!results && !chain_calls)
		return;
	json_key(&w->j, "properties"), json_object(&w->j);
	if (chain_calls)
		json_key(&w->j, "missedChainCallsLeftOut"), json_uint(&w->j, chain_calls);
	if (results)
		json_key(&w->j, "resultsLeftOut"), json_object(&w->j);
	for (uint32_t k = 0; k < CRITERIA && results; k++)
		if (w->left_out[k])
			json_key(&w->j, sarif_rule(k).id), json_uint(&w->j, w->left_out[k]);
	if (results)
		json_end_object(&w->j);
	json_end_object(&w->j);
}

static void write_results(struct sarif *w)
{
	json_key(&w->j, "results"), json_array(&w->j);
	write_calls(w);
	uint64_t chain_calls = sarif_chains(w);
	json_end_array(&w->j);
	write_left_out(w, count_left_out(w), chain_calls);
}

uint64_t coverage_sarif_left_out(const struct coverage *c, const struct coverage_head *head)
{
	struct sarif w = { .c = c, .head = head, .is_dry = true };

	write_calls(&w);
	return count_left_out(&w);
}

static void write_rules(struct sarif *w)
{
	json_key(&w->j, "rules"), json_array(&w->j);
	for (uint32_t k = 0; k < SARIF_RULES; k++) {
		if (!is_rule(w->c->plan, k))
			continue;
		struct sarif_rule rule = sarif_rule(k);
		json_break(&w->j);
		json_object(&w->j);
		sarif_word(w, "id", rule.id);
		sarif_message(w, "shortDescription", str_of(rule.brief));
		sarif_message(w, "fullDescription", str_of(rule.full));
		sarif_message(w, "help", str_of(rule.full));
		json_key(&w->j, "defaultConfiguration"), json_object(&w->j);
		sarif_word(w, "level", rule.level);
		json_end_object(&w->j);
		json_end_object(&w->j);
	}
	json_end_array(&w->j);
}

static void write_tool(struct sarif *w)
{
	json_key(&w->j, "tool"), json_object(&w->j);
	json_key(&w->j, "driver"), json_object(&w->j);
	sarif_word(w, "name", cov_tool(w->head));
	if (w->head->version)
		sarif_word(w, "version", w->head->version);
	write_rules(w);
	json_end_object(&w->j);
	json_end_object(&w->j);
}

static void write_log(struct sarif *w)
{
	json_object(&w->j);
	sarif_word(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	sarif_word(w, "version", "2.1.0");
	json_key(&w->j, "runs"), json_array(&w->j), json_object(&w->j);
	write_tool(w);
	json_break(&w->j);
	json_key(&w->j, "originalUriBaseIds"), json_object(&w->j);
	json_key(&w->j, "SRCROOT"), json_object(&w->j);
	sarif_message(w, "description", STR("The folder of the packages of the component's sources."));
	json_end_object(&w->j);
	json_end_object(&w->j);
	sarif_word(w, "columnKind", "utf16CodeUnits");
	write_results(w);
	json_end_object(&w->j), json_end_array(&w->j);
	json_end_object(&w->j);
	sink_putc(w->j.out, '\n');
}

bool report_coverage_sarif(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct sarif w = { .j = { .out = out }, .c = c, .head = head };

	write_log(&w);
	strbuf_release(&w.text);
	strbuf_release(&w.path);
	strbuf_release(&w.uri);
	return sink_finish(out);
}
