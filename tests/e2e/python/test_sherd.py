# SPDX-License-Identifier: Apache-2.0
"""The Python module, with what tests/e2e/python.sh compiled into the folder $WORK: shapes, station, tests (of the station), lib.bc, client.bc,
sherd-coverage."""
import ctypes
import gc
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import sherd
from sherd import _library

WORK = Path(os.environ["WORK"])
TOP = Path(__file__).resolve().parents[3]
HEADER = (TOP / "include/sherd/sherd.h").read_text()
SHAPES, STATION = WORK / "shapes", [WORK / "station", WORK / "tests"]
MAIN = "stationtest.StationTest"
IS_ALL = os.environ.get("TIER") == "all"


class Declarations(unittest.TestCase):
    """The module and sherd.h agree."""

    def test_functions(self):
        declared = re.findall(r"^SHERD_API .*?\bsherd_([a-z_]+)\(", HEADER, re.M)
        self.assertEqual(sorted(declared), sorted(_library.FUNCTIONS))

    def test_parameters(self):
        code = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
        for name, parameters in re.findall(r"^SHERD_API [^;(]*?\bsherd_([a-z_]+)\(([^)]*)\);", code, re.M):
            n = 0 if parameters == "void" else parameters.count(",") + 1
            self.assertEqual(len(_library.FUNCTIONS[name]) - 1, n, name)

    def test_structs(self):
        lines = [f'printf("{s.__name__} %zu\\n", sizeof(struct {s.__name__}));' for s in _library.STRUCTS]
        lines += [f'printf("{s.__name__}.{f} %zu %zu\\n", offsetof(struct {s.__name__}, {f}), sizeof(((struct {s.__name__} *)0)->{f}));'
                  for s in _library.STRUCTS for f, _ in s._fields_]
        source = WORK / "layout.c"
        source.write_text("#include <sherd/sherd.h>\n#include <stdio.h>\nint main(void) {" + "\n".join(lines) + "}\n")
        subprocess.run([os.environ.get("CC", "cc").split()[-1], f"-I{TOP}/include", source, "-o", WORK / "layout"], check=True)
        found = subprocess.run([WORK / "layout"], check=True, capture_output=True, text=True).stdout.splitlines()
        want = [f"{s.__name__} {ctypes.sizeof(s)}" for s in _library.STRUCTS]
        want += [f"{s.__name__}.{f} {getattr(s, f).offset} {getattr(s, f).size}" for s in _library.STRUCTS for f, _ in s._fields_]
        self.assertEqual(found, want)

    def test_version(self):
        self.assertRegex(sherd.__version__, r"^\d+\.\d+\.\d+$")


class Shapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = sherd.Program(SHAPES)
        cls.graph = cls.program.callgraph(main="shapes.Main")

    @classmethod
    def tearDownClass(cls):
        cls.program.close()

    def site(self, graph, method, declared):
        return next(s for m in graph.find(method) for s in graph.sites(m) if s.declared and s.declared.startswith(declared))

    def test_methods(self):
        names = [m.name for m in self.graph]
        self.assertEqual(len(names), len(self.graph))
        self.assertEqual(names, sorted(names))
        main, = self.graph.find("shapes.Main.main")
        self.assertEqual(str(main), "shapes.Main.main([Ljava/lang/String;)V")
        self.assertEqual((main.class_name, main.in_jdk, self.graph.is_entry(main)), ("shapes.Main", False, True))
        self.assertEqual({main}, set(self.graph.find(main.name)))
        self.assertEqual(self.graph.find("shapes.Main.mai"), [])

    def test_receivers(self):
        by_rta = self.site(self.graph, "shapes.Main.total", "shapes.Main$Shape.area")
        self.assertEqual(set(by_rta.receivers), {"shapes.Main$Circle", "shapes.Main$Square"})
        self.assertEqual({t.name for t in by_rta.targets}, {"shapes.Main$Circle.area()D", "shapes.Main$Square.area()D"})
        by_cha = self.site(self.program.callgraph(main="shapes.Main", algorithm="cha"), "shapes.Main.total", "shapes.Main$Shape.area")
        self.assertEqual(set(by_cha.receivers), set(by_rta.receivers) | {"shapes.Main$Triangle"})
        self.assertEqual((by_rta.line, by_rta.open, by_rta.unresolved), (38, False, None))

    def test_classes_of_the_jdk(self):
        with self.program.callgraph(main="shapes.Main", algorithm="andersen") as graph:
            receivers = {c for s in graph.sites(graph.find("shapes.Main.total")[0]) for c in s.receivers}
        self.assertTrue(any(c.startswith("java.util.ImmutableCollections") for c in receivers), receivers)

    def test_reflection(self):
        site = self.site(self.graph, "shapes.Main.main", "java.lang.reflect.Constructor.newInstance")
        self.assertTrue(site.targets or site.unresolved)

    def test_algorithms(self):
        known = {a.name: a for a in sherd.algorithms()}
        self.assertIn("andersen", known)
        self.assertTrue(known["andersen"].follows_objects and known["andersen"].help)
        self.assertFalse(known["rta"].follows_objects)


