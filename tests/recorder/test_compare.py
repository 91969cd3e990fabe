#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of compare.py: what it must explain, and above all what it must not excuse."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import compare

HEADER = "caller,site_pc,line,kind,callee\n"


def full(method):
    """Methods are written Class.name; their descriptor is ()V where none is."""
    return method if "(" in method else f"{method}()V"


def fields(method):
    name, _, desc = full(method).partition("(")
    return name.rsplit(".", 1) + ["(" + desc]


def call(caller, callee, flags="-", receivers="-", site=None, origins="-", owners="-", pc=3):
    """A line of recorder.c; the caller - is the JVM."""
    if site is None:
        site = f"virtual:{'{}.{}:{}'.format(*fields(callee))}" if caller != "-" else "-"
    from_ = ["-", "-", "-"] if caller == "-" else fields(caller)
    return "\t".join(from_ + [str(pc)] + fields(callee) + [flags, receivers, site, origins, owners]) + "\n"


def origin(number, above, method):
    """Objects allocated with this method on the stack, below those of origin `above`."""
    return "\t".join(["", str(number), str(above)] + fields(method)) + "\n"


def new(caller, cls, flags="-"):
    return call(caller, f"{cls}.<init>", flags, cls)


def edge(caller, callee):
    """A row of a graph; no caller: an entry."""
    return f"{caller}()V,,,virtual,{callee}()V\n" if caller else f",,,entry,{callee}()V\n"


def as_json(*methods):
    """A graph in JSON. A method is (name, is entry, sites), a site (pc, targets, is open)."""
    def site(name, pc, targets, is_open):
        row = {"site": f"{full(name)}@{pc}", "pc": pc, "op": "virtual", "targets": [full(t) for t in targets]}
        return json.dumps(row | ({"open": True} if is_open else {}), separators=(",", ":"))

    def method(name, is_entry, sites):
        head = f'{{"method":"{full(name)}",' + ('"entry":true,' if is_entry else "") + '"sites":['
        return head + "".join("\n" + site(name, *s) for s in sites) + "]}"
    unresolved = '{"site":"A.m()V@3","pc":3,"cause":"reflection"}'
    return ('{"schema":"sherd/callgraph/1","algorithm":"andersen","entry":"main M",\n"methods":[\n' +
            ",\n".join(method(*m) for m in methods) + f'],\n"phantom_classes":[],\n"unresolved":[\n{unresolved}]}}\n')


