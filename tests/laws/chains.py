#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chains.py - call chains, the slow way.

chains.py generate SEED DIR          writes a random component, g/*.java, and DIR/model.json: what calls what
chains.py compare MODEL REQUIREMENTS CHAINS
                                     chains of sherd (JSON) are those that the model has with the receivers that sherd
                                     requirements (JSON) finds: each set of calls tried one after the other
chains.py within SMALL LARGE         all chains of one CSV are in another
chains.py ran STACKS CHAINS            each stack that a run printed, `Cls.method:line ...`, is a chain of a JSON by site
chains.py projects FINE COARSE       chains of a JSON, with less said of each call, are those of another
"""
import csv
import json
import random
import sys


class World:
    """Classes g.C0, g.C1, ... each with a constructor and methods m0, m1, ... of which every line is at most one call."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = self.r.randint(2, 5)
        self.parent = [self.r.choice([None] + list(range(i))) if i else None for i in range(self.n)]
        self.declared = [set(self.r.sample(range(4), self.r.randint(1, 4))) for _ in range(self.n)]
        self.model = {"parent": {}, "methods": {}, "calls": []}

    def chain(self, i):
        while i is not None:
            yield i
            i = self.parent[i]

    def known(self, i):
        return sorted(set().union(*(self.declared[k] for k in self.chain(i))))

    def write(self, folder):
        for i in range(self.n):
            self.write_class(i, folder)
        json.dump(self.model, open(f"{folder}/model.json", "w"))

    def write_class(self, i, folder):
        name, parent = f"g.C{i}", self.parent[i]
        lines = ["package g;", f"public class C{i}" + (f" extends C{parent}" if parent is not None else "") + " {"]
        self.model["parent"][name] = f"g.C{parent}" if parent is not None else None
        self.model["methods"][name] = []
        self.write_method(i, "<init>()V", f"public C{i}() {{", lines, folder)
        for m in sorted(self.declared[i]):
            self.write_method(i, f"m{m}(Lg/C0;)V", f"public void m{m}(C0 o) {{", lines, folder)
        self.write_method(i, f"s{i}(Lg/C0;)V", f"public static void s{i}(C0 o) {{", lines, folder)
        with open(f"{folder}/g/C{i}.java", "w") as f:
            f.write("\n".join(lines + ["}"]) + "\n")

    def write_method(self, i, signature, head, lines, folder):
        caller = f"g.C{i}.{signature}"
        self.model["methods"][f"g.C{i}"].append(signature)
        lines.append(head)
        if signature.startswith("<init>"):
            lines.append("super();")
            if self.parent[i] is not None:
                self.call(caller, lines, "super", f"g.C{self.parent[i]}", "<init>()V")
        is_static, is_init = signature.startswith("s"), signature.startswith("<init>")
        for _ in range(self.r.choice([0, 1, 1, 2, 3])):
            self.write_call(i, caller, is_static, is_init, lines)
        lines.append("}")

    def write_call(self, i, caller, is_static, is_init, lines):
        kind = self.r.choice(["this", "this", "super", "other", "static", "new"])
        o = "null" if is_init else "o"
        if kind in ("this", "super") and is_static:
            kind = "static"
        if kind == "super" and (self.parent[i] is None or is_init):
            kind = "this"
        if kind == "other" and is_init:
            kind = "new"
        if kind == "this":
            m = self.r.choice(self.known(i))
            lines.append(f"this.m{m}({o});")
            self.call(caller, lines, "this", f"g.C{i}", f"m{m}(Lg/C0;)V")
        elif kind == "super":
            m = self.r.choice(self.known(self.parent[i]))
            lines.append(f"super.m{m}({o});")
            self.call(caller, lines, "super", f"g.C{self.parent[i]}", f"m{m}(Lg/C0;)V")
        elif kind == "other":
            m = self.r.choice(self.known(0))
            lines.append(f"o.m{m}({o});")
            self.call(caller, lines, "other", "g.C0", f"m{m}(Lg/C0;)V")
        elif kind == "static":
            k = self.r.randrange(self.n)
            lines.append(f"C{k}.s{k}({o});")
            self.call(caller, lines, "static", f"g.C{k}", f"s{k}(Lg/C0;)V")
        else:
            k = self.r.randrange(self.n)
            lines.append(f"new C{k}();")
            self.call(caller, lines, "new", f"g.C{k}", "<init>()V")

    def call(self, caller, lines, kind, cls, signature):
        self.model["calls"].append([caller, len(lines), kind, cls, signature])


class Naive:
    """Chains by trying each call after each other, with what is known of `this`: None, ("is", C), ("below", C)
    or ("enters", C, METHOD): clients called that method of C with it, which they do where its class has none instead."""

    def __init__(self, model, requirements):
        self.model = model
        self.receivers = {(s["site"].split("@")[0], s["line"]): s["rc"] for s in requirements["sites"] if s["reached"]}
        self.calls = {}
        for caller, line, kind, cls, signature in model["calls"]:
            self.calls.setdefault(caller, []).append((line, kind, cls, signature))

    def select(self, cls, signature):
        while signature not in self.model["methods"][cls]:
            cls = self.model["parent"][cls]
        return f"{cls}.{signature}"

    def is_below(self, cls, top):
        while cls is not None and cls != top:
            cls = self.model["parent"][cls]
        return cls == top

    def may_be(self, this, cls):
        if this is None or this[0] == "is":
            return this is None or this[1] == cls
        if not self.is_below(cls, this[1]):
            return False
        if this[0] == "below":
            return True
        is_constructor = this[2].startswith("<init>")
        return cls == this[1] if is_constructor else self.select(cls, this[2]) == f"{this[1]}.{this[2]}"

    def edges(self, caller, this):
        """(line, receiver, callee, what is known of `this` there)"""
        for line, kind, cls, signature in self.calls.get(caller, []):
            if kind in ("this", "other"):
                for c in self.receivers.get((caller, line), []):
                    if kind == "other" or self.may_be(this, c):
                        yield line, c, self.select(c, signature), ("is", c)
            elif kind == "new":
                yield line, cls, f"{cls}.{signature}", ("is", cls)
            elif kind == "static":
                yield line, None, self.select(cls, signature), None
            else:
                owner = caller[:caller.rindex(".", 0, caller.index("("))]
                yield line, None, self.select(cls, signature), this or ("below", owner)

    def chains(self, k, backedges):
        found = set()

        def go(caller, this, chain, methods):
            if len(chain) - 1 == k:
                return
            for line, receiver, callee, known in self.edges(caller, this):
                if backedges and callee in methods:
                    continue
                longer = chain + ((line, receiver, callee),)
                found.add(longer)
                go(callee, known, longer, methods | {callee})

        for cls, methods in self.model["methods"].items():
            for signature in methods:
                entry = f"{cls}.{signature}"
                go(entry, None if signature.startswith("s") else ("enters", cls, signature), (entry,), {entry})
        return found


def strip(chain, granularity):
    keep = {"method": lambda c: (c[2],), "site": lambda c: (c[0], c[2]), "receiver": lambda c: c}[granularity]
    return (chain[0],) + tuple(keep(c) for c in chain[1:])


def read(path):
    d = json.load(open(path))
    calls = d["calls"]
    names = []
    for c in calls:
        names.append((c.get("line"), c.get("receiver"), c["callee"]))
    listed = [(d["entries"][c["entry"]],) + tuple(names[i] for i in c["calls"]) for c in d["chains"]]
    return d, [strip(c, d["granularity"]) for c in listed]


def differ(left, right, what):
    if left == right:
        return 0
    for name, some in (("only here", left - right), ("only there", right - left)):
        for chain in sorted(map(str, some))[:3]:
            print(f"{what}: {name}: {chain}")
    return 1


def compare(model, requirements, chains):
    d, listed = read(chains)
    naive = Naive(json.load(open(model)), json.load(open(requirements)))
    want = {strip(c, d["granularity"]) for c in naive.chains(d["k"], d["recursion"] == "backedges")}
    if len(listed) != len(set(listed)):
        print("a chain is there twice")
        return 1
    if d["stats"]["total"] != len(listed):
        print("the total is not the number of chains")
        return 1
    return differ(set(listed), want, chains)


def within(small, large):
    rows = {(r[0], r[2]) for r in list(csv.reader(open(large)))[1:]}
    for r in list(csv.reader(open(small)))[1:]:
        if (r[0], r[2]) not in rows:
            print("missing:", r)
            return 1
    return 0


def project(fine, coarse):
    """By site and method, not by line: two calls may be on one."""
    out = []
    for path in (fine, coarse):
        d = json.load(open(path))
        out.append((d, d["granularity"]))
    g = out[1][1]

    def key(c):
        caller = c.get("caller") or c["site"].rsplit("@", 1)[0]
        return (caller, c["callee"]) if g == "method" else (c["site"], c["callee"])
    sets = [{(d["entries"][c["entry"]], str(c["level"])) + tuple(key(d["calls"][i]) for i in c["calls"]) for c in d["chains"]}
            for d, _ in out]
    if len(sets[1]) != len(out[1][0]["chains"]):
        print("a projected chain is there twice")
        return 1
    return differ(sets[0], sets[1], f"{fine} {coarse}")


def ran(stacks, chains):
    """A line is where the next method was called, so that the last one of a stack does not count. Initialisers start anew."""
    d = json.load(open(chains))

    def plain(method):
        return method[:method.index("(")]
    calls = [(c["line"], plain(c["callee"])) for c in d["calls"]]
    known = {(plain(d["entries"][c["entry"]]),) + tuple(calls[i] for i in c["calls"]) for c in d["chains"]}
    bad = 0
    for stack in map(str.split, open(stacks)):
        frames = [(f.rsplit(":", 1)[0], int(f.rsplit(":", 1)[1])) for f in stack]
        start = max(i for i, f in enumerate(frames) if i == 0 or f[0].endswith("<clinit>"))
        chain = (frames[start][0],) + tuple((frames[i - 1][1], frames[i][0]) for i in range(start + 1, len(frames)))
        if chain not in known:
            print("not there:", " ".join(stack))
            bad = 1
    return bad


def main():
    command, *args = sys.argv[1:]
    if command == "generate":
        World(int(args[0])).write(args[1])
        return 0
    return {"compare": compare, "within": within, "ran": ran, "projects": project}[command](*args)


if __name__ == "__main__":
    sys.exit(main())
