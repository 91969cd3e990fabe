# SPDX-License-Identifier: Apache-2.0
"""C programs: what pointers may point to, what functions and lines modify and use."""
from __future__ import annotations

import os
from ctypes import byref
from dataclasses import dataclass
from typing import Iterator, Optional, Tuple

from . import _library
from ._library import NotFoundError, Opened, lib, raw, sequence, strings, text

_MOD, _USE = 0, 1


def engines():
    """The engines of points-to analyses, from precise to coarse."""
    return list(sequence(lib.c_engine))


@dataclass(frozen=True)
class CCall:
    """A call of a program's own function."""
    caller: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    through_pointer: bool
    targets: Tuple[str, ...]


class CProgram(Opened):
    """A C program or library, from modules of LLVM bitcode.

    library: answer for all clients that it may get, which may name what `exports` lists ("public", headers, shared libraries,
    version scripts, lists); engine: see engines(); categories: of the engine of that name; fields: tell those of structs
    apart; any_calls, loads_unknown: as --calls any and --loaded unknown; summaries: of libraries that the modules use, files of
    sherd summarize or libraries that carry one."""

    def __init__(self, modules, *, library=False, exports=(), engine="andersen", categories=0, fields=True, any_calls=False,
                 loads_unknown=False, summaries=()):
        one = isinstance(modules, (str, bytes, os.PathLike))
        paths, n = strings([modules] if one else modules)
        names, nnames = strings([exports] if isinstance(exports, (str, bytes, os.PathLike)) else exports)
        used, nused = strings([summaries] if isinstance(summaries, (str, bytes, os.PathLike)) else summaries)
        options = _library.sherd_c_options(paths, n, library, names, nnames, raw(engine), categories, not fields,
                                           any_calls, loads_unknown, used, nused)
        super().__init__(lib.c_open(options), lib.c_close, lib.c_ok, lib.c_diagnostic)

    @staticmethod
    def _names(s):
        return tuple(text(name) for name in s.names[:s.n])

    # Pointers

    def variables(self) -> Iterator[str]:
        """What can hold pointers, by name: `global`, `function::local`, `heap@file:line`, with .field where it is a part."""
        return (text(lib.c_variable_at(self._p, k)) for k in range(lib.c_variables(self._p)))

    def points_to(self, name) -> Tuple[str, ...]:
        k = lib.c_find(self._p, raw(name))
        if k >= lib.c_variables(self._p):
            raise NotFoundError(f"no variable {name!r}; names are global, function::local, heap@file:line")
        return self._names(lib.c_points_to(self._p, k))

    # Functions

    def functions(self, own=True) -> Iterator[str]:
        """Those that may run, by name: the program's own, or models of library functions and unknown code, too."""
        for k in range(lib.c_functions(self._p)):
            f = lib.c_function_at(self._p, k)
            if not own or lib.c_function_is_own(self._p, f):
                yield text(lib.c_function_name(self._p, f))

    def calls(self, through_pointers=False) -> Iterator[CCall]:
        """The calls of the program's own functions; only those through pointers, if asked for."""
        for k in range(lib.c_calls(self._p)):
            c = lib.c_call_at(self._p, k)
            if c.through_pointer or not through_pointers:
                targets = tuple(text(lib.c_function_name(self._p, f)) for f in c.targets[:c.ntargets])
                yield CCall(text(lib.c_function_name(self._p, c.caller)), text(c.file), c.line or None, c.column or None,
                            c.through_pointer, targets)

    @property
    def unknown_functions(self) -> list:
        """Functions that have neither a body in the modules nor a model: they may do anything."""
        return list(sequence(lib.c_unknown, self._p))

    # Effects: of a function by its name, or of a line by "FILE:LINE"

    def modifies(self, what) -> Tuple[str, ...]:
        return self._effects(what, _MOD)

    def uses(self, what) -> Tuple[str, ...]:
        return self._effects(what, _USE)

    def _effects(self, what, effect):
        f = lib.c_find_function(self._p, raw(what))
        if f:
            return self._names(lib.c_function_effects(self._p, f, effect))
        found, before = _library.sherd_c_set(), len(self.diagnostics)
        if not lib.c_line_effects(self._p, raw(what), effect, byref(found)):
            raise self._refused(before, NotFoundError)
        return self._names(found)
