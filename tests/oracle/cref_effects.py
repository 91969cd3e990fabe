# SPDX-License-Identifier: Apache-2.0
"""MOD and USE as figure 3.3 of the thesis has them, for cref.py: objects are monolithic, all sets are computed anew until nothing
changes. What runs apart from its callers (calls that are `later`, functions that start beside main) finds everything active."""

FIRST = "main"


class Effects:
    def __init__(self, solver):
        self.s, self.p = solver, solver.p
        self.callees = {f: {g for s in self.stmts(f) if s[0] == "call" for g in solver.targets[s[1]]} for f in solver.reached}
        self.reach = {f: self.closure({f}, lambda g: self.callees[g]) for f in solver.reached}
        self.apart = set()
        for f in solver.reached:
            later = {g for s in self.stmts(f) if s[0] == "call" and self.p.calls[s[1]]["later"] for g in solver.targets[s[1]]}
            if self.p.fns[f]["starts"] and self.p.fns[f]["name"] != FIRST:
                later.add(f)
            for g in later:
                self.apart |= self.reach[g]

    def stmts(self, f):
        return self.p.fns[f]["stmts"]

    @staticmethod
    def closure(start, successors):
        found, todo = set(start), list(start)
        while todo:
            new = successors(todo.pop()) - found
            found |= new
            todo += new
        return found

    def points_to(self, var):
        return {o for o, _ in self.s.pts[(var, "v")]} if var else set()

    def is_local(self, o):
        return self.p.objs[o]["kind"] == "local" and not self.p.objs[o]["static"]

    def is_active(self, f, o):
        owner = self.p.objs[o]["fn"]
        return not self.is_local(o) or f in self.reach.get(owner, ()) or {f, owner} & self.apart

    def accessible(self, row):
        roots = {o for o, x in self.p.objs.items() if x["kind"] in ("global", "string") or (x["kind"] == "local" and x["static"])}
        for arg in self.p.calls[row]["args"]:
            roots |= self.points_to(arg)
        return self.closure(roots, lambda o: {x for x, _ in self.s.pts[(o, 0)]})

    def is_memory(self, o):
        return self.p.objs[o]["kind"] != "function"

    def own(self, s):
        """What the statement does by itself: (MOD, USE), each (object, is it direct)."""
        op = s[0]
        direct = {"put": (s[1], None), "get": (None, s[2])}.get(op, (None, None)) if op != "call" else (None, None)
        through = {"store": (s[1], None), "load": (None, s[2]), "move": (s[1], s[2])}.get(op, (None, None)) if op != "call" else (None, None)
        return [({(d, True)} if d else set()) | {(o, False) for o in self.points_to(v) if self.is_memory(o)}
                for d, v in zip(direct, through)]

    def compute(self):
        """{(function, statement): (MOD, USE)}, {function: (MOD, USE)}"""
        own = {(f, k): self.own(s) for f in self.s.reached for k, s in enumerate(self.stmts(f))}
        of = {at: [{o for o, direct in effect if direct or self.is_active(at[0], o)} for effect in both] for at, both in own.items()}
        proc = {f: [set(), set()] for f in self.s.reached}
        for (f, k), both in own.items():
            for i, effect in enumerate(both):
                proc[f][i] |= {o for o, direct in effect if self.is_active(f, o) and not (direct and self.is_local(o))}
        reachable = {s[1]: self.accessible(s[1]) for f in self.s.reached for s in self.stmts(f) if s[0] == "call"}
        changed = True
        while changed:
            changed = False
            for f in self.s.reached:
                for k, s in enumerate(self.stmts(f)):
                    if s[0] != "call":
                        continue
                    for i in range(2):
                        new = {o for g in self.s.targets[s[1]] for o in proc[g][i] if o in reachable[s[1]] and self.is_active(f, o)}
                        changed |= not new <= proc[f][i]
                        of[f, k][i] |= new
                        proc[f][i] |= new
        return of, proc

    def lines(self):
        of, proc = self.compute()
        out = {f"{word} {f}.{k} {o}" for (f, k), both in of.items() for word, objs in zip(("mod", "use"), both) for o in objs}
        return out | {f"{word} {f} {o}" for f, both in proc.items() for word, objs in zip(("mod", "use"), both) for o in objs}
