#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# chains.sh - call chains of components (sherd chains): a worked example (tests/examples/ledger) chain by chain; random components
# against an enumeration that tries every call after every other (tests/laws/chains.py); and what holds for any component.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
ledger=tests/examples/ledger
laws=tests/laws/chains.py

mkdir "$work/ledger"
compile -g -d "$work/ledger" $ledger/*/*.java || exit 2
chains() { "$sherd" chains -q --jdk none -cp "$work/ledger" --component 'ledger.*' "$@"; }
same() { diff "$1" <(chains "${@:2}"); }

expect 'the forest for two calls' same $ledger/forest.csv -k 2 --prune none --format csv
expect 'an infeasible chain is there' grep -q 'describe()Ljava/lang/String; > .*describe(Z).* > .*getGroup()C' $ledger/forest.csv
only_that() { [ "$(same $ledger/forest.csv -k 2 --format csv | grep '^[<>]')" = "< $(grep 'describe()Ljava.*getGroup' $ledger/forest.csv)" ]; }
expect 'with conditions it is not, and all others are' only_that
reason() {            # what rules it out, and where
	chains -k 3 --format json | python3 -c 'import json, sys
d = json.load(sys.stdin)
(r,) = d["pruned"]
names = [d["entries"][r["entry"]]] + [d["calls"][i]["callee"] for i in r["calls"]]
assert [n.split("(")[0].split(".")[-1] for n in names] == ["describe", "describe", "getGroup"], names
why = r["reason"]
assert (why["method"], why["line"], why["text"]) == ("ledger.MoneyFormat.describe(Z)Ljava/lang/String;", 29, "parameter 1 is false"), why
assert d["stats"]["pruned"] == {"2": 1, "3": 1}, d["stats"]'
}
expect 'and the reason is said, once' reason

# Assertions
echo '# nobody has groups
chain ledger.MoneyFormat.describeHere() > ledger.MoneyFormat.describe(*) > ledger.Signs is impossible because nobody here has groups' > "$work/asserted"
asserted() {
	chains -k 3 --assert "$work/asserted" --granularity $1 --format json | python3 -c 'import json, sys
d = json.load(sys.stdin)
(a,) = d["assertions"]
assert a["line"] == 2 and a["calls"] == 1 and a["because"] == "nobody here has groups", a
s = d["stats"]
assert (s["chains"], s["pruned"], s["asserted"]) == ({"1": 5, "2": 2}, {"2": 1, "3": 1}, {"2": 1, "3": 1}), s
assert not any("getGroup" in d["calls"][i]["callee"] for c in d["chains"] for i in c["calls"])'
}
expect 'an assertion takes a chain out, and what goes on from it' asserted receiver
expect 'also by method' asserted method
expect 'and the screen says why' bash -c "'$sherd' chains -q --jdk none -cp '$work/ledger' --component 'ledger.*' -k 3 --assert '$work/asserted' | grep -q 'because nobody here has groups'"
wrong() {             # TEXT LINE: what is said of the second line of a file
	echo "$2" | cat "$work/asserted" - > "$work/wrong"
	status 2 "$sherd" chains -q --jdk none -cp "$work/ledger" --component 'ledger.*' -k 3 --assert "$work/wrong" && grep -qF "wrong:3: $1" "$work/err" ||
		{ cat "$work/err"; return 1; }
}
expect 'assertions of no method' wrong "'ledger.Nobody.x(*)' names no method" 'chain ledger.Signs.getGroup() > ledger.Nobody.x(*) is impossible because x'
expect 'assertions of no chain' wrong 'no chain begins with' 'chain ledger.Signs.getGroup() > ledger.MoneyFormat.describe() is impossible because x'
expect 'assertions of an entry alone' wrong "'ledger.Signs.getGroup()' is no chain" 'chain ledger.Signs.getGroup() is impossible because x'
expect 'what is no assertion' wrong "'ledger.Signs.getGroup() > x' is no assertion: write" 'ledger.Signs.getGroup() > x'
expect 'assertions that are not there' status 2 "$sherd" chains -q --jdk none -cp "$work/ledger" --component 'ledger.*' -k 3 --assert "$work/nothing"

expect 'the next call is not' bash -c "! grep -q 'describe.*usualGroup' $ledger/forest.csv"
expect 'it is, with three' bash -c "'$sherd' chains -q --jdk none -cp '$work/ledger' --component 'ledger.*' -k 3 --prune none --format csv | grep -q 'describe.*usualGroup'"
expect 'what comes back, at level 1' same $ledger/reentered.csv -k 4 --length main --levels 1+ --format csv
expect 'a diagram' same $ledger/describe.mmd -k 2 --prune none --from 'ledger.MoneyFormat.describe()' --format mermaid
expect 'a diagram for PlantUML, of one chain' same $ledger/describe.puml -k 2 --prune none --chain 8 --format plantuml

expect 'classes of clients are one label' bash -c "'$sherd' chains -q --jdk none -cp '$work/ledger' --component 'ledger.*' -k 1 --clients open --format csv |
	grep -cF 'describe()Ljava/lang/String; > @2 [client]' | grep -qx 1"

# Random components
law() {               # SEED: each granularity, both treatments of recursion
	local d=$work/g$1 g r
	mkdir -p "$d/g" "$d/classes"
	python3 $laws generate "$1" "$d" && compile -g -nowarn -d "$d/classes" "$d"/g/*.java 2> "$d/err" || return 1
	"$sherd" requirements -q --jdk none -cp "$d/classes" --component 'g.*' --format json -o "$d/req.json" || return 1
	for g in method site receiver; do
		for r in unroll backedges; do
			"$sherd" chains -q --jdk none -cp "$d/classes" --component 'g.*' -k 4 --prune none --granularity $g --recursion $r --format json \
				-o "$d/chains.json" || return 1
			python3 $laws compare "$d/model.json" "$d/req.json" "$d/chains.json" || { echo "seed $1 $g $r"; return 1; }
		done
	done
}
all_laws() {
	local seed n=3
	[ "$TIER" != all ] || n=200
	for ((seed = 1; seed <= n; seed++)); do
		law $seed || return 1
	done
}
expect 'random components have the chains that trying finds' all_laws

# Conditions: methods called dead* are called only where conditions rule it out, those called live* where they do not. A run of all
# entries shows that this is so, and prints the stacks.
mkdir "$work/cond"
compile -g -d "$work/cond" tests/e2e/chains/cond/*.java || exit 2
conditions() { "$sherd" chains -q -cp "$work/cond" --component 'cond.*,!cond.Main,!cond.Seen' -k 8 "$@"; }
ends() { grep -oE "cond\.[A-Za-z\$]+\.$1[A-Za-z]*\(\)V\"\$" "$work/$2.csv" | sort -u; }
ruled_out() {
	conditions --format csv -o "$work/pruned.csv" && conditions --prune none --format csv -o "$work/whole.csv" || return 1
	[ "$(ends dead whole | wc -l)" -ge 20 ] && diff <(ends dead pruned) /dev/null
}
expect 'calls that conditions rule out are gone' ruled_out
expect 'no others are' bash -c "diff <($(declare -f ends); work=$work; ends live whole) <($(declare -f ends); work=$work; ends live pruned)"
ran() {
	java -ea -cp "$work/cond" cond.Main > "$work/stacks" && [ "$(wc -l < "$work/stacks")" -gt 30 ] &&
		conditions --granularity site --format json -o "$work/sites.json" && python3 $laws ran "$work/stacks" "$work/sites.json"
}
expect 'what runs is there' ran

# Class initialisers run on top of the code that needs their class, and nowhere else: an array or a constant needs none.
mkdir "$work/init"
compile -g -d "$work/init" tests/e2e/chains/init/*/*.java || exit 2
entered() { "$sherd" chains -q -cp "$work/init" --component 'init.*' -k 4 --length main --format csv | grep -v ' > ' | grep "$1" | tr -d '"'; }
initialised() {
	diff - <(entered 'init\.By.*<clinit>' | sort) <<- 'end'
		0,1,init.ByLibrary.<clinit>()V
		1,2,init.ByCall.<clinit>()V
		1,2,init.ByField.<clinit>()V
		1,2,init.ByName.<clinit>()V
		1,2,init.ByReference.<clinit>()V
		1,2,init.BySubclass.<clinit>()V
		1,3,init.ByInitialiser.<clinit>()V
		1,3,init.ByLibrary.<clinit>()V
		2,4,init.ByCall.<clinit>()V
	end
}
expect 'initialisers run on top of what needs them' initialised
expect 'and come back from outside' bash -c "diff <(echo 0,1; echo 1,3) <($(declare -f entered); sherd=$sherd; work=$work; entered ByLibrary.value | cut -d, -f1,2)"
echo '-keep class init.ByField { <clinit>(); }' > "$work/rules.pro"
by_facts() { "$sherd" chains -q -cp "$work/init" --component 'init.*' -k 1 --length main --facts "$work/rules.pro" --algorithm $1 --format csv | grep -q 'ByField.<clinit>'; }
expect 'or by whom nobody knows' by_facts andersen
expect 'also by types' by_facts rta

