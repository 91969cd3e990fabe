/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/pta/feature.h"

#include <string.h>

const struct pta_heap pta_default_heap = { .by_site = { [HEAP_PAYLOADS] = true } };

const char *heap_sort_name(enum heap_sort s)
{
	static const char *const names[] = {
		[HEAP_STRINGS] = "strings", [HEAP_BUILDERS] = "builders", [HEAP_EXCEPTIONS] = "exceptions",
		[HEAP_PAYLOADS] = "payloads", [HEAP_CLASSES] = "classes",   [HEAP_LEAVES] = "leaves",
	};

	return names[s];
}

/* Policies */

const struct policy *pta_policy(uint32_t k)
{
	static const struct policy *const all[] = {
#define POLICY(id) &policy_##id,
#include "analysis/pta/policies.def"
#undef POLICY
	};

	return k < ARRAY_LEN(all) ? all[k] : NULL;
}

const struct policy *pta_find_policy(const char *name)
{
	for (uint32_t k = 0; pta_policy(k); k++)
		if (strcmp(pta_policy(k)->name, name) == 0)
			return pta_policy(k);
	return NULL;
}

const char *policy_name(const struct policy *p)
{
	return p->name;
}

const char *policy_help(const struct policy *p)
{
	return p->help;
}

const char *policy_cheaper(const struct policy *p)
{
	return p->cheaper;
}

/* Running */

static void on_watch(void *ctx, uint32_t tag, struct set_view news)
{
	static void (*const handlers[])(struct pta *a, uint32_t watch, struct set_view news) = {
#define WATCH(sort, function) [WATCH_##sort] = function,
#include "analysis/pta/features.def"
	};
	struct pta *a = ctx;

	handlers[a->watches.data[tag].sort](a, tag, news);
	instances_apply(a);
}

static bool go_on(void *ctx)
{
	struct pta *a = ctx;

	return !a->opt.progress || a->opt.progress(a->opt.progress_ctx, a->reached.len);
}

static void read_cloned(struct pta *a)
{
	static const struct {
		const char *cls, *name;
	} rows[] = {
#define CLONED(cls, name) { cls, name },
#include "analysis/pta/cloned.def"
#undef CLONED
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		class_id c = program_class(a->p, str_of(rows[i].cls));
		bool is_all = strcmp(rows[i].name, "*") == 0;
		str_id name = is_all ? (str_id){ 0 } : intern(&a->p->strings, str_of(rows[i].name));
		*map_at(&a->cloned, map_key(c.i, name.i)) = 1;
	}
}

static void name_classes(struct pta *a)
{
	struct program *p = a->p;

	a->object_array = program_class(p, STR("[Ljava/lang/Object;"));
	a->error = program_class(p, STR("java/lang/Error"));
	a->method_type = program_class(p, STR("java/lang/invoke/MethodType"));
	a->field_reflector = program_class(p, STR("java/io/ObjectStreamClass$FieldReflector"));
	a->finalize = program_sel(p, STR("finalize"), STR("()V"));
	a->finalizable_field = program_fref(p, a->linker.jvm, program_sel(p, STR("finalizable"), STR("Ljava/lang/Object;")));
	a->raised_field = program_fref(p, a->linker.jvm, program_sel(p, STR("raised"), STR("Ljava/lang/Throwable;")));
	a->argument_field = program_fref(p, a->linker.jvm, program_sel(p, STR("argument"), STR("Ljava/lang/Object;")));
}

