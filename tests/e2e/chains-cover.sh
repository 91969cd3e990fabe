#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# chains-cover.sh - call chains that runs exercise (sherd cover --criteria chains): what the agent saw of a program that takes every way in
# and out of a component, row by row; figures, gates and bad requests.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
dump=$build/tests/chaindump
here=tests/e2e/chains

mkdir "$work/classes" "$work/tests"
compile -g -d "$work/classes" $here/way/*.java && compile -cp "$work/classes" -d "$work/tests" $here/Ways.java || exit 2
cover() {             # FOLDER ARGUMENT...: with every class of the agent's own verified, too
	"$sherd" cover -q -cp "$work/classes" --component 'way.*' -o "$work/$1" --criteria chains "${@:2}" -- \
		java -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal -cp "$work/classes:$work/tests" Ways
}
rows() { "$dump" "$work/$1"/plan.sherd "$work/$1"/run-*.cov | tail -n +2 | LC_ALL=C sort; }
json() { "$sherd" report "$work/$1" --format json | python3 -c "import json, sys; r = json.load(sys.stdin); print($2)"; }

cover two -k 2 > "$work/two.out" 2> "$work/two.err"
expect 'the program runs as ever' grep -qx 8 "$work/two.out"
expect 'the agent and its classes are well' bash -c "! grep -iE 'sherd.*(error|cannot)|Exception' '$work/two.err'"
expect 'what a program did that takes every way in and out' diff $here/two.csv <(rows two)
expect 'no chain was seen that is none' test "$(json two 'r["call_chains"]["unexpected"]')" = 0
cover one -k 1 > /dev/null 2>&1
expect 'shorter chains are those of longer ones' diff <(rows one) <(rows two | grep -E '^[0-9]+,[01],')
cover back --recursion backedges > /dev/null 2>&1
expect 'recursion as back edges: counts of one node' grep -q '^0,0,"way.Outer.deep(I)I",41$' <(rows back)
expect 'no chain goes through a method twice' bash -c "! '$dump' '$work'/back/plan.sherd '$work'/back/run-*.cov | grep -E 'fail.*fail'"

# Reports of what was measured: chains are in all of them, and in no sum of lines.
"$sherd" report "$work/two" > "$work/text"
expect 'the screen has a table by length' grep -qE '^ +2 +[0-9]+ +[0-9]+ +[0-9.]+ %' "$work/text"
expect 'and says what to test next' grep -q '^Chains to test next  ' "$work/text"
expect 'and nothing of receivers that were not asked for' bash -c "! grep -E 'Calls made|What to test next|several receivers' '$work/text'"
for format in html json cobertura jacoco lcov sarif badge; do
	expect "a report of chains alone: $format" status 0 "$sherd" report "$work/two" --format $format -o "$work/report.$format"
done
expect 'no receivers are watched that nobody asked for' test "$(json two 'len(r["sites"])')" = 0
expect 'no branches of lines' grep -q 'branches-valid="0"' "$work/report.cobertura"
expect 'results of missed calls' grep -q '"ruleId":"CC-missed"' "$work/report.sarif"
expect 'the difference to itself' grep -q 'Nothing changed' <("$sherd" report --diff "$work/two" "$work/two")
expect 'longer chains are new' grep -qE '^ +2 +0 +[0-9]+ +0 +[1-9]' <("$sherd" report --diff "$work/one" "$work/two")
expect 'statistics' grep -q '"chains":{"required":[0-9]*,"covered":[0-9]*,"percent"' <("$sherd" report "$work/two" --stats=json -o "$work/text" 2>&1)

expect 'a gate that holds' bash -c "'$sherd' report '$work/two' --fail-under chains=50 > '$work/gate'"
expect 'a gate that does not' status 1 "$sherd" report "$work/two" --fail-under chains=99
expect 'chains without their length' status 2 cover no
expect 'says what to do' grep -q 'say how long chains may be' "$work/err"
expect 'a length without chains' status 2 "$sherd" cover -cp "$work/classes" --component 'way.*' -k 2 -o "$work/no" -- true
expect 'says what it needs' grep -q -e '--criteria rc,tm,chains' "$work/err"
exit $failed
