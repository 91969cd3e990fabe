# SPDX-License-Identifier: Apache-2.0
"""Java programs: call graphs, points-to facts, requirements."""
from __future__ import annotations

import os
from collections import namedtuple
from dataclasses import dataclass
from typing import Iterator, Optional, Tuple

from . import _library
from ._library import Handle, Opened, lib, raw, sequence, text

Algorithm = namedtuple("Algorithm", "name help follows_objects")


def algorithms():
    """The algorithms, from cheap to precise."""
    return [Algorithm(name, text(lib.algorithm_help(raw(name))), lib.algorithm_follows_objects(raw(name)))
            for name in sequence(lib.algorithm)]


Level = namedtuple("Level", "name help")


def levels():
    """What may be assumed about reflection, class loading and natives, from least to most."""
    return [Level(name, text(lib.level_help(raw(name)))) for name in sequence(lib.level)]


class Method:
    """A method of a program. Two are equal when they are the same one of the same program."""

    __slots__ = ("program", "number")

    def __init__(self, program, number):
        self.program, self.number = program, number

    @property
    def name(self) -> str:
        """pkg.Cls.name(descriptor)ret"""
        return text(lib.method_name(self.program._p, self.number))

    @property
    def class_name(self) -> str:
        return text(lib.method_class(self.program._p, self.number))

    @property
    def in_jdk(self) -> bool:
        return lib.method_in_jdk(self.program._p, self.number)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<Method {self.number if self.program.closed else self.name}>"

    def __eq__(self, other):
        return isinstance(other, Method) and (self.number, self.program) == (other.number, other.program)

    def __hash__(self):
        return hash((self.number, id(self.program)))


@dataclass(frozen=True)
class Site:
    """A call site."""
    caller: Method
    pc: int
    line: Optional[int]               # None: unknown
    declared: Optional[str]           # the method as the call names it; None for dynamic sites
    targets: Tuple[Method, ...]
    receivers: Tuple[str, ...]        # classes of the objects that it is called on; none for calls that are not dispatched
    open: bool                        # receivers of unknown class are possible, too
    unresolved: Optional[str]         # None, or why targets may be missing: "reflection", ...


@dataclass(frozen=True)
class Place:
    """Where objects are created."""
    number: int
    sort: str                         # "new", "class" (all objects of the class), "unknown", "outside"
    class_name: Optional[str]         # None: unknown
    method: Optional[Method]          # None but for "new"
    pc: Optional[int]
    line: Optional[int]

    def __str__(self):
        where = f" ({self.method}:{self.line or '?'})" if self.method else ""
        return (self.class_name or "unknown") + where


@dataclass(frozen=True)
class RequiredCall:
    """A dispatched call of a component, and what tests should exercise there."""
    method: Method
    pc: int
    line: Optional[int]
    declared: str
    is_interface: bool
    poly: bool                        # the class hierarchy alone has more than one class for the receiver
    reached: bool                     # clients can get there
    open: bool                        # receivers of unknown class are possible, too
    client: bool                      # receivers of clients' classes are possible, too
    unresolved: Optional[str]
    receivers: Tuple[str, ...]        # rc
    targets: Tuple[Method, ...]       # tm


Figures = namedtuple("Figures", [name for name, _ in _library.sherd_required_figures._fields_])


def _path(class_path):
    if class_path is None or isinstance(class_path, (str, bytes, os.PathLike)):
        return raw(class_path)
    return b":".join(raw(p) for p in class_path)


def _entry(main, public, file):
    given = [e for e in (main and f"main {main}", public and "public", file and "file " + os.fspath(file)) if e]
    if len(given) != 1:
        raise TypeError("say where to start: one of main=CLASS, public=True, file=PATH")
    return raw(given[0])


class Program(Opened):
    """A Java program or library with its JDK.

    class_path: directories, jars, jmods: a path, a ':'-separated string, or several; jdk: its folder, None for $JAVA_HOME or java
    on PATH, "none" for no library; cache: read and write the cached index of the JDK; jobs: threads, 0 for one a processor."""

    def __init__(self, class_path=None, *, jdk=None, cache=True, jobs=0):
        options = _library.sherd_options(_path(class_path), raw(jdk), not cache, jobs)
        super().__init__(lib.open(options), lib.close, lib.ok, lib.diagnostic)

    def _compute(self, assume, function, *arguments):
        before = len(self.diagnostics)
        if not lib.assume(self._p, raw(assume)):
            raise self._refused(before)
        pointer = function(self._p, *arguments)
        if not pointer:
            raise self._refused(before)
        return pointer

    def callgraph(self, *, main=None, public=False, file=None, algorithm="rta", assume="listed") -> "CallGraph":
        """From a main class, from every public method, or from a file with a list; `assume` is one of levels()."""
        entry = _entry(main, public, file)
        return CallGraph(self, self._compute(assume, lib.callgraph_compute, entry, raw(algorithm)), lib.callgraph_free, self)

    def pointsto(self, *, main=None, public=False, file=None, algorithm="andersen", assume="listed") -> "PointsTo":
        """By an algorithm that follows objects."""
        return PointsTo(self, self._compute(assume, lib.pointsto_compute, _entry(main, public, file), raw(algorithm)))

    def requirements(self, component, *, interface=None, open_clients=False, algorithm="andersen",
                     assume="listed") -> "Requirements":
        """Of the classes that the patterns `component` match, as --component takes them."""
        asked = _library.sherd_component(raw(component), raw(interface), open_clients, raw(algorithm))
        return Requirements(self, self._compute(assume, lib.requirements_compute, asked))

    def _method(self, number):
        return Method(self, number) if number else None

    def _methods(self, numbers, n):
        return tuple(Method(self, m) for m in numbers[:n])

    def _classes(self, numbers, n):
        return tuple(text(lib.class_name(self._p, c)) for c in numbers[:n])


