#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cref.py CREF COUNT [FIRST] - a slow solver of C pointers beside the fast one, on random programs.

Writes COUNT programs in the text form of src/cir/text_p.h, from seed FIRST on, lets CREF (tests/oracle/cref.c) analyse them, and
compares with sets that are computed here by going over all statements until nothing changes; MOD and USE of monolithic objects,
too (cref_effects.py). (Of a thousand, one may
differ: whether an object of unknown layout gets a stride before it has too many cells depends on the order, and a move of one
value from an object that became one cell is sometimes narrower than from its cells.) As many programs that allocate
say whether functions that are taken for allocators may be: the answer is then that of the program in which each call of such
a function has a copy of it, with its own memory. Prints ok and not ok lines.
"""
import copy
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from math import gcd
from pathlib import Path

from cref_effects import FIRST, Effects

POINTER = 8
ELEMENTS, BYTES, RANGE = "elements", "bytes", "range"
ANY = "*"                              # the offset of pointers to somewhere in an object


# Programs: read from text as cir_print writes it.

class Program:
    def __init__(self, text):
        self.layouts, self.objs, self.fns, self.calls = {}, {}, {}, {}
        fn = None
        for line in text.splitlines():
            line = re.sub(r'"(?:[^"\\]|\\.)*"', "Q", line)
            words = line.split()
            if words[:1] == ["layout"]:
                self.read_layout(line)
            elif words[:1] == ["object"]:
                self.read_object(line)
            elif words[:1] == ["function"]:
                fn = self.read_function(line)
            elif line.startswith("  "):
                self.read_stmt(fn, re.sub(r" !.*", "", line.strip()))

    @staticmethod
    def number(text, sign):
        return int(re.search(re.escape(sign) + r"(\d+)", text).group(1))

    def read_layout(self, line):
        m = re.match(r"layout \S*\$(\d+) (\w+) (\d+)(.*)", line)
        row = {"kind": m[2], "size": int(m[3])}
        if m[2] == "struct":
            row["fields"] = [(int(o), int(l)) for o, l in re.findall(r"[{,] (\d+) [^$ ]*\$(\d+)", m[4])]
        elif m[2] == "array":
            row["elem"] = self.number(m[4], "$")
            row["count"] = int(m[4].split(" x ")[1])
        self.layouts[int(m[1])] = row

    def read_object(self, line):
        m = re.match(r"object [^@]*@(\d+) (\w+) (\S+) size (\d+)(.*)", line)
        fn = re.search(r" in [^# ]*#(\d+)", m[5])
        self.objs[int(m[1])] = {"kind": m[2], "layout": 0 if m[3] == "_" else self.number(m[3], "$"), "size": int(m[4]),
                                "repeats": " repeats" in m[5], "static": " static" in m[5], "fn": int(fn[1]) if fn else 0}

    def read_function(self, line):
        m = re.match(r"function [^#]*#(\d+)\(([^)]*)\) result \S*%(\d+) object \S*@(\d+)(.*)", line)
        rest = re.match(r" rest \S*@(\d+)", m[5])
        flags = set(m[5].split())
        self.fns[int(m[1])] = {"name": line.split()[1].split("#")[0], "params": [int(x) for x in re.findall(r"%(\d+)", m[2])], "result": int(m[3]), "obj": int(m[4]),
                               "rest": int(rest[1]) if rest else 0, "starts": "starts" in flags, "allocates": "allocates" in flags,
                               "model": "model" in flags, "variadic": "variadic" in flags, "placeholder": "placeholder" in flags,
                               "realloc": "moves" in flags, "returns": "returns" in flags, "stmts": [],
                               "other": self.number(m[5], " other %") if " other " in m[5] else 0}
        return self.fns[int(m[1])]

    @staticmethod
    def var(text):
        return 0 if text.strip() == "_" else int(text.rsplit("%", 1)[1])

    def read_call(self, line):
        m = re.match(r"(?:(\S+) = )?call (\*?)([^(]*)\(([^)]*)\)(.*)", line)
        call = {"result": self.var(m[1]) if m[1] else 0, "callee": 0 if m[2] else self.number(m[3], "#"),
                "pointer": self.var(m[3]) if m[2] else 0, "args": [self.var(x) for x in m[4].split(",")] if m[4] else [],
                "fresh": " fresh" in m[5], "untyped": " untyped" in m[5], "later": " later" in m[5],
                "memory": self.number(m[5], "@") if " memory " in m[5] else 0}
        self.calls[len(self.calls) + 1] = call
        return ("call", len(self.calls))

    def read_stmt(self, fn, line):
        if re.match(r"(\S+ = )?call ", line):
            fn["stmts"].append(self.read_call(line))
            return
        flags = {w for w in (ELEMENTS, BYTES, RANGE) if line.split("=", 1)[1].split()[-3:].count(w)}
        line = re.sub(r"( elements| bytes| range| hidden)+$", "", line)
        width = 0
        m = re.search(r" for (\d+)$", line)
        if m:
            line, width = line[:m.start()], int(m[1])
        left, right = line.split(" = ", 1)
        fn["stmts"].append(self.assignment(left, right, width, flags))

    def assignment(self, left, right, width, flags):
        if left.startswith("*"):
            op = "move" if right.startswith("*") else "store"
            return (op, self.var(left), self.var(right), width)
        if " at " in left:
            return ("put", self.number(left, "@"), int(left.split(" at ")[1]), self.var(right))
        dst = self.var(left)
        if right.startswith("&"):
            m = re.match(r"&\S*@(\d+)(?: ([+-]) (\d+))?$", right)
            return ("addr", dst, int(m[1]), int((m[2] or "") + (m[3] or "0")), flags)
        if right.startswith("*"):
            return ("load", dst, self.var(right))
        if " at " in right:
            return ("get", dst, self.number(right, "@"), int(right.split(" at ")[1]))
        m = re.match(r"(\S+) ([+-]) (\d+)(?: \+ n\*(\d+))?$", right)
        if m:
            return ("shift", dst, self.var(m[1]), int(m[2] + m[3]), int(m[4] or 0), flags)
        return ("copy", dst, self.var(right))


# Layouts

class Layouts:
    def __init__(self, program):
        self.rows = program.layouts

    def leaf(self, l, off):
        """The path to the part that has the byte: (layout, base, rest) from the outside to the inside."""
        base, path, pad = 0, [], False
        while True:
            row = self.rows[l]
            path.append((l, base, off, pad))
            if row["kind"] == "struct":
                inside = [f for f in row["fields"] if f[0] <= off]
                if not inside:
                    return path
                at, l2 = inside[-1]
                base, off = base + at, off - at
                if inside[-1] != row["fields"][-1] and off >= self.rows[l2]["size"]:
                    off, pad = max(self.rows[l2]["size"] - 1, 0), True
                l = l2
            elif row["kind"] == "array":
                off %= self.rows[row["elem"]]["size"]
                l = row["elem"]
            else:
                return path

    def cell(self, l, off):
        return self.leaf(l, off)[-1][1]

    def around(self, l, off, step):
        """In an array, not only in one of a struct that starts there."""
        return self.in_array(l, off, step, outside=True)

    def in_array(self, l, off, step, outside=False):
        for x, _, rest, pad in self.leaf(l, off):
            row = self.rows[x]
            if row["kind"] == "array":
                elem = self.rows[row["elem"]]
                if elem["kind"] == "scalar" or step % elem["size"] == 0:
                    return True
            if outside and row["kind"] == "struct" and len(row["fields"]) > 1 and rest == 0 and not pad:
                return False
        return False

    def middle(self, l, off, below):
        """Not at the first element of an array."""
        for x, _, rest, _ in self.leaf(l, off):
            row = self.rows[x]
            if row["kind"] == "array":
                elem = self.rows[row["elem"]]
                if rest >= elem["size"] and (not below or (elem["kind"] == "scalar" and elem["size"] < below)):
                    return True
        return False

    def starts(self, l, off, size):
        return any(rest == 0 and not pad and self.rows[x]["size"] == size for x, _, rest, pad in self.leaf(l, off))

    def inside(self, l, off):
        """Not at the first byte of a scalar."""
        _, _, rest, pad = self.leaf(l, off)[-1]
        return rest > 0 or pad

    def leaves(self, l, off, back):
        """Does a step back lead out of an array?"""
        path = self.leaf(l, off)
        for (x, _, _, _), (_, _, rest, _) in zip(path, path[1:]):
            row = self.rows[x]
            if row["kind"] != "array" or back <= rest:
                continue
            elem = self.rows[row["elem"]]
            if back >= row["size"] or (elem["kind"] != "scalar" and back % elem["size"]):
                return True
        return False

    def part(self, l, off):
        """The size of the largest struct or array that starts there."""
        for x, _, rest, pad in self.leaf(l, off):
            if rest == 0 and not pad:
                return 0 if self.rows[x]["kind"] == "scalar" else self.rows[x]["size"]
        return 0

    def each(self, l, start, end):
        return sorted({self.cell(l, off) for off in range(start, end)})


# The solver

class Solver:
    def __init__(self, program, fields):
        self.p, self.fields, self.l = program, fields, Layouts(program)
        self.collapsed, self.stride = set(), {}
        self.pts = defaultdict(set)
        self.reached = {f for f, row in program.fns.items() if row["starts"]}
        self.targets = defaultdict(set)
        self.known = defaultdict(set)          # by object: the offsets of cells

    def is_single(self, o):
        row, l = self.p.objs[o], self.p.objs[o]["layout"]
        while l and self.p.layouts[l]["kind"] == "array":
            l = self.p.layouts[l]["elem"]
        return row["kind"] == "function" or (l and self.p.layouts[l]["kind"] == "scalar")

    def is_whole(self, o):
        return not self.fields or o in self.collapsed or self.is_single(o)

    def canonical(self, o, off):
        row = self.p.objs[o]
        if self.is_whole(o):
            return (o, 0)
        if off == ANY:
            return (o, ANY)
        if not row["layout"]:
            return (o, off % self.stride[o] if o in self.stride else off)
        if row["repeats"]:
            off %= self.p.layouts[row["layout"]]["size"]
        return (o, self.l.cell(row["layout"], off))

    def cell(self, o, off):
        """The cell, which then exists."""
        at = self.canonical(o, off)
        many = len(self.known[o]) >= 64 and at[1] not in self.known[o]
        if not self.is_whole(o) and not self.p.objs[o]["layout"] and (at[1] % 4 or at[1] > 4096 or many):
            self.collapse(o)
            at = (o, 0)
        self.meet(at)
        return at

    def meet(self, at):
        if at[1] != ANY and at[1] not in self.known[at[0]]:
            self.known[at[0]].add(at[1])
            self.changed = True

    def content(self, at):
        """What is in a cell: a pointer to somewhere reads all of them."""
        if at[1] != ANY:
            return self.pts[at]
        return set().union(*(self.pts[(at[0], off)] for off in self.known[at[0]]))

    def collapse(self, o):
        if not self.is_whole(o):
            self.collapsed.add(o)
            self.changed = True

    def set_stride(self, o, step):
        stride = gcd(self.stride.get(o, 0), step)
        if not step or stride < POINTER:
            self.collapse(o)
        elif stride != self.stride.get(o):
            self.stride[o] = stride
            self.changed = True

    def add(self, node, cells):
        """What is stored somewhere makes the object one cell."""
        if cells and node[1] == ANY:
            self.collapse(node[0])
        new = cells - self.pts[node]
        if new:
            self.pts[node] |= new
            self.changed = True

    def shift_raw(self, o, off, by, width, flags):
        if width:
            self.set_stride(o, width)
        elif ELEMENTS in flags:
            self.set_stride(o, abs(by))
        if o in self.collapsed:
            return {(o, 0)}
        if o in self.stride:
            return {self.cell(o, (off + by) % self.stride[o])}
        return {self.cell(o, off + by)} if off + by >= 0 else set()

    def inside(self, o, at):
        row = self.p.objs[o]
        size = self.p.layouts[row["layout"]]["size"]
        if row["repeats"]:
            return {self.cell(o, at % size)}
        return {self.cell(o, at)} if 0 <= at < (row["size"] or size) else set()

    def shift_exactly(self, o, off, by, flags):
        stays = flags & {ELEMENTS, BYTES} and by and self.l.around(self.p.objs[o]["layout"], off, abs(by))
        if stays and ELEMENTS in flags:
            return {(o, off)}
        if self.is_lost(o, off, by, flags) or self.is_end(o, off, by) or (not stays and self.is_middle(o, off, by, flags)):
            return {(o, ANY)}
        return self.inside(o, off + by) | ({(o, off)} if stays else set())

    def is_lost(self, o, off, by, flags):
        """In the middle of a scalar, or before an array from who knows which element: what is next to it is not known."""
        layout = self.p.objs[o]["layout"]
        size, at = self.p.layouts[layout]["size"], off + by
        if BYTES in flags and by < 0 and self.l.leaves(layout, off, -by):
            return True
        if self.p.objs[o]["repeats"]:
            return self.l.inside(layout, at % size)
        return 0 <= at < size and self.l.inside(layout, at)

    def is_middle(self, o, off, by, flags):
        """At an element of an array, by way of something around it: where the array ends is not known."""
        row, at = self.p.objs[o], off + by
        if row["repeats"]:
            at %= self.p.layouts[row["layout"]]["size"]
        return flags and at >= 0 and self.l.middle(row["layout"], at, POINTER if BYTES in flags else 0)

    def is_end(self, o, off, by):
        """One past the end: from there it may come back."""
        row = self.p.objs[o]
        return not row["repeats"] and by > 0 and off + by == (row["size"] or self.p.layouts[row["layout"]]["size"])

    def address(self, o, off, flags):
        base = self.cell(o, 0)
        if not off or self.is_whole(o) or not self.p.objs[o]["layout"]:
            return base if off < 0 else self.cell(o, off)
        if off < 0 or self.is_lost(o, base[1], off, flags) or self.is_end(o, base[1], off) or self.is_middle(o, base[1], off, flags):
            return (o, ANY)
        return self.cell(o, off)

    def is_element(self, o, at, width, flags):
        row = self.p.objs[o]
        if row["repeats"] and width % self.p.layouts[row["layout"]]["size"] == 0:
            return True
        return (self.l.in_array if ELEMENTS in flags else self.l.around)(row["layout"], at, width)

    def is_alone(self, o, off, width):
        """At one object, or in one scalar."""
        row = self.p.objs[o]
        if row["repeats"] and row["size"] != self.p.layouts[row["layout"]]["size"]:
            return False
        part = self.l.part(row["layout"], off)
        return self.l.starts(row["layout"], off, width) if width > POINTER else part == width if part else width > 1

    def shift_any(self, o, off, by, width, flags):
        to = self.inside(o, off + by)
        if to and self.is_element(o, next(iter(to))[1], width, flags):
            return to
        if self.is_element(o, off, width, flags) or self.is_alone(o, off, width):
            return to or {(o, off)}
        return {(o, ANY)}

    def shift(self, cell, by, width, flags):
        o, off = cell
        if self.is_whole(o):
            return {(o, 0)}
        if not self.p.objs[o]["layout"]:
            return self.shift_raw(o, off, by, width, flags)
        if width and BYTES in flags:
            self.collapse(o)
            return {(o, 0)}
        if off == ANY:
            return {cell}
        return self.shift_any(o, off, by, width, flags) if width else self.shift_exactly(o, off, by, flags)

    def size_of(self, o):
        """Of what is laid out; a flexible array may go on behind its struct."""
        row = self.p.objs[o]
        size = self.p.layouts[row["layout"]]["size"]
        return size if row["repeats"] else max(size, row["size"])

    # Moves: pieces of the source are (offset behind it, cell, folded, layout, start).

    def pieces(self, cell, width):
        o, start = cell
        row = self.p.objs[o]
        if row["kind"] == "function":
            return
        if self.is_whole(o):
            scalar = self.is_single(o) and 0 < row["size"] <= POINTER
            yield 0, (o, 0), not scalar and not 0 < width <= POINTER, 0, 0
        elif start == ANY:
            yield 0, cell, not 0 < width <= POINTER, 0, 0
        elif row["layout"]:
            yield from self.laid_out_pieces(o, start, width)
        else:
            yield from self.raw_pieces(o, start, width)

    def laid_out_pieces(self, o, start, width):
        layout, size = self.p.objs[o]["layout"], self.size_of(o)
        loops = self.p.objs[o]["repeats"] and (not width or width > size - start)
        end = size if loops or not width else min(size, start + width)
        for off in self.l.each(layout, 0 if loops else start, end):
            behind = off >= start
            folded = loops or not behind or self.l.in_array(layout, off, 0)
            self.meet((o, off))
            yield off - start if behind else 0, (o, off), folded, layout, start

    def raw_pieces(self, o, start, width):
        stride = self.stride.get(o)
        for node in [(o, off) for off in self.known[o]]:
            if stride:
                rel = (node[1] - start) % stride
                if not width or rel < width:
                    yield rel, node, not width or width > stride, 0, 0
            elif node[1] >= start and (not width or node[1] - start < width):
                yield node[1] - start, node, False, 0, 0

    def destinations(self, piece, dest, width):
        rel, _, folded, layout, start = piece
        o, off = dest
        row = self.p.objs[o]
        if off == ANY:
            return {dest}
        if not folded:
            return {self.cell(o, off + rel)}
        if not row["layout"]:
            self.collapse(o)
        if self.is_whole(o):
            return {(o, 0)}
        if layout == row["layout"] and start == off:
            return {self.cell(o, piece[1][1])}
        return self.poured(o, off + rel, width - rel if width > rel else 0)

    def poured(self, o, at, length):
        row, size = self.p.objs[o], self.size_of(o)
        if row["repeats"]:
            at = 0
        if at >= size:
            return set()
        return {self.cell(o, c) for c in self.l.each(row["layout"], at, min(size, at + length) if length else size)}

    def move(self, dst, src, width):
        for cell in list(self.pts[(src, "v")]):
            for piece in list(self.pieces(cell, width)):
                for dest in list(self.pts[(dst, "v")]):
                    for node in self.destinations(piece, dest, width):
                        self.add(node, set(self.content(piece[1])))

    # Statements

    def link(self, call, f):
        fn = self.p.fns[f]
        if f not in self.reached:
            self.reached.add(f)
            self.changed = True
        for i, arg in enumerate(call["args"]):
            if not arg:
                continue
            if i < len(fn["params"]):
                self.add((fn["params"][i], "v"), self.pts[(arg, "v")])
            elif fn["rest"]:
                self.add(self.cell(fn["rest"], 0), self.pts[(arg, "v")])
        if call["result"] and not (call["fresh"] and fn["allocates"]):
            own = call["memory"] and fn["allocates"] and not fn["realloc"] and not fn["returns"]
            self.add((call["result"], "v"), {self.cell(call["memory"], 0)} if own else self.pts[(fn["result"], "v")])
            if own and fn["other"]:
                self.add((call["result"], "v"), self.pts[(fn["other"], "v")])

    def takes(self, call, f):
        fn, n = self.p.fns[f], len(call["args"])
        if call["untyped"] or fn["placeholder"]:
            return True
        return n >= len(fn["params"]) if fn["variadic"] else n == len(fn["params"])

    def call(self, row):
        call = self.p.calls[row]
        if call["callee"]:
            self.targets[row].add(call["callee"])
        else:
            for o, _ in list(self.pts[(call["pointer"], "v")]):
                if self.p.objs[o]["kind"] == "function" and self.takes(call, self.p.objs[o]["fn"]):
                    self.targets[row].add(self.p.objs[o]["fn"])
        for f in sorted(self.targets[row]):
            self.link(call, f)

    def stmt(self, s):
        op, pts = s[0], self.pts
        if op == "call":
            self.call(s[1])
        elif op == "put":
            self.add(self.cell(s[1], s[2]), pts[(s[3], "v")] if s[3] else set())
        elif op == "get":
            self.add((s[1], "v"), pts[self.cell(s[2], s[3])] if s[1] else set())
        elif not s[1] or not s[2]:
            pass
        elif op == "addr":
            self.add((s[1], "v"), {self.address(s[2], s[3], s[4])})
        elif op == "copy":
            self.add((s[1], "v"), pts[(s[2], "v")])
        elif op == "load":
            for cell in list(pts[(s[2], "v")]):
                self.add((s[1], "v"), set(self.content(cell)))
        elif op == "store":
            for cell in list(pts[(s[1], "v")]):
                self.add(cell, pts[(s[2], "v")])
        elif op == "shift":
            for cell in list(pts[(s[2], "v")]):
                plain = not self.fields or (not s[3] and not s[4] and ELEMENTS not in s[5])
                self.add((s[1], "v"), {cell} if plain else self.shift(cell, s[3], s[4], s[5]))
        elif op == "move":
            self.move(s[1], s[2], s[3])

    def fold(self):
        """All sets anew, in terms of cells that stand for others now."""
        old, self.pts = self.pts, defaultdict(set)
        for node, cells in old.items():
            to = node if node[1] == "v" else self.canonical(*node)
            self.pts[to] |= {self.canonical(*c) for c in cells}
        for o, offs in self.known.items():
            self.known[o] = {self.canonical(o, off)[1] for off in offs}

    def solve(self, most=None):
        """None: the sets have more than `most` members in all."""
        self.changed = True
        while self.changed:
            if most and sum(len(cells) for cells in self.pts.values()) > most:
                return None
            self.changed = False
            for f in sorted(self.reached):
                for s in self.p.fns[f]["stmts"]:
                    self.stmt(s)
            self.fold()
        return self

    def lines(self):
        out = set()
        for node, cells in self.pts.items():
            if node[1] == ANY:
                continue
            name = f"var {node[0]}" if node[1] == "v" else f"cell {node[0]}+{node[1]}"
            out |= {f"{name} {o}+{off}" for o, off in cells}
        out |= {f"reached {f}" for f in self.reached}
        out |= {f"call {c} {f}" for c, fns in self.targets.items() for f in fns}
        return out


# Random programs

class Writer:
    """A program under construction: rows have the numbers of their order."""

    def __init__(self, seed):
        self.r, self.of_effects = random.Random(seed), random.Random(f"effects {seed}")
        self.of_flags = random.Random(f"flags {seed}")
        self.layouts, self.objects, self.vars, self.bodies, self.heads = [], [], [], [], []
        self.sizes = []

    def choose(self, *weighted):
        return self.r.choices([x for x, _ in weighted], [w for _, w in weighted])[0]

    def layout(self, text, size):
        self.layouts.append(f"layout ${len(self.layouts) + 1} {text}")
        self.sizes.append(size)
        return len(self.layouts)

    def random_struct(self):
        off, fields = 0, []
        for _ in range(self.r.randint(1, 4)):
            l = self.r.randint(1, len(self.layouts))
            fields.append(f"{off} ${l} _")
            off += max(self.sizes[l - 1], 1) + self.choose((0, 4), (4, 1))
            off += -off % 4
        self.layout(f"struct {off} {{ {', '.join(fields)} }}", off)

    def random_layouts(self):
        self.layout("scalar 8", 8)
        self.halves = self.r.random() < 0.5
        if self.halves:
            self.layout("scalar 4", 4)
        for _ in range(self.r.randint(1, 5)):
            if self.r.random() < 0.6:
                self.random_struct()
            else:
                l, n = self.r.randint(1, len(self.layouts)), self.r.randint(1, 4)
                self.layout(f"array {self.sizes[l - 1] * n} of ${l} x {n}", self.sizes[l - 1] * n)

    def object(self, text):
        self.objects.append(f"object @{len(self.objects) + 1} {text}")
        return len(self.objects)

    def random_objects(self):
        for _ in range(self.r.randint(2, 6)):
            l = self.r.randint(0, len(self.layouts))
            size = self.sizes[l - 1] if l else self.choose((0, 2), (16, 1), (24, 1))
            repeats = l and size and self.r.random() < 0.3
            if repeats:
                size = self.choose((0, 1), (size, 1), (size * 2, 1))
            self.object(f"{'heap' if repeats else 'global'} {f'${l}' if l else '_'} size {size}{' repeats' if repeats else ''}")

    def var(self, kind, f):
        self.vars.append(f"var %{len(self.vars) + 1} {kind} #{f}")
        return len(self.vars)

    def function(self, f, n):
        params = [self.var("param", f) for _ in range(n)]
        result = self.var("result", f)
        o = self.object(f"function _ size 0 in #{f}")
        rest = self.object(f"local $1 size 0 repeats in #{f}") if self.r.random() < 0.3 else 0
        flags = " defined" + (" variadic" if rest else "") + (" starts" if f == 1 else "")
        args = ", ".join(f"%{x}" for x in params)
        self.heads.append(f"function {FIRST if f == 1 else ''}#{f}({args}) result %{result} object @{o}{f' rest @{rest}' if rest else ''}{flags}")
        self.scopes.append(params + [result] + [self.var("local", f) for _ in range(self.r.randint(2, 5))])
        self.code.append(o)

    def offset(self):
        return self.choose((0, 6), (8, 6), (4, 2), (16, 3), (24, 2), (40, 1), (2, 0.3))

    def width(self):
        """A pointer's width of objects that are one cell is taken for one value: of two halves it would be two."""
        return self.choose((0, 3), (8, 0 if self.halves else 3), (4, 1), (16, 2), (24, 2), (48, 1))

    def shift(self, v):
        off = self.offset() * self.choose((1, 3), (-1, 1))
        step = self.choose((0, 4), (1, 0.3), (4, 1), (8, 1), (16, 1), (24, 1))
        flag = self.choose(("", 9), (" " + BYTES, 1)) if step else self.choose(("", 4), (" " + BYTES, 1), (" " + ELEMENTS, 1))
        flag = self.also(flag, step)
        return f"{v()} = {v()} {'-' if off < 0 else '+'} {abs(off)}{f' + n*{step}' if step else ''}{flag}"

    def call(self, v):
        args = ", ".join(v() for _ in range(self.r.randint(0, 3)))
        callee = f"*{v()}" if self.r.random() < 0.5 else f"#{self.r.randint(1, len(self.heads))}"
        return f"{v()} = call {callee}({args}){self.choose(('', 2), (' untyped', 1))}"

    def stmt(self, scope):
        def v():
            return f"%{self.r.choice(scope)}"
        r, o = self.r, self.r.randint(1, len(self.objects))
        kind = self.choose(("addr", 5), ("code", 2), ("copy", 2), ("shift", 5), ("get", 2), ("put", 2), ("load", 3), ("store", 3),
                           ("move", 1.5), ("call", 2))
        if kind == "addr":
            return f"{v()} = &@{o} {self.choose(('+', 9), ('-', 1))} {self.offset()}{self.also('', 0)}"
        if kind == "code":
            return f"{v()} = &@{r.choice(self.code)}"
        if kind == "copy":
            return f"{v()} = {v()}"
        if kind == "shift":
            return self.shift(v)
        if kind == "get":
            return f"{v()} = @{o} at {self.offset()}"
        if kind == "put":
            return f"@{o} at {self.offset()} = {v()}"
        if kind == "load":
            return f"{v()} = *{v()}"
        if kind == "store":
            return f"*{v()} = {v()}"
        if kind == "move":
            return f"*{v()} = *{v()} for {self.width()}"
        return self.call(v)

    def write(self):
        self.scopes, self.code = [], []
        self.random_layouts()
        self.random_objects()
        for f in range(1, self.r.randint(3, 6)):
            self.function(f, self.r.randint(0, 2))
        size = self.choose((10, 1), (25, 2), (50, 1))
        lines = ["cprogram 8", *self.layouts, *self.objects, *self.vars]
        for head, scope in zip(self.heads, self.scopes):
            body = [f"  %{v} = &@{self.r.randint(1, len(self.objects))} + {self.offset()}" for v in scope if self.r.random() < 0.6]
            body += [f"  {self.stmt(scope)}" for _ in range(self.r.randint(5, size))]
            lines += [head, "{", *body, "}"]
        return "\n".join(map(self.owned, lines)) + "\n"

    def also(self, flag, step):
        """More flags, of random numbers of their own."""
        more = self.of_flags.random()
        if step:
            return " " + ELEMENTS if not flag and more < 0.4 else flag
        return flag + " " + RANGE if more < 0.2 else flag

    def owned(self, line):
        """Some globals are locals, some calls only set up what runs later: effects differ, pointers do not."""
        r = self.of_effects
        if line.startswith("object ") and " global " in line and r.random() < 0.6:
            f = r.randint(1, len(self.heads))
            return line.replace(" global ", " local ") + f" in #{f}" + (" static" if r.random() < 0.2 else "")
        if " call " in line and r.random() < 0.12:
            return line + " later"
        return line


