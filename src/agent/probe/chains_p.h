/* SPDX-License-Identifier: Apache-2.0 */
/* chains_p.h - tables of chains, and how native methods of SherdProbe that are about them are answered. */
#ifndef AGENT_PROBE_CHAINS_P_H
#define AGENT_PROBE_CHAINS_P_H

#include "agent/agent_p.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/probe/cells.h"
#include "agent/probe/chain_class.h"
#include "agent/probe/chains.h"
#include "agent/probe/types.h"
#include "base/map.h"

#define NONE UINT32_MAX
enum { LEVELS = CHAIN_LEVELS + 1, FIRST_SAVED = 64, FIRST_PLACES = 1 << 12, MOST_SAVED = 1 << 20 };

struct node {
	uint32_t parent;              /* NONE: an entry */
	uint32_t depth;               /* calls from its entry */
	uint32_t body;
};

struct counted {
	uint32_t node;                /* NONE: its count does not matter */
	uint64_t logged;              /* of n: what the file has */
};

struct chains_table {
	struct {
		jfieldID k, w, n, seen, site, next, kids, id, out, to, code, up, first, method, level, call, type, root;
	} probe;
	struct {
		jfieldID next, saved, constructors;
	} thread;
	jfieldID all_places;
	jobjectArray places, marks;   /* global references: as of SherdProbe */
	jsize cap;                    /* of places */
	VEC(struct counted) counted;  /* by place */
	VEC(uint32_t) callers;        /* nodes that only callers count */
	jobjectArray limited[LEVELS]; /* by body: nodes that no chain is long enough for */
	VEC(struct node) nodes;
	struct map by_key;            /* digest of parent, call, type, body, or level and body -> node + 1 */
	struct map targets;           /* (call, type) -> 1 + what target_body() found, which may be NONE */
	uint32_t *codes;              /* by class of the plan: its row in the data + 1 */
	uint32_t ncodes;
	bool *silent;                 /* by body: it could not be given probes */
	uint8_t *modes;               /* by call, of target_of() */
};
extern struct chains_table chains;

static inline const struct plan_chains *chain_plan(void)
{
	return &agent.plan.chains;
}

static inline jint chain_int(JNIEnv *jni, jobject o, jfieldID f)
{
	return (*jni)->GetIntField(jni, o, f);
}

/* What is next when a place is announced: what tells it, the level outside it, its number. */
static inline jlong chain_code(jint upper, jint out, jint id)
{
	return (jlong)((uint64_t)(uint32_t)upper << 32 | (uint32_t)out << CHAIN_ID_BITS | (uint32_t)id);
}

jobject chain_place(JNIEnv *jni, jint id);              /* a local reference to the node with this number */
jobjectArray chain_array(JNIEnv *jni, uint32_t n);      /* of SherdProbe; NULL when memory is exhausted */
/* The body of the plan that a class declares; NONE: there is none. */
uint32_t chain_body_in(jclass c, struct str name, struct str desc);

/* What a native method was asked. Local references go with its frame. */
struct question {
	JNIEnv *jni;
	jobject a, b;
	uint32_t number;
	jobject answer;
};
/* NULL unless `fn` sets an answer: also when it has no memory, or the agent is closed. */
jobject chain_ask(void (*fn)(void *), struct question q);

/* threads.c */
bool chain_is_caller(JNIEnv *jni, jclass c);            /* did code of the class call the method that is being entered? */
jboolean JNICALL chain_grow(JNIEnv *jni, jclass helper, jobject t);
jobject JNICALL chain_settle(JNIEnv *jni, jclass helper, jobject t, jobject out);

/* chain_counts.c: finds the methods of SherdProbe that it calls */
bool chain_counts_init(JNIEnv *jni);

#endif
