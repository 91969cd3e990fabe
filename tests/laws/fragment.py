#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fragment.py OUT CLIENTS SEED... - writes random components, and random clients of each.

The component of seed S is the package fS. Its clients are classes Main of packages of their own:

    fScK    closed clients: they use public members of public classes, and have no classes of their own
    fSrK    the same, but restricted to what OUT/fS.interface lists
    fSoK    open clients: they also extend classes, implement interfaces and pass lambdas

with K from 1 to CLIENTS for closed ones, to half as many for the others. The same seed gives the same texts. Component 0
is that of fragment_sorts.txt.
"""
import random
import sys
from pathlib import Path

from fragment_code import Code, Scope, View, client_uses, functional
from fragment_parts import PARTS
from fragment_world import Member, Type, Use, World, object_members, relevant_types

BASE = """public interface Fn {
	Object call(Object x);
}"""
RUNTIME = """final class Rt {
	static boolean flip;
}"""
EXCEPTION = """{access}class {name} extends {parent} {{
	{field}Object item;
	{access}{name}(Object o) {{ {start} item = o; }}
	public Object item() {{ return item; }}
}}"""


class Component(Code):
    """Plans a world, then writes it."""

    def __init__(self, seed):
        super().__init__(World(f"f{seed}"), random.Random(seed))
        self.plan()

    # Plan

    def some_access(self, public=0.6):
        return "public" if self.chance(public) else ""

    def some_type(self):
        if self.chance(0.2):
            return "Object"
        name = self.r.choice(list(self.world.types))
        return name + "[]" if self.chance(0.1) else name

    def plan(self):
        fn = self.world.add(Type("Fn", "interface", text=BASE))
        fn.methods = {("call", ("Object",)): Member("Fn", "call", "call", ["Object"], "Object", has_body=False)}
        for k in range(self.r.randint(1, 3)):
            above = [f"I{self.r.randrange(k)}"] if k and self.chance(0.4) else []
            self.world.add(Type(f"I{k}", "interface", self.some_access(0.8), interfaces=above))
        for k in range(self.r.randint(3, 6)):
            self.plan_class(f"C{k}", k)
        self.plan_exceptions()
        self.plan_parts()
        self.plan_selectors()
        for name in [n for n, t in self.world.types.items() if not t.text]:
            self.plan_members(self.world.types[name])

    def plan_class(self, name, k):
        interfaces = [t.name for t in self.world.types.values() if t.sort == "interface" and t.name != "Fn"]
        parent = f"C{self.r.randrange(k)}" if k and self.chance(0.6) else ""
        t = Type(name, "class", self.some_access(), parent, self.r.sample(interfaces, self.r.choice([0, 1, 1])))
        t.is_abstract = self.chance(0.2)
        self.world.add(t)

    def plan_exceptions(self):
        for k in range(2):
            access, parent = "public" if k == 0 else self.some_access(0.3), "E0" if k else "RuntimeException"
            text = EXCEPTION.format(name=f"E{k}", parent=parent, access=access + " " if access else "",
                                    field="public " if self.chance(0.5) else "private final ",
                                    start="super(o);" if k else "")
            t = self.world.add(Type(f"E{k}", "exception", access, parent, text=text))
            t.constructors = [Member(t.name, "new", t.name, ["Object"], "void", access)]
            t.methods = {("item", ()): Member(t.name, "call", "item", [], "Object")}
            if "public Object item;" in text:
                t.fields = [Member(t.name, "field", "item", [], "Object")]
            else:
                t.fields = [Member(t.name, "field", "item", [], "Object", "private", is_final=True)]

    def plan_parts(self):
        interfaces = [t.name for t in self.world.types.values() if t.sort == "interface"]
        for part in self.r.sample(PARTS, self.r.randint(2, 4)):
            names = {"I": self.r.choice(interfaces), "E": self.r.choice(["E0", "E1"]),
                     "T": self.r.choice([n for n in self.world.types if not n.startswith("E")])}
            part.add_to(self.world, names)

    def plan_selectors(self):
        """Methods that several types declare; those that are not public are of classes only."""
        self.selectors = []
        for k in range(7):
            access = "public" if k < 5 else self.r.choice(["protected", ""])
            params = [self.some_type() for _ in range(self.r.randint(0, 2))]
            returns = self.r.choice(["void", self.some_type(), self.some_type()])
            self.selectors.append(Member("", "call", f"m{k}", params, returns, access))

    def declare(self, t, m, has_body=True):
        above = self.world.implementation(t.name, m.key())
        if above and above.is_final:
            return
        returns = above.returns if above else m.returns
        below = [n for n in self.world.types if n != returns and self.world.is_subtype(n, returns)]
        if t.sort == "class" and below and returns != "void" and self.chance(0.15):
            returns = self.r.choice(below)
        t.methods[m.key()] = Member(t.name, "call", m.name, m.params, returns, m.access, has_body=has_body,
                                    is_final=has_body and t.sort == "class" and self.chance(0.08))

    def plan_members(self, t):
        public = [m for m in self.selectors if m.access == "public"]
        if t.sort == "interface":
            for m in self.r.sample(public, self.r.randint(1, 2)):
                self.declare(t, m, self.chance(0.4))
            return
        for m in self.r.sample(self.selectors, self.r.randint(1, 3)):
            self.declare(t, m, not (t.is_abstract and self.chance(0.4)))
        for key in self.world.unimplemented(t.name) if not t.is_abstract else self.world.conflicts(t.name):
            self.declare(t, self.world.keys(t.name)[key])
        for k in range(self.r.randint(1, 3)):
            self.plan_field(t, k)
        t.constructors = [Member(t.name, "new", t.name, [], "void", self.r.choice(["public", "public", "", "protected"]))]
        if self.chance(0.5):
            t.constructors.append(Member(t.name, "new", t.name, [self.some_type()], "void", self.some_access()))
        if self.chance(0.7):            # factories: what they make is of a class that their users need not know
            made = self.world.concrete_classes()
            made = self.r.choice([n for n in made if not self.world.is_nameable(n)] or made)
            returns = self.r.choice([a for a in self.world.ancestors(made) if a in self.world.types])
            m = Member(t.name, "call", f"make{t.name}", [self.some_type()], returns, self.some_access(0.8), is_static=True)
            t.methods[m.key()] = m

    def plan_field(self, t, k):
        is_static = self.chance(0.3)
        t.fields.append(Member(t.name, "field", f"{'s' if is_static else 'f'}{t.name}{k}", [], self.some_type(),
                               self.r.choice(["public", "public", "protected", "", "private"]), is_static,
                               is_final=self.chance(0.2)))

    # Text

    def see(self, t):
        """What the code of one type may use: everything but private members of others."""
        names = [n for n in self.world.types] + ["Object", "String"]
        uses = [u for u in self.world.uses() if u.member.access != "private" or u.member.owner == u.via == t.name]
        arrays = sorted({p for u in uses for p in u.member.params + [u.member.returns] if p.endswith("[]")})
        makers = [("Object", "new Object()"), ("Object", "new RuntimeException()")]
        self.view = View(names, uses + [Use("Object", m) for m in object_members()], arrays, arrays,
                         functional(self.world, names), makers, ["E1", "E0", "RuntimeException"], "Rt.flip", False)

    def write(self, t):
        self.lines = []
        self.see(t)
        sort = "abstract class" if t.is_abstract else t.sort
        head = f"{t.access} {sort} {t.name}".strip()
        if t.parent:
            head += f" extends {t.parent}"
        if t.interfaces:
            head += (" extends " if t.sort == "interface" else " implements ") + ", ".join(t.interfaces)
        self.open(head)
        if t.sort == "class":
            self.write_state(t)
        for m in t.methods.values():
            self.write_method(t, m)
        self.close()
        return "\n".join(self.lines)

    def write_state(self, t):
        for f in t.fields:
            words = [f.access] + ["static"] * f.is_static + ["final"] * f.is_final + [f.returns, f.name]
            value = f" = {self.expression(f.returns, Scope(), 1)}" if f.is_final or self.chance(0.4) else ""
            self.put(f"{' '.join(w for w in words if w)}{value};")
        if self.chance(0.4):
            self.open("static")
            self.statements(Scope(), 1, 1)
            self.close()
        for m in t.constructors:
            self.write_constructor(t, m)

    def write_constructor(self, t, m):
        v = self.fresh("a")
        self.open(f"{m.access} {t.name}({f'{m.params[0]} {v}' if m.params else ''})".strip())
        s = Scope({v: (m.params[0], False)} if m.params else {})
        if t.parent:
            above = self.r.choice(self.world.types[t.parent].constructors)
            self.put(f"super({self.arguments(above, s, 1)});")
        s.variables["this"] = (t.name, True)
        self.statements(s, 1, 1)
        self.close()

    def write_method(self, t, m):
        access = m.access if t.sort == "class" else "public"
        words = [access] + ["final"] * m.is_final + ["static"] * m.is_static
        if not m.has_body:
            names = ", ".join(f"{p} a{k}" for k, p in enumerate(m.params))
            self.put(f"{' '.join(words)} abstract {m.returns} {m.name}({names});".strip())
            return
        if t.sort == "interface":
            words.append("default")
        self.method(" ".join(w for w in words if w), m, Scope({} if m.is_static else {"this": (t.name, True)}))

    def files(self):
        texts = {"Rt": RUNTIME}
        for t in self.world.types.values():
            if t.text != "-":
                texts[t.name] = t.text or self.write(t)
        return {name: f"package {self.world.package};\n{text}\n" for name, text in texts.items()}


class Interface:
    """What clients of a component may use: members, and arrays that they make and access."""

    def __init__(self, world, uses):
        self.world, self.uses = world, uses
        params = {p for u in uses for p in u.member.params}
        arrays = params | {u.member.returns for u in uses}
        self.makes = sorted(a for a in params if a.endswith("[]"))
        self.loads = sorted(a for a in arrays if a.endswith("[]"))

    def view(self):
        types = relevant_types(self.world, self.uses, self.makes + self.loads)
        caught = [e for e in ("E1", "E0") if e in types and self.world.is_nameable(e)] + ["Throwable"]
        made = {u.via for u in self.uses if u.member.sort == "new"}
        uses = [u for u in self.uses if u.member.sort != "new" or self.world.types[u.via].outer in made | {""}]
        return View(types, uses, self.makes, self.loads, caught=caught)

    def lines(self):
        """In the syntax of interface files."""
        found = [f"class {dotted(self.world.binary(t))}" for t in sorted({u.via for u in self.uses})]
        for u in self.uses:
            m, via = u.member, dotted(self.world.binary(u.via))
            if m.sort == "field":
                found.append(f"field {via}.{m.name}")
            else:
                found.append(f"method {via}.{'<init>' if m.sort == 'new' else m.name}{self.world.signature(m)}")
        found += [f"new {array_text(self.world, a)}" for a in self.makes]
        found += [f"access {array_text(self.world, a)}" for a in self.loads]
        return "\n".join(found) + "\n"


def dotted(name):
    return name.replace("/", ".")


def array_text(world, a):
    return dotted(world.binary(a.replace("[]", ""))) + a[a.index("["):]


class Client(Code):
    def __init__(self, world, interface, package, seed):
        super().__init__(world, random.Random(seed))
        self.interface, self.package = interface, package
        self.view = interface.view()

    def text(self):
        self.put(f"package {self.package};")
        self.put(f"import {self.world.package}.*;")
        self.write_main()
        return "\n".join(self.lines) + "\n"

    def write_main(self):
        types = [t for t in self.view.types if self.is_nameable(t)]
        kept = {f"kept{k}": (self.r.choice(types), False) for k in range(2)}
        self.open("public class Main")
        self.put("static boolean flip;")
        for v, (t, _) in kept.items():
            self.put(f"static {t} {v};")
        helpers = self.r.randint(0, 2)
        for k in range(helpers):
            self.write_helper(k, kept)
        self.open("public static void main(String[] unused)")
        s = Scope(kept)
        self.statements(s, self.r.randint(4, 9))
        self.close()
        self.close()

    def write_helper(self, k, kept):
        types = [t for t in self.view.types if self.is_nameable(t)]
        m = Member("Main", "call", f"help{k}", [self.r.choice(types)], self.r.choice(types), is_static=True)
        self.method("static", m, Scope(kept))
        self.view.uses.append(Use("Main", m))


class OpenClient(Client):
    """Its classes extend what can be extended."""

    def text(self):
        self.put(f"package {self.package};")
        self.put(f"import {self.world.package}.*;")
        self.view.flip = "Main.flip"
        self.view.functions = {n: m for n, m in functional(self.world, self.view.types).items()
                               if all(self.is_nameable(t) for t in [n] + m.params + [m.returns])}
        self.view.uses = [u for u in self.view.uses if u.member.access == "public"]
        for k in range(self.r.randint(1, 4)):
            self.write_class(f"K{k}")
        self.write_main()
        return "\n".join(self.lines) + "\n"

    def can_extend(self, name):
        t = self.world.types[name]
        return (t.sort in ("class", "exception") and self.world.is_nameable(name) and not t.is_final and not t.outer and
                self.super_constructors(t) and "." not in name)

    def super_constructors(self, t):
        return [m for m in t.constructors if m.access in ("public", "protected") and
                all(self.is_nameable(p) for p in m.params)]

    def can_implement(self, name):
        t = self.world.types[name]
        return t.sort == "interface" and not t.is_sealed and self.world.is_nameable(name)

    def can_declare(self, m):
        return m.access in ("public", "protected") and not m.is_final and not m.is_static and \
            all(self.is_nameable(t) for t in m.params + [m.returns])

    def pick_supertypes(self):
        """A superclass, or none, and interfaces; None when they do not go together."""
        parents = [n for n in self.world.types if self.can_extend(n)] + [""]
        interfaces = [n for n in self.world.types if self.can_implement(n)]
        chosen = self.r.sample(interfaces, min(len(interfaces), self.r.randint(0, 2)))
        t = self.world.add(Type("K", "class", "", self.r.choice(parents), chosen))
        required = self.world.unimplemented("K")
        keys = self.world.keys("K")
        del self.world.types["K"]
        if not all(self.can_declare(keys[k]) and not self.is_final(t, k) for k in required):
            return None
        return t, required, keys

    def is_final(self, t, key):
        return any(key in self.world.types[c].methods and self.world.types[c].methods[key].is_final
                   for c in self.world.chain(t.parent))

    def write_class(self, name):
        found = self.pick_supertypes()
        if not found:
            return
        t, required, keys = found
        head = f"class {name}" + (f" extends {t.parent}" if t.parent else "")
        self.open(head + (" implements " + ", ".join(t.interfaces) if t.interfaces else ""))
        self.put("Object held;")
        self.write_constructor(name, t)
        extra = [k for k, m in keys.items() if self.can_declare(m) and not self.is_final(t, k) and self.chance(0.4)]
        for key in dict.fromkeys(required + extra):
            self.write_override(name, t, keys[key], key)
        if self.chance(0.5):
            self.method("public", Member(name, "call", "toString", [], "String"), Scope({"this": (name, True)}))
        self.close()
        self.remember(name, t)

    def write_constructor(self, name, t):
        self.open(f"{name}()")
        if t.parent:
            above = self.r.choice(self.super_constructors(self.world.types[t.parent]))
            self.put(f"super({self.arguments(above, Scope(), 1)});")
        self.statements(Scope(), 1, 1)
        self.close()

    def write_override(self, name, t, m, key):
        chain = [self.world.types[c] for c in self.world.chain(t.parent)]
        above = [c.methods[key] for c in chain if key in c.methods]
        m = above[0] if above else m
        if not self.can_declare(m):
            return
        m = Member(name, "call", m.name, m.params, m.returns, m.access, is_varargs=m.is_varargs)
        s = Scope({"this": (name, True), "held": ("Object", False)})
        if above and above[0].has_body and self.chance(0.4):
            text = f"super.{m.name}({self.arguments(m, Scope(), 1)});"
            self.put(f"Object super{m.name}() {{ {text + ' return null;' if m.returns == 'void' else 'return ' + text} }}")
        self.with_this(name, t, lambda: self.method(m.access, m, s))

    def with_this(self, name, t, write):
        """Within the class its own type is known, with protected members that it inherits."""
        self.world.types[name] = Type(name, "class", "public", t.parent, t.interfaces)
        kept = self.view.uses
        inherited = self.world.inherited_methods(t.parent) + self.world.inherited_fields(t.parent) if t.parent else []
        self.view.uses = kept + [Use(name, m) for m in inherited if m.access in ("public", "protected")]
        write()
        self.view.uses = kept
        del self.world.types[name]

    def remember(self, name, t):
        """Objects of the class can be made from here on."""
        for above in [t.parent] + t.interfaces if t.parent or t.interfaces else ["Object"]:
            if above:
                self.view.makers.append((above, f"new {name}()"))


def write(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.java").write_text(text)


def write_clients(out, world, prefix, count, interface, sort):
    for k in range(1, count + 1):
        package = f"{world.package}{prefix}{k}"
        write(out / package, "Main", sort(world, interface, package, package).text())


def write_sorts(out):
    for part in Path(__file__).with_name("fragment_sorts.txt").read_text().split("// file: ")[1:]:
        name, text = part.split("\n", 1)
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text)


def write_random(out, clients, seed):
    component = Component(int(seed))
    world = component.world
    for name, text in component.files().items():
        write(out / world.package, name, text)
    public = client_uses(world)
    of_object = [Use("Object", m) for m in object_members()]
    write_clients(out, world, "c", clients, Interface(world, public + of_object), Client)
    chosen = [u for u in public + of_object if component.chance(0.6)]
    listed = Interface(world, chosen)
    (out / f"{world.package}.interface").write_text(listed.lines())
    write_clients(out, world, "r", clients // 2, listed, Client)
    protected = client_uses(world, ("public", "protected"))
    write_clients(out, world, "o", clients // 2, Interface(world, protected + of_object), OpenClient)


if __name__ == "__main__":
    for one in sys.argv[3:]:
        if int(one) == 0:
            write_sorts(Path(sys.argv[1]))
        else:
            write_random(Path(sys.argv[1]), int(sys.argv[2]), one)
