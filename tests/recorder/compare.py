#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py CALLS.tsv GRAPH.csv - is every call that really happened in the call graph?

CALLS is what recorder.c wrote; GRAPH is `sherd callgraph --format csv`: the columns caller, site_pc, line,
kind, callee with methods printed as java.util.Map.get(Ljava/lang/Object;)Ljava/lang/Object;, and rows
`,,,entry,METHOD` for the methods that the user or the JVM calls.

Every observed edge gets one cause:

  graph          the edge is in the graph
  initialiser    a reachable <clinit>, wherever the JVM ran it
  jvm            a reachable method, called by the JVM itself: no Java frame below, or the caller's instruction
                 is not a call, or it calls something else (class loading, linking, implicit exceptions)
  lambda         from the hidden class of a lambda or method reference to a reachable method
  native         the caller is a native method, and the graph does not have the edge
  reflection     made by the core reflection machinery
  method-handle  through a method handle, a LambdaForm or an invokedynamic linker
  hidden         one side is a hidden class, or a class or method generated at run time
  receiver       a virtual call whose receivers were all made in one of the last four ways (or by code that
                 only those reach), never by an ordinary `new` of reachable code
  via-unreached  the caller is only reached through such edges
  UNEXPLAINED    none of these: the graph is wrong

Excuses are only ever derived from edges that are already excused (a least fixed point), so that two misses
cannot excuse each other. A class that was instantiated once by ordinary reachable code, or whose instantiation
was not seen, excuses nothing. Exit status: 0 all explained, 1 some not, 2 bad input."""
import argparse
import collections
import csv
import re
import sys

FIELDS = 10
EXPLAINED = ("graph", "initialiser", "jvm", "lambda")
ROOTS = ("native", "reflection", "method-handle", "hidden")
EXCUSED = ROOTS + ("receiver", "via-unreached")
MISSED = "UNEXPLAINED"

# Natives of core reflection that call their target or initialise a class by its name, and the classes that
# replace them after some calls.
REFLECTIVE = re.compile(
    r"java/lang/Class\.forName0\(|(jdk/internal|sun)/misc/Unsafe\.ensureClassInitialized0?\(|"
    r"(jdk/internal|sun)/reflect/(Native(Method|Constructor)AccessorImpl|"
    r"Direct(Method|Constructor)HandleAccessor\$NativeAccessor)\.(invoke0|newInstance0)\(")
ACCESSOR = re.compile(r"(jdk/internal|sun)/reflect/Generated(Method|Constructor|SerializationConstructor)Accessor\d+\.")
PROXY = re.compile(r"([\w$]+/)*\$Proxy\d+\.")
LINKER = re.compile(r"java/lang/invoke/(Invokers|DirectMethodHandle|DelegatingMethodHandle|LambdaForm|VarHandle\w*)"
                    r"(\$Holder\.|Guards\.)|java/lang/invoke/VarHandleGuards\.")
POLYMORPHIC = re.compile(r"\w+:java/lang/invoke/(MethodHandle\.(invoke|invokeExact|invokeBasic|linkTo\w+)|VarHandle\.\w+):")
# The JVM gives the event classes of the JDK stubs of these methods when it loads them, whatever their class
# files say, so that recording can start later.
EVENT = re.compile(r"jdk/internal/event/\w+Event\.(begin|end|commit|isEnabled|shouldCommit)\(")
LAMBDA = re.compile(r"(.*)\$\$Lambda[^.]*\.")


class Method:
    """A method as observed. `key` is how the graph prints it."""
    __slots__ = ("cls", "name", "desc", "key", "text")

    def __init__(self, cls, name, desc):
        self.cls, self.name, self.desc = cls, name, desc
        self.text = f"{cls}.{name}{desc}"
        self.key = cls.replace("/", ".") + "." + name + desc


class Edge:
    __slots__ = ("caller", "pc", "callee", "flags", "receivers", "site", "cause")

    def __init__(self, caller, pc, callee, flags, receivers, site):
        self.caller, self.pc, self.callee = caller, pc, callee
        self.flags, self.receivers, self.site = flags, receivers, site
        self.cause = None

    def is_call_of_callee(self):
        """The caller's instruction is a call, by name, of the callee."""
        if self.site == "-":
            return False
        name = self.site.split(":", 1)[1].rsplit(":", 1)[0].rsplit(".", 1)[1]
        return name == self.callee.name and not self.site.startswith("dynamic:")

    def event_key(self):
        """The edge to what the class file of an event class has instead of a generated stub, or None."""
        if not EVENT.match(self.callee.text):
            return None
        return self.caller.key, f"jdk.internal.event.Event.{self.callee.name}{self.callee.desc}"

    def instantiates(self):
        """The class that this edge makes an object of, or None: a constructor called on its own class, not
        by another constructor of it."""
        c = self.callee
        if c.name == "<init>" and c.cls in self.receivers and not (
                self.caller and self.caller.cls == c.cls and self.caller.name == "<init>"):
            return c.cls
        return None

    def __str__(self):
        caller = self.caller.text if self.caller else "(the JVM)"
        return f"{caller} @{self.pc} -> {self.callee.text} [{self.flags}] on {','.join(self.receivers) or '-'}; {self.site}"


