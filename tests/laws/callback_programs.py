#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""callback_programs.py OUT SEED... - writes random applications and a library for each: packages lS and aS of the seed S, main class
aS.Main; All runs all.

The library keeps what it is given in fields, arrays, static fields and chains of its own objects, and calls it back: through
interfaces (with default methods), classes that the application extends, static methods of the application's, exceptions that it
catches, initialisers, lambdas and threads. Much of it is only met by who made it, so that looking at one call by itself makes a
difference. A program burns fuel, catches what is thrown and does the same in each run.
"""
import random
import sys
from pathlib import Path

FUEL = 120               # methods that each scenario of main may enter
FAILURES = "ClassCastException | NullPointerException"


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seed, self.lib, self.app = seed, f"l{seed}", f"a{seed}"
        self.faces = [f"I{i}" for i in range(self.r.randint(2, 3))]
        self.classes = [f"L{i}" for i in range(self.r.randint(3, 5))]
        self.own = [f"A{i}" for i in range(self.r.randint(4, 7))]
        self.implements = {a: self.r.sample(self.faces, self.r.randint(1, 2)) for a in self.own}
        self.parent = {a: self.r.choice(self.classes) for a in self.own if self.chance(0.4)}
        kinds = ["Object"] * 2 + self.faces * 3 + self.classes
        self.on = {i: (self.r.choice(kinds), self.r.choice(kinds)) for i in self.faces}          # parameter, result
        self.methods = {(c, f"m{k}"): (self.r.choice(kinds), self.r.choice(kinds)) for c in self.classes for k in range(self.r.randint(2, 3))}
        self.fields = {(c, f"f{k}"): self.r.choice(kinds + ["Object[]"] * 2) for c in self.classes for k in range(self.r.randint(1, 3))}
        self.count = 0
        self.is_library = True

    def chance(self, p):
        return self.r.random() < p

    def typed(self, kind):
        """As it is written everywhere."""
        return kind if kind.startswith("Object") or kind in self.own else f"{self.lib}.{kind}"

    # Expressions of a type. `scope`: variable -> type.

    def null(self, kind):
        return f"(({self.typed(kind)}) null)"

    def is_subtype(self, kind, of):
        return of == "Object" or kind == of or (kind in self.own and (of in self.implements[kind] or of == self.parent.get(kind)))

    def makers(self, kind):
        """Expressions that make an object of this type; None: the library makes none."""
        if not self.is_library and kind not in self.classes and self.chance(0.7):
            return [f"new {a}()" for a in self.own if self.is_subtype(a, kind)] or self.echo(kind)
        own = [] if self.is_library else [a for a in self.own if self.is_subtype(a, kind)]
        made = [f"new {a}()" for a in own] + [f"{a}.make()" for a in own if self.chance(0.2)]
        if kind in self.classes:
            made += [f"new {self.lib}.{kind}()"] * (1 + len(made) // 2)
        if kind in self.faces:
            if self.is_library or self.chance(0.2):
                made.append(f"new {self.lib}.Echo{kind}()")
            if not self.is_library and self.chance(0.4):
                made.append(self.function(kind))
        if kind == "Object":
            made.append(f"new {self.lib}.{self.r.choice(self.classes)}()")
        return made

    def echo(self, kind):
        return [f"new {self.lib}.Echo{kind}()"] if kind in self.faces else [f"new {self.lib}.{kind}()"]

    def function(self, face):
        gets, gives = self.on[face]
        body = "y" if self.is_subtype(gets, gives) else f"({self.typed(gives)}) {self.r.choice(self.own)}.give(y)"
        return f"({self.lib}.{face}) y -> {body}"

    def of_type(self, kind, scope, depth=0):
        near = [v for v, t in scope.items() if self.is_subtype(t, kind)]
        if near and self.chance(0.85 if depth else 0.5):
            return self.r.choice(near)
        choices = [lambda: self.r.choice(self.makers(kind) or [self.null(kind)])] * 2
        far = [v for v, t in scope.items() if t == "Object"]
        if far and self.chance(0.3):
            choices.append(lambda: f"(({self.typed(kind)}) (Object) {self.r.choice(far)})")
        if depth < 2:
            choices += [lambda: self.read(kind, scope, depth), lambda: self.call(kind, scope, depth)] * 2
        return self.r.choice(choices)()

    def read(self, kind, scope, depth):
        found = [f for f, t in self.fields.items() if self.is_subtype(t, kind)]
        if kind == "Object" or not found:
            found += [f for f, t in self.fields.items() if t == "Object[]"]
        if not found:
            return self.null(kind)
        c, f = self.near(found, scope)
        of = f"{self.of_type(c, scope, depth + 1)}.{f}"
        if self.fields[c, f] != "Object[]":
            return f"({of})"
        cast = "" if kind == "Object" else f"({self.typed(kind)}) "
        return f"({cast}{of}[{self.r.randrange(2)}])"

    def call(self, kind, scope, depth):
        found = [m for m, (_, t) in self.methods.items() if self.is_subtype(t, kind)]
        faces = [i for i, (_, t) in self.on.items() if self.is_subtype(t, kind)]
        if (self.chance(0.65 if self.is_library else 0.25) or not found) and faces:
            i = self.r.choice(faces)
            return f"{self.paren(self.of_type(i, scope, depth + 1))}.on{i}({self.of_type(self.on[i][0], scope, depth + 1)})"
        if not found:
            return self.null(kind)
        c, m = self.near(found, scope)
        return f"{self.paren(self.of_type(c, scope, depth + 1))}.{m}({self.of_type(self.methods[c, m][0], scope, depth + 1)})"

    @staticmethod
    def paren(e):
        return f"({e})" if " " in e and not e.startswith("new ") else e

    def near(self, members, scope):
        """One whose class has a variable, if there is one."""
        kinds = set(scope.values()) | {self.parent.get(k) for k in scope.values()}
        return self.r.choice([m for m in members if m[0] in kinds] or members)

    # Statements

    def write(self, scope):
        c, f = self.near(list(self.fields), scope)
        t = self.fields[c, f]
        of = self.paren(self.of_type(c, scope, 1))
        if t == "Object[]":
            return f"{of}.{f}[{self.r.randrange(2)}] = {self.of_type('Object', scope, 1)}"
        return f"{of}.{f} = {self.of_type(t, scope, 1)}"

    def rare(self, scope):
        hub, x = f"{self.lib}.Hub", self.of_type(self.faces[0], scope, 1)
        acts = [f"{hub}.kept = {x}", f"{hub}.fire({self.of_type(self.on[self.faces[0]][0], scope, 1)})", f"{hub}.start({x})",
                f"{hub}.last = {hub}.attempt({x})"]
        i = self.r.choice(self.faces)
        acts.append(f"{self.paren(self.of_type(i, scope, 1))}.dflt({self.of_type('Object', scope, 1)})")
        if self.is_library:
            acts += [f"{self.app}.{self.r.choice(self.own)}.give({self.of_type('Object', scope, 1)})",
                     f"new Late{self.r.randrange(2)}({x}).it.on{self.faces[0]}(null)"]
        return self.r.choice(acts)

    def statement(self, scope):
        """One, which may add a variable to the scope. What goes wrong ends it, not the method."""
        if self.chance(0.35):
            kind = self.r.choice(["Object"] + self.faces + self.classes)
            value = self.of_type(kind, scope)
            self.count += 1
            scope[f"v{self.count}"] = kind
            return f"{self.typed(kind)} v{self.count} = null;\n\t\ttry {{ v{self.count} = {value}; }} catch ({FAILURES} e) {{ }}"
        if self.chance(0.2):
            act = self.rare(scope)
        else:
            act = self.write(scope) if self.chance(0.4) else f"Object o = {self.call('Object', scope, 0)}"
        return f"try {{ {act}; }} catch ({FAILURES} e) {{ }}"

    def start(self, scope):
        """Objects of the library, and of its own, that a scenario begins with."""
        lines = []
        for k, c in enumerate(self.r.sample(self.classes, 2) + self.r.sample(self.own, 2)):
            scope[f"o{k}"] = c
            lines.append(f"{self.typed(c)} o{k} = new {self.typed(c)}();")
            lines += [f"o0.{f} = {self.of_type(t, scope, 2)};" for (of, f), t in self.fields.items() if of == scope["o0"] and k == 3 and t != "Object[]"]
        return lines

    def body(self, gives, scope, length):
        lines = [f"if (--{self.lib}.Hub.fuel < 0) return null;"]
        if length > 3 and not self.is_library:
            lines += self.start(scope)
        lines += [self.statement(scope) for _ in range(length)]
        if self.chance(0.1):
            kind = f"{self.lib}.Trouble" if self.is_library or self.chance(0.5) else "Oops"
            lines.append(f"if ({self.lib}.Hub.flip()) throw new {kind}({self.of_type('Object', scope, 1)});")
        lines.append(f"return {self.of_type(gives, scope, 2)};")
        return "\n\t\t".join(lines)

    def method(self, how, gives, name, gets, owner, length):
        scope = {"x": gets}
        if owner:
            scope["this"] = owner
        return f"\t{how} {self.typed(gives)} {name}({self.typed(gets)} x) {{\n\t\t{self.body(gives, scope, length)}\n\t}}\n"

    # Classes

    def library(self):
        self.is_library = True
        files = {}
        for i in self.faces:
            gets, gives = self.on[i]
            files[i] = (f"public interface {i} {{\n\t{self.typed(gives)} on{i}({self.typed(gets)} x);\n"
                        + self.method("default", "Object", "dflt", "Object", i, 1) + "}\n")
            files[f"Echo{i}"] = (f"public class Echo{i} implements {i} {{\n"
                                 + self.method("public", gives, f"on{i}", gets, None, 1) + "}\n")
        for c in self.classes:
            text = "".join(f"\tpublic {self.typed(t)} {f}{' = new Object[2]' if t == 'Object[]' else ''};\n"
                           for (k, f), t in self.fields.items() if k == c)
            for (k, m), (gets, gives) in self.methods.items():
                if k == c:
                    text += self.method("public", gives, m, gets, c, self.r.randint(2, 5))
            files[c] = f"public class {c} {{\n{text}}}\n"
        first = self.faces[0]
        for i in range(2):
            files[f"Late{i}"] = (f"class Late{i} {{\n\t{first} it;\n\tstatic Object begun = begin(null);\n\tLate{i}({first} x) {{ it = x; }}\n"
                                 + self.method("static", "Object", "begin", "Object", None, 2) + "}\n")
        files["Trouble"] = """public class Trouble extends RuntimeException {
	public final Object why;
	public Trouble(Object x) { why = x; }
	public Object said() { return why; }
}
"""
        files["Hub"] = f"""public class Hub {{
	public static int fuel, state = {self.seed + 5};
	public static {first} kept;
	public static Object last;
	public static boolean flip() {{ state = state * 1103515245 + 12345; return (state >> 16 & 1) == 0; }}
	public static Object fire({self.typed(self.on[first][0])} x) {{ return kept.on{first}(x); }}
	public static Object attempt({first} x) {{
		try {{ return x.on{first}(null); }} catch (Trouble t) {{ return t.said(); }}
	}}
	public static void start({first} x) {{
		Thread t = new Runner(x);
		t.start();
		try {{ t.join(60000); }} catch (InterruptedException e) {{ }}
	}}
}}
"""
        files["Runner"] = f"""class Runner extends Thread {{
	final {first} of;
	Runner({first} x) {{ of = x; }}
	@Override public void run() {{ try {{ of.on{first}(null); }} catch (RuntimeException e) {{ }} }}
}}
"""
        return {name: f"package {self.lib};\n{text}" for name, text in files.items()}

    def own_class(self, a):
        parent = self.parent.get(a)
        text = ""
        for i in self.implements[a]:
            gets, gives = self.on[i]
            text += self.method("@Override public", gives, f"on{i}", gets, a, self.r.randint(0, 3))
        if len(self.implements[a]) > 1 or self.chance(0.3):
            text += self.method("@Override public", "Object", "dflt", "Object", a, 1)
        for (c, m), (gets, gives) in self.methods.items():
            if c == parent and self.chance(0.6):
                text += self.method("@Override public", gives, m, gets, a, self.r.randint(0, 2))
        begun = f"\tstatic Object begun = new {self.lib}.{self.r.choice(self.classes)}();\n" if self.chance(0.3) else ""
        extends = f" extends {self.lib}.{parent}" if parent else ""
        faces = ", ".join(f"{self.lib}.{i}" for i in self.implements[a])
        return (f"package {self.app};\npublic class {a}{extends} implements {faces} {{\n{begun}\tstatic {a} make() {{ return new {a}(); }}\n"
                f"\tpublic static Object give(Object x) {{ return x; }}\n{text}}}\n")

    def application(self):
        self.is_library = False
        files = {a: self.own_class(a) for a in self.own}
        files["Oops"] = f"""package {self.app};
