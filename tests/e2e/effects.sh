#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# effects.sh - what library calls read and write: a run is watched field by field, and each access that a library call makes of an
# object that the application can get at is in the summary of the call; so is what the source says, and no more.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/effects inputs=$PWD/tests/recorder/inputs
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d classes "$here"/*/*.java || exit 2

run() {               # FILE [OPTION...]
	local file=$1
	shift
	status 0 "$sherd" callbacks -q -cp classes --main shop.Main --application 'shop.*' --summaries --format json -o "$file" "$@"
}
watch() {
	local flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -O2 -fPIC -shared -isystem "$jdk/include" -isystem "$jdk/include/linux")
	${CC:-gcc} "${flags[@]}" -o watcher.so "$here/watcher.c" &&
		java -Xint -XX:+UseSerialGC -agentpath:"$work/watcher.so=$work/seen" -cp classes shop.Main on
}
has_all_seen() {      # FILE [READS WRITES]
	local file=$1
	shift
	python3 "$here/compare.py" "$file" seen "$@" > out || { sed 's/^/# /' out; return 1; }
}
is_within() {         # FILE FILE: each field that a call of the first reads or writes is one of the second
	python3 - "$1" "$2" <<'PY'
import json, sys
def read(path):
	all = json.load(open(path))
	sets = [{(way, all['accesses'][i]['field']) for way in ('reads', 'writes') for i in e[way]} for e in all['effects']]
	return {c['site']: sets[c['effect']] for c in all['calls'] if 'effect' in c}
small, large = read(sys.argv[1]), read(sys.argv[2])
assert len(small) > 50
for site in small:
	assert small[site] <= large[site], (site, sorted(small[site] - large[site])[:5])
PY
}

none() {              # [OPTION...]: without a JDK, on the screen
	status 0 "$sherd" callbacks -q --jdk none -cp classes --main shop.Main --application 'shop.*' "$@"
}

expect "summaries" run ft.json
expect "what the source says" python3 "$here/said.py" ft.json "$here/shop/Main.java"
expect "by 0cfa" run 0cfa.json --algorithm 0cfa
expect "coarser summaries" run va.json --algorithm 0cfa --precision va-datareach
expect "va-datareach-ft is within va-datareach" is_within 0cfa.json va.json
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
if [ -f "$jdk/include/jvmti.h" ]; then
	expect "a run is watched" watch
	for f in ft 0cfa va; do
		expect "$f has all that the run reads and writes" has_all_seen $f.json
	done
	# A real program, from its main method.
	sablecc=/usr/share/java/sablecc.jar generator=org.sablecc.sablecc.SableCC
	if is_all && [ -f "$sablecc" ]; then
		cp "$inputs/calc.sablecc" . && mkdir made
		expect "summaries of sablecc" status 0 "$sherd" callbacks -q -cp "$sablecc" --main "$generator" --application 'org.sablecc.**' --summaries \
			--format json -o sablecc.json
		expect "sablecc is watched" status 0 java -Xint -XX:+UseSerialGC -Xmn512m -agentpath:"$work/watcher.so=$work/seen,Lorg/sablecc/" \
			-cp "$sablecc" "$generator" -d made calc.sablecc
		expect "its summaries have all that the run reads and writes" has_all_seen sablecc.json 5000 3000
	fi
else
	echo "ok a run is watched # skip no jvmti.h in $jdk"
fi
expect "the same again" run again.json --algorithm 0cfa
expect "the same bytes" cmp -s 0cfa.json again.json
expect "the screen" none --summaries
expect "the screen names a field" grep -q 'writes  shelf.Box: weight' out
expect "rows" none --summaries --format csv
expect "rows have a head" grep -q '^caller,pc,line,declared,free,callbacks,reads,writes,changes,unknown' out
expect "what changes nothing" none --side-effect-free
expect "a getter changes nothing" grep -q '^ *1  shelf.Box.weigh()$' out
expect "simple knows no effects" status 2 "$sherd" callbacks -cp classes --main shop.Main --precision simple --summaries
expect "and what to do is said" grep -q 'va-datareach-ft' err
exit $failed