static void start(struct pta *a)
{
	struct solver_opt so = { .ctx = a, .watch = on_watch, .go_on = go_on, .keeps_copies = a->opt.explains,
				 .unify_after = a->policy->unify_after };

	hierarchy_init(&a->h, a->p);
	linker_init(&a->linker, &a->h);
	arena_init(&a->mem);
	arena_init(&a->scratch);
	a->s = solver_new(&so);
	vec_push(&a->sites, (struct site){ 0 });
	vec_push(&a->instances, (struct instance){ 0 });
	vec_push(&a->watches, (struct watch){ 0 });
	vec_push(&a->contexts, (struct context_row){ 0 });
	vec_push(&a->templates, NULL);
	vec_push(&a->callers, (struct called_by){ 0 });
	a->applied = 1;
	a->all = solver_nodes(a->s, 1);
	a->everything = solver_nodes(a->s, 1);
	a->client = a->policy->variables == ONE_FOR_ALL ? a->all : solver_nodes(a->s, 1);
	name_classes(a);
	read_cloned(a);
	containers_init(a);
	features_init(a);
	a->dynamic = a->opt.dynamic ? dynamic_new(&a->h, a->opt.dynamic) : NULL;
	kinds_init(a);
}

struct pta *pta_compute(struct program *p, const struct cg_entries *entries, const struct pta_opt *opt)
{
	struct pta *a = mem_zalloc(sizeof(*a));

	a->p = p;
	a->opt = *opt;
	if (opt->dynamic)
		a->dynamic_opt = *opt->dynamic;
	a->opt.dynamic = opt->dynamic ? &a->dynamic_opt : NULL;
	a->policy = opt->policy;
	start(a);
	assumptions_start(a, entries);
	entries_apply(a, entries);
	instances_apply(a);
	do
		a->stopped = !solver_run(a->s);
	while (!a->stopped && a->dynamic && (reflection_round(a) || callbacks_start(a)));
#ifdef SHERD_CHECK
	const char *reason;
	if (!a->stopped && !pta_check(a, &reason))
		BUG("points-to analysis: %s", reason);
#endif
	return a;
}

void pta_free(struct pta *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->sites.len; i++) {
		vec_release(&a->sites.data[i].targets);
		vec_release(&a->sites.data[i].receivers);
	}
	vec_release(&a->templates);
	vec_release(&a->reached);
	vec_release(&a->sites);
	vec_release(&a->places);
	vec_release(&a->instances);
	vec_release(&a->watches);
	vec_release(&a->contexts);
	vec_release(&a->objects);
	vec_release(&a->class_place);
	vec_release(&a->containers);
	vec_release(&a->is_container);
	vec_release(&a->initialised);
	vec_release(&a->initialisers);
	vec_release(&a->answer);
	vec_release(&a->names);
	vec_release(&a->steps);
	explainer_free(a);
	vec_release(&a->instances_of);
	vec_release(&a->next_instance);
	vec_release(&a->objects_of);
	vec_release(&a->next_object);
	struct map *maps[] = { &a->instance_by_key, &a->context_by_key, &a->object_by_key, &a->place_by_key, &a->selected,
			       &a->seen, &a->edges, &a->linked, &a->mixed, &a->node_of_field, &a->node_of_type, &a->cloned, &a->features };
	for (size_t i = 0; i < ARRAY_LEN(maps); i++)
		map_release(maps[i]);
	for (uint32_t i = 0; i < a->reflected.len; i++) {
		vec_release(&a->reflected.data[i].calls);
		vec_release(&a->reflected.data[i].sets);
	}
	vec_release(&a->reflected);
	vec_release(&a->callers);
	groups_release(&a->assumed_of);
	callbacks_release(&a->callbacks);
	assumptions_release(a);
	dynamic_free(a->dynamic);
	kinds_release(&a->kinds);
	solver_free(a->s);
	linker_release(&a->linker);
	hierarchy_release(&a->h);
	arena_release(&a->mem);
	arena_release(&a->scratch);
	free(a);
}

bool pta_is_finished(const struct pta *a)
{
	return !a->stopped;
}

bool pta_check(const struct pta *a, const char **reason)
{
	*reason = a->applied == a->instances.len ? NULL : "a method was not analysed";
	return !*reason && solve_check(a->s, reason);
}

struct pta_stats pta_stats(const struct pta *a)
{
	return (struct pta_stats){ solver_stats(a->s), a->instances.len - 1, a->contexts.len };
}