def fail(text):
    print(f"compare.py: {text}", file=sys.stderr)
    sys.exit(2)


def read_calls(path):
    methods, edges = {}, []

    def method(*names):
        if names[0] == "-":
            return None
        if names not in methods:
            methods[names] = Method(*names)
        return methods[names]

    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for number, line in enumerate(f, 1):
            x = line.rstrip("\n").split("\t")
            if len(x) != FIELDS:
                fail(f"{path}:{number}: {len(x)} fields instead of {FIELDS}")
            receivers = () if x[8] == "-" else tuple(x[8].split(","))
            edges.append(Edge(method(*x[0:3]), int(x[3]), method(*x[4:7]), x[7], receivers, x[9]))
    if not edges:
        fail(f"{path}: no calls")
    return list(methods.values()), edges


class Graph:
    """The part of a call graph that concerns observed methods; a graph has millions of rows, so they are read
    one by one and only what can matter is kept."""

    def __init__(self, path, methods, edges):
        known = {m.key for m in methods}
        wanted = {(e.caller.key, e.callee.key) for e in edges if e.caller}
        wanted |= {e.event_key() for e in edges if e.caller and e.event_key()}
        self.reachable, self.edges, self.rows = set(), set(), 0
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
            rows = csv.reader(f)
            if next(rows, None) != ["caller", "site_pc", "line", "kind", "callee"]:
                fail(f"{path}: no call graph: the header is not caller,site_pc,line,kind,callee")
            for row in rows:
                self.add(row, known, wanted)
        if not self.rows:
            fail(f"{path}: an empty call graph")

    def add(self, row, known, wanted):
        self.rows += 1
        caller, callee = row[0], row[4]
        if caller in known:
            self.reachable.add(caller)
        if callee in known:
            self.reachable.add(callee)
        if (caller, callee) in wanted:
            self.edges.add((caller, callee))