class CallGraph(Handle):
    """Reachable methods and their call sites. Iterates over the methods, by name."""

    def __init__(self, program, pointer, free, owner):
        super().__init__(pointer, free, owner)
        self.program = program

    def __len__(self):
        return lib.callgraph_count(self._p)

    def __iter__(self) -> Iterator[Method]:
        return (Method(self.program, lib.callgraph_method(self._p, k)) for k in range(len(self)))

    def find(self, name) -> list:
        """Methods of that name: pkg.Cls.method, or with its descriptor."""
        return [m for m in self if m.name == name or m.name.startswith(name + "(")]

    def is_entry(self, method) -> bool:
        """Is it called by the user or the JVM?"""
        return lib.callgraph_is_entry(self._p, method.number)

    def sites(self, method=None) -> Iterator[Site]:
        """The call sites of a method, in the order of its code; of all methods, when none is named."""
        for m in self if method is None else (method,):
            for k in range(lib.callgraph_sites(self._p, m.number)):
                yield self._site(m, lib.callgraph_site(self._p, m.number, k))

    def _site(self, caller, s):
        return Site(caller, s.pc, s.line or None, text(s.declared), self.program._methods(s.targets, s.ntargets),
                    self.program._classes(s.receivers, s.nreceivers), s.open, text(s.unresolved))


class PointsTo(Handle):
    """Which objects variables and fields may hold. A set of objects is a tuple of places."""

    _SORTS = ("new", "class", "unknown", "outside")

    def __init__(self, program, pointer):
        super().__init__(pointer, lib.pointsto_free, program)
        self.program = program
        self._known = {}

    @property
    def callgraph(self) -> CallGraph:
        """The call graph that was found on the way."""
        return CallGraph(self.program, lib.pointsto_callgraph(self._p), lambda _: None, self)

    def __len__(self):
        """How many places there are."""
        return lib.pointsto_places(self._p)

    def __iter__(self) -> Iterator[Place]:
        return (self.place(k) for k in range(len(self)))

    def place(self, number) -> Place:
        if not 0 <= number < len(self):
            raise IndexError(f"no place {number}")
        if number not in self._known:
            p = lib.pointsto_place(self._p, number)
            self._known[number] = Place(number, self._SORTS[p.sort], text(lib.class_name(self.program._p, p.cls)),
                                        self.program._method(p.method), p.pc if p.method else None, p.line or None)
        return self._known[number]

    def _set(self, s):
        return tuple(self.place(k) for k in s.places[:s.n])

    def values(self, method) -> dict:
        """What the values of a method hold, by their number (as `sherd dump` has them): those that hold anything."""
        n = lib.pointsto_values(self._p, method.number)
        found = ((v, self._set(lib.pointsto_value(self._p, method.number, v))) for v in range(1, n + 1))
        return {v: places for v, places in found if places}

    def static_fields(self) -> dict:
        """What static fields hold, by name: those that hold anything."""
        fields = [lib.pointsto_static(self._p, k) for k in range(lib.pointsto_statics(self._p))]
        return {text(lib.field_name(self.program._p, f)): self._set(lib.pointsto_static_field(self._p, f)) for f in fields}

    def fields(self, place) -> dict:
        """What the fields of the objects of a place hold, by name, and the elements of arrays, as "[]"."""
        fields = [lib.pointsto_field(self._p, place.number, k) for k in range(lib.pointsto_fields(self._p, place.number))]
        found = {text(lib.field_name(self.program._p, f)): self._set(lib.pointsto_held(self._p, place.number, f)) for f in fields}
        found["[]"] = self._set(lib.pointsto_held(self._p, place.number, 0))
        return {name: places for name, places in found.items() if places}


class Requirements(Handle):
    """What tests of a component should exercise. Iterates over its dispatched calls, by method and pc."""

    def __init__(self, program, pointer):
        super().__init__(pointer, lib.requirements_free, program)
        self.program = program

    @property
    def figures(self) -> Figures:
        found = lib.requirements_figures(self._p)
        return Figures(*(getattr(found, name) for name in Figures._fields))

    def __len__(self):
        return lib.requirements_count(self._p)

    def __iter__(self) -> Iterator[RequiredCall]:
        return (self._call(lib.requirements_site(self._p, k)) for k in range(len(self)))

    def _call(self, s):
        return RequiredCall(self.program._method(s.method), s.pc, s.line or None, text(s.declared), s.is_interface, s.poly,
                            s.reached, s.open, s.client, text(s.unresolved),
                            self.program._classes(s.receivers, s.nreceivers),
                            self.program._methods(s.targets, s.ntargets))
