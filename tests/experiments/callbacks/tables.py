# SPDX-License-Identifier: Apache-2.0
"""tables - programs and results of the experiment on application call graphs, and the tables of docs/experiments/callbacks.md."""
import fcntl
import json
import re
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import NamedTuple

import plot

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
DOCUMENTS = HERE.parents[2] / "docs/experiments"
MARKED = re.compile(r"(<!-- figures: begin (\w+) -->\n).*?(<!-- figures: end -->)", re.S)
JARS = Path("/usr/share/java")
FINE = "va-datareach-ft"
COUNTS = {"callgraph": ("methods", "edges", "method_edges"),
          "callbacks": ("methods", "library_calls", "direct", "callback", "later", "answers", "beginnings")}
GROWTH = ["sablecc", "antlr", "javacc"]            # whose library calls are looked at in growing subsets
TARGETS = {"callbacks": 0.85, "edges": 0.75}       # of reductions on average
PAPER = {"callbacks": 0.7494, "edges": 0.6443}
NONE = "–"


class Subject(NamedTuple):
    name: str
    what: str
    path: str
    main: str
    application: str

    def class_path(self):
        return [] if self.path == "-" else [JARS / p for p in self.path.split(":")]


def subjects():
    lines = (HERE / "subjects.tsv").read_text().splitlines()
    return [Subject(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def default_jdk():
    java = shutil.which("java")
    return str(Path(java).resolve().parents[1]) if java else ""


def package_of(path):
    """The Debian package that has a file, and its version; without one, the file itself and its size."""
    real = str(path.resolve())
    try:
        owner = subprocess.run(["dpkg-query", "-S", real], capture_output=True, text=True, check=True).stdout.split(":")[0]
        return owner, subprocess.run(["dpkg-query", "-W", "-f", "${Version}", owner], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return path.name, f"{path.stat().st_size} bytes" if path.exists() else "absent"


def versions(subject, jdk):
    release = re.search(r'JAVA_VERSION="(.*?)"', (Path(jdk) / "release").read_text()).group(1)
    return {"JDK": release, **dict(package_of(path) for path in subject.class_path())}


def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save(name, found):
    with open(HERE / "subjects.tsv") as lock:          # two runs may share the work
        fcntl.flock(lock, fcntl.LOCK_EX)
        RESULTS.write_text(json.dumps({**results(), name: found}, indent=1, sort_keys=True) + "\n")


# Results

def measured():
    """(subject, its runs) of what was measured."""
    found = results()
    return [(s, found[s.name]) for s in subjects() if s.name in found]


def run_of(runs, precision, algorithm):
    r = runs.get(f"{precision}/{algorithm}")
    return r if r and "stopped" not in r else None


def is_compared(runs):
    """Both precisions ended with the base."""
    return "base" in runs


def backs(r):
    return r["callback"] + r["later"]


def reduction(runs, algorithm, whole):
    """By how much va-datareach-ft has fewer callbacks, or edges, than simple; None: not known, or simple has none."""
    coarse, fine = run_of(runs, "simple", algorithm), run_of(runs, FINE, algorithm)
    if not coarse or not fine or not backs(coarse):
        return None
    return 1 - (backs(fine) + whole * fine["direct"]) / (backs(coarse) + whole * coarse["direct"])


def possible(runs, algorithm):
    """The reduction of edges that no callback at all would be."""
    coarse = run_of(runs, "simple", algorithm)
    return backs(coarse) / (backs(coarse) + coarse["direct"]) if coarse else None


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


# Tables

def table(head, body):
    """Markdown; columns but the first are of numbers, unless their head ends with a space."""
    rules = ["---" if i == 0 or h.endswith(" ") else "---:" for i, h in enumerate(head)]
    lines = [[h.strip() for h in head], rules, *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(r, key):
    return f"{r[key]:,}" if r else NONE


def percent(x):
    return NONE if x is None else f"{100 * x:.2f} %"


def back_count(r):
    return f"{backs(r):,}" if r else NONE


def name_of(subject):
    return f"`{subject.name}`"


def base_of(runs):
    return f"`{runs['base']}`" if is_compared(runs) else NONE


def make_versions():
    found = {}
    for _, runs in measured():
        found |= runs["versions"]
    jdk = found.pop("JDK")
    text = f"JDK {jdk}; " + ", ".join(f"{name} {version}" for name, version in sorted(found.items())) + "."
    missing = [f"`{s.name}`" for s in subjects() if s not in [m for m, _ in measured()]]
    if missing:
        text += f" Not measured yet: {', '.join(missing)}."
    return textwrap.fill(text, 140, break_on_hyphens=False, break_long_words=False) + "\n"


def make_subjects():
    body = []
    for s, runs in measured():
        base = runs.get("base")
        graph, fine = run_of(runs, "graph", base or "0cfa"), run_of(runs, FINE, base) if base else None
        body.append([name_of(s), s.what, f"`{s.main}`", number(graph, "methods"), number(fine, "methods"), number(fine, "library_calls"),
                     base_of(runs)])
    return table(["program", "what it is ", "main class ", "methods", "of the application", "library calls", "base "], body)


def calls_row(s, runs, algorithm):
    coarse, fine = run_of(runs, "simple", algorithm), run_of(runs, FINE, algorithm)
    return [name_of(s), f"`{algorithm}`", number(fine, "direct"), back_count(coarse), back_count(fine),
            percent(reduction(runs, algorithm, 0)), percent(reduction(runs, algorithm, 1)),
            percent(possible(runs, algorithm))]


def averages(rows):
    """What the column of reductions says on average, and the paper's."""
    ours = {what: mean(reduction(runs, algorithm, whole) for runs, algorithm in rows) for what, whole in (("callbacks", 0), ("edges", 1))}
    return [["average", "", "", "", "", percent(ours["callbacks"]), percent(ours["edges"]),
             percent(mean(possible(runs, algorithm) for runs, algorithm in rows))],
            ["the paper's", "", "", "", "", percent(PAPER["callbacks"]), percent(PAPER["edges"]), NONE]]


def calls_table(chosen):
    return table(["program", "base ", "direct", "`simple`", f"`{FINE}`", "fewer callbacks", "fewer edges", "possible"],
                 [calls_row(*x) for x in chosen] + averages([(runs, algorithm) for _, runs, algorithm in chosen]))


def make_calls():
    return calls_table([(s, runs, runs["base"]) for s, runs in measured() if is_compared(runs)])


def make_cfa():
    """By the paper's base."""
    return calls_table([(s, runs, "0cfa") for s, runs in measured() if reduction(runs, "0cfa", 0) is not None])


def looking(runs, algorithm):
    """Seconds of looking at all library calls: what va-datareach-ft takes beyond the analysis that it starts from."""
    return run_of(runs, FINE, algorithm)["cpu"] - run_of(runs, "graph", algorithm)["cpu"]


def times_row(s, runs, algorithm):
    cfa, fine, spent = run_of(runs, "graph", "0cfa"), run_of(runs, FINE, algorithm), looking(runs, algorithm)
    return [name_of(s), f"`{algorithm}`", f"{cfa['cpu']:.1f}", f"{run_of(runs, 'graph', algorithm)['cpu']:.1f}", f"{spent:.1f}",
            f"{spent / cfa['cpu']:.1f}", "yes" if spent <= cfa["cpu"] else "no", number(fine, "library_calls"), number(fine, "answers"),
            number(fine, "mb")]


def make_times():
    return table(["program", "base ", "`0cfa` s", "base s", "library calls s", "of `0cfa`", "within it ", "library calls", "answers", "MB"],
                 [times_row(s, runs, runs["base"]) for s, runs in measured() if is_compared(runs)])


def make_today():
    body = []
    for s, runs in measured():
        if is_compared(runs):
            graph, fine = run_of(runs, "graph", runs["base"]), run_of(runs, FINE, runs["base"])
            body.append([name_of(s), number(graph, "methods"), number(graph, "edges"), number(graph, "method_edges"),
                         number(fine, "methods"), number(fine, "direct"), back_count(fine), f"{fine['direct'] + backs(fine):,}"])
    return table(["program", "whole: methods", "edges", "pairs of methods", "application: methods", "cut off: edges", "lost by that",
                  "`sherd callbacks`: edges"], body)


def limit_of(r):
    return f"{r['limit']} s of CPU" if r["stopped"] == "cpu" else f"{r['limit']:,} MB"


def make_stopped():
    """What did not end, and by which limit."""
    body = [[name_of(s), f"`{key.split('/')[0]}`" if not key.startswith("graph") else "the analysis", f"`{key.split('/')[1]}`", limit_of(r)]
            for s, runs in measured() for key, r in sorted(runs.items()) if isinstance(r, dict) and "stopped" in r]
    return table(["program", "what ", "base ", "stopped after "], body)


def make_verdict():
    """Whether what was aimed at holds."""
    rows = [(runs, runs["base"]) for _, runs in measured() if is_compared(runs)]
    lines = []
    for what, whole in (("callbacks", 0), ("edges", 1)):
        ours = [reduction(runs, algorithm, whole) for runs, algorithm in rows]
        known = [x for x in ours if x is not None]
        lines.append(f"- {what}: {percent(mean(known))} fewer on average, aim {percent(TARGETS[what])}: "
                     f"{'held' if mean(known) >= TARGETS[what] else 'not held'}; {sum(x >= TARGETS[what] for x in known)} of {len(known)} "
                     f"programs are there, the worst has {percent(min(known))}.")
    inside = [s.name for s, runs in measured() if is_compared(runs) and looking(runs, runs["base"]) <= run_of(runs, "graph", "0cfa")["cpu"]]
    lines.append(f"- all library calls in the time of `0cfa`: {len(inside)} of {len(rows)} programs "
                 f"({', '.join(f'`{n}`' for n in inside) or 'none'}).")
    return "\n".join(textwrap.fill(x, 140, subsequent_indent="  ") for x in lines) + "\n"


def make_growth():
    body = []
    for name, points in results().get("growth", {}).items():
        first, last = points[0], points[-1]
        body.append([f"`{name}`", f"{first[0]:,}", f"{first[1]:,}", f"{first[3]:.2f}", f"{last[0]:,}", f"{last[1]:,}", f"{last[3]:.2f}",
                     f"{last[0] / first[0]:.1f}", f"{last[3] / first[3]:.1f}"])
    return table(["program", "first: calls", "answers", "s", "all: calls", "answers", "s", "times the calls", "times the seconds"], body)


MAKERS = {"versions": make_versions, "subjects": make_subjects, "calls": make_calls, "cfa": make_cfa, "times": make_times,
          "today": make_today, "stopped": make_stopped, "verdict": make_verdict, "growth": make_growth}


def rewrite():
    page = DOCUMENTS / "callbacks.md"
    page.write_text(MARKED.sub(lambda m: m.group(1) + MAKERS[m.group(2)]() + m.group(3), page.read_text()))
    points = {name: [(p[0], p[3]) for p in rows] for name, rows in results().get("growth", {}).items()}
    if points:
        (DOCUMENTS / "callback-growth.svg").write_text(plot.growth(points))