class HeapWriter(Writer):
    """A program with allocators, and functions that may be taken for some."""
    WRAPPERS = 4

    def site(self):
        self.line = getattr(self, "line", 0) + 1
        return f'!"a":{self.line}:1'

    def model(self, name, n, flags, *body):
        f = len(self.heads) + 1
        self.function(f, n)
        self.heads[-1] = re.sub(r" rest \S+| variadic", "", self.heads[-1]) + flags + " model"
        params = self.scopes[-1][:n]
        self.models[name] = f
        self.bodies.append([s.format(*[f"%{x}" for x in params], r=f"%{self.scopes[-1][n]}") for s in body])

    def random_models(self):
        self.models, g = {}, 1
        inner, moved = (self.object("heap _ size 0 model") for _ in range(2))
        self.model("malloc", 1, " allocates", f"{{r}} = &@{inner}")
        self.model("realloc", 2, " allocates moves 0", f"{{r}} = &@{moved}", "*{r} = *{0}")
        self.model("memcpy", 2, "", "*{0} = *{1}", "{r} = {0}")
        self.model("free", 1, "")
        self.model("keep", 1, "", f"@{g} at 0 = {{0}}")

    def allocation(self, v):
        m = self.models
        kind = self.choose(("malloc", 3), ("realloc", 2), ("other", 3))
        if kind == "malloc":
            return f"{v()} = call #{m['malloc']}(_) {self.site()}"
        if kind == "realloc":
            return f"{v()} = call #{m['realloc']}({v()}, _) {self.site()}"
        return f"{v()} = call #{self.r.randint(self.first, self.first + self.WRAPPERS - 1)}({v()}, {v()}) {self.site()}"

    def harmless(self, v, a):
        """Memory is read and moved from parameters' only: what a wrapper reads of its own cannot be what others store there later,
        but copies of the wrapper do not know that."""
        m = self.models
        return self.choose((f"{v()} = {v()}", 3), (f"*{v()} = _", 1), (f"{v()} = *{a}", 1), (f"*{v()} = *{a}", 1),
                           (f"call #{m['memcpy']}({v()}, {a})", 1), (f"call #{m['free']}({v()})", 1),
                           (f"{v()} = call #{m['memcpy']}({v()}, {a})", 0.5), (f"{v()} = {v()} + 8", 0.3), (f"*{v()} = {v()}", 0.5),
                           (f"call #{m['keep']}({v()})", 0.5), (f"@1 at 0 = {v()}", 0.5), (f"{v()} = call *{v()}({v()}, _) {self.site()}", 0.2))

    def candidate(self, scope):
        a, b, result, *rest = scope
        local = [f"%{x}" for x in rest]

        def v():
            return self.r.choice(local)
        p = v()
        body = [f"{p} = " + self.allocation(lambda: self.r.choice([f"%{a}", f"%{b}"])).split(" = ", 1)[1], f"%{result} = {p}"]
        for _ in range(self.r.randint(0, 3)):
            body.append(self.harmless(lambda: self.r.choice([*local, p, p]), self.r.choice([f"%{a}", f"%{b}"])))
        if self.r.random() < 0.3:
            body.append(f"{p} = %{a}")
        return body

    def use(self, f):
        """A call, with memory before and after it that nobody else has."""
        v = [f"%{self.var('local', f)}" for _ in range(8)]
        o = [f"&@{self.object('global _ size 0')}" for _ in range(4)]
        w = self.first + self.r.randrange(self.WRAPPERS)
        out = [f"{v[0]} = {o[0]}", f"{v[1]} = {o[1]}", f"*{v[0]} = {v[1]}", f"{v[2]} = {o[2]}", f"*{v[2]} = {v[1]}"]
        args = self.choose((f"{v[0]}, _", 2), (f"_, {v[2]}", 2), (f"{v[0]}, {v[2]}", 1))
        if self.r.random() < 0.2:
            out += [f"{v[4]} = &@{self.code[w - 1]}", f"{v[3]} = call *{v[4]}({args}) {self.site()}"]
        else:
            out += [f"{v[3]} = call #{w}({args}) {self.site()}"]
        after = [f"{v[5]} = *{v[3]}", f"{v[6]} = {o[3]}", f"*{v[3]} = {v[6]}", f"{v[7]} = @1 at 0", f"{v[5]} = *{v[7]}",
                 f"*{v[7]} = {v[6]}", f"{v[7]} = *{v[0]}", f"@1 at 0 = {v[3]}"]
        return out + [s for s in after if self.r.random() < 0.6]

    def write(self):
        self.scopes, self.code = [], []
        self.layout("scalar 8", 8)
        self.object("global _ size 0")
        self.random_objects()
        self.random_models()
        self.first = len(self.heads) + 1
        for f in range(self.first, self.first + self.WRAPPERS + 2):
            self.function(f, 2)
            self.heads[-1] = re.sub(r" rest \S+| variadic", "", self.heads[-1])
        self.heads[-2:] = [head + " starts" for head in self.heads[-2:]]
        for scope in self.scopes[self.first - 1:-2]:
            self.bodies.append(self.candidate(scope))
        for f in (len(self.heads) - 1, len(self.heads)):
            self.bodies.append(sum((self.use(f) for _ in range(self.r.randint(1, 4))), []))
        lines = ["cprogram 8", *self.layouts, *self.objects, *self.vars]
        for head, body in zip(self.heads, self.bodies):
            lines += [head, "{", *[f"  {s}" for s in body], "}"]
        return "\n".join(lines) + "\n"


