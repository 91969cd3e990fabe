#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# callback-cover.sh - callbacks that runs exercise (sherd cover --criteria callbacks): what the agent saw of a program that libraries call back
# in every way is what its stacks show, count by count, and nothing that the analysis rules out; reports, gates, bad requests.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/backs
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -XDstringConcat=indyWithConstants -d trace "$here"/trace/*.java &&
	compile -g -XDstringConcat=indyWithConstants -cp trace -d back "$here"/back/*.java || exit 2
verified='-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal'
cover() {             # FOLDER CRITERIA [OPTION...] -- ARGUMENT...: of the program
	local folder=$1 criteria=$2
	local -a options=()
	shift 2
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	# shellcheck disable=SC2086
	"$sherd" cover -q -cp back:trace --component 'back.*' -o "$folder" --criteria "$criteria" --no-why "${options[@]}" -- \
		java $verified -cp back:trace back.Main "$@"
}
report() { "$sherd" report "$1" --format json > "$1.json"; }

cat > compare.py <<'PY'
import collections, json, sys

def short(method):                   # p.C.m(I)V -> p.C.m
	return method[:method.index('(')]

r = json.load(open(sys.argv[1]))
seen = collections.Counter()
for s in r['sites']:
	for c in s['callbacks'] + s.get('unexpected_callbacks', []):
		later = c['callee'].endswith(' (later)')
		place = '-' if later else '%s:%d' % (short(s['site']), s['line'])
		seen['later' if later else 'back', place, short(c['callee'])] += c['count']
told = collections.Counter(tuple(line.split()) for line in open(sys.argv[2]) if line.split()[:1] in (['back'], ['later']))
assert len(told) > 25, told
# What a thread runs counts for the callback, where the call may run it before it is over, too.
for kind, place, callee in [k for k in told if k[0] == 'later']:
	for k in [k for k in seen if k[0] == 'back' and k[2] == callee and not told[k]]:
		seen['later', '-', callee] += seen.pop(k)
# Methods that tell nothing, since they cannot before they call the constructor of their superclass, or are the compiler's.
silent = lambda m: m.endswith('.<init>')
wrong = {k: (told[k], seen[k]) for k in set(told) | set(seen) if told[k] != seen[k] and not silent(k[2])}
assert not wrong, wrong
assert any(k[0] == 'later' for k in told)
PY

java -cp back:trace back.Main > plain || exit 2
expect 'a program runs under the agent' status 0 cover once callbacks --
said() { grep -E '^(back|later|concatenated) ' "$1"; }
expect 'and says what it says without' diff <(said plain) <(said "$work/out")
expect 'the agent and its classes are well' bash -c "! grep -iE 'sherd.*(error|cannot)|Exception in' '$work/err'"
report once
expect 'what was seen is what stacks show, as often' python3 compare.py once.json plain
expect 'the analysis rules out none of it' python3 -c '
import json
r = json.load(open("once.json"))
assert r["unexpected"] == 0 and r["client"] == 0, [s for s in r["sites"] if s.get("unexpected_callbacks")]
assert 0 < r["callbacks"]["covered"] < r["callbacks"]["required"]
assert all(s["count"] for s in r["sites"] if s["callbacks"]), "a call that called back was made"
assert any(c.get("by") for s in r["sites"] for c in s["missed_callbacks"]), "who calls back is known of some"
assert not r["notes"], r["notes"]'
expect 'many times over' status 0 cover often callbacks -- 30
cp "$work/out" often.told
report often
expect 'compiled code counts the same' python3 compare.py often.json often.told

# With other criteria, other algorithms, and a JVM that is ended on its way.
expect 'with receivers and targets' status 0 cover all rc,tm,callbacks --
report all
expect 'counts are the same' python3 compare.py all.json plain
expect 'calls are counted once' python3 -c '
import json
def counts(name): return {s["site"]: s["count"] for s in json.load(open(name))["sites"]}
a, b = counts("all.json"), counts("once.json")
assert b and all(a[k] == n for k, n in b.items()), [(k, a[k], n) for k, n in b.items() if a[k] != n]'
expect 'receivers are those of other calls' python3 -c '
import json
r = json.load(open("all.json"))
assert r["rc"]["covered"] and r["unexpected"] == 0, (r["rc"], r["unexpected"])'

# Def-use pairs besides: two runs of one criterion each, in one.
for criteria in du callbacks,du rc,tm,callbacks,du; do
	folder=${criteria//,/-}
	expect "$criteria" status 0 cover $folder $criteria --
	report $folder
done
expect 'callbacks and pairs in one run are those of two' python3 "$here/same.py" callbacks-du.json callbacks=once.json du=du.json
expect 'with receivers and targets, too' python3 "$here/same.py" rc-tm-callbacks-du.json rc=all.json tm=all.json callbacks=once.json du=du.json
expect 'gates of both' status 0 "$sherd" report callbacks-du --fail-under callbacks=1,du=1
expect 'a gate that does not hold' status 1 "$sherd" report callbacks-du --fail-under callbacks=99,du=1
"$sherd" merge -o both.cov callbacks-du/run-*.cov once/run-*.cov
expect 'a merge of both' status 0 "$sherd" report both.cov --plan callbacks-du/plan.sherd
for algorithm in rta cha; do
	expect "by $algorithm" status 0 cover $algorithm callbacks --algorithm $algorithm --
	report $algorithm
	expect "nothing is ruled out by $algorithm" python3 compare.py $algorithm.json plain
	expect "and none of it" test "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["unexpected"])' $algorithm.json)" = 0
done
cover halted callbacks -- 1 wait > halted.out 2>&1 &
await bash -c 'grep -qs back.Static halted/run-*.cov'
for run in halted/run-*.cov; do run=${run##*run-}; kill -9 "${run%.cov}"; done
wait
report halted 2> halted.err
expect 'leaves data that can be read' python3 -c '
import json
r = json.load(open("halted.json"))
assert not r["runs"][0]["complete"] and not r["runs"][0].get("damaged")
covered = lambda r: {(s["site"], c["callee"]) for s in r["sites"] for c in s["callbacks"]}
assert covered(r) and covered(r) <= covered(json.load(open("once.json")))'

# What is not known excuses, and hides nothing that is.
compile -g -d plug "$here"/plug/Plug.java || exit 2
expect 'a program makes a part by its name' status 0 "$sherd" cover -q -cp plug --component 'plug.*' -o plugged --criteria callbacks --no-why -- \
	java -cp plug plug.Plug 'plug.Plug$Part'
report plugged
expect 'what unknown code may call back, too, known code does' python3 -c '
import json
r = json.load(open("plugged.json"))
of = {s["declared"].split("(")[0]: s for s in r["sites"]}
assert [c["callee"] for c in of["java.util.Map.put"]["callbacks"]] == ["plug.Plug$Key.hashCode()I"], of["java.util.Map.put"]
assert of["java.lang.reflect.Constructor.newInstance"]["open"] and r["unexpected"] == 0 and r["client"] == 1, r'

# Merging joins by class, method and call, whoever analysed.
"$sherd" merge -o merged.cov once/run-*.cov often/run-*.cov && "$sherd" merge -o again.cov often/run-*.cov merged.cov
expect 'merging twice is merging once' cmp merged.cov again.cov
cp -r rta other && rm other/run-*.cov && cp once/run-*.cov other
report other
expect 'data fits the plan of another algorithm' python3 compare.py other.json plain

# Reports
for format in text html json cobertura jacoco lcov sarif badge; do
	expect "a report: $format" status 0 "$sherd" report once --format $format -o report.$format
done
expect 'the screen says what is never called back' grep -qE 'never calls back [A-Z][A-Za-z]*\.' report.text
expect 'and by whom' grep -qE ' by [A-Z][A-Za-z$]*\.[a-z]' report.text
expect 'branches of lines' bash -c "! grep -q 'branches-valid=\"0\"' report.cobertura"
expect 'results' grep -q '"ruleId":"CB-missed"' report.sarif
expect 'the difference to itself' grep -q 'Nothing changed' <("$sherd" report --diff once once)
expect 'statistics' grep -q '"callbacks":{"required":[0-9]*,"covered":[0-9]*,"percent"' <("$sherd" report once --stats=json -o report.text 2>&1)
expect 'a gate that holds' status 0 "$sherd" report once --fail-under callbacks=1
expect 'a gate that does not' status 1 "$sherd" report once --fail-under callbacks=99
expect 'a gate of what was not measured' status 2 "$sherd" cover -cp back --component 'back.*' --fail-under callbacks=1 -o no -- true
expect 'chains besides' status 2 cover no chains,callbacks -k 2 --
expect 'say what to do' grep -q 'one after the other' "$work/err"
exit $failed
