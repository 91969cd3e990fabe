#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The laws of sherd callbacks.
#
#   slow      a slow solver, straight from the paper's constraints, agrees to the edge (reachref.c): on generated applications with their
#             libraries (tests/laws/callback_programs.py) and on generated programs whose classes are split at random
#             (tests/laws/generate.py), by algorithms that look at calls; on sablecc and antlr, for some of the calls
#   within    each precision finds what the next one does, by site and callee, and the same direct calls; of the last two this is so as
#             far as the paper's constraints have it (callbacks/compare.py). -j1, -j4 and another run give the same bytes
#   recorded  every call that a run shows is there at its site, under a recorder that rewrites nothing (callbacks/recorder.c). What is
#             left out is counted, with its reason
#   suites    the same for the tests of real libraries, under sherd's agent (callbacks/suite.py)
#   checks    the laws fail where they must: one call less in an answer, or one more
#
# usage: callbacks.sh [slow|within|recorded|suites|checks]...
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$(cd "${BUILD:-build}" && pwd)
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
here=$PWD/tests/oracle/callbacks
laws=$PWD/tests/laws
. tests/lib/jdks.sh
. tests/lib/tier.sh
. tests/lib/kept.sh
[ $# -gt 0 ] || set -- slow within recorded suites checks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
unset JAVA_TOOL_OPTIONS SHERD_AGENT
jdk=$(default_jdk)
failed=0
precisions='va-datareach-ft va-datareach v-datareach m-datareach datareach simple'      # each is within the next

result() {        # STATUS NAME: with $work/out
	if [ "$1" = 0 ]; then
		echo "ok $2: $(tail -n 1 "$work/out")"
	else
		echo "not ok $2"
		tail -n 20 "$work/out"
		failed=1
	fi
}

check() {         # NAME COMMAND...
	case_name=$1
	shift
	"$@" > "$work/out" 2>&1
	result $? "$case_name"
}

# Programs

seeds=$(seq 1 "$(by_tier 40 400)")
mixed=$(seq 1 "$(by_tier 1 12)")

compile() {       # OUT ARGUMENT...
	out=$1
	shift
	"$jdk/bin/javac" -J-Xss16m -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -g -nowarn -Xlint:none -proc:none -d "$out" "$@"
}

make_programs() { # FOLDER
	python3 "$laws/callback_programs.py" "$1/source" $seeds && python3 "$laws/generate.py" "$1/source" $mixed > /dev/null &&
		find "$1/source" -name '*.java' > "$1/list" && compile "$1/classes" "@$1/list" &&
		python3 "$laws/library.py" "$1/library" && find "$1/library" -name '*.java' > "$1/library.list" &&
		compile "$1/small" --patch-module "java.base=$1/library" "@$1/library.list" && rm -r "$1/source" "$1/library"
}

kept callbacks "$(key "$laws/callback_programs.py" "$laws/generate.py" "$laws/library.py" "$laws/library.txt" "$jdk/release" "$seeds $mixed")" \
	make_programs > "$work/out" 2>&1 || { result 1 'programs are written and compile'; exit 1; }
programs=$kept

# slow

all=0cfa,andersen,0-1cfa,containers,1cfa,2cfa,1-1cfa,2-1cfa,1type,2type,1obj,2obj

agrees() {        # ARGUMENT...: of reachref; asks about something, and nothing is left out unless --most says so
	"$build/tests/reachref" "$@" && tail -n 1 "$work/out" | grep -q '^[1-9][0-9]* calls, [1-9][0-9]* callbacks, 0 wrong'
}

# Of programs that call nothing back there are few; all must agree, and together say much.
run_slow() {
	: > "$work/lines"
	for seed in $seeds; do
		"$build/tests/reachref" -cp "$programs/classes:$programs/small" --jdk none --main "a$seed.Main" --application "a$seed.**" \
			--only "$(by_tier 0cfa,containers,2obj "$all")" > "$work/out" 2>&1 && tail -n 1 "$work/out" >> "$work/lines" || { result 1 "application $seed is solved alike"; continue; }
	done
	awk '{ calls += $1; backs += $3; wrong += $5; left += $7 } END { print NR " programs, " calls " calls, " backs " callbacks"
		exit !(backs > 30 * NR && wrong + left == 0) }' "$work/lines" > "$work/out"
	result $? 'generated applications are solved alike'
	for seed in $mixed; do
		check "split program $seed is solved alike" agrees -cp "$programs/classes:$programs/small" --jdk none --main "g$seed.Main" \
			--splits "$(by_tier 1 3)" --only "$(by_tier containers 0cfa,andersen,containers,1obj)"
	done
	is_all || return
	check 'sablecc is solved alike' agrees -cp "$jars/sablecc.jar" --main org.sablecc.sablecc.SableCC --application 'org.sablecc.**' \
		--only containers --precision va-datareach-ft --most 400 --every 40
	check 'antlr is solved alike' agrees -cp "$jars/antlr.jar" --main antlr.Tool --application 'antlr.**' \
		--only containers --precision va-datareach-ft --most 1500 --every 40
}