# Wrappers: a copy of the function for each direct call

class Clones:
    """Whatever these copies call is copied as well: what they do with pointers is then theirs alone."""
    DEPTH, MOST = 3, 40                # calls that are deeper, or of more functions, are left out

    def __init__(self, program, wrappers):
        self.p, self.wrappers = copy.deepcopy(program), wrappers
        self.old = program
        self.origin = {}               # cloned object: (the calls that it was cloned for, the object)
        self.was = {}                  # cloned call: the call
        self.next_var = 10 ** 6
        for row in list(self.p.fns.values()):
            self.expand(row, ())

    def expand(self, row, chain):
        row["stmts"] = [self.call(s, chain, row) if s[0] == "call" else s for s in row["stmts"]]

    def callee(self, call, row):
        """Also of a call through a pointer that is a function's address, and nothing else."""
        sources = [s for s in row["stmts"] if call["pointer"] and s[0] in ("addr", "copy", "get", "load", "shift") and s[1] == call["pointer"]]
        if len(sources) == 1 and sources[0][0] == "addr" and self.p.objs[sources[0][2]]["kind"] == "function":
            return self.p.objs[sources[0][2]]["fn"]
        return call["callee"]

    def call(self, s, chain, row):
        call = self.p.calls[s[1]]
        f = self.callee(call, row)
        if f not in self.wrappers and (not f or not chain or self.old.fns[f]["allocates"]):
            return s
        if len(chain) == self.DEPTH or len(self.p.fns) > self.MOST:
            return ("copy", 0, 0)
        new = len(self.p.calls) + 1
        self.p.calls[new] = {}
        self.p.calls[new] = dict(call, callee=self.clone(f, (*chain, self.was.get(s[1], s[1]))), pointer=0, fresh=False)
        return ("call", new)

    def clone(self, f, chain):
        old, names = self.old.fns[f], {0: 0}

        def var(v):
            if v not in names:
                self.next_var += 1
                names[v] = self.next_var
            return names[v]

        def memory(o):
            if self.old.objs[o]["kind"] != "heap" or self.old.objs[o]["fn"] != f:
                return o
            key = ("o", o)
            if key not in names:
                names[key] = len(self.p.objs) + 1
                self.p.objs[names[key]] = dict(self.old.objs[o])
                self.origin[names[key]] = (chain, o)
            return names[key]

        new = len(self.p.fns) + 1
        self.p.fns[new] = row = dict(old, params=[var(v) for v in old["params"]], result=var(old["result"]), stmts=[], starts=False)
        for s in old["stmts"]:
            row["stmts"].append(self.stmt(s, var, memory))
        self.expand(row, chain)
        return new

    def stmt(self, s, var, memory):
        op = s[0]
        if op == "call":
            c, new = self.old.calls[s[1]], len(self.p.calls) + 1
            self.p.calls[new] = dict(c, result=var(c["result"]), pointer=var(c["pointer"]), args=[var(a) for a in c["args"]])
            self.was[new] = s[1]
            return ("call", new)
        if op in ("addr", "get"):
            return (op, var(s[1]), memory(s[2]), *s[3:])
        if op == "put":
            return (op, memory(s[1]), s[2], var(s[3]))
        return (op, var(s[1]), var(s[2]), *s[3:])


