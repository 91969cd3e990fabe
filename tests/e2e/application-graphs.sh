#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# application-graphs.sh - call graphs of applications in formats for graphs: each has the edges that the JSON has, with their kinds.
# Selections have the edges that they name; what they do not name is refused with what to do.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
source=$PWD/tests/e2e/application/Notes.java
check_graph=$PWD/tests/e2e/application/graphs.py
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d classes "$source" || exit 2

notes() { status 0 "$sherd" callbacks -q -cp classes --main notes.Notes "$@"; }
expect "everything, as JSON" notes --format json -o all.json
for f in dot graphml sqlite mermaid; do
	expect "$f is written" notes --format $f -o graph
	expect "$f has the edges, by kind" python3 "$check_graph" $f all.json
done
expect "a database needs a name" status 2 "$sherd" callbacks -cp classes --main notes.Notes --format sqlite
if [ -x "$(command -v dot)" ]; then
	expect "dot in boxes is written" notes --format dot --clusters -o graph
	expect "Graphviz draws it" status 0 dot -Tsvg graph -o graph.svg
	expect "a box for the package" grep -q '<title>cluster_notes</title>' graph.svg
else
	echo "ok Graphviz draws it # skip no dot"
fi

# Selections: Python over the edges of everything, `want`, and of the selection, `got`
selected() {
	python3 - "$1" <<'PY'
import json, sys
want, got = ([(e['site'], e['caller'], e['kind'], e['callee']) for e in json.load(open(f))['edges']] for f in ('all.json', 'part.json'))
def of(method):
	return method[:method.index('(')].rpartition('.')[0]
def closed(start):                   # all that they call
	seen = set()
	while start - seen:
		seen |= start
		start = start | {e[3] for e in want if e[1] in start}
	return [e for e in want if e[1] in seen]
assert eval(sys.argv[1]), got
PY
}
page=notes.Page.writeOuter
expect "classes are selected" notes --only 'notes.Page,notes.Red' --format json -o part.json
expect "calls from and to them" selected "0 < len(got) < len(want) and got == [e for e in want if {of(e[1]), of(e[3])} & {'notes.Page', 'notes.Red'}]"
expect "a method is selected" notes --from $page --depth 1 --format json -o part.json
expect "its own calls" selected "got and got == [e for e in want if e[1] == '$page()Ljava/lang/StringBuffer;']"
expect "a method is selected with all that it calls" notes --from $page --format json -o part.json
expect "and no others" selected "len(got) < len(want) and got == closed({'$page()Ljava/lang/StringBuffer;'})"
expect "both" notes --from $page --only notes.Outer --format json -o part.json
expect "have the calls of both" selected "got and got == [e for e in closed({'$page()Ljava/lang/StringBuffer;'}) if 'notes.Outer' in (of(e[1]), of(e[3]))]"

fails() {             # TEXT OPTION...
	local text=$1
	shift
	status 2 "$sherd" callbacks -cp classes --main notes.Notes "$@" && grep -q -e "$text" err
}
expect "a selection without a class" fails 'matches --only notes.Page2' --only notes.Page2
expect "a method that is not there" fails 'declares no method writ' --from notes.Page.writ
expect "one of several" fails 'add the descriptor' --from notes.Key.compareTo
expect "one of a library" fails 'is a method of a library' --from java.lang.String.length
expect "a depth from nowhere" fails 'name it with --from' --depth 2

# What changed: writeBlue has a Red, and all lines are one further down
mkdir changed && sed '1i // a line more' "$source" | sed 's/Blue b = new Blue();/Red b = new Red();/' > changed/Notes.java
expect "a changed program" compile -g -d changed changed/Notes.java
expect "its graph" status 0 "$sherd" callbacks -q -cp changed --main notes.Notes --format json -o changed.json
changes() {           # OLD NEW, on the diff `out`
	python3 - "$@" <<'PY'
import json, sys
old, new = (json.load(open(f))['edges'] for f in sys.argv[1:3])
diff = json.load(open('out'))
kinds = ['direct', 'callback', 'later']
def calls(edges):
	found = {}
	for e in edges:
		found.setdefault((e['caller'], e['kind'], e['callee']), set()).update({e['line']} if 'line' in e else ())
	return found
old, new = calls(old), calls(new)
got = [(c['caller'], c['kind'], c['callee'], c['change'], c['lines']) for c in diff['changes']]
want = [(*c, 'removed', sorted(old[c])) for c in old if c not in new] + [(*c, 'added', sorted(new[c])) for c in new if c not in old]
assert got == sorted(want, key=lambda c: (c[0], kinds.index(c[1]), *c[2:])), got
for kind in kinds:
	for key in ('added', 'removed'):
		assert diff[key][kind] == sum(c[1] == kind and c[3] == key for c in got)
	assert diff['new'][kind] - diff['old'][kind] == diff['added'][kind] - diff['removed'][kind]
assert diff['differs'] == []
def places(edges):
	found = {}
	for e in edges:
		found.setdefault((e['caller'], e['kind'], e['callee']), []).append(e.get('declared', ''))
	return {k: sorted(v) for k, v in found.items()}
a, b = (places(json.load(open(f))['edges']) for f in sys.argv[1:3])
want = [(*k, len(a[k]), len(b[k])) for k in a if k in b and a[k] != b[k]]
got = [(c['caller'], c['kind'], c['callee'], c['old'], c['new']) for c in diff['places']]
assert got == sorted(want, key=lambda c: (c[0], kinds.index(c[1]), *c[2:])), (got, want)
PY
}
diff() { status 0 "$sherd" callbacks --diff "$@"; }
expect "a diff" diff all.json changed.json --format json
expect "has what is in one graph only" changes all.json changed.json
expect "a callback was added" grep -q '"change":"added","caller":"notes.Page.writeBlue.*"callback","callee":"notes.Red.toString.*"lines":\[70\],"declared":"java.lang.StringBuffer.append' out
expect "and one removed" grep -q '"change":"removed","caller":"notes.Page.writeBlue.*"callback","callee":"notes.Blue.toString.*"lines":\[69\]' out
expect "the other way round" diff changed.json all.json --format json
expect "has it, too" changes changed.json all.json
expect "against what is computed" diff all.json -cp changed --main notes.Notes --format json
expect "it is the same" changes all.json changed.json
expect "as text" diff all.json changed.json
expect "with lines and ways" grep -q '^ *70  callback  notes.Red.toString()  through StringBuffer.append$' out
expect "nothing changed" diff all.json all.json --fail-on changed
expect "which is said" grep -q 'The same calls' out
expect "a gate fails" status 1 "$sherd" callbacks --diff all.json changed.json --fail-on added
expect "with what was added" grep -q -e '--fail-on added: 2 added' err
expect "the other gate, too" status 1 "$sherd" callbacks --diff all.json changed.json --fail-on removed
grep -v '"caller":"notes.Page.writeBlue' all.json | sed '$!b; s/,$//' > less.json
expect "calls that went" diff all.json less.json --fail-on added
# A whole call of a library went; another one of the same method calls back the same.
python3 - <<'PY'
import json
r = json.load(open('all.json'))
rows = [json.dumps(e) for e in r['edges']]
again = [i for i, e in enumerate(r['edges']) if e['kind'] == 'callback' and
	any(i != k and (e['caller'], e['kind'], e['callee']) == (o['caller'], o['kind'], o['callee']) for k, o in enumerate(r['edges']))]
