#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jacoco.sh - JaCoCo beside sherd: both see what they see alone, and the program does not notice. Prints `ok NAME` or
# `not ok NAME` a case. Uses $BUILD/sherd and its agent, the JDKs of the tier, and Debian's JaCoCo.
build=$(cd "${BUILD:-build}" && pwd)
here=$(dirname "$0")/jacoco
. "$(dirname "$0")/../lib/jdks.sh"
. "$(dirname "$0")/../lib/tier.sh"
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' INT TERM
export LC_ALL=C.UTF-8 NO_COLOR=1 COLUMNS=80
failed=0

"$here/../../bench/agent/jacoco-agent.sh" "$build/jacoco-agent.jar" || { skip 'JaCoCo' 'no JaCoCo here: tools/deps check'; exit 0; }
jacoco=$build/jacoco-agent.jar
mkdir "$tmp/classes" "$tmp/tool" "$tmp/offline"
default=$(default_jdk)
"$default/bin/javac" --release 11 -g -d "$tmp/classes" "$here"/shop/*.java || exit 2
"$default/bin/javac" -cp "$jacoco" -d "$tmp/tool" "$here/Offline.java" || exit 2
"$default/bin/java" -cp "$tmp/tool:$jacoco" Offline "$tmp/classes" "$tmp/offline" || exit 2

# NAME COMMAND...: the case holds when the command succeeds
expect() {
	name=$1
	shift
	if "$@"; then echo "ok $jdk: $name"; else echo "not ok $jdk: $name"; failed=1; fi
}

# FOLDER CLASSES OPTION...: the program, its output in FOLDER/said, JaCoCo's data in FOLDER/exec, sherd's in FOLDER/*.cov
program() {
	to=$tmp/$1
	classes=$2
	shift 2
	mkdir -p "$to"
	"$home/bin/java" -Xverify:all -XX:-PrintWarnings "$@" -cp "$classes" shop.Shop > "$to/said" 2> "$to/errors"
}

show() { python3 "$here/show.py" "$@"; }
# What sherd reports of a folder.
seen() {
	"$build/sherd" report --plan "$tmp/$jdk/plan.sherd" --format json -q "$tmp/$1"/*.cov > "$tmp/$1/json" 2> "$tmp/$1/notes" &&
		show sites "$tmp/$1/json" > "$tmp/$1/sites"
}
same() { cmp "$tmp/$1" "$tmp/$2"; }
same_exec() { show exec "$tmp/$1/exec" > "$tmp/$1/probes" && show exec "$tmp/$2/exec" > "$tmp/$2/probes" && same "$1/probes" "$2/probes"; }
quiet() { ! grep -v -e '^OpenJDK.*warning' -e '^Picked up' "$tmp/$1/errors"; }
states() { show states "$tmp/$1/json" | grep -vE "^($2) 0\$" | if grep .; then false; fi; }
called() { [ "$(grep -c '"count": [1-9]' "$tmp/$1/sites")" -ge 15 ]; }

# The agents' options, for a run whose data goes to FOLDER.
by_sherd() { echo "$agent" | sed "s,destfile=[^ ]*/run,destfile=$tmp/$1/run,"; }
by_jacoco() { echo "-javaagent:$jacoco=includes=shop.*,destfile=$tmp/$1/exec"; }

check_order() {
	expect "$1: the program does the same" same none/said "$1/said"
	expect "$1: nobody complains" quiet "$1"
	expect "$1: JaCoCo sees the same, under the same identities" same_exec jacoco "$1"
	expect "$1: sherd's data can be read" seen "$1"
	expect "$1: sherd sees the same" same sherd/sites "$1/sites"
	expect "$1: every call is watched" states "$1" 'watched|matched|not loaded'
}

check_jdk() {
	rm -rf "$tmp/none" "$tmp/sherd" "$tmp/jacoco" "$tmp/offline-run" "$tmp"/*first
	mkdir -p "$tmp/$jdk"
	agent=$("$build/sherd" cover --component 'shop.**' -cp "$tmp/classes" --jdk "$home" -q -o "$tmp/$jdk" --print-agent)
	expect "a plan" test -n "$agent"
	program none "$tmp/classes"
	program jacoco "$tmp/classes" "$(by_jacoco jacoco)"
	program sherd "$tmp/classes" "$(by_sherd sherd)"
	expect "sherd alone: the program does the same" same none/said sherd/said
	expect "sherd alone: its data can be read" seen sherd
	expect "sherd alone: calls were seen" called sherd
	program sherd-first "$tmp/classes" "$(by_sherd sherd-first)" "$(by_jacoco sherd-first)"
	check_order sherd-first
	program jacoco-first "$tmp/classes" "$(by_jacoco jacoco-first)" "$(by_sherd jacoco-first)"
	check_order jacoco-first
	program offline-run "$tmp/offline:$jacoco" "$(by_sherd offline-run)" "-Djacoco-agent.destfile=$tmp/offline-run/exec"
	check_order offline-run
}

for home in $(jdks_of_tier); do
	jdk=$(basename "$home")
	check_jdk
done
exit $failed
