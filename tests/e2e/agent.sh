#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# agent.sh - the agent in running JVMs: what it records is what the programs themselves know, and they behave as without it.
# Prints `ok NAME` or `not ok NAME` a case, with the JDK before its name.
cd "$(dirname "$0")/../.." || exit 2
here=tests/e2e/agent
. tests/lib/cases.sh
. tests/lib/jdks.sh
agent=$build/libsherd-agent.so
planall=$build/tests/planall covdump=$build/tests/covdump
[ -e "$agent" ] || { echo 'not ok there is an agent'; exit 1; }
export LC_ALL=C

expect() {
	local name=$1
	shift
	if "$@"; then echo "ok $jdk: $name"; else echo "not ok $jdk: $name"; failed=1; fi
}

# The library itself.
jdk=library
newer() { objdump -T "$agent" | grep -o 'GLIBC_[0-9.]*' | sort -uV | awk -F '[_.]' '$3 > 17 || $2 > 2'; }
expect 'needs no C library newer than 2.17' [ -z "$(newer)" ]
expect 'needs the C library only' [ "$(objdump -p "$agent" | awk '/NEEDED/ { print $2 }')" = libc.so.6 ]
exports() { objdump -T "$agent" | awk '/ g /' | grep -o 'Agent_On[A-Za-z]*\|Java_.*' | sort | tr '\n' ' '; }
expect 'exports its entries' [ "$(exports)" = 'Agent_OnAttach Agent_OnLoad Agent_OnUnload ' ]
${CC:-cc} -std=c11 -Isrc -o "$work/names" $here/names.c src/agent/test_name.c src/base/strbuf.c src/base/mem.c &&
	expect 'names of tests' "$work/names"

${CC:-cc} -shared -fPIC -o "$work/failing.so" $here/failing.c -ldl || echo 'not ok no library for starved JVMs'

