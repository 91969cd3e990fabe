# SPDX-License-Identifier: Apache-2.0
"""tables - the inputs and results of the benchmarks, for run and figures."""
import json
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
LAST = HERE / "results" / "last.json"
JARS = Path("/usr/share/java")
# Groups in the last column of subjects.tsv and components.tsv. `all` is what `sherd callgraph --algorithm help` lists,
# but for second names.
CHEAP = ["rta", "cha", "xta", "vta", "0cfa", "andersen"]
SECOND_NAMES = {"0-1cfa"}


class Subject(NamedTuple):
    """A program, for `sherd callgraph`."""
    name: str
    packages: str
    path: str
    main: str
    algorithms: str

    verb = "callgraph"
    counts = ("methods", "edges", "method_edges", "sites", "poly_sites", "open_sites", "classes",
              "unresolved_dynamic_sites")
    shown = {"methods": "methods", "edges": "edges", "poly": "poly_sites", "open": "open_sites"}
    cached = ("rta", "cha")            # short enough for the cache to matter

    def class_path(self):
        return paths(self.path)

    def what(self):
        return ["--entry", "public"] if self.main == "public" else ["--main", self.main]


class Component(NamedTuple):
    """Part of a program, for `sherd requirements`."""
    name: str
    packages: str
    path: str
    patterns: str
    clients: str
    algorithms: str

    verb = "requirements"
    counts = ("classes", "methods", "sites", "poly_sites", "rc", "tm", "reached_sites", "open_sites", "client_sites",
              "starved_sites", "analysed_methods", "relevant_types", "placeholders")
    shown = {"methods": "analysed_methods", "receivers": "rc", "poly": "poly_sites", "open": "open_sites"}
    cached = ("rta", "0cfa", "andersen")          # all need the hierarchy of the whole JDK, which the cache has

    def class_path(self):
        return paths(self.path)

    def what(self):
        return ["--component", self.patterns, "--clients", self.clients]


class Application(NamedTuple):
    """A program without its libraries, for `sherd callbacks`."""
    name: str
    packages: str
    path: str
    main: str
    algorithms: str

    verb = "callbacks"
    counts = ("methods", "library_calls", "direct", "callback", "later", "answers")
    shown = {"methods": "methods", "calls": "library_calls", "direct": "direct", "back": "callback", "answers": "answers"}
    cached = ()

    def class_path(self):
        return paths(self.path)

    def what(self):
        return ["--main", self.main]


class Task(NamedTuple):
    """Of paper.tsv; its numbers as text."""
    component: str
    name: str
    functionality: str
    cfa: str
    andersen: str
    methods: str


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


def paths(text):
    parts = [] if text == "-" else text.split(":")
    return [p if p.startswith("/") else str(JARS / p) for p in parts]


def subjects():
    return [Subject(*row) for row in rows("subjects.tsv")]


def components():
    return [Component(*row) for row in rows("components.tsv")]


def applications():
    return [Application(*row) for row in rows("applications.tsv")]


def everything():
    """By name."""
    return {s.name: s for s in [*subjects(), *components(), *applications()]}


def tasks():
    return [Task(*row) for row in rows("paper.tsv")]


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
