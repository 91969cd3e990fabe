/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first over (level, where a stack is): outside in a method, or in a node with what is known of `this`. All that
 * is one call further is one round further. */
#include "analysis/chains/levels.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph/link.h"
#include "ir/access.h"

#define MOST_FOLLOWED 8       /* calls of a stack; where longer ones count, what code outside passes on is not followed */
#define MOST_CLASSES 32       /* of a receiver that are told apart */
#define MOST_FRAMES 256       /* of a method */

/* Of a stack. Outside: `node` is 0, and the method was called with this frame (passed.h). */
struct place {
	method_id m;
	uint32_t frame;
	uint32_t node;
	class_id self;
	uint32_t level;
};

typedef VEC(struct place) places;

/* The JVM calls a method that is not selected by class. */
struct jvm_call {
	uint32_t frame;
	uint32_t before;                  /* 1 + row of another one; 0: none */
};

struct walk {
	const struct chain_graph *x;
	struct chain_levels *out;
	places now, next;
	struct map seen_inside;           /* (state, level) -> 1 */
	struct map states;                /* (node, class of this) -> number */
	uint32_t nstates;
	uint8_t *seen_outside;            /* [level * methods + method]: with any frame */
	struct map frames;                /* (method, frame) -> number */
	struct map seen_frames;           /* (number, level) -> 1 */
	uint32_t nframes;
	struct map frames_of;             /* method -> how many there are */
	struct map seen_params;           /* (node, frame) -> 1: noted in `entered` */
	struct map seen_left;             /* (node, level) -> 1: its calls of code outside were followed */
	bool follows;                     /* stacks are short: code outside is told apart by frames */
	uint8_t *seen_main;               /* [level]: clients were called back, and call what clients call */
	uint8_t *seen_sets;               /* [level * sets + set]: all its methods were reached from outside */
	uint8_t *seen_needs;              /* so: initialisers that calls of them need were, bits by sort of call */
	uint8_t *has_nodes;               /* [set]: 1 its methods are all outside, 2 they are not, 0 nobody looked */
	struct map seen_receivers;        /* (reference, receivers) -> 1: noted in `entered` */
	struct map selected;              /* node -> the last call, by `stamp`, that a known receiver runs it at */
	uint32_t stamp;
	VEC(class_id) asked;              /* classes that edges have for `this` */
	uint32_t nmethods, nsets;
	uint32_t calls;                   /* of the stacks in `next` */
	struct map jvm_frames;            /* method -> 1 + row of jvm_calls: the last call of it by the JVM */
	VEC(struct jvm_call) jvm_calls;
	struct map jvm_selects;           /* selector -> 1: the JVM calls such methods by the class of the receiver */
	passed_list classes, bounds;      /* scratch */
	chain_methods passed;             /* scratch */
	method_id start;                  /* java.lang.Thread.start0: what it runs is on a stack of its own */
};

static void reach_inside(struct walk *w, uint32_t node, class_id self, uint32_t level)
{
	uint32_t *state = map_at(&w->states, map_key(node, self.i));

	if (!*state)
		*state = ++w->nstates;
	uint32_t *seen = map_at(&w->seen_inside, map_key(*state, level));
	if (*seen)
		return;
	*seen = 1;
	vec_push(&w->next, ((struct place){ .node = node, .self = self, .level = level }));
}

/* A method that has many frames is called with any from then on. */
static uint32_t bounded_frame(struct walk *w, method_id m, uint32_t frame, uint32_t **seen, uint32_t level)
{
	uint32_t *number = frame ? map_at(&w->frames, map_key(m.i, frame)) : NULL;

	if (!frame)
		return PASSED_ANY;
	if (!*number) {
		uint32_t *n = map_at(&w->frames_of, m.i);
		if (*n >= MOST_FRAMES)
			return PASSED_ANY;
		++*n;
		*number = ++w->nframes;
	}
	*seen = map_at(&w->seen_frames, map_key(*number, level));
	return frame;
}