def site_objects(program):
    """{call: the object that stands beside it}"""
    out = {}
    for row in program.fns.values():
        for s, after in zip(row["stmts"], row["stmts"][1:]):
            if s[0] == "call" and program.calls[s[1]]["fresh"] and program.calls[s[1]]["result"] and after[0] == "addr":
                out[s[1]] = after[2]
    return out


def uncovered(on, off, nvars):
    """What variables below `nvars` of the program with copies point to, and those of the one with sites do not."""
    wrappers = {f for f, row in on.fns.items() if row["allocates"] and not row["model"]}
    clones = Clones(off, wrappers)
    ours = {v for f, row in off.fns.items() if f not in wrappers for v in row["params"] + [row["result"]]}
    ours |= {s[i] for f, row in off.fns.items() if f not in wrappers and not row["model"] for s in row["stmts"] for i in (1, 2)
             if s[0] in ("copy", "load") or (s[0] in ("shift", "addr", "get") and i == 1)}
    cover, out = covers(on, off, wrappers, clones), []
    for fields in (True, False):
        many = Solver(clones.p, fields).solve(3000 if fields else None)
        few = Solver(on, fields).solve() if many else None
        for v in sorted(v for v in ours if many and 0 < v < nvars):
            have = {o for o, _ in few.pts[(v, "v")]}
            out += [f"variable {v} may point to {o} {clones.origin.get(o, '')}: not covered" for o in sorted({o for o, _ in many.pts[(v, "v")]})
                    if not cover(o) & have]
    return out


