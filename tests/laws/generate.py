#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py OUT SEED... - writes random Java programs: OUT/gSEED/Main.java, main class gSEED.Main.

A program is valid Java 17 and ends soon: every method burns fuel, of which each scenario of main has only so much, and
constructors make objects within each other up to a depth. It has interfaces with default methods, classes that override,
shadow and overload, containers, an enum with bodies, records, exceptions of its own, and statements at random over all of
them. The same seed gives the same program.
"""
import random
import sys
from pathlib import Path

# What every program has. It takes part in types and calls like the rest.
PRELUDE = """
final class Rt {
	static int fuel, making, initialising, state = 7;
	static Object last;
	static boolean burn() { return --fuel > 0; }
	static boolean flip() {
		state = state * 1103515245 + 12345;
		return (state >> 16 & 1) == 0;
	}
	static Object first(Object... all) { return all.length == 0 ? null : all[0]; }
	static Object raise(RuntimeException e) { throw e; }
	/* Threads never run at the same time, nor while a class is initialised: they would wait for each other's classes. */
	static Object run(Runnable r) {
		if (initialising > 0) {
			r.run();
			return r;
		}
		Thread t = new Thread(r);
		t.setDaemon(true);
		t.start();
		try {
			t.join(1000);
		} catch (InterruptedException e) {
			last = e;
		}
		return t;
	}
}
interface Fn { Object call(Object x); }
interface Fn2 { Object call(Object x, Object y); }
class Box implements Cloneable {
	Object item;
	Box() { }
	Box(Object o) { item = o; }
	Object get() { return item; }
	void set(Object o) { item = o; }
	Box copy() {
		try {
			return (Box) clone();
		} catch (CloneNotSupportedException e) {
			throw new IllegalStateException(e);
		}
	}
	Object map(Fn f) { return f.call(item); }
}
class Stack {
	private Object[] items = new Object[2];
	private int size;
	void push(Object o) {
		if (size == items.length) {
			Object[] more = new Object[size * 2];
			System.arraycopy(items, 0, more, 0, size);
			items = more;
		}
		items[size++] = o;
	}
	Object pop() { return size == 0 ? null : items[--size]; }
}
class Chain {
	class Link {
		Object item;
		Link next;
		Link(Object o, Link n) { item = o; next = n; }
		Object head() { return first == null ? null : first.item; }
	}
	Link first;
	Chain add(Object o) {
		first = new Link(o, first);
		return this;
	}
	Object find(Fn test) {
		for (Link l = first; l != null; l = l.next)
			if (test.call(l.item) != null)
				return l.item;
		return first == null ? null : first.head();
	}
}
"""


class Method:
    def __init__(self, name, params, returns):
        self.name, self.params, self.returns = name, params, returns

    def key(self):
        return self.name, tuple(self.params)


class Type:
    """A class, interface, enum or record of the program."""

    def __init__(self, name, sort, parent=None, interfaces=()):
        self.name, self.sort, self.parent, self.interfaces = name, sort, parent, list(interfaces)
        self.is_abstract = sort == "interface"
        self.fields, self.statics = {}, {}            # name -> type name; of its own
        self.methods, self.static_methods = {}, []    # key -> method: declared with a body, or abstract
        self.bodies = set()                           # keys of methods with a body
        self.constructors = [[]]                      # parameter types of each

    def ancestors(self):
        """Itself, superclasses and interfaces, nearest first."""
        found = [self]
        for t in ([self.parent] if self.parent else []) + self.interfaces:
            found += [a for a in t.ancestors() if a not in found]
        return found

    def classes(self):
        return [self] + (self.parent.classes() if self.parent else [])


class Scope:
    """What an expression may use: variables by name as (type name, is final), and `this`."""

    def __init__(self, this=None, variables=None):
        self.this, self.variables = this, dict(variables or {})

    def inner(self, only_final=False):
        kept = {n: v for n, v in self.variables.items() if v[1] or not only_final}
        return Scope(self.this, kept)


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seed, self.count = seed, 0
        self.types, self.lines, self.depth = {}, [], 0
        self.exceptions, self.exception_parent = [], {}

    # Text

    def put(self, text):
        self.lines.append("\t" * self.depth + text)

    def open(self, text):
        self.put(text + " {")
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.put("}")

    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p):
        return self.r.random() < p

    # The world

    def is_subtype(self, a, b):
        if a == b or b == "Object":
            return True
        if a.endswith("[]") or b.endswith("[]"):
            return a.endswith("[]") and b.endswith("[]") and self.is_subtype(a[:-2], b[:-2])
        return a in self.types and any(t.name == b for t in self.types[a].ancestors())

    def some_type(self):
        if self.chance(0.15):
            return "Object"
        name = self.r.choice(list(self.types))
        return name + "[]" if self.chance(0.15) else name

    def plan(self):
        """Names types and says what they declare; bodies come later, when all is known."""
        for k in range(self.r.randint(3, 6)):
            above = self.sorted_out("interface")
            self.types[f"I{k}"] = Type(f"I{k}", "interface", None, [self.r.choice(above)] if above and self.chance(0.4) else [])
        for k in range(self.r.randint(5, 11)):
            self.plan_class(f"C{k}")
        self.types["Color"] = Type("Color", "enum", None, [self.r.choice(self.sorted_out("interface"))])
        for k in range(self.r.randint(1, 2)):
            self.types[f"R{k}"] = Type(f"R{k}", "record", None, [self.r.choice(self.sorted_out("interface"))])
        self.exceptions = ["RuntimeException", "IllegalStateException"]
        for k in range(self.r.randint(2, 4)):
            self.exception_parent[f"E{k}"] = self.r.choice(self.exceptions)
            self.exceptions.append(f"E{k}")
        self.selectors = [Method(f"m{k % 5}", [self.some_type() for _ in range(self.r.randint(0, 2))], self.some_type())
                          for k in range(8)]
        self.selectors = list({m.key(): m for m in self.selectors}.values())
        for t in self.types.values():
            self.plan_members(t)

    def sorted_out(self, sort):
        return [t for t in self.types.values() if t.sort == sort]

    def plan_class(self, name):
        above, interfaces = self.sorted_out("class"), self.sorted_out("interface")
        t = Type(name, "class", self.r.choice(above) if above and self.chance(0.6) else None,
                 self.r.sample(interfaces, self.r.choice([0, 1, 1, 2])))
        t.is_abstract = self.chance(0.15)
        self.types[name] = t

    def plan_members(self, t):
        if t.sort == "interface":
            for m in self.r.sample(self.selectors, self.r.randint(1, 2)):
                t.methods[m.key()] = m
                if self.chance(0.4):
                    t.bodies.add(m.key())
            return
        if t.sort == "record":
            t.constructors = [[self.some_type(), "Object"]]
        if t.sort == "class":
            for k in self.r.sample(range(4), self.r.randint(1, 3)):
                t.fields[f"f{k}"] = self.some_type()
            t.constructors += [[self.some_type()]] if self.chance(0.6) else []
            for m in self.r.sample(self.selectors, self.r.randint(0, 3)):
                self.declare(t, m)
        for k in range(self.r.randint(0, 2)):
            t.statics[f"s{k}"] = self.some_type()
        for k in range(self.r.randint(0, 1)):
            t.static_methods.append(Method(f"make{t.name}", [self.some_type()], self.some_type()))
        self.plan_required(t)

    def declare(self, t, m):
        t.methods[m.key()] = m
        t.bodies.add(m.key())

    def plan_required(self, t):
        """What it must implement: abstract methods of interfaces, and default methods that two of them have."""
        for a in t.ancestors():
            for key, m in a.methods.items() if a.sort == "interface" else []:
                if any(key in c.bodies for c in t.classes()):
                    continue
                having = [i for i in t.ancestors() if i.sort == "interface" and key in i.methods]
                is_inherited = len(having) == 1 and key in having[0].bodies
                if not is_inherited and not (t.is_abstract and not any(key in i.bodies for i in having)):
                    self.declare(t, m)

    def methods_of(self, t):
        found = {}
        for a in t.ancestors():
            for key, m in a.methods.items():
                found.setdefault(key, m)
        return list(found.values())

    def field_type(self, t, name):
        return next((a.fields[name] for a in t.classes() if name in a.fields), None)

    def concrete(self, wanted):
        return [t for t in self.types.values() if t.sort in ("class", "record") and not t.is_abstract and
                self.is_subtype(t.name, wanted)]

    # Expressions. Each is of the static type `wanted`, or below it.

    def expression(self, wanted, s, depth=3):
        if wanted == "int":
            return str(self.r.randint(0, 9))
        if depth < 0:
            return self.from_variable(wanted, s, depth) or self.fallback(wanted)
        ways = [self.from_variable, self.from_variable, self.from_new]
        if depth > 0:
            ways += [self.from_new, self.from_field, self.from_static, self.from_call, self.from_call,
                     self.from_static_call, self.from_cast, self.from_container, self.from_choice, self.from_array,
                     self.from_lambda_result]
        self.r.shuffle(ways)
        for way in ways:
            text = way(wanted, s, depth - 1)
            if text:
                return text
        return self.fallback(wanted)

    def fallback(self, wanted):
        if wanted == "Object":
            return self.r.choice(['"text"', "Integer.valueOf(5)", "new Object()", "Color.RED", "Box.class", '("a" + Rt.last)'])
        if wanted == "Color":
            return self.r.choice(["Color.RED", "Color.GREEN"])
        return f"({wanted}) null"

    def from_variable(self, wanted, s, depth):
        fitting = [n for n, (t, _) in s.variables.items() if self.is_subtype(t, wanted)]
        if s.this and self.is_subtype(s.this.name, wanted):
            fitting.append("this")
        return self.r.choice(fitting) if fitting else None

    def arguments(self, params, s, depth):
        return ", ".join(f"({p}) {self.expression(p, s, depth)}" for p in params)

    def from_new(self, wanted, s, depth):
        if wanted.endswith("[]"):
            items = ", ".join(self.expression(wanted[:-2], s, min(depth, 1)) for _ in range(2))
            below = [t.name for t in self.concrete(wanted[:-2])]
            if below and self.chance(0.3):      # covariance
                return f"new {self.r.choice(below)}[2]"
            return f"new {wanted} {{ {items} }}"
        fitting = self.concrete(wanted)
        if not fitting:
            return None
        t = self.r.choice(fitting)
        params = self.r.choice(t.constructors) if depth > 0 or t.sort == "record" else []
        return f"new {t.name}({self.arguments(params, s, depth)})"

    def holders(self, wanted):
        return [(t, n) for t in self.types.values() if t.sort == "class" for c in t.classes() for n in c.fields
                if self.is_subtype(self.field_type(t, n), wanted)]

    def from_field(self, wanted, s, depth):
        found = self.holders(wanted)
        if not found:
            return None
        t, name = self.r.choice(found)
        return f"(({t.name}) {self.expression(t.name, s, depth)}).{name}"

    def from_static(self, wanted, s, depth):
        found = [(t, n) for t in self.types.values() for n, ft in t.statics.items() if self.is_subtype(ft, wanted)]
        if not found:
            return None
        t, name = self.r.choice(found)
        return f"{t.name}.{name}"

    def from_call(self, wanted, s, depth):
        found = [(t, m) for t in self.types.values() for m in self.methods_of(t) if self.is_subtype(m.returns, wanted)]
        if not found:
            return None
        t, m = self.r.choice(found)
        return self.call(t, m, s, depth)

    def call(self, t, m, s, depth):
        arguments = self.arguments(m.params, s, depth)
        if s.this and s.this.parent and self.chance(0.2) and any(m.key() in c.bodies for c in s.this.parent.classes()):
            return f"super.{m.name}({arguments})"
        return f"(({t.name}) {self.expression(t.name, s, depth)}).{m.name}({arguments})"

    def from_static_call(self, wanted, s, depth):
        found = [(t, m) for t in self.types.values() for m in t.static_methods if self.is_subtype(m.returns, wanted)]
        if not found:
            return None
        t, m = self.r.choice(found)
        return f"{t.name}.{m.name}({self.arguments(m.params, s, depth)})"

    def narrow(self, wanted, text):
        """An expression of type Object as `wanted`: sometimes by a cast that may fail."""
        if wanted == "Object":
            return text
        if self.chance(0.3):
            return f"({wanted}) (Object) {text}"
        v = self.fresh("p")
        return f"((Object) {text} instanceof {wanted} {v} ? {v} : null)"

    def from_cast(self, wanted, s, depth):
        return self.narrow(wanted, self.expression("Object", s, depth)) if wanted != "Object" else None

    def from_container(self, wanted, s, depth):
        item = self.expression("Object", s, depth)
        other = self.expression("Object", s, depth)
        text = self.r.choice([
            f"new Box({item}).get()", f"new Box({item}).copy().item", f"new Chain().add({item}).add({other}).find(x -> x)",
            f"new Box({item}).map({self.function(s, depth)})", f"Rt.first({item}, {other})"])
        return self.narrow(wanted, text)

    def from_choice(self, wanted, s, depth):
        a, b = self.expression(wanted, s, depth), self.expression(wanted, s, depth)
        return f"(({wanted}) (Rt.flip() ? ({wanted}) {a} : ({wanted}) {b}))"

    def from_array(self, wanted, s, depth):
        if wanted.endswith("[]"):
            found = self.from_variable(wanted, s, depth)
            return f"({found}).clone()" if found and found != "this" else None
        return f"({self.expression(wanted + '[]', s, depth)})[{self.r.randint(0, 1)}]"

    def function(self, s, depth):
        """Something of type Fn: a lambda, a method reference, a nested class."""
        fields = [m for t in self.types.values() for m in t.static_methods if m.params == ["Object"]]
        refs = [f"{t.name}::{m.name}" for t in self.types.values() for m in t.static_methods if m in fields]
        refs += ["String::valueOf", "Box::new", "Rt::first"]
        refs += [f"{t.name}::new" for t in self.concrete("Object") if ["Object"] in t.constructors]
        sort = self.r.randint(0, 3)
        if sort == 0:
            return f"(Fn) {self.r.choice(refs)}"
        x = self.fresh("x")
        inner = s.inner(only_final=True)
        inner.variables[x] = ("Object", True)
        if sort == 1:
            inner.this = None
            body = self.expression("Object", inner, min(depth, 1))
            return f"new Fn() {{ public Object call(Object {x}) {{ return {body}; }} }}"
        return f"(Fn) ({x} -> {self.expression('Object', inner, min(depth, 1))})"

    def from_lambda_result(self, wanted, s, depth):
        if self.chance(0.5):
            body = self.expression(wanted, s.inner(only_final=True), min(depth, 1))
            return f"((java.util.function.Supplier<{wanted}>) (() -> {body})).get()"
        return self.narrow(wanted, f"({self.function(s, depth)}).call({self.expression('Object', s, depth)})")

    # Statements

    def statements(self, s, n, depth=2):
        for _ in range(n):
            self.statement(s, depth)

    def block(self, s, depth):
        self.statements(s.inner(), self.r.choice([1, 1, 2]), depth - 1)

    def statement(self, s, depth):
        ways = [self.do_declare] * 4 + [self.do_call] * 2
        ways += [self.do_assign, self.do_field, self.do_static, self.do_array, self.do_copy]
        if depth > 0:
            ways += [self.do_if, self.do_loop, self.do_try, self.do_try, self.do_throw, self.do_thread,
                     self.do_synchronized]
            ways += [self.r.choice([self.do_switch, self.do_local_class])]
        self.r.choice(ways)(s, depth)

    def do_declare(self, s, depth):
        t, v, final = self.some_type(), self.fresh(), self.chance(0.5)
        self.put(f"{'final ' if final else ''}{t} {v} = {self.expression(t, s)};")
        s.variables[v] = (t, final)

    def do_assign(self, s, depth):
        found = [(n, t) for n, (t, final) in s.variables.items() if not final]
        if not found:
            return self.do_declare(s, depth)
        v, t = self.r.choice(found)
        self.put(f"{v} = {self.expression(t, s)};")

    def do_field(self, s, depth):
        found = [(n, f, ft) for n, (t, _) in s.variables.items() if t in self.types for c in self.types[t].classes()
                 for f in c.fields for ft in [self.field_type(self.types[t], f)]]
        if s.this:
            found += [("this", f, self.field_type(s.this, f)) for c in s.this.classes() for f in c.fields]
        if not found:
            return self.do_static(s, depth)
        v, f, ft = self.r.choice(found)
        self.put(f"{v}.{f} = {self.expression(ft, s)};")

    def do_static(self, s, depth):
        found = [(t, n, ft) for t in self.types.values() for n, ft in t.statics.items()]
        if not found:
            return self.put(f"Rt.last = {self.expression('Object', s)};")
        t, n, ft = self.r.choice(found)
        self.put(f"{t.name}.{n} = {self.expression(ft, s)};")

    def do_array(self, s, depth):
        found = [(n, t) for n, (t, _) in s.variables.items() if t.endswith("[]")]
        if not found:
            return self.do_declare(s, depth)
        v, t = self.r.choice(found)
        self.put(f"{v}[{self.r.randint(0, 1)}] = {self.expression(t[:-2], s)};")

    def do_copy(self, s, depth):
        found = [n for n, (t, _) in s.variables.items() if t.endswith("[]")]
        if not found:
            return self.do_call(s, depth)
        v = self.fresh()
        self.put(f"Object[] {v} = new Object[2];")
        self.put(f"System.arraycopy({self.r.choice(found)}, 0, {v}, 0, 2);")
        s.variables[v] = ("Object[]", False)

    def do_call(self, s, depth):
        t = self.r.choice(list(self.types.values()))
        methods = self.methods_of(t)
        if not methods:
            return self.put(f"Rt.last = {self.expression('Object', s)};")
        self.put(self.call(t, self.r.choice(methods), s, 2) + ";")

    def do_if(self, s, depth):
        self.open("if (Rt.flip())")
        self.block(s, depth)
        self.depth -= 1
        self.open("} else")
        self.block(s, depth)
        self.close()

    def do_loop(self, s, depth):
        t, v = self.some_type(), self.fresh()
        if self.chance(0.5):
            inner = s.inner()
            self.open(f"for ({t} {v} : {self.expression(t + '[]', s)})")
            inner.variables[v] = (t, False)
            self.block(inner, depth)
        else:
            self.open(f"for (int {v} = 0; {v} < 2; {v}++)")
            self.block(s, depth)
        self.close()

    def do_switch(self, s, depth):
        if self.chance(0.5):
            self.open(f"switch ({self.expression('Color', s, 1)})")
            labels = ["RED", "GREEN"]
        else:
            self.open(f"switch (String.valueOf({self.expression('Object', s, 1)}))")
            labels = ['"text"', '"object"']
        for label in labels:
            self.put(f"case {label}:")
            self.depth += 1
            self.open("")
            self.block(s, depth)
            self.close()
            self.put("break;")
            self.depth -= 1
        self.put("default:")
        self.put(f"\tRt.last = {self.expression('Object', s, 1)};")
        self.close()

    def superexceptions(self, e):
        found = [e]
        while found[-1] in self.exception_parent:
            found.append(self.exception_parent[found[-1]])
        return found + (["RuntimeException"] if found[-1] == "IllegalStateException" else [])

    def do_try(self, s, depth):
        """Handlers from special to general: no one hides another."""
        caught = self.r.sample(self.exceptions, self.r.randint(1, min(3, len(self.exceptions))))
        caught.sort(key=lambda e: -len(self.superexceptions(e)))
        self.open("try")
        self.block(s, depth)
        for e in caught:
            self.depth -= 1
            v = self.fresh("e")
            self.open(f"}} catch ({e} {v})")
            inner = s.inner()
            self.put(f"Rt.last = {v};")
            if self.chance(0.3):
                self.put(f"if (Rt.flip())\n{chr(9) * (self.depth + 1)}throw {v};")
            if e.startswith("E"):
                self.put(f"Rt.last = {v}.item();")
            self.block(inner, depth)
        if self.chance(0.4):
            self.depth -= 1
            self.open("} finally")
            self.block(s, depth)
        self.close()

    def exception(self, s):
        e = self.r.choice(self.exceptions)
        return f"new {e}({self.expression('Object', s, 1)})" if e.startswith("E") else f'new {e}("text")'

    def do_throw(self, s, depth):
        made = self.exception(s)
        self.put("if (Rt.flip())")
        self.put(f"\tthrow {made};" if self.chance(0.6) else f"\tRt.raise({made});")

    def do_thread(self, s, depth):
        self.put(f"Rt.run(() -> Rt.last = {self.expression('Object', s.inner(only_final=True), 1)});")

    def do_local_class(self, s, depth):
        bases = [t for t in self.types.values() if t.sort == "class" and not t.is_abstract]
        name, base = self.fresh("L"), self.r.choice(bases)
        self.open(f"class {name} extends {base.name}")
        inner = s.inner(only_final=True)
        inner.this = base
        for m in self.methods_of(base)[:2]:
            self.method(f"public {m.returns} {m.name}", m, inner)
        self.close()
        v = self.fresh()
        self.put(f"{base.name} {v} = new {name}();")
        s.variables[v] = (base.name, False)

    def do_synchronized(self, s, depth):
        self.open("synchronized (new Box())")
        self.block(s, depth)
        self.close()

    # Members

    def method(self, head, m, s):
        names = [self.fresh("a") for _ in m.params]
        self.open(f"{head}({', '.join(f'{p} {n}' for p, n in zip(m.params, names))})")
        inner = s.inner()
        inner.variables.update({n: (p, False) for n, p in zip(names, m.params)})
        self.put("if (!Rt.burn())")
        self.put(f"\treturn {self.fallback(m.returns)};")
        self.statements(inner, self.r.randint(1, 3), 1)
        self.put(f"return {self.expression(m.returns, inner)};")
        self.close()

    def write_type(self, t):
        head = {"interface": "interface", "class": "abstract class" if t.is_abstract else "class", "enum": "enum",
                "record": "record"}[t.sort] + " " + t.name
        if t.sort == "record":
            head += f"({t.constructors[0][0]} left, Object right)"
        if t.parent:
            head += f" extends {t.parent.name}"
        if t.interfaces:
            head += (" extends " if t.sort == "interface" else " implements ") + ", ".join(i.name for i in t.interfaces)
        self.open(head)
        if t.sort == "enum":
            self.put("RED { public String toString() { return \"red\"; } }, GREEN;")
        self.write_members(t)
        self.close()
        self.put("")

    def write_members(self, t):
        for name, ft in t.statics.items():
            self.put(f"static {ft} {name};")
        if t.statics and t.sort != "interface":
            self.open("static")
            self.put("Rt.initialising++;")
            self.open("try")
            for name, ft in t.statics.items():
                self.put(f"{name} = {self.expression(ft, Scope(), 1)};")
            self.depth -= 1
            self.open("} catch (RuntimeException e)")
            self.put("Rt.last = e;")
            self.close()
            self.put("Rt.initialising--;")
            self.close()
        for name, ft in t.fields.items():
            self.put(f"{ft} {name};")
        if t.sort == "class":
            self.write_constructors(t)
        for m in t.static_methods:
            self.method(f"static {m.returns} {m.name}", m, Scope())
        for key, m in t.methods.items():
            head = f"public {m.returns} {m.name}"
            if key in t.bodies:
                self.method("default " + head if t.sort == "interface" else head, m, Scope(t))
            else:
                self.put(f"{head}({', '.join(f'{p} a{i}' for i, p in enumerate(m.params))});")
        if t.sort == "class" and self.chance(0.3):
            value = self.expression("Object", Scope(t), 1)
            self.put(f'public String toString() {{ return Rt.burn() ? "{t.name}" + {value} : ""; }}')

    def write_constructors(self, t):
        for params in t.constructors:
            names = [self.fresh("a") for _ in params]
            s = Scope(None, {n: (p, False) for n, p in zip(names, params)})
            self.open(f"{t.name}({', '.join(f'{p} {n}' for p, n in zip(params, names))})")
            if t.parent and params and self.chance(0.5):
                self.put(f"super({self.arguments(self.r.choice(t.parent.constructors), s, 1)});")
            s.this = t
            self.open("if (Rt.making++ < 3)")
            for f, ft in t.fields.items():
                if self.chance(0.7):
                    self.put(f"this.{f} = {self.expression(ft, s, 1)};")
            self.close()
            self.put("Rt.making--;")
            self.close()

    def write_exception(self, name):
        self.open(f"class {name} extends {self.exception_parent[name]}")
        self.put("final Object item;")
        above = self.exception_parent[name].startswith("E")
        self.put(f"{name}(Object o) {{ {'super(o);' if above else 'super();'} item = o; }}")
        self.put("Object item() { return item; }")
        self.close()

    def write_main(self):
        n = self.r.randint(6, 10)
        self.open("public class Main")
        for k in range(n):
            self.open(f"static Object scenario{k}()")
            s = Scope()
            self.statements(s, self.r.randint(2, 4))
            self.put(f"return {self.expression('Object', s)};")
            self.close()
        self.open("public static void main(String[] arguments)")
        for k in range(n):
            self.open("try")
            self.put("Rt.fuel = 60;")
            self.put("Rt.making = Rt.initialising = 0;")
            self.put(f"Rt.last = scenario{k}();")
            self.depth -= 1
            self.open("} catch (Throwable t)")
            self.put("Rt.last = t;")
            self.close()
        self.close()
        self.close()

    def program(self):
        self.plan()
        self.put(f"package g{self.seed};")
        self.lines += PRELUDE.strip("\n").split("\n")
        for name in self.exception_parent:
            self.write_exception(name)
        for t in self.types.values():
            self.write_type(t)
        self.write_main()
        return "\n".join(self.lines) + "\n"


def main(out, seeds):
    for seed in seeds:
        folder = Path(out) / f"g{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "Main.java").write_text(Generator(int(seed)).program())


main(sys.argv[1], sys.argv[2:])
