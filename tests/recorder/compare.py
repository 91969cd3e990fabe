#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py CALLS.tsv GRAPH - is every call that really happened in the call graph?

CALLS is what recorder.c wrote; GRAPH is `sherd callgraph --format csv`: the columns caller, site_pc, line,
kind, callee with methods printed as java.util.Map.get(Ljava/lang/Object;)Ljava/lang/Object;, and rows
`,,,entry,METHOD` for the methods that the user or the JVM calls. Or it is `--format json`, which says in addition where
a receiver may be an object that the analysis does not know.

Every observed edge gets one cause:

  graph          the edge is in the graph
  initialiser    a reachable <clinit>, wherever the JVM ran it
  jvm            an entry of the graph, called by the JVM itself: no Java frame below, or the caller's instruction
                 is not a call, or it calls something else (class loading, linking, implicit exceptions); or
                 run() of a thread that the graph starts
  lambda         to or from the hidden class of a lambda or method reference, where the graph has the same edge
                 to or from the class that stands for it (class Lambdas)
  native         the caller is a native method without a model, and the graph does not have the edge
  reflection     made by the core reflection machinery
  method-handle  through a method handle, a LambdaForm or an invokedynamic linker
  hidden         one side is a hidden class but no lambda's, or a class or method generated at run time
  receiver       a virtual call whose receivers were all made in one of the last four ways (or by code that
                 only those reach), never by an ordinary `new` of reachable code, and whose constructors the
                 graph does not reach; not in CHA, unless their classes were generated at run time
  origin         a virtual call whose receivers were all allocated in one of these ways, or on behalf of code that is
                 excused (it is among the methods on top of the stack at the allocation); or that is made in methods
                 of such objects, whose fields hold what that code put there. Not in CHA and RTA, which ask for
                 classes, not for objects
  open           a virtual call where the graph says that a receiver may be unknown (JSON), in a method that was seen
                 to get an object out of a call that is excused, or out of such a method
  via-unreached  the caller is only reached through such edges
  UNEXPLAINED    none of these: the graph is wrong

Excuses are only ever derived from edges that are already excused (a least fixed point), so that two misses
cannot excuse each other. A class that was instantiated once by ordinary reachable code, or whose instantiation
was not seen, excuses nothing. Exit status: 0 all explained, 1 some not, 2 bad input."""
import argparse
import collections
import csv
import functools
import itertools
import json
import os
import re
import sys

FIELDS = 12
ORIGIN_FIELDS = 6
EXPLAINED = ("graph", "initialiser", "jvm", "lambda")
ROOTS = ("native", "reflection", "method-handle", "hidden")
EXCUSED = ROOTS + ("receiver", "origin", "open", "via-unreached")
MISSED = "UNEXPLAINED"
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/load/models/jdk.model")
MODEL = re.compile(r"method\s+(\S+)\.([^.:\s]+):(\S+)\s*\{")

# Natives of core reflection that initialise a class by its name, that call their target, and the classes that
# replace these after some calls.
INITIALISING = re.compile(r"java/lang/Class\.forName0\(|(jdk/internal|sun)/misc/Unsafe\.ensureClassInitialized0?\(")
REFLECTIVE = re.compile(
    r"(jdk/internal|sun)/reflect/(Native(Method|Constructor)AccessorImpl|"
    r"Direct(Method|Constructor)HandleAccessor\$NativeAccessor)\.(invoke0|newInstance0)\(")
ALLOCATING = re.compile(REFLECTIVE.pattern + r"|(jdk/internal|sun)/misc/Unsafe\.allocateInstance\(")
ACCESSOR = re.compile(r"(jdk/internal|sun)/reflect/Generated(Method|Constructor|SerializationConstructor)Accessor\d+\.")
PROXY = re.compile(r"([\w$]+/)*\$Proxy\d+\.")
# The JDK's image has some of these, and CHA must know them; the others are made at run time.
SPECIES = "java/lang/invoke/BoundMethodHandle$Species_"
LINKER = re.compile(r"java/lang/invoke/(Invokers|DirectMethodHandle|DelegatingMethodHandle|LambdaForm|VarHandle\w*)"
                    r"(\$Holder\.|Guards\.)|java/lang/invoke/VarHandleGuards\.")
POLYMORPHIC = re.compile(r"\w+:java/lang/invoke/(MethodHandle\.(invoke|invokeExact|invokeBasic|linkTo\w+)|VarHandle\.\w+):")
# The JVM gives the event classes of the JDK stubs of these methods when it loads them, whatever their class
# files say, so that recording can start later.
EVENT = re.compile(r"jdk/internal/event/\w+Event\.(begin|end|commit|isEnabled|shouldCommit)\(")
# The JVM calls run() of a new thread with no frame below; in the graph, the model of this native does.
STARTER = "java.lang.Thread.start0()V"
# A method of a lambda's class: Outer$$Lambda/0x1.run()V in the JVM, Outer$$Lambda$in#4@12.run()V in the graph.
LAMBDA = re.compile(r"(.*?)\$\$Lambda[$/.][^(]*\.([^.(]+\(.*)")
HIDDEN = re.compile(r".*/(0x[0-9a-f]+|\d+)$")
BODY = re.compile(r"lambda\$(.*)\$\d+$")                       # the name that javac gives to a lambda's body
UNNAMED = {"new": "<init>", "static": "<clinit>"}              # what it writes for these in such a name


@functools.lru_cache(maxsize=None)
def lambda_of(key):
    """What the JVM's and the graph's name of a lambda's method share: the class that has the lambda, and the
    name and descriptor of the interface's method. None for other methods."""
    m = LAMBDA.match(key)
    return (m.group(1), m.group(2)) if m else None


