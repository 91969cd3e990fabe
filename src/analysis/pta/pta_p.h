/* SPDX-License-Identifier: Apache-2.0 */
/* pta_p.h - an analysis under way, as the files of pta/ see it.
 *
 * A method is read once, into a *template*: its statements over local variables, free of everything that does not move
 * references (template.c). A method in a context is an *instance* of its template: a run of solver nodes, one for each
 * variable (instance.c). Call statements are *sites*; a site in an instance is a *call*, which the solver watches
 * through its receiver (call.c). */
#ifndef ANALYSIS_PTA_P_H
#define ANALYSIS_PTA_P_H

#include "algo/groups.h"
#include "analysis/callgraph/assumed.h"
#include "analysis/callgraph/link.h"
#include "analysis/hierarchy/hierarchy.h"
#include "analysis/pta/policy.h"
#include "analysis/pta/pta.h"

#define MAX_SLOTS 256             /* of an object; fields beyond share the last */
enum { UNKNOWN_PLACE = 0 };
#define JVM_FIELD 0x80000000u     /* see jvm_field() */

/* A static field, as statements and nodes name it: a field_id, or the reference of a pseudo field of sherd/JVM, which
 * no class file declares. */
static inline uint32_t jvm_field(fref_id f)
{
	return JVM_FIELD | f.i;
}

static inline bool is_jvm_field(uint32_t field)
{
	return field & JVM_FIELD;
}

/* Variables of a template are numbered from 1; 0 is none. */
enum t_op {
	T_OBJECT,                /* to = an object of place `ref` */
	T_COPY,                  /* to = from, if it is an instance of class `ref` (none: in any case); `more`: known to be */
	T_LOAD,                  /* to = from.field `ref` */
	T_STORE,                 /* to.field `ref` = from */
	T_GET_ELEMENT,           /* to = from[..]: instances of class `ref`, if that is known */
	T_PUT_ELEMENT,           /* to[..] = from */
	T_GET_STATIC,            /* to = field `ref` */
	T_PUT_STATIC,            /* field `ref` = from */
	T_GET_ANY, T_PUT_ANY,    /* to = some field of from; some field of to = from: memory by offset */
	T_RAISE,                 /* the JVM itself throws, in scope `more` */
	T_THROW,                 /* throw from, in scope `more` */
	T_CALL,                  /* site `ref` in scope `more`; result in to; operands: args[from] of them, behind it */
};

struct t_stmt {
	uint8_t op;
	uint32_t to, from, ref, more;
};

struct handler {                 /* of a scope */
	uint32_t var;            /* 0: the caught object does not matter */
	mask_id mask;            /* what it catches and no handler before it does */
};

struct scope {                   /* where exceptions of a statement go: scope 0 of a template is always "to the caller" */
	uint32_t first, n;       /* handlers, in the order the JVM tries them */
	mask_id escapes;         /* what none of them catches */
	bool catches_all;
};

/* A field or elements that a method reads or writes, whatever their type: opt.keeps_accesses. */
enum access_sort {
	ACCESS_FIELD,            /* `ref`, of the objects in `base` */
	ACCESS_GLOBAL,           /* `ref`, a static field */
	ACCESS_ELEMENT,
	ACCESS_ANY,              /* any field or element: memory by offset */
	ACCESS_UNKNOWN,          /* nobody knows whose */
};
struct t_access {
	uint8_t sort;
	bool is_write;
	bool is_made;            /* the object is one that the method makes, or constructs */
	uint32_t base, ref;      /* base: a variable; 0: ACCESS_GLOBAL, ACCESS_UNKNOWN */
};

struct template {
	const struct t_access *accesses;
	const struct t_stmt *stmts;
	const uint32_t *args;
	const struct handler *handlers;
	const struct scope *scopes;
	const uint32_t *params;          /* variable of each parameter, receiver first; 0: it does not matter */
	const class_id *types;           /* declared type of each variable, by its number; none: not known */
	const uint32_t *var_of_value;    /* by SSA value */
	const class_id *initialises;     /* classes that its code initialises; some several times */
	uint32_t nstmts, nvars, nparams, nvalues, ninitialised, naccesses;
	uint32_t returns;                /* the variable that is returned; 0: none */
	uint32_t first_site, nsites;
	bool has_receiver;
	uint32_t plain;                  /* its instance without a context; 0: none yet */
	bool is_cloned;                  /* a context of its own for every call */
	bool is_pooled;                  /* likewise, but calls of is_shared methods share one, which has what all callers pass */
	bool is_constructor;             /* for calls by constructors of classes below it, too: see is_cloned() of call.c */
	bool is_shared;                  /* one context for all calls */
	bool is_entry;                   /* called by the user or the JVM */
	bool is_client_entry;            /* by the user, or a fact says so */
	bool is_called;                  /* by the client: see entries.c */
	bool is_assumed;                 /* by calls that are not resolved */
	bool is_opened;                  /* see assume_call() */
	node_id thrown;                  /* what leaves the method by exception, whatever the context */
	uint32_t caller;                 /* the last row of `callers` that is about it; 0: none */
};

