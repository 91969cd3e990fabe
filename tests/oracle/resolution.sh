#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares resolution, access control and selection of methods and fields with every JDK of the machine, on
# generated class hierarchies (resolution/gen.py): for each question, the method that runs or the kind of error.
#
# usage: resolution.sh [SEED]...
#   BUILD: the build folder; HIERARCHIES: how many for each seed (about 290 questions each, default 60)
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
here=tests/oracle/resolution
. tests/lib/tier.sh
. tests/lib/jdks.sh
[ $# -gt 0 ] || set -- 1 $(by_tier '' '2 3 4 5')

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

home=$(default_jdk)
"$home/bin/javac" --release 11 -d "$tmp/observer" $here/Observer.java

failed=0
for seed; do
	work=$tmp/$seed
	mkdir "$work"
	python3 $here/gen.py "$seed" "${HIERARCHIES:-60}" "$work"
	for jdk in $(jdks); do
		name="seed $seed, $(basename "$jdk")"
		python3 $here/observe.py "$jdk" "$tmp/observer:$work/classes" "$work/questions" "$work/jvm"
		"$build/tests/resolution" "$jdk" "$work/classes" < "$work/questions" > "$work/sherd"
		if python3 $here/compare.py "$work/ids" "$work/questions" "$work/jvm" "$work/sherd"; then
			echo "ok $name"
		else
			echo "not ok $name"
			failed=1
		fi
	done
	rm -rf "$work"
done
exit $failed
