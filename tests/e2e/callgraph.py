#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""callgraph - `sherd callgraph` as a user meets it: inputs good and bad, entry points, formats, budgets.

Runs on small class files made here, with a made-up JDK of three classes where the real one does not matter."""
import csv
import io
import json
import os
import pty
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/lib"))
from classwriter import *   # noqa: E402,F403

SHERD = os.environ.get("SHERD", str(TOP / os.environ.get("BUILD", "build") / "sherd"))
MAIN = "([Ljava/lang/String;)V"
failed = 0


def expect(name, condition, detail=""):
    global failed
    print("ok" if condition else "not ok", name)
    if not condition:
        failed += 1
        print(f"  {str(detail)[:2000]}")


class Run:
    """One run of sherd, inside the work folder."""

    def __init__(self, *args, jdk="fake", env=None, verb="callgraph"):
        command = [SHERD, verb, *map(str, args)] + (["--jdk", str(jdk)] if jdk else [])
        done = subprocess.run(command, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                              stdin=subprocess.DEVNULL, timeout=1200)
        self.status, self.bytes = done.returncode, done.stdout
        self.out, self.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        self.command = " ".join(command)

    def __str__(self):
        return f"{self.command}\nstatus {self.status}\n{self.out[:1000]}\n{self.err[:1000]}"


def methods(run):
    """Reached methods without their descriptors."""
    return {m["method"].split("(")[0] for m in json.loads(run.out)["methods"]} if run.status == 0 else set()


def graph(cp, *args, **kwargs):
    return Run("-cp", cp, "--format", "json", *args, **kwargs)


# Class files

def simple_class(name, calls=(), super_name="java/lang/Object", method="f", desc="()V", version=52):
    """A class with a public static method that calls the static methods `calls` ("Class.name")."""
    c = ClassWriter(name, super_name, version=version)
    c.constructor(super_name=super_name)
    code = b"".join(c.invoke(INVOKESTATIC, *call.rsplit(".", 1), "()V") for call in calls)
    c.method(PUBLIC | STATIC, method, desc, code + u1(RETURN), lines=[(0, 1)])
    return c.bytes()


def main_class(name, calls=()):
    return simple_class(name, calls, method="main", desc=MAIN)


def write_jar(path, entries, manifest=None):
    path = WORK / path
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        if manifest is not None:
            z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n" + manifest + "\r\n\r\n")
        for name, data in entries.items():
            z.writestr(name, data)
    return path


def write_class(folder, name, data):
    path = WORK / folder / (name + ".class")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def make_fake_jdk():
    o = ClassWriter("java/lang/Object", None, version=52)
    o.method(PUBLIC, "<init>", "()V", u1(RETURN))
    o.method(PUBLIC | NATIVE, "hashCode", "()I")
    classes = {"java/lang/Object.class": o.bytes(), "java/lang/String.class": simple_class("java/lang/String"),
               "java/lang/Throwable.class": simple_class("java/lang/Throwable")}
    write_jar("fake/jre/lib/rt.jar", classes)


def make_application():
    write_class("app", "app/Main", main_class("app/Main", ["app/Lib.f", "app/Other.f"]))
    write_class("app", "app/Lib", simple_class("app/Lib", ["app/Other.f"]))
    write_class("app", "app/Other", simple_class("app/Other"))
    write_class("app", "app/Unused", simple_class("app/Unused"))


# Exit statuses and messages

def test_statuses():
    r = graph("app", "--main", "app.Main")
    expect("a program", r.status == 0 and methods(r) >= {"app.Main.main", "app.Lib.f", "app.Other.f"}, r)
    expect("only what is reached", "app.Unused.f" not in methods(r), r)
    expect("nothing to say", r.err == "", r)
    r = graph("app", "--main", "app.Mian")
    expect("no such class", r.status == 2 and "E041" in r.err and r.out == "", r)
    expect("no such class suggests", "did you mean app.Main?" in r.err, r)
    r = graph("app", "--main", "Object")
    expect("classes of the JDK are suggested, too", "did you mean java.lang.Object?" in r.err, r)
    r = graph("app", "--main", "app.Lib")
    expect("no main method", r.status == 2 and "E041" in r.err and "main" in r.err, r)
    r = Run("-cp", "app")
    expect("no entry point", r.status == 2 and "--main" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", "--entry", "public")
    expect("two kinds of entry points", r.status == 2 and "--entry" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", "--format", "sqlite")
    expect("sqlite needs a file", r.status == 2 and "-o" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", "--format", "jsn")
    expect("wrong format suggests", r.status == 2 and "json" in r.err, r)
    r = Run("-cp", "app", "--mian", "app.Main")
    expect("wrong option suggests", r.status == 2 and "--main" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", "stray")
    expect("stray operand", r.status == 2 and "stray" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", jdk="app")
    expect("no JDK there", r.status == 2 and "E042" in r.err, r)
    r = Run("-cp", "app", "--main", "app.Main", jdk="nowhere")
    expect("no such folder as JDK", r.status == 2 and "E042" in r.err, r)


def test_jdk_choice():
    env = dict(os.environ, JAVA_HOME=str(WORK / "fake"))
    r = Run("-cp", "app", "--main", "app.Main", jdk=None, env=env)
    expect("JAVA_HOME is the default JDK", r.status == 0 and "fake" in r.out, r)
    r = graph("app", "--main", "app.Main", jdk="none")
    expect("--jdk none", r.status == 0 and "app.Lib.f" in methods(r) and
           "java.lang.Object" in json.loads(r.out)["phantom_classes"], r)
    env = {k: v for k, v in os.environ.items() if k != "JAVA_HOME"}
    r = Run("-cp", "app", "--main", "app.Main", jdk=None, env=dict(env, PATH="/nonexistent"))
    expect("no JDK anywhere", r.status == 2 and "--jdk" in r.err, r)


# Bad input: a diagnostic that names the file, and the rest goes on

def test_bad_inputs():
    r = graph("app:missing.jar", "--main", "app.Main")
    expect("a missing element is told", r.status == 0 and "missing.jar" in r.err and "app.Lib.f" in methods(r), r)
    good = write_jar("good.jar", {"g/Main.class": main_class("g/Main", ["g/A.f"]), "g/A.class": simple_class("g/A")})
    data = good.read_bytes()
    (WORK / "garbage.jar").write_bytes(bytes(range(256)) * 40)
    (WORK / "empty.jar").write_bytes(b"")
    for name in ("garbage.jar", "empty.jar"):
        r = graph(f"{name}:app", "--main", "app.Main")
        expect(f"{name} is told and passed over", r.status == 0 and name in r.err and "app.Lib.f" in methods(r), r)
    for cut in (len(data) // 4, len(data) // 2, len(data) - 30, len(data) - 1):
        (WORK / "cut.jar").write_bytes(data[:cut])
        r = graph("cut.jar:app", "--main", "app.Main")
        expect(f"a jar cut to {cut} bytes", r.status == 0 and "app.Lib.f" in methods(r), r)
    test_bad_classes()
    test_bombs()


def test_bad_classes():
    whole = simple_class("bad/A")
    bad = {"cut": whole[:-7], "magic": b"\xca\xfe\xba\xbf" + whole[4:], "empty": b"", "other": simple_class("bad/B"),
           "pool": whole[:8] + b"\xff\xff" + whole[10:]}
    for kind, data in bad.items():
        shutil.rmtree(WORK / "bad", ignore_errors=True)
        write_class("bad", "bad/Main", main_class("bad/Main", ["bad/A.f", "bad/Good.f"]))
        write_class("bad", "bad/A", data)
        write_class("bad", "bad/Good", simple_class("bad/Good"))
        r = graph("bad", "--main", "bad.Main")
        expect(f"damaged class file ({kind})", r.status == 0 and "bad/A" in r.err and "error[E" in r.err and
               "bad.Good.f" in methods(r) and "bad.A" in json.loads(r.out)["phantom_classes"], r)
    write_class("cycle", "c/Main", main_class("c/Main", ["c/A.f"]))
    write_class("cycle", "c/A", simple_class("c/A", super_name="c/B"))
    write_class("cycle", "c/B", simple_class("c/B", super_name="c/A"))
    r = graph("cycle", "--main", "c.Main")
    expect("a class that is its own ancestor", r.status == 0 and "E015" in r.err and "c.A.f" in methods(r), r)
    write_class("newer", "n/Main", simple_class("n/Main", method="main", desc=MAIN, version=120))
    r = graph("newer", "--main", "n.Main")
    expect("a class file from the future", r.status == 0 and "W013" in r.err, r)


def test_bombs():
    class_file = main_class("z/Main", ["z/Bomb.f"])
    write_jar("bomb.jar", {"z/Main.class": class_file, "z/Bomb.class": bytes(400 << 20)})
    r = Run("-cp", "bomb.jar", "--main", "z.Main", "--stats=json")
    peak = json.loads(r.out)["peak_rss_mb"] if r.status == 0 else 0
    expect("a zip bomb is not inflated", r.status == 0 and "z/Bomb" in r.err and peak < 150, r)
    deep = b"\x00" * 10
    for k in range(30):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("BOOT-INF/lib/x.jar", deep)
        deep = inner.getvalue()
    write_jar("deep.jar", {"BOOT-INF/lib/x.jar": deep, "z/Main.class": class_file})
    r = graph("deep.jar", "--main", "z.Main")
    expect("jars in jars in jars", r.status == 0 and "z.Main.main" in methods(r), r)
    write_jar("climb.jar", {"../../z/Main.class": class_file, "/z/Main.class": class_file, "z/Main.class": class_file})
    r = graph("climb.jar", "--main", "z.Main", "-v")
    expect("names that climb", r.status == 0 and "W006" in r.err, r)


# Class paths

def test_class_paths():
    write_jar("lib/one.jar", {"p/One.class": main_class("p/One", ["p/Two.f"])}, "Class-Path: sub/two.jar missing.jar")
    write_jar("lib/sub/two.jar", {"p/Two.class": simple_class("p/Two", ["p/Three.f"])}, "Class-Path: ../three.jar")
    write_jar("lib/three.jar", {"p/Three.class": simple_class("p/Three")}, "Class-Path: one.jar")
    r = graph("lib/one.jar", "--main", "p.One")
    expect("Class-Path of manifests", methods(r) >= {"p.Two.f", "p.Three.f"} and r.err == "", r)
    r = graph("lib/*:lib/sub/*", "--main", "p.One")
    expect("wild cards", methods(r) >= {"p.Two.f", "p.Three.f"}, r)
    r = graph("nowhere/*", "--main", "p.One")
    expect("wild card of no folder", r.status == 2 and "nowhere" in r.err, r)
    write_class("first", "q/A", simple_class("q/A", method="first"))
    write_class("second", "q/A", simple_class("q/A", method="second"))
    r1, r2 = graph("first:second", "--entry", "public"), graph("second:first", "--entry", "public")
    expect("the first class wins", "q.A.first" in methods(r1) and "q.A.second" not in methods(r1) and
           "q.A.second" in methods(r2) and "q.A.first" not in methods(r2), r1)
    nested = (WORK / "lib/three.jar").read_bytes()
    boot = {"BOOT-INF/lib/three.jar": nested, "BOOT-INF/classes/s/Start.class": main_class("s/Start", ["p/Three.f"])}
    write_jar("boot.jar", boot)
    r = graph("boot.jar", "--main", "s.Start")
    expect("BOOT-INF: classes and nested jars", methods(r) >= {"s.Start.main", "p.Three.f"}, r)
    r = graph("::app:", "--main", "app.Main")
    expect("empty elements", r.status == 0 and "app.Lib.f" in methods(r), r)
    test_multi_release()


def test_multi_release():
    entries = {"m/Main.class": main_class("m/Main", ["m/V.base"]), "m/V.class": simple_class("m/V", method="base")}
    for release in (9, 17, 21):
        entries[f"META-INF/versions/{release}/m/Main.class"] = main_class("m/Main", [f"m/V.r{release}"])
        entries[f"META-INF/versions/{release}/m/V.class"] = simple_class("m/V", method=f"r{release}")
    write_jar("mr.jar", entries, "Multi-Release: true")
    write_jar("notmr.jar", entries, "Multi-Release: false")
    expect("multi-release jar on Java 8", "m.V.base" in methods(graph("mr.jar", "--main", "m.Main")))
    for release, wanted in ((9, "r9"), (16, "r9"), (17, "r17"), (20, "r17"), (21, "r21"), (25, "r21")):
        shutil.copytree(WORK / "fake", WORK / f"fake{release}")
        (WORK / f"fake{release}/release").write_text(f'IMPLEMENTOR="nobody"\nJAVA_VERSION="{release}.0.1"\n')
        r = graph("mr.jar", "--main", "m.Main", jdk=f"fake{release}")
        used = {m for m in methods(r) if m.startswith("m.V")}
        expect(f"multi-release jar on Java {release}", used == {f"m.V.{wanted}"}, r)
    r = graph("notmr.jar", "--main", "m.Main", jdk="fake21")
    expect("a jar that is not multi-release", "m.V.base" in methods(r), r)


def test_class_path_circles():
    """Jars that name each other by ever new paths are opened once each; names are URLs."""
    names = " ".join(f"../{d}/x.jar" for d in "abc")
    for d in "abc":
        write_jar(f"circle/{d}/x.jar", {f"c/{d.upper()}.class": simple_class(f"c/{d.upper()}"),
                                        "c/Main.class": main_class("c/Main", ["c/C.f"])}, f"Class-Path: {names}")
    r = Run("-cp", "circle/a/x.jar", "--main", "c.Main", "--stats=json")
    expect("jars in a circle", r.status == 0 and json.loads(r.out)["peak_rss_mb"] < 60, r)
    expect("jars in a circle: the third is found", "c.C.f" in methods(graph("circle/a/x.jar", "--main", "c.Main")), r)
    write_jar("url/m.jar", {"u/Main.class": main_class("u/Main", ["u/L.f"])}, "Class-Path: l%20%78.jar")
    write_jar("url/l x.jar", {"u/L.class": simple_class("u/L")})
    r = graph("url/m.jar", "--main", "u.Main")
    expect("Class-Path is decoded", "u.L.f" in methods(r), r)


# Entry points

def make_library():
    """Public F inherits from package-private classes; G makes objects of a package-private class."""
    base = ClassWriter("lib/Base", access=SUPER | ABSTRACT, interfaces=["lib/Face"], version=52)
    base.method(PUBLIC | FINAL, "fin", "()V", base.invoke(INVOKESTATIC, "lib/Base", "deep", "()V") + u1(RETURN))
    base.method(PUBLIC | STATIC, "stat", "()V", u1(RETURN))
    base.method(STATIC, "deep", "()V", u1(RETURN))
    write_class("library", "lib/Base", base.bytes())
    face = ClassWriter("lib/Face", access=INTERFACE | ABSTRACT, version=52)
    face.method(PUBLIC, "def", "()V", u1(RETURN))
    write_class("library", "lib/Face", face.bytes())
    write_class("library", "lib/F", ClassWriter("lib/F", "lib/Base", version=52).bytes())
    shape = ClassWriter("lib/Shape", access=PUBLIC | INTERFACE | ABSTRACT, version=52)
    shape.method(PUBLIC | ABSTRACT, "area", "()V")
    write_class("library", "lib/Shape", shape.bytes())
    hidden = ClassWriter("lib/Hidden", interfaces=["lib/Shape"], access=SUPER, version=52)
    hidden.method(PUBLIC, "area", "()V", u1(RETURN))
    write_class("library", "lib/Hidden", hidden.bytes())
    maker = ClassWriter("lib/G", version=52)
    maker.method(PUBLIC | STATIC, "make", "()Llib/Shape;", u1(NEW) + u2(maker.class_("lib/Hidden")) + u1(ARETURN))
    write_class("library", "lib/G", maker.bytes())


def test_library():
    make_library()
    r = graph("library", "--entry", "public")
    wanted = {"lib.Base.fin", "lib.Base.deep", "lib.Base.stat", "lib.Face.def", "lib.Hidden.area", "lib.G.make"}
    expect("--entry public: what clients inherit and get", methods(r) >= wanted, r)
    (WORK / "private.txt").write_text("lib.Hidden\n")
    r = graph("library", "--entry", "private.txt")
    expect("a listed class need not be public", "lib.Hidden.area" in methods(r), r)


def test_damaged_things_stay_visible():
    whole = simple_class("dam/Y")
    write_class("dam", "dam/Y", whole[:8] + b"\xff\xff" + whole[10:])
    broken = ClassWriter("dam/X", version=52)
    broken.method(PUBLIC | STATIC, "f", "()V", bytes([0xcb]))
    write_class("dam", "dam/X", broken.bytes())
    r = graph("dam", "--entry", "public")
    result = json.loads(r.out)
    expect("a damaged class is listed", "dam.Y" in result["phantom_classes"], r)
    expect("a damaged method is listed", any("dam.X.f" in u["site"] for u in result["unresolved"]), r)


def test_entries():
    r = graph("app", "--entry", "public")
    expect("--entry public", methods(r) >= {"app.Unused.f", "app.Lib.f", "app.Main.main"}, r)
    lists = {"method": "app.Lib.f\n", "descriptor": "app.Lib.f()V\n", "class": "app.Lib\n",
             "comments": "# a list\n\n  app.Lib.f  \n", "no newline": "app.Lib.f"}
    for kind, text in lists.items():
        (WORK / "entries").write_text(text)
        r = graph("app", "--entry", "entries")
        expect(f"--entry FILE: {kind}", r.status == 0 and methods(r) >= {"app.Lib.f", "app.Other.f"} and
               "app.Main.main" not in methods(r), r)
    for kind, text in {"class": "app.Nothing\n", "method": "app.Lib.g\n", "descriptor": "app.Lib.f(I)V\n",
                       "line": "app.Lib.f\n???\n", "nothing": "# empty\n"}.items():
        (WORK / "entries").write_text(text)
        r = graph("app", "--entry", "entries")
        expect(f"--entry FILE: bad {kind}", r.status == 2 and "E041" in r.err and "entries" in r.err and r.out == "", r)
    (WORK / "entries").write_text("app.Lib.f\napp.Lib.nope\n")
    r = graph("app", "--entry", "entries")
    expect("--entry FILE: names the line", r.status == 2 and "2" in r.err and "app.Lib.nope" in r.err, r)
    r = graph("app", "--entry", "nolist")
    expect("--entry FILE: no such file", r.status == 2 and "E001" in r.err and "nolist" in r.err, r)
    (WORK / "long").write_text("x" * 10000 + "\n")
    expect("--entry FILE: a very long line", graph("app", "--entry", "long").status == 2)
    write_class("heir", "i/Parent", main_class("i/Parent"))
    write_class("heir", "i/Child", ClassWriter("i/Child", "i/Parent", version=52).bytes())
    r = graph("heir", "--main", "i.Child")
    expect("an inherited main", r.status == 0 and "i.Parent.main" in methods(r), r)


def manifest_jar(path, manifest, prefix=""):
    app = WORK / "app"
    write_jar(path, {prefix + str(file.relative_to(app)): file.read_bytes() for file in sorted(app.rglob("*.class"))}, manifest)


def test_manifests():
    manifest_jar("main.jar", "Main-Class: app.Main")
    manifest_jar("boot.jar", "Main-Class: loader.Launcher\r\nStart-Class: app.Main", "BOOT-INF/classes/")
    manifest_jar("lib.jar", "Implementation-Title: lib")
    manifest_jar("gone.jar", "Main-Class: app.Gone")
    for jar, key in (("main.jar", "Main-Class"), ("boot.jar", "Start-Class"), ("app:main.jar", "Main-Class")):
        r = graph(jar)
        expect(f"{jar}: the main class of the manifest", r.status == 0 and "app.Lib.f" in methods(r), r)
        expect(f"{jar}: which is said", json.loads(r.out)["entry"] == "main app.Main" and f"app.Main, the {key} of" in r.err, r)
    r = graph("main.jar", "--entry", "public")
    expect("--entry is taken before a manifest", methods(r) >= {"app.Unused.f"} and not r.err, r)
    r = graph("lib.jar:main.jar")
    expect("the first jar alone says it", r.status == 2 and "lib.jar" in r.err and "no Main-Class" in r.err and "--main" in r.err, r)
    r = graph("gone.jar")
    expect("a manifest that is wrong", r.status == 2 and "app.Gone" in r.err and "E041" in r.err, r)
    for verb, more in (("callbacks", []), ("why-call", ["app.Main.main", "app.Lib.f"])):
        r = Run(*more, "-cp", "main.jar", verb=verb, jdk=None)
        expect(f"{verb}: the main class of the manifest", "the Main-Class of main.jar" in r.err and "E041" not in r.err, r)


# Output

def test_output_files():
    folder = WORK / "results"
    folder.mkdir()
    (folder / "mode").touch(mode=0o600)
    Run("-cp", "app", "--main", "app.Main", "-o", "results/mode")
    expect("a replaced file keeps its permissions", stat.S_IMODE((folder / "mode").stat().st_mode) == 0o600)
    (folder / "mode").unlink()
    r = Run("-cp", "app", "--main", "app.Main", "--format", "json", "-o", "results/g.json")
    expect("-o", r.status == 0 and r.out == "" and json.loads((folder / "g.json").read_text())["methods"], r)
    expect("-o leaves one file", os.listdir(folder) == ["g.json"], os.listdir(folder))
    before = (folder / "g.json").read_bytes()
    for name, args in {"no such class": ["--main", "app.Nope"], "bad list": ["--entry", "nolist"]}.items():
        for form in ("json", "sqlite"):
            r = Run("-cp", "app", *args, "--format", form, "-o", "results/g.json")
            expect(f"{name} keeps the old file ({form})", r.status == 2 and (folder / "g.json").read_bytes() == before and
                   os.listdir(folder) == ["g.json"], r)
    r = Run("-cp", "app", "--main", "app.Main", "-o", "results/no/such/x")
    expect("-o in no folder", r.status == 2 and "results/no/such/x" in r.err, r)
    for form in ("json", "sqlite"):
        r = Run("-cp", "app", "--main", "app.Main", "--format", form, "-o", "results")
        expect(f"-o is a folder ({form})", r.status == 2, r)
    if os.getuid() != 0:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        r = Run("-cp", "app", "--main", "app.Main", "-o", "results/new")
        expect("-o in an unwritable folder", r.status == 2 and "new" in r.err, r)
        folder.chmod(stat.S_IRWXU)
    r = Run("-cp", "app", "--main", "app.Main", "--format", "json", "-o", "/dev/full")
    expect("a full device", r.status == 2 and "/dev/full" in r.err, r)


def terminal(args, env):
    """What sherd writes to a terminal."""
    parent, child = pty.openpty()
    p = subprocess.Popen([SHERD, *args], cwd=WORK, stdout=child, stderr=child, stdin=child, env=env)
    os.close(child)
    out = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(parent)
    p.wait()
    return out


def test_colours():
    args = ["callgraph", "-cp", "app", "--main", "app.Main", "--jdk", "fake"]
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    env["TERM"] = "xterm"
    expect("colours on a terminal", b"\033[" in terminal(args, env))
    expect("NO_COLOR", b"\033[3" not in terminal(args, dict(env, NO_COLOR="1")) and
           b"\033[1m" not in terminal(args, dict(env, NO_COLOR="1")))
    expect("--color=never", b"\033[1m" not in terminal([*args, "--color=never"], env))
    expect("no colours in a pipe", b"\033[" not in Run(*args[1:5], env=env).bytes)
    expect("--color=always in a pipe", b"\033[" in Run(*args[1:5], "--color=always", env=env).bytes)


# Names that the JVM accepts.
HOSTILE = ['qu"ote', "ba\\ck", "am&p", "new\nline", "esc\033c", "com,ma", "ap'os", "dollar$(x)", "snow\u2603", "--", "\u202eback"]


def make_hostile():
    c = ClassWriter("hostile/Main", version=52)
    c.constructor()
    code = b""
    for n in HOSTILE:
        c.method(PUBLIC | STATIC, n, "()V", u1(RETURN))
        code += c.invoke(INVOKESTATIC, "hostile/Main", n, "()V")
        code += c.invoke(INVOKESTATIC, f"hostile/Gone {n}", n, "()V")
    c.method(PUBLIC | STATIC, "main", MAIN, code + u1(RETURN))
    data = c.bytes()
    return data.replace("dollar$(x)".encode(), b"do\xc0\x80\xed\xa0\x80xyz")     # NUL and half a surrogate pair


def counts(run, form, path):
    """(methods, edges) as the format has them, by a reader that is not ours."""
    if form == "json":
        g = json.loads(run.out)
        return len(g["methods"]), sum(len(s["targets"]) for m in g["methods"] for s in m["sites"])
    if form == "jcg":
        g = json.loads(run.out)["reachableMethods"]
        return len(g), sum(len(s["targets"]) for m in g for s in m["callSites"])
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(run.out, newline="")))
        return None, sum(1 for r in rows if r["caller"] and r["callee"])
    if form == "graphml":
        space = "{http://graphml.graphdrawing.org/xmlns}"
        root = xml.etree.ElementTree.fromstring(run.bytes)
        ids = [n.get("id") for n in root.iter(space + "node")]
        ends = {e.get(k) for e in root.iter(space + "edge") for k in ("source", "target")}
        assert len(ids) == len(set(ids)) and ends <= set(ids)
        return len(ids), None
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for view in ("edge", "method_edge", "poly_site", "unresolved", "entry", "missing_class", "site_text"):
        db.execute(f"SELECT * FROM {view}").fetchall()
    result = [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("method", "edge")]
    db.close()
    return result


def check_format(cp, main, form, wanted):
    extra = ["-o", "graph.db"] if form == "sqlite" else []
    r = Run("-cp", cp, "--main", main, "--format", form, *extra)
    try:
        got = counts(r, form, WORK / "graph.db")
        good = all(g is None or g == w for g, w in zip(got, wanted))
    except Exception as e:      # whatever the foreign reader says
        got, good = repr(e), False
    expect(f"{form} of {cp} is well formed and complete", r.status == 0 and good, f"{got}, not {wanted}\n{r}")


def test_formats():
    write_class("hostile", "hostile/Main", make_hostile())
    for cp, main in (("app", "app.Main"), ("hostile", "hostile.Main")):
        stats = Run("-cp", cp, "--main", main, "--stats=json")
        expect(f"stats of {cp}", stats.status == 0, stats)
        s = json.loads(stats.out)
        keys = {"methods", "edges", "method_edges", "sites", "poly_sites", "classes", "unresolved_dynamic_sites", "seconds",
                "peak_rss_mb"}
        expect(f"stats of {cp} have their keys", keys <= s.keys() and "total" in s["seconds"], stats)
        for form in ("json", "jcg", "csv", "graphml", "sqlite"):
            check_format(cp, main, form, (s["methods"], s["edges"]))
        r = Run("-cp", cp, "--main", main)
        controls = [c for c in r.out if ord(c) < 32 and c != "\n"]
        expect(f"text of {cp} has no control characters", r.status == 0 and not controls, controls)
        if shutil.which("dot"):
            for clusters in ([], ["--clusters"]):
                r = Run("-cp", cp, "--main", main, "--format", "dot", *clusters)
                done = subprocess.run(["dot", "-Tcanon"], input=r.bytes, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                expect(f"dot of {cp} {clusters}", r.status == 0 and done.returncode == 0 and not done.stderr, done.stderr)


def real_program():
    source = WORK / "real/R.java"
    source.parent.mkdir()
    source.write_text("public class R { public static void main(String[] a) { System.out.println(a[0] + a); } }")
    subprocess.run(["javac", "-g", "-d", str(WORK / "real"), str(source)], check=True)


def test_real():
    real_program()
    args = ["-cp", "real", "--main", "R", "--no-cache"]
    for form in ("text", "json", "jcg", "dot", "graphml", "csv"):
        outputs = {Run(*args, "--format", form, "-j", j, jdk=None).bytes for j in (1, 8, 1)}
        expect(f"{form} does not depend on -j", len(outputs) == 1 and outputs != {b""})
    databases = set()
    for j in (1, 8):
        Run(*args, "--format", "sqlite", "-o", "real.db", "-j", j, jdk=None)
        databases.add((WORK / "real.db").read_bytes())
    expect("sqlite does not depend on -j", len(databases) == 1)
    outputs = {Run("-cp", "real", "--main", "R", "--format", "csv", jdk=None).bytes for _ in range(2)}
    outputs.add(Run(*args, "--format", "csv", jdk=None).bytes)
    expect("the cache does not change the result", len(outputs) == 1)
    r = Run(*args, "--stats=json", "-o", "real.json", "--format", "json", jdk=None)
    result = json.loads((WORK / "real.json").read_text())
    expect("stats and result together", json.loads(r.out)["methods"] == len(result["methods"]), r)


def part_of(graph, package):
    """Of a graph as JSON, what --only PACKAGE.* leaves."""
    own = [m for m in graph["methods"] if m["method"].startswith(package)]
    kept = {m["method"] for m in own} | {t for m in own for s in m["sites"] for t in s["targets"]}
    return [m if m["method"].startswith(package) else dict(m, sites=[]) for m in graph["methods"] if m["method"] in kept]


def test_only():
    args = ["-cp", "real", "--main", "R", "--format"]
    whole, part = (json.loads(Run(*args, "json", *only, jdk=None).out) for only in ([], ["--only", "java.lang.ref.*"]))
    expect("--only writes the calls of these classes", part["methods"] == part_of(whole, "java.lang.ref.") and len(part["methods"]) > 20)
    edges = sum(len(s["targets"]) for m in part["methods"] for s in m["sites"])
    for form in ("json", "jcg", "csv", "graphml", "sqlite"):
        extra = ["-o", "graph.db"] if form == "sqlite" else []
        got = counts(Run(*args, form, "--only", "java.lang.ref.*", *extra, jdk=None), form, WORK / "graph.db")
        expect(f"--only in {form}", all(g is None or g == w for g, w in zip(got, (len(part["methods"]), edges))), got)
    for arguments, message in ((["json", "--only", "nosuch.*"], "no class with a method in the graph matches --only nosuch.*"),
                               (["json", "--only", "a..b"], "a..b"), (["json", "--among"], "name them with --only")):
        r = Run(*args, *arguments, jdk=None)
        expect(f"--only: {message}", r.status == 2 and message in r.err and not r.out, r)


def without(graph, is_own, is_called):
    """Of a graph as JSON, what is left of methods for which `is_own` holds, and of those that they call."""
    part, kept = [], set()
    for m in graph["methods"]:
        name = m["method"]
        if not is_own(name):
            continue
        sites = []
        for s in m["sites"]:
            targets = [t for t in s["targets"] if is_called(t)]
            if s["targets"] and not targets and "unresolved" not in s:
                continue
            left = len(s["targets"]) - len(targets)
            sites.append(dict(s, targets=targets, **({"left_out": left} if left else {})))
            kept.update(targets)
        kept.add(name)
        part.append(dict(m, sites=sites))
    callers = {m["method"]: m for m in part}
    return [callers.get(m["method"], dict(m, sites=[])) for m in graph["methods"] if m["method"] in kept]


def edges_of(methods):
    return sum(len(s["targets"]) for m in methods for s in m["sites"])


def test_left_out():
    args = ["-cp", "real", "--main", "R", "--format"]
    def is_own(name): return name.startswith("R.")
    def in_ref(name): return name.startswith("java.lang.ref.")
    for algorithm in ("rta", "vta"):
        whole = json.loads(Run(*args, "json", "--algorithm", algorithm, jdk=None).out)
        for options, own, called in ((["--no-jdk"], is_own, is_own), (["--only", "java.lang.ref.*", "--among"], in_ref, in_ref)):
            part = json.loads(Run(*args, "json", "--algorithm", algorithm, *options, jdk=None).out)
            expected = without(whole, own, called)
            expect(f"{algorithm} {' '.join(options)}: these nodes alone", part["methods"] == expected and expected and all(map(own, (m["method"] for m in expected))))
            left = part["left_out"]
            expect(f"{algorithm} {' '.join(options)}: what is left out is counted",
                   (left["methods_left_out"], left["edges_left_out"]) ==
                   (len(whole["methods"]) - len(expected), edges_of(whole["methods"]) - edges_of(expected)), left)
    for form in ("json", "jcg", "csv", "graphml", "sqlite"):
        extra = ["-o", "graph.db"] if form == "sqlite" else []
        r = Run(*args, form, "--only", "java.lang.ref.*", "--among", *extra, jdk=None)
        part = without(json.loads(Run(*args, "json", jdk=None).out), in_ref, in_ref)
        got = counts(r, form, WORK / "graph.db")
        expect(f"--among in {form}", all(g is None or g == w for g, w in zip(got, (len(part), edges_of(part)))), got)
    left = json.loads(Run(*args, "json", "--no-jdk", jdk=None).out)["left_out"]
    phrase = f"{left['methods_left_out']:,} methods and {left['edges_left_out']:,} edges (--no-jdk)"
    for form in ("text", "dot", "graphml", "jcg", "csv"):
        r = Run(*args, form, "--no-jdk", jdk=None)
        expect(f"{form} says what is left out", phrase in (r.err if form == "csv" else r.out), r)
    r = Run(*args, "sqlite", "--no-jdk", "-o", "graph.db", jdk=None)
    meta = dict(sqlite3.connect(WORK / "graph.db").execute("select key, value from meta"))
    expect("sqlite says what is left out", meta["methods_left_out"] == left["methods_left_out"] and meta["no_jdk"] == "true", meta)
    r = Run(*args, "text", "--only", "java.lang.ref.*", jdk=None)
    expect("--only as text: the calls of these classes", r.status == 0 and "Calls of these classes" in r.out and "java.lang.ref.Reference" in r.out, r)
    expect("a drawing of the program alone is small", len(Run(*args, "dot", "--no-jdk", jdk=None).out.splitlines()) < 100)


def test_only_points_to():
    args = ["-cp", "real", "--main", "R", "--algorithm", "vta", "--points-to", "--format", "json"]
    whole, part = (json.loads(Run(*args, *only, jdk=None).out) for only in ([], ["--only", "java.lang.ref.*"]))
    own = {key: [row for row in whole[key] if row[name].startswith("java.lang.ref.")]
           for key, name in (("variables", "method"), ("static_fields", "field"))}
    expect("--only with --points-to: variables and static fields of these classes",
           own == {key: part[key] for key in own} and all(own.values()))
    fields = [row for row in whole["fields"] if row["field"].startswith("java.lang.ref.")]
    arrays = [row for row in part["fields"] if row["field"] == "[]"]
    expect("--only with --points-to: fields that they declare", fields == [row for row in part["fields"] if row not in arrays] and fields)
    sets = [row for m in part["variables"] for row in m["values"]] + part["static_fields"] + part["fields"]
    named = {i for row in sets for i in row["objects"]} | {row["object"] for row in part["fields"]}
    expect("--only with --points-to: the objects of these sets, by their numbers",
           part["objects"] == [o for o in whole["objects"] if o["id"] in named])


def test_sqlite_and_the_cache():
    env = dict(os.environ, XDG_CACHE_HOME=str(WORK / "sqlite-cache"))
    databases = []
    for k, more in enumerate(([], [], ["--no-cache"])):
        r = Run("-cp", "real", "--main", "R", "--format", "sqlite", "-o", f"cache{k}.db", *more, jdk=None, env=env)
        databases.append((WORK / f"cache{k}.db").read_bytes() if r.status == 0 else str(r))
    expect("sqlite: the same bytes cold, warm and without the cache", databases[0] == databases[1] == databases[2])


def test_budgets():
    folder = WORK / "budget"
    folder.mkdir()
    cha = ["-cp", "real", "--main", "R", "--algorithm", "cha", "--format", "csv", "-o", "budget/g.csv"]
    r = Run(*cha, "--timeout", "1", jdk=None)
    expect("--timeout stops", r.status == 3 and "--timeout" in r.err, r)
    expect("--timeout leaves nothing", os.listdir(folder) == [], os.listdir(folder))
    r = Run("-cp", "real", "--main", "R", "--algorithm", "cha", "--format", "sqlite", "-o", "budget/g.db", "--timeout", "2", jdk=None)
    expect("--timeout leaves no database", r.status == 0 or os.listdir(folder) == [], r)
    (folder / "g.db").unlink(missing_ok=True)
    if b"__asan_init" in Path(SHERD).read_bytes():              # it alone needs more address space than any budget
        print("ok --memory # skip optional: sherd is built with a sanitizer")
        return
    r = Run(*cha, "--memory", "20", jdk=None)
    expect("--memory stops", r.status == 3 and "--memory" in r.err, r)
    expect("--memory leaves nothing", os.listdir(folder) == [], os.listdir(folder))
    r = Run("-cp", "app", "--main", "app.Main", "--timeout", "600", "--memory", "2000")
    expect("budgets that are kept", r.status == 0, r)


with tempfile.TemporaryDirectory() as work:
    WORK = Path(work)
    os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
    make_fake_jdk()
    make_application()
    for test in (test_statuses, test_jdk_choice, test_bad_inputs, test_class_paths, test_class_path_circles,
                 test_library, test_damaged_things_stay_visible, test_entries, test_manifests, test_output_files, test_colours,
                 test_formats, test_real, test_only, test_left_out, test_only_points_to, test_sqlite_and_the_cache, test_budgets):
        test()
sys.exit(1 if failed else 0)
