# SPDX-License-Identifier: Apache-2.0
"""suites - real test suites for scripts: builds them, runs them, reads their results and sherd's."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections import namedtuple
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("BUILD", "build"))
BUILD = BUILD if BUILD.is_absolute() else TOP / BUILD
SHERD = BUILD / "sherd"

Suite = namedtuple("Suite", "name component library library_path test_classes sources run")
Run = namedtuple("Run", "status user system mb output")


def names():
    return subprocess.run([TOP / "tests/suites/make", "list"], capture_output=True, text=True, check=True).stdout.split()


def make(name):
    """The suite, in $SUITES or $BUILD/suites; built unless it is there."""
    folder = Path(os.environ.get("SUITES", BUILD / "suites")).resolve() / name
    subprocess.run([TOP / "tests/suites/make", name, folder], check=True)
    facts = dict(line.split("=", 1) for line in (folder / "suite.env").read_text().splitlines())
    facts = {k: "".join(shlex.split(v)) for k, v in facts.items()}
    return Suite(run=str(folder / "run"), **facts)


def default_jdk():
    home = os.environ.get("JAVA_HOME")
    return home if home else str(Path(shutil.which("java")).resolve().parent.parent)


def jdks():
    """The folder of every JDK of the machine, the default one first."""
    said = subprocess.run(["sh", "-c", ". tests/lib/jdks.sh; jdks"], cwd=TOP, capture_output=True, text=True, check=True)
    return said.stdout.split()


def version_of(jdk):
    said = (Path(jdk) / "release").read_text()
    return int(re.search(r'JAVA_VERSION="(\d+)', said).group(1))


def execute(suite, options, jdk, reports=None, prefix=()):
    """Runs the suite with JVM options."""
    env = dict(os.environ, JAVA_HOME=jdk)
    env.pop("REPORTS", None)
    if reports:
        env["REPORTS"] = str(reports)
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([*prefix, suite.run, *options], stdout=out, stderr=subprocess.STDOUT, env=env)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return Run(child.returncode, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1024,
                   out.read().decode("utf-8", "replace"))


def results(reports):
    """What became of each test, as "class.name" -> ok, failed or skipped; repeated names are numbered."""
    found = {}
    for f in sorted(Path(reports).glob("*.xml")):
        for case in ET.parse(f).getroot().iter("testcase"):
            sort = "failed" if case.find("failure") is not None or case.find("error") is not None else \
                "skipped" if case.find("skipped") is not None else "ok"
            found.setdefault(f"{case.get('classname')}.{case.get('name')}", []).append(sort)
    return {f"{k} #{i}" if i else k: sort for k, sorts in found.items() for i, sort in enumerate(sorted(sorts))}


def class_path(suite):
    return ":".join(p for p in (suite.library, suite.library_path) if p)


def plan(suite, folder, jdk, *words):
    """Analyses the library and returns the JVM option that measures it."""
    request = [SHERD, "cover", "--component", suite.component, "-cp", class_path(suite), "--jdk", jdk, "-q", "-o", folder,
               "--print-agent", *words]
    return subprocess.run(request, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def report(plan_file, files):
    """What data of these files says about a plan."""
    request = [SHERD, "report", "--plan", plan_file, "--format", "json", "-q", *files]
    return json.loads(subprocess.run(request, check=True, stdout=subprocess.PIPE).stdout)
