#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# application.sh - call graphs of applications: every callback that a run shows is there, at its line; those that its source says are
# there and no others; each precision finds what the next one does.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
source=$PWD/tests/e2e/application/Notes.java
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d classes "$source" || exit 2
java -cp classes notes.Notes > seen || exit 2
cat > compare.py <<'PY'
import json, re, sys

def short(m):                        # notes.Red.toString()Ljava/lang/String; -> notes.Red.toString
	return m[:m.index('(')]

def edges(path):
	return {(short(e['caller']), e.get('line', 0), e['kind'], short(e['callee'])) for e in json.load(open(path))['edges']}

def full(path):
	return {(e['site'], e['callee']) for e in json.load(open(path))['edges'] if e['kind'] != 'direct'}
PY

run() {               # PRECISION [OPTION...]: leaves PRECISION.json
	local precision=$1
	shift
	status 0 "$sherd" callbacks -q -cp classes --main notes.Notes --precision "$precision" --format json -o "$precision.json" "$@"
}
has_all_seen() {      # FILE
	python3 - "$1" <<'PY'
import sys; sys.path.insert(0, '.')
from compare import *
found = edges(sys.argv[1])
seen = [line.split() for line in open('seen') if line.split()[0] in ('back', 'later')]
assert len(seen) > 12, seen
for sort, caller, line, callee in seen:
	if sort == 'later':
		ok = any(f[2] != 'direct' and f[3] == callee for f in found)
	else:
		ok = any(f[0] == caller and f[1] == int(line) and f[2] == 'callback' and f[3] == callee for f in found)
	assert ok, 'a run shows it, the graph has not: %s %s:%s -> %s' % (sort, caller, line, callee)
PY
}
has_what_source_says() {        # FILE
	python3 - "$1" "$source" <<'PY'
import sys; sys.path.insert(0, '.')
from compare import *
found, checked = edges(sys.argv[1]), 0
for n, text in enumerate(open(sys.argv[2]), 1):
	said = re.search(r'// (only: (.*)|none)$', text.rstrip())
	if not said or text.lstrip().startswith('//'):
		continue
	want = {'notes.' + m for m in (said.group(2) or '').split()}
	got = {f[3] for f in found if f[1] == n and f[2] != 'direct'}
	assert got == want, (n, got, want)
	checked += 1
assert checked == 4, checked
PY
}
is_within() {         # FILE FILE
	python3 - "$1" "$2" <<'PY'
import sys; sys.path.insert(0, '.')
from compare import *
small, large = full(sys.argv[1]), full(sys.argv[2])
assert small and small <= large, sorted(small - large)[:5]
PY
}

for p in simple datareach m-datareach v-datareach va-datareach va-datareach-ft; do
	expect "$p is computed" run $p
	expect "$p has every callback of the run" has_all_seen $p.json
