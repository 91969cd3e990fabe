# SPDX-License-Identifier: Apache-2.0
"""tables - results of the experiment on summaries of C libraries, and the tables of docs/experiments/c-summaries.md."""
import json
import re
import textwrap
from pathlib import Path

import plot

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
RESULTS = HERE / "results.json"
DOCUMENTS = TOP / "docs/experiments"
MARKED = re.compile(r"(<!-- figures: begin (\w+) -->\n).*?(<!-- figures: end -->)", re.S)
LARGE = ("redis", "sqlite3", "xmllint")        # measured only when asked for
LIBRARIES = {"bash": "readline", "bc": "readline", "bzip2": "libbz2", "cjpeg": "libjpeg", "demangle": "libiberty", "gnuplot": "libgd",
             "lua": "Lua", "minizip": "zlib", "pngcrush": "libpng", "redis": "hiredis, Lua, hdr_histogram", "sqlite3": "SQLite",
             "tiff2ps": "libtiff", "unzip": "zlib", "xmllint": "libxml2", "xmlwf": "expat"}
AIMS = {"reduction": 0.80, "object": 0.20}
PAPER = {"reduction": 0.69, "object": 0.43}
PHASES = ("read", "models", "solve", "modref")
WAYS = ("whole", "basic", "optimised")


def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save(name, row):
    RESULTS.write_text(json.dumps({**results(), name: row}, indent=1, sort_keys=True) + "\n")


# Results

def share(row):
    """Of the program's statements, the library's."""
    return row["program"]["library_statements"] / row["program"]["statements"]


def fewer(row, what, form="optimised"):
    return 1 - row[form][what] / row["basic"][what]


def of_object(row):
    return row["optimised"]["binary"] / row["object"]


def saved(row, against, what):
    return 1 - row["client"]["optimised"][what] / row["client"][against][what]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def by_size():
    return sorted(results().items(), key=lambda x: x[1]["program"]["statements"])


def by_share():
    """As table 3.4 of the thesis has them; not those whose client is refused the optimised summary."""
    return sorted(((n, r) for n, r in results().items() if "optimised" in r["client"]), key=lambda x: share(x[1]))


def refused():
    return [f"`{n}`" for n, r in by_size() if "optimised" not in r["client"]]


def library_of(name):
    return LIBRARIES.get(name, name)


# Libraries with two clients are measured with both, and counted once.

def libraries():
    found = {}
    for name, row in by_size():
        found.setdefault(library_of(name), (name, row))
    same = {("zlib", "unzip"), ("zlib", "minizip")}
    rest = [(n, r) for n, r in by_size() if found[library_of(n)][0] != n and (library_of(n), n) not in same]
    return sorted([*found.values(), *rest], key=lambda x: x[1]["program"]["library_statements"])


# Tables

