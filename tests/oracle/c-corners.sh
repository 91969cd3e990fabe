#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What C programs do with pointers in dark corners (corners/*.c), at several levels of optimisation: is what a run does in the
# analysis? PROGRAMS: which of them; LEVELS.
set -u
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
links=
. "$(dirname "$0")/../lib/crun.sh"

need 'the recorder compiles' compile_recorder
for source in ${PROGRAMS:-"$top"/tests/oracle/corners/*.c}; do
	for level in ${LEVELS:-$(by_tier '0 2' '0 1 2 3')}; do
		name=$(basename "$source" .c)-O$level
		need "$name is compiled" "$clang" -w "-O$level" -g -emit-llvm -c "$source" -o "$work/module.bc"
		need "$name is prepared" prepare "$name" "$work/module.bc"
		need "$name runs" env CRECORD="$work/$name/facts" timeout 600 "$work/$name/run"
		"$cexec" --lines "$work/$name/lines" "$work/$name/facts" "$work/$name"/k?.ll >"$work/out" 2>&1 &&
			awk -v least=$((level == 0 ? 40 : 5)) 'END { exit !($1 >= least && $3 == 0) }' "$work/out"
		result $? "$name: $(tail -n 1 "$work/out")"
	done
done
exit $failed
