# SPDX-License-Identifier: Apache-2.0
"""chain_automaton.py - what a run covers of a forest of call chains, the slow way, and twice.

A *record* is what tests/oracle/chains/recorder.c writes. `Record.rows` has the chains that it read off the stacks; `Traversals` is the
automaton of sections 4.2 and 4.3 of the paper, step by step, with a stack of traversals for each thread; it knows only events.
Exceptions leave methods as returns do. Both count how often a run comes to a node of the forest.
"""
import re
from collections import Counter

CLIENT = re.compile(r"^c[0-9]+\..*")          # classes of generated clients, which are one label
ACTIVE, LIMITED, EXTERNAL = "active", "limited", "external"


class Record:
    def __init__(self, path):
        self.methods, self.classes, self.nodes, self.threads = {}, {}, [], []
        with open(path) as f:
            for line in f:
                self.read(line.rstrip("\n").split(" "))

    def read(self, fields):
        kind, rest = fields[0], fields[1:]
        if kind == "M":
            self.methods[int(rest[0])] = rest[1]
        elif kind == "C":
            self.classes[int(rest[0])] = CLIENT.sub("client", rest[1])
        elif kind == "N":
            self.nodes.append([int(x) for x in rest])
        elif kind == "T":
            self.threads.append([])
        else:
            self.threads[-1].append((kind, *map(int, rest)))

    def label(self, pc, cls, method):
        return f"@{pc} [{self.classes.get(cls, '?')}] {self.methods[method]}" if cls else f"@{pc} {self.methods[method]}"

    def chains(self):
        """(level, chain, count): a chain is an entry and labels."""
        known = {}
        for row, parent, pc, cls, method, count in self.nodes:
            if parent:
                level, above = known[parent]
                known[row] = level, above + (self.label(pc, cls, method),)
            else:
                known[row] = pc, (self.methods[method],)
            yield *known[row], count


def callee(label):
    return label.rsplit(" ", 1)[-1]


class Forest:
    """Chains as tuples: an entry and labels. With back edges, a call of a method that is on the chain goes back there."""

    def __init__(self, entries, chains, backedges=False):
        self.backedges = backedges
        self.chains = {(e,) for e in entries} | set(chains)

    def go(self, node, label):
        """Where a call leads to: a node, and whether by a back edge; None: nowhere."""
        if node + (label,) in self.chains:
            return node + (label,), False
        if self.backedges:
            methods = [node[0]] + [callee(x) for x in node[1:]]
            if callee(label) in methods:
                return node[:methods.index(callee(label)) + 1], True
        return None, False


def covered_by_stacks(record, forest):
    """(level, node) -> count, of the chains that stacks had."""
    found = Counter()
    for level, chain, count in record.chains():
        node = chain[:1]
        for label in chain[1:]:
            node, _ = forest.go(node, label)
            if node is None:
                break
        if node is not None and count:
            found[level, node] += count
    return found


class Traversal:
    def __init__(self, level, root):
        self.state, self.curr, self.stacks, self.counter, self.prev, self.level = ACTIVE, root, {}, 0, None, level


class Traversals:
    """Of one thread: the stack of section 4.3."""

    def __init__(self, forest, found):
        self.forest, self.found, self.stack = forest, found, []

    def arrive(self, t, node):
        t.curr = node
        self.found[t.level, node] += 1

    def entered(self, method):
        if not self.stack or self.stack[-1].state == EXTERNAL:
            t = Traversal(len(self.stack), None)
            self.stack.append(t)
            self.arrive(t, (method,))

    def exited(self, method):
        t = self.stack[-1]
        if t.state == ACTIVE and len(t.curr) == 1 and not t.stacks.get(t.curr):
            assert t.curr[0] == method, (t.curr, method)
            self.stack.pop()

    def before(self, label):
        """label: None for a call that leaves the component."""
        t = self.stack[-1]
        if label is None:
            t.prev, t.state = t.state, EXTERNAL
        elif t.state == LIMITED:
            t.counter += 1
        else:
            self.descend(t, label)

    def descend(self, t, label):
        node, is_back = self.forest.go(t.curr, label)
        if node is None:
            t.state, t.counter = LIMITED, 1
            return
        if is_back:
            t.stacks.setdefault(node, []).append((callee(t.curr[-1]), label, t.curr))
        self.arrive(t, node)

    def after(self, caller, label):
        """A back edge is told from the way down by its call: methods of a chain differ where there are back edges."""
        t = self.stack[-1]
        back = t.stacks.get(t.curr)
        if t.state == EXTERNAL:
            assert label is None
            t.state = t.prev
        elif t.state == LIMITED:
            t.counter -= 1
            t.state = LIMITED if t.counter else ACTIVE
        elif back and back[-1][:2] == (caller, label):
            t.curr = back.pop()[2]
        else:
            assert t.curr[-1] == label, (t.curr, label)
            t.curr = t.curr[:-1]


def short(name):
    """describe(Z) of ledger.MoneyFormat.describe(Z)Ljava/lang/String;"""
    method = callee(name)
    return method[:method.index(")") + 1].rsplit(".", 1)[-1]


class Traced(Traversals):
    """Tells each event, and where the traversal on top of the stack is then: its level, its state, its node."""

    def tell(self, event):
        t = self.stack[-1] if self.stack else None
        where = "start" if t is None else f"{t.level} {t.state}" + (f" {t.counter}" if t.state == LIMITED else "")
        print(f"{event:42}{where:14}{' > '.join(short(x) for x in t.curr) if t else ''}".rstrip())

    def entered(self, method):
        super().entered(method)
        self.tell(f"entered {short(method)}")

    def exited(self, method):
        super().exited(method)
        self.tell(f"exited {short(method)}")

    def before(self, label):
        super().before(label)
        self.tell(f"before {short(label) if label else 'a call out'}")

    def after(self, caller, label):
        super().after(caller, label)
        self.tell(f"after {short(label) if label else 'a call out'}")


class Thread:
    """Turns entries and exits of methods into the four events of section 4.1."""

    def __init__(self, record, forest, found, traversals=Traversals):
        self.record, self.traversals, self.open = record, traversals(forest, found), []

    def leave(self):
        _, method, caller, label = self.open.pop()
        if method:
            self.traversals.exited(self.record.methods[method])
        if caller:
            self.traversals.after(self.record.methods[caller], label)

    def enter(self, kind, depth, method, caller, pc, cls):
        label = self.record.label(pc, cls, method) if kind == "E" and caller and method else None
        self.open.append((depth, method, caller, label))
        if caller:
            self.traversals.before(label)
        if method:
            self.traversals.entered(self.record.methods[method])

    def run(self, events):
        """Where the stack overflows, frames come without an entry and go without an exit: the depth tells."""
        for kind, depth, *rest in events:
            while self.open and self.open[-1][0] >= depth + (kind == "X"):
                self.leave()
            if kind != "X":
                self.enter(kind, depth, *rest)
            elif self.open and self.open[-1][0] == depth:
                self.leave()


def covered_by_events(record, forest):
    found = Counter()
    for events in record.threads:
        Thread(record, forest, found).run(events)
    return found


def trace(record, forest):
    for events in record.threads:
        Thread(record, forest, Counter(), Traced).run(events)
