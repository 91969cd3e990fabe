#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# criterion.sh - a criterion is a row: $BUILD/tests/sherd-criterion has one more than sherd (cs, every call is made at least once; see
# src/coverage/criteria.def), and every report, gate and option names it, though none was written for it. On the data of
# tests/data/coverage-0.5/shapes, of a version that knew nothing of it: three calls, of which tests make one.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
shapes=tests/data/coverage-0.5/shapes
more=$build/tests/sherd-criterion
agent=(--agent "$build/libsherd-agent.so")
plan=$work/plan/plan.sherd
unset JAVA_TOOL_OPTIONS SHERD_AGENT

has() { grep -qF -- "$1" "$work/out" || { echo "no '$1' in:"; head -c 1500 "$work/out"; return 1; }; }
said() { grep -qF -- "$1" "$work/err" || { echo "not said: $1"; head -n 9 "$work/err"; return 1; }; }
result=("$shapes/run-1.cov" --plan "$plan")
report() { status 0 "$more" report "${result[@]}" "$@"; }
plan_of() {           # PROGRAM CRITERIA
	status 0 "$1" cover -q "${agent[@]}" --jdk none -cp tests/data/coverage-0.5/classes --component 'lib.*' --criteria "$2" \
		--print-agent -o "$work/plan"
}

# What is compiled with the row is all that knows of rows.
expect 'everything that knows the rows is built with one more' test -z "$(cd "$build/obj" &&
	find . -name '*.d' | xargs grep -l 'coverage/criteria\.def' | sed 's,\.d$,.o,' | while read -r f; do
		[ ! -e "$f" ] || [ -e "$build/criterion/$f" ] || echo "$f"; done)"

# Options.
status 0 "$more" cover --help
tr -s ' \n' ' ' < "$work/out" > "$work/words" && mv "$work/words" "$work/out"
expect 'help of --criteria' has 'rc receiver classes, tm target methods, chains call chains, callbacks methods that libraries call back, du def-use pairs, cs calling sites (default: rc,tm)'
expect 'help of --fail-under' has "own target methods, own receiver classes, receiver classes, the component's own receiver classes, target methods, call chains, methods that libraries call back, def-use pairs, and calling sites"
expect 'it is no criterion of sherd' status 2 "$sherd" cover --component 'lib.*' --criteria cs -- true
expect 'which says those that are' said "--criteria cannot have 'cs': use rc, tm"
expect 'a plan with it' plan_of "$more" rc,tm,cs

# Reports.
expect 'text' report
expect 'text: its share' has '  Calling sites     33.3 %'
expect 'text: its column' has '       RE       CS     missed'
expect 'text: what it misses' has 'never calls area'
expect 'all' report --all
expect 'json' report --format json
expect 'json: figures, lists and tests' json '
assert d["criteria"] == ["rc", "tm", "cs"], d["criteria"]
assert d["cs"] == {"required": 3, "covered": 1, "percent": 33.3}, d["cs"]
assert d["classes"][-1]["cs"]["required"] == 3 or any(c["cs"]["required"] == 3 for c in d["classes"])
assert sorted(len(s["cs"]) for s in d["sites"]) == [0, 0, 1] and sorted(len(s["missed_cs"]) for s in d["sites"]) == [0, 1, 1]
assert [s["cs"][0] for s in d["sites"] if s["cs"]] == [{"call": "area", "count": 3, "tests": [0, 1, 2]}], d["sites"]
assert all(t["cs"] == 1 for t in d["tests"])'
expect 'cobertura' report --format cobertura
expect 'cobertura: its conditions' has 'type="site" coverage="100%"'
expect 'cobertura: counted' has 'branches-covered="5" branches-valid="19"'
expect 'jacoco' report --format jacoco
expect 'jacoco: counted' has '<counter type="BRANCH" missed="14" covered="5"/>'
expect 'lcov' report --format lcov
expect 'lcov: counted' has 'BRF:19'
expect 'sarif' report --format sarif
expect 'sarif: a rule' json '
rules = [r["id"] for r in d["runs"][0]["tool"]["driver"]["rules"]]
assert rules == ["RC-missed", "TM-missed", "CS-missed", "unexpected"], rules
found = [r for r in d["runs"][0]["results"] if r["ruleId"] == "CS-missed"]
assert len(found) == 2 and all(rules[r["ruleIndex"]] == "CS-missed" for r in found)
assert found[0]["message"]["text"] == "lib.Shape.area() never calls area here: this call is never made.", found[0]["message"]'
expect 'badge' report --format badge
expect 'badge: its percentage' has ' / CS 33%'
expect 'html' report --format html
expect 'html: without scripts' has '<p>Calling sites: 33.3 %, 1 of 3</p>'
expect 'html: data for the page' has '{"name":"cs","short":"CS","title":"Calling sites",'
expect 'figures' report -q --stats=json
expect 'figures: it is there' json 'assert d["cs"]["percent"] == 33.3'

# Gates.
expect 'a gate' status 1 "$more" report "${result[@]}" -o /dev/null --fail-under cs=33.4
expect 'a gate: says how much is missing' said '--fail-under cs=33.4: calling sites are covered to 33.3 %, 1 of 3, 1 too few'
expect 'a gate that holds' report -o /dev/null --fail-under cs=33.3
expect 'data without it' status 2 "$more" report "$shapes" -o /dev/null --fail-under cs=1
expect 'data without it: what is missing' said '--fail-under cs needs what was not measured: the plan was made without --criteria cs'

# Differences.
mkdir "$work/new" && cp "$plan" "$shapes/run-1.cov" "$work/new"
expect 'differences' status 0 "$more" report --diff "$shapes" "$work/new"
expect 'differences: figures' has '  Calling sites          - →  33.3 %'
expect 'differences: what is new' has 'New, and missed  2'
expect 'differences: and covered' has 'Shape.area()  calls area'
expect 'differences as json' status 0 "$more" report --diff "$shapes" "$work/new" --format json
expect 'differences as json: rows' json 'assert [c["call"] for c in d["changes"]] == ["area"] * 3 and d["new"]["cs"]["covered"] == 1'

# Alone; and what was measured for others, read by a program that does not know it.
expect 'alone' plan_of "$more" cs
expect 'alone: a report' report
expect 'alone: nothing else' test -z "$(grep -E 'Receiver classes|Target methods' "$work/out")"
expect 'alone: html' report --format html
plan_of "$more" rc,cs
status 0 "$sherd" report "$shapes/run-1.cov" --plan "$plan"
expect 'sherd leaves out what it does not know' has '  Receiver classes  25.0 %'
plan_of "$more" rc,tm && cp "$plan" "$work/without" && plan_of "$sherd" rc,tm
expect 'a plan without it is the same' cmp "$work/without" "$plan"
exit $failed
