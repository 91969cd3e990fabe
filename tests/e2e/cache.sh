#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cache.sh - whatever state the cache is in, the result is the same. Prints `ok NAME` or `not ok NAME` a case.
# Uses $BUILD/sherd, the JDKs of the tier and Debian's antlr and sablecc.
build=${BUILD:-build}
sherd=$build/sherd
jars=/usr/share/java
. "$(dirname "$0")/../lib/tier.sh"
. "$(dirname "$0")/../lib/jdks.sh"
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' INT TERM
export XDG_CACHE_HOME="$tmp/cache" LC_ALL=C.UTF-8 NO_COLOR=1 COLUMNS=80
failed=0

# NAME COMMAND...: the case holds when the command succeeds
expect() {
	name=$1
	shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; failed=1; fi
}

# OUT OPTION...: the graph of $program, its checksum and size in OUT, messages in OUT.err
graph() {
	out=$1
	shift
	# shellcheck disable=SC2086
	"$sherd" callgraph $program --progress=never "$@" 2> "$out.err" | cksum > "$out"
}

not() { ! "$@"; }
warned() { grep -q W043 "$1"; }
clear_cache() { rm -rf "$XDG_CACHE_HOME"; }
the_file() { ls "$XDG_CACHE_HOME"/sherd/*.cache; }

# Cold, warm and without: byte for byte.
same_results() {
	what=$1
	shift
	clear_cache
	graph "$tmp/none" --no-cache "$@"
	expect "$what: --no-cache writes nothing" not test -e "$XDG_CACHE_HOME"
	graph "$tmp/cold" "$@"
	graph "$tmp/warm" "$@"
	expect "$what: cold is as without" cmp -s "$tmp/none" "$tmp/cold"
	expect "$what: warm is as without" cmp -s "$tmp/none" "$tmp/warm"
	expect "$what: no other messages" cmp -s "$tmp/none.err" "$tmp/warm.err"
}

# One graph must be as good after another, which left other classes in the cache.
mixed_results() {
	what=$1
	clear_cache
	graph "$tmp/rta" --no-cache --format csv
	graph "$tmp/cha" --no-cache --algorithm cha
	graph "$tmp/rta1" --format csv
	graph "$tmp/cha1" --algorithm cha
	graph "$tmp/rta2" --format csv
	graph "$tmp/cha2" --algorithm cha
	expect "$what: RTA after CHA" cmp -s "$tmp/rta" "$tmp/rta2"
	expect "$what: CHA after RTA" cmp -s "$tmp/cha" "$tmp/cha1"
	expect "$what: CHA after both" cmp -s "$tmp/cha" "$tmp/cha2"
}

# FILE OFFSET: changes one bit
flip() {
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

# NAME: a run with the damaged file, then one with what replaced it. $must: a warning must come.
run_damaged() {
	graph "$tmp/damaged" --format csv
	cmp -s "$tmp/good" "$tmp/damaged" || { echo "not ok $1: other result"; failed=1; return; }
	if $must && ! warned "$tmp/damaged.err"; then echo "not ok $1: no warning"; failed=1; return; fi
	graph "$tmp/after" --format csv
	if warned "$tmp/damaged.err" && warned "$tmp/after.err"; then echo "not ok $1: not replaced"; failed=1; return; fi
	cmp -s "$tmp/good" "$tmp/after" || { echo "not ok $1: other result after it"; failed=1; return; }
	echo "ok $1"
}

damage() {
	clear_cache
	graph "$tmp/good" --format csv
	file=$(the_file)
	cp "$file" "$tmp/sound"
	size=$(wc -c < "$file")
	must=true
	for cut in 0 64 100 $((size / 2)) $((size - 1)) $(by_tier '' "1 7 63 127 128 1000 $((size / 3)) $((size - 9))"); do
		head -c "$cut" "$tmp/sound" > "$file"
		run_damaged "cut at $cut of $size"
	done
	# the header, and the tables at the end, are checked at once
	for at in 0 20 100 $((size - 1000)) $(by_tier '' "5 8 70 90 $((size - 1)) $((size - 100000))"); do
		cp "$tmp/sound" "$file"
		flip "$file" "$at"
		run_damaged "bit of byte $at of $size"
	done
	# a record is checked when its class is needed
	must=false
	for part in $(by_tier '2 6 10 14' '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'); do
		cp "$tmp/sound" "$file"
		flip "$file" $((size * part / 16))
		run_damaged "bit of byte $((size * part / 16)) of $size"
	done
	for junk in "$tmp"/cache/sherd/*.stat "$file"; do
		cp "$tmp/sound" "$file"
		head -c 300 /dev/urandom > "$junk"
		run_damaged "junk in *.${junk##*.}"
	done
}

two_at_once() {
	clear_cache
	for run in 1 2 3 4; do
		graph "$tmp/at-once-$run" --format csv &
	done
	wait
	for run in 1 2 3 4; do
		expect "at once: $run" cmp -s "$tmp/good" "$tmp/at-once-$run"
		expect "at once: no warning from $run" not warned "$tmp/at-once-$run.err"
	done
	graph "$tmp/then" --format csv
	expect "at once: what is left is good" cmp -s "$tmp/good" "$tmp/then"
	expect "at once: no file is left over" not ls "$XDG_CACHE_HOME"/sherd/tmp.* 2> /dev/null
}

no_place() {
	clear_cache
	: > "$XDG_CACHE_HOME"
	graph "$tmp/placeless" --format csv
	expect "no place for a cache: same result" cmp -s "$tmp/good" "$tmp/placeless"
	expect "no place for a cache: no warning" not warned "$tmp/placeless.err"
	rm -f "$XDG_CACHE_HOME"
}

program=
for jdk in $(jdks_of_tier); do
	for row in $(by_tier '' sablecc:org.sablecc.sablecc.SableCC) antlr:antlr.Tool; do
		jar=$jars/${row%%:*}.jar
		[ -e "$jar" ] || { skip "${jdk##*/} ${row%%:*}" "no $jar: tools/deps check"; continue; }
		program="-cp $jar --main ${row#*:} --jdk $jdk"
		label="${jdk##*/} ${row%%:*}"
		same_results "$label RTA csv" --format csv
		! is_all || same_results "$label CHA" --algorithm cha     # mixed_results() shows it, too
	done
	[ -n "$program" ] || break
	mixed_results "$label"
	! is_all || same_results "$label CHA csv" --algorithm cha --format csv
done
if [ -z "$program" ]; then
	skip 'the cache' 'neither sablecc nor antlr in /usr/share/java, or no JDK: tools/deps check'
	exit 0
fi
clear_cache
damage
two_at_once
no_place
exit $failed