class Method:
    """A method as observed. `key` is how the graph prints it."""
    __slots__ = ("cls", "name", "desc", "key", "text", "of_lambda")

    def __init__(self, cls, name, desc):
        self.cls, self.name, self.desc = cls, name, desc
        self.text = f"{cls}.{name}{desc}"
        self.key = cls.replace("/", ".") + "." + name + desc
        self.of_lambda = lambda_of(self.key) if HIDDEN.match(cls) else None

    def shape(self):
        """What is looked for in the graph."""
        return self.of_lambda or self.key


class Edge:
    __slots__ = ("caller", "pc", "callee", "flags", "receivers", "site", "origins", "owners", "cause")

    def __init__(self, caller, pc, callee, flags, receivers, site, origins=(), owners=()):
        self.caller, self.pc, self.callee = caller, pc, callee
        self.flags, self.receivers, self.site = flags, receivers, site
        self.origins, self.owners = origins, owners          # of receivers and callers; empty: not all are known
        self.cause = None

    def is_call_of_callee(self):
        """The caller's instruction is a call, by name, of the callee."""
        if self.site == "-":
            return False
        return self.site_name() == self.callee.name and not self.site.startswith("dynamic:")

    def is_dispatched(self):
        return self.site.startswith(("virtual:", "interface:"))

    def site_name(self):
        """The name in the caller's call instruction."""
        name = self.site.split(":", 1)[-1].rsplit(":", 1)[0]
        return name.rsplit(".", 1)[-1]           # "" when the JVM could not say what the site names

    def returns_object(self):
        return self.callee.desc[self.callee.desc.index(")") + 1] in "L["

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


class Calls:
    """What recorder.c wrote: methods, edges, and the stacks of origins by their numbers, innermost method first."""

    def __init__(self, path):
        self.by_names, self.edges, self.stacks = {}, [], {0: ()}
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            for number, line in enumerate(f, 1):
                x = line.rstrip("\n").split("\t")
                if len(x) != (FIELDS if x[0] else ORIGIN_FIELDS):
                    fail(f"{path}:{number}: {len(x)} fields")
                if x[0]:
                    self.add_edge(x)
                else:
                    self.stacks[int(x[1])] = self.stacks[int(x[2])] + (self.method(*x[3:6]),)
        if not self.edges:
            fail(f"{path}: no calls")

    def method(self, *names):
        if names[0] == "-":
            return None
        if names not in self.by_names:
            self.by_names[names] = Method(*names)
        return self.by_names[names]

    def add_edge(self, x):
        receivers = () if x[8] == "-" else tuple(x[8].split(","))
        self.edges.append(Edge(self.method(*x[0:3]), int(x[3]), self.method(*x[4:7]), x[7], receivers, x[9],
                               self.origins(x[10]), self.origins(x[11])))

    @staticmethod
    def origins(text):
        return () if text == "-" or text.endswith("+") else tuple(map(int, text.split(",")))

    def methods(self):
        return list(self.by_names.values())


def read_models(path):
    """The native methods that have a model, or are said to have no effect (jdk.natives beside the models)."""
    with open(path, encoding="utf-8") as f:
        lines = f.readlines()
    plain = os.path.splitext(path)[0] + ".natives"
    if os.path.exists(plain):
        with open(plain, encoding="utf-8") as f:
            lines += [f"method {line.rstrip()} {{" for line in f if line.strip() and not line.startswith("#")]
    found = [MODEL.match(line) for line in lines]
    return {f"{m.group(1).replace('/', '.')}.{m.group(2)}{m.group(3)}" for m in found if m}


