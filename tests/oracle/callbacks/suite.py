#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""suite.py NAME [JVM OPTION...] - what libraries call back while the tests of a real library run (tests/suites) is in the static answer.

sherd's agent watches every call that leaves the library (cover --criteria callbacks), with what its tests use as the interface. Each test
must end as it does without the agent. A callback that the analysis does not have needs one of these reasons, which are counted:

    open     unknown code calls back there, or the call does by reflection what nobody knows; the report says so
    client   it comes through a class of the tests
    enum     the JDK asks an enum for its constants, by one reflective call for all of them, which call graphs list
"""
import collections
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "suites"))
import suites  # noqa: E402


def run_tests(suite, options, jdk):
    with tempfile.TemporaryDirectory() as reports:
        run = suites.execute(suite, options, jdk, reports)
        found = suites.results(reports)
    if not found:
        raise RuntimeError(f"{suite.name}: no test ran, exit status {run.status}:\n{run.output[-1000:]}")
    return found


def watch(suite, jdk, options):
    """What became of the tests, and what the agent saw."""
    with tempfile.TemporaryDirectory() as folder:
        agent = suites.plan(suite, folder, jdk, "--interface", f"tests:{suite.test_classes}", "--clients", "open", "--criteria", "callbacks")
        tests = run_tests(suite, [agent, *options], jdk)
        return tests, suites.report(Path(folder) / "plan.sherd", sorted(Path(folder).glob("*.cov")))


def reason_of(site, item):
    enum = re.fullmatch(r"(.*)\.values\(\)\[L(.*);", item["callee"])
    if item["origin"] == "client":
        return "client"
    if item.get("excused") and site.get("open"):
        return "open"
    return "enum" if enum and enum[1].replace(".", "/") == enum[2].replace(".", "/") else None


def main():
    jdk, options = suites.default_jdk(), sys.argv[2:]
    suite = suites.make(sys.argv[1])
    bare = run_tests(suite, options, jdk)
    tests, seen = watch(suite, jdk, options)
    changed = sorted(t for t in bare.keys() | tests.keys() if bare.get(t) != tests.get(t))
    reasons, missing = collections.Counter(), []
    for site in seen["sites"]:
        for item in site.get("unexpected_callbacks", []):
            reason = reason_of(site, item)
            reasons[reason] += 1
            if not reason:
                missing.append(f"{site['site']} ({site['declared']}): {item['callee']} ({item['origin']})")
    for test in changed[:10]:
        print(f"ends otherwise with the agent: {test}")
    for line in missing[:10]:
        print(f"missing: {line}")
    found, excused = seen["callbacks"]["covered"], ", ".join(f"{n} {k}" for k, n in sorted(reasons.items(), key=str) if k)
    print(f"{len(tests)} tests, {found} callbacks found, {excused or 'none'} excused, {len(missing)} missing")
    return 1 if changed or missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
