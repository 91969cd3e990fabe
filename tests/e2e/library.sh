#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program of docs/library.md, built against the library as a user would, answers its question.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
mkdir "$work/classes"
javac -g -d "$work/classes" examples/shapes/*.java
${CC:-cc} -Iinclude examples/library/callers.c "$build/libsherd.a" ${LIBRARY_FLAGS:-} -ldeflate -lsqlite3 -o "$work/callers"
"$work/callers" "$work/classes" shapes.Main 'shapes.Main$Circle.area' >"$work/out"
if grep -q -- '-> shapes.Main\$Circle.area()D$' "$work/out"; then
	echo "ok library program"
else
	echo "not ok library program"
	cat "$work/out"
fi
if "$work/callers" "$work/classes" shapes.Nothing x 2>"$work/err"; then
	echo "not ok library error"
elif grep -q 'E041' "$work/err"; then
	echo "ok library error"
else
	echo "not ok library error"
fi
