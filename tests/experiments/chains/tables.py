# SPDX-License-Identifier: Apache-2.0
"""tables - of docs/experiments/chains.md, from results.json, tried.tsv and the figures of the paper."""
import re

import study

DOCUMENT = study.TOP / "docs/experiments/chains.md"
MARKED = re.compile(r"(<!-- figures: begin (\w+)(?: (\w+))? -->\n).*?(<!-- figures: end -->)", re.S)
ROWS = {"receiver": "(a)", "site": "site", "method": "(b)"}
POLICIES = ["rta", "andersen", "1obj", "pruned", "2obj pruned"]
LABELS = {"pruned": "`andersen`, pruned", "2obj pruned": "`2obj`, pruned"}


def table(head, body, left=1):
    """Markdown; columns from `left` on are of numbers."""
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(n):
    return f"{n:,}"


def numbers(list_of):
    return " ".join(number(n) for n in list_of)


def percent(n, of):
    return f"{100 * n / of:.1f} %" if of else "–"


def names(found):
    return [t.name for t in study.tasks() if t.name in found["tasks"]]


def policies(found):
    some = next(iter(found["tasks"].values()))["receiver"]["chains"]
    return [p for p in POLICIES if p in some]


def make_tasks(found):
    del found
    body = [[f"`{t.name}`", ", ".join(f"`{c}`" for c in t.component.split(",")), t.why] for t in study.tasks()]
    return table(["functionality", "classes", "why"], body, 3)


def make_chains(found):
    """Chains of at most 1 to 4 calls, by each analysis."""
    body = []
    for name in names(found):
        for g, label in ROWS.items():
            chains = found["tasks"][name][g]["chains"]
            body.append([f"`{name}`", label, *[numbers(chains[p]) for p in policies(found)]])
    return table(["functionality", "row", *[LABELS.get(p, f"`{p}`") for p in policies(found)]], body, 2)


def totals(found, granularity):
    tasks = [found["tasks"][n][granularity] for n in names(found)]
    best = [t["chains"][t["of"]][-1] for t in tasks]
    return sum(best), sum(t["documented"][-1] for t in tasks), sum(t["both"][-1] for t in tasks), sum(t["argued"][t["of"]][-1] for t in tasks)


def make_coverage(found):
    body = []
    for name in names(found):
        for g, label in ROWS.items():
            t = found["tasks"][name][g]
            n = t["chains"][t["of"]][-1]
            both = t["both"][-1]
            body.append([f"`{name}`", label, *map(number, (n, t["documented"][-1], both, n - both, t["argued"][t["of"]][-1]))])
    for g, label in ROWS.items():
        n, documented, both, argued = totals(found, g)
        body.append(["all", label, *map(number, (n, documented, both, n - both, argued))])
    return table(["functionality", "row", "chains", "documented suite", "with the directed one", "left", "of these argued"], body, 2)


def make_infeasible(found):
    """The estimate from the draw, and what the suites leave as a bound."""
    body = []
    for g in ("receiver", "method"):
        n, documented, both, _ = totals(found, g)
        t = found["tried"][g]
        drawn = sum(t.values())
        share = (n - documented) / n
        low, high = t["infeasible"] / drawn * share, (t["infeasible"] + t["unknown"]) / drawn * share
        body.append([ROWS[g], number(n), percent(n - documented, n), number(drawn),
                     *[number(t[v]) for v in ("feasible", "infeasible", "unknown")],
                     f"{100 * low:.1f} %" + (f" to {100 * high:.1f} %" if high > low else ""), percent(n - both, n)])
    return table(["row", "chains", "missed", "drawn", "feasible", "infeasible", "unknown", "infeasible of all chains",
                  "not shown by either suite"], body)


def make_argued(found):
    """What is left without a run, by analyses: chains, those argued to be infeasible, and those of which nobody knows."""
    body = []
    for g in ("receiver", "method"):
        tasks = [found["tasks"][n][g] for n in names(found)]
        for p in policies(found):
            n, argued, left = (sum(t[what][p][-1] for t in tasks) for what in ("chains", "argued", "left"))
            body.append([ROWS[g], LABELS.get(p, f"`{p}`"), number(n), number(argued), percent(argued, n), number(left - argued)])
    return table(["row", "analysis", "chains", "argued", "of all chains", "not known"], body, 2)


def make_paper(found):
    del found
    body = [[f"`{name}`", f"({row})", *[c.replace(",", " ") for c in columns]]
            for name, row, *columns in study.rows_of("paper.tsv")]
    return table(["functionality", "row", "feasible", "feasible, not covered by Mauve", "infeasible by RTA", "infeasible by Andersen"],
                 body, 2)


def make_versions(found):
    of = next(iter(found["tasks"].values()))["receiver"]["of"]
    which = "`andersen`, pruned" if of == "pruned" else "`andersen` without pruning"
    return f"JDK {found['jdk']}. Coverage and draws are of the forest of {which}.\n"


def short(chain):
    """Without packages and descriptors, which tried.tsv has."""
    chain = re.sub(r"\([^)]*\)[^ ]*", "", chain)
    return re.sub(r"\b(?:[a-z]\w*\.)+(?=[A-Z])", "", chain)


def make_tried(found, granularity):
    del found
    body = [[task, level, f"`{short(chain)}`", f"{verdict}: {why}" if verdict == "infeasible" else verdict]
            for g, task, level, _, chain, verdict, why in study.rows_of("tried.tsv") if g == granularity]
    return table(["functionality", "level", "chain", "verdict"], body, 4)


MAKERS = {"tasks": make_tasks, "chains": make_chains, "coverage": make_coverage, "infeasible": make_infeasible, "argued": make_argued,
          "paper": make_paper, "versions": make_versions, "tried": make_tried}


def show(name, row):
    for g, label in ROWS.items():
        t = row[g]
        print(f"{name} {label}: " + "; ".join(f"{p} {numbers(c)}" for p, c in t["chains"].items())
              + f"; documented {t['documented'][-1]}, both {t['both'][-1]}, left {t['left'][t['of']][-1]}, argued {t['argued'][t['of']][-1]}", flush=True)


def write_document():
    found = study.results()

    def again(m):
        return m.group(1) + MAKERS[m.group(2)](found, *[w for w in (m.group(3),) if w]) + m.group(4)

    DOCUMENT.write_text(MARKED.sub(again, DOCUMENT.read_text()))
