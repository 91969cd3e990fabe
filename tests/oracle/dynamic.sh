#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Laws about dynamic features (dynamic.py): the graph of each level of assumptions contains that of the level below it; at one
# level, coarser algorithms contain finer ones; and what reflection did in real runs, as the agent records it, is in the graphs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
build=$(cd "${BUILD:-build}" && pwd)
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
. "$here/../lib/tier.sh"
. "$here/../lib/jdks.sh"

result() {        # STATUS NAME: with what is in $work/out
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
	sed 's/^/  /' "$work/out"
}

law() {           # NAME ARGUMENT...: of dynamic.py
	law=$1
	shift
	python3 "$here/dynamic.py" "$@" >"$work/out" 2>&1
	result $? "$law"
}

graph() {         # ALGORITHM LEVEL ONLY OPTION...: writes $work/ALGORITHM-LEVEL.csv
	graph=$work/$1-$2.csv algorithm=$1 level=$2 only=$3
	shift 3
	"$sherd" callgraph -q --format csv --algorithm "$algorithm" --assume "$level" ${only:+--only "$only"} "$@" >"$graph" 2>"$work/out" ||
		result 1 "$name $algorithm $level: a graph"
}

# Each level, from the one that assumes most, contains the next.
levels() {        # NAME ALGORITHMS LEVELS ONLY OPTION...
	name=$1 algorithms=$2 levels=$3 only=$4
	shift 4
	for a in $algorithms; do
		before=
		for l in $levels; do
			graph "$a" "$l" "$only" "$@"
			[ -z "$before" ] || law "$name $a: $l is within $before" contains "$work/$a-$before.csv" "$work/$a-$l.csv"
			before=$l
		done
	done
}

# At a level, where each algorithm is finer than the one before it. Graphs of other levels than listed are those that levels() made last.
finer() {         # NAME ALGORITHMS ONLY OPTION...
	name=$1 algorithms=$2 only=$3
	shift 3
	for a in $algorithms; do
		graph "$a" listed "$only" "$@"
	done
	finer_at "$name" "$algorithms" listed
}

finer_at() {      # NAME ALGORITHMS LEVELS
	for l in $3; do
		before=
		for a in $2; do
			[ -z "$before" ] || law "$1 $l: $a is within $before" contains "$work/$before-$l.csv" "$work/$a-$l.csv"
			before=$a
		done
	done
}

run() {           # ARGUMENT...: of a JVM; leaves $work/record
	rm -rf "$work/record" "$work/run"
	mkdir -p "$work/run/out"
	cp -R "$top/tests/recorder/inputs/." "$work/run"
	(cd "$work/run" && "$(default_jdk)/bin/java" "-agentpath:$build/libsherd-agent.so=dynamic=$work/record" "$@" >"$work/out" 2>&1)
}

happened() {      # NAME CLASS_PATH MAIN ARGUMENT...
	name=$1 path=$2 main=$3
	shift 3
	if ! run -cp "$path" "$main" "$@"; then
		result 1 "$name recorded"
		return
	fi
	only=$(python3 "$here/dynamic.py" callers "$work/record")
	for graph in rta-listed cha-behaved; do
		"$sherd" callgraph -q --format csv --algorithm "${graph%-*}" --assume "${graph#*-}" --only "$only" -cp "$path" --main "$main" |
			python3 "$here/dynamic.py" keep "$work/record" >"$work/$graph.csv"
	done
	law "$name: what happened is in the graphs" facts "$work/record" "$work/rta-listed.csv" "$work/cha-behaved.csv"
}

every='behaved encap cast string env listed'

# Small programs, with a library that has hardly more than reflection
python3 "$top/tests/laws/library.py" "$work/sources" reflection.txt &&
	javac -nowarn -proc:none --patch-module "java.base=$work/sources" -d "$work/library" $(find "$work/sources" -name '*.java') 2>"$work/out" ||
	result 1 'the library compiled'
