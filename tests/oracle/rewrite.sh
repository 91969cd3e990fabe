#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every class of a JDK's java.base, and of 30 and more Debian libraries, watched at every virtual and interface call, is
# verified and initialised under the agent: just the classes that fail without it fail with it. Methods that have no room for
# more code are listed. The same once more with all that src/rewrite can insert, by rewrite/tracer.c. And programs run with
# that, where every frame must be left as it was entered, and every call end as it began (rewrite/strict).
#
# usage: rewrite.sh [java.base|libraries|programs]...
#   BUILD: the build folder. In the tier all: also on other JDKs than the default one, and with all jars of /usr/share/java.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=tests/oracle/rewrite
build=$(cd "${BUILD:-build}" && pwd)
planall=$build/tests/planall
agent=$build/libsherd-agent.so
. tests/lib/jdks.sh
. tests/lib/tier.sh
[ $# -gt 0 ] || set -- java.base libraries programs

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
home=$(default_jdk)
failed=0
"$home/bin/javac" -J-XX:TieredStopAtLevel=1 --release 11 -d "$tmp/classes" $here/LoadAll.java || exit 1

build_tracer() {
	objects="$build/pic/rewrite $build/pic/formats/classfile"
	for name in diag intern map mem strbuf text/utf8 vec; do
		objects="$objects $build/pic/base/$name.o"
	done
	# shellcheck disable=SC2046,SC2086
	${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g -Wall -Wextra -fPIC -shared -Isrc -isystem "$home/include" \
		-isystem "$home/include/linux" -o "$tmp/tracer.so" $here/tracer.c $(find $objects -name '*.o') -lpthread
	for kind in quiet strict; do
		"$home/bin/javac" -J-XX:TieredStopAtLevel=1 --patch-module java.base=$here/$kind -d "$tmp/$kind" \
			$here/$kind/java/lang/Traced.java || return 1
	done
}
build_tracer || exit 1

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
	check_traced "$@"
}

edited() { sed -n 's/ methods: edited$//p' "$1"; }

# As check, with all kinds of insertions. Nearly all methods must have room.
check_traced() {
	name="$1, traced"
	rm -f "$tmp"/traced* "$tmp/kinds"
	which=others
	[ -z "$4" ] || which=all
	load "$2" "$tmp/traced" "$3" "$4" --patch-module "java.base=$tmp/quiet" "-agentpath:$tmp/tracer.so=$which:$tmp/kinds" ||
		{ not_ok "$name" "with the tracer" "$tmp/traced.out"; return; }
	if ! diff "$tmp/plain" "$tmp/traced" > "$tmp/diff"; then
		not_ok "$name" "other classes fail (> with the tracer)" "$tmp/diff"
	elif [ "$(edited "$tmp/kinds")" -lt 40000 ] || [ "$(grep -vc edited "$tmp/kinds")" -gt 2 ]; then
		not_ok "$name" "methods stayed as they were" "$tmp/kinds"
	else
		grep -v edited "$tmp/kinds"
		echo "ok $name: $(edited "$tmp/kinds") methods"
	fi
}

# trace NAME OPTION...: a program in which something throws, and all is in step
trace() {
	name=$1
	shift
	rm -f "$tmp/traced" "$tmp/kinds"
	if ! (cd "$tmp/work" && timeout 600 "$jdk/bin/java" -Xverify:all --patch-module "java.base=$tmp/strict" \
			"-agentpath:$tmp/tracer.so=others:$tmp/kinds" -Dtraced.out="$tmp/traced" "$@" > "$tmp/log" 2>&1 < /dev/null); then
		not_ok "$name" "it fails" "$tmp/log"
	elif [ "$(grep -c . "$tmp/traced")" -ne 1 ]; then
		not_ok "$name" "out of step" "$tmp/traced"
	elif [ "$(edited "$tmp/kinds")" -lt "$least" ]; then
		not_ok "$name" "few methods are traced" "$tmp/kinds"
	else
		echo "ok $name: $(cat "$tmp/traced")"
	fi
}

# The program Old in class files of an older version, in $tmp/work/VERSION.
make_old() {
	"$home/bin/javac" -J-XX:TieredStopAtLevel=1 -nowarn -Xlint:-options --release 8 -d "$tmp/work/$1" $here/Old.java || exit 1
	for class in "$tmp/work/$1"/*.class; do
		printf "\\$(printf %o "$1")" | dd of="$class" bs=1 seek=7 conv=notrunc 2> /dev/null
	done
}

check_programs() {
	jars=/usr/share/java
	mkdir -p "$tmp/work/out"
	cp tests/recorder/inputs/* $here/Throwing.java $here/Sum.g4 "$tmp/work"
	"$home/bin/javac" -J-XX:TieredStopAtLevel=1 --release 11 -d "$tmp/work" $here/Throwing.java || exit 1
	make_old 49
	make_old 50
	for jdk in $(jdks_of_tier); do
		on="on $(basename "$jdk")"
		least=5 trace "version 49 $on" -cp 49 Old
		least=5 trace "version 50 $on" -cp 50 Old
		least=10 trace "throwing $on" -cp . Throwing
		least=400 trace "jflex $on" -cp $jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar jflex.Main -q -d out calc.flex
		least=1000 trace "sablecc $on" -cp $jars/sablecc.jar org.sablecc.sablecc.SableCC -d out calc.sablecc
		least=1000 trace "javacc $on" -cp $jars/javacc.jar org.javacc.parser.Main -OUTPUT_DIRECTORY=out Calc.jj
		least=3000 trace "antlr $on" -cp "$(printf "$jars/%s.jar:" antlr4 antlr4-runtime antlr3-runtime stringtemplate4 \
			treelayout javax.json icu4j)" org.antlr.v4.Tool -o out Sum.g4
	done
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
	programs) check_programs ;;
	*) echo "usage: rewrite.sh [java.base|libraries|programs]..." >&2; exit 2 ;;
	esac
done
exit $failed
