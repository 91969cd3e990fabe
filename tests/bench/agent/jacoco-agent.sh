#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jacoco-agent.sh - makes an agent of Debian's JaCoCo: its jars, and the ASM they need, in one file with an agent's manifest.
# Usage: tests/bench/agent/jacoco-agent.sh FILE.jar    FILE is written unless it is there
# Needs the packages libjacoco-java and libasm-java, and a JDK. Exit status 2 when they are missing.
set -eu
[ $# = 1 ] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
[ ! -f "$1" ] || exit 0
jars=/usr/share/java
parts="org.jacoco.agent.rt org.jacoco.core asm asm-commons asm-tree asm-analysis"
for p in $parts; do
	[ -f "$jars/$p.jar" ] || { echo "jacoco-agent.sh: no $jars/$p.jar; install libjacoco-java and libasm-java" >&2; exit 2; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/classes"
for p in $parts; do
	(cd "$tmp/classes" && jar xf "$jars/$p.jar")
done
rm -rf "$tmp/classes/META-INF" "$tmp/classes/module-info.class"
main=$(cd "$tmp/classes" && find org/jacoco/agent/rt -name PreMain.class | tr / .)
# Class files that are instrumented without an agent call the package that this file names.
sed -i 's/^RUNTIMEPACKAGE=.*/RUNTIMEPACKAGE=org.jacoco.agent.rt.internal/' "$tmp/classes/org/jacoco/core/jacoco.properties"
printf 'Premain-Class: %s\n' "${main%.class}" > "$tmp/manifest"
jar cfm "$tmp/agent.jar" "$tmp/manifest" -C "$tmp/classes" .
mkdir -p "$(dirname "$1")"
mv "$tmp/agent.jar" "$1"