class Graph:
    """The part of a call graph that concerns observed methods; a graph has millions of rows, so they are read
    one by one and only what can matter is kept."""

    def __init__(self, path, calls):
        self.known = {m.shape() for m in calls.methods()}
        self.wanted = {(e.caller.shape() if e.caller else STARTER, e.callee.shape()) for e in calls.edges}
        self.wanted |= {e.event_key() for e in calls.edges if e.caller and e.event_key()}
        self.reachable, self.edges, self.entries, self.rows = set(), set(), set(), 0
        self.open = set()                                    # caller, pc
        self.constructed = set()                             # classes with a reachable constructor
        self.species = set()                                 # classes of SPECIES that have a method in the graph
        self.lambdas = collections.defaultdict(set)          # see lambda_of -> methods of the graph
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
            first = f.readline()
            if first.startswith("{"):
                self.read_json(path, first, f)
            else:
                self.read_csv(path, itertools.chain([first], f))
        if not self.rows:
            fail(f"{path}: an empty call graph")

    def read_csv(self, path, lines):
        rows = csv.reader(lines)
        if next(rows, None) != ["caller", "site_pc", "line", "kind", "callee"]:
            fail(f"{path}: no call graph: the header is not caller,site_pc,line,kind,callee")
        for row in rows:
            self.add(row[0], row[3], row[4])

    def read_json(self, path, first, lines):
        """One line a method and one a site; the list at the end, of sites without `targets`, repeats some."""
        if not first.startswith('{"schema":"sherd/callgraph/1"'):
            fail(f"{path}: no call graph: the schema is not sherd/callgraph/1")
        decode = json.JSONDecoder().raw_decode
        for line in lines:
            if line.startswith('{"method":'):
                name, end = decode(line, len('{"method":'))
                self.add("", "entry" if line.startswith(',"entry":true', end) else "method", name)
            elif line.startswith('{"site":'):
                site = decode(line)[0]
                if "targets" in site:
                    self.add_site(site["site"].rsplit("@", 1)[0], site)

    def add_site(self, caller, site):
        for callee in site["targets"]:
            self.add(caller, site["op"], callee)
        if site.get("open") and self.shape(caller) in self.known:
            self.open.add((caller, site["pc"]))

    def shape(self, key):
        """As Method.shape; lambdas of interest are noted."""
        shape = lambda_of(key) if "$$Lambda$" in key else None
        if shape in self.known:
            self.lambdas[shape].add(key)
        return shape or key

    def add(self, caller, kind, callee):
        self.rows += 1
        from_, to = self.shape(caller), self.shape(callee)
        if from_ in self.known:
            self.reachable.add(caller)
        if to in self.known:
            self.reachable.add(callee)
            if kind == "entry":
                self.entries.add(callee)
        if (from_, to) in self.wanted:
            self.edges.add((caller, callee))
        if ".<init>(" in callee:
            self.constructed.add(callee[:callee.index(".<init>(")])
        if callee.startswith("java.lang.invoke.BoundMethodHandle$Species_"):
            self.species.add(callee.split("(")[0].rsplit(".", 1)[0])

    def lacks_species(self, cls):
        return cls.startswith(SPECIES) and cls.replace("/", ".") not in self.species


