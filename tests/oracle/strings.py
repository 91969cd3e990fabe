#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strings.py - strings that a run gave to reflection, and the languages of the calls that it gave them to.

  strings.py sites RECORD PACKAGES          the calls of packages (beginnings of class names, with commas) in a record of the agent
  strings.py within RECORD PACKAGES RESULT  is each string in the language of its call? RESULT is what sherd strings says about these, as JSON
"""
import json
import re
import sys


def facts(record, packages):
    """(site, string) of a record: docs/formats/dynamic-record.md."""
    with open(record, encoding="utf-8") as f:
        for line in f.read().splitlines()[1:]:
            kind, target, caller = line.split("\t")[:3]
            if kind == "string" and caller.startswith(tuple(packages.split(","))) and "@" in caller:
                yield caller, json.loads(f'"{target}"')


def is_within(answer, string):
    if answer["any"]:
        return True
    if "strings" in answer and not answer.get("more"):
        return string in answer["strings"]
    begin, cut, _ = answer["language"].partition("…")
    if cut:
        return re.match(begin, string) is not None
    return re.fullmatch(begin, string, re.DOTALL) is not None


def main():
    what, record, packages = sys.argv[1:4]
    if what == "sites":
        print(",".join(sorted({site for site, _ in facts(record, packages)})))
        return 0
    with open(sys.argv[4], encoding="utf-8") as f:
        answers = {a["site"]: a for a in json.load(f)["strings"]}
    n = bad = known = 0
    for site, string in facts(record, packages):
        answer = answers.get(site)
        n += 1
        known += bool(answer and answer["reached"] and not answer["any"])
        if not answer or not answer["reached"] or not is_within(answer, string):
            bad += 1
            print(f"{site}: {string!r} is not in {answer}")
    print(f"{n} strings at {len(answers)} calls, {known} of them where not every string is possible, {bad} outside")
    return bad > 0 or n == 0


sys.exit(main())