static void reach_outside(struct walk *w, method_id m, uint32_t frame, uint32_t level)
{
	uint8_t *seen = &w->seen_outside[(size_t)level * w->nmethods + m.i];
	uint32_t *seen_frame = NULL;

	if (*seen)
		return;
	frame = bounded_frame(w, m, w->follows ? frame : PASSED_ANY, &seen_frame, level);
	if (seen_frame && *seen_frame)
		return;
	if (seen_frame)
		*seen_frame = 1;
	else
		*seen = 1;
	vec_push(&w->next, ((struct place){ .m = m, .frame = frame, .level = level }));
}

/* What the parameters of a node hold when code outside calls it: this, or what other calls pass. */
static void note_params(struct walk *w, uint32_t node, uint32_t frame)
{
	const struct chain_graph *x = w->x;
	uint32_t *params = &w->out->entered.params[(size_t)node * PASSED_MOST];
	bool is_first = !w->out->entered.is_passed[node];
	uint32_t *seen = map_at(&w->seen_params, map_key(node, frame));

	if (*seen)
		return;
	*seen = 1;
	for (uint32_t k = 0; x->passed && k < PASSED_MOST; k++) {
		uint32_t set = is_first || params[k] ? passed_param(x->passed, x->methods.data[node], frame, k) : PASSED_ANY;
		params[k] = is_first ? set : passed_union(x->passed, params[k], set);
	}
	w->out->entered.is_passed[node] = 1;
}

/* A node is entered; the first time is by the shortest stack. */
static void enter(struct walk *w, uint32_t node, uint32_t frame, uint32_t level)
{
	uint32_t *d = &w->out->distance[(size_t)level * w->out->stride + node];

	if (*d == CHAIN_NEVER)
		*d = w->calls;
	note_params(w, node, frame);
	reach_inside(w, node, chain_entry_self(w->x, node), level);
}

/* Initialisers run on top of the code that needs their class first, wherever that is. */

static void initialise(struct walk *w, struct initialisers all, class_id running, uint32_t level)
{
	for (uint32_t i = 0; i < all.n; i++) {
		uint32_t node = chain_node(w->x, all.methods[i]);
		if (!triggers_may_start(w->x->triggers, running, all.methods[i]))
			continue;
		if (node)
			enter(w, node, PASSED_ANY, level);
		else
			reach_outside(w, all.methods[i], PASSED_ANY, level);
	}
}

/* Sets of more than a few methods are looked at once, whoever calls them. */
static bool is_looked_at(struct walk *w, const struct cg_site *s, uint32_t n, uint32_t level)
{
	uint8_t *seen = &w->seen_needs[(size_t)level * w->nsets + s->set];
	uint8_t sort = !s->implied ? 1 : s->op == IR_CALL_SPECIAL ? 2 : 4;
	bool was = *seen & sort;

	*seen |= sort;
	return was && n > 8;
}

/* Calls of lambdas, whose code is that of its caller, and calls that no instruction makes. */
static void initialise_by_calls(struct walk *w, method_id m, class_id running, uint32_t level)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->x->calls, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(w->x->calls, &sites[i]);
		if (is_looked_at(w, &sites[i], t.n, level))
			continue;
		for (uint32_t k = 0; k < t.n; k++) {
			class_id owner = method_row(w->x->p, t.methods[k])->owner;
			if (chain_is_passed(w->x, t.methods[k]))
				initialise(w, triggers_of(w->x->triggers, t.methods[k]), running, level);
			else if (triggers_by_call(w->x->triggers, &sites[i], t.methods[k]))
				initialise(w, triggers_of_class(w->x->triggers, owner), running, level);
		}
	}
}

/* What the code of a method may initialise, and what may always be. */
static void initialise_by(struct walk *w, method_id m, uint32_t level)
{
	class_id running = method_row(w->x->p, m)->owner;

	initialise(w, triggers_of(w->x->triggers, m), running, level);
	initialise_by_calls(w, m, running, level);
}

/* The level of what is entered when the stack was in the component at `level`; false: nobody asked for it. */
static bool deeper(const struct walk *w, uint32_t level, uint32_t *out)
{
	*out = level + 1 < w->out->n ? level + 1 : level;
	return level + 1 < w->out->n || w->out->or_more;
}