def described(requirements):
    return [(c.method.name, c.pc, c.line, c.poly, c.reached, c.open, c.client, c.receivers, tuple(t.name for t in c.targets))
            for c in requirements]


class Station(unittest.TestCase):
    LINKS = {"post": {"PlainLink", "UrgentLink"}, "tell": {"PlainLink", "CipherLink"}}

    def links(self, requirements):
        return {c.method.name.split("(")[0].split(".")[-1]: {r.split(".")[-1] for r in c.receivers} for c in requirements if c.poly}

    def test_requirements(self):
        with sherd.Program(STATION[0]) as program:
            found = program.requirements("station.*")
            self.assertEqual(self.links(found), self.LINKS)
            self.assertEqual((found.figures.poly_sites, found.figures.rc, found.figures.tm), (2, 4, 4))
            self.assertEqual(len(found), found.figures.sites)
            listed = program.requirements("station.*", interface=TOP / "tests/examples/station/interface.txt", algorithm="rta")
            self.assertEqual(self.links(listed), dict.fromkeys(self.LINKS, {"CipherLink", "PlainLink", "UrgentLink"}))
            clients = program.requirements("station.*", open_clients=True)
            self.assertEqual({c.method.name.split("(")[0] for c in clients if c.poly and c.client}, {"station.Station.tell"})

    def test_tests_as_interface(self):
        with sherd.Program(STATION) as program:
            self.assertEqual(self.links(program.requirements("station.*", interface=f"tests:{STATION[1]}")), self.LINKS)

    # One session answers as fresh ones do, whatever it was asked before. With the JDK, only some questions in the tier normal.
    QUESTIONS = {
        "open": lambda p: described(p.requirements("station.*", open_clients=True)),
        "closed": lambda p: described(p.requirements("station.*", algorithm="0cfa")),
        "one class": lambda p: described(p.requirements("station.Station", open_clients=True, algorithm="rta")),
        "rta": lambda p: [(m.name, 0 if m.in_jdk else len(list(g.sites(m)))) for g in [p.callgraph(main=MAIN)] for m in g],
        "facts": lambda p: [(str(place), {f: sorted(map(str, v)) for f, v in facts.fields(place).items()})
                            for facts in [p.pointsto(main=MAIN, algorithm="0cfa")]
                            for place in facts if (place.class_name or "").startswith("station.")],
    }

    def ask_in_one_session(self, names, jdk):
        alone = {}
        for name in names:
            with sherd.Program(STATION, jdk=jdk) as program:
                alone[name] = self.QUESTIONS[name](program)
        for order in names, names[::-1]:
            with sherd.Program(STATION, jdk=jdk) as program:
                for name in order:
                    self.assertEqual(self.QUESTIONS[name](program), alone[name], (name, order))
                    self.assertTrue(alone[name])

    def test_one_session(self):
        self.ask_in_one_session(list(self.QUESTIONS), "none")

    def test_one_session_with_the_jdk(self):
        self.ask_in_one_session(list(self.QUESTIONS) if IS_ALL else ["one class", "rta"], None)

    def test_clients_stay_where_they_are(self):
        with sherd.Program(STATION, jdk="none") as program:
            program.requirements("station.*", open_clients=True)
            graph = program.callgraph(main=MAIN, algorithm="cha")
            self.assertEqual([m.name for m in graph if m.class_name.startswith("sherd.Client")], [])

    def test_facts(self):
        with sherd.Program(STATION) as program:
            facts = program.pointsto(main=MAIN)
            station = next(p for p in facts if p.class_name == "station.Station" and p.sort == "new")
            self.assertEqual(station.method.name, MAIN + ".main([Ljava/lang/String;)V")
            held = {p.class_name for p in facts.fields(station)["station.Station.out"]}
            self.assertEqual(held, {"station.PlainLink", "station.UrgentLink"})
            self.assertTrue(any("[]" in facts.fields(p) for p in facts if p.class_name == "java.lang.Object[]"))
            self.assertTrue(facts.static_fields()["java.lang.System.out"])
            main, = facts.callgraph.find(MAIN + ".main")
            self.assertIn("station.Station", {p.class_name for places in facts.values(main).values() for p in places})
            with self.assertRaises(IndexError):
                facts.place(len(facts))

    def test_coverage_of_chains(self):
        with sherd.Coverage("tests/data/coverage-chains/ledger") as coverage:
            self.assertEqual({n: (c.covered, c.required) for n, c in coverage.criteria.items()}, {"chains": (10, 15)})
            self.assertEqual([(f.level, f.or_more, f.length, f.required, f.covered) for f in coverage.chains],
                             [(0, False, 1, 5, 4), (0, False, 2, 4, 3), (0, False, 3, 2, 1), (1, False, 1, 1, 1), (1, False, 2, 2, 1), (1, False, 3, 1, 0)])
            signs = next(c for c in coverage.classes if c.name == "ledger.Signs")
            self.assertEqual((signs.criteria["chains"].required, signs.criteria["chains"].covered), (1, 0))
        with sherd.Coverage(WORK / "sherd-coverage") as coverage:
            self.assertEqual(coverage.chains, [])

    def test_coverage(self):
        with sherd.Coverage(WORK / "sherd-coverage") as coverage:
            self.assertEqual({n: (c.covered, c.required) for n, c in coverage.criteria.items()}, {"implementations": (1, 3), "callers": (2, 4), "targets": (2, 4), "receivers": (2, 4), "rc": (2, 4),
                                                                                              "own": (2, 4), "tm": (2, 4)})
            self.assertEqual(coverage.criteria["rc"].percent, 50.0)
            missed = {(c.method.split("(")[0], i.name) for c in coverage for i in c.items["rc"] if i.missed}
            self.assertEqual(missed, {("station.Station.post", "station.UrgentLink"), ("station.Station.tell", "station.CipherLink")})
            targets = {i.name for c in coverage for i in c.items["tm"]}
            self.assertIn("station.UrgentLink.carry(Ljava/lang/String;)V", targets)
            by_name = {c.name: c for c in coverage.classes}
            self.assertEqual(by_name["station.Station"].criteria["tm"].required, 4)
            self.assertEqual(by_name["station.Station"].state, "watched")
            self.assertEqual((len(coverage), coverage.notes, coverage.tests), (2, [], []))


