# SPDX-License-Identifier: Apache-2.0
"""The shared library, by ctypes: where it is, its functions and structs as sherd/sherd.h declares them, and what every
handle to something in it has in common."""
import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

SONAME = "libsherd.so.0"


class Error(Exception):
    """What was asked for cannot be had. `diagnostics` is what the library said of it, a sentence each."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class ClosedError(Error, ValueError):
    """It is closed, or the program is that it was computed from."""


class NotFoundError(Error, LookupError):
    """There is nothing of that name."""


def _struct(name, *fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields), "__doc__": "struct " + name})


sherd_options = _struct("sherd_options", ("class_path", c_char_p), ("jdk", c_char_p), ("no_cache", c_bool), ("jobs", c_int))
sherd_site = _struct(
    "sherd_site", ("pc", c_uint32), ("line", c_uint32), ("declared", c_char_p), ("unresolved", c_char_p),
    ("targets", POINTER(c_uint32)), ("ntargets", c_size_t), ("receivers", POINTER(c_uint32)), ("nreceivers", c_size_t),
    ("open", c_bool))
sherd_place = _struct("sherd_place", ("sort", c_int), ("cls", c_uint32), ("method", c_uint32), ("pc", c_uint32),
                      ("line", c_uint32))
sherd_places = _struct("sherd_places", ("places", POINTER(c_uint32)), ("n", c_size_t))
sherd_component = _struct("sherd_component", ("patterns", c_char_p), ("interface", c_char_p), ("open_clients", c_bool),
                          ("algorithm", c_char_p))
sherd_required = _struct(
    "sherd_required", ("method", c_uint32), ("pc", c_uint32), ("line", c_uint32), ("declared", c_char_p),
    ("is_interface", c_bool), ("poly", c_bool), ("reached", c_bool), ("open", c_bool), ("client", c_bool),
    ("unresolved", c_char_p), ("receivers", POINTER(c_uint32)), ("nreceivers", c_size_t), ("targets", POINTER(c_uint32)),
    ("ntargets", c_size_t))
sherd_required_figures = _struct("sherd_required_figures", *((name, c_uint64) for name in (
    "classes", "methods", "sites", "reached_sites", "poly_sites", "starved_sites", "open_sites", "client_sites", "rc", "tm",
    "analysed_methods")))
sherd_c_options = _struct(
    "sherd_c_options", ("modules", POINTER(c_char_p)), ("nmodules", c_size_t), ("library", c_bool),
    ("exports", POINTER(c_char_p)), ("nexports", c_size_t), ("engine", c_char_p), ("categories", c_uint32),
    ("merge_fields", c_bool), ("any_calls", c_bool), ("loads_unknown", c_bool),
    ("summaries", POINTER(c_char_p)), ("nsummaries", c_size_t))
sherd_c_set = _struct("sherd_c_set", ("names", POINTER(c_char_p)), ("n", c_size_t))
sherd_c_call = _struct(
    "sherd_c_call", ("caller", c_uint32), ("file", c_char_p), ("line", c_uint32), ("column", c_uint32),
    ("through_pointer", c_bool), ("targets", POINTER(c_uint32)), ("ntargets", c_size_t))
sherd_criterion = _struct("sherd_criterion", ("name", c_char_p), ("title", c_char_p), ("required", c_uint64),
                          ("covered", c_uint64))
sherd_chain_figures = _struct("sherd_chain_figures", ("level", c_uint32), ("or_more", c_bool), ("length", c_uint32),
                              ("required", c_uint64), ("covered", c_uint64))
sherd_covered_class = _struct(
    "sherd_covered_class", ("name", c_char_p), ("source", c_char_p), ("state", c_char_p), ("calls", c_uint64),
    ("called", c_uint64), ("unexpected", c_uint64))
sherd_covered_call = _struct(
    "sherd_covered_call", ("cls", c_size_t), ("method", c_char_p), ("pc", c_uint32), ("line", c_uint32), ("declared", c_char_p),
    ("count", c_uint64), ("watched", c_bool), ("reached", c_bool), ("open", c_bool), ("client", c_bool))
sherd_covered_item = _struct(
    "sherd_covered_item", ("name", c_char_p), ("count", c_uint64), ("required", c_bool), ("own", c_bool), ("origin", c_char_p),
    ("excused", c_bool), ("tests", POINTER(c_uint32)), ("ntests", c_size_t))
sherd_test = _struct("sherd_test", ("name", c_char_p), ("alone", c_uint64), ("fresh", c_uint64))

STRUCTS = [s for s in list(globals().values()) if isinstance(s, type) and issubclass(s, ctypes.Structure)]

# By result: functions with their parameters. P is any handle, S text, N a size_t, U a number of a method, class, ...
_P, _S, _N, _U = c_void_p, c_char_p, c_size_t, c_uint32
FUNCTIONS = {
    "version": (_S,),
    "open": (_P, POINTER(sherd_options)), "ok": (c_bool, _P), "close": (None, _P), "diagnostic": (_S, _P, _N),
    "method_name": (_S, _P, _U), "method_class": (_S, _P, _U), "method_in_jdk": (c_bool, _P, _U),
    "class_name": (_S, _P, _U), "field_name": (_S, _P, _U),
    "algorithm": (_S, _N), "algorithm_help": (_S, _S), "algorithm_follows_objects": (c_bool, _S),
    "assume": (c_bool, _P, _S), "level": (_S, _N), "level_help": (_S, _S),
    "callgraph_compute": (_P, _P, _S, _S), "callgraph_free": (None, _P), "callgraph_count": (_N, _P),
    "callgraph_method": (_U, _P, _N), "callgraph_is_entry": (c_bool, _P, _U), "callgraph_sites": (_N, _P, _U),
    "callgraph_site": (sherd_site, _P, _U, _N),
    "pointsto_compute": (_P, _P, _S, _S), "pointsto_free": (None, _P), "pointsto_callgraph": (_P, _P),
    "pointsto_places": (_N, _P), "pointsto_place": (sherd_place, _P, _N), "pointsto_values": (_N, _P, _U),
    "pointsto_value": (sherd_places, _P, _U, _N), "pointsto_statics": (_N, _P), "pointsto_static": (_U, _P, _N),
    "pointsto_static_field": (sherd_places, _P, _U), "pointsto_fields": (_N, _P, _N), "pointsto_field": (_U, _P, _N, _N),
    "pointsto_held": (sherd_places, _P, _N, _U),
    "requirements_compute": (_P, _P, POINTER(sherd_component)), "requirements_free": (None, _P),
    "requirements_count": (_N, _P), "requirements_site": (sherd_required, _P, _N),
    "requirements_figures": (sherd_required_figures, _P),
    "c_open": (_P, POINTER(sherd_c_options)), "c_ok": (c_bool, _P), "c_close": (None, _P), "c_diagnostic": (_S, _P, _N),
    "c_engine": (_S, _N), "c_variables": (_N, _P), "c_variable_at": (_S, _P, _N), "c_find": (_N, _P, _S),
    "c_points_to": (sherd_c_set, _P, _N), "c_functions": (_N, _P), "c_function_at": (_U, _P, _N),
    "c_find_function": (_U, _P, _S), "c_function_name": (_S, _P, _U), "c_function_is_own": (c_bool, _P, _U),
    "c_calls": (_N, _P), "c_call_at": (sherd_c_call, _P, _N), "c_unknown": (_S, _P, _N),
    "c_function_effects": (sherd_c_set, _P, _U, c_int), "c_line_effects": (c_bool, _P, _S, c_int, POINTER(sherd_c_set)),
    "coverage_open": (_P, POINTER(c_char_p), _N, _S), "coverage_ok": (c_bool, _P), "coverage_close": (None, _P),
    "coverage_diagnostic": (_S, _P, _N), "coverage_note": (_S, _P, _N), "coverage_criteria": (_N, _P),
    "coverage_criterion": (sherd_criterion, _P, _N), "coverage_lengths": (_N, _P),
    "coverage_length": (sherd_chain_figures, _P, _N), "coverage_classes": (_N, _P),
    "coverage_class": (sherd_covered_class, _P, _N), "coverage_class_criterion": (sherd_criterion, _P, _N, _N),
    "coverage_calls": (_N, _P), "coverage_call": (sherd_covered_call, _P, _N), "coverage_items": (_N, _P, _N, _N),
    "coverage_item": (sherd_covered_item, _P, _N, _N, _N), "coverage_tests": (_N, _P), "coverage_test": (sherd_test, _P, _N),
}


def _candidates():
    named = os.environ.get("SHERD_LIBRARY")
    if named:
        yield named
        return
    here = Path(__file__).resolve().parent
    # Beside the module, built in the source tree, or installed with the module
    for folder in here, here.parent.parent / "build", here.parent.parent.parent:
        if (folder / SONAME).exists():
            yield str(folder / SONAME)
    yield SONAME
    found = ctypes.util.find_library("sherd")
    if found:
        yield found


def _load():
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libsherd.so cannot be loaded: build it with make, or let SHERD_LIBRARY name it (" + "; ".join(tried) + ")")


class _Functions:
    """The functions of the library, by their names without sherd_."""

    def __init__(self, library):
        for name, (result, *parameters) in FUNCTIONS.items():
            function = getattr(library, "sherd_" + name)
            function.restype, function.argtypes = result, parameters
            setattr(self, name, function)


lib = _Functions(_load())


def text(raw):
    """A string of the library as str; None for none. Names in class files may be no UTF-8."""
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def raw(value):
    """What is passed to the library: str, bytes, paths; None for none."""
    return None if value is None else os.fsencode(value)


def strings(values):
    """An array of them, and how many there are."""
    items = [raw(v) for v in values]
    return (c_char_p * len(items))(*items), len(items)


def sequence(function, *arguments):
    """What function(..., 0), function(..., 1), ... return, until it is none."""
    k = 0
    while True:
        item = function(*arguments, k)
        if item is None:
            return
        yield text(item)
        k += 1


class Handle:
    """Something in the library that is freed at the end: by close(), by `with`, or when nobody uses it any more."""

    def __init__(self, pointer, free, owner=None):
        self._pointer, self._free, self._owner = pointer, free, owner
        # What was computed from it: how each is freed, by pointer. Not the objects: the garbage collector may end these in any
        # order, the library wants them freed before what they were computed from.
        self._live = {}
        if owner is not None:
            owner._live[pointer] = free

    @property
    def closed(self):
        return self._pointer is None or (self._owner is not None and self._owner.closed)

    @property
    def _p(self):
        if self.closed:
            raise ClosedError(f"this {type(self).__name__} is closed, or what it was computed from is")
        return self._pointer

    def close(self):
        """Frees it, and what was computed from it. A second time does nothing."""
        pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer is None or (self._owner is not None and self._owner._live.pop(pointer, None) is None):
            return
        while self._live:
            dependent, free = self._live.popitem()
            free(dependent)
        self._free(pointer)

    def __enter__(self):
        self._p
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


class Opened(Handle):
    """A handle that has diagnostics: what can be opened."""

    def __init__(self, pointer, free, ok, diagnostic):
        super().__init__(pointer, free)
        self._diagnostic = diagnostic
        if not ok(pointer):
            said = self.diagnostics
            self.close()
            raise _error(said)

    @property
    def diagnostics(self):
        """What went wrong or was skipped so far, oldest first: `artifact!class: offset: error[E011]: sentence`."""
        return list(sequence(self._diagnostic, self._p))

    def _refused(self, before, kind=Error):
        """The exception for what was said since there were `before` diagnostics."""
        return _error(self.diagnostics[before:], kind)


def _error(said, kind=Error):
    wrong = [d for d in said if "error[" in d] or said
    return kind("\n".join(wrong) or "the library does not say why", said)
