#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gen - random class hierarchies, well formed and not, and questions about calls and fields in them.

usage: gen.py SEED HIERARCHIES DIR

Writes class files below DIR/classes, DIR/questions (one a line, see `ask`) and DIR/ids (number, method or field).
Every method returns a number of its own; every question is a static method `q<n>` of the class that asks.
Compilers refuse most of these programs, and separate compilation makes all of them possible."""
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403

PACKAGES = "abc"
INT, OBJECT = "()I", "()Ljava/lang/Object;"
SELECTORS = [("m0", INT), ("m1", INT), ("m2", INT), ("hashCode", INT), ("clone", OBJECT)]
FIELDS = ["f0", "f1"]
ACCESS = [PUBLIC] * 5 + [PROTECTED] * 2 + [0] * 3 + [PRIVATE] * 2
ACONST_NULL, ICONST_1 = 1, 4


class Type:
    def __init__(self, world, package, simple, is_interface):
        self.world, self.package, self.is_interface = world, package, is_interface
        self.name = f"h{world.number}/{package}/{simple}"
        self.is_public = world.chance(0.8)
        self.is_abstract = is_interface or world.chance(0.25)
        self.parent, self.interfaces = None, []
        self.nest_host, self.nest_members, self.questions = None, [], []
        self.finals = set()               # names of final methods, inherited ones too

    def visible_from(self, package):
        return self.is_public or self.package == package

    def supertypes(self):
        found = {self}
        for t in ([self.parent] if self.parent else []) + self.interfaces:
            found |= t.supertypes()
        return found


class World:
    def __init__(self, number, rng, out):
        self.number, self.rng, self.out = number, rng, out
        self.types = []
        for k in range(rng.randint(3, 6)):
            self.add_interface(f"I{k}")
        for k in range(rng.randint(5, 9)):
            self.add_class(f"C{k}")
        for p in PACKAGES:
            self.types.append(Type(self, p, "Outsider", False))
        self.make_nests()
        self.concrete = [t for t in self.types if not t.is_abstract]

    def chance(self, p):
        return self.rng.random() < p

    def some_interfaces(self, t):
        usable = [i for i in self.types if i.is_interface and i.visible_from(t.package)]
        return self.rng.sample(usable, min(len(usable), self.rng.choice([0, 0, 1, 1, 2, 3])))

    def add_interface(self, simple):
        t = Type(self, self.rng.choice(PACKAGES), simple, True)
        t.interfaces = self.some_interfaces(t)
        self.types.append(t)

    def add_class(self, simple):
        t = Type(self, self.rng.choice(PACKAGES), simple, False)
        usable = [c for c in self.types if not c.is_interface and c.visible_from(t.package)]
        if usable and self.chance(0.85):
            t.parent = self.rng.choice(usable[-4:])
        t.interfaces = self.some_interfaces(t)
        self.types.append(t)

    def make_nests(self):
        for p in PACKAGES:
            mates = [t for t in self.types if t.package == p]
            self.rng.shuffle(mates)
            host, mates = mates[0], mates[1:self.rng.randint(1, 4)]
            for t in mates:
                t.nest_host = host.name
                if self.chance(0.93):          # else: a member that its host does not know
                    host.nest_members.append(t.name)
        if self.chance(0.1):
            stray = self.rng.choice(self.types)
            stray.nest_host = self.rng.choice([f"h{self.number}/a/Gone", self.rng.choice(self.types).name])

    # Members

    def class_flags(self, t):
        flags = ABSTRACT if t.is_abstract else 0
        flags |= INTERFACE if t.is_interface else (SUPER if self.chance(0.9) else 0)
        return flags | (PUBLIC if t.is_public else 0)

    def method_flags(self, t):
        if t.is_interface:
            return self.rng.choice([PUBLIC | ABSTRACT] * 4 + [PUBLIC] * 5 + [PRIVATE, PRIVATE | STATIC, PUBLIC | STATIC])
        access = self.rng.choice(ACCESS)
        if self.chance(0.1):
            return access | STATIC
        if access != PRIVATE and self.chance(0.3 if t.is_abstract else 0.05):
            return access | ABSTRACT
        return access | (FINAL if self.chance(0.06) else 0)

    def value(self, c, desc, n):
        if desc == INT:
            return c.push(n) + u1(IRETURN)
        return c.push(n) + c.invoke(INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;") + u1(ARETURN)

    def add_methods(self, t, c):
        t.finals |= t.parent.finals if t.parent else set()
        for name, desc in SELECTORS:
            if not self.chance(0.2 if name in ("hashCode", "clone") else 0.45):
                continue
            flags, n = self.method_flags(t), self.out.number(f"{t.name}.{name}")
            if not flags & (PRIVATE | STATIC) and name in t.finals:
                continue                  # the JVM refuses the whole class
            if flags & FINAL:
                t.finals.add(name)
            c.method(flags, name, desc, None if flags & ABSTRACT else self.value(c, desc, n))
        if not t.is_interface and self.chance(0.4):
            c.method(self.rng.choice(ACCESS), "<init>", "(I)V", u1(RETURN))

    def add_fields(self, t, c):
        for name in FIELDS:
            if not self.chance(0.35):
                continue
            flags = PUBLIC | STATIC | FINAL if t.is_interface else self.rng.choice(ACCESS)
            if not t.is_interface and self.chance(0.8):
                flags |= STATIC
            c.field(flags, name, "I", self.out.number(f"{t.name}.{name}") if flags & STATIC else None)

    def write(self, t):
        c = ClassWriter(t.name, t.parent.name if t.parent else "java/lang/Object", [i.name for i in t.interfaces],
                        self.class_flags(t))
        if not t.is_interface:
            c.constructor(PUBLIC, t.parent.name if t.parent else "java/lang/Object")
        if not t.is_abstract:
            c.method(PUBLIC | STATIC, "make", OBJECT, u1(NEW) + u2(c.this) + u1(DUP) +
                     c.invoke(INVOKESPECIAL, t.name, "<init>", "()V") + u1(ARETURN))
        self.add_methods(t, c)
        self.add_fields(t, c)
        for q in t.questions:
            c.method(PUBLIC | STATIC, f"q{q[0]}", "(Ljava/lang/Object;)Ljava/lang/Object;", self.question_code(c, *q[1:]))
        if t.nest_host:
            c.nest_host(t.nest_host)
        elif t.nest_members:
            c.nest_members(t.nest_members)
        self.out.write_class(t.name, c.bytes())

    def question_code(self, c, op, ref, is_interface, name, desc):
        if op == "getstatic":
            code = u1(GETSTATIC) + u2(c.fieldref(ref, name, "I"))
        elif name == "<init>":
            code = u1(ACONST_NULL) + u1(ICONST_1) + c.invoke(INVOKESPECIAL, ref, name, desc) + u1(ICONST_1)
        else:
            opcode = {"static": INVOKESTATIC, "special": INVOKESPECIAL, "virtual": INVOKEVIRTUAL,
                      "interface": INVOKEINTERFACE}[op]
            code = b"" if op == "static" else u1(ALOAD_0)
            code += c.invoke(opcode, ref, name, desc, is_interface)
        if desc != OBJECT:
            code += c.invoke(INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;")
        return code + u1(ARETURN)

    # Questions

    def receiver(self, of, other=0.0):
        below = [t for t in self.concrete if of in t.supertypes()]
        if self.chance(other):
            below = self.concrete
        return self.rng.choice(below).name if below else "-"

    def ask(self, caller, op, ref, is_interface, name, desc, receiver):
        n = self.out.ask(caller.name, op, ref, is_interface, name, desc, receiver)
        caller.questions.append((n, op, ref, is_interface, name, desc))

    def ask_special(self, caller, name, desc):
        supers = [caller] + caller.interfaces
        t = caller
        while t.parent:
            t = t.parent
            supers += [t, t]
        ref = self.rng.choice(supers)
        is_interface = ref.is_interface != self.chance(0.03)
        receiver = self.receiver(caller)
        if receiver != "-":       # with null, JVMs differ in whether selection comes first
            self.ask(caller, "special", ref.name, is_interface, name, desc, receiver)

    def ask_array(self, caller, element, name, desc):
        self.ask(caller, "virtual", f"[L{element.name};", False, name, desc, f"[{element.name}")

    def ask_something(self):
        caller, ref = self.rng.choice(self.types), self.rng.choice(self.types)
        name, desc = self.rng.choice(SELECTORS)
        op = self.rng.choice(["static"] * 2 + ["special"] * 3 + ["virtual"] * 4 + ["interface"] * 4 +
                             ["getstatic", "init", "odd"])
        if op == "special":
            self.ask_special(caller, name, desc)
        elif op == "static":
            self.ask(caller, op, ref.name, ref.is_interface != self.chance(0.05), name, desc, "-")
        elif op == "virtual":
            if ref.is_interface and self.chance(0.9):
                ref = self.rng.choice([t for t in self.types if not t.is_interface])
            self.ask(caller, op, ref.name, False, name, desc, self.receiver(ref))
        elif op == "interface":
            if not ref.is_interface and self.chance(0.9):
                ref = self.rng.choice([t for t in self.types if t.is_interface])
            self.ask(caller, op, ref.name, True, name, desc, self.receiver(ref, 0.1))
        elif op == "getstatic":
            self.ask(caller, op, ref.name, ref.is_interface, self.rng.choice(FIELDS), "I", "-")
        elif op == "init":
            ref = self.rng.choice([t for t in self.types if not t.is_interface])
            self.ask(caller, "special", ref.name, False, "<init>", "(I)V", "-")
        elif self.chance(0.5):
            self.ask_array(caller, ref, name, desc)
        else:
            self.ask(caller, "static", f"h{self.number}/a/Gone", False, name, desc, "-")


class Output:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.ids, self.questions = ["1\tjava/lang/Object.hashCode"], []

    def number(self, what):
        n = 1000 + len(self.ids)
        self.ids.append(f"{n}\t{what}")
        return n

    def ask(self, caller, op, ref, is_interface, name, desc, receiver):
        self.questions.append(f"{len(self.questions)} {op} {caller} {ref} {int(is_interface)} {name} {desc} {receiver}")
        return len(self.questions) - 1

    def write_class(self, name, data):
        path = self.folder / "classes" / (name + ".class")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def finish(self):
        (self.folder / "ids").write_text("\n".join(self.ids) + "\n")
        (self.folder / "questions").write_text("\n".join(self.questions) + "\n")


def main(seed, worlds, folder):
    rng, out = random.Random(seed), Output(folder)
    for n in range(worlds):
        w = World(n, rng, out)
        for _ in range(300):
            w.ask_something()
        for t in w.types:
            w.write(t)
    out.finish()


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
