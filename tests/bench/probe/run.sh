#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [JAVA_HOME...] - nanoseconds that a probe adds to a call: Probe.java with and without the agent, on each JDK.
cd "$(dirname "$0")/../../.." || exit 2
build=${BUILD:-build}
agent=$PWD/$build/libsherd-agent.so
case $build in /*) agent=$build/libsherd-agent.so ;; esac
planall=$(dirname "$agent")/tests/planall
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- $(ls -d /usr/lib/jvm/*/ | xargs -n1 readlink -f | sort -u)

javac -d "$work/cls" tests/bench/probe/Probe.java || exit 2
"$planall" -o "$work/plan" "$work/cls" > /dev/null || exit 2
for jdk; do
	[ -x "$jdk/bin/java" ] || continue
	echo "$("$jdk/bin/java" -version 2>&1 | sed -n 1p): ns a call without, with the agent, and for the probe"
	"$jdk/bin/java" $JAVA_OPTIONS -cp "$work/cls" Probe > "$work/without" &&
		"$jdk/bin/java" $JAVA_OPTIONS "-agentpath:$agent=plan=$work/plan,destfile=$work/%p.cov" -cp "$work/cls" Probe > "$work/with" || exit 1
	paste "$work/without" "$work/with" | awk '{ printf "  %-24s %8.2f %8.2f %8.2f\n", $1, $2, $4, $4 - $2 }'
done
