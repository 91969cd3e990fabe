# SPDX-License-Identifier: Apache-2.0
"""sherd: who may call whom, what may point where, and what tests should exercise, of Java and C programs.

    import sherd

    with sherd.Program("app.jar") as program:
        graph = program.callgraph(main="app.Main")
        for site in graph.sites():
            print(site.caller, site.line, *site.targets)

Program is a Java program, CProgram a C program, Coverage what `sherd cover` left. Each is closed by `with` or close(), with
all that was computed from it; then its use raises ClosedError. One thread at a time for each of them. What cannot be had
raises Error, whose `diagnostics` say why. docs/python.md has examples."""
from ._library import ClosedError, Error, NotFoundError
from ._library import lib as _lib
from ._library import text as _text
from .c import CCall, CProgram, engines
from .coverage import ChainFigures, Coverage, CoveredCall, CoveredClass, Criterion, Item, Test
from .java import (Algorithm, CallGraph, Figures, Method, Place, PointsTo, Program, RequiredCall, Requirements, Site,
                   algorithms, levels)

__version__ = _text(_lib.version())
__all__ = ["Algorithm", "CCall", "CProgram", "CallGraph", "ChainFigures", "ClosedError", "Coverage", "CoveredCall",
           "CoveredClass", "Criterion", "Error", "Figures", "Item", "Method", "NotFoundError", "Place", "PointsTo",
           "Program", "RequiredCall", "Requirements", "Site", "Test", "algorithms", "engines", "levels"]
