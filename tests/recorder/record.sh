#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh NAME OUT [-cp PATH] - runs one program under the recorder and writes its calls to OUT (see recorder.c).
#
# NAME is jflex, sablecc, javacc, or exercise (inputs/Exercise.java, which goes through much of the JDK); with a class path, a main
# class of it.
# JAVA_HOME chooses the JDK; BUILD is where the agent is built (default: build).
# The JVM interprets (events need that anyway) and shares no archived classes, so that everything which
# happens after its start is seen.
set -eu

die() {
	echo "record.sh: $*" >&2
	exit 2
}

[ $# -eq 2 ] || [ $# -eq 4 ] || die "usage: record.sh NAME OUT [-cp PATH]"
name=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
jars=${JARS:-/usr/share/java}
build=${BUILD:-build}
: "${JAVA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
[ -f "$JAVA_HOME/include/jvmti.h" ] || die "no JDK with headers in '$JAVA_HOME': set JAVA_HOME"

mkdir -p "$build/recorder" "$(dirname "$2")"
build=$(cd "$build/recorder" && pwd)
out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
agent=$build/recorder-$(printf %s "$JAVA_HOME" | cksum | cut -d' ' -f1).so     # one a JDK: headers differ
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_agent() {
	base=$root/src/base
	${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g -Wall -Wextra -fPIC -shared -I"$root/src" \
		-isystem "$JAVA_HOME/include" -isystem "$JAVA_HOME/include/linux" -o "$agent.$$" "$here/recorder.c" \
		"$base/mem.c" "$base/map.c" "$base/intern.c" "$base/strbuf.c" "$base/vec.c" -lpthread
	mv "$agent.$$" "$agent"
}

run() {
	rm -f "$out"
	(cd "$work" && "$JAVA_HOME/bin/java" -Xint -Xshare:off "-agentpath:$agent=$out" "$@" >log 2>&1) || {
		tail -20 "$work/log" >&2
		die "$name failed"
	}
	[ -s "$out" ] || die "$name: nothing recorded"
}

need() {
	for jar in "$@"; do
		[ -f "$jars/$jar" ] || die "$name needs $jars/$jar"
	done
}

[ "$agent" -nt "$here/recorder.c" ] || build_agent
cp -R "$here/inputs/." "$work"
mkdir "$work/out"
[ $# -eq 2 ] || { run "$3" "$4" "$name"; exit; }
case $name in
jflex)
	need jflex.jar cup_runtime.jar
	run -cp "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" jflex.Main -d out calc.flex
	;;
sablecc)
	need sablecc.jar
	run -cp "$jars/sablecc.jar" org.sablecc.sablecc.SableCC -d out calc.sablecc
	;;
javacc)
	need javacc.jar
	run -cp "$jars/javacc.jar" org.javacc.parser.Main -OUTPUT_DIRECTORY=out Calc.jj
	;;
exercise)
	"$JAVA_HOME/bin/javac" -nowarn -d "$work/classes" "$work/Exercise.java" 2>"$work/log" || die "$(cat "$work/log")"
	run -cp "$work/classes" Exercise
	;;
*)
	die "unknown program '$name': jflex, sablecc, javacc or exercise"
	;;
esac
