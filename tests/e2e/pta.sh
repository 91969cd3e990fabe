#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pta.sh - algorithms that follow objects, as a user meets them: their choice, facts, explanations and budgets.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh

mkdir "$work/zoo" "$work/shapes"
compile -g -d "$work/zoo" tests/golden/cli/why-call/Zoo.java
compile -g -d "$work/shapes" examples/shapes/*.java
zoo=(-q -cp "$work/zoo" --jdk none --main zoo.Zoo)
shapes=(-q -cp "$work/shapes" --main shapes.Main)

# Every algorithm that is listed works, and says its name.
status 0 "$sherd" callgraph --algorithm help
names=$(cut -d' ' -f1 "$work/out")
expect 'algorithms are listed' test "$(echo "$names" | head -n 3 | tr '\n' ' ' | cut -c1-8)" = 'cha rta '
expect 'andersen is listed' grep -q '^andersen  *[a-z]' "$work/out"
for name in $names; do
	expect "callgraph --algorithm $name" status 0 "$sherd" callgraph "${zoo[@]}" --algorithm "$name" --format json
	expect "$name: graph" json "
assert d['schema'] == 'sherd/callgraph/1' and d['algorithm'] == '$name'
assert any(m['method'].startswith('zoo.Dog.name') for m in d['methods'])"
done
targets() {           # ALGORITHM: what zoo.Zoo.call calls
	"$sherd" callgraph "${zoo[@]}" --algorithm "$1" --format csv | sed -n 's/.*zoo\.Zoo\.call.*\(zoo\.[A-Z][a-z]*\)\.name.*/\1/p' |
		LC_ALL=C sort -u | tr '\n' ' '
}
expect 'rta: every class that is made' test "$(targets rta)" = 'zoo.Cat zoo.Dog '
expect 'andersen: the object that gets there' test "$(targets andersen)" = 'zoo.Dog '

# Receivers.
expect 'receivers' status 0 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --format json --receivers
expect 'receivers of a call' json "
site, = [s for m in d['methods'] for s in m['sites'] if m['method'].startswith('zoo.Zoo.call(') and s['op'] == 'virtual']
assert site['receivers'] == ['zoo.Dog'], site"
expect 'no receivers unless asked' bash -c "! '$sherd' callgraph -q -cp '$work/zoo' --jdk none --main zoo.Zoo --format json | grep -q receivers"

# Figures.
expect 'stats' status 0 "$sherd" callgraph "${zoo[@]}" --algorithm 1obj --stats=json
expect 'stats of the solver' json "
assert set(d['solver']) == {'instances', 'contexts', 'nodes', 'objects', 'copies', 'facts', 'joined'}
assert d['solver']['instances'] >= d['methods'] > 0 and d['solver']['facts'] > 0 and d['open_sites'] >= 0"
status 0 "$sherd" callgraph "${zoo[@]}" --stats=json
expect 'stats without a solver' json "assert 'solver' not in d and d['open_sites'] == 0"
status 0 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --stats -o "$work/graph.txt"
expect 'stats as text' grep -q '^instances [0-9]*  contexts [0-9]*  nodes' "$work/err"

# What is told apart.
expect 'heap' status 0 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --heap all=site --points-to --format json
expect 'heap: strings by place' json "
assert [o for o in d['objects'] if o.get('class') == 'java.lang.String' and o['id'] in {i for m in d['variables']
	if m['method'].startswith('zoo.') for v in m['values'] for i in v['objects']}].__len__() == 2"
expect 'heap: wrong sort' status 2 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --heap beans=site
expect 'heap: wrong sort names the right ones' grep -q 'strings, builders, exceptions, payloads, classes, leaves' "$work/err"
expect 'heap: needs objects' status 2 "$sherd" callgraph "${zoo[@]}" --algorithm cha --heap all=site

# Facts.
cat > "$work/facts.py" <<'END'
ids = [o["id"] for o in d["objects"]]
assert d["schema"] == "sherd/points-to/1" and ids == list(range(len(ids)))
assert {o["sort"] for o in d["objects"]} <= {"new", "class", "unknown", "outside"}
assert all("method" in o and "pc" in o and "class" in o for o in d["objects"] if o["sort"] == "new")
values = [v for m in d["variables"] for v in m["values"]]
for row in values + d["static_fields"] + d["fields"]:
    assert row["objects"] and row["objects"] == sorted(set(row["objects"])) and row["objects"][-1] < len(ids), row
for names in ([m["method"] for m in d["variables"]], [f["field"] for f in d["static_fields"]]):
    assert names == sorted(names) and len(names) == len(set(names))
assert all(m["values"] for m in d["variables"])
for m in d["variables"]:
    numbers = [int(v["value"][1:]) for v in m["values"]]
    assert numbers == sorted(set(numbers))
keys = [(f["object"], f["field"]) for f in d["fields"]]
assert keys == sorted(set(keys))
END
for name in cta vta steens 0cfa andersen containers 2cfa 2obj; do
	expect "facts of $name" status 0 "$sherd" callgraph "${zoo[@]}" --algorithm $name --points-to --format json
	expect "facts of $name: shape" json "$(cat "$work/facts.py")"
