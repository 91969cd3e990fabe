/* SPDX-License-Identifier: Apache-2.0 */
/* compiler_args.h - the arguments of a C compiler, as far as it matters which sources it compiles into which
 * objects, and how the same sources are compiled into bitcode. What options mean is in compiler_options.def. */
#ifndef CLI_COMPILE_COMPILER_ARGS_H
#define CLI_COMPILE_COMPILER_ARGS_H

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

typedef VEC(const char *) word_list;

enum compiler_mode {
	COMPILER_NO_OBJECT,           /* nothing is compiled into an object: -E, -S, --version, nothing to compile */
	COMPILER_OBJECTS,             /* -c: each source into an object of its own */
	COMPILER_LINK                 /* sources into objects that do not stay, and these into a program or library */
};

enum source_language { SOURCE_C, SOURCE_CXX, SOURCE_ASSEMBLER };

struct compiler_source {
	const char *path;             /* as it was given; "-": standard input */
	const char *selected;         /* the language that -x selected, or NULL */
	enum source_language language;
};

enum compiler_use { USE_KEEP, USE_NEEDED, USE_DROP };

struct compiler_word {
	const char *text;
	enum compiler_use use;        /* by a compilation into bitcode */
};

struct compiler_args {
	struct arena mem;             /* of what response files say */
	VEC(struct compiler_word) words;      /* without the name of the compiler; response files are opened */
	VEC(struct compiler_source) sources;  /* of C, C++ and assembler; none for COMPILER_NO_OBJECT */
	enum compiler_mode mode;
	const char *output;           /* of -o; NULL: not given */
	uint32_t objects;             /* how many inputs are no sources */
	bool links_lto;               /* objects are linked with optimization, and lose their notes */
	uint32_t depth;               /* of response files that are open */
};

/* Understands argv[0..n); the words are borrowed. Response files (@FILE) are looked for from `directory`, NULL: the
 * working directory; one that cannot be read is a word like others, as compilers see it. */
void compiler_args_read(struct compiler_args *a, const char *const *argv, uint32_t n, const char *directory);
void compiler_args_release(struct compiler_args *a);

bool compiler_args_is_cxx(const struct compiler_args *a);     /* is a source in C++? */
/* Is this the trial of a configure script, or of CMake or Meson, run in `directory`? Nobody wants bitcode of these. */
bool compiler_args_is_trial(const struct compiler_args *a, const char *directory);

/* What the compiler writes for a source, and where its bitcode belongs: of objects "x.o.bc"; of a source "a.c" that
 * is linked at once into "prog", "prog-a.c.bc", and "prog-a.c-2.bc" for a second source of this name. Appended to
 * `out`. */
void compiler_object(const struct compiler_args *a, uint32_t source, struct strbuf *out);
void compiler_bitcode(const struct compiler_args *a, uint32_t source, struct strbuf *out);

/* Appends to `out` the arguments with which clang compiles a source into the file `to`; `is_plain` leaves out what
 * is not needed, for commands of other compilers. The words live as long as `a`. */
void compiler_bitcode_words(const struct compiler_args *a, uint32_t source, const char *to, bool is_plain, word_list *out);

/* Splits a command of a shell, without anything but quotes in it, or the text of a response file, where a backslash
 * counts in single quotes, too. The words are in `mem`. */
void compiler_split(struct str text, bool is_shell, struct arena *mem, word_list *out);

#endif