/* Code outside, with this level once it enters, calls the method; of what `this` is, note_receivers() has told what the call says. */
static void call_from_outside(struct walk *w, method_id m, uint32_t frame, uint32_t level)
{
	bool is_passed = chain_is_passed(w->x, m);

	frame = is_passed ? PASSED_ANY : frame;
	vec_clear(&w->passed);
	chain_pass(w->x, m, &w->passed);
	for (uint32_t i = 0; i < w->passed.len; i++) {
		uint32_t node = chain_node(w->x, w->passed.data[i]);
		if (node && is_passed)
			w->out->entered.is_any[node] = 1;
		if (node)
			enter(w, node, frame, level);
		else
			reach_outside(w, w->passed.data[i], frame, level);
	}
}

/* What calls from outside say of `this` */

static bool has_nodes(struct walk *w, const struct cg_site *s, struct cg_targets t)
{
	uint8_t *known = &w->has_nodes[s->set];

	for (uint32_t i = 0; !*known && i < t.n; i++)
		if (chain_node(w->x, t.methods[i]))
			*known = 2;
	*known = *known ? *known : 1;
	return *known == 2;
}

/* Nothing, unless an instruction, which clients have in main, selects the method by the class of the object. */
static bool tells_receivers(const struct walk *w, method_id caller, const struct cg_site *s)
{
	bool is_written = s->implied == 0 || (s->implied == 1 && caller.i == w->x->main.i);

	return (s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE) && is_written;
}

static bool is_open(const struct cg_site *s)
{
	return s->open || s->cause != CG_RESOLVED;
}

/* False: what a class selects is not known. */
static bool note_classes(struct walk *w, const struct cg_site *s, const class_id *classes, uint32_t n)
{
	bool is_incomplete = false;

	for (uint32_t i = 0; i < n && !is_incomplete; i++) {
		method_id m = dispatch_select(w->x->h, s->mref, classes[i], &is_incomplete);
		uint32_t node = m.i ? chain_node(w->x, m) : 0;
		if (!node)
			continue;
		*map_at(&w->selected, node) = w->stamp;
		*map_at(&w->out->entered.has, map_key(node, classes[i].i)) = 1;
	}
	return !is_incomplete;
}

/* Objects that nobody knows may be of any class of which chains ask, as far as that selects the method. */
static bool note_dispatched(struct walk *w, const struct cg_site *s, struct cg_targets t)
{
	struct cg_classes c = callgraph_receivers(w->x->calls, s);
	bool may_be_any = is_open(s);

	w->stamp++;
	if (!note_classes(w, s, c.classes, c.n))
		return false;
	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t node = chain_node(w->x, t.methods[i]);
		may_be_any |= node && map_get(&w->selected, node) != w->stamp;
	}
	return !may_be_any || note_classes(w, s, w->asked.data, w->asked.len);
}

static void note_receivers(struct walk *w, method_id caller, const struct cg_site *s, struct cg_targets t)
{
	bool tells = tells_receivers(w, caller, s);
	uint32_t *seen;

	if (!has_nodes(w, s, t))
		return;
	seen = map_at(&w->seen_receivers, map_key(s->mref.i, s->receivers) ^ (is_open(s) ? 1ull << 63 : 0));
	if (tells && *seen)
		return;
	*seen |= tells;
	if (tells && note_dispatched(w, s, t))
		return;
	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t node = chain_node(w->x, t.methods[i]);
		if (node)
			w->out->entered.is_any[node] = 1;
	}
}

/* Code of the component calls the method: what that runs outside. */
static void leave_to(struct walk *w, method_id m, uint32_t level)
{
	vec_clear(&w->passed);
	chain_pass(w->x, m, &w->passed);
	for (uint32_t i = 0; i < w->passed.len; i++)
		if (!chain_node(w->x, w->passed.data[i]))
			reach_outside(w, w->passed.data[i], PASSED_ANY, level);
}

/* Calls of which it is known what they pass */

