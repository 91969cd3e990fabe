# SPDX-License-Identifier: Apache-2.0
"""Coverage: what runs exercised of what tests should."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

from ._library import Opened, lib, raw, sequence, strings, text


@dataclass(frozen=True)
class Criterion:
    name: str                         # "rc", "own", "tm", ...
    title: str                        # "receiver classes"
    required: int
    covered: int

    @property
    def percent(self) -> float:
        """In tenths, rounded down as in every report, so that 100 means all."""
        return 100.0 if not self.required else self.covered * 1000 // self.required / 10


@dataclass(frozen=True)
class ChainFigures:
    """Call chains of one length, at an entry level."""
    level: int                        # 0: called by clients, 1: called back meanwhile, ...
    or_more: bool                     # and all levels above it
    length: int                       # calls
    required: int
    covered: int


@dataclass(frozen=True)
class Test:
    name: str
    alone: int                        # required items that no other test exercised
    fresh: int                        # required items that no test before it exercised


@dataclass(frozen=True)
class Item:
    """A receiver class or target method at a call."""
    name: str
    count: int                        # calls that were seen
    required: bool
    own: bool                         # a class of the component
    origin: Optional[str]             # of unexpected ones: "component", "library", "client", "generated"
    excused: bool                     # of unexpected ones: no cause for alarm
    tests: Tuple[str, ...]            # that exercised it, where tests were told apart

    @property
    def missed(self) -> bool:
        return self.required and not self.count


@dataclass(frozen=True)
class CoveredClass:
    name: str
    source: Optional[str]
    state: str                        # "watched", "not-loaded", ...
    calls: int
    called: int                       # calls that were made at least once
    unexpected: int
    criteria: Dict[str, Criterion]


@dataclass(frozen=True)
class CoveredCall:
    class_name: str
    method: str
    pc: int
    line: Optional[int]
    declared: str
    count: int
    watched: bool
    reached: bool
    open: bool
    client: bool
    items: Dict[str, Tuple[Item, ...]]        # by criterion: required ones, then those that nobody expected


class Coverage(Opened):
    """Folders that `sherd cover` left, and files with data; `plan` is the file with what is required, if it is not beside them.
    Iterates over the calls of the component."""

    def __init__(self, *paths, plan=None):
        names, n = strings(paths)
        super().__init__(lib.coverage_open(names, n, raw(plan)), lib.coverage_close, lib.coverage_ok, lib.coverage_diagnostic)

    @staticmethod
    def _criterion(c):
        return Criterion(text(c.name), text(c.title), c.required, c.covered)

    def _by_name(self, function, *arguments):
        found = (self._criterion(function(self._p, *arguments, k)) for k in range(lib.coverage_criteria(self._p)))
        return {c.name: c for c in found}

    @property
    def criteria(self) -> Dict[str, Criterion]:
        """By name, those of the plan."""
        return self._by_name(lib.coverage_criterion)

    @property
    def chains(self) -> List[ChainFigures]:
        """Call chains by level and length; none when they are not among the criteria."""
        found = (lib.coverage_length(self._p, k) for k in range(lib.coverage_lengths(self._p)))
        return [ChainFigures(f.level, f.or_more, f.length, f.required, f.covered) for f in found]

    @property
    def notes(self) -> List[str]:
        """What readers of the figures should know."""
        return list(sequence(lib.coverage_note, self._p))

    @property
    def classes(self) -> List[CoveredClass]:
        return [self._class(k) for k in range(lib.coverage_classes(self._p))]

    def _class(self, k):
        c = lib.coverage_class(self._p, k)
        return CoveredClass(text(c.name), text(c.source), text(c.state), c.calls, c.called, c.unexpected,
                            self._by_name(lib.coverage_class_criterion, k))

    @property
    def tests(self) -> List[Test]:
        found = (lib.coverage_test(self._p, k) for k in range(lib.coverage_tests(self._p)))
        return [Test(text(t.name), t.alone, t.fresh) for t in found]

    def __len__(self):
        return lib.coverage_calls(self._p)

    def __iter__(self) -> Iterator[CoveredCall]:
        tests = [t.name for t in self.tests]
        criteria = list(self.criteria)
        for k in range(len(self)):
            c = lib.coverage_call(self._p, k)
            items = {name: tuple(self._items(k, n, tests)) for n, name in enumerate(criteria)}
            yield CoveredCall(text(lib.coverage_class(self._p, c.cls).name), text(c.method), c.pc, c.line or None,
                              text(c.declared), c.count, c.watched, c.reached, c.open, c.client, items)

    def _items(self, call, criterion, tests):
        for k in range(lib.coverage_items(self._p, call, criterion)):
            i = lib.coverage_item(self._p, call, criterion, k)
            by = tuple(tests[t] for t in i.tests[:i.ntests])
            yield Item(text(i.name), i.count, i.required, i.own, text(i.origin), i.excused, by)
