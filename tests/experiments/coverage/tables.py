# SPDX-License-Identifier: Apache-2.0
"""tables - results of the coverage experiment, kept in results.json, and the tables of docs/experiments/coverage.md."""
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
DOCUMENT = HERE.parent.parent.parent / "docs/experiments/coverage.md"
MARKED = re.compile(r"(<!-- figures: begin (\w+)(?: (\w+))?(?: (\w+))? -->\n).*?(<!-- figures: end -->)", re.S)
LADDER = ["implementations", "callers", "targets", "receivers"]
ANALYSES = ["cha", "rta", "0cfa", "andersen"]


def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save(name, rows):
    RESULTS.write_text(json.dumps({**results(), name: rows}, indent=1, sort_keys=True) + "\n")


def table(head, body):
    """Markdown; columns but the first are of numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(n):
    return f"{n:,}"


def default_of(rows):
    return rows["jdks"][min(rows["jdks"], key=int)]


def tests_of(row):
    """As "976", or "976, 3 fail"."""
    return number(row["tests"]) + (f", {row['failed']} fail" if row["failed"] else "")


def make_suites(found):
    """The suites, and whether the agent changed something."""
    versions = sorted({v for rows in found.values() for v in rows["jdks"]}, key=int)
    head = ["library", *[f"tests on JDK {v}" for v in versions], "changed by the agent", "polymorphic calls", "open", "called",
            "not watched", "client receivers", "other receivers that are not required"]
    body = []
    for name, rows in sorted(found.items()):
        seen = [row["interfaces"]["tests"] for row in rows["jdks"].values()]
        first = default_of(rows)["interfaces"]["tests"]
        body.append([f"`{name}`", *[tests_of(rows["jdks"][v]) if v in rows["jdks"] else "–" for v in versions],
                     number(sum(len(s["changed"]) for s in seen)), number(first["calls"]),
                     number(first["open"]), number(first["calls_made"]),
                     number(sum(len(s["unwatched"]) for s in seen)), number(max(s["client"] for s in seen)),
                     number(max(s["unexpected"] for s in seen))])
    return table(head, body)


def make_coverage(found, criterion, interface):
    """required and covered, an analysis a column"""
    head = ["library", *[f"`{a}`" for a in ANALYSES]]
    body = []
    for name, rows in sorted(found.items()):
        seen = default_of(rows)["interfaces"].get(interface)
        if seen and seen["analyses"]:
            counts = [seen["analyses"][a][criterion] for a in ANALYSES]
            body.append([f"`{name}`", *[share(c) for c in counts]])
    return table(head, body)


def share(c):
    return f"{number(c['covered'])} of {number(c['required'])}: {c['percent']} %"


def make_ladder(found):
    """The rungs, and what they lead over."""
    body = []
    for name, rows in sorted(found.items()):
        seen = default_of(rows)["interfaces"]["tests"]
        if "targets" in seen:
            body.append([f"`{name}`", *[share(seen[k]) for k in (*LADDER, "rc")]])
    return table(["library", *LADDER, "RC"], body)


MAKERS = {"ladder": make_ladder, "suites": make_suites, "coverage": make_coverage}


def write_document():
    found = results()

    def again(m):
        arguments = [w for w in m.group(3, 4) if w]
        return m.group(1) + MAKERS[m.group(2)](found, *arguments) + m.group(5)

    DOCUMENT.write_text(MARKED.sub(again, DOCUMENT.read_text()))