class Lambdas:
    """Which methods of the graph stand for a method of a lambda's hidden class. The JVM's names do not say from
    which invokedynamic instruction such a class comes: of the lambdas in the same class that have the interface's
    method, it is one that calls what the hidden class was seen to call. If none does, any of them may be it as long
    as all it called was dispatched on receivers, which the graph may not know; these calls need their own excuse."""

    def __init__(self, edges, graph):
        self.graph = graph
        self.callers = collections.defaultdict(list)         # method of a lambda's class -> edges to it
        self.calls = collections.defaultdict(list)           # the same -> edges from it
        self.methods = collections.defaultdict(set)          # class of a lambda -> its methods that were called
        self.linkers = collections.defaultdict(dict)         # class, interface's method -> who linked that: by key
        self.candidates = {}
        for e in edges:
            if e.callee.of_lambda:
                self.callers[e.callee.key].append(e)
                self.methods[e.callee.cls].add(e.callee)
            if e.caller and e.caller.of_lambda and e.is_call_of_callee():
                self.calls[e.caller.key].append(e)
            if e.caller and e.site.startswith("dynamic:") and e.callee.name == "linkCallSite":
                self.linkers[e.caller.cls, e.site_name()][e.caller.key] = e.caller

    def keys(self, method):
        """The methods of the graph that a method of the JVM may be."""
        if not method.of_lambda:
            return {method.key}
        if method.key not in self.candidates:
            self.candidates[method.key] = self.choose(method)
        return self.candidates[method.key]

    def choose(self, method):
        calls, alike = self.calls[method.key], self.graph.lambdas.get(method.of_lambda, set())
        covered = {key: sum(self.has_call(key, e) for e in calls) for key in alike}
        most = max(covered.values(), default=0)
        if not most and not all(e.is_dispatched() for e in calls):
            return set()
        return {key for key in alike if covered[key] == most}

    def has_call(self, key, e):
        callees = self.graph.lambdas.get(e.callee.of_lambda, ()) if e.callee.of_lambda else (e.callee.key,)
        return any((key, callee) in self.graph.edges for callee in callees)

    def has_edge(self, e):
        return any((a, b) in self.graph.edges for a in self.keys(e.caller) for b in self.keys(e.callee))

    def makers(self, cls):
        """Keys of the methods one of which made the lambdas of a hidden class: they linked an invokedynamic of
        the interface's method, and javac names a lambda's body after them. Empty: not seen."""
        found, bodies = {}, set()
        for m in self.methods[cls]:
            found.update(self.linkers.get((cls.split("$$Lambda")[0], m.name), {}))
            bodies |= {BODY.match(e.callee.name) for e in self.calls[m.key]}
        names = {UNNAMED.get(b.group(1), b.group(1)) for b in bodies if b}
        named = {key for key, m in found.items() if self.source_name(m) in names}
        return named or set(found)

    @staticmethod
    def source_name(method):
        body = BODY.match(method.name)
        return UNNAMED.get(body.group(1), body.group(1)) if body else method.name


