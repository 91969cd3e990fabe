/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - the program model: classes, members, references, all by id.
 *
 * A class is *named* when something refers to it, and *loaded* (its header and members are filled in) by
 * program_load(), on first need, through the source that load/ installs. What cannot be found becomes a
 * phantom class: loaded, without members, a subclass of Object, and listed. Ids never change; rows may
 * move when tables grow, so do not keep pointers to rows across calls that may add any. */
#ifndef IR_PROGRAM_H
#define IR_PROGRAM_H

#include "base/diag.h"
#include "base/map.h"
#include "ir/body.h"
#include "ir/ids.h"

enum class_kind {
	CLASS_FILE,          /* from a class file */
	CLASS_ARRAY,
	CLASS_PRIMITIVE,     /* int, void, ...: only as element or constant */
	CLASS_SYNTHETIC,     /* made by sherd: lambdas, method references */
	CLASS_PHANTOM,       /* referred to, but not on the class path, or damaged */
};

enum load_state { LOAD_NAMED, LOAD_BUSY, LOAD_DONE };

/* Why the JVM would refuse to link a class. The offending link is cut, so that a class has finitely many superclasses,
 * which are always classes, and interfaces are always interfaces (or phantoms). */
enum link_error { LINK_OK, LINK_CYCLE, LINK_SUPER_INTERFACE, LINK_SUPER_FINAL, LINK_NOT_INTERFACE, LINK_TOO_DEEP };

/* Superclasses that a class may have: tables of supertypes are quadratic in it, and JVMs overflow their stack on
 * some thousands. Real programs stay below fifty. */
#define MAX_SUPERCLASSES 1000

struct ir_class {
	str_id name;                  /* internal form: java/lang/Object; arrays [I, [Ljava/lang/String; */
	class_id super;               /* none: Object only (interfaces and arrays have Object) */
	class_id element;             /* arrays: the component type */
	class_id outer;               /* the class it was lexically declared in (InnerClasses, EnclosingMethod), or the
				       * lambda's class */
	class_id nest_host;           /* itself when it is its own host */
	class_id *interfaces;
	uint32_t ninterfaces;
	uint32_t first_method, nmethods;   /* method ids first .. first + n - 1, in class-file order */
	uint32_t first_field, nfields;
	uint32_t artifact;            /* index in program.artifacts; 0: none */
	uint32_t entry;               /* entry of that artifact */
	uint16_t flags;               /* ACC_*, as in the class file */
	uint8_t kind, state;
	uint8_t is_sealed;            /* has PermittedSubclasses */
	uint8_t is_record;
	uint8_t is_generic;           /* it has type parameters */
	uint16_t inner_flags;         /* ACC_* of a member of another class, as its source has them; 0: it is none */
	uint8_t is_referred;          /* a class file names it, or is it: not only a model does */
	uint8_t link_error;           /* enum link_error */
	uint8_t is_unseen;            /* stands for code that nobody has seen: what that does by name is not known */
	uint32_t depth;               /* how many superclasses it has */
};

struct ir_method {
	class_id owner;
	sel_id sel;
	uint16_t flags;
	uint16_t index;               /* in the class file's method table */
};

struct ir_field {
	class_id owner;
	sel_id sel;
	uint16_t flags;
};

struct ir_selector {
	str_id name, desc;
	uint16_t nargs;               /* methods: number of parameters, without the receiver */
	uint8_t returns;              /* enum ir_kind */
};

struct ir_mref {
	class_id owner;
	sel_id sel;
	uint8_t is_interface;         /* an InterfaceMethodref */
	/* filled by analysis/hierarchy */
	uint8_t resolution;           /* 0: not tried */
	method_id target;
};

struct ir_fref {
	class_id owner;
	sel_id sel;
	uint8_t resolution;
	field_id target;
};

struct program;
/* How load/ provides what the model asks for. Each may add names and ids to the program. */
struct program_source {
	void *ctx;
	void (*load)(void *ctx, struct program *p, class_id c);
	/* The body of a method in SSA form, or NULL when it has none (abstract, unmodelled native) or is
	 * malformed (diagnosed once). In `mem`. Natives with a model and synthetic methods have bodies. */
	const struct ir_body *(*body)(void *ctx, struct program *p, method_id m, struct arena *mem);
	const struct ir_body *(*outline)(void *ctx, struct program *p, method_id m, struct arena *mem);
	uint32_t (*line)(void *ctx, struct program *p, method_id m, uint32_t pc);   /* 0: unknown */
	/* Names every class of the class path and JDK (program_class), in class path order. */
	void (*name_all)(void *ctx, struct program *p);
	/* The internal name of every class of the class path and JDK, in class path order; some come twice. Names nothing. */
	void (*each_name)(void *ctx, void (*fn)(void *x, struct str name), void *x);
	/* The body of a method of a class that program_make_class made. */
	void (*define)(void *ctx, struct program *p, method_id m, const struct ir_body *b);
	/* Does the loaded class `host` name `c` as a member of its nest? */
	bool (*lists_nest_member)(void *ctx, struct program *p, class_id host, class_id c);
	/* Calls fn for each class that the class path or the JDK names as a provider of a service, whether there is such a class or not.
	 * NULL: there are none. */
	void (*providers)(void *ctx, struct program *p, class_id service, void (*fn)(void *x, class_id provider, bool is_module), void *x);
	/* Calls fn for each class that has this name (internal form), or this one and then '_' and more. NULL: there are none. */
	void (*family)(void *ctx, struct program *p, struct str name, void (*fn)(void *x, class_id c), void *x);
	/* The bytes of the one file of this name on the class path, which live as long as the program; false: there is none, or several.
	 * NULL: there are none. */
	bool (*resource)(void *ctx, struct program *p, struct str name, struct span *out);
	/* The generic signature of a method, or of the class where m is none, as class files have it; empty: it has none.
	 * NULL: nothing has one. */
	struct str (*signature)(void *ctx, struct program *p, class_id c, method_id m);
};