struct passing {
	method_id caller;
	const struct cg_site *site;
	struct cg_targets targets;
	uint32_t level;
	bool leaves;                      /* the caller is of the component: calls within it are not followed here */
	uint32_t sets[PASSED_MOST], n;
};

/* Written, or made of one that is: some of the receivers may come by callbacks alone. */
static bool has_statement(const struct cg_site *s)
{
	return s->op != IR_CALL_DYNAMIC && s->mref.i && (s->implied <= 1 || s->implied == 1 + DYNAMIC_CALLBACK);
}

static bool read_operands(struct walk *w, struct passing *p, uint32_t frame)
{
	const struct cg_site *s = p->site;
	bool is_asked = w->x->passed && (w->follows || (!p->leaves && has_nodes(w, s, p->targets)));

	if (!is_asked || s->cause != CG_RESOLVED || !has_statement(s))
		return false;
	struct passed_site at = { s->pc, s->op, s->mref, s->implied != 1 };
	return passed_operands(w->x->passed, p->caller, at, frame, p->sets, &p->n);
}

static void pass_to(struct walk *w, const struct passing *p, method_id target, uint32_t receiver)
{
	uint32_t sets[PASSED_MOST];

	if (p->leaves && (chain_node(w->x, target) || chain_is_passed(w->x, target))) {
		if (chain_is_passed(w->x, target))
			leave_to(w, target, p->level);
		return;
	}
	memcpy(sets, p->sets, sizeof(sets));
	if (p->site->op != IR_CALL_STATIC)
		sets[0] = receiver;
	uint32_t frame = w->follows || chain_node(w->x, target) ? passed_frame(w->x->passed, target, sets, p->n) : PASSED_ANY;
	call_from_outside(w, target, frame, p->level);
}

/* May an object that nobody knows, of a subclass of one of the bounds, have the method? Then the class that has it is above or below. */
static bool is_in_bounds(struct walk *w, method_id m)
{
	class_id owner = method_row(w->x->p, m)->owner;

	for (uint32_t i = 0; i < w->bounds.len; i++) {
		class_id c = w->bounds.data[i];
		if ((class_row(w->x->p, owner)->flags & ACCESS_INTERFACE) || hierarchy_is_subclass(w->x->h, owner, c) ||
		    hierarchy_is_subclass(w->x->h, c, owner) || hierarchy_misses_ancestor(w->x->h, owner))
			return true;
	}
	return false;
}

/* Methods that receivers select which nobody knows; false: they are too many. */
static bool list_unknown(struct walk *w, const struct passing *p, chain_methods *out)
{
	for (uint32_t i = 0; w->bounds.len && i < p->targets.n && out->len <= MOST_CLASSES; i++)
		if (is_in_bounds(w, p->targets.methods[i]))
			vec_push(out, p->targets.methods[i]);
	return out->len <= MOST_CLASSES;
}

/* What the classes select, one for each; none: nothing. False: that is not known. */
static bool list_selected(struct walk *w, const struct passing *p, chain_methods *out)
{
	bool is_incomplete = false;

	for (uint32_t i = 0; i < w->classes.len && !is_incomplete; i++) {
		method_id m = dispatch_select(w->x->h, p->site->mref, w->classes.data[i], &is_incomplete);
		is_incomplete |= m.i && !callgraph_reaches(w->x->calls, m);
		vec_push(out, m);
	}
	return !is_incomplete;
}

static void pass_listed(struct walk *w, const struct passing *p, const chain_methods *selected, const chain_methods *unknown)
{
	for (uint32_t i = 0; i < selected->len; i++) {
		method_id m = selected->data[i];
		uint32_t node = m.i ? chain_node(w->x, m) : 0;
		if (node && !p->leaves)
			*map_at(&w->out->entered.has, map_key(node, w->classes.data[i].i)) = 1;
		if (m.i)
			pass_to(w, p, m, passed_of_class(w->x->passed, p->sets[0], w->classes.data[i]));
	}
	if (unknown->len && !p->leaves)
		note_receivers(w, p->caller, p->site, p->targets);
	for (uint32_t i = 0; i < unknown->len; i++)
		pass_to(w, p, unknown->data[i], PASSED_ANY);
}

