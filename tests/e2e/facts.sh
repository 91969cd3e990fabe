#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# facts.sh - facts from outside (--facts): a program whose reflection is named on its command line, and what files of every form say
# that it does. What a run recorded is in the graphs; what is wrong in a file is told, and the rest counts.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
. tests/lib/jdks.sh
laws=$PWD/tests/oracle/dynamic.py
agent=$build/libsherd-agent.so
unset JAVA_TOOL_OPTIONS SHERD_AGENT
compile -nowarn -Xlint:none -g -d "$work/classes" tests/e2e/facts/shop/*.java 2> "$work/javac" || { cat "$work/javac"; exit 2; }
cd "$work" || exit 2

graph=("$sherd" callgraph -cp classes --main shop.Main)
said() { grep -qe "$1" err || { echo "not said: $1"; head -n 9 err; return 1; }; }

# NAME...: the graph has calls of these, and none of those after -
calls() {
	local name wanted=0
	for name; do
		[ "$name" = - ] && { wanted=1; continue; }
		grep -q ",$name\$" csv
		[ $? = $wanted ] || { echo "$name: wrong"; grep ',shop\.' csv | head -n 20; return 1; }
	done
}
written() { "${graph[@]}" -q --format csv --only 'shop.**' "$@" > csv 2> err; }          # OPTION...

expect 'without facts' written
expect 'nothing is known' calls - 'shop.Cart.<init>()V' 'shop.Cart.<clinit>()V' 'shop.Items.<init>(I)V' 'shop.Cart.add(Ljava/lang/Object;)V'

# The record of a run
"$(default_jdk)/bin/java" "-agentpath:$agent=dynamic=run.txt" -cp classes shop.Main shop.Cart shop.Items add total last > /dev/null || exit 2
recorded() {          # ALGORITHM: everything that was seen is there, at its place
	written --algorithm "$1" --facts run.txt || { head -n 9 err; return 1; }
	calls 'shop.Cart.<init>()V' 'shop.Cart.<clinit>()V' 'shop.Items.<init>(I)V' 'shop.Cart.add(Ljava/lang/Object;)V' 'shop.Cart.total()I' \
		'shop.Counter.added()V' || return 1
	grep -v unresolved csv > resolved
	awk -F '\t' '$3 ~ /^shop/' run.txt | { echo 'sherd-dynamic 1'; cat; } > ours
	python3 "$laws" facts ours resolved resolved
}
for algorithm in rta 0cfa andersen $(by_tier '' 'cha 1obj'); do
	expect "$algorithm: what was recorded" recorded $algorithm
done
cp csv finer.csv
expect 'a coarser graph' written --facts run.txt
expect 'contains a finer one' python3 "$laws" contains csv finer.csv
cp csv listed.csv
if is_all; then
	expect 'a level that assumes more' written --facts run.txt --assume string
	expect 'contains it' python3 "$laws" contains csv listed.csv
fi

named() {
	"${graph[@]}" -q --format json --facts run.txt > out || return 1
	json '
f = d["facts"]
assert len(f) == 1 and f[0]["file"] == "run.txt" and f[0]["form"] == "a record of sherd", f
assert f[0]["applied"] == 9 and f[0]["facts"] == 14 and f[0]["missing"] == 0 and f[0]["not_followed"] == 5, f
sites = [s for m in d["methods"] for s in m["sites"] if s.get("fact")]
assert {s["by"] for s in sites} >= {"load", "new", "construct"}, sites
assert any(t.startswith("shop.Items.<init>") for s in sites for t in s["targets"]), sites
assert any(u["site"].startswith("shop.Main.main") for u in d["unresolved"])'
}
expect 'the result names the file, and calls that are from it' named
expect 'so does the screen' status 0 "${graph[@]}" --facts run.txt
expect 'with how many facts were used' grep -q '^  Facts  *9 of 14 of run.txt, a record of sherd$' out
why() {
	status 0 "$sherd" why-call -cp classes --main shop.Main shop.Main.main 'shop.Items.<init>' --facts run.txt &&
		grep -q '^  Call  *shop.Main.main:15  special call by reflection' out && grep -q '^  Fact  *run.txt$' out
}
expect 'why-call' why
required() {          # the receivers of a component by what was recorded
	status 0 "$sherd" requirements -cp classes --component 'shop.*' --format json --facts run.txt && json 'assert d["facts"][0]["applied"] > 0'
}
expect 'requirements' required

# A log of TamiFlex: lines, no indices
cat > refl.log <<'END'
Class.forName;shop.Cart;shop.Main.main;11;;
Class.newInstance;shop.Cart;shop.Main.main;12;;
Constructor.newInstance;<shop.Items: void <init>(int)>;shop.Main.main;15;isAccessible=false;
Method.invoke;<shop.Cart: int total()>;shop.Main.main;19;isAccessible=false;
END
expect 'a log of TamiFlex' written --facts refl.log
expect 'is followed' calls 'shop.Cart.<init>()V' 'shop.Cart.<clinit>()V' 'shop.Items.<init>(I)V' 'shop.Cart.total()I'

# Metadata: at no place, so wherever it is not known what is done; and by whomever
cat > metadata.json <<'END'
{ "reflection": [
  { "type": "shop.Items", "methods": [ { "name": "<init>", "parameterTypes": [ "int" ] } ] },
  { "type": "shop.Cart", "condition": { "typeReached": "shop.Items" }, "methods": [ { "name": "unused", "parameterTypes": [] } ] },
  { "type": "shop.Cart", "condition": { "typeReached": "shop.Gone" }, "methods": [ { "name": "total", "parameterTypes": [] } ] }
] }
END
for algorithm in rta andersen; do
	expect "$algorithm: metadata" written --algorithm $algorithm --facts metadata.json
	expect 'at calls that are not resolved' calls 'shop.Items.<init>(I)V' 'shop.Counter.filled()V' 'shop.Counter.never()V' - 'shop.Cart.<init>()V' \
		'shop.Cart.total()I'
done
cat > rules.pro <<'END'
-keep class shop.* extends java.lang.Object { public <init>(int); }
-keepclassmembers class shop.Cart { *** un*(...); }
-keepclasseswithmembers class shop.* { <init>(); void add(...); }
END
expect 'rules' written --facts rules.pro
expect 'with wildcards and filters' calls 'shop.Items.<init>(I)V' 'shop.Cart.<init>()V' 'shop.Cart.unused()V' - 'shop.Cart.total()I'
printf 'shop.Cart\nshop.Cart: Cart()\n' > seeds.txt
expect 'seeds, beside another file' written --facts seeds.txt --facts refl.log
expect 'both count' calls 'shop.Cart.<init>()V' 'shop.Items.<init>(I)V'

# Written for others: what is written says what is in the graph, so that it comes to the same when it is read
methods() { cut -d, -f1 "$1" | grep '^shop' | sort -u; }
round() {             # FORMAT ALGORITHM
	written --algorithm "$2" --facts run.txt && cp csv first.csv || return 1
	"${graph[@]}" -q --algorithm "$2" --facts run.txt --format "$1" -o said || return 1
	written --algorithm "$2" --facts said || return 1
	python3 "$laws" contains csv first.csv > out || { cat out; return 1; }
	diff <(methods first.csv) <(methods csv) || return 1
	"${graph[@]}" -q --algorithm "$2" --facts said --format "$1" -o again && cmp said again
}
for format in reachability-metadata proguard; do
	for algorithm in rta andersen; do
		expect "$format, $algorithm" round $format $algorithm
	done
done
kept() {
	"$sherd" callgraph -q -cp classes --main shop.Opening --only 'shop.**' --format proguard > out && grep -A1 'shop\.Hours' out | grep -q '<clinit>'
}
expect 'a class that is only initialised' kept
expect 'with what is missing' status 0 "${graph[@]}" --format proguard --only 'shop.**'
expect 'said' said 'W074.*8 calls of the program are not resolved'
expect 'nothing of the JDK alone' test ! -s out

# What is wrong
expect 'no such file' status 2 "${graph[@]}" --facts absent.json
expect 'is said' said 'absent.json: .*E070'
echo 'what is this?' > unknown.txt
expect 'of no known form' status 0 "${graph[@]}" --facts unknown.txt
expect 'is said, too' said 'unknown.txt: .*E070.*neither reachability metadata'
cat > wrong.json <<'END'
[ { "name": "shop.Cart", "methods": [ { "name": "<init>", "parameterTypes": [] } ] },
  { "name": "shop.Vanished", "methods": [ { "name": "<init>", "parameterTypes": [] } ] },
  { "name": "shop.Cart", "methods": [ { "name": "renamed", "parameterTypes": [] } ] },
  { "name": "shop.Cart", "type": "shop.Items" },
  { "name": 7 } ]
END
expect 'errors in a file' status 0 "${graph[@]}" -v --facts wrong.json
expect 'classes that are not there' said 'wrong.json: 2: .*W073.*there is no class shop.Vanished on the class path'
expect 'members that are not there' said 'wrong.json: 3: .*W073.*the class has no member renamed'
expect 'what contradicts itself' said 'wrong.json: 4: .*E071'
expect 'what is malformed' said 'wrong.json: 5: .*E071'
expect 'the rest' written --facts wrong.json
expect 'counts' calls 'shop.Cart.<init>()V'
sed 's/@51\t/@50\t/; s/shop.Main.main(\[Ljava\/lang\/String;)V@77/shop.Main.run()V@77/' run.txt > moved.txt
expect 'an old record' status 0 "${graph[@]}" -v --facts moved.txt
expect 'calls that are not there' said 'moved.txt: [0-9]*: .*W073.*there is no call in shop.Main.main that does this: were the classes compiled again since?'
expect 'methods that are not there' said 'moved.txt: [0-9]*: .*W073.*the class of the place has no method run'
exit $failed
