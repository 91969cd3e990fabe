#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cgenerate - C programs for the laws of pointers: a library and clients, made of what pointers can do in C.
Usage: cgenerate.py DIR CLIENTS SEED...      writes DIR/SEED/lib.h, lib.c, client1.c .. clientCLIENTS.c
A seed 7x3 has three libraries, lib.c, lib2.c, lib3.c: each uses what those before it export, and the first calls the last one back.

A program is lib.c, and what else there is of libraries, with any one client. It ends, and does nothing undefined: pointers that outlive a call point to globals and to memory
that is never freed; pointers to locals are only passed down. Every call costs fuel, and without fuel functions
return at once. Program 0 is the same for everybody: its client does each thing of which placeholders have a kind of
statement, and nothing else gives the library the same."""
import random
import sys
from pathlib import Path

HEADER = """#ifndef LIB_H
#define LIB_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node;
typedef struct node *(*node_fn)(struct node *n, int *p);
typedef void *(*any_fn)(void *x, long k);
struct inner { int *a[3]; struct node *n; };
union mixed { int *ip; struct node *n; long words[2]; void *any; };
struct node {
	struct node *next;
	int *ip;
	int v;
	unsigned low : 3, high : 5;
	int **where;
	struct inner in[2];
	union mixed u;
	node_fn fn;
};
struct pair { int *first; struct node *second; };
struct wide { int *ip; struct node *n; node_fn fn; void *any; long k; };
struct frame { struct frame *up; int **slot; int *ip; };          /* of locals: only passed down */
struct base { any_fn fn; int *ip; };
struct derived { struct base b; struct node *n; int *extra[2]; };
struct row { int n; int *items[]; };
struct command { const char *name; node_fn fn; int **where; };
struct list { struct list *next, *previous; };
struct three { int *a, *b, *c; };
struct item { int *ip; struct list at; struct node *n; };
typedef int *(*list_fn)(int n, va_list ap);
extern void *(*hook)(size_t);                                     /* the library's, for memory: clients may have another */
struct node *hooked(int *p);
int *relay(list_fn f, int n, ...);
int *named(int *p);                                               /* the client's */
#define CONTAINER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
"""

NODE = "{{ {next}, {ip}, {v}, 1, 2, {where}, {{ {{ {{ {a}, {a}, {a} }}, {next} }}, {{ {{ {a}, {a}, {a} }}, {next} }} }}, {{ {u} }}, {fn} }}"

NODE_FNS, ANY_FNS, OUT_FNS, VAR_FNS, DEEP_FNS = "node", "any", "out", "var", "deep"
SIGNATURES = {
    NODE_FNS: "struct node *{}(struct node *n, int *p)",
    ANY_FNS: "void *{}(void *x, long k)",
    OUT_FNS: "void {}(int **out, struct node *n)",
    VAR_FNS: "int *{}(int n, ...)",
    DEEP_FNS: "int *{}(struct frame *up, int k)",
}


class Module:
    """A module under construction; `known` is what else may be named: the library's exports, for a client."""

    def __init__(self, rng, prefix, known=None):
        self.rng, self.prefix, self.known = rng, prefix, known
        self.ints, self.ips, self.arrays, self.nodes, self.slots, self.tables = [], [], [], [], [], []
        self.fns = {kind: [] for kind in SIGNATURES}
        self.exports, self.out, self.counter = [], [], 0

    def all(self, what):
        own = getattr(self, what)
        return own + (getattr(self.known, what) if self.known else [])

    def functions(self, kind):
        return self.fns[kind] + (self.known.exported_fns(kind) if self.known else [])

    def exported_fns(self, kind):
        return [f for f in self.fns[kind] if f in self.exports]

    def one(self, items):
        return self.rng.choice(items)

    def chance(self, share):
        return self.rng.random() < share

    def static(self, name):
        """Half of all names are the module's own."""
        if self.chance(0.5):
            return "static "
        self.exports.append(name)
        return ""

    def fresh(self, stem):
        self.counter += 1
        return f"{self.prefix}{stem}{self.counter}"

    # Globals

    def globals(self):
        r, names = self.rng, {}
        for stem, n in ("int", 3), ("arr", 1), ("ip", 3), ("node", 4), ("slot", 2):
            names[stem] = [self.fresh(stem) for _ in range(n)]
        for name in names["int"]:
            self.out.append(f"{self.static(name)}int {name} = {r.randrange(9)};")
        for name in names["arr"]:
            self.out.append(f"{self.static(name)}int {name}[8];")
        self.ints += names["int"] + [f"{a}[{k}]" for a in names["arr"] for k in (0, 3)]
        for name in names["ip"]:
            self.out.append(f"{self.static(name)}int *{name} = &{self.one(self.ints)};")
        self.ips += names["ip"]
        name = self.fresh("table")
        self.out.append(f"{self.static(name)}int *{name}[4] = {{ {', '.join('&' + self.one(self.ints) for _ in range(4))} }};")
        self.arrays.append(name)
        for kind, n in (NODE_FNS, 4), (ANY_FNS, 3), (OUT_FNS, 2), (VAR_FNS, 1), (DEEP_FNS, 2):
            self.fns[kind] = [self.fresh(kind) for _ in range(n)]
            for f in self.fns[kind]:
                self.out.append(f"{self.static(f)}{SIGNATURES[kind].format(f)};")
        linkage = {name: self.static(name) for name in names["node"]}
        for name in names["node"]:
            self.out.append(f"{linkage[name]}struct node {name};")
        self.nodes += names["node"]
        for name in names["node"]:
            self.out.append(f"{linkage[name]}struct node {name} = " + NODE.format(
                next="&" + self.one(names["node"]), ip="&" + self.one(self.ints), v=r.randrange(9), where="&" + self.one(names["ip"]),
                a="&" + self.one(self.ints), u="&" + self.one(self.ints), fn=self.one(self.fns[NODE_FNS])) + ";")
        for name in names["slot"]:
            self.out.append(f"{self.static(name)}struct node *{name} = &{self.one(names['node'])};")
        self.slots += names["slot"]
        name = self.fresh("fns")
        chosen = [self.one(self.fns[NODE_FNS]) for _ in range(3)]
        self.out.append(f"{self.static(name)}node_fn {name}[3] = {{ {', '.join(chosen)} }};")
        self.tables.append(name)
        self.out.append(f"static struct derived {self.prefix}object = {{ {{ {self.fns[ANY_FNS][0]}, &{self.one(self.ints)} }}, "
                        f"&{self.one(names['node'])}, {{ &{self.one(self.ints)}, &{self.one(self.ints)} }} }};")
        pre = self.prefix
        self.out.append(f"static struct list {pre}head = {{ &{pre}head, &{pre}head }};\nstatic __thread int *{pre}local;")
        rows = ", ".join(f'{{ "{name}", {self.one(self.fns[NODE_FNS])}, &{self.one(names["ip"])} }}' for name in ("one", "two"))
        self.out.append(f"static const struct command {pre}commands[] = {{ {rows} }};")
        self.out.append(f"static struct row *{self.prefix}row;\nstatic jmp_buf {self.prefix}jump;")

    # Expressions: what they read is never null

    def ip(self, depth=0):
        """An int * that lives for ever."""
        choices = [lambda: "&" + self.one(self.all("ints")), lambda: self.one(self.all("ips")), lambda: "p", lambda: "q",
                   lambda: f"{self.one(self.all('arrays'))}[{self.rng.randrange(4)}]", lambda: f"&({self.node(depth)})->v"]
        if depth < 2:
            choices += [lambda: f"({self.node(depth + 1)})->ip", lambda: f"*({self.node(depth + 1)})->where",
                        lambda: f"({self.node(depth + 1)})->in[{self.rng.randrange(2)}].a[{self.rng.randrange(3)}]",
                        lambda: f"(p != q ? {self.ip(depth + 1)} : {self.ip(depth + 1)})",
                        lambda: f"(int *)(intptr_t)({self.ip(depth + 1)})",
                        lambda: f"{self.prefix}same({self.ip(depth + 1)})",
                        lambda: f"{self.prefix}object.extra[fuel & 1]"]
        return self.one(choices)()

    def node(self, depth=0):
        """A struct node * that lives for ever."""
        choices = [lambda: "&" + self.one(self.all("nodes")), lambda: self.one(self.all("slots")), lambda: "n", lambda: "m"]
        if depth < 2:
            choices += [lambda: f"({self.node(depth + 1)})->next", lambda: f"({self.node(depth + 1)})->in[1].n",
                        lambda: f"CONTAINER(&({self.node(depth + 1)})->in[1], struct node, in[1])",
                        lambda: f"{self.prefix}object.n", lambda: f"{self.prefix}make({self.ip(depth + 1)})"]
        return self.one(choices)()

    def any(self):
        return self.one([self.ip, self.node])()

    # Statements; n, m are nodes, p, q ints, x anything, w a wide, i an int, d a pair

    def statement(self):
        return self.one(self.STATEMENTS)(self)

    def assign(self):
        return self.one([f"p = {self.ip()};", f"q = {self.ip()};", f"n = {self.node()};", f"m = {self.node()};", f"x = {self.any()};",
                         f"*p = {self.rng.randrange(99)};", f"{self.one(self.all('ips'))} = {self.ip()};",
                         f"{self.one(self.all('slots'))} = {self.node()};"])

    def field(self):
        n = f"({self.node(1)})"
        return self.one([f"{n}->ip = {self.ip()};", f"{n}->next = {self.node()};", f"{n}->v = *q;", f"*{n}->where = {self.ip()};",
                         f"{n}->where = &{self.one(self.all('ips'))};", f"{n}->in[i & 1].a[i % 3] = {self.ip()};",
                         f"{n}->in[0].n = {self.node()};", f"{n}->high = 3;", f"{n}->where = &({self.node(1)})->ip;",
                         f"{n}->fn = {self.one(self.functions(NODE_FNS))};", f"{n}->in[1] = ({self.node(1)})->in[0];"])

    def array(self):
        a = self.one(self.all("arrays"))
        return self.one([f"for (i = 0; i < 4; i++)\n\t\t{a}[i] = {self.ip()};", f"p = {a}[fuel & 3];",
                         f"{{ int **e = {a} + (fuel & 1); *++e = {self.ip()}; q = e[-1]; }}",
                         f"{{ int *two[2][2] = {{ {{ p, q }}, {{ q, p }} }}; two[fuel & 1][1] = {self.ip()}; p = two[1][fuel & 1]; }}",
                         f"memmove({a}, {self.one(self.all('arrays'))} + 1, 2 * sizeof *{a});"])

    def structs(self):
        return self.one([f"*({self.node(1)}) = *({self.node(1)});", f"memmove({self.node(1)}, {self.node(1)}, sizeof *n);",
                         f"{{ struct node copy = *({self.node(1)}); copy.ip = {self.ip()}; p = copy.ip; *({self.node(1)}) = copy; }}",
                         f"d = {self.prefix}pair({self.ip()}, {self.node()}); p = d.first; n = d.second;",
                         f"w = (struct wide){{ {self.ip()}, {self.node()}, {self.one(self.functions(NODE_FNS))}, p, 3 }}; "
                         f"w = {self.prefix}wide(w); q = w.ip; m = w.n;",
                         f"memset(&w, 0, sizeof w); w.ip = {self.ip()}; w.n = m; p = w.ip;"])

    def mixed(self):
        n = f"({self.node(1)})"
        return self.one([f"{n}->u.ip = {self.ip()}; x = {n}->u.any;", f"{n}->u.n = {self.node()}; x = (void *){n}->u.words[0];",
                         f"{{ union mixed u; u.ip = {self.ip()}; {n}->u = u; x = u.any; }}",
                         f"{{ union mixed u; u.words[0] = (long){self.ip()}; p = u.ip; }}",
                         f"{{ void **v = (void **)&{n}->ip; x = *v; *v = {self.ip()}; }}",
                         f"{{ uintptr_t bits = (uintptr_t){self.ip()}; bits |= 1; bits &= ~(uintptr_t)1; p = (int *)bits; }}",
                         f"{{ long far = (char *){n} - (char *)0; m = (struct node *)((char *)0 + far); }}",
                         f"{{ char bytes[sizeof p]; memcpy(bytes, &q, sizeof q); memcpy(&p, bytes, sizeof p); }}",
                         f"{{ struct base *b = &{self.prefix}object.b; b->ip = {self.ip()}; ((struct derived *)b)->extra[0] = b->ip; "
                         f"x = b->fn(x, fuel & 7); }}"])

    def call(self):
        args = f"({self.node()}, {self.ip()})"
        return self.one([f"n = {self.one(self.functions(NODE_FNS))}{args};", f"m = {self.one(self.all('tables'))}[fuel % 3]{args};",
                         f"n = ({self.node(1)})->fn{args};", f"x = {self.one(self.functions(ANY_FNS))}({self.any()}, fuel & 3);",
                         f"{self.one(self.functions(OUT_FNS))}(&p, {self.node()});",
                         f"{self.one(self.functions(OUT_FNS))}(&({self.node(1)})->ip, {self.node()});",
                         f"{self.one(self.functions(OUT_FNS))}(&{self.one(self.all('ips'))}, {self.node()});",
                         f"p = {self.one(self.functions(VAR_FNS))}(2, {self.ip()}, {self.node()}, {self.ip()}, {self.node()});",
                         f"{{ struct frame f = {{ 0, &q, {self.ip()} }}; p = {self.one(self.functions(DEEP_FNS))}(&f, 3); q = f.ip; }}",
                         f"{self.one(self.all('tables'))}[fuel % 3] = {self.one(self.functions(NODE_FNS))};"])

    def heap(self):
        row = self.prefix + "row"
        return self.one([f"n = {self.prefix}make({self.ip()});", f"n = {self.prefix}make({self.ip()}); n->next = m; m = n;",
                         f"{{ int **cell = malloc(sizeof *cell); *cell = {self.ip()}; ({self.node(1)})->where = cell; q = *cell; }}",
                         f"{{ int *fresh = calloc(4, sizeof *fresh); fresh[2] = 7; p = fresh + (fuel & 3); }}",
                         f"{row} = {self.prefix}longer({row}, {self.ip()}); q = {row}->items[{row}->n - 1];",
                         f"{{ char *text = strdup(\"{self.fresh('text')}\"), *at = strchr(text, 't'); x = at ? at : text; }}",
                         f"for (i = 0, m = {self.node()}; i < 5; i++)\n\t\tm = m->next;"])

    def other(self):
        return self.one([f"{{ static int *kept; if (kept) p = kept; kept = {self.ip()}; }}",
                         f"{{ struct node *order[3] = {{ {self.node()}, {self.node()}, n }}; "
                         f"qsort(order, 3, sizeof *order, {self.prefix}compare); n = order[1]; }}",
                         f"switch (fuel & 3) {{ case 0: p = {self.ip()}; break; case 1: x = p; break; default: q = p; }}",
                         f"if (fuel & 1)\n\t\t{self.assign()}\n\telse\n\t\t{self.field()}",
                         f"{{ node_fn f = fuel & 1 ? {self.one(self.functions(NODE_FNS))} : n->fn; n = f(n, {self.ip()}); }}",
                         f"if (!setjmp({self.prefix}jump))\n\t\t{self.prefix}leap(&({self.node(1)})->ip, {self.ip()});"])

    def copies(self):
        n, a = f"({self.node(1)})", self.one(self.all("arrays"))
        return self.one([f"memcpy({n}->in[0].a, {a}, sizeof {n}->in[0].a);", f"memcpy({a}, &{n}->in[1], 3 * sizeof *{a});",
                         "{ char *from = (char *)&q, *to = (char *)&p; unsigned k; for (k = 0; k < sizeof p; k++) *to++ = *from++; x = p; }",
                         f"{{ void *words[2] = {{ {self.ip()}, {self.node()} }}; memcpy(&d, words, sizeof d); p = d.first; n = d.second; }}",
                         f"{{ struct pair two[2] = {{ {{ {self.ip()}, m }}, {{ q, {self.node()} }} }}; two[0] = two[fuel & 1]; d = two[0]; q = d.first; }}",
                         f"{{ struct wide many[3]; memset(many, 0, sizeof many); many[1].ip = {self.ip()}; many[1].n = {self.node()}; "
                         "many[fuel % 3] = many[1]; w = many[1]; p = w.ip; m = w.n; }",
                         f"{{ int *array[fuel % 3 + 1]; array[0] = {self.ip()}; p = array[0]; }}",
                         f"{{ int **room = __builtin_alloca(2 * sizeof *room); room[1] = {self.ip()}; q = room[1]; }}",
                         f"{{ __typeof__({n}->in) both; memcpy(both, {n}->in, sizeof both); both[1].a[2] = {self.ip()}; "
                         f"memcpy({n}->in, both, sizeof both); }}"])

    def across(self):
        """Accesses that do not keep to what was declared."""
        pre = self.prefix
        return self.one([f"{{ struct three t = {{ p, q, p }}; int **cells = (int **)&t; cells[fuel % 3] = {self.ip()}; p = t.b; }}",
                         f"{{ struct three t = {{ q, q, p }}; {pre}each(&t, &t + 1, {self.ip()}); q = t.b; }}",
                         f"{{ struct three *head = malloc(sizeof *head + 2 * sizeof p); int **tail = (int **)(head + 1); head->a = p; "
                         f"tail[0] = q; tail[1] = {self.ip()}; p = tail[fuel & 1]; q = head->a; }}",
                         f"{{ struct three from[2] = {{ {{ p, q, {self.ip()} }}, {{ {self.ip()}, p, q }} }}, to[2]; memset(to, 0, sizeof to); "
                         "memcpy(&to[0].b, &from[0].b, 3 * sizeof p); p = to[1].a; q = to[0].c; }",
                         f"{{ struct three many[2] = {{ {{ p, q, q }}, {{ q, q, p }} }}, *one = many + 1; one[-1].c = {self.ip()}; "
                         "p = many[0].c; q = (one - (fuel & 1))->b; }"])

    def lists(self):
        pre = self.prefix
        return self.one([f"{pre}link({self.ip()}, {self.node()});", f"{{ struct item *first = {pre}first(); p = first->ip; n = first->n; }}",
                         f"{{ struct list *l; for (l = {pre}head.next, i = 0; l != &{pre}head && i < 4; l = l->next, i++)\n\t\t\t"
                         f"CONTAINER(l, struct item, at)->ip = {self.ip()}; }}"])

    def odd(self):
        pre, n = self.prefix, f"({self.node(1)})"
        return self.one([f"{{ const struct command *c = {pre}find(fuel & 1 ? \"one\" : \"two\"); n = c->fn(n, *c->where); }}",
                         f"p = {pre}chosen(fuel & 1)(n, {self.ip()})->ip;",
                         f"p = {pre}spread(2, {self.ip()}, {self.ip()});",
                         "__asm__(\"\" : \"+r\"(p));",
                         f"{{ __label__ here, there; static void *const labels[] = {{ &&here, &&there }}; goto *labels[fuel & 1]; here: p = {self.ip()}; there: q = p; }}",
                         f"{{ int *old = __atomic_exchange_n(&{self.one(self.all('ips'))}, {self.ip()}, __ATOMIC_SEQ_CST); q = old; }}",
                         f"{{ struct node *swapped = {self.one(self.all('slots'))}; __atomic_compare_exchange_n(&{self.one(self.all('slots'))}, "
                         f"&swapped, {self.node()}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); n = swapped; }}",
                         f"{{ struct node *sorted[3] = {{ {self.node()}, n, m }}, **found; found = bsearch(&n, sorted, 3, sizeof *sorted, {pre}equal); "
                         "if (found) m = *found; }",
                         f"{{ void *aligned; if (!posix_memalign(&aligned, 32, sizeof(int *))) {{ *(int **)aligned = {self.ip()}; {n}->where = aligned; }} }}",
                         f"{{ char text[16], *end; strcpy(text, \"12 x\"); {n}->v = (int)strtol(text, &end, 10); x = strdup(end); }}",
                         f"{pre}local = {self.ip()}; p = {pre}local;",
                         f"hook = {pre}{self.one(['memory', 'pooled'])}; n = hooked({self.ip()});",
                         f"m = hooked({self.ip()}); m->next = n;",
                         f"p = relay({pre}last_of, 2, {self.ip()}, {self.ip()});",
                         f"{{ int *(*get)(int, ...) = {self.one(self.functions(VAR_FNS))}; p = get(1, {self.ip()}, {self.node()}); }}"])

    STATEMENTS = [assign] * 3 + [field] * 4 + [array] * 2 + [structs] * 2 + [mixed] * 2 + [call] * 4 + [heap] * 3 + [other] * 2 + [copies] * 3 + [across] * 2 + [lists] + [odd] * 3

    # Functions

    def helpers(self):
        pre = self.prefix
        node = self.one(self.nodes)
        self.out.append(f"""static int *{pre}same(int *p) {{ return p; }}
static void *{pre}memory(size_t n)
{{
	void *fresh = malloc(n);
	if (!fresh)
		abort();
	return fresh;
}}
static void *{pre}pooled(size_t n)
{{
	static struct node pool[8];
	static unsigned k;
	return n > sizeof *pool ? {pre}memory(n) : &pool[k++ & 7];
}}
static struct node *{pre}make(int *p)
{{
	struct node *fresh = {pre}memory(sizeof *fresh);
	memcpy(fresh, &{node}, sizeof *fresh);
	fresh->ip = p;
	return fresh;
}}
static struct row *{pre}longer(struct row *old, int *p)
{{
	int n = old && old->n < 6 ? old->n : 0;
	struct row *fresh = realloc(n ? old : NULL, sizeof *fresh + (size_t)(n + 1) * sizeof *fresh->items);
	if (!fresh)
		abort();
	fresh->items[n] = p;
	fresh->n = n + 1;
	return fresh;
}}
static struct pair {pre}pair(int *p, struct node *n)
{{
	struct pair d;
	d.first = p;
	d.second = n;
	return d;
}}
static struct wide {pre}wide(struct wide w)
{{
	struct wide other = w;
	other.n = w.n->next;
	w.any = other.n;
	return other;
}}
static int {pre}compare(const void *a, const void *b)
{{
	struct node *const *x = a, *const *y = b;
	(*x)->v++;
	return ((*x)->v > (*y)->v) - ((*x)->v < (*y)->v);
}}
static void {pre}each(struct three *from, struct three *end, int *p)
{{
	while (end > from) {{
		end--;
		end->b = p;
	}}
}}
static int {pre}equal(const void *a, const void *b)
{{
	return *(struct node *const *)a != *(struct node *const *)b;
}}
static void {pre}link(int *p, struct node *n)
{{
	struct item *fresh = calloc(1, sizeof *fresh);
	if (!fresh)
		abort();
	fresh->ip = p;
	fresh->n = n;
	fresh->at.next = {pre}head.next;
	fresh->at.previous = &{pre}head;
	{pre}head.next->previous = &fresh->at;
	{pre}head.next = &fresh->at;
}}
static struct item *{pre}first(void)
{{
	if ({pre}head.next == &{pre}head)
		{pre}link({self.one(self.ips)}, {self.one(self.slots)});
	return CONTAINER({pre}head.previous, struct item, at);
}}
static const struct command *{pre}find(const char *name)
{{
	const struct command *c = {pre}commands;
	while (strcmp(c->name, name) != 0)
		c++;
	return c;
}}
static node_fn {pre}chosen(int which)
{{
	static const node_fn both[2] = {{ {self.one(self.fns[NODE_FNS])}, {self.one(self.fns[NODE_FNS])} }};
	return both[which];
}}
static int *{pre}last_of(int n, va_list ap)
{{
	int *p = {self.one(self.ips)};
	while (n-- > 0)
		p = va_arg(ap, int *);
	return p;
}}
static int *{pre}spread(int n, ...)
{{
	va_list ap, again;
	int *p;
	va_start(ap, n);
	va_copy(again, ap);
	p = {pre}last_of(n, ap);
	if (!*p)
		p = va_arg(again, int *);
	va_end(again);
	va_end(ap);
	return p;
}}
static void {pre}leap(int **at, int *p)
{{
	*at = p;
	longjmp({pre}jump, 1);
}}""")

    START = {
        NODE_FNS: ("", "return {node};"),
        ANY_FNS: ("\tstruct node *n = {slot};\n\tint *p = {first};\n\tp += k & 0;\n", "return x;"),
        OUT_FNS: ("\tint *p = {first};\n", "*out = {ip};"),
        VAR_FNS: ("\tint *p = {first};\n\tva_list ap;\n\tint count = n;\n\tstruct node *{hidden} = {slot};\n", "return {ip};"),
        DEEP_FNS: ("\tint *p = {first};\n\tstruct node *n = {slot};\n", "return {ip};"),
    }

    def function(self, kind, name):
        linkage = "" if name in self.exports else "static "
        if kind == VAR_FNS:
            return self.variadic(name, linkage)
        first, last = self.START[kind]
        back = {NODE_FNS: "n", ANY_FNS: "x", OUT_FNS: "", DEEP_FNS: "p"}[kind]
        names = dict(slot=self.one(self.slots), first=self.one(self.ips), node=self.node(), ip=self.ip(), hidden="")
        body = [linkage + SIGNATURES[kind].format(name), "{", first.format(**names).rstrip("\n"),
                f"\tint *q = {self.one(self.ips)}, i = 0;", f"\tstruct node *m = {self.one(self.slots)};",
                *([] if kind == ANY_FNS else ["\tvoid *x = p;"]), "\tstruct pair d;", "\tstruct wide w;",
                "\t(void)q, (void)m, (void)x, (void)d, (void)w, (void)i;",
                f"\tif (fuel <= 0)\n\t\treturn{' ' + back if back else ''};\n\tfuel--;"]
        if kind == DEEP_FNS:
            body.append("\tif (k > 0) {\n\t\tstruct frame f = { up, &q, up->ip };\n\t\tf.ip = "
                        f"{self.one(self.fns[DEEP_FNS])}(&f, k - 1);\n\t\t*f.up->slot = f.ip;\n\t\tup->ip = q;\n\t}}")
        if kind == OUT_FNS:
            body.append("\tq = *out;")
        body += ["\t" + self.statement() for _ in range(self.rng.randrange(4, 9))]
        body += ["\t" + last.format(**names), "}"]
        self.out.append("\n".join(line for line in body if line))

    def variadic(self, name, linkage):
        self.out.append(f"""{linkage}{SIGNATURES[VAR_FNS].format(name)}
{{
	int *p = {self.one(self.ips)};
	va_list ap;
	va_start(ap, n);
	while (n-- > 0) {{
		int *each = va_arg(ap, int *);
		struct node *m = va_arg(ap, struct node *);
		m->ip = each;
		if (fuel & 1)
			p = each;
	}}
	va_end(ap);
	return p;
}}""")

    def functions_of_all(self):
        for kind, names in self.fns.items():
            for name in names:
                self.function(kind, name)

    def entry(self, name):
        """Calls everything; a library's needs no client."""
        body = [f"{name}", "{", f"\tint *p = {self.one(self.ips)}, *q = p;",
                f"\tstruct node *n = {self.one(self.slots)}, *m = n;", "\tvoid *x = p;", "\tint i = 0;", "\tstruct pair d;", "\tstruct wide w;",
                "\t(void)x, (void)d, (void)w, (void)i, (void)q, (void)m;"]
        for _ in range(14):
            body += ["\tfuel = 40;", "\t" + self.statement()]
        for kind in NODE_FNS, ANY_FNS:
            for f in self.functions(kind):
                body.append("\tfuel = 40;\n\t" + (f"n = {f}(n, p);" if kind == NODE_FNS else f"x = {f}(x, 2);"))
        return "\n".join(body)