public class Oops extends {self.lib}.Trouble {{
	public Oops(Object x) {{ super(x); }}
	@Override public Object said() {{ return super.said(); }}
}}
"""
        runs = [f"run{i}" for i in range(self.r.randint(4, 8))]
        scenarios = "".join(self.method("static", "Object", run, "Object", None, self.r.randint(6, 12)) for run in runs)
        calls = "".join(f"\t\t{self.lib}.Hub.fuel = {FUEL};\n\t\ttry {{ {run}(new {self.lib}.{self.r.choice(self.classes)}()); }} "
                        "catch (RuntimeException | LinkageError e) { }\n" for run in runs)
        files["Main"] = f"package {self.app};\npublic class Main {{\n{scenarios}\tpublic static void main(String[] args) {{\n{calls}\t}}\n}}\n"
        return files

    def write_to(self, out):
        for package, files in ((self.lib, self.library()), (self.app, self.application())):
            folder = Path(out, package)
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (folder / f"{name}.java").write_text(text)


def main():
    out, seeds = sys.argv[1], [int(s) for s in sys.argv[2:]]
    for seed in seeds:
        Program(seed).write_to(out)
    calls = "".join(f"\t\ta{seed}.Main.main(args);\n" for seed in seeds)
    Path(out, "All.java").write_text(f"public class All {{\n\tpublic static void main(String[] args) {{\n{calls}\t}}\n}}\n")


if __name__ == "__main__":
    main()