struct called_by { uint32_t site, before; };     /* of a method; `before`: the row before */

struct site {
	struct link link;
	method_id method;
	uint32_t scope;                  /* of the template: where exceptions of the call go */
	bool is_outside;                 /* of sherd/JVM or the user: not in the graph */
	uint32_t dynamic;                /* its number in analysis/dynamic; 0: it is no dynamic call */
	bool delegates;                  /* this(...) or super(...): a constructor calls another for the same object */
	uint32_t callbacks;              /* the site of what unknown code calls back that it calls; 0: none */
	uint32_t ntargets, nreceivers;   /* how many of the following there are without callbacks: features/callbacks.c */
	uint32_t assumed;                /* row of assumptions.refs, once it is called on what is assumed to be there; 0: it is not */
	VEC(method_id) targets;
	VEC(class_id) receivers;
};

struct place {
	struct pta_place is;
	object_id object;                /* without a context; none: not made yet */
	bool by_site;                    /* objects of their own; else `object` stands for the class */
	bool is_any_array;               /* of references, of a class that is known at run time only */
};

struct instance {
	method_id method;
	context_id context;
	node_id base;                    /* variable v is node base + v - 1, where variables have their own */
};

struct instance_stmt { uint32_t instance, stmt; };

/* A call, or what else watches a node. The tag of a watch is the number of its row. */
enum watch_sort {
#define WATCH(sort, function) WATCH_##sort,
#include "analysis/pta/features.def"
};
struct watch {
	uint8_t sort;
	uint32_t instance;               /* calls; hooks, escapes: the site */
	uint32_t stmt;                   /* calls: of the template; hooks: enum hook_rule; escapes: the declared type;
					  * T_GET_ANY, T_PUT_ANY: any_field.is_serial */
	node_id node;                    /* hooks: where results go; others: to or from */
	uint32_t last;                   /* calls: the instance that was linked last; escapes: that of the caller */
	bool escapes;                    /* calls: arguments escaped */
	uint16_t contexts;               /* calls: of receivers, where the policy has a limit */
};

typedef VEC(uint32_t) id_list;
typedef VEC(id_list) list_table;

/* A dynamic call, by its number: where its dispatchers are called from. */
struct reflected {
	VEC(struct instance_stmt) calls;
	uint32_t site;                   /* LINK_REFLECTED; 0: none */
	bool is_open;                    /* what it does is not all known: so is what it returns */
	id_list sets;                    /* of assumptions: what it may do */
};

/* What calls may do that are not resolved (features/assumptions.c), and the objects that are there then (features/world.c). */
struct assumed_ref {                     /* a method as calls name it, whose receiver may be any object that is assumed */
	mref_id mref;
	method_list targets;             /* of all classes of such objects; some several times */
	class_list receivers;
};
struct allowed { bool is_applied; node_id made; };       /* a set of methods; what its constructors make */
struct assumptions {
	struct assumed calls;
	method_sets sets;                /* [0] is empty */
	VEC(struct allowed) allowed;     /* by set */
	uint32_t done;                   /* calls below it were made */
	VEC(bool) accessed;              /* by dynamic call: an access to an unknown field was applied */
	method_id native;                /* what natives call that have no model */
	struct method_bits near;         /* methods that rapid type analysis reaches without assumptions */
	kind_id object, array;           /* of what is assumed to be there: objects, arrays of them; none: nothing is assumed */
	mask_id both;                    /* of these */
	node_id thrown;                  /* holds an object */
	bool touches_statics;            /* any static field may be read and written */
	VEC(struct assumed_ref) refs;    /* [0] unused */
	struct map ref_of;               /* mref -> row */
	list_table refs_of;              /* by class: rows of refs that name it */
	list_table below;                /* by class: classes below it of which objects are assumed to be there */
	VEC(bool) is_there;              /* by class: they are */
	class_list coming;               /* classes that are to be added to these */
	struct map has_fields;           /* class -> 1: its fields may be accessed from everywhere */
};