# At an entry `this` is of a class that code outside has: clients have no Hidden, but by lambdas any may come.
mkdir "$work/enter"
compile -g -d "$work/enter" tests/e2e/chains/enter/*/*.java || exit 2
steps() { "$sherd" chains -q -cp "$work/enter" --component 'enter.*' -k 3 --format csv | grep -o 'enter.*step' | sed 's/()V//g; s/enter\.//g'; }
entered_with() {
	diff - <(steps) <<- 'end'
		Base.go > @1 [Base] Base.step
		Base.go > @1 [Shown] Shown.step
		Base.passed > @1 [Hidden] Hidden.step
		Base.within > @3 [Hidden] Base.go > @1 [Hidden] Hidden.step
	end
}
expect 'entries are called on what code outside has' entered_with

# What code outside passes: a stack has what its own calls pass, and clients what they were given.
mkdir "$work/pass"
compile -g -d "$work/pass" tests/e2e/chains/pass/*/*.java || exit 2
passed() { "$sherd" chains -q -cp "$work/pass" --component 'pass.*' -k $1 --length main --format csv | tr -d '"' | grep "$2" | sed 's/Ljava.lang.String;$//; s/pass\.Api[$.]*//g'; }
comes_back() {
	diff - <(passed 4 'toString') <<- 'end'
		1,3,Kept.toString()
		1,4,Listed.toString()
		1,3,Shown.toString()
	end
}
expect 'what comes back is what was passed on the way' comes_back
expect 'and more from farther away' bash -c "$(declare -f passed); sherd=$sherd; work=$work; passed 6 toString | grep -qx '1,6,Far.toString()'"
enters_with() {
	diff - <(passed 3 '\(step\|hidden\)()V$' | sed 's/([^)]*)V//g') <<- 'end'
		0,2,take > @1 [Given] Given.step
		0,2,take > @1 [Mark] Mark.step
		0,3,takeHidden > @3 take > @1 [Hidden] Hidden.step
		0,3,takeHidden > @3 take > @11 hidden
	end
}
expect 'entries are passed what clients have' enters_with

