#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check - laws about the formats of `sherd report`. Usage: check.py LAW FILE...

Files are named after their formats: json, cobertura.xml, jacoco.xml, lcov, sarif, badge.svg, text. An assertion that does not
hold ends the program with its text.
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote, urlparse


def text_of(folder, name):
    return (Path(folder) / name).read_bytes().decode("utf-8")       # strictly: what is no UTF-8 is an error


def distinct(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), f"a key twice: {[k for k, _ in pairs]}"
    return dict(pairs)


def json_of(folder, name="json"):
    return json.loads(text_of(folder, name), object_pairs_hook=distinct)


# Elements of the XML formats: the children, in this order, and the attributes that each must and may have.
RATES = "line-rate branch-rate complexity"
COBERTURA = {
    "coverage": ("sources? packages", RATES + " lines-covered lines-valid branches-covered branches-valid version timestamp", ""),
    "sources": ("source*", "", ""), "source": ("", "", ""), "packages": ("package*", "", ""),
    "package": ("classes", "name " + RATES, ""), "classes": ("class*", "", ""),
    "class": ("methods lines", "name filename " + RATES, ""), "methods": ("method*", "", ""),
    "method": ("lines", "name signature " + RATES, ""), "lines": ("line*", "", ""),
    "line": ("conditions*", "number hits", "branch condition-coverage"), "conditions": ("condition*", "", ""),
    "condition": ("", "number type coverage", ""),
}
JACOCO = {
    "report": ("sessioninfo* package* counter*", "name", ""), "sessioninfo": ("", "id start dump", ""),
    "package": ("class* sourcefile* counter*", "name", ""), "class": ("method* counter*", "name", "sourcefilename"),
    "method": ("counter*", "name desc", "line"), "sourcefile": ("line* counter*", "name", ""),
    "line": ("", "nr mi ci mb cb", ""), "counter": ("", "type missed covered", ""),
}


def check_element(e, rules):
    children, must, may = rules[e.tag]
    pattern = "".join(f"(?:{word.rstrip('*?')} ){word[-1] if word[-1] in '*?' else ''}" for word in children.split())
    found = "".join(c.tag + " " for c in e)
    assert re.fullmatch(pattern, found), f"{e.tag} has {found[:200]}"
    assert set(must.split()) <= set(e.attrib) <= set(must.split() + may.split()), f"{e.tag} has attributes {sorted(e.attrib)}"
    for c in e:
        check_element(c, rules)


def xml_of(folder, name, rules):
    root = ElementTree.fromstring(text_of(folder, name))
    check_element(root, rules)
    return root


# Each gives (required, covered) in all.

def count_json(folder):
    d = json_of(folder)
    kinds = [d[k] for k in ("rc", "tm") if k in d]
    seen = sum(len(s.get(k, [])) for s in d["sites"] for k in ("rc", "tm"))
    missed = sum(len(s.get(k, [])) for s in d["sites"] for k in ("missed", "missed_tm"))
    required, covered = sum(k["required"] for k in kinds), sum(k["covered"] for k in kinds)
    assert (seen + missed, seen) == (required, covered), "sites do not add up to the sums"
    for k in ("rc", "tm"):
        for n in ("required", "covered"):
            assert k not in d or sum(c[k][n] for c in d["classes"]) == d[k][n], f"classes do not add up to {k}.{n}"
    return required, covered


def condition_coverage(lines):
    required = covered = 0
    for line in lines:
        if line.get("branch") != "true":
            continue
        percent, part, whole = map(int, re.fullmatch(r"(\d+)% \((\d+)/(\d+)\)", line.get("condition-coverage")).groups())
        assert percent == part * 100 // whole
        required, covered = required + whole, covered + part
    return required, covered


def count_cobertura(folder):
    root = xml_of(folder, "cobertura.xml", COBERTURA)
    for c in root.iter("class"):
        of_class = condition_coverage(c.findall("lines/line"))
        assert of_class == condition_coverage(c.findall("methods/method/lines/line")), "methods do not add up to their class"
        assert of_class[0] == len(list(c.iter("condition")))
        numbers = [int(line.get("number")) for line in c.findall("lines/line")]
        assert numbers == sorted(set(numbers)) and (not numbers or numbers[0] > 0)
    counts = condition_coverage(root.findall("packages/package/classes/class/lines/line"))
    assert counts == (int(root.get("branches-valid")), int(root.get("branches-covered")))
    return counts


def counter(e, kind):
    for c in e.findall("counter"):
        if c.get("type") == kind:
            return int(c.get("missed")), int(c.get("covered"))
    return 0, 0


