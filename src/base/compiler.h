/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.h - the only place that knows compiler extensions. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define ATTR_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ATTR_NORETURN __attribute__((noreturn))
#define ATTR_UNUSED __attribute__((unused))
#define ATTR_DEFAULT __attribute__((weak, visibility("default")))       /* others see it, and may have their own */
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Does AddressSanitizer watch? It ends the process by itself, with a status of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* A bug of ours: says where and aborts. Never used for bad input. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...) ATTR_PRINTF(3, 4) ATTR_NORETURN;

#endif