def covers(on, off, wrappers, clones):
    """Which objects of the program with sites may stand for an object of the one with copies."""
    on_sites, off_sites = site_objects(on), site_objects(off)
    same = {o: on_sites[c] for c, o in off_sites.items() if c in on_sites}
    same.update({call["memory"]: on.calls[c]["memory"] for c, call in off.calls.items()})
    indirect = {call["memory"] for call in on.calls.values()} - {0}
    inside = {o for c, o in off_sites.items() if off.objs[o]["fn"] in wrappers}

    def cover(o):
        if o not in clones.origin:
            return {same.get(o, o)} | (indirect if o in inside else set())
        chain, inner = clones.origin[o]
        return {same.get(inner, inner)} | {on_sites.get(c) for c in chain} | indirect
    return cover


def programs_of(cref, option, files):
    """{file: (wrappers, program as text)}"""
    text = subprocess.run([cref, option, *files], capture_output=True, text=True).stdout
    out = {}
    for part in text.split("file ")[1:]:
        name = part.split("\n", 1)[0]
        found = re.search(r"^wrappers (\d+)\nprogram\n(.*?)^end$", part, re.S | re.M)
        out[name] = (int(found[1]), found[2])
    return out


def wrapper_differences(cref, files):
    on, off = programs_of(cref, "--sites", files), programs_of(cref, "--no-wrappers", files)
    found = sum(n for n, _ in on.values())
    return found, {name: uncovered(Program(on[name][1]), Program(off[name][1]), Path(name).read_text().count("\nvar ") + 1)
                   for name in files}