BOUNDARY = """void *(*hook)(size_t) = lib_memory;
struct node *hooked(int *p)
{
	struct node *fresh = hook(sizeof *fresh);
	memcpy(fresh, lib_make(p), sizeof *fresh);
	return fresh;
}
int *relay(list_fn f, int n, ...)
{
	va_list ap;
	int *p;
	va_start(ap, n);
	p = f(n, ap);
	va_end(ap);
	return p;
}"""

LIBRARY_0 = """#include <stddef.h>
#include "lib.h"
int fuel;
static int secret, *cell = &secret, *slot, *got, *shared;
static struct box { int v; int *a; } box;
int *kept;
static void (*hook)(int **at);
int **where(void) { return &cell; }             /* loads: secret is behind it */
int **slot_at(void) { return &slot; }           /* stores: the client's go there */
int **member(void) { return &box.a; }           /* shifts: box.v is beside it */
void put(int *p) { kept = p; }
void look(void) { got = slot; }
void set_hook(void (*f)(int **at)) { hook = f; }
int hold(void)                                  /* calls: a thread may run touch meanwhile */
{
	int mine = 1;
	shared = &mine;
	while (mine == 2)
		;
	shared = NULL;
	return mine;
}
void *touch(void *x)
{
	if (shared)
		*shared = 2;
	return x;
}
void lib_run(void)
{
	int *mine = got;
	if (hook)
		hook(&mine);
	kept = mine;
}
"""
HEADER_0 = """int **where(void), **slot_at(void), **member(void);
void put(int *p), look(void), set_hook(void (*f)(int **at)), lib_run(void), *touch(void *x);
int hold(void);
extern int *kept, fuel;
"""
CLIENT_0 = """#include <pthread.h>
#include "lib.h"
static int own, other;
static pthread_t thread;
static void on_hook(int **at) { *at = &other; }
int main(void)
{
	put(*where());
	*kept = 1;
	*slot_at() = &own;
	look();
	put((int *)member() - 2);
	*kept = 2;
	set_hook(on_hook);
	lib_run();
	*kept = 3;
	if (fuel == 1)                          /* no run has a thread */
		pthread_create(&thread, NULL, touch, NULL);
	hold();
	return fuel;
}
"""


