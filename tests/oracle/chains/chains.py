#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chains.py - what a run shows of call chains, compared with what sherd says.

chains.py truth RECORD K                  rows level,length,chain,count of the chains of at most K calls; entries have length 0
chains.py within RECORD FOREST.json levels|any|entries
                                          each chain of the run that is not too long is in the forest at its level; or at any level; or that, where sherd has the entry
chains.py automaton RECORD FOREST.json
                                          the automaton comes to the same nodes as the stacks do, as often
chains.py trace RECORD FOREST.json        the events of the run, and what the automaton makes of each
chains.py same RECORD ROWS.csv K          rows that somebody else has are those of the record, with their counts; but for classes Deep, whose
                                          stacks are as deep as there is room

RECORD is of recorder.c, FOREST.json of sherd chains. A line for each that is wrong, the first ten of them; exit status 1.
"""
import csv
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "laws"))
from chain_automaton import Forest, Record, covered_by_events, covered_by_stacks, trace  # noqa: E402

SHOWN = 10


def truth(path, k):
    rows = Counter()
    for level, chain, count in Record(path).chains():
        if count and len(chain) <= k + 1:
            rows[level, chain] += count
    return rows


class Static:
    """What sherd chains writes as JSON: k, entries, and chains with their levels."""

    def __init__(self, path):
        with open(path) as f:
            d = json.load(f)
        self.k, self.entries, self.backedges = d["k"], set(d["entries"]), d["recursion"] == "backedges"
        labels = [self.label(c) for c in d["calls"]]
        self.levels = {}
        for c in d["chains"]:
            chain = (d["entries"][c["entry"]],) + tuple(labels[i] for i in c["calls"])
            self.levels.setdefault(chain, []).append(str(c["level"]))

    @staticmethod
    def label(call):
        pc = call["site"].rsplit("@", 1)[1]
        receiver = "client" if call.get("client") else call.get("receiver")
        return f"@{pc} [{receiver}] {call['callee']}" if receiver else f"@{pc} {call['callee']}"


def report(what, wrong):
    for line in wrong[:SHOWN]:
        print(f"{what}: {line}")
    if len(wrong) > SHOWN:
        print(f"... {len(wrong) - SHOWN} more")
    return 1 if wrong else 0


def has_level(levels, level):
    return any(level == int(x.rstrip("+")) or x.endswith("+") and level > int(x[:-1]) for x in levels)


def is_within(level, chain, how, static):
    if how == "entries" and chain[0] not in static.entries:
        return True
    if len(chain) == 1:
        return chain[0] in static.entries
    found = static.levels.get(chain, [])
    return has_level(found, level) if how == "levels" else bool(found)


def within(record, forest, how):
    static = Static(forest)
    run = sorted(truth(record, static.k))
    missing = [(level, chain) for level, chain in run if not is_within(level, chain, how, static)]
    print(f"{len(run)} chains of runs, {len(static.levels)} of sherd, {len(missing)} missing")
    return report("missing", [f"{level},{len(chain) - 1},{' > '.join(chain)}  is at {static.levels.get(chain, 'no level')}"
                              for level, chain in missing])


def automaton(record, forest):
    run, static = Record(record), Static(forest)
    tree = Forest(static.entries, static.levels, static.backedges)
    left, right = covered_by_stacks(run, tree), covered_by_events(run, tree)
    wrong = [f"{key}: stacks {left[key]}, events {right[key]}" for key in sorted(set(left) | set(right)) if left[key] != right[key]]
    print(f"{len(left)} nodes, {sum(left.values())} times; {sum(map(len, run.threads))} events of {len(run.threads)} threads")
    return report("differs", wrong)


def print_trace(record, forest):
    static = Static(forest)
    trace(Record(record), Forest(static.entries, static.levels, static.backedges))
    return 0


def is_deep(chain):
    return any(".Deep." in part for part in chain)


MOST = 15                 # levels from here on are one to the agent


def as_seen(level, chain):
    """Two lambdas of one body, as a finally clause has them, look the same to an agent, and so do classes of clients to a record."""
    calls = (re.sub(r"\[(lambda )?c[0-9]+\.[^\]]*\]", "[client]", call) for call in chain)
    return min(level, MOST), tuple(re.sub(r"\[(lambda |[^\]]*\$\$Lambda)[^\]]*\]", "[lambda]", call) for call in calls)


def same(record, rows, k):
    want, got = Counter(), Counter()
    for (level, chain), count in truth(record, int(k)).items():
        want[as_seen(level, chain)] += count
    with open(rows, newline="") as f:
        for level, _, chain, count in list(csv.reader(f))[1:]:
            got[as_seen(int(level), chain.split(" > "))] += int(count)
    wrong = [f"{level},{len(chain) - 1},{' > '.join(chain)}: {want[level, chain]} in the run, {got[level, chain]} seen"
             for level, chain in sorted(set(want) | set(got)) if want[level, chain] != got[level, chain] and not is_deep(chain)]
    print(f"{len(want)} chains, {sum(want.values())} times")
    return report("differs", wrong)


def print_truth(record, k):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["level", "length", "chain", "count"])
    for (level, chain), count in sorted(truth(record, int(k)).items()):
        out.writerow([level, len(chain) - 1, " > ".join(chain), count])
    return 0


def main():
    command, *args = sys.argv[1:]
    return {"truth": print_truth, "within": within, "automaton": automaton, "trace": print_trace, "same": same}[command](*args)


if __name__ == "__main__":
    sys.exit(main())
