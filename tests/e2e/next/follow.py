# SPDX-License-Identifier: Apache-2.0
"""follow.py SHERD CLASS-PATH FOLDER RESULT.json WORDS...: are recipes followed as they are printed? Runs those that are called whole, all in
one JVM, appends that to the data in FOLDER (WORDS: as `sherd cover` was told), and prints those that exercise nothing of what they are
for; exit status 1 if there is one."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MAIN = """public class Follow {
	interface Test { void run() throws Throwable; }
	static void follow(Test test) {
		try { test.run(); } catch (Throwable t) { System.out.println(t); }
	}
	public static void main(String[] args) {
%s	}
}
"""


def source(number, item):
    imports = "".join(f"import {name};\n" for name in item["imports"])
    body = "".join(f"\t\t{line}\n" for line in item["recipe"])
    return f"{imports}public class Recipe{number} {{\n\tstatic void recipe() throws Throwable {{\n{body}\t}}\n}}\n"


def seen(result):
    return {(s["site"], r["class"]) for s in result["sites"] for r in s.get("rc", [])}


def main():
    sherd, class_path, folder, result, *words = sys.argv[1:]
    items = [i for i in json.load(open(result)).get("next", []) if i["whole"]]
    with tempfile.TemporaryDirectory() as work:
        files = [Path(work) / f"Recipe{n}.java" for n in range(len(items))] + [Path(work) / "Follow.java"]
        for n, item in enumerate(items):
            files[n].write_text(source(n, item))
        files[-1].write_text(MAIN % "".join(f"\t\tfollow(Recipe{n}::recipe);\n" for n in range(len(items))))
        subprocess.run(["javac", "-nowarn", "-proc:none", "-cp", class_path, "-d", work, *files], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([sherd, "cover", "-q", "--append", "-cp", class_path, "-o", folder, *words, "--", "java", "-cp",
                        f"{class_path}:{work}", "Follow"], check=True, stdout=subprocess.DEVNULL)
        after = subprocess.run([sherd, "report", "-q", folder, "--format", "json"], check=True, stdout=subprocess.PIPE)
    found = seen(json.loads(after.stdout))
    idle = [i for i in items if not found.intersection((c["site"], c["class"]) for c in i["covers"])]
    print(f"{len(items)} recipes, {len(idle)} exercise nothing of what they are for")
    for i in idle:
        print(i["object"], i["call"], *i["recipe"], sep="\n    ")
    return 1 if idle or not items else 0


sys.exit(main())
