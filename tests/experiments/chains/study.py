# SPDX-License-Identifier: Apache-2.0
"""study - what the scripts of this experiment share: functionalities, forests, runs of drivers, arguments."""
import csv
import json
import os
import re
import shutil
import subprocess
from collections import defaultdict, namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent.parent
BUILD = TOP / os.environ.get("BUILD", "build")
WORK = BUILD / "experiments" / "chains"
RESULTS = HERE / "results.json"
JDK = Path(os.environ.get("JAVA_HOME") or Path(shutil.which("java")).resolve().parent.parent)
EXPORTS = ["--add-exports", "java.base/sun.util.locale.provider=ALL-UNNAMED"]
GRANULARITIES = ["receiver", "site", "method"]
# Classes of a program come out of an archive, or do not: the JDK's own use of the zip classes is then another.
PATHS = {"documented": WORK / "suites.jar", "directed": WORK / "classes"}
K = 4

Task = namedtuple("Task", "name driver component why")
Chain = namedtuple("Chain", "level length text")
Argument = namedtuple("Argument", "task levels pattern why")


def rows_of(name):
    lines = (HERE / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def tasks():
    return [Task(*row) for row in rows_of("tasks.tsv")]


def arguments():
    """" >> " in a pattern stands for a call at any place, on any class."""
    return [Argument(task, levels, re.compile(pattern.replace(" >> ", r" > (?:@\d+ )?(?:\[\S+\] )?")), why)
            for task, levels, pattern, why in rows_of("arguments.tsv")]


def run(words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))[:300]}: exit status {done.returncode}: {(done.stdout + done.stderr)[-800:]}")
    return done.stdout


# Forests

def can_prune():
    return "--prune" in run([BUILD / "sherd", "chains", "--help"])


def policies():
    """Name to options. Pruned forests are there when sherd has the option."""
    none = ["--prune", "none"] if can_prune() else []
    found = {name: ["--algorithm", name, *none] for name in ("rta", "andersen", "1obj")}
    if can_prune():
        found["pruned"] = ["--algorithm", "andersen", "--prune", "conditions"]
        found["2obj pruned"] = ["--algorithm", "2obj", "--prune", "conditions"]
    return found


def best_policy():
    return "pruned" if can_prune() else "andersen"


def forest(task, granularity, policy, k=K, more=()):
    out = run([BUILD / "sherd", "chains", "--component", task.component, "--interface", HERE / "interfaces" / f"{task.name}.interface",
               "-cp", WORK / "suites.jar", "--jdk", JDK, "-k", k, "--length", "main", "--granularity", granularity, "--format", "csv", "-q",
               *policies()[policy], *more])
    return [Chain(r["level"], int(r["length"]), r["chain"]) for r in csv.DictReader(out.splitlines())]


def is_longer(task, chain, granularity):
    """Does the best policy have it with more calls? Where it knows fewer stacks than others, the shortest is longer."""
    entry = steps(chain.text)[0][2].split("(")[0] + "(*)"
    found = forest(task, granularity, best_policy(), 2 * K, ["--from", entry])
    return any((c.level, c.text) == (chain.level, chain.text) for c in found)


# Runs

def build():
    """The recorder, and the drivers in a folder and in a jar."""
    WORK.mkdir(parents=True, exist_ok=True)
    run([os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", f"-I{JDK}/include", f"-I{JDK}/include/linux",
         HERE / "recorder.c", "-o", WORK / "recorder.so"])
    classes = WORK / "classes"
    shutil.rmtree(classes, ignore_errors=True)
    run([JDK / "bin/javac", "-Xlint:-options", "-d", classes, *EXPORTS, *sorted((HERE / "suites").rglob("*.java"))])
    run([JDK / "bin/jar", "--create", "--file", WORK / "suites.jar", "-C", classes, "."])


def record(task, suite, large, again):
    """Chains of a run: level, and for each call its place, the class of `this`, and the method. `again`: of the last run."""
    out = WORK / f"{task.name}.{suite}.txt"
    if again and out.exists():
        return Seen(out.read_text(errors="replace").splitlines())
    run([JDK / "bin/java", *EXPORTS, f"-agentpath:{WORK}/recorder.so={out},{task.component}", "-cp", PATHS[suite],
         f"suites.{suite}.{task.driver}", *(["large"] if large and suite == "directed" else [])])
    return Seen(out.read_text(errors="replace").splitlines())


STEP = re.compile(r"^(?:@(\d+) )?(?:[\[{]([^\]}]*)[\]}] )?(.*)$")


def steps(text):
    return [STEP.match(step).groups() for step in text.split(" > ")]


class Seen:
    """What runs have shown, asked by any granularity."""

    def __init__(self, lines):
        self.by_site = defaultdict(list)
        self.by_method = set()
        for line in lines:
            level, text = line.split("\t", 1)
            found = steps(text)
            self.by_site[(level, *[(pc, m) for pc, _, m in found])].append([this for _, this, _ in found])
            self.by_method.add((level, *[m for _, _, m in found]))

    def __or__(self, other):
        both = Seen([])
        for seen in (self, other):
            both.by_method |= seen.by_method
            for key, classes in seen.by_site.items():
                both.by_site[key] += classes
        return both

    def has(self, chain, granularity):
        wanted = steps(chain.text)
        if granularity == "method":
            return (chain.level, *[m for _, _, m in wanted]) in self.by_method
        runs = self.by_site.get((chain.level, *[(pc, m) for pc, _, m in wanted]), [])
        return any(all(c is None or c == this for (_, c, _), this in zip(wanted, run)) for run in runs)


# Arguments

def levels_match(levels, level):
    return levels == "*" or level in levels.split(",")


def why_not(task, chain, known):
    """The argument that no run has this chain, or None."""
    for a in known:
        if a.task in ("*", task.name) and levels_match(a.levels, chain.level) and a.pattern.search(chain.text):
            return a.why
    return None


# Results

def results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {"tasks": {}}


def save(found):
    RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


def jdk_version():
    return re.search(r'JAVA_VERSION="(.*?)"', (JDK / "release").read_text()).group(1)