assert again
del r['edges'][again[0]]
json.dump(r, open('fewer.json', 'w'), indent=0)
PY
expect "a call of a library that went" diff all.json fewer.json --fail-on changed --format json
expect "has other places" changes all.json fewer.json
expect "which are one fewer" grep -q '^{"caller":"notes.*"kind":"callback".*"old":[2-9],"new":[1-8]}\]}$' out
expect "as text" diff all.json fewer.json
expect "that is said besides" grep -q '^The same at other places  1$' out
expect "and where" grep -qE '^ +[2-9] → [1-8]    callback  notes' out
sed 's/va-datareach-ft/simple/' all.json > simple.json
expect "results of other ways" diff all.json simple.json
expect "are told" grep -q 'all.json: warning\[W079\]: .*: precision;' err
: > empty.json
head -c 900 all.json > cut.json
sed 's,sherd/callbacks/1,sherd/callbacks/9,' all.json > later.json
refused() {           # TEXT OPTION...
	local text=$1
	shift
	status 2 "$sherd" callbacks "$@" && grep -q -e "$text" err
}
expect "a file that is not there" refused 'nothing.json: error\[E078\]' --diff nothing.json all.json
expect "an empty one" refused "empty.json: error\[E078\]: line 1: '{' expected" --diff all.json empty.json
expect "one that breaks off" refused 'cut.json: error\[E078\]: line [2-9]' --diff cut.json all.json
expect "one of another schema" refused 'line 1: the schema is not' --diff later.json all.json
expect "two files and a program" refused '-cp is for computing one' --diff all.json all.json -cp classes
expect "three files" refused 'compares two results' --diff all.json all.json all.json
expect "a picture of a diff" refused 'use text or json' --diff all.json all.json --format dot
expect "a gate without a diff" refused 'name an earlier result' -cp classes --main notes.Notes --fail-on added

# Applications that are perhaps not what was meant
application() {       # TEXT PATTERNS
	status 0 "$sherd" callbacks -cp classes --main notes.Notes --precision simple --algorithm rta --application "$2" --format csv && grep -q "W080.*$1" err
}
expect "classes of the JDK are an application" application 'classes of the JDK are the application' 'java.util.zip.**,java.util.ArrayList'
expect "with calls of their own" grep -q '^java.util.ArrayList.*,direct,java.util.ArrayList' out
expect "and of no others" test -z "$(grep -v -e '^java.util.ArrayList' -e '^java.util.zip' -e '^caller,pc' out)"
expect "everything is the application" application 'calls no library' '**'
expect "nothing of it runs" application 'no method of the application is reached' 'javax.swing.*'

# More arrows than a page draws: 40 methods that call 13 others, and are made and called by main
{
	echo "package many; public class M { public static void main(String[] a) {"
	for i in $(seq 1 40); do echo "new A$i().run();"; done
	echo "}"
	for k in $(seq 1 13); do echo "static void m$k() {}"; done
	echo "}"
	for i in $(seq 1 40); do
		echo "class A$i { void run() {"
		for k in $(seq 1 13); do echo "M.m$k();"; done
		echo "} }"
	done
} > M.java
expect "many calls are compiled" compile -d many M.java
expect "a flowchart of them is refused" status 2 "$sherd" callbacks -q -cp many --main many.M --format mermaid
expect "with what to do" grep -q '600 arrows.*--from METHOD --depth N' err
expect "a part of it is drawn" status 0 "$sherd" callbacks -q -cp many --main many.M --format mermaid --from many.A1.run
expect "13 arrows" test "$(grep -c -e '-->' out)" = 13
exit $failed
