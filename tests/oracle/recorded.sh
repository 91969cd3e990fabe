#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Soundness against reality: records the calls of real programs in a JVM, and demands that each is in the CHA and
# the RTA graph, or has one of the causes that sherd lists (tests/recorder/compare.py).
set -u
here=$(cd "$(dirname "$0")" && pwd)
recorder=$here/../recorder
build=${BUILD:-build}
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

result() {        # STATUS NAME FILE
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
	sed 's/^/  /' "$3"
}

# The graph is written into a pipe: CHA's has over a gigabyte of text.
compare() {       # NAME ALGORITHM CLASS_PATH MAIN
	mkfifo "$work/graph"
	"$sherd" callgraph -q -cp "$3" --main "$4" --algorithm "$2" --format csv >"$work/graph" &
	python3 "$recorder/compare.py" --algorithm "$2" "$work/$1.calls" "$work/graph" >"$work/out" 2>&1
	status=$?
	wait $! || status=1
	rm "$work/graph"
	result $status "$1 $2" "$work/out"
}

check() {         # NAME CLASS_PATH MAIN
	if ! BUILD=$build "$recorder/record.sh" "$1" "$work/$1.calls" >"$work/out" 2>&1; then
		result 1 "$1 recorded" "$work/out"
		return
	fi
	compare "$1" rta "$2" "$3"
	compare "$1" cha "$2" "$3"
}

python3 "$recorder/test_compare.py" >"$work/out" 2>&1
result $? "the comparison itself" "$work/out"
check sablecc "$jars/sablecc.jar" org.sablecc.sablecc.SableCC
check javacc "$jars/javacc.jar" org.javacc.parser.Main
mkdir "$work/exercise"
javac -nowarn -d "$work/exercise" "$recorder/inputs/Exercise.java" >"$work/out" 2>&1 || result 1 "exercise compiled" "$work/out"
check exercise "$work/exercise" Exercise
check jflex "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" jflex.Main
exit $failed