javac -nowarn -Xlint:none -d "$work/levels" "$top/tests/annotated/callgraph/Levels.java" 2>"$work/out" || result 1 'Levels compiled'
policies='cha rta dta vta 0cfa andersen containers 1obj 2obj'
levels Levels "$(by_tier "$policies" "$policies rta-policy cta mta fta xta steens p-bounded 1cfa 1-1cfa 1type 2type")" "$every" '' \
	-cp "$work/levels:$work/library" --jdk none --main levels.Levels
finer_at Levels "$policies" "$every"

# Programs with the JDK
javac -g -nowarn -Xlint:none -d "$work/refl" "$here/dynamic/Reflective.java" 2>"$work/out" || result 1 'Reflective compiled'
happened Reflective "$work/refl" refl.Reflective
finer Reflective "$(by_tier 'rta andersen' 'cha rta 0cfa andersen')" 'refl.**' -cp "$work/refl" --main refl.Reflective
javac -g -nowarn -Xlint:none -d "$work/named" "$here/dynamic/Named.java" 2>"$work/out" || result 1 'Named compiled'
mkdir -p "$work/named/META-INF/services"
printf 'named.Named$Plugin\nnamed.Named$Other # the other\n' >"$work/named/META-INF/services/named.Named\$Service"
happened Named "$work/named" named.Named
finer Named "$(by_tier 'rta andersen' 'cha rta 0cfa andersen')" 'named.**' -cp "$work/named" --main named.Named
for name in Handles Combinators; do
	main=$(echo "$name" | tr '[:upper:]' '[:lower:]').$name
	javac -g -nowarn -Xlint:none -d "$work/handles" "$top/tests/annotated/callgraph/$name.java" 2>"$work/out" || result 1 "$name compiled"
	finer "$name" "$(by_tier 'rta andersen' 'cha rta 0cfa andersen')" "${main%.*}.**" -cp "$work/handles" --main "$main"
done
# Callbacks stand outside the order; still, a finer algorithm calls nothing back that a coarser one does not reach. Among all that the JDK does
# with objects of unknown class, calls on final classes are those that rta could lack.
javac -g -nowarn -Xlint:none -d "$work/callbacks" "$top/tests/annotated/callgraph/Callbacks.java" 2>"$work/out" || result 1 'Callbacks compiled'
rm -f "$work/callbacks/callbacks/Gone.class"
finer Callbacks 'rta vta 0cfa andersen' '' -cp "$work/callbacks" --main callbacks.Callbacks
for pair in vta:0cfa 0cfa:andersen; do
	law "Callbacks: ${pair#*:} calls back no more than ${pair%:*}" callbacks "$work/${pair%:*}-listed.csv" "$work/${pair#*:}-listed.csv"
done
levels sablecc "$(by_tier rta 'cha rta')" "$(by_tier 'behaved listed' "$every")" 'org.sablecc.**' -cp "$jars/sablecc.jar" --main org.sablecc.sablecc.SableCC
if is_all; then
	levels Reflective 'rta 0cfa andersen' 'behaved env listed' 'refl.**' -cp "$work/refl" --main refl.Reflective
	finer_at Reflective 'rta 0cfa andersen' 'behaved env listed'
	levels javacc 'cha rta' "$every" 'org.javacc.**' -cp "$jars/javacc.jar" --main org.javacc.parser.Main
	levels antlr 'cha rta' "$every" 'antlr.**' -cp "$jars/antlr.jar" --main antlr.Tool
	finer sablecc 'cha rta 0cfa andersen' 'org.sablecc.**' -cp "$jars/sablecc.jar" --main org.sablecc.sablecc.SableCC
	finer javacc 'cha rta 0cfa andersen' 'org.javacc.**' -cp "$jars/javacc.jar" --main org.javacc.parser.Main
	happened sablecc "$jars/sablecc.jar" org.sablecc.sablecc.SableCC -d out calc.sablecc
	happened javacc "$jars/javacc.jar" org.javacc.parser.Main -OUTPUT_DIRECTORY=out Calc.jj
	javac -nowarn -d "$work/exercise" "$top/tests/recorder/inputs/Exercise.java" 2>"$work/out" || result 1 'Exercise compiled'
	happened exercise "$work/exercise" Exercise
fi
exit $failed
