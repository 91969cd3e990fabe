#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py RECORD SOURCES JAVAP - facts whose callers are in package rec against the comments in its sources: behind //>
stands [?]KIND TARGET [*COUNT]; ... for the line, with ? what need not be there. Callers must be calls of that
line in the class files, by what javap -p -c -l -s says of them."""
import collections
import glob
import re
import sys


def expected(folder):
    want = collections.Counter()
    for path in glob.glob(folder + "/rec/*.java"):
        name = "rec." + path.rsplit("/", 1)[1][:-5]
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            for fact in line.rstrip("\n").split("//> ")[1].split("; ") if "//> " in line else []:
                text, _, count = fact.partition(" *")
                kind, target = text.split(" ", 1)
                want[name, number, kind, target] += int(count or 1)
    return want


def calls(path):
    """(method, pc) of each call: its line."""
    found, name = {}, None
    for block in re.split(r"\n\n|^(?=Compiled from)", open(path, encoding="utf-8").read(), flags=re.M):
        begins = re.search(r"^[a-z ]*(?:class|interface) (\S+).*\{$", block, re.M)
        name = begins.group(1) if begins else name
        method = re.search(r"^  .*?(\S+)\(.*\n    descriptor: (\S+)", block, re.M)
        if not method:
            continue
        text = ("<init>" if method.group(1) == name else method.group(1)) + method.group(2)
        lines = sorted((int(pc), int(line)) for line, pc in re.findall(r"^ +line (\d+): (\d+)", block, re.M))
        for pc in re.findall(r"^ +(\d+): invoke", block, re.M):
            line = [n for at, n in lines if at <= int(pc)]
            found[f"{name}.{text}@{pc}"] = line[-1] if line else 0
    return found


def main(record, sources, javap):
    rows = [line.split("\t") for line in open(record, encoding="utf-8").read().splitlines()]
    failures = [] if rows[0] == ["sherd-dynamic 1"] else ["first line: " + "\t".join(rows[0])]
    keys = [row[:4] for row in rows[1:]]
    if sorted(map("\t".join, keys)) != list(map("\t".join, keys)) or len(set(map(tuple, keys))) < len(keys):
        failures.append("lines are not sorted, or not different")
    known, got = calls(javap), collections.Counter()
    for kind, target, caller, line, count in rows[1:]:
        if caller.startswith("rec."):
            got[caller.split("(")[0].rsplit(".", 1)[0].split("$")[0], int(line), kind, target] += int(count)
            if known.get(caller) != int(line):
                failures.append(f"no call of line {line}: {caller}")
    want = expected(sources)
    failures += [f"missing: {fact} {n}, found {got[fact]}" for fact, n in sorted(want.items()) if got[fact] != n]
    failures += [f"too much: {fact} {n}" for fact, n in sorted(got.items()) if not want[fact] and not want[fact[:2] + ("?" + fact[2], fact[3])]]
    failures = [f for f in failures if "'?" not in f]
    print("\n".join(failures) or f"{len(got)} facts as expected")
    return bool(failures)


sys.exit(main(*sys.argv[1:]))
