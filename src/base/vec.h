/* SPDX-License-Identifier: Apache-2.0 */
/* vec.h - growing arrays on the heap: VEC(int) v = {0}; vec_push(&v, 3); v.data[0]; vec_release(&v); */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#ifdef SHERD_TORTURE
#define VEC_FIRST 1
#else
#define VEC_FIRST 8
#endif

#define VEC(T)                  \
	struct {                \
		T *data;        \
		uint32_t len;   \
		uint32_t cap;   \
	}

void *vec_grow(void *data, uint32_t *cap, uint64_t need, size_t elem);

#define vec_reserve(v, n)                                                                          \
	((uint64_t)(n) > (v)->cap                                                                  \
		 ? (void)((v)->data = vec_grow((v)->data, &(v)->cap, (n), sizeof(*(v)->data)))     \
		 : (void)0)
#define vec_push(v, x) (vec_reserve((v), (uint64_t)(v)->len + 1), (void)((v)->data[(v)->len++] = (x)))
#define vec_pop(v) (assert((v)->len > 0), (v)->data[--(v)->len])
#define vec_last(v) (assert((v)->len > 0), &(v)->data[(v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_release(v) (free((v)->data), (void)((v)->data = NULL, (v)->len = (v)->cap = 0))

#endif