# within

callbacks() {     # OUT OPTION...
	file=$1
	shift
	"$sherd" callbacks -q --jdk "$1" -cp "$2" --main "$3" --application "$4" --algorithm "$5" --precision "$6" --format json -o "$file" -j "$7"
}

nests() {         # NAME JDK CLASS_PATH MAIN APPLICATION ALGORITHM
	name="$1 by $6" last=
	shift
	for precision in $precisions; do
		callbacks "$work/$precision.json" "$@" "$precision" 4 > "$work/out" 2>&1 || { result 1 "$name: $precision"; return; }
		[ "$last" = va-datareach-ft ] && how=tuned || how=within
		[ -z "$last" ] || check "$name: $last is within $precision" python3 "$here/compare.py" $how "$work/$last.json" "$work/$precision.json"
		last=$precision
	done
	check "$name: va-datareach-ft is within simple" python3 "$here/compare.py" within "$work/va-datareach-ft.json" "$work/simple.json"
	callbacks "$work/again.json" "$@" va-datareach-ft 1 > "$work/out" 2>&1 && cmp "$work/again.json" "$work/va-datareach-ft.json" > "$work/out" &&
		callbacks "$work/again.json" "$@" va-datareach-ft 4 > "$work/out" 2>&1 && cmp "$work/again.json" "$work/va-datareach-ft.json" > "$work/out" &&
		echo "$(wc -c < "$work/again.json") bytes" > "$work/out"
	result $? "$name: the same bytes again"
}

run_within() {
	for algorithm in $(by_tier '0cfa containers' '0cfa andersen containers 1obj'); do
		nests generated none "$programs/classes:$programs/small" All "$(application)" "$algorithm"
	done
	! is_all || nests sablecc "$jdk" "$jars/sablecc.jar" org.sablecc.sablecc.SableCC 'org.sablecc.**' containers
}

# All packages aSEED, and All. Packages gSEED are libraries.
application() {
	echo "$seeds" | awk '{ printf "a%s.**,", $1 } END { print "All" }'
}

# recorded