# Comparison

def fast_lines(text):
    """The parts of cref's output: {(file, fields): lines}, and what it found broken."""
    parts, broken, lines, name = {}, defaultdict(list), None, None
    for line in text.splitlines():
        first, _, rest = line.partition(" ")
        if first == "file":
            name = rest
        elif first == "fields":
            lines = parts[name, rest == "on"] = set()
        elif first == "broken":
            broken[name].append(line)
        elif first in ("var", "cell", "call", "mod", "use"):
            row, *cells = rest.split()
            lines.update(f"{first} {row} {c}" for c in cells)
        elif first == "reached":
            lines.add(line)
    return parts, broken


def shrink(cref, text, wrong):
    """Fewer statements, while something is wrong."""
    lines, i = text.splitlines(), 0
    while i < len(lines):
        if lines[i].startswith("  "):
            less = "\n".join(lines[:i] + lines[i + 1:]) + "\n"
            if wrong(cref, less):
                lines = less.splitlines()
                continue
        i += 1
    return "\n".join(lines) + "\n"


def differences(text, parts, name):
    out = []
    for fields in (True, False):
        solved, fast = Solver(Program(text), fields).solve(), parts.get((name, fields), set())
        slow = solved.lines() | (set() if fields else Effects(solved).lines())
        out += [f"fields {'on' if fields else 'off'}: only the reference has: {x}" for x in sorted(slow - fast)]
        out += [f"fields {'on' if fields else 'off'}: the reference has not: {x}" for x in sorted(fast - slow)]
    return out


