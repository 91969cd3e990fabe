# SPDX-License-Identifier: Apache-2.0
"""study - the tasks of the experiments and their results, for run and figures."""
import json
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
RESULTS = HERE / "results.json"
JARS = Path("/usr/share/java")
CHEAP = ["cha", "rta", "0cfa", "andersen"]
CONTEXTS = ["1obj", "2type", "2obj"]         # from cheap to dear: where one is stopped, those behind it are not tried
ANALYSES = CHEAP + CONTEXTS


class Task(NamedTuple):
    name: str
    paper: str
    functionality: str
    component: str
    interface: str
    path: str
    why: str

    def class_path(self):
        return [] if self.path == "-" else [str(JARS / p) for p in self.path.split(":")]

    def interfaces(self):
        """As --interface takes them."""
        return ",".join(w if w == "public" else str(HERE / "interfaces" / f"{w}.interface") for w in self.interface.split(","))


class Paper(NamedTuple):
    task: str
    classes: str
    methods: str
    poly_sites: str
    rc: list                 # by CHA, RTA, 0-CFA, AND, feasible
    tm: list


def rows(name):
    lines = (HERE / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def tasks():
    return [Task(*row) for row in rows("tasks.tsv")]


def paper():
    return {row[0]: Paper(*row[:4], row[4:9], row[9:14]) for row in rows("paper.tsv")}


def results():
    """`jdk`, `jars`, and `tasks` by name: figures of the component, and of its `analyses` by name. An analysis that did not
    finish has `stopped` instead of figures; one that was not tried is absent."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {"jars": {}, "tasks": {}}
