#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py within SMALL LARGE | tuned FT VA | seen RECORD CALLS [GRAPH] - laws of sherd callbacks --format json.

within: each callback of SMALL, by site and callee, is one of LARGE, and their direct calls are the same.

tuned: the same for va-datareach-ft and va-datareach, but at sites where both find callbacks va-datareach-ft may find more: what the
application's methods are given others can get at from then on, and they give back what they ever do. How many these are is said.

seen: each call that a run shows (recorder.c) is in CALLS: a direct one as a direct call of its site, a callback as a callback at the
call site of the application's nearest method; what a thread runs is a callback, or runs later, somewhere. Those that are there because there was no time to
look at the call are counted. What is not there needs one of these reasons, which are counted, and printed with an example:

    initialiser  a class is initialised: the JVM calls its code, wherever it is first needed; docs/analyses/callbacks.md says which of
                 these have a site: those that a method of the library is the first to need
    jvm          the JVM calls, while an instruction runs that calls nothing, or on a thread of its own
    unresolved   it comes by reflection or a method handle, and the GRAPH (sherd callgraph --format json) lists a call as not resolved
                 that the library's method makes which calls back, or the caller itself at this place; or code that is called back so
                 calls it
"""
import collections
import json
import sys

INVOKES = range(0xb6, 0xbb)
GETSTATIC, PUTSTATIC, NEW = 0xb2, 0xb3, 0xbb
SHOWN = 12
decode = json.JSONDecoder().raw_decode


def read_calls(path):
    """(caller, pc) -> kind -> callees; callee -> kinds; ((caller, pc), callee) that nobody looked at"""
    sites, kinds, head, walked = collections.defaultdict(lambda: collections.defaultdict(set)), collections.defaultdict(set), None, set()
    with open(path, encoding="utf-8") as f:
        for line in f:
            if head is None:
                head = line
            if line.startswith('{"caller":'):
                e = decode(line)[0]
                at = e["caller"], int(e["site"].rsplit("@", 1)[1])
                sites[at][e["kind"]].add(e["callee"])
                kinds[e["callee"]].add(e["kind"])
                if e.get("walked"):
                    walked.add((at, e["callee"]))
    return sites, kinds, walked


def triples(sites, is_direct):
    return {(at, callee) for at, kinds in sites.items() for kind, callees in kinds.items() if (kind == "direct") == is_direct
            for callee in callees}


def within(small, large, is_tuned):
    small, large = read_calls(small)[0], read_calls(large)[0]
    lost = triples(small, False) - triples(large, False) - triples(large, True)
    more = ""
    if is_tuned:
        common = {at for at, _ in triples(small, False) & triples(large, False)}
        more = f", {sum(at in common for at, _ in lost)} more beside others"
        lost = {(at, callee) for at, callee in lost if at not in common}
    for (caller, pc), callee in sorted(lost)[:SHOWN]:
        print(f"not there: {caller}@{pc} -> {callee}")
    differ = triples(small, True) ^ triples(large, True)
    for (caller, pc), callee in sorted(differ)[:SHOWN]:
        print(f"direct in one only: {caller}@{pc} -> {callee}")
    print(f"{len(triples(small, False))} of {len(triples(large, False))} callbacks{more}")
    return not lost and not differ


class Graph:
    """Which calls are not resolved, and in which methods."""

    def __init__(self, path):
        self.sites, self.methods = set(), set()
        if not path:
            return
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.startswith('{"site":'):
                    site = decode(line)[0]
                    if site.get("unresolved") in ("reflection", "method-handle"):
                        self.sites.add(site["site"])
                        self.methods.add(site["site"].rsplit("@", 1)[0])


class Record:
    def __init__(self, record, calls, graph):
        self.sites, self.kinds, self.walked = read_calls(calls)
        self.graph = Graph(graph)
        self.reasons = collections.defaultdict(list)
        self.found, self.missing = collections.Counter(), []
        self.unresolved = set()          # methods that only came by what is not resolved
        self.callees_of = collections.defaultdict(set)
        for (caller, _), kinds in self.sites.items():
            for callees in kinds.values():
                self.callees_of[caller] |= callees
        self.reached = set(self.kinds) | {caller for caller, _ in self.sites}
        with open(record, encoding="utf-8") as f:
            self.rows = [line.rstrip("\n").split("\t") for line in f]

    def excuse(self, reason, row):
        self.reasons[reason].append(row)

    def check(self):
        late = []
        for row in self.rows:
            if not self.is_there(row) and not self.by_jvm(row):
                late.append(row)
        while True:                      # what code that is not known calls is not known either
            left = [row for row in late if not self.is_unresolved(row)]
            if len(left) == len(late):
                break
            late = left
        self.missing = late

    def is_there(self, row):
        sort, callee = row[:2]
        if sort == "later":
            there = bool(self.kinds[callee] - {"direct"})
        else:
            kinds = self.sites.get((row[2], int(row[3])), {})
            there = callee in kinds.get("direct", ()) or (sort == "back" and (callee in kinds.get("callback", ())))
        self.found[sort] += there
        self.found["walked"] += there and sort != "later" and ((row[2], int(row[3])), callee) in self.walked
        return there

    def by_jvm(self, row):
        sort, callee = row[:2]
        is_clinit = ".<clinit>(" in callee
        if sort == "later":
            by = row[5]
            if by == "-" or by.startswith(("java.lang.ref.", "java.lang.Shutdown", "java.lang.ApplicationShutdownHooks",
                                           "jdk.internal.misc.Signal")):
                self.excuse("jvm", row)
                return True
            return False
        opcode = int(row[4])
        if is_clinit and sort == "direct":
            self.excuse("initialiser", row)
            return True
        if sort == "back" and opcode in (GETSTATIC, PUTSTATIC, NEW) and "initialiser" in row[6].split(","):
            if opcode != NEW or callee in self.callees_of[row[2]]:
                self.excuse("initialiser", row)
                return True
        if opcode not in INVOKES:
            self.excuse("jvm", row)
            return True
        return False

    def is_unresolved(self, row):
        sort, callee = row[:2]
        how = set(row[6].split(",")) if sort != "direct" and len(row) > 6 else set()
        is_listed = len(row) > 5 and (row[5] in self.graph.methods or f"{row[2]}@{row[3]}" in self.graph.sites)
        if how & {"reflection", "handle"} and is_listed or (row[2] in self.unresolved and row[2] not in self.reached):
            self.unresolved.add(callee)
            self.excuse("unresolved", row)
            return True
        return False

    def report(self):
        for sort in ("direct", "back", "later"):
            print(f"{sort}: {self.found[sort]} found")
        walked = self.found.pop("walked")
        for reason, rows in sorted(self.reasons.items()):
            print(f"{reason}: {len(rows)}, for example {' '.join(min(rows))}")
        for row in sorted(self.missing)[:SHOWN]:
            print("missing: " + " ".join(row))
        print(f"{sum(self.found.values())} found{f' ({walked} as simple has them)' if walked else ''}, "
              f"{sum(map(len, self.reasons.values()))} excused, {len(self.missing)} missing")


def main():
    how, first, second = sys.argv[1:4]
    if how in ("within", "tuned"):
        return 0 if within(first, second, how == "tuned") else 1
    r = Record(first, second, sys.argv[4] if len(sys.argv) > 4 else None)
    r.check()
    r.report()
    return 0 if not r.missing and r.found["back"] else 1


if __name__ == "__main__":
    sys.exit(main())