def run(cref, files):
    out = subprocess.run([cref, *files], capture_output=True, text=True)
    return fast_lines(out.stdout)


def is_wrong(cref, text):
    with tempfile.NamedTemporaryFile("w", suffix=".cir") as f:
        f.write(text)
        f.flush()
        parts, broken = run(cref, [f.name])
        return bool(broken[f.name] or differences(text, parts, f.name))


def write_all(work, writer, seeds):
    files = {}
    for seed in seeds:
        path = Path(work) / f"{writer.__name__}{seed}.cir"
        path.write_text(writer(seed).write())
        files[str(path)] = seed
    return files


def report(cref, wrong, differences_of, what):
    """`wrong`: {file: (seed, differences)}, of those that have any."""
    for i, (name, (seed, why)) in enumerate(wrong.items()):
        print(f"not ok {what}: program {seed}")
        print("\n".join(why[:6]))
        if i == 0:
            print(shrink(cref, Path(name).read_text(), differences_of))
    return len(wrong)


def is_uncovered(cref, text):
    with tempfile.NamedTemporaryFile("w", suffix=".cir") as f:
        f.write(text)
        f.flush()
        return bool(wrapper_differences(cref, [f.name])[1][f.name])


def check_solver(cref, work, seeds):
    files = write_all(work, Writer, seeds)
    parts, broken = run(cref, list(files))
    wrong = {n: (s, broken[n] + differences(Path(n).read_text(), parts, n)) for n, s in files.items()}
    wrong = {n: x for n, x in wrong.items() if x[1]}
    if not report(cref, wrong, is_wrong, "the slow solver agrees"):
        print(f"ok the slow solver agrees on {len(files)} programs, and the laws between engines hold")
    return len(wrong)


def check_wrappers(cref, work, seeds):
    files = write_all(work, HeapWriter, seeds)
    found, why = wrapper_differences(cref, list(files))
    wrong = {n: (files[n], w) for n, w in why.items() if w}
    if not report(cref, wrong, is_uncovered, "wrappers are sound"):
        print(f"ok {found} wrappers in {len(files)} programs may be taken for allocators")
    return len(wrong) + (found < len(files) // 4)


def main():
    cref, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seeds = range(first, first + count)
    with tempfile.TemporaryDirectory() as work:
        failed = check_solver(cref, work, seeds)
        failed += check_wrappers(cref, work, seeds)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