/* Receivers are objects of a few classes: each selects its method. False: they are not, or it is not known what they select. */
static bool pass_selected(struct walk *w, const struct passing *p)
{
	chain_methods selected = { 0 }, unknown = { 0 };
	bool is_known = passed_classes(w->x->passed, p->sets[0], &w->classes, &w->bounds) && w->classes.len <= MOST_CLASSES &&
			list_selected(w, p, &selected) && list_unknown(w, p, &unknown);

	if (is_known)
		pass_listed(w, p, &selected, &unknown);
	vec_release(&selected);
	vec_release(&unknown);
	return is_known;
}

/* False: the call is to be treated as one of which nothing is known. */
static bool pass_call(struct walk *w, struct passing *p, uint32_t frame)
{
	bool is_dispatched = p->site->op == IR_CALL_VIRTUAL || p->site->op == IR_CALL_INTERFACE;

	if (!read_operands(w, p, frame))
		return false;
	if (is_dispatched && pass_selected(w, p))
		return true;
	if (p->targets.n > MOST_CLASSES || is_open(p->site))
		return false;
	if (!p->leaves)
		note_receivers(w, p->caller, p->site, p->targets);
	for (uint32_t i = 0; i < p->targets.n; i++)
		pass_to(w, p, p->targets.methods[i], is_dispatched ? PASSED_ANY : p->sets[0]);
	return true;
}

static void walk_calls(struct walk *w, method_id m, uint32_t frame, uint32_t level)
{
	uint32_t n;

	if (!m.i || !callgraph_reaches(w->x->calls, m))
		return;
	initialise_by(w, m, level);
	const struct cg_site *sites = callgraph_sites(w->x->calls, m, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *seen = &w->seen_sets[(size_t)level * w->nsets + sites[i].set];
		struct cg_targets t = callgraph_targets(w->x->calls, &sites[i]);
		struct passing p = { .caller = m, .site = &sites[i], .targets = t, .level = level };
		if (pass_call(w, &p, frame))
			continue;
		note_receivers(w, m, &sites[i], t);
		if (*seen)
			continue;
		*seen = 1;
		for (uint32_t k = 0; k < t.n; k++)
			call_from_outside(w, t.methods[k], PASSED_ANY, level);
	}
}

/* A method that clients write, and that is called back, may call whatever clients call. */
static bool is_client(const struct chain_graph *x, method_id m)
{
	return m.i && x->clients && map_get(x->clients, method_row(x->p, m)->owner.i);
}

static void walk_outside(struct walk *w, const struct place *at)
{
	uint32_t level = at->m.i == w->start.i ? 0 : at->level;

	walk_calls(w, at->m, at->frame, level);
	if (!is_client(w->x, at->m) || w->seen_main[level])
		return;
	w->seen_main[level] = 1;
	walk_calls(w, w->x->main, PASSED_ANY, level);
}

static void leave_by_calls(struct walk *w, method_id m, uint32_t level)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->x->calls, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(w->x->calls, &sites[i]);
		struct passing p = { .caller = m, .site = &sites[i], .targets = t, .level = level, .leaves = true };
		if (pass_call(w, &p, PASSED_ANY))
			continue;
		for (uint32_t k = 0; k < t.n; k++)
			leave_to(w, t.methods[k], level);
	}
}

static void leave(struct walk *w, uint32_t node, uint32_t level)
{
	const struct chain_graph *x = w->x;
	uint32_t above, *seen = map_at(&w->seen_left, map_key(node, level));

	if (*seen || !deeper(w, level, &above))
		return;
	*seen = 1;
	if (w->follows)
		leave_by_calls(w, x->methods.data[node], above);
	for (uint32_t i = x->first_outside.data[node]; !w->follows && i < x->first_outside.data[node + 1]; i++)
		reach_outside(w, x->outside.data[i], PASSED_ANY, above);
	for (uint32_t i = x->first_back.data[node]; i < x->first_back.data[node + 1]; i++) {
		w->out->entered.is_any[x->back.data[i]] = 1;
		enter(w, x->back.data[i], PASSED_ANY, above);
	}
	initialise_by(w, x->methods.data[node], above);
	initialise(w, triggers_unknown(x->triggers), method_row(x->p, x->methods.data[node])->owner, above);
}

