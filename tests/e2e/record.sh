#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# record.sh - what dynamic features do, as the agent writes it down: a program that uses each of them says in its comments what
# should be recorded where (record/compare.py). By the agent alone, and by sherd cover --record-dynamic.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
. tests/lib/jdks.sh
here=$PWD/tests/e2e/record
agent=$build/libsherd-agent.so
unset JAVA_TOOL_OPTIONS SHERD_AGENT

said() { grep -qe "$1" "$work/err" || { echo "not said: $1"; head -n 9 "$work/err"; return 1; }; }
as_expected() { python3 "$here/compare.py" "$1" "$here" "$work/javap.out"; }      # RECORD

mkdir "$work/classes"
javac -nowarn -g --release 17 -d "$work/classes" "$here"/rec/*.java 2> "$work/javac" || { cat "$work/javac"; exit 2; }
cp -R "$here/META-INF" "$work/classes"
javap -p -c -l -s "$work"/classes/rec/*.class > "$work/javap.out" || exit 2
cd "$work" || exit 2

recorded() {          # NAME RECORD OPTION...: runs the program with its record
	local name=$1 record=$2
	shift 2
	"$java" "-agentpath:$agent=dynamic=$record" "$@" -cp classes rec.Main > "$name.out" 2> "$name.err" && cmp plain.out "$name.out" &&
		cmp plain.err "$name.err"
}

killed() {            # ends it without notice once its record is there
	"$java" "-agentpath:$agent=dynamic=killed.txt" -cp classes rec.Main sleep > /dev/null 2>&1 &
	await grep -q 'string.*rec.Main.worker.*4000$' killed.txt 2> /dev/null
	kill -9 $!
	wait $! 2> /dev/null
	as_expected killed.txt
}

# Memory that ends: the program must not notice.
${CC:-cc} -shared -fPIC -o failing.so "$here/../agent/failing.c" -ldl || exit 2
without_memory() {
	local n
	for n in $(by_tier '30 700' '0 30 90 200 700'); do
		FAIL_AFTER=$n LD_PRELOAD=$work/failing.so "$java" -XX:ErrorFile=hs_err "-agentpath:$agent=dynamic=memory-$n.txt" -cp classes rec.Main > memory.out 2> memory.err
		cmp plain.out memory.out || { echo "after $n"; head -n 9 memory.err; return 1; }
	done
	grep -q 'out of memory: it stops recording' memory.err
}

for jdk in $(jdks_of_tier); do
	java=$jdk/bin/java
	version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
	"$java" -cp classes rec.Main > plain.out 2> plain.err
	rm -f ./*.txt
	expect "Java $version: a run" recorded run run.txt
	expect "Java $version: its record" as_expected run.txt
	expect "Java $version: everything verified, JNI checked" recorded checked checked.txt -Xverify:all -Xcheck:jni
	expect "Java $version: interpreted" recorded interpreted interpreted.txt -Xint
	expect "Java $version: the same facts" cmp run.txt interpreted.txt
	expect "Java $version: halted" status 3 "$java" "-agentpath:$agent=dynamic=halted-%p.txt" -cp classes rec.Main halt
	expect "Java $version: record of a halted JVM" as_expected halted-*.txt
	expect "Java $version: killed" killed
	expect "Java $version: without memory" without_memory
done

echo mine > mine.txt
expect 'a file that is there' recorded again mine.txt
expect 'stays' grep -qx mine mine.txt
expect 'the record gets another name' as_expected mine-2.txt
expect 'nothing is left beside it' test ! -e mine-2.txt.part
expect 'no such place' status 0 "$java" "-agentpath:$agent=dynamic=mine.txt/x" -cp classes rec.Main
expect 'is said' said 'cannot create mine.txt/x: .*; what dynamic features do is not recorded'
expect 'a full device' status 0 "$java" "-agentpath:$agent=dynamic=/dev/full" -cp classes rec.Main
expect 'is said, too' said 'cannot write /dev/full: .*; the program runs on'
expect 'no option' status 0 "$java" "-agentpath:$agent=tests=false" -cp classes rec.Main
expect 'is said as ever' said 'the option plan=FILE is missing'

# By the verb: beside probes of the plan, which move the calls; several JVMs; earlier records.
cover=("$sherd" cover -q --jdk none -cp classes --component 'rec.*' --no-why --record-dynamic)
doubled() { awk -F '\t' 'NR > 1 { $5 /= 2 } 1' OFS='\t' "$1" > half.txt && as_expected half.txt; }      # RECORD
heads() { [ "$(cat "$@" | grep -c '^sherd-dynamic 1$')" = $# ]; }                                         # RECORD...
expect 'cover' status 0 "${cover[@]}" -o one -- "$java" -cp classes rec.Main
expect 'the record: places are those of the class files' as_expected one/dynamic.txt
expect 'one of a JVM' heads one/dynamic-*.txt
expect 'the same' cmp one/dynamic.txt one/dynamic-*.txt
expect 'two JVMs' status 0 "${cover[@]}" -o one -- sh -c '"$@"; "$@"' sh "$java" -cp classes rec.Main
expect 'earlier records are gone, counts add up' doubled one/dynamic.txt
expect 'appended' status 0 "${cover[@]}" -o add -- "$java" -cp classes rec.Main
expect 'once more' status 0 "${cover[@]}" --append -o add -- "$java" -cp classes rec.Main
expect 'both count' doubled add/dynamic.txt
echo mine > add/dynamic-mine.txt
expect 'what is no record' status 0 "$sherd" cover --jdk none -cp classes --component 'rec.*' --no-why --record-dynamic -o add -- "$java" -cp classes rec.Main
expect 'is told' said 'dynamic-mine.txt.*W056.*first line'
expect 'and stays' grep -qx mine add/dynamic-mine.txt
expect 'the others count' as_expected add/dynamic.txt
expect 'not asked for' status 0 "$sherd" cover -q --jdk none -cp classes --component 'rec.*' --no-why -o add -- "$java" -cp classes rec.Main
expect 'there is none' test ! -e add/dynamic.txt
expect 'the option for build files' status 0 "${cover[@]}" -o option --print-agent
expect 'has the record' grep -q ",dynamic=$work/option/dynamic-%p.txt\$" "$work/out"
exit $failed