struct program {
	struct arena mem;             /* lives as long as the program */
	struct interner strings;
	struct diag *diag;
	struct program_source source;
	VEC(struct ir_class) classes;
	VEC(struct ir_method) methods;
	VEC(struct ir_field) fields;
	VEC(struct ir_selector) sels;
	VEC(struct ir_mref) mrefs;
	VEC(struct ir_fref) frefs;
	VEC(const char *) artifacts;  /* paths, for messages; [0] is "" */
	VEC(uint32_t) asked_by;       /* by artifact: the one whose manifest added it to the class path; 0: none. May be shorter */
	VEC(class_id) phantoms;       /* in the order they were missed; see program_prune_phantoms */
	struct map class_by_name, sel_by_key, mref_by_key, fref_by_key;
	struct map member_by_key;     /* (class, selector) -> method id; fields in their own map */
	struct map field_by_key;
	int release;                  /* feature version of the JDK, e.g. 17 */
	bool keeps_slots;             /* bodies say which local variables their values were in; only tests ask */
	class_id object, string, throwable, cloneable, serializable, class_;   /* named at start */
};

void program_init(struct program *p, struct diag *d);
void program_release(struct program *p);

/* Rows. The pointer is valid until a row of that table is added. */
static inline struct ir_class *class_row(const struct program *p, class_id c) { return &p->classes.data[c.i]; }
static inline struct ir_method *method_row(const struct program *p, method_id m) { return &p->methods.data[m.i]; }
static inline struct ir_field *field_row(const struct program *p, field_id f) { return &p->fields.data[f.i]; }
static inline struct ir_selector *sel_row(const struct program *p, sel_id s) { return &p->sels.data[s.i]; }
static inline struct ir_mref *mref_row(const struct program *p, mref_id m) { return &p->mrefs.data[m.i]; }
static inline struct ir_fref *fref_row(const struct program *p, fref_id f) { return &p->frefs.data[f.i]; }

/* Naming: finds or adds. Class names are in internal form; a name that starts with '[' is an array
 * class and a field descriptor (`I`) never is a class name: use program_class_of_desc. */
class_id program_class(struct program *p, struct str name);
class_id program_class_id(struct program *p, str_id name);
class_id program_find_class(const struct program *p, struct str name);        /* 0: never named */
class_id program_class_of_desc(struct program *p, struct str desc);           /* "I", "Lx/Y;", "[I" */
class_id program_array_of(struct program *p, class_id element);
sel_id program_sel(struct program *p, struct str name, struct str desc);
sel_id program_sel_id(struct program *p, str_id name, str_id desc);
mref_id program_mref(struct program *p, class_id owner, sel_id sel, bool is_interface);
fref_id program_fref(struct program *p, class_id owner, sel_id sel);

/* Loads the class and all its ancestors, if that has not happened yet. Afterwards its row is final. */
void program_load(struct program *p, class_id c);

void program_load_all(struct program *p);      /* every class that the source can name */

/* Members declared by a loaded class itself; 0: none. O(1). */
method_id program_declared(const struct program *p, class_id c, sel_id sel);
field_id program_declared_field(const struct program *p, class_id c, sel_id sel);

/* Classes of sherd's own making. Add interfaces and members (all of one class in a row), define the bodies of its methods,
 * then program_load() it. The class extends Object and is public; where there is a class of that name, ' is added to it. */
class_id program_make_class(struct program *p, struct str name);
void program_define(struct program *p, method_id m, const struct ir_body *b);      /* `b` lives as long as the program */

/* For load/: fills in a class; members are added once, in order. */
void program_add_method(struct program *p, class_id c, sel_id sel, uint16_t flags, uint16_t index);
void program_add_field(struct program *p, class_id c, sel_id sel, uint16_t flags);
void program_make_phantom(struct program *p, class_id c);

/* Drops from `phantoms` what only models name (they serve several JDKs, each of which lacks some of it), and sorts
 * the rest by name. */
void program_prune_phantoms(struct program *p);

/* Text. */
static inline struct str class_name(const struct program *p, class_id c)      /* internal form */
{
	return interned(&p->strings, class_row(p, c)->name);
}
static inline struct str sel_name(const struct program *p, sel_id s) { return interned(&p->strings, sel_row(p, s)->name); }
static inline struct str sel_desc(const struct program *p, sel_id s) { return interned(&p->strings, sel_row(p, s)->desc); }
/* The types in a method's descriptor: parameters one after the other, from *at == 0 on; false: no more. */
bool sel_next_param(struct program *p, sel_id s, uint32_t *at, class_id *type);
class_id sel_result(struct program *p, sel_id s);
void print_class(const struct program *p, class_id c, struct strbuf *out);    /* java.util.Map$Entry, int[] */
void print_method(const struct program *p, method_id m, struct strbuf *out);  /* java.util.Map.get(Ljava/lang/Object;)Ljava/lang/Object; */
/* print_order.c: sorts 32-bit ids, of any type, by what is printed of the class or method. */
void print_order_classes(const struct program *p, void *ids, uint32_t n);
void print_order_methods(const struct program *p, void *ids, uint32_t n);
void print_mref(const struct program *p, mref_id m, struct strbuf *out);
struct str package_of(struct str class_name);        /* internal form, without the last '/'; "" */

#endif