class Gauge(unittest.TestCase):
    def test_program(self):
        with sherd.CProgram([WORK / "lib.bc", WORK / "client.bc"]) as program:
            self.assertEqual(program.points_to("last"), ("main::x", "main::y"))
            self.assertEqual(program.points_to("read_gauge::changed"), ("halve",))
            self.assertIn("turn::number", program.variables())
            self.assertEqual(list(program.functions()), ["halve", "main", "read_gauge", "turn"])
            call, = program.calls(through_pointers=True)
            self.assertEqual((call.caller, call.file, call.line, call.targets), ("read_gauge", "lib.c", 22, ("halve",)))
            self.assertGreater(len(list(program.calls())), 1)
            self.assertEqual(program.modifies("lib.c:22"), ("main::x", "main::y"))
            self.assertEqual(program.modifies("lib.c:28"), ("last",))
            self.assertEqual(program.modifies("halve"), ("main::x", "main::y"))
            self.assertIn("last", program.uses("read_gauge"))
            self.assertEqual(program.unknown_functions, [])

    def test_library(self):
        exports = TOP / "tests/examples/gauge/exports.txt"
        for fields in True, False:
            with sherd.CProgram(WORK / "lib.bc", library=True, exports=exports, fields=fields) as library:
                self.assertEqual(set(library.points_to("last")), {"ph_var", "ph_proc", "last", "read_gauge"})
                self.assertEqual({t for c in library.calls(True) for t in c.targets}, {"ph_proc", "read_gauge"})
                self.assertEqual(set(library.modifies("lib.c:22")), {"ph_var", "last"})

    def test_summary(self):
        with sherd.CProgram([WORK / "lib.bc", WORK / "client.bc"]) as whole, \
                sherd.CProgram(WORK / "client.bc", summaries=WORK / "lib.sum") as program:
            self.assertEqual(list(program.functions()), ["halve", "main"])
            for name in program.variables():
                self.assertEqual(program.points_to(name), whole.points_to(name), name)
            self.assertEqual(program.modifies("main"), whole.modifies("main"))
            self.assertEqual(program.unknown_functions, [])
        with self.assertRaisesRegex(sherd.Error, "E081"):
            sherd.CProgram(WORK / "client.bc", summaries=[WORK / "lib.bc"])

    def test_engines(self):
        for engine in sherd.engines():
            with sherd.CProgram([WORK / "lib.bc", WORK / "client.bc"], engine=engine) as program:
                self.assertLessEqual({"main::x", "main::y"}, set(program.points_to("last")), engine)

    def test_not_there(self):
        with sherd.CProgram([WORK / "lib.bc", WORK / "client.bc"]) as program:
            with self.assertRaisesRegex(sherd.NotFoundError, "no variable 'nobody'"):
                program.points_to("nobody")
            with self.assertRaisesRegex(sherd.NotFoundError, "line 1 of lib.c"):
                program.modifies("lib.c:1")
            with self.assertRaises(LookupError):
                program.uses("nobody")