# Any component
csv=/usr/share/java/commons-csv.jar
list() {              # NAME ARGUMENT...: leaves $work/NAME
	"$sherd" chains -q "${component[@]}" "${@:2}" -o "$work/$1"
}
rows() { echo $(($(wc -l < "$work/$1") - 1)); }
total() { "$sherd" chains -q "${component[@]}" "$@" --stats=json | python3 -c 'import json, sys; print(sum(json.load(sys.stdin)["chains"].values()))'; }

pruned() {            # chains without those that conditions rule out are among all
	list whole.csv -k 4 --prune none --format csv && list part.csv -k 4 --format csv && python3 $laws within "$work/part.csv" "$work/whole.csv" &&
		[ "$(rows part.csv)" -lt "$(rows whole.csv)" ] &&
		[ $(($(rows whole.csv) - $(rows part.csv))) = "$("$sherd" chains -q "${component[@]}" -k 4 --stats=json |
			python3 -c 'import json, sys; print(sum(json.load(sys.stdin)["pruned"].values()))')" ]
}
projections() {
	local g
	list fine.json -k 3 --format json || return 1
	for g in site method; do
		list $g.json -k 3 --granularity $g --format json && python3 $laws projects "$work/fine.json" "$work/$g.json" || return 1
	done
	list levels.json -k 2 --levels 0-1 --format json && list l-method.json -k 2 --levels 0-1 --granularity method --format json &&
		python3 $laws projects "$work/levels.json" "$work/l-method.json"
}
policies() {
	local a b= order='andersen 0cfa rta cha'
	for a in $order; do
		list $a.csv -k 3 --format csv --algorithm $a || return 1
		[ -z "$b" ] || python3 $laws within "$work/$b.csv" "$work/$a.csv" || { echo "$b $a"; return 1; }
		b=$a
	done
}
lengths() {
	list k2.csv -k 2 --format csv && list k3.csv -k 3 --format csv && python3 $laws within "$work/k2.csv" "$work/k3.csv" &&
		list m3.csv -k 3 --length main --format csv && list m4.csv -k 4 --length main --format csv &&
		python3 $laws within "$work/m3.csv" "$work/m4.csv" &&
		[ "$(rows k3.csv)" = "$(total -k 3)" ] && [ "$(rows m4.csv)" = "$(total -k 4 --length main)" ]
}
filters() {           # METHOD: chains through it, and those not, are all
	list in.csv -k 3 --through "$1" --format csv && list out.csv -k 3 --not-through "$1" --format csv &&
		sort -u "$work/in.csv" "$work/out.csv" | diff -q - <(sort "$work/k3.csv") &&
		[ $(($(rows in.csv) + $(rows out.csv))) = "$(rows k3.csv)" ] && [ "$(rows in.csv)" -gt 0 ]
}
nth() {               # N: the chain of that number is that row
	list one.csv -k 3 --chain "$1" --format csv && [ "$(tail -n 1 "$work/one.csv")" = "$(sed -n $(($1 + 1))p "$work/k3.csv")" ]
}

