# SPDX-License-Identifier: Apache-2.0
"""tables - the peer's figures, ours as results.json keeps them, and the tables of docs/experiments/c.md."""
import json
import math
import re
from pathlib import Path
from typing import NamedTuple, Optional

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
RESULTS = HERE / "results.json"
DOCUMENT = TOP / "docs/experiments/c.md"
MARKED = re.compile(r"(<!-- figures: begin (\w+) -->\n).*?(<!-- figures: end -->)", re.S)
NONE = "–"
# By the names of the document: engine, fields
ENGINES = {"andersen": ("andersen", "on"), "categories": ("categories", "on"), "one-level": ("one-level", "on"),
           "steens": ("steens", "on"), "andersen, fields off": ("andersen", "off"), "steens, fields off": ("steens", "off")}
# Figures of --library: of all, those that have to do with clients
CLIENTS = {"variables": "reachable", "accesses": "touching", "calls": "calling", "functions": "interacting"}


class Peer(NamedTuple):
    seconds: Optional[float]
    mb: Optional[float]
    edges: Optional[float]


def peers():
    lines = (HERE / "peers.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line[:1] not in ("#", "")]
    return {name: Peer(*(None if x == "-" else float(x) for x in figures)) for name, *figures in rows}


def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save(name, row):
    """What was measured before and not now is kept."""
    found = results()
    found[name] = {**found.get(name, {}), **row}
    RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


def times(theirs, ours):
    return f"{theirs / ours:.0f}x" if theirs else "-"


# How time grows

def exponent(points):
    """Of the curve x^e through these points, by least squares of the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def growth(found):
    """A line for people, about what was measured."""
    rows = [r for r in found.values() if r["seconds"] and r["read"]]
    if len(rows) < 4:
        return "growth with size: needs at least 4 subjects"
    total, read = (exponent([(r["bitcode_mb"], r[key]) for r in rows]) for key in ("seconds", "read"))
    most = max(rows, key=lambda r: r["seconds"] / r["bitcode_mb"])
    least = min(rows, key=lambda r: r["seconds"] / r["bitcode_mb"])
    return (f"growth with size: seconds ~ MB^{total:.2f}, reading ~ MB^{read:.2f}; "
            f"{least['seconds'] / least['bitcode_mb']:.2f} to {most['seconds'] / most['bitcode_mb']:.2f} seconds a MB of bitcode")


# Tables of the document

def table(head, body):
    """Markdown; columns but the first are of numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(n):
    return NONE if n is None else f"{n:,.0f}"


def seconds(s):
    return f"{s:.2f}" if s < 10 else f"{s:.1f}"


def ratio(theirs, ours):
    return times(theirs, ours).replace("x", "×").replace("-", NONE)


def subjects(found, key):
    """Those that have it, the smallest first."""
    return sorted(((n, r) for n, r in found.items() if key in r), key=lambda x: x[1]["bitcode_mb"])


def own_functions(row):
    """Without models, where that was counted."""
    return row["mod"]["functions"]["count"] if "mod" in row else None


def more_edges(found, known):
    """A sentence, so that the document cannot keep it quiet."""
    more = [f"`{n}` ({r['indirect_edges'] - known[n].edges:.0f} more)" for n, r in subjects(found, "seconds")
            if known[n].edges is not None and r["indirect_edges"] > known[n].edges]
    return "\n" + (f"Programs with more edges than SVF's: {', '.join(more)}.\n" if more else "No program has more edges than SVF's.\n")


def make_programs(found):
    head = ["program", "MB of bitcode", "functions", "statements", "seconds", "read", "solve", "peak MB", "indirect calls", "edges",
            "SVF: seconds", "peak MB", "edges", "faster", "smaller"]
    known = peers()
    body = []
    for name, r in subjects(found, "seconds"):
        p = known[name]
        body.append([f"`{name}`", f"{r['bitcode_mb']:.1f}", number(own_functions(r)), number(r["statements"]), seconds(r["seconds"]),
                     seconds(r["read"]), seconds(r["solve"]), number(r["mb"]), number(r["indirect_calls"]), number(r["indirect_edges"]),
                     NONE if p.seconds is None else f"{p.seconds:g}", number(p.mb), number(p.edges), ratio(p.seconds, r["seconds"]),
                     ratio(p.mb, r["mb"])])
    return table(head, body) + more_edges(found, known)


def make_growth(found):
    body = []
    for name, r in subjects(found, "seconds"):
        size = r["bitcode_mb"]
        body.append([f"`{name}`", f"{size:.1f}", f"{r['seconds'] / size:.2f}", f"{r['read'] / size:.2f}", f"{r['solve'] / size:.2f}",
                     f"{r['mb'] / size:.0f}"])
    total, read = (exponent([(r["bitcode_mb"], r[key]) for r in found.values()]) for key in ("seconds", "read"))
    return (table(["program", "MB of bitcode", "seconds a MB", "read", "solve", "peak MB a MB"], body)
            + f"\nA curve through all of them: seconds grow as size to the power of {total:.2f}, and those for reading of {read:.2f}.\n")


def make_engines(found):
    head = ["program", *[f"`{e}`" if " " not in e else e for e in ENGINES]]
    body = []
    for name, r in subjects(found, "engines"):
        body.append([f"`{name}`", *[f"{seconds(x['seconds'])} s; {x['average']:,.1f}; {number(x['edges'])}"
                                    for x in (r["engines"][e] for e in ENGINES)]])
    return table(head, body)


def part(pair):
    some, of = pair
    return f"{number(some)} of {number(of)}: {100 * some / max(of, 1):.0f} %"


def make_libraries(found):
    head = ["library of", "MB of bitcode", "seconds", "variables that clients reach", "accesses that may touch their data",
            "calls that may call them", "functions proved not to interact"]
    body = []
    for name, r in subjects(found, "library"):
        x = r["library"]
        some, of = x["functions"]
        body.append([f"`{name}`", f"{x['bitcode_mb']:.1f}", seconds(x["seconds"]), part(x["variables"]), part(x["accesses"]),
                     part(x["calls"]), part([of - some, of])])
    return table(head, body)


def make_mod(found):
    kinds = ["stores", "calls", "functions"]
    head = ["program", "seconds"] + [x for k in kinds for x in (k, "average", "median", "at most one")]
    body = []
    for name, r in subjects(found, "mod"):
        sizes = [r["mod"][k] for k in kinds]
        body.append([f"`{name}`", seconds(r["modref"])] + [x for z in sizes for x in (
            number(z["count"]), f"{z['average']:,.1f}", number(z["median"]), f"{100 * z['one'] / max(z['count'], 1):.0f} %")])
    return table(head, body)


MAKERS = {"programs": make_programs, "growth": make_growth, "engines": make_engines, "libraries": make_libraries, "mod": make_mod}


def write_document():
    found = results()
    text = MARKED.sub(lambda m: m.group(1) + MAKERS[m.group(2)](found) + m.group(3), DOCUMENT.read_text())
    DOCUMENT.write_text(text)