def program_0(folder, clients):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lib.h").write_text(HEADER_0)
    (folder / "lib.c").write_text(LIBRARY_0)
    for k in range(1, clients + 1):
        (folder / f"client{k}.c").write_text(CLIENT_0)


def declarations(lib):
    """What the header says of what is exported."""
    lines = []
    for line in lib.out:
        head = line.split("=")[0].rstrip(" ;")
        name = head.split("(")[0].split("[")[0].split()[-1].lstrip("*")
        if line.startswith("static ") or "{" in head or "\n" in line or name not in lib.exports:
            continue
        if "[" in head:
            head = head[:head.index("[")] + "[" + head.split("[")[1].split("]")[0] + "]"
        if f"extern {head};" not in lines:
            lines.append(f"extern {head};")
    return lines


def first_library(seed):
    lib = Module(random.Random(seed), "lib_")
    lib.globals()
    declared = declarations(lib)
    lib.helpers()
    lib.out.append(BOUNDARY)
    lib.functions_of_all()
    text = "int fuel;\n" + "\n".join(lib.out) + "\n" + lib.entry("void lib_run(void)") + "\n\tif (!named(p))\n\t\tabort();\n}\n"
    return lib, declared, text


def module(seed, prefix, known):
    m = Module(random.Random(seed), prefix, known)
    m.globals()
    declared = declarations(m)
    m.helpers()
    m.functions_of_all()
    return m, declared


