# SPDX-License-Identifier: Apache-2.0
"""laws.py LAW RESULT.json: what holds of every result. `differ`: the first ten ideas are of ten objects, each covers something.
`refuted`: what is refuted was not seen. Exit status 1, having said what breaks the law, if it does not hold."""
import json
import sys


def differ(result):
    first = result["next"][:10]
    objects = [i["object"] for i in first]
    wrong = [o for o in set(objects) if objects.count(o) > 1] + [i["call"] for i in first if not i["covers"] or not i["gain"]]
    print(f"{len(first)} ideas", *wrong)
    return not wrong


def refuted(result):
    rows = [(s["site"], r["class"]) for s in result["sites"] for r in s.get("refuted", [])]
    seen = {(s["site"], r["class"]) for s in result["sites"] for key in ("rc", "unexpected") for r in s.get(key, [])}
    wrong = [row for row in rows if row in seen]
    required = {(s["site"], r["class"]) for s in result["sites"] for r in s["missed"]}
    print(f"{len(rows)} refuted, as {result.get('refuted')}", *wrong)
    return not wrong and not required.intersection(rows) and len(rows) == sum(result.get("refuted", {}).values())


sys.exit(not {"differ": differ, "refuted": refuted}[sys.argv[1]](json.load(open(sys.argv[2]))))