class Comparison:
    def __init__(self, edges, graph):
        self.edges, self.graph = edges, graph
        self.makers = collections.defaultdict(list)          # class -> edges that instantiate it
        self.linked = collections.defaultdict(set)           # class -> its methods that linked an invokedynamic
        self.callers = collections.defaultdict(list)         # method of a lambda's class -> edges to it
        for e in edges:
            if LAMBDA.match(e.callee.text):
                self.callers[e.callee.key].append(e)
            if e.instantiates():
                self.makers[e.instantiates()].append(e)
            if e.caller and e.site.startswith("dynamic:") and e.callee.name == "linkCallSite":
                self.linked[e.caller.cls].add(e.caller.key)
        self.excused = set()                                 # unreachable methods with an excuse
        for e in edges:
            e.cause = self.cause_at_sight(e)
        self.spread()

    def reaches(self, method):
        return method.key in self.graph.reachable

    def cause_at_sight(self, e):
        """What an edge says by itself; None: it depends on others."""
        if e.caller and (e.caller.key, e.callee.key) in self.graph.edges:
            return "graph"
        if e.callee.name == "<clinit>" and self.reaches(e.callee):
            return "initialiser"
        if e.caller is None:
            return "jvm" if self.reaches(e.callee) else self.of_generated(e)
        return self.of_machinery(e) or self.of_jvm(e)

    @staticmethod
    def of_generated(e):
        return "hidden" if "h" in e.flags or PROXY.match(e.callee.text) else None

    def of_machinery(self, e):
        """Reflection, method handles, hidden classes and natives, by who calls."""
        caller, callee = e.caller.text, e.callee.text
        if REFLECTIVE.match(caller) or ACCESSOR.match(caller) or ACCESSOR.match(callee):
            return "reflection"
        if LAMBDA.match(caller) and "/0x" not in e.callee.cls:
            return "lambda" if self.reaches(e.callee) else None      # sherd models lambdas: see of_lambda
        if "h" in e.flags or PROXY.match(caller) or PROXY.match(callee) or e.event_key() in self.graph.edges:
            return "hidden"
        if LINKER.match(caller) or LINKER.match(callee) or (POLYMORPHIC.match(e.site) and not e.is_call_of_callee()):
            return "method-handle"
        return "native" if "n" in e.flags else None

    def of_jvm(self, e):
        return "jvm" if not e.is_call_of_callee() and self.reaches(e.callee) else None

    def is_ordinary(self, e):
        """An instantiation that the graph must know: an ordinary call in a reachable method."""
        if e.caller is None or e.cause in ROOTS:
            return False
        return e.cause == "lambda" or self.reaches(e.caller)

    def is_excused_class(self, cls):
        makers = self.makers.get(cls, ())
        if any(self.is_ordinary(e) for e in makers):
            return False
        return any(e.cause in EXCUSED for e in makers)

    def is_beyond(self, e):
        """The caller is code that the graph cannot know: generated, native, or already excused."""
        if e.caller is None or LAMBDA.match(e.caller.text):
            return False
        generated = "/0x" in e.caller.cls or PROXY.match(e.caller.text) or LINKER.match(e.caller.text)
        return bool(generated) or "n" in e.flags or e.caller.key in self.excused

    def of_lambda(self, e):
        """The body of a lambda may be unreachable if the code that made the lambda is, or all who called it."""
        callers = self.callers[e.caller.key]
        if self.linked[LAMBDA.match(e.caller.text).group(1)] & self.excused:
            return "via-unreached"
        if callers and all(self.is_beyond(c) for c in callers):
            return "via-unreached"
        return "receiver" if self.has_excused_receivers(e) else None

    def cause_from_others(self, e):
        if e.caller is None:
            return "receiver" if self.has_excused_receivers(e) else None
        if LAMBDA.match(e.caller.text):
            return self.of_lambda(e)
        if e.caller.key in self.excused:
            return "via-unreached"
        if self.reaches(e.caller) and e.callee.name not in ("<init>", "<clinit>") and self.has_excused_receivers(e):
            return "receiver"
        return None

    def has_excused_receivers(self, e):
        return bool(e.receivers) and all(self.is_excused_class(c) for c in e.receivers)

    def excuse(self, e):
        if e.cause in EXCUSED and not self.reaches(e.callee):
            self.excused.add(e.callee.key)

    def spread(self):
        """Grows the excuses until nothing changes; what is left over is a miss."""
        for e in self.edges:
            self.excuse(e)
        left, before = [e for e in self.edges if e.cause is None], None
        while left and len(left) != before:
            before = len(left)
            for e in left:
                e.cause = self.cause_from_others(e)
                self.excuse(e)
            left = [e for e in left if e.cause is None]
        for e in left:
            e.cause = MISSED


def pairs(edges):
    return len({(e.caller.text if e.caller else "", e.callee.text) for e in edges})


def print_table(c):
    by_cause = collections.defaultdict(list)
    for e in c.edges:
        by_cause[e.cause].append(e)
    print(f"{'cause':<15}{'sites':>9}{'edges':>9}{'callees not reached':>22}")
    for cause in EXPLAINED + EXCUSED + (MISSED,):
        edges = by_cause[cause]
        unreached = len({e.callee.key for e in edges if not c.reaches(e.callee)})
        print(f"{cause:<15}{len(edges):>9}{pairs(edges):>9}{unreached:>22}")
    print(f"{'total':<15}{len(c.edges):>9}{pairs(c.edges):>9}")
    return by_cause


def print_edges(c, edges, title, limit):
    """Misses in reachable methods first: the others often follow from them."""
    edges = sorted(edges, key=lambda e: (e.caller is not None and not c.reaches(e.caller), str(e)))
    print(f"\n{title}: the first {min(limit, len(edges))} of {len(edges)}")
    for e in edges[:limit]:
        print(f"  {e}{'' if e.caller is None or c.reaches(e.caller) else '; caller not reached'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("calls")
    parser.add_argument("graph")
    parser.add_argument("--list", action="append", default=[], metavar="CAUSE", help="also list the edges of a cause")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="edges to list (default: 50)")
    args = parser.parse_args()
    methods, edges = read_calls(args.calls)
    c = Comparison(edges, Graph(args.graph, methods, edges))
    by_cause = print_table(c)
    for cause in args.list:
        print_edges(c, by_cause[cause], cause, args.limit)
    if by_cause[MISSED]:
        print_edges(c, by_cause[MISSED], MISSED, args.limit)
    return 1 if by_cause[MISSED] else 0


if __name__ == "__main__":
    sys.exit(main())