struct object_row { uint32_t place; context_id context; };
struct context_row { uint32_t first; context_id rest; uint32_t depth; bool is_clone; };

/* Who found an object of unknown class, or gave it away: code of the program, or of the component; or others, which do not know its
 * types. */
enum unknown_origin { FOREIGN, OWN, ORIGINS };
struct unknown_row {
	class_id below;                  /* none: any type */
	kind_id kind;
	enum unknown_origin origin;
	VEC(class_id) known;             /* classes that are known, and of that type; found when they are asked for */
	bool has_known;
};
struct mask_row { mask_id mask; class_id of; uint32_t except; };     /* `except`: a list of classes, see kinds.c */
struct class_cell { class_id c; uint32_t rest; };

struct kinds {
	struct map of_class;             /* class -> kind */
	VEC(class_id) classes;           /* by kind; none: unknown */
	list_table below;               /* by class: kinds that are instances of it, arrays only where they are no arrays' */
	list_table masks_of;            /* by class: rows of `masks` that are about it */
	VEC(struct mask_row) masks;      /* [0] unused */
	struct map mask_by_key;          /* (class, exceptions) -> row */
	VEC(struct class_cell) cells;    /* [0] unused: lists of classes */
	struct map cell_by_key;
	id_list arrays;                  /* kinds of arrays */
	id_list array_masks, open;       /* masks about arrays; kinds with a missing ancestor */
	VEC(uint32_t) nslots;            /* by class: 0 not laid out, else 1 + slots */
	VEC(uint32_t) slot_of;           /* by field: 1 + slot; 0: none yet */
	VEC(uint8_t) heap;               /* by class: 0 not asked yet, else 1 + enum heap_sort */
	VEC(struct unknown_row) unknowns;        /* by origin those of any type, then those that are known to be of one: unknown.c */
	struct map unknown_of;           /* (class, origin) -> 1 + row of `unknowns` */
	mask_id only_unknown, only[ORIGINS];
	kind_id any_array;               /* an array of references of a class that is only known at run time */
	struct map empty_of;             /* array class -> kind of its arrays without elements */
	mask_id nothing;
};

/* What a run of nodes stands for, in the order of the nodes: kept for explanations only. */
enum name_sort { NAME_VARIABLES, NAME_SLOTS, NAME_FIELD, NAME_THROWN };
struct name {
	node_id first;
	uint32_t of;                     /* instance, object, field (see static_node) or method */
	enum name_sort sort;
};

/* What unknown code calls back: features/callbacks.c. */
/* A method of the application that is called by a method of one of its class's types. */
struct callable {
	class_id super;
	method_id target;
};
typedef VEC(struct callable) callable_list;

struct callbacks {
	bool are_made;                   /* the analysis came to its end without them */
	uint32_t nreached;               /* methods that were reached by then */
	VEC(struct instance_stmt) pending;       /* calls of unknown code, until then */
	node_id escaped;                 /* what unknown code has got hold of */
	struct map list_of;              /* (class, declared type) -> 1 + row of `lists` */
	list_table lists;                /* of methods */
	struct map handed_over;          /* (node, declared type) -> its number */
	struct map let_go;               /* (site of callbacks, that number) -> 1 */
	struct map targets_of;           /* class -> 1 + row of `targets` */
	VEC(callable_list) targets;
};

struct pta {
	struct program *p;
	struct hierarchy h;
	struct linker linker;
	struct solver *s;
	const struct policy *policy;
	struct pta_opt opt;
	struct dynamic_opt dynamic_opt;          /* what opt.dynamic points to */
	struct arena mem, scratch;
	struct kinds kinds;