static void walk_inside(struct walk *w, const struct place *at)
{
	const struct chain_graph *x = w->x;

	for (uint32_t i = x->first_edge.data[at->node]; i < x->first_edge.data[at->node + 1]; i++) {
		const struct chain_edge *e = &x->edges.data[i];
		class_id self;
		if (chain_follows(x, e, at->self, &self))
			reach_inside(w, e->to, self, at->level);
	}
	leave(w, at->node, at->level);
}

/* Starts: the clients, one call before what they call; and what the JVM calls. */

static void list_asked(struct walk *w)
{
	struct map has = { 0 };

	for (uint32_t i = 0; i < w->x->edges.len; i++) {
		class_id c = w->x->edges.data[i].self;
		uint32_t *seen = c.i ? map_at(&has, c.i) : NULL;
		if (!seen || *seen)
			continue;
		*seen = 1;
		vec_push(&w->asked, c);
	}
	map_release(&has);
}

static void start(struct walk *w)
{
	const struct chain_graph *x = w->x;
	sel_id sel = program_sel((struct program *)x->p, STR("start0"), STR("()V"));
	class_id thread = program_find_class(x->p, STR("java/lang/Thread"));

	w->start = thread.i && class_row(x->p, thread)->state == LOAD_DONE ? program_declared(x->p, thread, sel) : (method_id){ 0 };
	if (x->main.i)
		reach_outside(w, x->main, PASSED_ANY, 0);
	w->calls = 1;
}

/* What the JVM passes, in the methods that stand for its code (class sherd/JVM). */

static void note_jvm_call(struct walk *w, method_id caller, struct passed_site s)
{
	struct passed *u = w->x->passed;
	uint32_t sets[PASSED_MOST], n;

	if (s.op == IR_CALL_VIRTUAL || s.op == IR_CALL_INTERFACE) {
		*map_at(&w->jvm_selects, mref_row(w->x->p, s.ref)->sel.i) = 1;
		return;
	}
	if (s.op == IR_CALL_DYNAMIC || resolve_method(w->x->h, s.ref) != RESOLVE_OK)
		return;
	method_id m = mref_row(w->x->p, s.ref)->target;
	if (passed_operands(u, caller, s, PASSED_ANY, sets, &n)) {
		uint32_t *last = map_at(&w->jvm_frames, m.i);
		vec_push(&w->jvm_calls, ((struct jvm_call){ passed_frame(u, m, sets, n), *last }));
		*last = w->jvm_calls.len;
	}
}

static void read_jvm(struct walk *w)
{
	class_id jvm = program_find_class(w->x->p, STR("sherd/JVM"));
	const struct ir_class *row = jvm.i ? class_row(w->x->p, jvm) : NULL;
	uint32_t n = w->x->passed && w->follows && row && row->kind == CLASS_SYNTHETIC ? row->nmethods : 0;
	struct passed_site s;

	for (uint32_t i = 0; i < n; i++) {
		method_id m = { class_row(w->x->p, jvm)->first_method + i };
		for (uint32_t k = 0; passed_nth_call(w->x->passed, m, k, &s); k++)
			note_jvm_call(w, m, s);
	}
}

/* Only the JVM's own code calls it from outside the graph, and that is known. */
static bool start_by_jvm(struct walk *w, method_id m)
{
	uint32_t at = map_get(&w->jvm_frames, m.i);

	if (!at || callgraph_is_client_entry(w->x->calls, m) || map_get(&w->jvm_selects, method_row(w->x->p, m)->sel.i))
		return false;
	for (; at; at = w->jvm_calls.data[at - 1].before)
		call_from_outside(w, m, w->jvm_calls.data[at - 1].frame, 0);
	return true;
}

