#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Soundness against reality: records the calls of real programs in a JVM, and demands that each is in the graphs of CHA,
# RTA and the points-to analyses, or has one of the causes that sherd lists (tests/recorder/compare.py).
set -u
here=$(cd "$(dirname "$0")" && pwd)
recorder=$here/../recorder
build=${BUILD:-build}
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
. "$here/../lib/tier.sh"
. "$here/../lib/jdks.sh"
. "$here/../lib/kept.sh"

result() {        # STATUS NAME FILE
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
	sed 's/^/  /' "$3"
}

# The graph is written into a pipe: CHA's has over a gigabyte of text. JSON says which sites are open.
compare() {       # NAME ALGORITHM CLASS_PATH MAIN
	case $2 in
	rta | cha) how='--format csv' ;;
	*) how='--format json' ;;
	esac
	mkfifo "$work/graph"
	# shellcheck disable=SC2086
	"$sherd" callgraph -q -cp "$3" --main "$4" --algorithm "$2" $how >"$work/graph" &
	python3 "$recorder/compare.py" --algorithm "$2" "$calls" "$work/graph" >"$work/out" 2>&1
	status=$?
	[ $status = 2 ] && kill $!        # it did not get as far as reading the graph
	wait $!
	ended=$?
	rm "$work/graph"
	[ $ended = 0 ] || status=1
	result $status "$1 $2" "$work/out"
}

record() {        # NAME CLASS_PATH FOLDER: the exercise was compiled
	[ "$1" = exercise ] && set -- Exercise "$3/calls" -cp "$2" || set -- "$1" "$3/calls"
	BUILD=$build JAVA_HOME=$(default_jdk) "$recorder/record.sh" "$@"
}

check() {         # NAME CLASS_PATH MAIN ALGORITHM...
	name=$1 path=$2 main=$3
	# shellcheck disable=SC2046
	if ! kept "recorded-$name" "$(key "$recorder/recorder.c" "$recorder/record.sh" "$recorder"/inputs/* $(echo "$path" | tr : '\n' | grep '\.jar$') \
		"$(default_jdk)/release")" record "$name" "$path" >"$work/out" 2>&1; then
		result 1 "$name recorded" "$work/out"
		return
	fi
	calls=$kept/calls
	shift 3
	for algorithm; do
		compare "$name" "$algorithm" "$path" "$main"
	done
}

python3 "$recorder/test_compare.py" >"$work/out" 2>&1
result $? "the comparison itself" "$work/out"
! is_all || check sablecc "$jars/sablecc.jar" org.sablecc.sablecc.SableCC rta andersen cha containers 2obj
! is_all || check javacc "$jars/javacc.jar" org.javacc.parser.Main rta cha andersen containers 2obj
mkdir "$work/exercise"
javac -J-XX:TieredStopAtLevel=1 -nowarn -d "$work/exercise" "$recorder/inputs/Exercise.java" >"$work/out" 2>&1 || result 1 "exercise compiled" "$work/out"
check exercise "$work/exercise" Exercise rta andersen $(by_tier '' 'cha 1obj')      # 2obj takes many minutes
! is_all || check jflex "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" jflex.Main rta cha andersen
exit $failed
