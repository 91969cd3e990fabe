# SPDX-License-Identifier: Apache-2.0
"""tables - programs and results of the experiment on dynamic features, and the tables of docs/experiments/dynamic.md."""
import json
import re
import shutil
import textwrap
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
DOCUMENT = HERE.parents[2] / "docs/experiments/dynamic.md"
MARKED = re.compile(r"(<!-- figures: begin (\w+)(?: (\w+))? -->\n).*?(<!-- figures: end -->)", re.S)
LEVELS = ["behaved", "encap", "cast", "string", "env", "listed"]
NARROW = ["cast", "string", "env", "listed"]      # levels that resolve something
# What a row of table III counts: sorts of dynamic calls.
FEATURES = {"class loading": ["load", "find"], "newInstance": ["new", "construct"], "invoke": ["invoke"]}
PAPER = {"class loading": [16, 46, 50], "newInstance": [56, 58, 61], "invoke": [0, 6, 6]}
COUNTS = {"sites", "resolved", "by_value"}
NONE = "–"


class Program(NamedTuple):
    name: str
    path: str
    main: str


def programs():
    lines = (HERE / "programs.tsv").read_text().splitlines()
    return [Program(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def jar(name):
    return Path(name) if name.startswith("/") else Path("/usr/share/java") / name


def default_jdk():
    java = shutil.which("java")
    return str(Path(java).resolve().parents[1]) if java else ""


def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def release(jdk):
    return re.search(r'JAVA_VERSION="(.*?)"', (Path(jdk) / "release").read_text()).group(1)


def save(name, rows, jdk):
    RESULTS.write_text(json.dumps({**results(), name: rows, "jdk": release(jdk)}, indent=1, sort_keys=True) + "\n")


# Tables

def table(head, body):
    """Markdown; columns but the first are of numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(n):
    return f"{n:,}"


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else NONE


def measured(found):
    return [(p.name, found[p.name]) for p in programs() if p.name in found]


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def make_programs(found, _):
    keys = ["classes", "methods", "statements", "loads", "makes", "invokes", "natives"]
    return table(["program", "classes", "methods", "statements", "class loading", "newInstance", "invoke", "native methods"],
                 [[f"`{name}`", *[number(rows["program"][k]) for k in keys]] for name, rows in measured(found)])


def make_sizes(found, what):
    """Nodes or edges, and by how much each level has fewer than `behaved`, on average."""
    body = [[f"`{name}`", *[number(rows[level][what]) if level in rows else NONE for level in LEVELS]] for name, rows in measured(found)]
    fewer = [mean([1 - rows[level][what] / rows["behaved"][what] for _, rows in measured(found) if level in rows and "behaved" in rows])
             for level in LEVELS[1:]]
    return table(["program", *[f"`{level}`" for level in LEVELS]],
                 [*body, ["fewer, on average", NONE, *[percent(x, x is not None) for x in fewer]]])


def count(rows, level, feature, key):
    return sum(rows[level]["dynamic"][sort][key] for sort in FEATURES[feature])


def share(rows, level, feature):
    sites = count(rows, level, feature, "sites")
    return count(rows, level, feature, "resolved") / sites if sites else None


def make_averages(found, _):
    """Table III."""
    body = []
    for feature, theirs in PAPER.items():
        ours = [mean([share(rows, level, feature) for _, rows in measured(found) if level in rows]) for level in NARROW]
        body.append([feature, *[percent(x, x is not None) for x in ours]])
        body.append([f"{feature}, paper", *[f"{x} %" for x in theirs], NONE])
    return table(["calls", *[f"`{level}`" for level in NARROW]], body)


def make_resolved(found, level):
    body = []
    for name, rows in measured(found):
        if level not in rows:
            continue
        cells = []
        for feature in FEATURES:
            sites, resolved = count(rows, level, feature, "sites"), count(rows, level, feature, "resolved")
            cells += [number(sites), number(resolved), percent(resolved, sites)]
        body.append([f"`{name}`", *cells])
    return table(["program", *[f"{feature}{part}" for feature in FEATURES for part in ("", ", resolved", "")]], body)


def make_reasons(found, level):
    """Sites that remain, of all programs together, by the reason why."""
    sums = {}
    for _, rows in measured(found):
        for feature, sorts in FEATURES.items():
            for sort in sorts:
                for reason, n in rows.get(level, {}).get("dynamic", {}).get(sort, {}).items():
                    if reason not in COUNTS:
                        sums.setdefault(reason, dict.fromkeys(FEATURES, 0))[feature] += n
    totals = {feature: sum(row[feature] for row in sums.values()) for feature in FEATURES}
    order = sorted(sums, key=lambda r: (-sum(sums[r].values()), r))
    return table(["reason", *[cell for feature in FEATURES for cell in (feature, "")]],
                 [[f"`{r}`", *[cell for f in FEATURES for cell in (number(sums[r][f]), percent(sums[r][f], totals[f]))]] for r in order])


def make_costs(found, _):
    body = []
    for name, rows in measured(found):
        runs = [rows.get(level) for level in LEVELS]
        body.append([f"`{name}`", *[f"{r['seconds']:.1f}" if r else NONE for r in runs],
                     f"{sum(r['seconds'] for r in runs[:5]):.1f}" if all(runs[:5]) else NONE, number(max(r["mb"] for r in runs if r))])
    return table(["program", *[f"`{level}`, s" for level in LEVELS], "the first five, s", "MB, most"], body)


def make_versions(found, _):
    """With what has not been measured, where that is so."""
    missing = [f"`{p.name}`" for p in programs() if not all(level in found.get(p.name, {}) for level in LEVELS)]
    text = f"Programs as Debian packages have them, with JDK {found['jdk']}."
    if missing:
        text += f" Not, or not at every level, measured yet: {', '.join(missing)}."
    return textwrap.fill(text, 120, break_on_hyphens=False) + "\n"


MAKERS = {"programs": make_programs, "sizes": make_sizes, "averages": make_averages, "resolved": make_resolved,
          "reasons": make_reasons, "costs": make_costs, "versions": make_versions}


def rewrite():
    found = results()
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(MARKED.sub(lambda m: m.group(1) + MAKERS[m.group(2)](found, m.group(3)) + m.group(4), text))