def table(head, body):
    """Markdown; columns but the first are of numbers, unless their head ends with a space."""
    rules = ["---" if i == 0 or h.endswith(" ") else "---:" for i, h in enumerate(head)]
    lines = [[h.strip() for h in head], rules, *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(n):
    return f"{n:,.0f}"


def percent(x):
    return f"{100 * x:.0f} %"


def kb(n):
    return f"{n / 1e3:,.1f}"


def seconds(s):
    return f"{s:.3f}" if s < 1 else f"{s:.2f}" if s < 10 else f"{s:.1f}"


def named(name):
    """A library, and which client's sources it is from where that matters."""
    twice = sum(library_of(n) == library_of(name) for n, _ in libraries()) > 1
    return library_of(name) + (f" of `{name}`" if twice else "")


def make_programs():
    body = []
    for name, r in by_size():
        p = r["program"]
        body.append([f"`{name}`", library_of(name), number(p["functions"]), number(p["statements"]), number(p["library_functions"]),
                     number(p["library_statements"]), percent(share(r)), kb(p["client_bytes"]), kb(p["library_bytes"])])
    return table(["program", "library ", "functions", "statements", "the library's functions", "its statements", "its share",
                  "client, kB of bitcode", "library, kB"], body)


def make_sizes():
    body = []
    for name, r in libraries():
        b, o = r["basic"], r["optimised"]
        body.append([named(name), number(b["statements"]), number(o["statements"]), percent(fewer(r, "statements")),
                     number(b["variables"]), number(o["variables"]), kb(b["text"]), kb(o["text"]), kb(b["binary"]), kb(o["binary"]),
                     percent(fewer(r, "binary")), kb(r["object"]), percent(of_object(r))])
    rows = [r for _, r in libraries()]
    body.append(["average", "", "", percent(mean(fewer(r, "statements") for r in rows)), "", "", "", "", "", "",
                 percent(mean(fewer(r, "binary") for r in rows)), "", percent(mean(of_object(r) for r in rows))])
    body.append(["the thesis", "", "", "", "", "", "", "", "", "", percent(PAPER["reduction"]), "", percent(PAPER["object"])])
    return table(["library", "statements: basic", "optimised", "fewer", "variables: basic", "optimised", "kB of text: basic", "optimised",
                  "kB of bytes: basic", "optimised", "fewer", "object code", "of it"], body)


def make_visible():
    """What a header changes."""
    rows = [r for _, r in libraries()]
    pairs = [mean(fewer(r, "statements", form) for r in rows) for form in ("optimised", "visible")]
    bytes_of = [mean(r[form]["binary"] / r["object"] for r in rows) for form in ("optimised", "visible")]
    text = (f"With all that is visible exported, and not only what is in headers, {percent(pairs[1])} of the statements go on average instead of "
            f"{percent(pairs[0])}, and the binary form is {percent(bytes_of[1])} of the object code instead of {percent(bytes_of[0])}.")
    return textwrap.fill(text, 140) + "\n"


def make_making():
    body = []
    for name, r in libraries():
        m = r["making"]
        body.append([named(name), number(r["program"]["library_statements"]), seconds(m["seconds"]), seconds(m["read"]),
                     seconds(m["analysis"]), seconds(m["construction"]), number(m["mb"])])
    return table(["library", "statements", "seconds", "read", "analysis", "construction", "peak MB"], body)


def make_clients():
    body = []
    for name, r in by_share():
        c = r["client"]
        body.append([f"`{name}`", percent(share(r))] + [seconds(c[w]["seconds"]) for w in WAYS] +
                    [percent(saved(r, a, "seconds")) for a in ("whole", "basic")] + [f"{c[w]['mb']:.0f}" for w in WAYS] +
                    [percent(saved(r, a, "mb")) for a in ("whole", "basic")])
    rows = [r for _, r in by_share()]
    body.append(["average", percent(mean(map(share, rows))), "", "", ""] +
                [percent(mean(saved(r, a, "seconds") for r in rows)) for a in ("whole", "basic")] + ["", "", ""] +
                [percent(mean(saved(r, a, "mb") for r in rows)) for a in ("whole", "basic")])
    return table(["program", "the library's share", "seconds: whole", "basic", "optimised", "saved of whole", "of basic",
                  "MB: whole", "basic", "optimised", "saved of whole", "of basic"], body)


def make_refused():
    names = refused()
    return f"Not here: {', '.join(names)}, which defines functions of the C library itself: only its basic summary serves.\n" if names else "\n"


def make_phases():
    body = []
    for name, r in by_share():
        c = r["client"]
        body.append([f"`{name}`"] + [f"{seconds(c['whole'][p])} → {seconds(c['optimised'][p])}" for p in PHASES])
    return table(["program", "read", "link and complete", "points-to sets", "MOD"], body)


def part_of(row, way, phases):
    c = row["client"][way]
    return sum(c[p] for p in phases) / sum(c[p] for p in PHASES)


def make_parts():
    """What clients do, on average."""
    rows = [r for _, r in by_share()]
    read, link = (percent(mean(part_of(r, "optimised", [p]) for r in rows)) for p in ("read", "models"))
    solve = [mean(part_of(r, w, ["solve", "modref"]) for r in rows) for w in ("whole", "optimised")]
    less = mean(1 - sum(r["client"]["optimised"][p] for p in ("solve", "modref")) / sum(r["client"]["whole"][p] for p in ("solve", "modref"))
                for r in rows)
    text = (f"On average, {percent(part_of_read(rows))} of the seconds with the library's modules are for reading bitcode. With the optimised summary, "
            f"{read} are for the client's own bitcode, and {link} for decoding the summary, linking it and completing the program. Points-to sets and "
            f"MOD take {percent(less)} less; they are {percent(solve[0])} of the whole program's seconds, and {percent(solve[1])} of those "
            f"with the summary.")
    return textwrap.fill(text, 140) + "\n"


def part_of_read(rows):
    return mean(part_of(r, "whole", ["read"]) for r in rows)


def held(ours, aim, is_most):
    return "held" if (ours <= aim if is_most else ours >= aim) else "not held"


def counted(rows, ok):
    return f"{sum(map(ok, rows))} of {len(rows)}"


def verdict_on_sizes():
    rows = [r for _, r in libraries()]
    for what, key in (("statements", "statements"), ("bytes", "binary")):
        ours = mean(fewer(r, key) for r in rows)
        yield (f"{what} from basic to optimised: {percent(ours)} fewer on average, aim {percent(AIMS['reduction'])}: "
               f"{held(ours, AIMS['reduction'], False)}; {counted(rows, lambda r: fewer(r, key) >= AIMS['reduction'])} libraries are there, from "
               f"{percent(min(fewer(r, key) for r in rows))} to {percent(max(fewer(r, key) for r in rows))}.")
    ours = mean(map(of_object, rows))
    yield (f"size against object code: {percent(ours)} on average, aim at most {percent(AIMS['object'])}: {held(ours, AIMS['object'], True)}; "
           f"{counted(rows, lambda r: of_object(r) <= AIMS['object'])} libraries are there, from {percent(min(map(of_object, rows)))} to "
           f"{percent(max(map(of_object, rows)))}.")


def verdict_on_clients():
    rows = [r for _, r in by_share()]
    part = mean(map(share, rows))
    for what, key in (("time", "seconds"), ("memory", "mb")):
        ours = mean(saved(r, "whole", key) for r in rows)
        more = [f"`{n}`" for n, r in by_share() if saved(r, "whole", key) > share(r)]
        yield (f"{what} of clients: {percent(ours)} saved on average, where libraries have {percent(part)} of the statements; aim more than their "
               f"share: {held(ours, part, False)} on average; {len(more)} of {len(rows)} programs save more than their library's share: "
               f"{', '.join(more) or 'none'}. Of the basic summary's {what}, as the thesis has it, {percent(mean(saved(r, 'basic', key) for r in rows))} "
               f"are saved.")


def make_verdict():
    lines = [f"- {x}" for x in [*verdict_on_sizes(), *verdict_on_clients()]]
    return "\n".join(textwrap.fill(x, 140, subsequent_indent="  ", break_on_hyphens=False) for x in lines) + "\n"


MAKERS = {"programs": make_programs, "sizes": make_sizes, "visible": make_visible, "making": make_making, "clients": make_clients,
          "refused": make_refused, "phases": make_phases, "parts": make_parts, "verdict": make_verdict}


def rewrite():
    page = DOCUMENTS / "c-summaries.md"
    page.write_text(MARKED.sub(lambda m: m.group(1) + MAKERS[m.group(2)]() + m.group(3), page.read_text()))
    rows = [(named(n).replace("`", ""), fewer(r, "statements"), fewer(r, "binary"), of_object(r)) for n, r in libraries()]
    (DOCUMENTS / "c-summary-sizes.svg").write_text(plot.bars(rows))
    points = [(n, share(r), saved(r, "whole", "seconds"), saved(r, "whole", "mb")) for n, r in by_share()]
    (DOCUMENTS / "c-summary-clients.svg").write_text(plot.saved(points))
