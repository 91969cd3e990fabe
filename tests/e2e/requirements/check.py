# SPDX-License-Identifier: Apache-2.0
"""check.py LAW FILE... - laws of what `sherd requirements` writes; fails with the first that does not hold.

    shape JSON              the result itself: keys, order, sums
    stats JSON STATS        the summary of the run agrees with the result
    within FINE COARSE...   site by site, each result is contained in the next, for the same polymorphic sites
    csv JSON CSV            the table has the requirements of the polymorphic sites and nothing else
    all JSON CSV            the same for all sites
    compare TABLE JSON...   the comparison (JSON) has the figures of the single runs, in this order
"""
import csv
import json
import re
import sys

SITE = re.compile(r"^[\w$./<>-]+\((?:[^()]*)\)[\w$/;\[]+@\d+$")
CLASS = re.compile(r"^[^/;()]+$")


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def by_site(d):
    return {s["site"]: s for s in d["sites"]}


def is_sorted(values):
    return values == sorted(set(values), key=lambda v: v.encode())


def check_site(s, criteria):
    assert SITE.match(s["site"]), s["site"]
    assert s["op"] in ("virtual", "interface") and s.get("line", 1) > 0, s
    assert re.match(r"^[^@]+\(.*\)[^@]+$", s["declared"]), s
    assert {"rc", "tm", "senders", "args"} & set(s) == criteria, s
    lists = [s[k] for k in ("rc", "tm", "senders") if k in s] + [a["classes"] for a in s.get("args", [])]
    assert all(is_sorted(values) for values in lists), s
    assert all(CLASS.match(c) for c in s.get("rc", [])), s
    assert s["reached"] or not any(lists), s
    assert all(s.get(k, True) is True for k in ("client", "open")), s
    indices = [a["index"] for a in s.get("args", [])]
    assert indices == sorted(set(indices)) and indices[:1] >= [0] * len(indices[:1]), s


def position(site):
    method, pc = site.rsplit("@", 1)
    return method.encode(), int(pc)


def size(site, criterion):
    if criterion == "args":
        return sum(len(a["classes"]) for a in site.get("args", []))
    return len(site.get(criterion, []))


def shape(path):
    d = load(path)
    assert d["schema"] == "sherd/requirements/1"
    criteria = set(d["criteria"])
    for s in d["sites"]:
        check_site(s, criteria)
    places = [position(s["site"]) for s in d["sites"]]
    assert places == sorted(places), [(a, b) for a, b in zip(places, sorted(places)) if a != b][0]
    st, poly = d["stats"], [s for s in d["sites"] if s["poly"]]
    assert st["sites"] == len(d["sites"]) and st["poly_sites"] == len(poly) > 0, st
    assert st["reached_sites"] == sum(s["reached"] for s in d["sites"]), st
    for k in criteria:
        assert st[k] == sum(size(s, k) for s in poly), (k, st[k])
    for k in ("rc", "tm"):
        assert abs(st["n_" + k] - st[k] / len(poly)) <= 0.00005 or k not in criteria, st
    for mark in ("open", "client"):
        assert st[mark + "_sites"] == sum(mark in s for s in poly), (mark, st)
    starved = [s for s in poly if s["reached"] and not (s.get("rc") or "open" in s or "client" in s)]
    assert st["starved_sites"] == len(starved) or "rc" not in criteria, (st, len(starved))


def stats(path, summary):
    d, got = load(path), load(summary)
    assert got["verb"] == "requirements" and got["algorithm"] == d["algorithm"]
    for k, v in d["stats"].items():
        assert got[k] == v, (k, v, got[k])
    assert got["relevant_types"] > 0 and got["placeholders"] > 0 and got["peak_rss_mb"] > 0
    parts = got["seconds"]
    assert abs(sum(v for k, v in parts.items() if k != "total") - parts["total"]) < 0.01, parts


def contained(fine, coarse):
    a, b = by_site(fine), by_site(coarse)
    names = f"{fine['algorithm']} {fine['clients']} in {coarse['algorithm']} {coarse['clients']}"
    assert list(a) == list(b), names
    for k, s in a.items():
        t = b[k]
        assert s["poly"] == t["poly"] and s["reached"] <= t["reached"], (names, s["site"])
        assert ("client" in s) <= ("client" in t), (names, s["site"])
        for what in ("rc", "tm"):
            missing = set(s[what]) - set(t[what])
            assert not missing, (names, s["site"], what, sorted(missing)[:3])
    assert any(s["rc"] for s in a.values()), names


def within(*paths):
    results = [load(p) for p in paths]
    for fine, coarse in zip(results, results[1:]):
        contained(fine, coarse)


def rows_of(site):
    line = str(site.get("line", ""))
    for criterion in ("rc", "tm", "senders"):
        for value in site.get(criterion, []):
            yield site["site"], line, criterion, value
    for a in site.get("args", []):
        for value in a["classes"]:
            yield site["site"], line, f"args:{a['index']}", value
    for mark in ("client", "open"):
        if mark in site:
            yield site["site"], line, mark, ""
    if "unresolved" in site:
        yield site["site"], line, f"unresolved:{site['unresolved']}", ""


def same_rows(path, table, is_wanted):
    with open(table, encoding="utf-8", newline="") as f:
        got = [tuple(row) for row in csv.reader(f)]
    assert got.pop(0) == ("site", "line", "criterion", "value")
    want = [row for s in load(path)["sites"] if is_wanted(s) for row in rows_of(s)]
    assert len(got) == len(set(got)), "a row twice"
    assert set(got) == set(want), sorted(set(got) ^ set(want))[:3]
    order = {s: i for i, s in enumerate(dict.fromkeys(row[0] for row in want))}
    assert [order[row[0]] for row in got] == sorted(order[row[0]] for row in got), "sites are in another order"


def compare(table, *paths):
    d = load(table)
    assert d["schema"] == "sherd/requirements-comparison/1" and len(d["components"]) == 1
    component = d["components"][0]
    assert [a["algorithm"] for a in component["analyses"]] == [load(p)["algorithm"] for p in paths]
    for found, path in zip(component["analyses"], paths):
        single = load(path)["stats"]
        for k in ("classes", "methods", "sites", "poly_sites"):
            assert component[k] == single[k], (path, k)
        for k in ("rc", "tm", "n_rc", "n_tm", "reached_sites", "starved_sites", "open_sites", "client_sites"):
            assert found[k] == single[k], (path, k, found[k], single[k])
        assert found.get("analysed_methods") == single.get("analysed_methods"), path


LAWS = {"shape": shape, "stats": stats, "within": within, "compare": compare,
        "csv": lambda path, table: same_rows(path, table, lambda s: s["poly"]),
        "all": lambda path, table: same_rows(path, table, lambda s: True)}
try:
    LAWS[sys.argv[1]](*sys.argv[2:])
except AssertionError as broken:
    print(f"{sys.argv[1]}: {str(broken)[:600]}")
    raise