done
expect 'facts' status 0 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --points-to --format json
expect 'facts: a field, an element, a static field' json "
named = lambda row: {d['objects'][i].get('class') for i in row['objects']}
of = {(d['objects'][f['object']]['class'], f['field']): named(f) for f in d['fields']}
assert of['zoo.Box', 'zoo.Box.kept'] == {'zoo.Dog'} and of['zoo.Animal[]', '[]'] == {'zoo.Dog'}
assert [named(f) for f in d['static_fields'] if f['field'] == 'zoo.Zoo.star'] == [{'zoo.Cat'}]"
expect 'facts with a JDK' status 0 "$sherd" callgraph "${shapes[@]}" --algorithm 0cfa --points-to --format json
expect 'facts with a JDK: shape' json "$(cat "$work/facts.py")"
cp "$work/out" "$work/first"
status 0 "$sherd" callgraph "${shapes[@]}" --algorithm 0cfa --points-to --format json -j1
expect 'facts are the same again' cmp -s "$work/first" "$work/out"
expect 'facts in a file' status 0 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --points-to -o "$work/facts.txt"
expect 'facts in a file: text' grep -q 'zoo.Zoo.star: zoo.Cat (zoo.Zoo.main:[0-9]*)' "$work/facts.txt"
expect 'facts need objects' status 2 "$sherd" callgraph "${zoo[@]}" --points-to
expect 'facts need objects: which algorithms' grep -q 'cta, .*andersen, .*2obj' "$work/err"
expect 'facts have two formats' status 2 "$sherd" callgraph "${zoo[@]}" --algorithm andersen --points-to --format dot
expect 'receivers have one format' status 2 "$sherd" callgraph "${zoo[@]}" --receivers

# Explanations.
for name in vta 0cfa andersen 1cfa 1obj; do
	expect "why-call with $name" status 0 "$sherd" why-call zoo.Zoo.call zoo.Dog.name "${zoo[@]}" --algorithm $name --format json
	expect "why-call with $name: steps" json "
assert d['found'] and d['dispatched'] and d['receiver']['class'] == 'zoo.Dog' and d['call']['op'] == 'virtual'
assert d['steps'][0]['step'] == 'new' and d['steps'][-1]['step'] == 'call' and len(d['steps']) > 2, d"
done
expect 'why-call: none' status 1 "$sherd" why-call zoo.Zoo.call zoo.Cat.name "${zoo[@]}" --format json
expect 'why-call: none, and why' json "
assert not d['found'] and d['reason'] == 'no-site' and [s['receivers'] for s in d['sites']] == [['zoo.Dog']]"
expect 'why-call: a line' status 0 "$sherd" why-call zoo.Zoo.call:53 zoo.Dog.name "${zoo[@]}" --format json
expect 'why-call: a line: its call' json "assert d['call']['line'] == 53 and d['found'] and d['algorithm'] == 'containers', d"
expect 'why-call: a pc' status 0 "$sherd" why-call zoo.Zoo.call@1 zoo.Dog.name "${zoo[@]}"
expect 'why-call: a line of the class' status 0 "$sherd" why-call zoo.Zoo:72 zoo.Zoo.pick "${zoo[@]}"
expect 'why-call: another line' status 1 "$sherd" why-call zoo.Zoo.main:73 zoo.Zoo.pick "${zoo[@]}"
expect 'why-call: another line: the line' grep -q 'zoo.Zoo.main:72  calls zoo.Zoo.pick' "$work/out"
expect 'why-call: a line without calls' status 2 "$sherd" why-call zoo.Zoo.call:54 zoo.Dog.name "${zoo[@]}"
expect 'why-call: a line without calls: those that there are' grep -q '^    zoo.Zoo.call(.*@1  line 53  calls zoo.Animal.name' "$work/err"
expect 'why-call: ambiguous' status 2 "$sherd" why-call zoo.Zoo.call zoo.Fox.name "${zoo[@]}"
expect 'why-call: candidates' test "$(grep -c '^    zoo.Fox.name(' "$work/err")" = 2
expect 'why-call: unknown class' status 2 "$sherd" why-call zoo.Zoo.call zoo.Wolf.name "${zoo[@]}"
expect 'why-call: one operand' status 2 "$sherd" why-call zoo.Zoo.call "${zoo[@]}"
expect 'why-call without objects shows the call' status 0 "$sherd" why-call zoo.Zoo.call zoo.Dog.name "${zoo[@]}" --algorithm rta
expect 'why-call through a JDK' status 0 "$sherd" why-call shapes.Main.total 'shapes.Main$Square.area' "${shapes[@]}"
expect 'why-call into a lambda' status 0 "$sherd" why-call 'shapes.Main.lambda$main$0' 'shapes.Main$Shape.describe' "${shapes[@]}"

# Budgets: nothing is left, and the message says how far the run came and what to try.
mkdir "$work/budget"
slow=(callgraph -q -cp "$work/shapes" --main shapes.Main --algorithm 2obj --format csv -o "$work/budget/g.csv")
expect 'timeout' stopped_in_analysis "$sherd" "${slow[@]}"
expect 'timeout: how far, what to try' grep -qE \
	'^sherd: error: stopped by --timeout after [0-9,]+ methods \(2obj\); nothing was written; try --algorithm [a-z0-9-]+, or more time$' "$work/err"
expect 'timeout leaves nothing' test -z "$(ls "$work/budget")"
if ! grep -q __asan_init "$sherd"; then            # the sanitizer alone needs more memory than any budget
	expect 'memory' status 3 "$sherd" "${slow[@]}" --memory 60
	expect 'memory: how far, what to try' grep -qE \
		'^sherd: error: stopped by --memory after [0-9,]+ methods \(2obj\); nothing was written; try --algorithm [a-z0-9-]+, or more memory$' "$work/err"
	expect 'memory leaves nothing' test -z "$(ls "$work/budget")"
else
	skip memory 'optional: sherd is built with a sanitizer'
fi
exit $failed
