#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chain_programs.py OUT [--virtual] [--open] SEED... - writes random components for call chains, and a client of each.

OUT/part has the components, package gS for the seed S, and what they call outside, package outside; OUT/clients has cS.Main,
which calls what is public, and client.All, whose main runs the programs of the seeds that are its arguments. Programs throw,
recurse, call back, start threads and initialise classes; they end after some hundred calls and do the same in each run.

Programs of seeds that 4 divides call by reflection, method handles and proxies, too; those that 32 divides run out of stack. With --virtual
some threads are virtual ones, which need a JDK that has them. With --open clients pass lambdas and objects of classes of their own.
"""
import random
import sys
from pathlib import Path

OP = """public interface Op {
	int ap(int d);
	default int dflt(int d) { if (!outside.Budget.step(d)) return 1; return ap(d - 1) + tail(d - 1); }
	private int tail(int d) { return Op.end(d); }
	static int end(int d) { return d; }
}"""
UN = "public interface Un { int un(C0 c, int d); }"
MK = "public interface Mk { C0 mk(int d); }"
G = "public interface G<T> { int g(T t, int d); }"
E = """public class E extends RuntimeException {
	public E(int d) { super(E.text(d)); if (outside.Budget.chance(9)) throw new outside.Trouble(d); }
	static String text(int d) { return "e" + d; }
}"""


class Program:
    def __init__(self, seed, virtual, is_open):
        self.is_open = is_open
        self.seed, self.r = seed, random.Random(seed)
        self.dynamic, self.overflow, self.virtual = seed % 4 == 0, seed % 32 == 0, virtual
        self.n = self.r.randint(2, 4)
        self.parent = [None] + [self.r.randrange(i) if self.r.random() < 0.8 else 0 for i in range(1, self.n)]
        self.selectors = self.r.randint(2, 3)
        self.extras = self.r.sample(["enum", "record", "bridge", "iter", "inner", "template", "thread", "close", "static"], 4)
        self.access = self.r.choice(["public ", ""])
        self.files = {}

    def chance(self, p):
        return self.r.random() < p

    def some(self):
        return self.r.randrange(self.n)

    def m(self):
        return f"m{self.r.randrange(self.selectors)}"

    # Expressions of type int; c: "static", or the number of the class; d: the variable that bounds depth

    def obj(self, c, d):
        k = self.some()
        choices = [f"new C{k}({d} - 1)", f"C{k}.make({d} - 1)", f"C{k}.kept", f"C{k}.kept"]
        if c != "static":
            choices += ["this", "this", "this", "peer", "peer"]
        return self.r.choice(choices)

    def fn(self, c, d, nest):
        """A lambda or method reference of int to int."""
        k, choices = self.some(), ["lambda"] * 3 + ["static", "factory", "bound"]
        if c != "static":
            choices += ["private", "super"] if self.parent[c] is not None else ["private"]
        kind = self.r.choice(choices)
        if kind == "lambda":
            v = f"x{nest}"
            return f"{v} -> {self.call(c, v, nest + 1)}"
        return {"static": f"C{k}::st", "factory": f"Ops::by{self.r.randrange(2)}", "bound": f"{self.obj(c, d)}::{self.m()}",
                "private": "this::p", "super": f"super::{self.m()}"}[kind]

    def call(self, c, d, nest=0):
        simple = [self.on_object, self.on_object, self.static, self.op, self.own, self.own]
        rich = [self.by_lambda, self.outside, self.outside, self.extra, self.extra, self.threads, self.initialise]
        if self.dynamic:
            rich.append(self.reflect)
        if self.overflow:
            rich.append(lambda *_: "Deep.run()")
        return self.r.choice(simple if nest > 1 or self.chance(0.45) else rich)(c, d, nest)

    def on_object(self, c, d, nest):
        return f"{self.obj(c, d)}.{self.m()}({d} - 1)"

    def static(self, c, d, nest):
        return f"C{self.some()}.st({d} - 1)"

    def op(self, c, d, nest):
        return f"Ops.pick({d}).{self.r.choice(['ap', 'ap', 'dflt'])}({d} - 1)"

    def own(self, c, d, nest):
        if c == "static":
            return self.static(c, d, nest)
        choices = [f"p({d} - 1)", f"this.{self.m()}({d} - 1)"]
        if self.parent[c] is not None:
            choices += [f"super.{self.m()}({d} - 1)"] * 2
        return self.r.choice(choices)

    def by_lambda(self, c, d, nest):
        return self.r.choice([
            lambda: f"((Op) {self.fn(c, d, nest)}).{self.r.choice(['ap', 'dflt'])}({d} - 1)",
            lambda: f"((Un) C0::{self.m()}).un({self.obj(c, d)}, {d} - 1)",
            lambda: f"((Mk) C{self.some()}::new).mk({d} - 1).{self.m()}({d} - 1)",
            lambda: f"new Op() {{ public int ap(int y{nest}) {{ return {self.call('static', f'y{nest}', nest + 1)}; }} }}.ap({d} - 1)"])()

    def outside(self, c, d, nest):
        fn = self.fn(c, d, nest)
        return self.r.choice([
            lambda: f"outside.Lib.{self.r.choice(['apply', 'twice', 'nested', 'through', 'caught', 'wrapped', 'locked', 'each'])}({fn}, {d} - 1)",
            lambda: f"outside.Lib.{self.r.choice(['apply', 'caught', 'wrapped'])}({fn}, {d} - 1)",
            lambda: f"outside.Lib.atLast({fn}, {self.fn(c, d, nest)}, {d} - 1)",
            lambda: f"outside.Lib.sort((a{nest}, b{nest}) -> {self.call(c, d, nest + 1)})",
            lambda: f"outside.Lib.{self.r.choice(['hash', 'text'])}({self.obj(c, d)})",
            lambda: f"(\"\" + {self.obj(c, d)}).length()",
            lambda: f"new outside.Back({fn}).call({d} - 1)",
            lambda: f"outside.Lib.raise({d})"])()

    def threads(self, c, d, nest):
        if self.virtual and self.chance(0.5):
            return f"outside.Virtual.thread(() -> {{ int z{nest} = {self.call(c, d, nest + 1)}; }})"
        if "thread" in self.extras and self.chance(0.5):
            return f"W.go({d} - 1)"
        return f"outside.Lib.thread(() -> {{ int z{nest} = {self.call(c, d, nest + 1)}; }})"

    def initialise(self, c, d, nest):
        return f"H{self.r.randrange(2)}.v"

    def extra(self, c, d, nest):
        return {"enum": f"Tone.pick({d}).sound({d} - 1)", "record": f"new Pair({d}, {d} - 1).sum({d} - 1)",
                "bridge": f"Ops.g().g({self.obj(c, d)}, {d} - 1)", "iter": f"It.sum({d} - 1)",
                "inner": f"C0.Nest.in({d} - 1)" if c == "static" else f"new Inner{c}({d} - 1).in({d} - 1)",
                "template": f"new T({d} - 1).template({d} - 1)", "thread": f"W.go({d} - 1)",
                "close": f"Res.use({d} - 1)", "static": f"C0.Nest.in({d} - 1)"}[self.r.choice(self.extras)]

    def reflect(self, c, d, nest):
        o = self.obj(c, d)
        return self.r.choice([f"outside.Dynamic.reflect({o}, \"{self.m()}\", {d} - 1)",
                              f"outside.Dynamic.handle({o}, C0.class, \"{self.m()}\", {d} - 1)",
                              f"outside.Dynamic.proxy(Op.class, Ops.pick({d})).ap({d} - 1)"])

    # Statements

    def statement(self, c, d, depth=0):
        kind = self.r.choice(["call"] * 5 + ["try", "try", "throw", "if", "loop", "sync", "finally", "set"])
        if depth > 1:
            kind = "call"
        inner = lambda: self.statement(c, d, depth + 1)
        if kind == "try":
            what = self.r.choice(["E", "RuntimeException", "outside.Trouble", "LinkageError", "E"])
            return f"try {{ {inner()} }} catch ({what} e{depth}) {{ {inner()} }}"
        if kind == "throw":
            what = self.r.choice([f"new E({d})", f"new E({d})", f"new outside.Trouble({d})"])
            return f"if (outside.Budget.chance({self.r.randint(2, 5)})) throw {what};"
        if kind == "if":
            return f"if (outside.Budget.chance(2)) {{ {inner()} }} else {{ {inner()} }}"
        if kind == "loop":
            return f"for (int i{depth} = 0; i{depth} < 2; i{depth}++) {{ {inner()} }}"
        if kind == "sync":
            return f"synchronized (C0.LOCK) {{ outside.Budget.hold(); try {{ {inner()} }} finally {{ outside.Budget.release(); }} }}"
        if kind == "finally":
            return f"try {{ {inner()} }} finally {{ {inner()} }}"
        if kind == "set":
            target = f"C{self.some()}.kept" if c == "static" or self.chance(0.5) else "peer"
            k = target[1:target.index(".")] if "." in target else 0
            return f"{target} = new C{k if '.' in target else self.some()}({d} - 1);"
        return f"acc += {self.call(c, d)};"

    def body(self, c, d="d", most=3, guard="return d;", end="return acc;"):
        lines = [f"if (!outside.Budget.step({d})) {guard}", "int acc = 0;"]
        lines += [self.statement(c, d) for _ in range(self.r.randint(1, most))]
        return " ".join(lines + [end] if end else lines)

    # Classes

    def constructor(self, k):
        args = self.r.choice(["d - 1", "d - 1", f"C{self.some()}.st(d - 1)"]) if self.parent[k] is not None else ""
        body = self.body(k, most=2, guard="return;", end="")
        other = self.r.choice(["this(2);", f"this(C{self.some()}.st(2));", f"super({'1' if args else ''});"])
        return [f"public C{k}(int d) {{ super({args}); {body} }}", f"public C{k}() {{ {other} }}"]

    def write_class(self, k):
        lines = [f"public class C{k}" + (f" extends C{self.parent[k]}" if k else " implements Op") + " {"]
        if k == 0:
            lines += ["static final Object LOCK = new Object();", "protected C0 peer;",
                      f"public String toString() {{ return \"c\" + {self.call(0, '1', 2)}; }}",
                      f"public int hashCode() {{ return {self.call(0, '1', 2)}; }}",
                      f"public int ap(int d) {{ {self.body(0)} }}"]
        elif self.chance(0.4):
            lines.append(f"public int ap(int d) {{ {self.body(k)} }}")
        lines.append(f"static C{k} kept;")
        if self.chance(0.4):
            lines.append(f"static {{ outside.Budget.hold(); try {{ kept = new C{k}(2); }} finally {{ outside.Budget.release(); }} }}")
        lines += self.constructor(k)
        lines.append(f"static C0 make(int d) {{ switch (outside.Budget.pick({self.n})) {{ "
                     + " ".join(f"case {i}: return new C{i}(d);" for i in range(self.n - 1)) + f" default: return new C{self.n - 1}(d); }} }}")
        for i in range(self.selectors):
            if k == 0 or self.chance(0.5):
                lock, body = "", self.body(k)
                if self.chance(0.15):
                    lock, body = "synchronized ", f"outside.Budget.hold(); try {{ {body} }} finally {{ outside.Budget.release(); }}"
                lines.append(f"public {lock}int m{i}(int d) {{ {body} }}")
        lines.append(f"private int p(int d) {{ {self.body(k)} }}")
        lines.append(f"{self.access}static int st(int d) {{ {self.body('static')} }}")
        lines.append(f"public static int with(outside.Back b, C0 o, int d) {{ if (!outside.Budget.step(d)) return 0; int acc = b.call(d - 1);"
                     f" return acc + o.{self.m()}(d - 1); }}")
        lines.append(f"public static outside.Back back(int d) {{ return d > 3 ? null : new outside.Back({self.fn('static', 'd', 0)}); }}")
        lines.append(f"public static int use(Op o, int d) {{ if (!outside.Budget.step(d)) return 0; return o.{self.r.choice(['ap', 'dflt'])}(d - 1); }}")
        if "inner" in self.extras:
            lines.append(f"class Inner{k} {{ Inner{k}(int d) {{ {self.body('static', most=1, guard='return;', end='')} }}"
                         f" int in(int d) {{ if (!outside.Budget.step(d)) return 0; return {self.m()}(d - 1) + p(d - 1); }} }}")
        if k == 0:
            lines.append(f"static class Nest {{ static int in(int d) {{ {self.body('static')} }} }}")
        self.add(f"C{k}", lines + ["}"])

    def write_ops(self):
        k = self.some()
        choices = [f"new C{i}(d - 1)" for i in range(self.n)] + [f"x -> {self.call('static', 'x', 1)}", f"C{k}::st", f"C{k}.make(d)",
                                                                f"new C{k}()::{self.m()}", "Ops::by0", "Ops::by1"]
        choices = self.r.sample(choices, 4)
        cases = " ".join(f"case {i}: return {e};" for i, e in enumerate(choices))
        self.add("Ops", ["public final class Ops {", f"static Op pick(int d) {{ switch (outside.Budget.pick(5)) {{ {cases} default: return C0.kept; }} }}",
                         f"static int by0(int d) {{ {self.body('static')} }}", f"static int by1(int d) {{ {self.body('static', most=1)} }}",
                         "static G<C0> g() { return new GI(); }", "}"])
        self.add("GI", ["class GI implements G<C0> {", f"public int g(C0 t, int d) {{ if (!outside.Budget.step(d)) return 1; return t.{self.m()}(d - 1); }}", "}"])

    def write_extras(self):
        self.add("Tone", ["enum Tone {", f"LOW {{ int sound(int d) {{ {self.body('static')} }} }},", "HIGH;", "private static final int N = count();",
                          "static int count() { return values().length; }",
                          "static Tone pick(int d) { return outside.Budget.chance(2) ? LOW : HIGH; }",
                          f"int sound(int d) {{ if (!outside.Budget.step(d)) return N; switch (pick(d)) {{ case LOW: return {self.call('static', 'd', 1)}; default: return 3; }} }}", "}"])
        self.add("Pair", ["record Pair(int a, int b) {", "Pair { if (a < 0) throw new E(a); a = norm(a); }", "static int norm(int a) { return a % 100; }",
                          f"int sum(int d) {{ if (!outside.Budget.step(d)) return a(); return hashCode() + b() + {self.call('static', 'd', 1)}; }}", "}"])
        self.add("It", ["class It implements Iterable<Integer>, java.util.Iterator<Integer> {", "private int left;", "It(int d) { left = d > 2 ? 2 : d; }",
                        "public java.util.Iterator<Integer> iterator() { return this; }", "public boolean hasNext() { return left > 0; }",
                        "public Integer next() { return --left; }",
                        "static int sum(int d) { if (!outside.Budget.step(d)) return 0; int acc = 0; for (int i : new It(d)) acc += i;"
                        f" new It(d).forEachRemaining(x -> {{ int z = {self.call('static', 'x', 1)}; }}); return acc; }}", "}"])
        self.add("T", ["class T extends outside.Base {", f"T(int d) {{ super({self.r.choice(['d', '2', 'C0.st(d - 1)'])}); {self.body('static', most=1, guard='return;', end='')} }}",
                       f"protected int hook(int d) {{ {self.body('static', most=2)} }}",
                       "public int template(int d) { if (!outside.Budget.step(d)) return 0; return super.template(d) + 1; }", "}"])
        self.add("W", ["class W extends Thread {", "private final int d;", "W(int d) { this.d = d; }",
                       f"public void run() {{ int acc = 0; if (outside.Budget.step(d)) acc += {self.call('static', 'd', 1)}; }}",
                       "static int go(int d) { if (d <= 0) return 0; W w = new W(d); if (!outside.Budget.isFree()) { w.run(); return 2; } w.start(); try { w.join(); } catch (InterruptedException e) { throw new E(d); } return 1; }", "}"])
        self.add("Res", ["class Res implements AutoCloseable {", f"Res(int d) {{ {self.body('static', most=1, guard='return;', end='')} }}",
                         f"public void close() {{ int acc = {self.call('static', '1', 2)}; }}",
                         f"static int use(int d) {{ if (!outside.Budget.step(d)) return 0; try (Res a = new Res(d - 1); Res b = new Res(d - 2)) {{ return {self.call('static', 'd', 1)}; }} }}", "}"])
        for i in range(2):
            throws = "if (outside.Budget.chance(2)) throw new E(1);" if self.chance(0.4) else ""
            up = " extends H0" if i and self.chance(0.5) else ""
            self.add(f"H{i}", [f"class H{i}{up} {{", "static int v;",
                               f"static {{ outside.Budget.hold(); try {{ v = first(3); {throws} v += {self.call('static', '3', 1)}; }} finally {{ outside.Budget.release(); }} }}",
                               f"static int first(int d) {{ {self.body('static', most=1)} }}", "}"])
        if self.overflow:
            room = "".join(f"long l{i} = d; " for i in range(120))        # so that few frames fill the stack
            self.add("Deep", ["class Deep {", "static int depth;", "static int run() { return depth > 0 ? 0 : outside.Lib.small(() -> { try { down(1); } catch (StackOverflowError e) { up(1); } }); }",
                              "static int down(int d) { " + room + "depth++; return d % 3 == 0 ? outside.Lib.apply(Deep::down, d + 1) : other(d + 1); }",
                              "static int other(int d) { " + room + "return down(d + 1) + 1; }", "static int up(int d) { return d; }", "}"])

    def write_client(self):
        lines = [f"package c{self.seed};", f"import g{self.seed}.*;", "public final class Main {"]
        calls = []
        for _ in range(self.r.randint(5, 8)):
            k, j = self.some(), self.some()
            own = [f"C{k}.with(new outside.Back(new C{j}(2)::{self.m()}), new C{k}(2), 5);",
                   f"C{k}.use(x -> new C{j}(x - 1).{self.m()}(x - 1), 5);", f"C{k}.use(new C{j}(3)::{self.m()}, 5);",
                   f"new C{k}(2) {{ public int {self.m()}(int d) {{ return outside.Budget.step(d) ? super.{self.m()}(d - 1) : 0; }} }}.{self.m()}(5);"]
            calls.append(self.r.choice((own if self.is_open else []) + [
                f"new C{k}(4).{self.m()}(6);", f"C0 o = new C{k}(); o.{self.m()}(6); o.ap(5);", f"Op o = new C{k}(3); o.dflt(5);",
                f"C{k}.with(C{j}.back(2), new C{k}(2), 5);", f"C{k}.use(new C{j}(3), 5);", f"new C{k}(5);",
                f"outside.Lib.thread(() -> new C{k}(3).{self.m()}(5));", f"outside.Lib.text(new C{k}(2));"]))
        for i, text in enumerate(calls):
            lines.append(f"static void call{i}() {{ {text} }}")
        run = " ".join(f"try {{ call{i}(); }} catch (Throwable e) {{ }}" for i in range(len(calls)))
        return "\n".join(lines + [f"public static void run() {{ {run} }}", "}"]) + "\n"

    def add(self, name, lines):
        self.files[name] = f"package g{self.seed};\n" + "\n".join(lines) + "\n"

    def write(self, out):
        for text in (OP, UN, MK, G, E):
            self.add(text.split("{")[0].split("<")[0].replace(" extends RuntimeException", "").split()[-1], [text])
        for k in range(self.n):
            self.write_class(k)
        self.write_ops()
        self.write_extras()
        for name, text in self.files.items():
            put(out / f"part/g{self.seed}/{name}.java", text)
        put(out / f"clients/c{self.seed}/Main.java", self.write_client())


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_outside(out, virtual):
    text = Path(__file__).with_name("chain_outside.txt").read_text()
    for part in text.split("// file: ")[1:]:
        name, body = part.split("\n", 1)
        put(out / "part" / name, body)
    if virtual:
        put(out / "part/outside/Virtual.java", """package outside;