class CompareTest(unittest.TestCase):
    def causes(self, calls, graph, models=(), algorithm="rta"):
        graph = graph if isinstance(graph, str) else HEADER + "".join(graph)
        with tempfile.TemporaryDirectory() as d:
            paths = os.path.join(d, "calls"), os.path.join(d, "graph")
            for path, text in zip(paths, ("".join(calls), graph)):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            seen = compare.Calls(paths[0])
            c = compare.Comparison(seen, compare.Graph(paths[1], seen), set(models), algorithm)
            return [e.cause for e in c.edges]

    def test_edge_in_the_graph(self):
        self.assertEqual(self.causes([call("A.m", "B.n")], [edge("A.m", "B.n")]), ["graph"])

    def test_missing_edge(self):
        self.assertEqual(self.causes([call("A.m", "B.n")], [edge("", "A.m"), edge("", "B.n")]), ["UNEXPLAINED"])

    def test_caller_unreached_without_reason(self):
        self.assertEqual(self.causes([call("A.m", "B.n")], [edge("", "B.n")]), ["UNEXPLAINED"])

    def test_initialiser(self):
        calls = [call("A.m", "B.<clinit>", "s", site="-"), call("A.m", "C.<clinit>", "s", site="-")]
        self.assertEqual(self.causes(calls, [edge("", "A.m"), edge("A.x", "B.<clinit>")]), ["initialiser", "UNEXPLAINED"])

    def test_called_by_the_jvm(self):
        calls = [call("-", "A.run"), call("-", "B.run"), call("A.run", "L.load", site="-")]
        self.assertEqual(self.causes(calls, [edge("", "A.run"), edge("", "L.load")]), ["jvm", "UNEXPLAINED", "jvm"])

    def test_the_jvm_calls_only_entries(self):
        calls = [call("-", "B.run"), call("A.m", "L.load", site="-")]
        self.assertEqual(self.causes(calls, [edge("", "A.m"), edge("A.m", "B.x"), edge("R.r", "B.run"),
                                             edge("R.r", "L.load")]), ["UNEXPLAINED"] * 2)

    def test_thread(self):
        self.assertEqual(self.causes([call("-", "B.run"), call("-", "C.run")],
                                     [edge("java.lang.Thread.start0", "B.run"), edge("R.r", "C.run")]),
                         ["jvm", "UNEXPLAINED"])

    def test_linking_of_invokedynamic(self):
        site = "dynamic:-.run:()V"
        calls = [call("A.m", "java/lang/invoke/MethodHandleNatives.linkCallSite", "s", site=site),
                 call("A.m", "A.bootstrap", "s", site=site)]
        graph = [edge("", "A.m"), edge("R.r", "A.bootstrap"),
                 edge("", "java.lang.invoke.MethodHandleNatives.linkCallSite")]
        self.assertEqual(self.causes(calls, graph), ["jvm", "UNEXPLAINED"])

    def test_native_and_what_follows(self):
        calls = [call("A.nat", "B.n", "n", "B", "-"), call("B.n", "C.m", "-", "C")]
        self.assertEqual(self.causes(calls, [edge("", "A.nat")]), ["native", "via-unreached"])

    def test_native_with_a_model(self):
        calls = [call("A.nat", "B.n", "n", "B", "-"), call("A.nat", "L.load", "n", "L", "-"),
                 call("A.nat", "C.<clinit>", "ns", site="-")]
        graph = [edge("", "A.nat"), edge("R.r", "B.n"), edge("", "L.load"), edge("R.r", "C.<clinit>")]
        self.assertEqual(self.causes(calls, graph, ["A.nat()V"]), ["UNEXPLAINED", "jvm", "initialiser"])
        self.assertEqual(self.causes(calls, graph + [edge("A.nat", "B.n")], ["A.nat()V"])[0], "graph")

    def test_models_are_read(self):
        models = compare.read_models(compare.MODELS)
        self.assertIn("java.lang.Thread.start0()V", models)
        self.assertNotIn("jdk.internal.misc.Unsafe.throwException(Ljava/lang/Throwable;)V", models)

    def test_initialising_natives_are_reflection_only_for_initialisers(self):
        calls = [call("java/lang/Class.forName0", "D.<clinit>", "ns", site="-"),
                 call("java/lang/Class.forName0", "D.go", "n", "D", "-")]
        self.assertEqual(self.causes(calls, [edge("", "java.lang.Class.forName0"), edge("R.r", "D.go")],
                                     ["java.lang.Class.forName0()V"]), ["reflection", "UNEXPLAINED"])

    def test_receiver_made_by_reflection(self):
        accessor = "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"
        calls = [new(accessor, "D", "n"), call("A.m", "D.go", receivers="D")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")]), ["reflection", "receiver"])
        self.assertEqual(self.causes(calls, [edge("", "A.m")], algorithm="cha"), ["reflection", "UNEXPLAINED"])

    def test_receiver_with_a_reachable_constructor(self):
        accessor = "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"
        calls = [new(accessor, "D", "n"), call("A.m", "D.go", receivers="D")]
        graph = [edge("", "A.m"), "R.r()V,,,special,D.<init>(I)V\n"]
        self.assertEqual(self.causes(calls, graph), ["reflection", "UNEXPLAINED"])

    def test_receiver_of_a_generated_class(self):
        made = new("java/lang/invoke/LambdaForm$MH/0x1.invoke", "jdk/proxy1/$Proxy3", "h")
        calls = [made, call("A.m", "java/lang/reflect/Proxy.go", receivers="jdk/proxy1/$Proxy3")]
        for algorithm in ("rta", "cha"):
            self.assertEqual(self.causes(calls, [edge("", "A.m")], algorithm=algorithm), ["hidden", "receiver"])

    def test_one_ordinary_new_takes_the_excuse_away(self):
        accessor = "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"
        calls = [new(accessor, "D", "n"), call("A.m", "D.go", receivers="D"), new("A.m", "D")]
        graph = [edge("", "A.m"), edge("A.m", "D.<init>")]
        self.assertEqual(self.causes(calls, graph), ["reflection", "UNEXPLAINED", "graph"])

    def test_one_ordinary_receiver_takes_the_excuse_away(self):
        accessor = "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"
        calls = [new(accessor, "D", "n"), new("A.m", "E"), call("A.m", "D.go", receivers="D,E")]
        graph = [edge("", "A.m"), edge("A.m", "E.<init>")]
        self.assertEqual(self.causes(calls, graph), ["reflection", "graph", "UNEXPLAINED"])

    def test_object_of_unknown_origin_excuses_nothing(self):
        self.assertEqual(self.causes([call("A.m", "D.go", receivers="D")], [edge("", "A.m")]), ["UNEXPLAINED"])

    def test_misses_do_not_excuse_each_other(self):
        calls = [call("A.m", "D.go", receivers="D"), call("D.go", "U.make", "s"), new("U.make", "D")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")]), ["UNEXPLAINED"] * 3)

    def test_constructor_and_static_calls_have_no_receiver_excuse(self):
        calls = [new("A.m", "D"), call("A.m", "S.f", "s")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")]), ["UNEXPLAINED"] * 2)

    def test_hidden(self):
        calls = [call("A.m", "X$Gen/0x1.go", "h", "X$Gen/0x1"),
                 call("java/lang/invoke/LambdaForm$MH/0x2.invoke", "B.n", "hs")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")]), ["hidden", "hidden"])

    def test_species_is_generated_unless_cha_has_it(self):
        species = "java/lang/invoke/BoundMethodHandle$Species_LL"
        calls = [call("A.m", f"{species}.copy", receivers=species)]
        graph = [edge("", "A.m")]
        self.assertEqual(self.causes(calls, graph), ["UNEXPLAINED"])
        self.assertEqual(self.causes(calls, graph, algorithm="cha"), ["hidden"])
        graph.append(edge("R.r", "java.lang.invoke.BoundMethodHandle$Species_LL.make"))
        self.assertEqual(self.causes(calls, graph, algorithm="cha"), ["UNEXPLAINED"])

    LAMBDA = [call("A.m", "p/X$$Lambda$7/0x1.go", "h", "p/X$$Lambda$7/0x1"),
              call("p/X$$Lambda$7/0x1.go", "p/X.body", "hs", site="static:p/X.body:()V")]

    def test_lambda(self):
        graph = [edge("A.m", "p.X$$Lambda$f#1@9.go"), edge("p.X$$Lambda$f#1@9.go", "p.X.body")]
        self.assertEqual(self.causes(self.LAMBDA, graph), ["lambda", "lambda"])

    def test_lambda_that_is_not_dispatched_to(self):
        graph = [edge("", "A.m"), edge("R.r", "p.X$$Lambda$f#1@9.go"), edge("p.X$$Lambda$f#1@9.go", "p.X.body")]
        self.assertEqual(self.causes(self.LAMBDA, graph), ["UNEXPLAINED", "lambda"])

    def test_body_of_a_lambda_reached_from_elsewhere(self):
        graph = [edge("A.m", "p.X$$Lambda$f#1@9.go"), edge("R.r", "p.X.body")]
        self.assertEqual(self.causes(self.LAMBDA, graph), ["UNEXPLAINED", "UNEXPLAINED"])

    def test_another_lambda_of_the_class_does_not_stand_for_it(self):
        graph = [edge("A.m", "p.X$$Lambda$f#1@9.go"), edge("p.X$$Lambda$f#1@9.go", "p.X.other"),
                 edge("R.r", "p.X$$Lambda$f#1@20.go"), edge("p.X$$Lambda$f#1@20.go", "p.X.body")]
        self.assertEqual(self.causes(self.LAMBDA, graph), ["UNEXPLAINED", "lambda"])

    def test_method_reference_dispatched_to_an_excused_receiver(self):
        made = new("jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0", "D", "n")
        go = call("p/X$$Lambda$7/0x1.go", "D.name", "h", "D")
        graph = [edge("A.m", "p.X$$Lambda$f#1@9.go")]
        self.assertEqual(self.causes([made, self.LAMBDA[0], go], graph), ["reflection", "lambda", "receiver"])
        self.assertEqual(self.causes([self.LAMBDA[0], go], graph), ["lambda", "UNEXPLAINED"])
        graph = [edge("", "A.m"), edge("R.r", "p.X$$Lambda$f#1@9.go")]
        self.assertEqual(self.causes([made, self.LAMBDA[0], go], graph), ["reflection", "UNEXPLAINED", "receiver"])

    def test_lambda_of_another_class_or_method(self):
        for name in ("p.Y$$Lambda$f#1@9.go", "p.X$$Lambda$f#1@9.went", "p.X$$Record$f#1@9.go"):
            self.assertEqual(self.causes(self.LAMBDA, [edge("A.m", name), edge(name, "p.X.body")]), ["UNEXPLAINED"] * 2)

    def test_lambda_calls_lambda(self):
        calls = [call("X$$Lambda/0x1.go", "Y$$Lambda/0x2.run", "h", "Y$$Lambda/0x2")]
        graph = [edge("X$$Lambda$<init>#0@9.go", "Y$$Lambda$f#1@3.run")]
        self.assertEqual(self.causes(calls, graph), ["lambda"])
        graph = [edge("", "X$$Lambda$<init>#0@9.go"), edge("R.r", "Y$$Lambda$f#1@3.run")]
        self.assertEqual(self.causes(calls, graph), ["UNEXPLAINED"])

    def test_lambda_called_only_by_a_proxy(self):
        body = call("X$$Lambda/0x1.invoke", "X.body", "hs")
        by_proxy = call("jdk/proxy1/$Proxy3.go", "X$$Lambda/0x1.invoke", "h", "X$$Lambda/0x1")
        by_code = call("A.m", "X$$Lambda/0x1.invoke", "h", "X$$Lambda/0x1")
        self.assertEqual(self.causes([by_proxy, body], [edge("", "A.m")]), ["hidden", "via-unreached"])
        self.assertEqual(self.causes([by_proxy, by_code, body], [edge("", "A.m")]), ["hidden"] + ["UNEXPLAINED"] * 2)

    def made_by(self, *makers):
        """The causes of a call of a lambda and of its body; `makers` of X linked an invokedynamic. X.lost was
        called by reflection, X.kept is reachable."""
        link = "java/lang/invoke/MethodHandleNatives.linkCallSite"
        calls = [call("jdk/internal/reflect/NativeMethodAccessorImpl.invoke0", "X.lost", "n")]
        calls += [call(m, link, "s", site=f"dynamic:-.{name}:()V") for m, name in makers]
        calls += [call("A.m", "X$$Lambda/0x1.go", "h", "X$$Lambda/0x1"),
                  call("X$$Lambda/0x1.go", "X.lambda$lost$0", "hs")]
        graph = [edge("", "A.m"), edge("", link.replace("/", ".")), edge("R.r", "X.kept")]
        return self.causes(calls, graph)[-2:]

    def test_lambda_made_by_excused_code(self):
        self.assertEqual(self.made_by(("X.lost", "go")), ["receiver", "via-unreached"])
        self.assertEqual(self.made_by(("X.lost", "go"), ("X.kept", "go")), ["receiver", "via-unreached"])

    def test_lambda_made_by_other_code_of_the_class(self):
        self.assertEqual(self.made_by(("X.lost", "run"), ("X.kept", "go")), ["UNEXPLAINED"] * 2)
        self.assertEqual(self.made_by(("X.lost", "run")), ["UNEXPLAINED"] * 2)
        self.assertEqual(self.made_by(), ["UNEXPLAINED"] * 2)

    def test_event_stub(self):
        stub = call("A.m", "jdk/internal/event/SleepEvent.begin")
        self.assertEqual(self.causes([stub], [edge("A.m", "jdk.internal.event.Event.begin")]), ["hidden"])
        self.assertEqual(self.causes([stub], [edge("", "A.m")]), ["UNEXPLAINED"])

    def test_class_made_by_a_constructor_reference_is_ordinary(self):
        calls = [new("X$$Lambda/0x1.get", "D", "h"), call("A.m", "D.go", receivers="D")]
        graph = [edge("", "A.m"), edge("X$$Lambda$f#1@9.get", "D.<init>")]
        self.assertEqual(self.causes(calls, graph), ["lambda", "UNEXPLAINED"])

    def test_json(self):
        calls = [call("A.m", "B.n"), call("-", "A.m"), call("-", "B.n"), call("B.n", "B.other")]
        graph = as_json(("A.m", True, [(3, ["B.n", "C.n"], False)]), ("B.n", False, []), ("C.n", False, []))
        self.assertEqual(self.causes(calls, graph), ["graph", "jvm", "UNEXPLAINED", "UNEXPLAINED"])

    def test_other_json(self):
        for text in ('{"schema":"sherd/points-to/1"}\n', as_json().split("\n", maxsplit=1)[0] + "\n"):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                self.causes([call("A.m", "B.n")], text)

    REFLECTED = "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0"

    INVOKED = REFLECTED + "()LX;"

    def got(self, taker, *calls):
        """The causes of calls of A.m, which is open at pc 3 and calls A.get; `taker` gets an object by reflection."""
        graph = as_json(("A.m", True, [(3, ["A.get()LX;"], True)]), ("A.get()LX;", False, []), ("Z.z", False, []))
        calls = [call(self.INVOKED, "X.lost()LX;", "n"), call(taker, self.INVOKED, "Ns")] + list(calls)
        return self.causes(calls, graph, algorithm="andersen")[2:]

    def test_open_site(self):
        calls = [call("A.m", "B.n"), call("B.n", "C.f", "s", site="static:C.f:()V"),
                 call("A.m", "D.<init>", site="special:D.<init>:()V"), call("A.m", "E.f", "s", site="static:E.f:()V")]
        self.assertEqual(self.got("A.m", *calls), ["open", "via-unreached", "UNEXPLAINED", "UNEXPLAINED"])

    def test_open_is_said_of_a_pc(self):
        self.assertEqual(self.got("A.m", call("A.m", "B.n", pc=4)), ["UNEXPLAINED"])

    def test_open_site_of_a_method_that_got_nothing(self):
        self.assertEqual(self.got("Z.z", call("A.m", "B.n")), ["UNEXPLAINED"])
        self.assertEqual(self.got("A.get()LX;", call("A.m", "B.n")), ["UNEXPLAINED"])

    def test_object_handed_on(self):
        get = call("A.m", "A.get()LX;", "s", site="static:A.get:()LX;")
        self.assertEqual(self.got("A.get()LX;", get, call("A.m", "B.n")), ["graph", "open"])

    def made(self, stack, origins="9", owners="-", algorithm="andersen"):
        """The cause of a call of A.m on a B; `stack` is that of origin 9, X.lost is called by reflection."""
        calls = [origin(9 if i + 1 == len(stack) else i + 1, i, m) for i, m in enumerate(stack)]
        calls += [call(self.REFLECTED, "X.lost", "n"),
                  call("A.m", "B.n", receivers="B", origins=origins, owners=owners)]
        graph = [edge("", "A.m"), edge("R.r", "B.<init>"), edge("R.r", "B.n"), edge("R.r", "X.kept")]
        return self.causes(calls, graph, algorithm=algorithm)[-1]

    def test_origin_in_excused_code(self):
        self.assertEqual(self.made(["X.lost"]), "origin")
        self.assertEqual(self.made(["X.kept", "X.lost"]), "origin")
        self.assertEqual(self.made(["X.kept", "jdk/proxy1/$Proxy3.go"]), "origin")
        self.assertEqual(self.made(["X.kept", "R.r"]), "UNEXPLAINED")

    def test_origin_in_reflection(self):
        self.assertEqual(self.made(["jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"]), "origin")
        self.assertEqual(self.made(["jdk/internal/misc/Unsafe.allocateInstance", "X.kept"]), "origin")
        self.assertEqual(self.made(["X.kept", "jdk/internal/misc/Unsafe.allocateInstance"]), "UNEXPLAINED")

    def test_origins_that_are_not_all_known(self):
        for origins in ("0", "9,0", "9+", "-"):
            self.assertEqual(self.made(["X.lost"], origins), "UNEXPLAINED")

    def test_origin_of_the_owner(self):
        self.assertEqual(self.made(["X.lost"], "0", "9"), "origin")
        self.assertEqual(self.made(["X.lost"], "0", "9,0"), "UNEXPLAINED")

    def test_origin_does_not_matter_without_flow(self):
        for algorithm in ("rta", "cha"):
            self.assertEqual(self.made(["X.lost"], algorithm=algorithm), "UNEXPLAINED")

    def test_constructor_and_static_calls_have_no_origin(self):
        calls = [origin(9, 0, "X.lost"), call(self.REFLECTED, "X.lost", "n"),
                 call("A.m", "D.<init>", receivers="D", origins="9", site="special:D.<init>:()V"),
                 call("A.m", "S.f", "s", owners="9", site="static:S.f:()V")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")], algorithm="andersen")[1:], ["UNEXPLAINED"] * 2)

    def test_accessor_itself_is_an_ordinary_callee(self):
        accessor = "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0"
        self.assertEqual(self.causes([call("A.m", accessor, "Ns")], [edge("", "A.m")]), ["UNEXPLAINED"])


if __name__ == "__main__":
    unittest.main()
