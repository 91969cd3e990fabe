#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dynamic.py contains LARGE.csv SMALL.csv - is each edge of the second graph in the first?
dynamic.py callbacks LARGE.csv SMALL.csv - with callbacks of unknown code, does the first graph have each method of the second, and each
edge but those that call back?
dynamic.py callers RECORD - the classes of a record of dynamic features that facts are about, as patterns for --only
dynamic.py keep RECORD - of the graph on standard input, which may be huge, what `facts` asks for
dynamic.py facts RECORD LISTED.csv BEHAVED.csv [FILE] - did what happened have to happen?

A fact of a record (docs/formats/dynamic-record.md) whose caller is in the graph is there, too: at --assume listed the call has the target
or is listed as unresolved, at behaved it has the target. Calls on proxies, and what service loaders make, have it by way of the classes that
stand for those (sherd.*); they may also come from a proxy or loader whose making is listed. FILE has facts that are known to be missed, KIND TARGET CALLER in a
line. Exits with 1, and prints the first misses, where that does not hold. Graphs are read as sherd writes them (docs/formats/csv.md).
"""
import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

SHOWN = 12
KINDS = {"load", "new", "construct", "invoke"}
MADE_KINDS = {"proxycall", "service"}
# Code of the library that does what the graph has at calls of its callers
MACHINERY = re.compile(r"""MACHINERY\("([^"]*)", (?:"([^"]*)"|NULL), SAID\)""")
MAKERS = ("java.lang.reflect.Proxy.newProxyInstance(", "java.util.ServiceLoader.load")
# A proxy whose interfaces are not known one by one is named after all that it may have: more of them where more is resolved.
PROXY = re.compile(r"^sherd\.Proxy\$[\w$]*")
# Classes that are made while the program runs: no graph has them.
MADE = re.compile(r"\$\$Lambda|\$Proxy\d|Generated\w*Accessor|LambdaForm|\$\$\w+/")


class Graph:
    """Without what is only there by callbacks of unknown code: that stands outside the order of levels and algorithms."""
    def __init__(self, path):
        self.edges, self.unresolved, self.callers = defaultdict(set), set(), set()
        by_callback, entries = set(), set()
        with open(path, newline="") as f:
            for caller, pc, _, kind, callee in csv.reader(f):
                if kind == "callback" and not caller:
                    by_callback.add(callee)
                if kind == "callback" or caller in by_callback:
                    continue
                self.callers.add(caller)
                if kind.startswith("unresolved:"):
                    self.unresolved.add((caller, pc))
                elif caller:
                    self.edges[caller, pc].add(callee)
                else:
                    entries.add(callee)
        self.methods = self.callers | entries | {callee for callees in self.edges.values() for callee in callees}
        self.made = defaultdict(set)
        for (caller, _), callees in self.edges.items():
            if caller.startswith("sherd."):
                self.made[caller] |= callees
        self.has_listed_makers = any(callee.startswith(MAKERS) for site in self.unresolved for callee in self.edges.get(site, ()))


def report(misses, total, what):
    for miss in misses[:SHOWN]:
        print(miss)
    if len(misses) > SHOWN:
        print(f"and {len(misses) - SHOWN} more")
    print(f"{total} {what}, {len(misses)} missed")
    return 1 if misses else 0


def edges_by_proxies(graph):
    edges = defaultdict(set)
    for (caller, pc), callees in graph.edges.items():
        edges[PROXY.sub("sherd.Proxy", caller), pc] |= {PROXY.sub("sherd.Proxy", callee) for callee in callees}
    return edges


def contains(large, small):
    a, b = (edges_by_proxies(Graph(path)) for path in (large, small))
    misses = [f"{caller}@{pc} -> {callee}" for (caller, pc), callees in sorted(b.items())
              for callee in sorted(callees - a.get((caller, pc), set()))]
    return report(misses, sum(map(len, b.values())), "edges")


def read_rows(path):
    """Edges and methods of a graph with callbacks, and the edges but those that call back."""
    edges, plain, methods = set(), set(), set()
    with open(path, newline="") as f:
        for caller, pc, _, kind, callee in csv.reader(f):
            if kind.startswith("unresolved:"):
                continue
            methods.add(callee)
            edges.add((caller, pc, callee))
            if kind != "callback":
                plain.add((caller, pc, callee))
    return edges, plain, methods


def callbacks(large, small):
    (edges, _, methods), (_, plain, others) = read_rows(large), read_rows(small)
    misses = [f"{caller}@{pc} -> {callee}" for caller, pc, callee in sorted(plain - edges)] + sorted(others - methods)
    return report(misses, len(plain), "edges")


def read_facts(path, kinds=KINDS | MADE_KINDS):
    lines = Path(path).read_text().splitlines()
    if lines[0] != "sherd-dynamic 1":
        sys.exit(f"{path}: not a record")
    return [fact for fact in (line.split("\t") for line in lines[1:]) if fact[0] in kinds]


def callers(record):
    rows = read_facts(record, KINDS | MADE_KINDS | {"proxy"})
    classes = {caller.split("(")[0].rsplit(".", 1)[0] for _, _, caller, _, _ in rows if "(" in caller} | {"sherd.*"}
    # What machinery loads, it loads for others: is_missed() asks for the initialiser, wherever it is called.
    classes |= {target for kind, target, caller, _, _ in rows if kind == "load" and caller.startswith(machinery()) and target[0] != "["}
    print(",".join(sorted(classes)))
    return 0


def keep(record):
    rows = read_facts(record)
    sites = {tuple(caller.rsplit("@", 1)) for _, _, caller, _, _ in rows if "@" in caller}
    methods = {method for method, _ in sites} | {target_of(kind, target) for kind, target, _, _, _ in rows}
    shown = set()
    for line in sys.stdin:         # names are written without quotes
        caller, pc, _, kind, callee = line.rstrip("\n").split(",")
        is_first = caller in methods and caller not in shown or callee in methods and callee not in shown
        is_maker = callee.startswith(MAKERS)
        if is_maker:
            sites.add((caller, pc))
        is_asked = callee in methods or is_maker or callee.startswith(("sherd.", "java.lang.Class.forName(")) or "$$Lambda" in callee
        if is_first or caller.startswith("sherd.") or (is_asked or kind.startswith("unresolved:")) and (caller, pc) in sites:
            sys.stdout.write(line)
            shown.update((caller, callee))
    return 0


def target_of(kind, target):
    """The method that the fact ran; a class that is found may have an initialiser."""
    return {"load": f"{target}.<clinit>()V", "new": f"{target}.<init>()V", "service": target.split("=")[-1] + ".<init>()V"}.get(kind, target)


def machinery():
    text = (Path(__file__).resolve().parents[2] / "src/analysis/dynamic/machinery.def").read_text()
    return tuple(f"{c.replace('/', '.')}.{m + '(' if m else ''}" for c, m in MACHINERY.findall(text))


def by_made_class(graph, method, pc, wanted):
    """Is it called by what stands for a class that is made at run time, and that this site calls?"""
    work, seen = [c for c in graph.edges.get((method, pc), ()) if c.startswith("sherd.")], set()
    while work:
        m = work.pop()
        if m == wanted or wanted in graph.made.get(m, ()):
            return True
        fresh = {c for c in graph.made.get(m, ()) if "$" in c and (c.startswith("sherd.") or "$$Lambda" in c)} - seen
        seen |= fresh
        work += fresh
    return False


def is_missed(name, graph, kind, method, pc, wanted):
    if method.startswith(machinery()):
        return wanted not in graph.methods
    if kind not in MADE_KINDS:
        is_listed = name == "listed" and (method, pc) in graph.unresolved
        return not is_listed and wanted not in graph.edges.get((method, pc), set())
    if name == "listed" and graph.has_listed_makers:
        return False
    return not by_made_class(graph, method, pc, wanted) if name == "listed" else wanted not in graph.methods


def facts(record, listed_path, behaved_path, known_path=None):
    listed, behaved, total, misses = Graph(listed_path), Graph(behaved_path), 0, []
    known = set(map(str.strip, open(known_path))) if known_path else set()
    for kind, target, caller, line, _ in read_facts(record):
        if MADE.search(target) or "@" not in caller or target.startswith("["):
            continue
        method, pc = caller.rsplit("@", 1)
        wanted = target_of(kind, target)
        if f"{kind} {target} {caller}" in known or (kind in MADE_KINDS and "lambda$" in target):
            continue
        is_find = kind == "load" and not any(c.startswith("java.lang.Class.forName(") for c in behaved.edges.get((method, pc), ()))
        if is_find or (kind == "load" and wanted not in behaved.methods):
            continue        # nothing runs
        for name, graph in (("listed", listed), ("behaved", behaved)):
            if method not in graph.callers:
                continue
            total += 1
            if is_missed(name, graph, kind, method, pc, wanted):
                misses.append(f"{name}: {kind} {target} at {caller}, line {line}")
    return report(misses, total, "facts")


sys.exit({"contains": contains, "callbacks": callbacks, "callers": callers, "keep": keep, "facts": facts}[sys.argv[1]](*sys.argv[2:]))
