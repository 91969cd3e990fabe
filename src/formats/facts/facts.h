/* SPDX-License-Identifier: Apache-2.0 */
/* facts.h - what users know of a program that its code does not say: which classes and members are used by name, and where.
 * docs/formats/facts.md has the forms of files that are read; they are told apart by what is in them.
 *
 *	struct facts f;
 *	facts_init(&f);
 *	facts_read(&f, "refl.log", bytes, d);              // appends, once a file
 *	for (uint32_t i = 0; i < f.rows.len; i++)
 *		use(&f.rows.data[i]);
 *	facts_release(&f);
 *
 * Names are those of class files in modified UTF-8, with dots between packages: pkg.Outer$Inner, pkg.Cls[]. Descriptors are those of the
 * JVM: (I[Lpkg/Cls;)V; those of constructors end with V. They are syntactically right; that the program has such a class or member is for
 * others to find out. What is empty is "", not NULL. */
#ifndef FORMATS_FACTS_FACTS_H
#define FORMATS_FACTS_FACTS_H

#include "base/diag.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum fact_sort {
#define FACT(sort, word, sentence) FACT_##sort,
#include "formats/facts/sorts.def"
#undef FACT
	FACT_SORTS
};
const char *fact_word(enum fact_sort sort);              /* "invoke" */
const char *fact_sentence(enum fact_sort sort);          /* "the method is invoked by reflection" */

#define FACT_NO_PC UINT32_MAX

/* Where in the program a fact holds. Of a place that is not known every part is empty: it may be anywhere. */
struct fact_place {
	struct str class, name, descriptor;       /* of the calling method; an empty descriptor: any of that name */
	uint32_t line;                            /* 0: any */
	uint32_t pc;                              /* FACT_NO_PC: any */
};

/* What a class and its member must be besides their names; ProGuard alone asks for it. Bits are access flags of class files (JVMS 4.1,
 * 4.5, 4.6): all of `set` but, of public, private and protected, any one of those in `set`; none of `unset`. Names may have wildcards. */
struct fact_filter {
	uint32_t class_set, class_unset;
	uint32_t member_set, member_unset;
	struct str class_annotation;              /* empty: any, and so below */
	struct str super;                         /* a proper superclass or superinterface, at any distance */
	struct str super_annotation;
	struct str member_annotation;
};

struct fact {
	enum fact_sort sort;
	bool is_pattern;             /* class, name and descriptor may have wildcards: use the functions below */
	bool all_public;             /* of any name: only public members, and inherited ones too, as Class.getMethods gives them */
	bool if_used;                /* holds if the program uses the class anyway */
	bool needs_all;              /* holds for classes that have a member for each fact of the same entry */
	uint32_t entry;              /* facts of one entry of a file have the same number, from 1 */
	struct str class;
	struct str name;             /* empty: any */
	struct str descriptor;       /* empty: any; of methods also without the type that is returned: (I) */
	struct str extra;            /* see sorts.def */
	struct str condition;        /* holds if the program uses a class that fact_pattern_matches; empty: always */
	const struct str *interfaces;
	uint32_t ninterfaces;
	uint32_t line;               /* in `file`, from 1: the source of the assumption */
	struct str file;
	struct fact_place at;
	uint64_t count;              /* how often it was seen in a run; 0: not said */
	const struct fact_filter *filter;         /* NULL: nothing is asked */
};

/* Limits, beyond which files and facts are told and left out. */
#define FACTS_MOST_BYTES (64u << 20)         /* of a file */
#define FACTS_MOST_ROWS 1000000u
#define FACTS_MOST_PATTERN 4096u             /* bytes of a name with wildcards */

/* The table. Rows are in the order of the files and of what is in them; they are moved by facts_read, what they point to is not. */
struct facts {
	struct arena text;
	VEC(struct fact) rows;
	uint32_t entries;
};

void facts_init(struct facts *f);
void facts_release(struct facts *f);

enum facts_form {
	FACTS_UNKNOWN,
	FACTS_METADATA,              /* GraalVM: reachability-metadata.json and the files before it */
	FACTS_PROGUARD,              /* rules */
	FACTS_SEEDS,                 /* what -printseeds prints */
	FACTS_TAMIFLEX,              /* refl.log */
	FACTS_RECORD,                /* sherd's own */
};
enum facts_form facts_detect(struct span bytes);

/* Appends the facts of a file; `file` is its name, for messages and as the source of rows. The name counts in one case: entries of
 * jni-config.json and of an old serialization-config.json look like those of reflect-config.json. Entries that are wrong are left out and
 * told, with their line as the offset (E071); so is what cannot be followed (W072). False: the form is not known, or the file breaks off
 * or cannot be read to its end (E070); what was read before that is there. */
bool facts_read(struct facts *f, const char *file, struct span bytes, struct diag *d);
bool facts_read_as(struct facts *f, enum facts_form form, const char *file, struct span bytes, struct diag *d);

/* Does the fact mean this class, member name, or descriptor? An empty column means every one. Wildcards of classes: ? a character and * any
 * characters but dots, ** any characters; `a.*,!b.*,c` is a list, whose first match counts. Of member names: ? and *. In descriptors: the
 * same between L and ;, with slashes; L***; any type, % any primitive one, L...; any number of any types. */
bool fact_matches_class(const struct fact *f, struct str class);
bool fact_matches_name(const struct fact *f, struct str name);
bool fact_matches_descriptor(const struct fact *f, struct str descriptor);
/* The same for a pattern of a filter. */
bool fact_pattern_matches(struct str classes, struct str class);

/* Names as every form can write them: of classes, arrays among them, and of members. */
bool fact_is_class_name(struct str s);
bool fact_is_member_name(struct str s);

/* By everything but the source: where rows compare equal, one of them is enough. */
int fact_compare(const struct fact *a, const struct fact *b);

/* The first type of a descriptor as Java writes it, pkg.Cls[] for [Lpkg/Cls;, is added to `out`; what follows it is returned. The
 * descriptor is that of a row. */
struct str fact_add_java_type(struct strbuf *out, struct str descriptor);

#endif
