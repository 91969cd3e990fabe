#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The order of the algorithms, and reality: laws.c on generated programs (tests/laws) with the whole family and on real ones
# with what is cheap there; and every call between classes of generated programs that a JVM really makes is in
# the graphs of several algorithms. SEEDS: which programs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
build=${BUILD:-build}
sherd=${SHERD:-$build/sherd}
laws=$build/tests/laws
jars=${JARS:-/usr/share/java}
. "$here/../lib/tier.sh"
: "${JAVA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
. "$here/../lib/kept.sh"
seeds=${SEEDS:-$(seq 1 "$(by_tier 10 40)")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

result() {        # STATUS NAME: with $work/out, when it failed
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		tail -n 30 "$work/out"
		failed=1
	fi
}

need() {          # NAME COMMAND...: a step without which the rest makes no sense
	name=$1
	shift
	"$@" >"$work/out" 2>&1 && return
	result 1 "$name"
	exit 1
}

# Programs, and the small library to analyse them with.

compile() {       # OUT ARGUMENT...
	out=$1
	shift
	"$JAVA_HOME/bin/javac" -J-Xss16m -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -g -nowarn -Xlint:none -proc:none -d "$out" "$@"
}

write_all() {     # one program that runs all
	echo 'public class All {'
	echo '	public static void main(String[] a) {'
	for seed in $seeds; do
		echo "		g$seed.Main.main(a);"
	done
	printf '\t}\n}\n'
}

make_programs() { # FOLDER
	"$top/tests/laws/generate.py" "$1/programs" $seeds && write_all >"$1/programs/All.java" &&
		compile "$1/classes" $(find "$1/programs" -name '*.java') &&
		"$top/tests/laws/library.py" "$1/library" &&
		compile "$1/small" --patch-module "java.base=$1/library" $(find "$1/library" -name '*.java')
}

need 'programs are written and compile' kept "laws-$(by_tier normal all)" "$(key "$0" "$top"/tests/laws/*.py "$top"/tests/laws/*.txt "$JAVA_HOME/release" "$seeds")" \
	make_programs

# Laws

for seed in $seeds; do
	"$laws" -cp "$kept/classes:$kept/small" --jdk none --main "g$seed.Main" --brief >"$work/out" 2>&1 &&
		tail -n 1 "$work/out" | grep -q '^[1-9][0-9]* laws, 0 broken, 0 skipped'
	result $? "program $seed: $(tail -n 1 "$work/out")"
done

subject() {       # NAME ONLY ARGUMENT...: a case a law
	name=$1 only=$2
	shift 2
	"$laws" --only "$only" "$@" >"$work/out" 2>&1
	status=$?
	sed -E "s/^(not ok|ok) /&$name: /" "$work/out"
	[ $status = 0 ] || failed=1
	grep -q '^ok' "$work/out" || result 1 "$name: any law"
}

# What is left out of the tier normal is repetition: other programs with the same algorithms, and laws that generated programs
# have shown.
sets=$(by_tier rta,rta-policy,cta,xta rta,rta:bodies,rta-policy,cta,mta,fta,xta,dta)
flow=vta,0cfa,andersen,andersen:slots
subject 'generated, with the JDK' "rta,$(by_tier 0cfa,andersen,containers,1obj "xta,$flow,containers,1type,1obj")" -cp "$kept/classes" --main All
subject sablecc "cha,$sets,$(by_tier "vta,0cfa,andersen,containers,1cfa" "$flow,andersen:sites,0-1cfa,containers,p-bounded,1cfa,1type,1obj")" \
	-cp "$jars/sablecc.jar" --main org.sablecc.sablecc.SableCC
subject lang3 "rta,$(by_tier andersen "xta,cha,$flow")" -cp "$jars/commons-lang3.jar" --entry public
if is_all; then
	subject antlr "rta,$flow,containers,1cfa,1-1cfa,1type,1obj" -cp "$jars/antlr.jar" --main antlr.Tool
	subject javacc "$sets,$flow,1obj" -cp "$jars/javacc.jar" --main org.javacc.parser.Main
	subject jflex "rta,$flow" -cp "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" --main jflex.Main
fi

# Reality.

record() {
	BUILD=$build JAVA_HOME=$JAVA_HOME timeout 1800 "$top/tests/recorder/record.sh" All "$work/all.calls" -cp "$kept/classes" &&
		awk -F'\t' '$1 == "" || ($1 ~ /^g[0-9]+\// && $5 ~ /^g[0-9]+\//)' "$work/all.calls" >"$work/own.calls" &&
		[ "$(grep -c '^g' "$work/own.calls")" -gt 1000 ]
}

compare() {       # NAME CALLS ALGORITHM ARGUMENT...
	name=$1 calls=$2 algorithm=$3
	shift 3
	"$sherd" callgraph -q --algorithm "$algorithm" --format json -o "$work/graph.json" "$@" >"$work/out" 2>&1 &&
		python3 "$top/tests/recorder/compare.py" --algorithm "$algorithm" "$calls" "$work/graph.json" >"$work/out" 2>&1
	result $? "$name: recorded calls are in $algorithm"
}

if [ -f "$JAVA_HOME/include/jvmti.h" ]; then
	need 'programs run' record
	for algorithm in $(by_tier 'andersen containers 2obj' 'andersen containers 1obj 2obj 2cfa'); do
		compare 'own classes' "$work/own.calls" $algorithm -cp "$kept/classes:$kept/small" --jdk none --main All
	done
	compare 'with the JDK' "$work/all.calls" andersen -cp "$kept/classes" --jdk "$JAVA_HOME" --main All
else
	skip 'recorded calls' "no $JAVA_HOME/include/jvmti.h: set JAVA_HOME to a JDK"
fi
exit $failed
