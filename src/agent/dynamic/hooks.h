/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.h - the few methods of the JDK that all dynamic features go through, and the code that is inserted there: it hands what
 * is about to happen, or has happened, to SherdProbe.note(). Proxy classes get it before they call their handlers. */
#ifndef AGENT_DYNAMIC_HOOKS_H
#define AGENT_DYNAMIC_HOOKS_H

#include "rewrite/rewrite.h"

/* What a note is about, and its objects. */
enum note {
	NOTE_NAME,            /* a String that names a class or member */
	NOTE_LOADER_NAME,     /* the same, of ClassLoader.loadClass: the JVM calls it, too */
	NOTE_LOAD,            /* a Class that was found */
	NOTE_LOADER_LOAD,     /* the same, of ClassLoader.loadClass */
	NOTE_CONSTRUCT,       /* a Constructor that will run */
	NOTE_INVOKE,          /* a Method that will run, and its receiver */
	NOTE_GET, NOTE_SET,   /* a Field */
	NOTE_PROXY,           /* a proxy that was made */
	NOTE_PROXY_CALL,      /* an InvocationHandler that will run */
	NOTE_HANDLE,          /* the MemberName of a handle that was made */
	NOTE_SERVICE,         /* an object that a service loader gives, and its ServiceLoader.Provider */
	NOTE_DESERIALIZE,     /* an object that was made by deserialization */
	NOTES,
};

bool hooks_is_hooked(struct str internal_class);
/* The insertions of a method, by pc, at most HOOKS_MOST(bytes of its code) of them; returns how many. */
#define HOOKS_MOST(len) (2 * (len) + 2)
uint32_t hooks_edit(const struct classfile *cf, const struct cf_member *m, struct pool *pool, struct arena *mem,
		    struct insertion *out);
/* Says, once all methods of a class were edited, which hooks found no place: what they would note is not recorded. */
void hooks_tell_missing(struct str internal_class);

#endif