done
expect "va-datareach-ft calls back what the source says" has_what_source_says va-datareach-ft.json
expect "va-datareach-ft is within va-datareach" is_within va-datareach-ft.json va-datareach.json
expect "va-datareach is within v-datareach" is_within va-datareach.json v-datareach.json
expect "v-datareach is within m-datareach" is_within v-datareach.json m-datareach.json
expect "m-datareach is within datareach" is_within m-datareach.json datareach.json
expect "datareach is within simple" is_within datareach.json simple.json
expect "simple has more" test "$(grep -c '"kind":"callback"' simple.json)" -gt "$(grep -c '"kind":"callback"' va-datareach-ft.json)"
cp va-datareach-ft.json andersen.json
expect "by 0cfa" run va-datareach-ft --algorithm 0cfa
expect "by 0cfa: every callback of the run" has_all_seen va-datareach-ft.json
expect "by 1obj" run va-datareach-ft --algorithm 1obj
expect "by 1obj: every callback of the run" has_all_seen va-datareach-ft.json
expect "simple by rta" run simple --algorithm rta
expect "simple by rta: every callback of the run" has_all_seen simple.json
expect "an algorithm without variables is refused" status 2 "$sherd" callbacks -cp classes --main notes.Notes --algorithm rta
expect "and what to do is said" grep -q "'simple'" err
expect "a pattern that matches nothing is refused" status 2 "$sherd" callbacks -cp classes --main notes.Notes --application 'note.*'
expect "the screen" status 0 "$sherd" callbacks -q -cp classes --main notes.Notes --application 'notes.*'
expect "the screen names a callback" grep -q 'notes.Blue.toString()' out
has_witnesses() {     # FILE: of each callback but of what reflection itself calls, through the library, from the callee to who calls back
	python3 - "$1" <<'PY'
import json, sys
edges = json.load(open(sys.argv[1]))['edges']
back = [e for e in edges if e['kind'] != 'direct']
ways = [e for e in back if 'witness' in e]
assert len(ways) > 25 and len(back) - len(ways) <= 3, (len(back), len(ways))
for e in ways:
	steps = e['witness']['steps']
	assert not any(s['method'].startswith('notes.') and '$$Lambda' not in s['method'] for s in steps), e
	assert steps[-1]['method'] == e['by'], e
sort = [e for e in ways if e['callee'].startswith('notes.Key.compareTo(Ljava/lang/Object;)') and 'Collections.sort' in e['declared']]
assert sort and all('java.util.Collections.sort' in e['witness']['steps'][0]['method'] and 'notes.Key' in e['witness']['object'] for e in sort)
PY
}
expect "with witnesses" run va-datareach-ft --witnesses --stats=json
expect "callbacks have a way through the library" has_witnesses va-datareach-ft.json
expect "none of them was refused" grep -q '"refused_witnesses":0' out
expect "why-call shows it" status 0 "$sherd" why-call notes.Notes.keys notes.Key.hashCode -q -cp classes --main notes.Notes
expect "step by step" grep -q 'java.util.HashMap.hash:[0-9]*  calls  notes.Key.hashCode' out
expect "at its line" status 0 "$sherd" why-call "notes.Notes.keys:$(sed -n 's/.*Call  *notes.Notes.keys:\([0-9]*\) .*/\1/p' out | head -n 1)" notes.Key.hashCode -q -cp classes --main notes.Notes
expect "by one call alone" test "$(grep -c '  Call  ' out)" = 1
expect "at another line" status 1 "$sherd" why-call "notes.Notes.main:$(grep -n 'keys(' "$source" | tail -n 1 | cut -d: -f1)" notes.Key.hashCode -q -cp classes --main notes.Notes
expect "as JSON" status 0 "$sherd" why-call notes.Notes.keys notes.Key.hashCode -q -cp classes --main notes.Notes --algorithm containers --format json
expect "with its steps" grep -q '"steps":\[{"method":"java.util.HashMap.put' out
expect "what is called neither way" status 1 "$sherd" why-call notes.Key.hashCode notes.Notes.keys -q -cp classes --main notes.Notes
is_walked() {         # FILE FILE: where there was no time, callbacks are those of the whole graph
	python3 - "$1" "$2" <<'PY'
import json, sys; sys.path.insert(0, '.')
from compare import *
some, simple = (json.load(open(f)) for f in sys.argv[1:])
assert some['unfinished'] > 0 and {e['kind'] for e in some['edges'] if e.get('walked')} >= {'callback'}
assert full(sys.argv[1]) <= full(sys.argv[2])
PY
}
compiler() {          # PRECISION [OPTION...]: of the JDK's compiler, which takes longer than a second by any precision but simple
	local precision=$1
	shift
	status 0 "$sherd" callbacks --main com.sun.tools.javac.Main --application 'com.sun.tools.javac.**' --algorithm 0cfa \
		--only com.sun.tools.javac.util.Options --precision "$precision" --format json -o "compiler-$precision.json" "$@"
}
expect "a large program" compiler simple
expect "without time" compiler datareach --call-limit 1
expect "which is said, with what to do" grep -q 'warning.W080.: .* library calls took too long .*--call-limit SECONDS, or take .*--algorithm' err
expect "the rest is walked, and marked" is_walked compiler-datareach.json compiler-simple.json
expect "rows" status 0 "$sherd" callbacks -q -cp classes --main notes.Notes --format csv
expect "rows have a head" grep -q '^caller,pc,line,kind,callee' out
expect "a page" status 0 "$sherd" callbacks -q -cp classes --main notes.Notes --format html -o page.html -j1
expect "and with more threads" status 0 "$sherd" callbacks -q -cp classes --main notes.Notes --format html -o pages.html -j4
expect "the page is the same" cmp page.html pages.html
expect "the page names a method" grep -q '"writeBlue"' page.html
exit $failed