def add_named(m):
    """What the first library calls."""
    m.out.append(f"int *named(int *p)\n{{\n\tif (*p)\n\t\t{m.one(m.ips)} = p;\n\treturn {m.one(m.ips)};\n}}")


def exports_of(libraries):
    all_of = Module(libraries[0].rng, "lib_")
    for lib in libraries:
        all_of.exports += lib.exports
        for kind, fns in lib.fns.items():
            all_of.fns[kind] = all_of.fns[kind] + fns
        for what in "ints", "ips", "arrays", "nodes", "slots", "tables":
            getattr(all_of, what).extend(x for x in getattr(lib, what) if x.split("[")[0] in lib.exports)
    return all_of


def program(folder, seed, count, clients):
    lib, declared, text = first_library(int(seed))
    libraries, texts, runs = [lib], [text], ["lib_run"]
    for k in range(2, count + 1):
        lib, more = module(f"{seed}x{count}/lib{k}", f"lib{k}_", exports_of(libraries))
        if k == count:
            add_named(lib)
        libraries.append(lib)
        declared += more
        runs.append(f"lib{k}_run")
        texts.append("\n".join(lib.out) + "\n" + lib.entry(f"void lib{k}_run(void)") + "\n\tlib_run();\n}\n")
    folder.mkdir(parents=True, exist_ok=True)
    runs_declared = "\n".join(f"void {run}(void);" for run in runs)
    (folder / "lib.h").write_text(HEADER + "extern int fuel;\n" + "\n".join(declared) + f"\n{runs_declared}\n#endif\n")
    for k, text in enumerate(texts, 1):
        (folder / f"lib{k if k > 1 else ''}.c").write_text('#include "lib.h"\n' + text)
    for k in range(1, clients + 1):
        client, _ = module(f"{seed}/{k}", f"c{k}_", exports_of(libraries))
        if count == 1:
            add_named(client)
        text = '#include "lib.h"\n' + "\n".join(client.out) + "\n" + client.entry("int main(void)")
        calls = "\n".join(f"\t{run}();" for run in runs)
        (folder / f"client{k}.c").write_text(text + f"\n{calls}\n\treturn 0;\n}}\n")


def main(folder, clients, *seeds):
    for seed in seeds:
        if seed == "0":
            program_0(Path(folder) / seed, int(clients))
            continue
        number, _, count = seed.partition("x")
        program(Path(folder) / seed, number, int(count or 1), int(clients))


main(*sys.argv[1:])