class Errors(unittest.TestCase):
    def test_messages(self):
        with sherd.Program(SHAPES) as program:
            with self.assertRaisesRegex(sherd.Error, "E041") as caught:
                program.callgraph(main="shapes.Nothing")
            self.assertIn("shapes.Nothing", caught.exception.diagnostics[-1])
            with self.assertRaisesRegex(sherd.Error, "no such algorithm"):
                program.callgraph(main="shapes.Main", algorithm="anderson")
            with self.assertRaisesRegex(sherd.Error, "does not follow objects"):
                program.pointsto(main="shapes.Main", algorithm="rta")
            with self.assertRaisesRegex(sherd.Error, "E044"):
                program.requirements("no.such.*")
            with self.assertRaises(TypeError):
                program.callgraph()
            with self.assertRaises(TypeError):
                program.callgraph(main="a", public=True)
            self.assertEqual(len(program.diagnostics), len([d for d in program.diagnostics if "[E0" in d]))

    def test_opening(self):
        with self.assertRaises(sherd.Error):
            sherd.Program(SHAPES, jdk="/nowhere")
        with self.assertRaisesRegex(sherd.Error, "E051"):
            sherd.Coverage(WORK / "nowhere")
        with self.assertRaisesRegex(sherd.Error, "one path at least"):
            sherd.Coverage()
        with self.assertRaisesRegex(sherd.Error, "E061"):
            sherd.CProgram(TOP / "README.md")
        with self.assertRaisesRegex(sherd.Error, "no such engine"):
            sherd.CProgram(WORK / "lib.bc", engine="x")
        with self.assertRaisesRegex(sherd.Error, "E065"):
            sherd.CProgram(WORK / "lib.bc")

    def test_closed(self):
        program = sherd.Program(SHAPES, jdk="none")
        graph = program.callgraph(public=True)
        method = next(iter(graph))
        name = method.name
        sites = graph.sites()
        next(sites)
        program.close()
        program.close()
        self.assertTrue(program.closed and graph.closed and name)
        for use in (lambda: method.name, lambda: len(graph), lambda: list(graph), lambda: next(sites), lambda: program.diagnostics,
                    lambda: program.callgraph(public=True), program.__enter__):
            with self.assertRaises(sherd.ClosedError):
                use()
        graph.close()
        repr(method)
        coverage = sherd.Coverage(WORK / "sherd-coverage")
        coverage.close()
        with self.assertRaises(ValueError):
            coverage.criteria

    def test_garbage(self):
        """Whatever order the collector ends them in."""
        for _ in range(3):
            program = sherd.Program(SHAPES, jdk="none")
            graph = program.callgraph(public=True)
            ring = [program, graph, program.callgraph(public=True, algorithm="cha")]
            program.ring = graph.ring = ring
            ring.append(ring)
            del program, graph, ring
            gc.collect()


class Pages(unittest.TestCase):
    """The programs of docs/python.md print what the page shows."""

    def test_page(self):
        page = (TOP / "docs/python.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```$", page, re.M | re.S)
        self.assertGreaterEqual(len(shown), 5)
        for code, output in shown:
            done = subprocess.run([sys.executable, "-c", code], cwd=WORK, capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.stdout, output, code)


if __name__ == "__main__":
    unittest.main()