# Class files once, with the oldest JDK; a second version of Changed.
mkdir "$work/classes" "$work/other"
compiler=$(for d in $(jdks); do echo "$d"; done | sed -n 1p)/bin
compile() { "$compiler/javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"; }
compile -g -d "$work/classes" $here/*.java $here/[pq]/*.java || exit 2
mkdir "$work/src" && sed 's/return o.run();/String s = "x".concat("y"); return o.run();/' $here/Changed.java > "$work/src/Changed.java" &&
	compile -d "$work/other" -cp "$work/classes" "$work/src/Changed.java" || exit 2
echo 'public class Twin extends Two.Base { }' > "$work/src/Twin.java" && compile -d "$work/other/a" -cp "$work/classes" "$work/src/Twin.java" &&
	echo 'public class Twin extends Two.Base { public String who() { return "Twin"; } }' > "$work/src/Twin.java" &&
	compile -d "$work/other/b" -cp "$work/classes" "$work/src/Twin.java" || exit 2
printf 'Premain-Class: Changer\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' > "$work/manifest"
"$compiler/jar" cfm "$work/changer.jar" "$work/manifest" -C "$work/classes" Changer.class -C "$work/classes" 'Changer$1.class' || exit 2
"$planall" -o "$work/plan" "$work/classes" > /dev/null || exit 2
"$covdump" "$work/plan" > "$work/plan.txt"

keep="-XX:ErrorFile=$work/hs_err_%p.log"        # should a JVM crash: not here

# run NAME PROGRAM...: without and with the agent ($options: JVM options, $more: options of the agent); same output and status.
# The data is left in $work/NAME.txt, what the program expects in $work/NAME.expect.
run() {
	local name=$1 status
	shift
	rm -f "$work"/cov/* "$work/$name".*
	"$java" $options $keep -Dclasses="$work/classes" -Dother="$work/other" -Dexpect="$work/$name.expect" -cp "$work/classes" "$@" \
		> "$work/$name.out0" 2> "$work/$name.err0"
	status=$?
	"$java" $options $keep "-agentpath:$agent=plan=${plan:-$work/plan},destfile=$work/cov/run-%p.cov,excludes=Expect:Changer*$more" -Dclasses="$work/classes" \
		-Dother="$work/other" -Dexpect="$work/$name.expect" -cp "$work/classes" "$@" > "$work/$name.out" 2> "$work/$name.err"
	[ $? = $status ] || { echo "$name: exit status is not $status"; cat "$work/$name.err"; return 1; }
	cmp "$work/$name.out0" "$work/$name.out" || { diff "$work/$name.out0" "$work/$name.out" | head; return 1; }
	plain "$work/$name.err0" > "$work/$name.plain0"
	plain "$work/$name.err" | cmp - "$work/$name.plain0" || { head -5 "$work/$name.err"; return 1; }
	set -- "$work"/cov/*
	[ -e "$1" ] || return 0
	"$covdump" "$@" > "$work/$name.txt"
}
# What differs from run to run: addresses, times, warnings of the JVM about the options.
plain() { grep -v 'warning: \|^Picked up' "$1" | grep -v '^	at ' || true; }

# cells NAME METHOD...: lines `method receiver target count` of calls in methods call..., from the data.
cells() {
	awk '
	FNR == NR && $1 == "class" { class = $2 }
	FNR == NR && $1 == "site" { m = $3; sub(/\(.*/, "", m); method[class "#" $2] = m; next }
	FNR == NR { next }
	$1 == "cell" && method[$3] ~ /[.]call/ { n[method[$3] " " $4 " " $6] += $7 }
	END { for (k in n) print k, n[k] }' "$work/plan.txt" "$work/$1.txt" | sort
}
# Lambdas have no number on newer JVMs and share their name: sums are compared.
expected() { awk '{ n[$1 " " $2 " " $3] += $4 } END { for (k in n) print k, n[k] }' "$work/$1.expect" | sort; }
same_cells() { diff <(expected "$1") <(cells "$1" | grep -F "$(cut -d' ' -f1 "$work/$1.expect" | sort -u)"); }
same_classes() { diff <(expected "$1" | cut -d' ' -f1-3) <(cells "$1" | cut -d' ' -f1-3 | grep -F "$(cut -d' ' -f1 "$work/$1.expect" | sort -u)"); }
has() { grep -qE "$2" "$work/$1.txt" || { echo "$1: no $2"; head -3 "$work/$1.txt"; return 1; }; }
has_not() { ! grep -E "$2" "$work/$1.txt"; }
complete() { has "$1" '^run .* complete( parallel)?$'; }
quiet() { ! grep 'sherd agent' "$work/$1.err"; }
says() { grep -qE "^sherd agent: .*$2" "$work/$1.err" || { cat "$work/$1.err"; return 1; }; }
both() { run "$@" && complete "$1" && same_cells "$1"; }

behaviour() {
	expect 'calls of every sort' both calls Calls
	expect 'says nothing' quiet calls
	expect 'every class is watched' has_not calls '^class [0-9]+ [^E].* (matched|other|failed)'
	expect 'what is left out is told' has calls '^class [0-9]+ Expect .* failed .* left out by includes or excludes$'
	expect 'hidden classes' has calls '^type [0-9]+ Hidden app hidden$'
	expect 'lambdas' has calls '^type [0-9]+ Calls\$\$Lambda.* app hidden lambda host=Calls interface=java.util.function.IntUnaryOperator body=Calls.twice\(I\)I$'
	expect 'proxies' has calls '^type [0-9]+ .*\$Proxy.* proxy$'
	options=-Xverify:all expect 'calls, verified' both verified Calls
	options=-Xint expect 'calls, interpreted' both interpreted -Drounds=3000 Calls
	options=$(by_tier "-Xcomp -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Calls*::*" -Xcomp) expect 'calls, compiled' both compiled -Drounds=500 Calls
	options=-Xcheck:jni expect 'calls, JNI checked' both jni -Drounds=3000 Calls
	run threads Threads
	expect 'no class is lost' same_classes threads
	expect 'counts are said to be at least what is told' has threads '^note several threads made calls'
	expect 'one thread counts exactly' has_not calls '^note several threads'
	expect 'class loaders' both loaders Loaders
	expect 'loaders can be unloaded' [ "$(cat "$work/loaders.out")" = "$(printf 'unloaded\nunloaded\nunloaded')" ]
	expect 'classes of one name with different targets, soon unloaded' both two Two
	expect 'a class under initialisation' both start Start
	expect 'virtual threads' both virtual Virtual
	expect 'System.exit' run exit Ends exit
	expect 'System.exit: data is complete' complete exit
	expect 'System.exit: shutdown hooks count' has exit '^cell .* Ends\$Other -> '
	expect 'Runtime.halt' run halt Ends halt
	expect 'Runtime.halt: data is complete' complete halt
	expect 'an uncaught exception' run throw Ends throw
	expect 'an uncaught exception: data is complete' complete throw
	expect 'stack overflow' run overflow Ends overflow
	expect 'stack overflow: data is complete' complete overflow
	options=-Xmx48m expect 'memory exhausted' run exhaust Ends exhaust
	expect 'a busy thread at the end' run daemon Ends daemon
	expect 'a busy thread at the end: data is complete' complete daemon
	options="-javaagent:$work/changer.jar" expect 'retransformed and redefined by another agent' run changed Changed
	for c in A B C; do
		expect "retransformed and redefined: $c" [ "$(cells changed | grep "Changed\$$c " | awk '{ n += $4 } END { print n }')" = 3 ]
	done
}