	VEC(struct template *) templates;        /* by method; NULL: not reached */
	VEC(method_id) reached;                  /* in order */
	VEC(struct site) sites;                  /* [0] unused */
	VEC(struct place) places;                /* [UNKNOWN_PLACE]: of any type; see unknown.c */
	VEC(struct instance) instances;          /* [0] unused */
	uint32_t applied;                        /* instances below this have their constraints */
	VEC(struct watch) watches;               /* [0] unused */
	VEC(struct context_row) contexts;        /* [0] empty */
	VEC(struct object_row) objects;          /* by object - KINDS_MAX: those of allocation sites */
	VEC(uint32_t) class_place;               /* by kind: the place of the object that stands for it */
	VEC(bool) initialised;                   /* by class */
	struct map instance_by_key;              /* (method, context) */
	struct map context_by_key;
	struct map object_by_key;                /* (place, context) */
	struct map place_by_key;                 /* class and string constants */
	struct map selected;                     /* (reference, class) -> 1 + method; see call.c */
	struct map seen;                         /* (site, kind) -> 1 + method */
	struct map edges;                        /* (site, method) -> 1 */
	struct map linked;                       /* (call, instance) -> 1 */
	struct map mixed;                        /* (instance, site) -> 1: it has policy.most_contexts */
	struct map node_of_field, node_of_type;  /* shared nodes; of static fields in any case */
	struct map cloned;                       /* (class, name) of cloned.def -> 1 */
	VEC(class_id) containers;                /* of containers.def */
	VEC(uint8_t) is_container;               /* by class: 0 not asked yet, else 1 + whether it is one */
	struct map features;                     /* class -> 1 + row: feature.c */
	struct dynamic *dynamic;                 /* NULL: reflection is not followed */
	VEC(struct reflected) reflected;
	VEC(struct called_by) callers;           /* [0] unused: sites by the methods that they call */
	struct groups assumed_of;                /* the same of what they call on objects that are assumed to be there, as of this round */
	struct callbacks callbacks;
	struct assumptions assumed;
	VEC(method_id) initialisers;             /* to be reached */
	node_id all;                             /* ONE_FOR_ALL */
	node_id everything;                      /* every object there is */
	node_id client;                          /* what the user's side gets hold of */
	fref_id raised_field, finalizable_field, argument_field; /* of sherd/JVM: what the JVM throws, finalizes, passes */
	class_id object_array, error, method_type, field_reflector;
	sel_id finalize;
	bool stopped;
	VEC(struct name) names;                  /* ways/explain.c */
	struct explainer *explainer;             /* indexes, made with the first question */
	VEC(struct pta_step) steps;
	VEC(uint32_t) answer;                    /* facts.c: the last set, and indexes */
	VEC(uint32_t) instances_of, next_instance, objects_of, next_object;
};

/* kinds.c */
void kinds_init(struct pta *a);
void kinds_release(struct kinds *k);
kind_id kind_of_class(struct pta *a, class_id c);
/* The place of arrays of class c and length 0: whatever is stored into them, they hold nothing. */
uint32_t place_of_empty(struct pta *a, class_id c);
mask_id mask_of_class(struct pta *a, class_id c);                    /* instances of c, and what is unknown and may be one */
mask_id mask_of_known(struct pta *a, class_id c);                    /* instances of c alone */
/* Instances of c, but of none of the classes in the list (cell_push; 0: empty). */
mask_id mask_of_rest(struct pta *a, class_id c, uint32_t except);
uint32_t cell_push(struct pta *a, class_id c, uint32_t rest);
uint32_t slot_of_field(struct pta *a, field_id f);
uint32_t class_slots(struct pta *a, class_id c);
field_id slot_field(struct pta *a, class_id c, uint32_t slot);       /* none: an element, or several fields */
class_id slot_type(struct pta *a, class_id c, uint32_t slot);        /* declared; none: anything */
/* A variable of this declared type holds the one object of its class, whatever is assigned to it. */
bool is_constant_type(struct pta *a, class_id c);
enum heap_sort heap_sort_of_class(struct pta *a, class_id c);        /* HEAP_SORTS: none of them */

kind_id kind_add(struct pta *a, struct pta_place is, uint32_t nslots, mask_id admits);      /* with the place of its object */
bool mask_has_unknown(const struct pta *a, uint32_t row);

/* unknown.c: objects of unknown class, known to be of a type or not. */
void unknowns_init(struct pta *a);
uint32_t place_of_unknown(struct pta *a, class_id type, enum unknown_origin origin);         /* none, and Object: any type */
object_id unknown_object(struct pta *a, class_id type, enum unknown_origin origin);
enum unknown_origin unknown_origin(const struct pta *a, uint32_t kind);      /* of an unknown kind */
enum unknown_origin origin_in(const struct pta *a, method_id m);             /* of what its code finds */
void unknowns_release(struct kinds *k);
class_id written_in(const struct pta *a, class_id c);        /* of a lambda: the class that it was written in; else itself */
/* Of the code that the user wrote? A lambda is where it was written. */
bool is_application(const struct pta *a, class_id c);
/* Of the component, where there is one; otherwise of the application. Arrays: of such elements. */
bool is_own(const struct pta *a, class_id c);
/* Is a component analysed, with all classes that there are but its clients'? */
bool are_classes_known(const struct pta *a);
void unknowns_meet(struct pta *a, uint32_t mask);                    /* a new row of kinds.masks takes in those that may be in it */
static inline bool is_unknown_kind(const struct pta *a, uint32_t kind)
{
	return !a->kinds.classes.data[kind].i;
}