public final class Virtual {
	public static int thread(Runnable r) {
		if (!Budget.isFree()) return Lib.thread(r);
		try { Thread.ofVirtual().uncaughtExceptionHandler((t, e) -> { }).start(r).join(); } catch (InterruptedException e) { throw new Trouble(e); }
		return 1;
	}
}
""")


def write_driver(out, seeds):
    cases = "\n".join(f"\t\tcase {s}: c{s}.Main.run(); break;" for s in seeds)
    put(out / "clients/client/All.java", f"""package client;
public final class All {{
	static void run(int seed) {{
		switch (seed) {{
{cases}
		}}
	}}
	public static void main(String[] args) {{
		Thread.setDefaultUncaughtExceptionHandler((t, e) -> {{ }});
		for (String s : args) {{
			outside.Budget.reset(Integer.parseInt(s), 220);
			run(Integer.parseInt(s));
		}}
	}}
}}
""")


def main():
    virtual, is_open = "--virtual" in sys.argv, "--open" in sys.argv
    out, *seeds = [a for a in sys.argv[1:] if a[:2] != "--"]
    write_outside(Path(out), virtual)
    write_driver(Path(out), seeds)
    for s in seeds:
        Program(int(s), virtual, is_open).write(Path(out))


if __name__ == "__main__":
    main()
