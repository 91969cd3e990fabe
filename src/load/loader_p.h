/* SPDX-License-Identifier: Apache-2.0 */
/* loader_p.h - what the files of load/ share behind loader.h. */
#ifndef LOAD_LOADER_P_H
#define LOAD_LOADER_P_H

#include "load/cache.h"
#include "load/classpath.h"
#include "load/lower/indy.h"
#include "load/loader.h"

struct provider {
	class_id is;
	uint32_t before;                   /* 1 + row of another one of the same service; 0: none */
};

struct family_member {
	str_id name;
	uint32_t before;                   /* as of providers */
};

struct loader {
	struct program *program;
	struct classpath path;
	VEC(struct unit *) units;          /* by class id; NULL: no class file, or none was needed yet */
	VEC(struct cache *) caches;        /* by artifact; NULL: none. Only artifacts of the JDK have one */
	unsigned workers;                  /* threads to use */
	struct ahead *ahead;               /* class files parsed ahead; NULL: none */
	struct arena scratch;              /* cleared for every body */
	VEC(const struct ir_body *) bodies;  /* made by sherd: models and synthetic methods; [0] is NULL */
	struct map body_of;                /* method id -> bodies */
	struct map model_of;               /* (class, selector) -> bodies: models, waiting for their class */
	VEC(struct indy) indys;            /* answers given by indy_of */
	struct map indy_at;                /* (class, method index and pc, or constant) -> indys + 1 */
	struct map lambda_of;              /* synthetic class of a lambda -> indys + 1 */
	VEC(struct provider) providers;    /* of modules */
	struct map last_provider;          /* service -> 1 + row of `providers` */
	bool knows_modules;                /* they were read */
	VEC(struct family_member) family;
	struct map last_of_family;         /* name up to '_' -> 1 + row of `family` */
	bool knows_families;
	uint32_t static_args;              /* of bootstraps with many, turned into statements so far */
};

/* prefetch.c: parses every class file that no cache has, on all workers. */
void prefetch_all(struct loader *l);
struct unit *prefetched(struct loader *l, struct class_location at);       /* NULL: read it now */
void prefetch_release(struct loader *l);

/* services.c: program_source.providers. */
bool resource_read(void *ctx, struct program *p, struct str name, struct span *out);
void services_list(void *ctx, struct program *p, class_id service, void (*fn)(void *x, class_id provider, bool is_module), void *x);

/* families.c: program_source.family. */
void families_list(void *ctx, struct program *p, struct str name, void (*fn)(void *x, class_id c), void *x);

/* models.c: reads the models that are built into the program. */
void models_read(struct loader *l);
/* Gives the methods of a newly loaded class their models. */
void models_apply(struct loader *l, class_id c);

/* The body of a model or of a synthetic method; it stays where it is. */
void loader_set_body(struct loader *l, method_id m, const struct ir_body *b);
struct loader *loader_of(struct program *p);

#endif