# DIGITS: the data so far has a number of calls with so many
counted() { "$covdump" "$work"/cov/* 2> /dev/null | grep -qE "Ends\\\$Flat -> Ends\\\$Flat [0-9]{$1,}$"; }

killed() {
	rm -f "$work"/cov/*
	"$java" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/run-%p.cov" -cp "$work/classes" Ends sleep > "$work/killed.out" &
	await counted 3
	kill -9 $!
	wait $! 2> /dev/null
	"$covdump" "$work"/cov/* > "$work/killed.txt" && has killed 'Ends\$Flat -> Ends\$Flat [0-9]{3,}$' && has_not killed complete
}

attached() {
	rm -f "$work"/cov/*
	"$java" -XX:+StartAttachListener -cp "$work/classes" Ends sleep > "$work/attached.out" 2> "$work/attached.err" &
	local pid=$!
	await grep -q ready "$work/attached.out"
	"$(dirname "$java")/jcmd" -J-Dsun.tools.attach.attachTimeout=300000 $pid JVMTI.agent_load "$agent" "\"plan=$work/plan,destfile=$work/cov/run-%p.cov\"" > "$work/attach.txt" 2>&1
	await counted 2
	kill $pid
	wait $pid 2> /dev/null
	"$covdump" "$work"/cov/* > "$work/attached.txt" || { cat "$work/attach.txt"; return 1; }
	has attached 'Ends\$Flat -> Ends\$Flat [0-9]{2,}$' && complete attached
}

zip() {
	"$planall" -o "$work/java.base" "$home/lib/modules" > /dev/null || return 1
	plan=$work/java.base more=',includes=java.util.zip.*' run zip Zip && complete zip &&
		[ "$(grep -c '^class [0-9]* java.util.zip.* watched$' "$work/zip.txt")" -ge 15 ] &&
		has zip '^cell .* java.util.zip.CheckedInputStream#[0-9]+ java.util.zip.Adler32 -> java.util.zip.Adler32 [1-9]'
}
everything() { plan=$work/java.base run base Calls && complete base; }

collectors() {
	local gc
	for gc in $(by_tier 'Serial Z' 'Serial Parallel G1 Shenandoah Z Epsilon'); do
		"$java" -XX:+UnlockExperimentalVMOptions -XX:+Use${gc}GC -version > /dev/null 2>&1 ||
			{ skip "$jdk: calls with ${gc}GC" 'optional: this JVM has none'; continue; }
		options="-XX:+UnlockExperimentalVMOptions -XX:+Use${gc}GC -Xmx400m -Xlog:gc+init=error"
		expect "calls with ${gc}GC" both gc -Drounds=10000 Calls
		[ $gc = Epsilon ] || expect "unloading with ${gc}GC" both gc -Drounds=1 Loaders
		unset options
	done
}

# What cannot work is said in a line, and the program runs.
bad() {
	head -c 200 "$work/plan" > "$work/cut"
	mkdir -p "$work/closed" && chmod a-w "$work/closed"
	: > "$work/file"
	plan=$work/none expect 'no plan' bad_run none 'none: No such file.*the program runs without it$'
	plan=$work/cut expect 'a plan that is cut off' bad_run cut 'cut: .*; the program runs without it$'
	plan=$work/classes/Calls.class expect 'no plan, a class' bad_run class 'the program runs without it$'
	more=,destfile=$work/file/x.cov expect 'unwritable folder' bad_run folder 'cannot create .*; the program runs without it$'
	more=,destfile=/dev/full expect 'full disk' bad_run full 'cannot write the data file: No space left'
	more=,surprise=1 expect 'unknown option' bad_run unknown "unknown option 'surprise'"
	more=,tests=perhaps expect 'wrong option' bad_run wrong 'true or false is meant'
}
bad_run() {
	rm -f "$work"/cov/*
	"$java" "-agentpath:$agent=plan=${plan:-$work/plan},destfile=$work/cov/run-%p.cov$more" -cp "$work/classes" Ends end > "$work/$1.out" 2> "$work/$1.err" &&
		[ "$(cat "$work/$1.out")" = end ] && says "$1" "$2" && [ "$(grep -c 'sherd agent' "$work/$1.err")" = 1 ]
}

# Native memory is exhausted inside the agent: it stops, the program does not notice.
starved() {
	local n
	for n in $(by_tier '1 10 100 400' '1 2 3 5 10 20 50 100 200 400 600'); do
		rm -f "$work"/cov/*
		FAIL_AFTER=$n LD_PRELOAD=$work/failing.so "$java" -XX:ErrorFile="$work/hs_err" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/run-%p.cov" \
			-Dclasses="$work/classes" -Drounds=2000 -cp "$work/classes" Calls > "$work/starved.out" 2> "$work/starved.err" &&
			[ "$(tail -1 "$work/starved.out")" = 'done x' ] && [ "$(grep -c '^sherd agent: out of memory' "$work/starved.err")" = 1 ] ||
			{ echo "after $n"; head -3 "$work/starved.out" "$work/starved.err"; return 1; }
		[ ! -s "$(echo "$work"/cov/*)" ] || "$covdump" "$work"/cov/* > /dev/null || return 1
	done
}

files() {
	rm -rf "$work/deep"
	"$java" "-agentpath:$agent=plan=$work/plan,destfile=$work/deep/a%2Cb,c/%%25r-%r.cov,sessionid=mine" -cp "$work/classes" Ends end > /dev/null 2> "$work/files.err" &&
		"$covdump" "$work"/deep/a,b,c/%%r-????????.cov > "$work/files.txt" && has files '^run .* session=mine .* command=Ends end complete$' || { find "$work/deep"; return 1; }
}
never_over() {
	echo mine > "$work/cov/kept.cov"
	"$java" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/kept.cov" -cp "$work/classes" Ends end > /dev/null &&
		[ "$(cat "$work/cov/kept.cov")" = mine ] && "$covdump" "$work/cov/kept-2.cov" > /dev/null
}
# In /dev/shm everybody may write: a link there is not followed, and nothing waits for the reader of a pipe.
shared_memory() {
	local name shm=/dev/shm/sherd-$$
	mkdir "$shm" && : > "$work/victim" && ln -s "$work/victim" "$shm/link.cov" && mkfifo "$shm/pipe.cov" && : > "$shm/file.cov"
	for name in link pipe file; do
		timeout 60 "$java" "-agentpath:$agent=plan=$work/plan,destfile=$shm/$name.cov" -cp "$work/classes" Ends end > /dev/null 2>&1
		"$covdump" "$shm/$name-2.cov" > /dev/null 2>&1 || { echo "$name"; ls -l "$shm"; rm -rf "$shm"; return 1; }
	done
	rm -rf "$shm"
	[ ! -s "$work/victim" ]
}
debug() {
	"$java" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/debug.cov,debug=true" -cp "$work/classes" Ends end > /dev/null 2> "$work/debug.err" &&
		says debug 'Ends: watched, [0-9]+ of [0-9]+ calls$' && says debug '[0-9]+ cells, [0-9]+ bytes of data$'
}
twice() {
	"$java" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/t1.cov" "-agentpath:$agent=plan=$work/plan,destfile=$work/cov/t2.cov" \
		-cp "$work/classes" Ends end > "$work/twice.out" 2> "$work/twice.err" && says twice 'runs already' && [ ! -e "$work/cov/t2.cov" ]
}

# Tests of JUnit 3, 4 and 5.
jars=/usr/share/java
junit() {
	local mode=$1 cp
	shift
	cp=$(ls $jars/junit-jupiter-{api,engine,params}.jar $jars/junit-platform-{commons,engine,launcher,reporting,console}.jar $jars/junit-vintage-engine.jar \
		$jars/{opentest4j,apiguardian-api,picocli,univocity-parsers,junit4,hamcrest}.jar 2> /dev/null | tr '\n' :)
	rm -f "$work"/cov/*
	"$java" -Xverify:all "-agentpath:$agent=plan=$work/junit.plan,destfile=$work/cov/run-%p.cov" -cp "$work/junit:$cp" "$@" > "$work/junit.out" 2> "$work/junit.err" ||
		{ tail -20 "$work/junit.out" "$work/junit.err"; return 1; }
	"$covdump" "$work"/cov/* > "$work/junit.txt" && complete junit && quiet junit
}
# Tests with the classes of receivers that are theirs.
by_test() {
	awk '$1 == "cell" { type[$2] = $4 }
	$1 == "test" { for (i = 3; i <= NF; i++) $i = type[$i]; print }' "$work/junit.txt" | sort
}
compile_junit() {
	mkdir -p "$work/junit" "$work/lib"
	compile -d "$work/lib" $here/tests/Shapes.java && cp -r "$work/lib/." "$work/junit" &&
		compile -d "$work/junit" -cp "$work/lib:$(ls $jars/junit4.jar $jars/junit-jupiter-{api,params}.jar $jars/{opentest4j,apiguardian-api,hamcrest}.jar $jars/junit-platform-commons.jar | tr '\n' :)" \
			$here/tests/*.java && "$planall" -o "$work/junit.plan" "$work/lib" > /dev/null
}
per_test() {
	expect 'JUnit 4' junit 4 org.junit.runner.JUnitCore lib.OldTest lib.FourTest 'lib.FourTest$Each'
	expect 'JUnit 4: tests' diff <(by_test) $here/junit4.txt
	expect 'JUnit 3' junit 3 junit.textui.TestRunner lib.OldTest
	expect 'JUnit 3: tests' diff <(by_test) $here/junit3.txt
	expect 'JUnit 5' junit 5 org.junit.platform.console.ConsoleLauncher -c lib.FiveTest -c lib.FourTest -c 'lib.FourTest$Each' -c lib.OldTest
	expect 'JUnit 5: tests' diff <(by_test) $here/junit5.txt
	expect 'JUnit 5: one at a time' has_not junit '^run .* parallel$'
	expect 'JUnit 5: tests at the same time' junit 5 org.junit.platform.console.ConsoleLauncher -c lib.ParallelTest \
		--config junit.jupiter.execution.parallel.enabled=true --config junit.jupiter.execution.parallel.mode.default=concurrent \
		--config junit.jupiter.execution.parallel.config.strategy=fixed --config junit.jupiter.execution.parallel.config.fixed.parallelism=2
	expect 'JUnit 5: that is told' has junit '^run .* parallel$'
}

per_junit() {
	if [ -e $jars/junit-platform-console.jar ]; then
		[ -e "$work/junit.plan" ] || compile_junit || { echo "not ok $jdk: tests compile"; failed=1; return; }
		per_test
	else
		skip "$jdk: JUnit" 'no JUnit 5 in /usr/share/java: tools/deps check'
	fi
}

everything_of_it() {
	behaviour
	expect 'killed' killed
	expect 'attached' attached
	expect 'java.util.zip as component' zip
	expect 'java.base as component' everything
	collectors
	bad
	[ ! -e "$work/failing.so" ] || expect 'native memory exhausted' starved
	expect 'names of files' files
	expect 'never over a file' never_over
	[ ! -w /dev/shm ] || expect 'nothing of others in shared memory' shared_memory
	expect 'debugging' debug
	expect 'the agent twice' twice
	per_junit
}

# Other JDKs than the default one, in less than all: what differs between JVMs.
some_of_it() {
	expect 'calls of every sort' both calls Calls
	expect 'says nothing' quiet calls
	expect 'virtual threads' both virtual Virtual
	expect 'java.util.zip as component' zip
}

for home in $(jdks); do
	java=$home/bin/java
	jdk=$(basename "$home")
	if is_all || [ "$home" = "$(default_jdk)" ]; then everything_of_it; else some_of_it; fi
done
exit $failed
