#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The unit tests and a few whole runs with AddressSanitizer and UndefinedBehaviorSanitizer, checks between passes, and
# containers that start with room for one element (SHERD_TORTURE). Results are those of the ordinary build.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
san=$build/san
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2
failed=0
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 XDG_CACHE_HOME="$work/cache"
unset MAKEFLAGS

result() {        # STATUS NAME FILE
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		tail -n 40 "$3"
		failed=1
	fi
}

make -s -j2 BUILD="$san" SAN=address,undefined DEBUG=1 TORTURE=1 OPT='-O1 -g' all units >"$work/out" 2>&1
result $? "sanitized build" "$work/out"
for t in "$san"/tests/test_*; do
	case $t in *.d) continue ;; esac
	BUILD=$san SHERD=$san/sherd "$t" >"$work/out" 2>&1
	result $? "sanitized $(basename "$t")" "$work/out"
done

same() {          # NAME ARGUMENT...: both builds print the same and succeed
	name=$1
	shift
	"$sherd" "$@" >"$work/plain" 2>"$work/err" || result 1 "$name" "$work/err"
	"$san/sherd" "$@" >"$work/san" 2>"$work/err"
	status=$?
	cmp -s "$work/plain" "$work/san" || status=1
	result $status "$name" "$work/err"
}
same "sanitized call graph" callgraph -q -cp "$jars/antlr.jar" --main antlr.Tool --format csv
same "sanitized call graph, warm" callgraph -q -cp "$jars/antlr.jar" --main antlr.Tool --format csv
same "sanitized call graph on three threads" callgraph -q -j3 --jdk none -cp "$jars/antlr.jar:$jars/sablecc.jar" \
	--entry public --algorithm cha --format json
same "sanitized dump" dump java.lang.Thread java.util.HashMap java.lang.invoke.MethodHandles

# Damaged jars: a diagnostic and an ordinary exit status, whatever is cut off or flipped.
size=$(wc -c <"$jars/sablecc.jar")
bad=
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cp "$jars/sablecc.jar" "$work/bad.jar"
	chmod u+w "$work/bad.jar"
	if [ $((k % 2)) = 0 ]; then
		truncate -s $((size * k / 13)) "$work/bad.jar"
	else
		printf '\377\001' | dd of="$work/bad.jar" bs=1 seek=$((size * k / 13)) conv=notrunc 2>/dev/null
	fi
	"$san/sherd" callgraph --jdk none -cp "$work/bad.jar" --entry public --algorithm cha --format csv >"$work/out" 2>"$work/err"
	case $? in 0|2) ;; *) bad="$bad $k"; cat "$work/err" ;; esac
done
[ -z "$bad" ]
result $? "sanitized damaged jars" "$work/err"
exit $failed