def add(pairs):
    pairs = list(pairs)
    return sum(p[0] for p in pairs), sum(p[1] for p in pairs)


def count_jacoco(folder):
    root = xml_of(folder, "jacoco.xml", JACOCO)
    for kind in ("INSTRUCTION", "BRANCH", "METHOD", "CLASS"):
        assert counter(root, kind) == add(counter(p, kind) for p in root.findall("package"))
        for p in root.findall("package"):
            assert counter(p, kind) == add(counter(s, kind) for s in p.findall("sourcefile"))
            assert counter(p, kind) == add(counter(c, kind) for c in p.findall("class"))
    for s in root.iter("sourcefile"):
        lines = s.findall("line")
        assert counter(s, "BRANCH") == add((int(x.get("mb")), int(x.get("cb"))) for x in lines)
        assert counter(s, "INSTRUCTION") == add((int(x.get("mi")), int(x.get("ci"))) for x in lines)
        assert counter(s, "LINE") == add((int(x.get("ci") == "0"), int(x.get("ci") != "0")) for x in lines)
    missed, covered = counter(root, "BRANCH")
    return missed + covered, covered


def count_lcov(folder):
    required = covered = 0
    record = None
    for row in text_of(folder, "lcov").splitlines():
        key, _, value = row.partition(":")
        if key == "TN":
            record = {k: [] for k in ("SF", "FN", "FNDA", "BRDA", "DA", "FNF", "FNH", "BRF", "BRH", "LF", "LH")}
        elif row == "end_of_record":
            branches = [v.split(",") for v in record["BRDA"]]
            lines = {int(v.split(",")[0]) for v in record["DA"]}
            assert len(record["SF"]) == 1 and len(lines) == len(record["DA"]) == int(record["LF"][0])
            assert all(len(b) == 4 and int(b[0]) in lines for b in branches)
            assert len({tuple(b[:3]) for b in branches}) == len(branches) == int(record["BRF"][0])
            hit = sum(b[3] not in ("0", "-") for b in branches)
            assert hit == int(record["BRH"][0]) and sum(not v.endswith(",0") for v in record["DA"]) == int(record["LH"][0])
            assert [v.split(",", 1)[1] for v in record["FN"]] == [v.split(",", 1)[1] for v in record["FNDA"]]
            assert len(record["FN"]) == int(record["FNF"][0])
            required, covered, record = required + len(branches), covered + hit, None
        else:
            record[key].append(value)
    assert record is None
    return required, covered