record() {        # PATTERNS OUT ARGUMENT...: of java, in a copy of the recorder's inputs
	echo "$1" | tr ' ' '\n' > "$work/patterns"
	agent=$(tests/oracle/chains/build "$jdk" "$build/recorder" callbacks) out=$2
	shift 2
	mkdir -p "$work/inputs/out" && cp tests/recorder/inputs/* "$work/inputs" &&
		(cd "$work/inputs" && "$jdk/bin/java" -Xint -XX:+UseSerialGC "-agentpath:$agent=$work/patterns:$out" "$@" > "$work/out" 2>&1) && [ -s "$out" ]
}

# The graph says which calls are open; it is asked for when something is missing.
is_seen() {       # RECORD CALLS OPTION...
	record_file=$1 calls_file=$2
	shift 2
	python3 "$here/compare.py" seen "$record_file" "$calls_file" && return
	"$sherd" callgraph -q "$@" --algorithm containers --format json -o "$work/graph.json" &&
		python3 "$here/compare.py" seen "$record_file" "$calls_file" "$work/graph.json"
}

recorded() {      # NAME CLASS_PATH MAIN PATTERNS APPLICATION ARGUMENT...: of the program
	name=$1 path=$2 main=$3 patterns=$4 application=$5
	shift 5
	record "$patterns" "$work/record" -cp "$path" "$main" "$@" || { result 1 "$name runs"; return; }
	"$sherd" callbacks -q --jdk "$jdk" -cp "$path" --main "$main" --application "$application" --format json -o "$work/calls.json" \
		> "$work/out" 2>&1 || { result 1 "$name: callbacks"; return; }
	check "$name: what a run shows is there" is_seen "$work/record" "$work/calls.json" --jdk "$jdk" -cp "$path" --main "$main"
}

run_recorded() {
	[ -f "$jdk/include/jvmti.h" ] || { skip 'recorded calls' "no $jdk/include/jvmti.h: set JAVA_HOME to a JDK"; return; }
	recorded generated "$programs/classes" All 'a[0-9]* All' "$(application)"
	compile "$work/back" "$here"/*.java tests/recorder/inputs/Exercise.java > "$work/out" 2>&1 || { result 1 'what the JDK calls back compiles'; return; }
	mkdir -p "$work/back/META-INF/services" && echo 'mirror.Mirror$First' > "$work/back/META-INF/services/mirror.Service"
	for name in Back Keep Live Texts $(by_tier '' 'Flow Mirror'); do
		package=$(echo "$name" | tr '[:upper:]' '[:lower:]')
		recorded "what the JDK calls back in $name" "$work/back" "$package.$name" "$package.*" "$package.**"
	done
	recorded proguard "$jars/proguard.jar:$jars/gson.jar" proguard.ProGuard 'proguard.*' 'proguard.**' @cup.pro
	is_all || return
	recorded 'the tour of the JDK' "$work/back" Exercise 'Exercise Exercise$*' 'Exercise,Exercise$*'
	recorded sablecc "$jars/sablecc.jar" org.sablecc.sablecc.SableCC 'org.sablecc.*' 'org.sablecc.**' -d out calc.sablecc
	recorded antlr "$jars/antlr.jar" antlr.Tool 'antlr.*' 'antlr.**' -o out calc.g
	recorded javacc "$jars/javacc.jar" org.javacc.parser.Main 'org.javacc.*' 'org.javacc.**' -OUTPUT_DIRECTORY=out Calc.jj
	recorded jflex "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" jflex.Main 'jflex.*' 'jflex.**' -d out calc.flex
}

# suites

run_suites() {
	for name in jsoup $(by_tier '' 'commons-csv commons-codec joda-time jflex jackson-core commons-collections4 commons-lang3'); do
		JAVA_HOME=$jdk check "the tests of $name: what a run shows is there" python3 "$here/suite.py" "$name" $(by_tier -XX:TieredStopAtLevel=1 '')
	done
}

# checks: a test of the tests

less() {          # FILE: without the last edge that is a callback
	last=$(grep -n '"kind":"callback"' "$1" | tail -n 1 | cut -d: -f1)
	sed "${last}d" "$1"
}

fails() {         # WORDS COMMAND...: it finds something wrong, and says so
	words=$1
	shift
	! "$@" > "$work/said" 2>&1 && grep "$words" "$work/said"
}

run_checks() {
	callbacks "$work/full.json" none "$programs/classes:$programs/small" All "$(application)" andersen va-datareach-ft 2 > "$work/out" 2>&1
	less "$work/full.json" > "$work/less.json"
	check 'within fails without an edge' fails '^not there' python3 "$here/compare.py" within "$work/full.json" "$work/less.json"
	awk -F'"' '$14 == "callback" || /"kind":"callback"/ { print }' "$work/full.json" | tail -n 1 |
		sed 's/^{"caller":"\([^"]*\)","site":"[^@]*@\([0-9]*\)".*"callee":"\([^"]*\)".*/back\t\3\t\1\t\2\t182\tl.X.m()V\t-/' > "$work/record"
	check 'a record is found' python3 "$here/compare.py" seen "$work/record" "$work/full.json"
	check 'and is missed without its edge' fails '^missing' python3 "$here/compare.py" seen "$work/record" "$work/less.json"
}

for which; do
	"run_$which"
done
exit $failed
