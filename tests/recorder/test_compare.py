#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of compare.py: what it must explain, and above all what it must not excuse."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import compare

HEADER = "caller,site_pc,line,kind,callee\n"


def call(caller, callee, flags="-", receivers="-", site=None):
    """A line of recorder.c; methods are written Class.name, descriptors are ()V, the caller - is the JVM."""
    def fields(m):
        cls, name = m.rsplit(".", 1)
        return [cls, name, "()V"]
    if site is None:
        site = f"virtual:{callee.rsplit('.', 1)[0]}.{callee.rsplit('.', 1)[1]}:()V" if caller != "-" else "-"
    from_ = ["-", "-", "-"] if caller == "-" else fields(caller)
    return "\t".join(from_ + ["3"] + fields(callee) + [flags, receivers, site]) + "\n"


def new(caller, cls, flags="-"):
    return call(caller, f"{cls}.<init>", flags, cls)


def edge(caller, callee):
    return f"{caller + '()V' if caller else ''},,,virtual,{callee}()V\n"


class CompareTest(unittest.TestCase):
    def causes(self, calls, graph):
        with tempfile.TemporaryDirectory() as d:
            paths = os.path.join(d, "calls"), os.path.join(d, "graph")
            for path, text in zip(paths, ("".join(calls), HEADER + "".join(graph))):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            methods, edges = compare.read_calls(paths[0])
            return [e.cause for e in compare.Comparison(edges, compare.Graph(paths[1], methods, edges)).edges]

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

    def test_native_and_what_follows(self):
        calls = [call("A.nat", "B.n", "n", "B", "-"), call("B.n", "C.m", "-", "C")]
        self.assertEqual(self.causes(calls, [edge("", "A.nat")]), ["native", "via-unreached"])

    def test_receiver_made_by_reflection(self):
        accessor = "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0"
        calls = [new(accessor, "D", "n"), call("A.m", "D.go", receivers="D")]
        self.assertEqual(self.causes(calls, [edge("", "A.m")]), ["reflection", "receiver"])

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
        calls = [call("A.m", "X$$Lambda/0x1.go", "h", "X$$Lambda/0x1"), call("X$$Lambda/0x1.go", "X.body", "hs"),
                 call("X$$Lambda/0x1.go", "X.lost", "hs"), call("java/lang/invoke/LambdaForm$MH/0x2.invoke", "B.n", "hs")]
        self.assertEqual(self.causes(calls, [edge("", "A.m"), edge("", "X.body")]),
                         ["hidden", "lambda", "UNEXPLAINED", "hidden"])

    def test_lambda_called_only_by_a_proxy(self):
        body = call("X$$Lambda/0x1.invoke", "X.body", "hs")
        by_proxy = call("jdk/proxy1/$Proxy3.go", "X$$Lambda/0x1.invoke", "h", "X$$Lambda/0x1")
        by_code = call("A.m", "X$$Lambda/0x1.invoke", "h", "X$$Lambda/0x1")
        self.assertEqual(self.causes([by_proxy, body], [edge("", "A.m")]), ["hidden", "via-unreached"])
        self.assertEqual(self.causes([by_proxy, by_code, body], [edge("", "A.m")]), ["hidden", "hidden", "UNEXPLAINED"])

    def test_event_stub(self):
        stub = call("A.m", "jdk/internal/event/SleepEvent.begin")
        self.assertEqual(self.causes([stub], [edge("A.m", "jdk.internal.event.Event.begin")]), ["hidden"])
        self.assertEqual(self.causes([stub], [edge("", "A.m")]), ["UNEXPLAINED"])

    def test_class_made_by_a_constructor_reference_is_ordinary(self):
        calls = [new("X$$Lambda/0x1.get", "D", "h"), call("A.m", "D.go", receivers="D")]
        self.assertEqual(self.causes(calls, [edge("", "A.m"), edge("X.s", "D.<init>")]), ["lambda", "UNEXPLAINED"])

    def test_accessor_itself_is_an_ordinary_callee(self):
        accessor = "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0"
        self.assertEqual(self.causes([call("A.m", accessor, "Ns")], [edge("", "A.m")]), ["UNEXPLAINED"])


if __name__ == "__main__":
    unittest.main()