def count_sarif(folder):
    """Only what is missed is there: the law is about the difference."""
    d = json_of(folder, "sarif")
    assert d["version"] == "2.1.0" and d["$schema"].endswith("sarif-2.1.0.json") and len(d["runs"]) == 1
    run = d["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "sherd" and [r["id"] for r in rules] == ["RC-missed", "TM-missed", "unexpected"]
    marks = set()
    for r in run["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"] and r["level"] in ("error", "warning", "note") and r["message"]["text"]
        at = r["locations"][0]["physicalLocation"]
        assert urlparse(at["artifactLocation"]["uri"]).path and at.get("region", {"startLine": 1})["startLine"] > 0
        assert at["artifactLocation"].get("uriBaseId", "SRCROOT") in run["originalUriBaseIds"]
        mark = r["partialFingerprints"]["sherdRequirement/v1"]
        assert re.fullmatch("[0-9a-f]{16}", mark)
        marks.add((r["ruleId"], mark))
        for flow in r.get("codeFlows", []):
            for step in flow["threadFlows"][0]["locations"]:
                assert step["location"]["message"]["text"] and step["location"]["physicalLocation"]["artifactLocation"]["uri"]
    assert len(marks) == len(run["results"]), "fingerprints are not distinct"
    return sum(r["ruleIndex"] < 2 for r in run["results"])


def law_counts(folder):
    """Every format counts the same."""
    wanted = count_json(folder)
    for count in (count_cobertura, count_jacoco, count_lcov):
        assert count(folder) == wanted, f"{count.__name__}: {count(folder)}, not {wanted}"
    assert count_sarif(folder) == wanted[0] - wanted[1]
    unexpected = sum(r["ruleIndex"] == 2 for r in json_of(folder, "sarif")["runs"][0]["results"])
    assert unexpected == json_of(folder)["unexpected"]


def law_json(folder):
    """Keys, order and shapes."""
    d = json_of(folder)
    assert d["schema"] == "sherd/cover/1" and list(d)[0] == "schema"
    assert all(x["own"][n] <= x["rc"][n] for x in [d] + d["classes"] for n in ("required", "covered"))
    assert d["own"]["required"] == sum(c["own"]["required"] for c in d["classes"])
    for k in ("rc", "tm"):
        assert set(d[k]) == {"required", "covered", "percent"}
        exact = d[k]["covered"] * 1000 // d[k]["required"] / 10 if d[k]["required"] else 100.0
        assert d[k]["percent"] == exact, f"{d[k]['percent']} for {exact}"
    assert [c["class"] for c in d["classes"]] == sorted(c["class"] for c in d["classes"])
    for s in d["sites"]:
        assert re.fullmatch(r".+\..+\(.*\).+@\d+", s["site"]), s["site"]
        for key, name in (("rc", "class"), ("missed", "class"), ("tm", "method"), ("missed_tm", "method")):
            names = [i[name] for i in s[key]]
            assert names == sorted(names), f"{s['site']} {key}"
            assert all("count" not in i if key.startswith("missed") else i["count"] > 0 for i in s[key])
        assert s["count"] >= sum(i["count"] for i in s["rc"])
    for r in d["runs"]:
        assert re.fullmatch("[0-9a-f]{32}", r["id"])


def law_badge(folder):
    root = ElementTree.fromstring(text_of(folder, "badge.svg"))
    svg = "{http://www.w3.org/2000/svg}"
    width = int(root.get("width"))
    assert root.get("role") == "img" and root.get("aria-label") == root.find(svg + "title").text
    d = json_of(folder)
    name, short = ("implementations", "IM") if d.get("targets", {}).get("required") else ("rc", "RC")
    assert f"{d[name]['percent']} %" in root.get("aria-label")
    texts = list(root.iter(svg + "text"))
    assert texts and all(0 < int(t.get("x")) - int(t.get("textLength")) / 2 and
                         int(t.get("x")) + int(t.get("textLength")) / 2 < width * 10 for t in texts), "a text sticks out"
    assert any(t.text.startswith(f"{short} {int(d[name]['percent'])}%") for t in texts)


def law_sources(folder, root):
    """With --source, every result is at a file below the folder where sherd ran."""
    for r in json_of(folder, "sarif")["runs"][0]["results"]:
        at = r["locations"][0]["physicalLocation"]["artifactLocation"]
        assert "uriBaseId" not in at and (Path(root) / unquote(at["uri"])).is_file(), at
    for row in text_of(folder, "lcov").splitlines():
        assert not row.startswith("SF:") or (Path(root) / row[3:]).is_file(), row


def law_names(folder):
    """Difficult names arrive: in JSON as they are, in other formats readable."""
    d = json_of(folder)
    names = {i["class"] for s in d["sites"] for k in ("rc", "missed", "unexpected") for i in s.get(k, [])}
    assert {"a.A&B", "a.<script>", "a.]]>", "p.\U0001f600", "z.'quoted'\t", "java.lang.Object[]"} <= names, sorted(names)
    assert any(c["class"] == 'p.q.Weird,"name"\n' for c in d["classes"])
    classes = {c.get("name") for c in xml_of(folder, "cobertura.xml", COBERTURA).iter("class")}
    assert 'p.q.Weird,"name"\\u000a' in classes and "NoPackage$1" in classes, classes
    methods = {m.get("name") for m in xml_of(folder, "jacoco.xml", JACOCO).iter("method")}
    assert "<init>" in methods and "run\\u0000\\u001b" in methods, methods
    for name in ("text", "lcov", "badge.svg"):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text_of(folder, name)), f"control characters in {name}"
    assert ".." not in text_of(folder, "lcov")


def law_diff(old, new, diff):
    """The changes explain the difference of the sums."""
    d = json.loads(Path(diff).read_text())
    assert d["schema"] == "sherd/cover-diff/1"
    for side, folder in (("old", old), ("new", new)):
        whole = json_of(folder)
        assert d[side]["rc"] == whole["rc"] and d[side]["tm"] == whole["tm"]
    n = {k: sum(c["change"] == k for c in d["changes"]) for k in d["counts"]}
    assert n == d["counts"], "counts are not those of the changes"
    covered = {s: d[s]["rc"]["covered"] + d[s]["tm"]["covered"] for s in ("old", "new")}
    required = {s: d[s]["rc"]["required"] + d[s]["tm"]["required"] for s in ("old", "new")}
    if n["gone"] == 0:
        assert covered["new"] - covered["old"] == n["gained"] + n["new_covered"] - n["lost"]
        assert required["new"] - required["old"] == n["new_covered"] + n["new_missed"]


if __name__ == "__main__":
    globals()["law_" + sys.argv[1]](*sys.argv[2:])
