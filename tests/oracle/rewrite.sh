#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every class of a JDK's java.base, and of 30 and more Debian libraries, watched at every virtual and interface call, is
# verified and initialised under the agent: just the classes that fail without it fail with it. Methods that have no room for
# more code are listed.
#
# usage: rewrite.sh [java.base|libraries]...
#   BUILD: the build folder. In the tier all: also on other JDKs than the default one, and with all jars of /usr/share/java.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=tests/oracle/rewrite
build=$(cd "${BUILD:-build}" && pwd)
planall=$build/tests/planall
agent=$build/libsherd-agent.so
. tests/lib/jdks.sh
. tests/lib/tier.sh
[ $# -gt 0 ] || set -- java.base libraries

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
home=$(default_jdk)
failed=0
"$home/bin/javac" -J-XX:TieredStopAtLevel=1 --release 11 -d "$tmp/classes" $here/LoadAll.java || exit 1

# The jars of the libraries that tools/deps names, and two more that it has among others.
packages="$(sed -n '/^libraries="/,/"$/{s/^libraries=//;s/"//g;p}' tools/deps) libcommons-lang3-java libgoogle-gson-java"
library_jars() {
	if is_all; then
		find /usr/share/java -maxdepth 1 -name '*.jar' -type f
	else
		dpkg-query -L $packages | grep '^/usr/share/java/[^/]*\.jar$' | xargs readlink -f
	fi | LC_ALL=C sort -u
}

release() {
	sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# In the tier normal, the JVM does not optimise what runs once.
once=$(by_tier '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' '')

# load JDK RESULT CLASSPATH MODULE [OPTION]...: the classes that fail, in RESULT
load() {
	jdk=$1 result=$2 path=$3 module=$4
	shift 4
	timeout 1800 "$jdk/bin/java" $once -Xverify:all -Djava.awt.headless=true "$@" -cp "$tmp/classes$path" LoadAll $here/skipped \
		"$result" $module > "$result.out" 2>&1 < /dev/null
}

not_ok() {
	echo "not ok $1: $2"
	[ ! -f "$3" ] || tail -n 40 "$3"
	failed=1
}

# check NAME JDK CLASSPATH MODULE: with the plan in $tmp/plan
check() {
	name=$1
	rm -f "$tmp"/plain* "$tmp"/watched* "$tmp"/*.cov
	load "$2" "$tmp/plain" "$3" "$4" || { not_ok "$name" "without the agent" "$tmp/plain.out"; return; }
	load "$2" "$tmp/watched" "$3" "$4" "-agentpath:$agent=plan=$tmp/plan,destfile=$tmp/run-%p.cov" ||
		{ not_ok "$name" "with the agent" "$tmp/watched.out"; return; }
	if ! diff "$tmp/plain" "$tmp/watched" > "$tmp/diff"; then
		not_ok "$name" "other classes fail (> with the agent)" "$tmp/diff"
	elif ! "$planall" -c "$tmp"/run-*.cov > "$tmp/seen"; then
		not_ok "$name" "not all is watched" "$tmp/seen"
	else
		grep -v '^[0-9]* classes watched' "$tmp/seen"
		echo "ok $name: $(tail -n 1 "$tmp/plain"), $(tail -n 1 "$tmp/seen")"
	fi
}

check_java_base() {
	for jdk in $(jdks_of_tier); do
		name="java.base of $(basename "$jdk")"
		if "$planall" -o "$tmp/plan" "$jdk/lib/modules" > "$tmp/planned"; then
			check "$name" "$jdk" "" java.base
		else
			not_ok "$name" "no plan" "$tmp/planned"
		fi
	done
}

check_libraries() {
	jars=$(library_jars)
	all="$(echo "$jars" | grep -c .) jars"
	[ "$(echo "$jars" | grep -c .)" -ge 30 ] || not_ok "$all" "install them with tools/deps check" ""
	for jdk in $(jdks_of_tier); do
		# shellcheck disable=SC2086
		if "$planall" -o "$tmp/plan" -v "$(release "$jdk")" -x "$jdk/lib/modules" $jars > "$tmp/planned"; then
			check "$all on $(basename "$jdk")" "$jdk" "$(printf ':%s' $jars)" ""
		else
			not_ok "$all" "no plan" "$tmp/planned"
		fi
	done
}

for part; do
	case $part in
	java.base) check_java_base ;;
	libraries) check_libraries ;;
	*) echo "usage: rewrite.sh [java.base|libraries]..." >&2; exit 2 ;;
	esac
done
exit $failed
