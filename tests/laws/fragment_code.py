# SPDX-License-Identifier: Apache-2.0
"""Random statements over what a view allows: for bodies of a component, and for its clients.

Nothing of it is ever run, so it need not end, nor care for null."""
from dataclasses import dataclass, field

from fragment_world import PRIMITIVES


@dataclass
class View:
    """What code may use."""
    types: list                                   # of variables, and to cast to
    uses: list                                    # members
    makes: list = field(default_factory=list)     # array types
    loads: list = field(default_factory=list)     # array types whose elements are read and written
    functions: dict = field(default_factory=dict)      # interface -> its one abstract method: lambdas are allowed
    makers: list = field(default_factory=list)    # more ways to make objects: (type, text)
    caught: list = field(default_factory=list)    # exceptions for catch clauses, special ones first
    flip: str = "flip"                            # a condition that nobody knows
    is_client: bool = True


class Scope:
    """Variables by name: (type, is final). `this` is one of them."""

    def __init__(self, variables=None):
        self.variables = dict(variables or {})

    def inner(self, only_final=False):
        return Scope({n: v for n, v in self.variables.items() if v[1] or not only_final})


class Code:
    def __init__(self, world, random):
        self.world, self.r = world, random
        self.view, self.lines, self.depth, self.count = None, [], 0, 0

    # Text

    def put(self, text):
        self.lines.append("\t" * self.depth + text)

    def open(self, text):
        self.put(text + " {")
        self.depth += 1

    def close(self, more=""):
        self.depth -= 1
        self.put("}" + more)

    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p):
        return self.r.random() < p

    def pick(self, found):
        return self.r.choice(found) if found else None

    def is_nameable(self, t):
        return not self.view.is_client or self.world.is_nameable(t)

    # Expressions. Each has the static type `wanted`, or one below it.

    def expression(self, wanted, s, depth=2):
        if wanted in PRIMITIVES:
            return "true" if wanted == "boolean" else "1"
        ways = [self.from_variable] * 4 + [self.from_string]
        if depth > 0:
            ways += [self.from_new, self.from_new, self.from_call, self.from_call, self.from_call, self.from_field,
                     self.from_cast, self.from_cast, self.from_element, self.from_array, self.from_choice, self.from_lambda]
        self.r.shuffle(ways)
        for way in ways:
            text = way(wanted, s, depth - 1)
            if text:
                return text
        return self.fallback(wanted, s)

    def fallback(self, wanted, s):
        """What needs no other expression; null if need be."""
        simple = [u for u in self.view.uses if u.member.sort == "new" and not u.member.params and
                  self.world.is_subtype(u.via, wanted) and not self.world.types[u.via].outer]
        if simple and self.chance(0.7):
            return self.use(self.r.choice(simple), s, 0)
        return self.from_string(wanted, s, 0) or (f"({wanted}) null" if self.is_nameable(wanted) else "null")

    def from_string(self, wanted, s, depth):
        return '"text"' if self.world.is_subtype("String", wanted) and self.chance(0.5) else None

    def from_variable(self, wanted, s, depth):
        return self.pick([n for n, (t, _) in s.variables.items() if self.world.is_subtype(t, wanted)])

    def usable(self, sort, wanted):
        return [u for u in self.view.uses if u.member.sort == sort and u.member.returns not in PRIMITIVES and
                self.world.is_subtype(u.via if sort == "new" else u.member.returns, wanted)]

    def from_new(self, wanted, s, depth):
        made = [text for t, text in self.view.makers if self.world.is_subtype(t, wanted)]
        if made and self.chance(0.5):
            return self.pick(made)
        news = [u for u in self.view.uses if u.member.sort == "new" and self.world.is_subtype(u.via, wanted)]
        return self.use(self.pick(news), s, depth) if news else None

    def from_call(self, wanted, s, depth):
        found = self.usable("call", wanted)
        return self.use(self.pick(found), s, depth) if found else None

    def from_field(self, wanted, s, depth):
        found = self.usable("field", wanted)
        return self.use(self.pick(found), s, depth) if found else None

    def receiver(self, u, s, depth):
        """Of an instance member: an expression of the type that it is used by way of."""
        return u.via if u.member.is_static else f"(({u.via}) {self.expression(u.via, s, depth)})"

    def use(self, u, s, depth):
        m = u.member
        if m.sort == "field":
            return f"{self.receiver(u, s, depth)}.{m.name}"
        arguments = self.arguments(m, s, depth)
        if m.sort == "call":
            return f"{self.receiver(u, s, depth)}.{m.name}({arguments})"
        outer = self.world.types[u.via].outer
        if outer:
            return f"{self.outer_object(outer, s, depth)}.new {u.via.rsplit('.', 1)[1]}({arguments})"
        return f"new {u.via}({arguments})"

    def outer_object(self, outer, s, depth):
        """Compilers check others than new ones for null by a call, which is of no interface."""
        if self.view.is_client:
            made = [u for u in self.view.uses if u.member.sort == "new" and u.via == outer]
            return self.use(self.r.choice(made), s, depth)
        return f"(({outer}) {self.expression(outer, s, depth)})"

    def arguments(self, m, s, depth):
        texts = [self.expression(p, s, depth) for p in m.params]
        if m.is_varargs and self.chance(0.7):
            element = m.params[-1][:-2]
            texts[-1:] = [f"({element}) {self.expression(element, s, depth)}" for _ in range(self.r.choice([1, 2]))]
        return ", ".join(texts)

    def from_cast(self, wanted, s, depth):
        if not self.is_nameable(wanted):
            return None
        item = self.expression(self.r.choice(self.view.types), s, depth)
        if self.chance(0.5):
            return f"({wanted}) (Object) {item}"
        v = self.fresh("p")
        return f"((Object) {item} instanceof {wanted} {v} ? {v} : null)" if wanted != "Object" else item

    def from_array(self, wanted, s, depth):
        made = [a for a in self.view.makes if self.world.is_subtype(a, wanted) and self.is_nameable(a)]
        if not made:
            return None
        a = self.r.choice(made)
        if a[:-2].endswith("[]") or self.chance(0.3):
            return f"new {a.replace('[]', '')}[2]{a[a.index('['):-2]}"
        return f"new {a} {{ {self.expression(a[:-2], s, depth)}, {self.expression(a[:-2], s, depth)} }}"

    def from_element(self, wanted, s, depth):
        a = self.pick([a for a in self.view.loads if self.world.is_subtype(a[:-2], wanted) and self.is_nameable(a)])
        return f"(({a}) {self.expression(a, s, depth)})[{self.r.randint(0, 1)}]" if a else None

    def from_choice(self, wanted, s, depth):
        if not self.is_nameable(wanted):
            return None
        a, b = self.expression(wanted, s, depth), self.expression(wanted, s, depth)
        return f"({self.view.flip} ? ({wanted}) {a} : ({wanted}) {b})"

    def from_lambda(self, wanted, s, depth):
        found = [name for name in self.view.functions if self.world.is_subtype(name, wanted)]
        if not found:
            return None
        name = self.r.choice(found)
        m = self.view.functions[name]
        inner, names = s.inner(only_final=True), [self.fresh("x") for _ in m.params]
        inner.variables.update({n: (p, True) for n, p in zip(names, m.params)})
        body = "{ }" if m.returns == "void" else self.expression(m.returns, inner, min(depth, 1))
        return f"(({name}) (({', '.join(names)}) -> {body}))"

    # Statements

    def statements(self, s, n, depth=2):
        for _ in range(n):
            self.statement(s, depth)

    def block(self, s, depth):
        self.statements(s.inner(), self.r.choice([1, 2]), depth - 1)

    def statement(self, s, depth):
        ways = [self.do_declare] * 3 + [self.do_call] * 4 + [self.do_assign, self.do_put, self.do_put, self.do_store]
        if depth > 0:
            ways += [self.do_if, self.do_loop, self.do_try, self.do_try, self.do_throw]
        self.r.choice(ways)(s, depth)

    def do_declare(self, s, depth):
        t, v, final = self.r.choice(self.view.types), self.fresh(), self.chance(0.5)
        if self.is_nameable(t):
            self.put(f"{'final ' if final else ''}{t} {v} = {self.expression(t, s)};")
        else:
            text = self.from_call(t, s, 1) or self.from_field(t, s, 1)
            if not text:
                return
            self.put(f"var {v} = {text};")
        s.variables[v] = (t, final)

    def do_assign(self, s, depth):
        found = [(n, t) for n, (t, final) in s.variables.items() if not final and self.is_nameable(t)]
        if not found:
            return self.do_declare(s, depth)
        v, t = self.r.choice(found)
        self.put(f"{v} = {self.expression(t, s)};")

    def do_call(self, s, depth):
        found = [u for u in self.view.uses if u.member.sort != "field"]
        if found:
            self.put(self.use(self.r.choice(found), s, 2) + ";")

    def do_pass(self, v, t, s):
        """Hands a variable to a method that takes it as its first argument."""
        found = [u for u in self.view.uses if u.member.sort == "call" and u.member.params and
                 self.world.is_subtype(t, u.member.params[0])]
        if found:
            u = self.r.choice(found)
            rest = [self.expression(p, s, 1) for p in u.member.params[1:]]
            self.put(f"{self.receiver(u, s, 1)}.{u.member.name}({', '.join([v] + rest)});")

    def do_put(self, s, depth):
        found = [u for u in self.view.uses if u.member.sort == "field" and not u.member.is_final and
                 u.member.returns not in PRIMITIVES]
        if found:
            u = self.r.choice(found)
            self.put(f"{self.receiver(u, s, 1)}.{u.member.name} = {self.expression(u.member.returns, s)};")

    def do_store(self, s, depth):
        a = self.pick([a for a in self.view.loads if self.is_nameable(a)])
        if a:
            self.put(f"(({a}) {self.expression(a, s, 1)})[0] = {self.expression(a[:-2], s)};")

    def do_if(self, s, depth):
        self.open(f"if ({self.view.flip})")
        self.block(s, depth)
        if self.chance(0.5):
            self.depth -= 1
            self.open("} else")
            self.block(s, depth)
        self.close()

    def do_loop(self, s, depth):
        a = self.pick([a for a in self.view.loads if self.is_nameable(a)])
        inner = s.inner()
        if a and self.chance(0.6):
            v = self.fresh()
            self.open(f"for ({a[:-2]} {v} : ({a}) {self.expression(a, s, 1)})")
            inner.variables[v] = (a[:-2], False)
        else:
            self.open(f"while ({self.view.flip})")
        self.block(inner, depth)
        self.close()

    def do_try(self, s, depth):
        self.open("try")
        self.block(s, depth)
        caught = [e for e in self.view.caught if self.chance(0.5)] or self.view.caught[-1:]
        for e in caught:
            self.depth -= 1
            v, inner = self.fresh("e"), s.inner() if self.chance(0.5) else Scope()
            self.open(f"}} catch ({e} {v})")
            inner.variables[v] = (e, True)
            self.do_pass(v, e, inner)
            self.block(inner, depth)
        self.close()

    def do_throw(self, s, depth):
        e = self.pick([e for e in self.view.caught if self.world.is_subtype(e, "RuntimeException")])
        if e:
            self.put(f"if ({self.view.flip})")
            self.put(f"\tthrow ({e}) {self.expression(e, s, 1)};")

    # Methods

    def body(self, m, names, s, n=2):
        inner = s.inner()
        inner.variables.update({v: (p, False) for v, p in zip(names, m.params) if p not in PRIMITIVES})
        self.statements(inner, n, 1)
        if m.returns != "void":
            self.put(f"return {self.expression(m.returns, inner)};")

    def method(self, head, m, s, n=2):
        """`head` is what comes before the result type."""
        names = [self.fresh("a") for _ in m.params]
        types = [p[:-2] + "..." if m.is_varargs and p is m.params[-1] else p for p in m.params]
        returns = "" if m.sort == "new" else m.returns + " "
        self.open(f"{head} {returns}{m.name}({', '.join(f'{t} {v}' for t, v in zip(types, names))})".strip())
        self.body(m, names, s, n)
        self.close()


def functional(world, names):
    """Interfaces that lambdas implement."""
    found = {}
    for name in names:
        t = world.types.get(name)
        if t and t.sort == "interface" and not t.is_sealed:
            abstract = [world.keys(name)[k] for k in world.unimplemented(name)]
            if len(abstract) == 1:
                found[name] = abstract[0]
    return found


def client_uses(world, access=("public",)):
    return [u for u in world.uses() if u.member.access in access and world.is_nameable(u.via)]
