# SPDX-License-Identifier: Apache-2.0
"""tables - the inputs and results of the benchmarks, for run and figures."""
import json
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
LAST = HERE / "results" / "last.json"
JARS = Path("/usr/share/java")
# Groups in the last column of subjects.tsv. `all` is what `sherd callgraph --algorithm help` lists, but for second names.
CHEAP = ["rta", "cha", "xta", "vta", "0cfa", "andersen"]
SECOND_NAMES = {"0-1cfa"}


class Subject(NamedTuple):
    name: str
    packages: str
    path: str
    main: str
    algorithms: str

    def class_path(self):
        parts = [] if self.path == "-" else self.path.split(":")
        return [p if p.startswith("/") else str(JARS / p) for p in parts]


class Peer(NamedTuple):
    subject: str
    algorithm: str
    tool: str
    analysis: str
    seconds: str
    mb: str
    methods: str
    edges: str


class Budget(NamedTuple):
    subject: str
    algorithm: str
    seconds: float
    mb: float


def rows(name):
    lines = (HERE / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def subjects():
    return [Subject(*row) for row in rows("subjects.tsv")]


def peers():
    return [Peer(*row) for row in rows("peers.tsv")]


def budgets():
    return [Budget(s, a, float(seconds), float(mb)) for names, algorithms, seconds, mb in rows("budgets.tsv")
            for s in names.split() for a in algorithms.split()]


def number(text):
    """Of a field of peers.tsv: None when it is unknown."""
    return None if text == "-" else float(text.lstrip("~>"))


def results():
    """By "subject/algorithm". A run that did not finish has `stopped` instead of counts."""
    return json.loads(LAST.read_text()) if LAST.exists() else {}