/* template.c */
struct template *template_of(struct pta *a, method_id m);            /* made on first use: the method is reached */

/* instance.c */
uint32_t instance_of(struct pta *a, method_id m, context_id c);
void instances_apply(struct pta *a);
node_id variable_node(struct pta *a, uint32_t instance, uint32_t var);
node_id static_node(struct pta *a, uint32_t field);                  /* a field_id, or jvm_field() */
node_id field_node(struct pta *a, field_id f);                       /* not for FIELD_OF_OBJECT */
class_id field_type(struct pta *a, field_id f);
mask_id transfer_mask(struct pta *a, class_id to);                   /* between shared nodes: instances of the declared type */
void throw_to_scope(struct pta *a, uint32_t instance, uint32_t scope, node_id from);
object_id object_at(struct pta *a, uint32_t place, context_id c);
void initialise_class(struct pta *a, class_id c);

/* call.c */
void call_apply(struct pta *a, uint32_t instance, uint32_t stmt);
mask_id receiver_mask(struct pta *a, const struct link *l);
/* What the call runs on an object of whatever class: there is nothing below a final class. None: that depends. */
method_id only_target(struct pta *a, const struct link *l);
context_id context_of(struct pta *a, uint32_t instance, uint32_t site, object_id receiver, method_id target);
/* Do receivers of this kind give the target one context at the site, whichever object it is? */
bool has_one_context(struct pta *a, uint32_t site, uint32_t kind, method_id target);
/* Are some methods called without a context there that would have one? */
static inline bool is_mixed_call(const struct pta *a, uint32_t instance, uint32_t site)
{
	return a->policy->most_contexts && map_get(&a->mixed, map_key(instance, site));
}
method_id target_of(struct pta *a, uint32_t site, uint32_t kind);      /* what such a receiver makes the site call */
bool add_edge(struct pta *a, uint32_t site, method_id target);         /* is it new? */

/* features/reflection.c */
/* Dispatchers of dynamic calls are called as they come to light. True: there were some, and the solver is to go on. */
bool reflection_round(struct pta *a);
void reflection_apply(struct pta *a, uint32_t instance, uint32_t stmt);        /* a T_CALL of a LINK_REFLECTED */
/* features/assumptions.c */
static inline bool has_assumptions(const struct pta *a)
{
	return a->dynamic && a->opt.dynamic->level > DYNAMIC_LISTED;
}
void assumptions_start(struct pta *a, const struct cg_entries *entries);       /* before anything is reached */
bool assumptions_round(struct pta *a);                   /* calls that are not resolved do what they may; were there some? */
void assumptions_apply(struct pta *a, uint32_t instance, uint32_t stmt, uint32_t set);
void assumptions_release(struct pta *a);

/* features/world.c: what is assumed to be there. */
void world_init(struct pta *a);
/* What a method makes that nothing but what is assumed reaches belongs to the world: the place of it; 0: it is a method of the program. */
uint32_t world_place(struct pta *a, method_id by, class_id c);
void world_meet(struct pta *a, uint32_t mask);           /* a new row of kinds.masks takes it in */
static inline bool is_world_kind(const struct pta *a, uint32_t kind)
{
	return kind && (kind == a->assumed.object.i || kind == a->assumed.array.i);
}
uint32_t world_field(struct pta *a, bool is_escape);     /* a static field that holds it; where to put what escapes to it */
void world_give(struct pta *a, node_id to, class_id type);       /* to a variable of this declared type */
void world_escape(struct pta *a, node_id from);
void world_add_class(struct pta *a, class_id c);         /* objects of the class are there */
void world_add_coming(struct pta *a);                    /* of those, too, that were seen while templates were made */
void world_static(struct pta *a, uint32_t field, node_id n);     /* a static field has this node: it may be accessed from everywhere */
void world_touch_statics(struct pta *a);
void world_store(struct pta *a, node_id from, node_id base);     /* from is stored into base, if that is of the world */
/* A call in an instance is made on what is assumed to be there. */
void world_call(struct pta *a, uint32_t instance, const struct t_stmt *s);
uint32_t world_ref(struct pta *a, mref_id m);            /* its row of assumptions.refs */
/* Who knows what the call is given, gives back and throws. */
void world_pass(struct pta *a, uint32_t instance, const struct t_stmt *s);
void assume_call(struct pta *a, method_id m);            /* someone calls it, with who knows what */

