#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare - the JVM's answers against sherd's. usage: compare.py IDS QUESTIONS JVM SHERD

Prints the questions whose answers differ and `N questions compared, M differ, K skipped`. `none` (selection found
nothing that can run) stands for the errors that selection ends with; `X or Y` allows both (see resolution.c)."""
import sys
from collections import Counter

# StackOverflowError: HotSpot 25 recurses when it makes the message of some of these errors.
SELECTION_ERRORS = {"AbstractMethodError", "IncompatibleClassChangeError", "IllegalAccessError", "StackOverflowError"}


def read(path):
    with open(path) as f:
        return dict(line.rstrip("\n").split(None, 1) for line in f)


def main(ids_path, questions_path, jvm_path, sherd_path):
    ids, questions, jvm, sherd = map(read, (ids_path, questions_path, jvm_path, sherd_path))
    same = differ = skipped = 0
    kinds = Counter()
    for n, question in questions.items():
        expected = ids.get(jvm.get(n, "missing"), jvm.get(n, "missing"))
        got = sherd.get(n, "missing")
        if expected == "skipped":
            skipped += 1
            continue
        kinds[expected if expected.endswith("Error") or expected == "linked" else "method or field"] += 1
        allowed = got.split(" or ")
        if expected in allowed or ("none" in allowed and expected in SELECTION_ERRORS):
            same += 1
        else:
            differ += 1
            if differ <= 40:
                print(f"question {n}: {question}\n  JVM {expected}, sherd {got}")
    print("  " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    print(f"{same + differ} questions compared, {differ} differ, {skipped} skipped")
    return 1 if differ or not same else 0


sys.exit(main(*sys.argv[1:]))