class Comparison:
    def __init__(self, calls, graph, models=frozenset(), algorithm="rta"):
        edges = calls.edges
        self.edges, self.graph, self.models, self.algorithm = edges, graph, models, algorithm
        self.stacks = calls.stacks
        self.lambdas = Lambdas(edges, graph)
        self.makers = collections.defaultdict(list)          # class -> edges that instantiate it
        self.takers = collections.defaultdict(set)           # method that returns an object -> its callers
        self.handed = set()                                  # methods that got an object out of an excused call
        for e in edges:
            if e.instantiates():
                self.makers[e.instantiates()].append(e)
            if e.caller and e.returns_object():
                self.takers[e.callee.key].add(e.caller.key)
        self.excused = set()                                 # unreachable methods with an excuse
        for e in edges:
            e.cause = self.cause_at_sight(e)
        self.spread()

    def reaches(self, method):
        return any(key in self.graph.reachable for key in self.lambdas.keys(method))

    def cause_at_sight(self, e):
        """What an edge says by itself; None: it depends on others."""
        if e.caller and (e.caller.key, e.callee.key) in self.graph.edges:
            return "graph"
        if e.callee.name == "<clinit>" and self.reaches(e.callee):
            return "initialiser"
        if e.caller is None:
            return self.of_jvm(e) or self.of_generated(e)
        if (e.caller.of_lambda or e.callee.of_lambda) and self.lambdas.has_edge(e):
            return "lambda"
        return self.of_jvm(e) or self.of_machinery(e)

    def is_generated(self, cls):
        generated = HIDDEN.match(cls) or PROXY.match(cls + ".") or ACCESSOR.match(cls + ".")
        return bool(generated) or (self.algorithm == "cha" and self.graph.lacks_species(cls))

    def is_generated_code(self, method):
        """Lambdas are not: sherd knows what their classes do."""
        return self.is_generated(method.cls) and not method.of_lambda

    def of_generated(self, e):
        return "hidden" if self.is_generated_code(e.callee) else None

    def of_jvm(self, e):
        if e.caller is None and (STARTER, e.callee.key) in self.graph.edges:
            return "jvm"
        return "jvm" if not e.is_call_of_callee() and e.callee.key in self.graph.entries else None

    def of_machinery(self, e):
        """Reflection, method handles, generated classes and natives, by who calls."""
        caller, callee = e.caller.text, e.callee.text
        if REFLECTIVE.match(caller) or ACCESSOR.match(caller) or ACCESSOR.match(callee):
            return "reflection"
        if INITIALISING.match(caller) and e.callee.name == "<clinit>":
            return "reflection"
        if self.is_generated_code(e.caller) or self.of_generated(e) or e.event_key() in self.graph.edges:
            return "hidden"
        if LINKER.match(caller) or LINKER.match(callee) or (POLYMORPHIC.match(e.site) and not e.is_call_of_callee()):
            return "method-handle"
        return "native" if "n" in e.flags and e.caller.key not in self.models else None

    def is_ordinary(self, e):
        """An instantiation that the graph must know: an ordinary call in a reachable method."""
        if e.caller is None or e.cause in ROOTS:
            return False
        return self.reaches(e.caller)

    def is_excused_class(self, cls):
        if "$$Lambda" in cls and HIDDEN.match(cls):
            return self.is_excused_lambda(cls)
        if not self.is_generated(cls) and (self.algorithm == "cha" or cls.replace("/", ".") in self.graph.constructed):
            return False
        makers = self.makers.get(cls, ())
        if any(self.is_ordinary(e) for e in makers):
            return False
        return any(e.cause in EXCUSED for e in makers)

    def is_excused_lambda(self, cls):
        makers = self.lambdas.makers(cls)
        return bool(makers) and makers <= self.excused

    def has_excused_receivers(self, e):
        return bool(e.receivers) and all(self.is_excused_class(c) for c in e.receivers)

    def of_lambda(self, e):
        """The body of a lambda may be unreachable if the code that made the lambda is, or all who called it."""
        callers = self.lambdas.callers[e.caller.key]
        if self.is_excused_lambda(e.caller.cls) or (callers and all(c.cause in EXCUSED for c in callers)):
            return "via-unreached"
        return None

    def is_excused_origin(self, origin):
        stack = self.stacks[origin]
        return bool(stack) and (bool(ALLOCATING.match(stack[0].text)) or any(
            m.key in self.excused or self.is_generated_code(m) for m in stack))

    def has_excused_origin(self, e):
        return any(origins and all(map(self.is_excused_origin, origins)) for origins in (e.origins, e.owners))

    def is_open(self, e):
        """Sites of a lambda's class have no pc."""
        sites = ((key, e.pc if key == e.caller.key else 0) for key in self.lambdas.keys(e.caller))
        return e.caller.key in self.handed and any(site in self.graph.open for site in sites)

    def of_flow(self, e):
        """Excuses that only an analysis of where objects come from may need."""
        if self.algorithm in ("cha", "rta") or not e.caller or not e.is_dispatched() or not e.is_call_of_callee():
            return None
        if self.has_excused_origin(e):
            return "origin"
        return "open" if self.is_open(e) else None

    def cause_from_others(self, e):
        if e.caller and e.caller.of_lambda and self.of_lambda(e):
            return "via-unreached"
        if e.caller and not e.caller.of_lambda and e.caller.key in self.excused:
            return "via-unreached"
        if e.caller and (not self.reaches(e.caller) or e.callee.name in ("<init>", "<clinit>")):
            return None
        if self.has_excused_receivers(e):
            return "receiver"
        return self.of_flow(e)

    def excuse(self, e):
        if e.cause in EXCUSED and not self.reaches(e.callee):
            self.excused.add(e.callee.key)
        if e.cause in EXCUSED and e.caller and e.returns_object():
            self.hand(e.caller.key)

    def hand(self, key):
        """A method has an object out of an excused call, and so may those that call it."""
        todo = [key]
        while todo:
            key = todo.pop()
            if key not in self.handed:
                self.handed.add(key)
                todo += self.takers.get(key, ())

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


def print_roots(c, by_cause):
    """Everything that is excused hangs on these; the second figure is where it may hang."""
    counts = []
    for cause in ROOTS:
        edges = by_cause[cause]
        counts.append(f"{cause} {pairs(edges)} ({pairs([e for e in edges if not c.reaches(e.callee)])})")
    print(f"root excuses, edges (of these, to methods not reached): {', '.join(counts)}")


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
    parser.add_argument("--algorithm", default="rta", help="of the graph (default: rta)")
    parser.add_argument("--models", default=MODELS, metavar="FILE", help="models of native methods")
    args = parser.parse_args()
    calls = Calls(args.calls)
    c = Comparison(calls, Graph(args.graph, calls), read_models(args.models), args.algorithm)
    by_cause = print_table(c)
    print_roots(c, by_cause)
    for cause in args.list:
        print_edges(c, by_cause[cause], cause, args.limit)
    if by_cause[MISSED]:
        print_edges(c, by_cause[MISSED], MISSED, args.limit)
    return 1 if by_cause[MISSED] else 0


if __name__ == "__main__":
    sys.exit(main())