/* Where code of a dispatcher is shown: at the call that it stands for. Other code is where it is. */
void contract_place(const struct pta *a, method_id *m, uint32_t *pc);
void call_reflected(struct pta *a, uint32_t instance, const struct t_stmt *s, method_id dispatcher);      /* call.c */

/* features/callbacks.c */
/* A call (T_CALL) in an instance is one of unknown code: its arguments escape, as soon as callbacks are made. */
void callbacks_escape(struct pta *a, uint32_t instance, uint32_t stmt);
void callbacks_mark(struct pta *a);              /* what there is now is there without callbacks */
void callbacks_pending(struct pta *a);                    /* of calls through handles that are no longer known */
bool callbacks_start(struct pta *a);             /* at the end without callbacks; false: there are none, or they are there */
void callbacks_release(struct callbacks *c);

/* What is done when something arrives at a watch: by its sort. */
#define WATCH(sort, function) void function(struct pta *a, uint32_t watch, struct set_view news);
#include "analysis/pta/features.def"

/* features/serialization.c: the static field of sherd/JVM with what the hook returns that the method `via` calls; none: it
 * does not matter. */
fref_id hook_result(struct pta *a, method_id via, sel_id hook);
/* Which fields memory by offset is about, when an instance reads or writes it. */
struct any_field { bool is_serial; };
struct any_field any_field_in(struct pta *a, uint32_t instance);
bool any_field_is(struct pta *a, struct any_field any, field_id f);
bool any_field_has(struct pta *a, struct any_field any, class_id c, uint32_t slot);      /* of objects of class c */
void entries_apply(struct pta *a, const struct cg_entries *e);           /* entries.c */
void entry_apply(struct pta *a, method_id m, class_id made);                /* one that comes later; `made` is instantiated, if it can be */

/* facts.c: instances_of and next_instance, when all are there. */
void index_instances(struct pta *a);

/* ways/explain.c */
void name_nodes(struct pta *a, node_id first, enum name_sort sort, uint32_t of);
void explainer_free(struct pta *a);
bool is_receiver_class(const struct pta *a, object_id o, class_id c);     /* as call graphs count receivers */

/* witness.c */
/* What the class of a receiver makes the site call, by the class hierarchy; none: nothing. */
method_id receiver_target(struct pta *a, uint32_t site, object_id o);
/* Does the T_GET_ANY read a field of a constant type that is the object's class? */
bool reads_constant(struct pta *a, uint32_t in, const struct t_stmt *s, object_id o);
/* Does the T_CALL `s` of an instance call another, on this receiver (none: on any)? By the finished solution. */
bool call_reaches(struct pta *a, uint32_t caller, const struct t_stmt *s, object_id receiver, uint32_t callee);

/* returned.c: what unknown objects give back. */
/* A call on an unknown object (`kind`), or of a missing method, in an instance. */
void unknown_result(struct pta *a, uint32_t in, const struct t_stmt *s, uint32_t kind);
/* A field of an own class is read; what unknown objects have in it is of its type. */
void load_of_unknown(struct pta *a, node_id from, node_id to, field_id f);
void element_of_unknown(struct pta *a, uint32_t in, const struct t_stmt *s);      /* likewise, T_GET_ELEMENT in own code */
/* The result of a method that is called. */
void watch_result(struct pta *a, uint32_t in, const struct t_stmt *s);
void unknown_watch(struct pta *a, uint32_t watch, struct set_view news);

/* context.c */
void containers_init(struct pta *a);
context_id context_clone(struct pta *a, uint32_t site, context_id rest);
context_id context_plain(const struct pta *a, context_id c);             /* without what context_clone added */
bool context_is_within(const struct pta *a, context_id c, class_id of);  /* is one of the sites that it added in code of the class? */

static inline struct template *template_at(const struct pta *a, uint32_t instance)
{
	return a->templates.data[a->instances.data[instance].method.i];
}

static inline bool is_throwable(struct pta *a, class_id c)
{
	enum heap_sort s = heap_sort_of_class(a, c);

	return s == HEAP_EXCEPTIONS || s == HEAP_PAYLOADS;
}

static inline bool has_own_variables(const struct pta *a)
{
	return a->policy->variables == ONE_A_VARIABLE;
}

#endif
