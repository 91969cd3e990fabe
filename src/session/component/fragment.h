/* SPDX-License-Identifier: Apache-2.0 */
/* fragment.h - a component made whole: its interface, its placeholders, and what analyses of both require of tests. */
#ifndef SESSION_COMPONENT_FRAGMENT_H
#define SESSION_COMPONENT_FRAGMENT_H

#include "analysis/fragment/requirements.h"
#include "session/component/component.h"

struct fragment_opt {
	const char *component;        /* patterns */
	const char *interface;        /* as in interface_of(); NULL: public, or protected for open clients */
	enum clients clients;         /* auto, where nothing says what they extend: closed */
};

const char *fragment_interface(const struct fragment_opt *o);       /* what is said, or the default */

struct fragment {
	struct hierarchy h;
	struct component component;
	struct java_interface interface;
	struct placeholders placeholders;
	struct strbuf clients;        /* which classes clients have, as plans say it: report/java/clients.h */
};
/* What is said; auto only where the interface, which has been found, says what clients extend, or is that of tests. */
enum clients fragment_clients(const struct fragment_opt *o, const struct fragment *f);

/* Its parts, one after another: each is false, with diagnostics, when there is no such component or interface. Always end with
 * fragment_close. */
void fragment_init(struct fragment *f, struct session *s);
bool fragment_find_component(struct session *s, const struct fragment_opt *o, struct fragment *f);
bool fragment_find_interface(struct session *s, const struct fragment_opt *o, struct fragment *f);
void fragment_add_placeholders(const struct fragment_opt *o, struct fragment *f);
void fragment_close(struct fragment *f);

extern const char *const clients_names[];      /* by enum clients; NULL-terminated */

/* Where analyses of it start: the placeholders. */
void fragment_entries(const struct fragment *f, struct cg_entries *out);

/* What the class hierarchy alone requires, and which sites there are; loads every class. Analyses find lambdas, so it may
 * know more receivers when asked again after one. */
void fragment_hierarchy(struct session *s, struct fragment *f, unsigned criteria, struct requirements *out);
/* What an analysis requires that started from fragment_entries(). */
void fragment_requirements(struct fragment *f, const struct requirements *cha, struct callgraph *g, struct pta *facts,
			   struct requirements *out);

#endif