component=(--jdk none -cp "$work/ledger" --component 'ledger.*' --clients open)
expect 'open clients: coarse chains are projections' projections
component=(--component 'java.util.zip.*')
expect 'java.util.zip: coarse chains are projections' projections
expect 'java.util.zip: conditions only rule out' pruned
expect 'java.util.zip: precise analyses have fewer' policies
expect 'java.util.zip: longer chains are more, and counted' lengths
expect 'java.util.zip: filters' filters 'java.util.zip.DeflaterOutputStream.close(*)'
expect 'java.util.zip: filters of calls' filters 'java.util.zip.**->java.util.zip.Inflater'
filter_file() {       # options, and a file with the same
	printf 'k 3\nfrom java.util.zip.*\nfrom !java.util.zip.CRC32\nthrough java.util.zip.Inflater # one\nthrough java.util.zip.*->java.util.zip.Inflater\n%s\n' \
		'not-through java.util.zip.Inflater.end(*)' > "$work/filter"
	list option.csv -k 3 --from 'java.util.zip.*,!java.util.zip.CRC32' --through java.util.zip.Inflater \
		--through 'java.util.zip.*->java.util.zip.Inflater' --not-through 'java.util.zip.Inflater.end(*)' --format csv &&
		list file.csv --filter "$work/filter" --format csv && cmp "$work/option.csv" "$work/file.csv" && [ "$(rows file.csv)" -gt 0 ]
}
expect 'java.util.zip: filters in a file' filter_file
expect 'java.util.zip: all but these' test "$(total -k 2 --from '!java.util.zip.CRC32')" = "$(total -k 2 --from 'java.util.zip.*,!java.util.zip.CRC32')"
expect 'java.util.zip: the last chain by its number' nth "$(rows k3.csv)"
component=(--component 'java.text.*')
expect 'java.text: coarse chains are projections' projections
expect 'java.text: conditions only rule out' pruned
if [ -f $csv ]; then
	component=(-cp $csv --component 'org.apache.commons.csv.*')
	expect 'commons-csv: coarse chains are projections' projections
	expect 'commons-csv: conditions only rule out' pruned
	expect 'commons-csv: precise analyses have fewer' policies
else
	echo 'ok commons-csv # skip no such jar'
fi

if [ "$TIER" = all ]; then
	expect 'commons-csv: longer chains are more, and counted' lengths
	component=(--component 'java.text.*')
	expect 'java.text: precise analyses have fewer' policies
	expect 'java.text: longer chains are more, and counted' lengths
fi

# Requests that cannot be served
component=(--component 'java.util.zip.*')
fails() {             # TEXT ARGUMENT...
	status 2 "$sherd" chains "${component[@]}" "${@:2}" && grep -qF -- "$1" "$work/err" || { cat "$work/err"; return 1; }
}
expect 'no length' fails 'say how long chains may be: -k N'
expect 'too many: how many, and what to leave out' fails "(*)' would spare about" -k 30 --format csv
expect 'too many: by length' fails ' of length 1, ' -k 30 --format csv
expect 'a filter that names nothing' fails "'java.util.zip.Nobody' names no method" -k 2 --through java.util.zip.Nobody
expect 'filters that contradict each other' fails 'contradict each other' -k 2 --through 'java.util.zip.I*' --not-through 'java.util.zip.I*'
echo 'java.util.zip.CRC32.nothing(*)' > "$work/filters"
expect 'a list that names nothing, with its line' fails "filters:1: --not-through: 'java.util.zip.CRC32.nothing(*)'" -k 2 --not-through "@$work/filters"
printf '# two kinds\nk 2\nfrom java.util.zip.CRC32\nnot-through java.util.zip.CRC32.gone(*)\n' > "$work/stale"
expect 'a file of filters that names nothing, with its line' fails "stale:4: --not-through: 'java.util.zip.CRC32.gone(*)'" --filter "$work/stale"
echo 'without java.util.zip.CRC32' > "$work/wrong"
expect 'a line that is no filter' fails "wrong:1: 'without' is no filter: write k N" --filter "$work/wrong"
expect 'no file of filters' fails 'no-such: the file of filters cannot be read' -k 2 --filter no-such
expect 'levels that make no sense' fails "'1-0' is no list of levels" -k 2 --levels 1-0
expect 'a diagram of many trees' fails 'choose an entry with --from' -k 1 --from 'java.util.zip.CRC32' --format mermaid
expect 'a chain that is not there' fails 'there is no chain 99999999' -k 1 --chain 99999999
expect 'counts beyond all bounds' status 0 "$sherd" chains "${component[@]}" -k 200
exit $failed
