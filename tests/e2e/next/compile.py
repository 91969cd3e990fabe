# SPDX-License-Identifier: Apache-2.0
"""compile.py CLASS-PATH RESULT.json: does what "next" calls whole compile? Prints how many recipes there are, how many claim it, and
each that does not, with javac's words; exit status 1 if there is one."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def source(number, item):
    imports = "".join(f"import {name};\n" for name in item["imports"])
    body = "".join(f"\t\t{line}\n" for line in item["recipe"])
    return f"{imports}public class Recipe{number} {{\n\tvoid recipe() throws Throwable {{\n{body}\t}}\n}}\n"


def main():
    class_path, result = sys.argv[1:]
    items = json.load(open(result)).get("next", [])
    whole = [i for i in items if i["whole"]]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for n, item in enumerate(whole):
            files.append(Path(folder) / f"Recipe{n}.java")
            files[-1].write_text(source(n, item))
        said = ""
        if files:
            said = subprocess.run(["javac", "-nowarn", "-proc:none", "-Xmaxerrs", "999", "-cp", class_path, "-d", folder, *files],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        wrong = {int(n) for n in re.findall(r"Recipe(\d+)\.java:\d+: error", said)}
        print(f"{len(items)} recipes, {len(whole)} whole, {len(wrong)} of them do not compile")
        for n in sorted(wrong):
            print(files[n].read_text())
            print("\n".join(re.findall(rf"Recipe{n}\.java:(\d+: error.*)", said)))
    return 1 if wrong else 0


sys.exit(main())