static void start_entry(struct walk *w, method_id m)
{
	bool is_initialiser = str_is(sel_name(w->x->p, method_row(w->x->p, m)->sel), "<clinit>");

	if (is_initialiser && !callgraph_is_client_entry(w->x->calls, m))
		return;
	initialise(w, triggers_of_class(w->x->triggers, method_row(w->x->p, m)->owner), (class_id){ 0 }, 0);
	if (m.i == w->x->main.i)
		return;
	w->out->entered.is_any[chain_node(w->x, m)] = 1;
	if (!start_by_jvm(w, m))
		call_from_outside(w, m, PASSED_ANY, 0);
}

static void start_jvm(struct walk *w)
{
	read_jvm(w);
	for (uint32_t k = 0; k < callgraph_nmethods(w->x->calls); k++)
		if (callgraph_is_entry(w->x->calls, callgraph_method(w->x->calls, k)))
			start_entry(w, callgraph_method(w->x->calls, k));
	initialise(w, triggers_of(w->x->triggers, (method_id){ 0 }), (class_id){ 0 }, 0);
	initialise(w, triggers_unknown(w->x->triggers), (class_id){ 0 }, 0);
	walk_outside(w, &(struct place){ .m = w->start });
}

static void run_rounds(struct walk *w, uint32_t most)
{
	for (; (w->next.len || w->calls == 1) && w->calls <= most; w->calls++) {
		places now = w->now;
		w->now = w->next;
		w->next = now;
		vec_clear(&w->next);
		if (w->calls == 1)
			start_jvm(w);
		for (uint32_t i = 0; i < w->now.len; i++) {
			struct place at = w->now.data[i];
			if (at.node)
				walk_inside(w, &at);
			else
				walk_outside(w, &at);
		}
	}
}

void chain_levels_compute(const struct chain_graph *x, uint32_t n, bool or_more, uint32_t most, struct chain_levels *out)
{
	struct walk w = { .x = x, .out = out, .nmethods = x->p->methods.len, .nsets = callgraph_nsets(x->calls) + 1 };

	*out = (struct chain_levels){ .n = n, .or_more = or_more, .stride = x->methods.len };
	out->distance = mem_alloc((size_t)n * out->stride * sizeof(*out->distance));
	memset(out->distance, 0xff, (size_t)n * out->stride * sizeof(*out->distance));
	w.seen_outside = mem_zalloc((size_t)n * w.nmethods);
	w.seen_main = mem_zalloc(n);
	w.seen_sets = mem_zalloc((size_t)n * w.nsets);
	w.seen_needs = mem_zalloc((size_t)n * w.nsets);
	w.has_nodes = mem_zalloc(w.nsets);
	out->entered.is_any = mem_zalloc(out->stride);
	out->entered.is_passed = mem_zalloc(out->stride);
	out->entered.params = mem_zalloc((size_t)out->stride * PASSED_MOST * sizeof(*out->entered.params));
	w.follows = x->passed && most <= MOST_FOLLOWED;
	list_asked(&w);
	start(&w);
	run_rounds(&w, most);
	vec_release(&w.now);
	vec_release(&w.next);
	vec_release(&w.passed);
	map_release(&w.seen_inside);
	map_release(&w.states);
	free(w.seen_outside);
	free(w.seen_main);
	free(w.seen_sets);
	free(w.seen_needs);
	free(w.has_nodes);
	map_release(&w.seen_receivers);
	map_release(&w.selected);
	map_release(&w.frames);
	map_release(&w.seen_frames);
	map_release(&w.frames_of);
	map_release(&w.seen_params);
	map_release(&w.seen_left);
	map_release(&w.jvm_frames);
	map_release(&w.jvm_selects);
	vec_release(&w.jvm_calls);
	vec_release(&w.classes);
	vec_release(&w.bounds);
	vec_release(&w.asked);
}

void chain_levels_release(struct chain_levels *l)
{
	free(l->distance);
	free(l->entered.is_any);
	map_release(&l->entered.has);
	free(l->entered.params);
	free(l->entered.is_passed);
	*l = (struct chain_levels){ 0 };
}
