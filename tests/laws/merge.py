#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""merge.py - the laws of `sherd merge`, with files that are written and merged here a second time, as docs/formats/coverage.md
says, from random runs: whole, cut off, damaged. Usage: merge.py SHERD COVDUMP [SEED [ROUNDS]]

Prints `ok NAME` or `not ok NAME` for each law."""
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = b"sherd coverage 1\n"


def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = (h ^ b) * 0x100000001b3 & 0xffffffffffffffff
    return h


def n(x):
    out = bytearray()
    while x >= 0x80:
        out.append(x & 0x7f | 0x80)
        x >>= 7
    out.append(x)
    return bytes(out)


def text(s):
    return n(len(s.encode())) + s.encode()


def record(tag, payload=b""):
    body = tag.encode() + n(len(payload)) + payload
    check = fnv(body)
    return body + ((check ^ check >> 32) & 0xffffffff).to_bytes(4, "little")


def rows(numbers, more=None):
    out, after = b"", 0
    for i in numbers:
        out += n(i - after) + (n(more[i]) if more else b"")
        after = i + 1
    return out


class Run:
    """Records of a run, and the lines that covdump prints of the first of them."""

    def __init__(self, rnd, identity):
        self.identity = identity
        self.records = [record("R", identity + (7).to_bytes(8, "little") + n(1700000000) + n(4711) + text("") + text("17") +
                               text("java A"))]
        self.facts = []           # what each record after the first adds: a function of the lines
        self.classes = self.types = self.cells = 0
        for _ in range(rnd.randrange(30)):
            self.add(rnd)
        if rnd.random() < .7:
            self.put("E", b"", ("end",))

    def put(self, tag, payload, fact):
        self.records.append(record(tag, payload))
        self.facts.append(fact)

    def add(self, rnd):
        kind = rnd.choice("CTXXXNJM?")
        if kind == "C" or not self.classes:
            name = f"p.C{rnd.randrange(4)}"
            self.put("C", text(name) + (5).to_bytes(8, "little") + n(0) + text(""), ("class", name))
            self.classes += 1
        elif kind == "T" or not self.types:
            name = f"p.T{rnd.randrange(9)}"
            self.put("T", text(name) + n(2) + n(0), ("type", name))
            self.types += 1
        elif kind == "X" or not self.cells:
            c, s, t = rnd.randrange(self.classes), rnd.randrange(200), rnd.randrange(self.types)
            self.put("X", n(c) + n(s) + n(t) + n(t + 1), ("cell", c, s, t))
            self.cells += 1
        elif kind == "N":
            counts = {i: rnd.randrange(1, 10**rnd.randrange(1, 12)) for i in range(self.cells) if rnd.random() < .5}
            self.put("N", rows(sorted(counts), counts), ("counts", counts))
        elif kind == "J":
            name, cells = f"t.T.m{rnd.randrange(3)}", [i for i in range(self.cells) if rnd.random() < .4]
            self.put("J", text(name) + rows(cells), ("test", name, cells))
        elif kind == "M":
            self.put("M", text("a note"), ("note", "a note"))
        else:
            self.put("z", b"of a newer sherd", ("unknown",))

    def lines(self, good, damaged):
        """What covdump says of the first `good` records."""
        facts = self.facts[:good - 1]
        of = lambda kind: [f for f in facts if f[0] == kind]
        classes, types = [f[1] for f in of("class")], [f[1] for f in of("type")]
        marks = (" complete" if of("end") else "") + (" damaged" if damaged else "")
        out = [f"run {self.identity.hex()} plan={7:016x} start=1700000000 pid=4711 session= jvm=17 command=java A{marks}"]
        out += [f"class {i} {c} key={5:016x} watched" for i, c in enumerate(classes)]
        out += [f"type {i} {t} app" for i, t in enumerate(types)]
        for i, (_, c, s, t) in enumerate(of("cell")):
            calls = sum(f[1].get(i, 0) for f in of("counts"))
            out.append(f"cell {i} {classes[c]}#{s} {types[t]} -> {types[t]} {max(1, calls)}")
        tests = {}
        for _, name, cells in of("test"):
            tests.setdefault(name, set()).update(cells)
        out += [" ".join(["test", name, *map(str, sorted(cells))]) for name, cells in tests.items()]
        return out + [f"note {f[1]}" for f in of("note")]


def version(run, rnd):
    """A file of the agent as it may be found: its bytes, how many records are good, and whether more was there."""
    data = HEAD + b"".join(run.records)
    at = len(HEAD)
    ends = []
    for r in run.records:
        at += len(r)
        ends.append(at)
    cut = len(data)
    if rnd.random() < .6:
        cut = rnd.randrange(ends[0], len(data) + 1)
    good = sum(end <= cut for end in ends)
    damaged = ends[good - 1] != cut
    data = bytearray(data[:cut])
    if rnd.random() < .3 and good > 1:
        hit = rnd.randrange(ends[0], ends[good - 1])
        data[hit] ^= 1 << rnd.randrange(8)
        good, damaged = sum(end <= hit for end in ends), True
    return bytes(data), good, damaged


def best(versions):
    """The longest one; of equal ones, one that is not marked."""
    return max(versions, key=lambda v: (v[0], not v[1]))


def merged_bytes(chosen):
    out = HEAD
    for identity in sorted(chosen):
        run, good, damaged = chosen[identity]
        records = b"".join(run.records[:good])
        out += record("S", len(records).to_bytes(8, "little") + bytes([damaged])) + records
    return out


class Laws:
    def __init__(self, sherd, covdump, folder):
        self.sherd, self.covdump, self.folder = sherd, covdump, Path(folder)
        self.serial, self.failed = 0, {}

    def save(self, data):
        self.serial += 1
        path = self.folder / f"f{self.serial}.cov"
        path.write_bytes(data)
        return path

    def merge(self, *files):
        self.serial += 1
        out = self.folder / f"m{self.serial}.cov"
        done = subprocess.run([self.sherd, "merge", *map(str, files), "-o", str(out), "-q"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise SystemExit(f"not ok merge: exit status {done.returncode}: {done.stdout.decode()}")
        return out

    def same(self, law, a, b):
        if a.read_bytes() != b.read_bytes():
            print(f"{law}: {a} and {b} differ")
            self.failed[law] = True
        self.failed.setdefault(law, False)

    def check(self, law, good):
        self.failed[law] = self.failed.get(law, False) or not good


def one_round(laws, rnd):
    runs = [Run(rnd, bytes(rnd.randrange(256) for _ in range(16))) for _ in range(4)]
    files, found = [], {}
    for run in runs:
        for _ in range(rnd.randrange(1, 4)):
            data, good, damaged = version(run, rnd)
            files.append(laws.save(data))
            found.setdefault(run.identity, []).append((good, damaged))
    rnd.shuffle(files)
    chosen = {run.identity: (run, *best(found[run.identity])) for run in runs}
    all_at_once = laws.merge(*files)
    laws.check("the bytes are those of the reference", all_at_once.read_bytes() == merged_bytes(chosen))
    dump = subprocess.run([laws.covdump, str(all_at_once)], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    want = [line for identity in sorted(chosen) for line in chosen[identity][0].lines(*chosen[identity][1:])]
    laws.check("the contents are those of the reference", dump == want)
    laws.same("commutative", all_at_once, laws.merge(*reversed(files)))
    at = rnd.randrange(1, len(files))
    left, right = laws.merge(*files[:at]), laws.merge(*files[at:])
    laws.same("associative", all_at_once, laws.merge(left, right))
    laws.same("associative, the other way round", all_at_once, laws.merge(right, *files[:at]))
    laws.same("idempotent", all_at_once, laws.merge(all_at_once, *files, all_at_once))
    laws.same("files put one behind the other", all_at_once, laws.merge(laws.save(b"".join(f.read_bytes() for f in files))))


def main(sherd, covdump, seed="1", rounds="12"):
    with tempfile.TemporaryDirectory() as folder:
        laws = Laws(sherd, covdump, folder)
        for i in range(int(rounds)):
            one_round(laws, random.Random(f"{seed} {i}"))
    for law, failed in laws.failed.items():
        print("not ok" if failed else "ok", law)
    return any(laws.failed.values())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
