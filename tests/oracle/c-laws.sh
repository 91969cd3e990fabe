#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The laws of pointers in C, on generated programs (tests/laws/cgenerate.py and csmith), at -O0 and -O2: what a run does is in
# the analysis (cexec.c); coarser engines contain finer ones, a library alone says what it says with clients, and its
# summary says the same to clients as the library (claws.c), also where several libraries call each other.
# Then a test of the test: without statements of any one kind, something is missed.
# SEEDS, RINGS, CSMITH_SEEDS: which programs; CLIENTS: how many of each library.
set -u
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
links=-lm
. "$(dirname "$0")/../lib/crun.sh"
seeds="0 ${SEEDS:-$(seq 1 "$(by_tier 4 12)")}"
csmith_seeds=${CSMITH_SEEDS:-$(by_tier "1 2 3 4" "$(seq 1 10) 12 13 14 16 17")}
rings=${RINGS:-$(by_tier "1x2 2x3" "1x2 2x2 3x2 1x3 2x3 3x3 4x3 1x4 2x4")}
clients=${CLIENTS:-2}
export PYTHONDONTWRITEBYTECODE=1

run() {           # NAME [SECONDS]: of CPU, since the machine may be busy
	(ulimit -t "${2:-3600}" && CRECORD=$work/$1/facts "$work/$1/run") >"$work/out" 2>&1
}

compile() {       # LEVEL SOURCE OUT [OPTION...]
	level=$1 source=$2 out=$3
	shift 3
	"$clang" -w "-O$level" -g -emit-llvm -c "$source" -o "$out" "$@"
}

generated() {     # SEED LEVEL CLIENT
	folder=$work/source/$1 name=$1-$2-$3
	compile "$2" "$folder/lib.c" "$work/lib.bc" && compile "$2" "$folder/client$3.c" "$work/client.bc" &&
		prepare "$name" "$work/lib.bc" "$work/client.bc" && run "$name"
}

need 'the recorder compiles' compile_recorder
need 'programs are written' "$top/tests/laws/cgenerate.py" "$work/source" "$clients" $seeds $rings

for seed in $seeds; do
	for level in 0 2; do
		need "program $seed runs, -O$level" generated "$seed" $level 1
		check "$seed-$level-1" "program $seed, -O$level"
		laws "library $seed and client, -O$level" fragment "$work/$seed-$level-1/k1.ll" "$work/$seed-$level-1/k2.ll"
		laws "summary of library $seed, -O$level" summary "$work/$seed-$level-1/k1.ll" "$work/$seed-$level-1/k2.ll"
	done
	laws "program $seed, engines" order "$work/$seed-0-1"/k?.ll
	k=1
	while [ $((k += 1)) -le "$clients" ]; do
		need "library $seed has client $k" generated "$seed" 0 $k
		laws "library $seed and client $k" fragment "$work/$seed-0-$k/k1.ll" "$work/$seed-0-$k/k2.ll"
		laws "summary of library $seed and client $k" summary "$work/$seed-0-$k/k1.ll" "$work/$seed-0-$k/k2.ll"
	done
done
for engine in categories one-level steens; do
	for fields in on off; do
		check "$seed-0-1" "program $seed, $engine, fields $fields" --engine $engine --fields $fields
	done
done

# Libraries in a ring: each calls those before it, and the first calls the last one. Summaries of each, made without the others.

ring() {          # SEEDxLIBRARIES LEVEL CLIENT
	folder=$work/source/$1 name=$1-$2-$3 modules=
	for file in lib lib2 lib3 lib4 "client$3"; do
		[ -f "$folder/$file.c" ] || continue
		compile "$2" "$folder/$file.c" "$folder/$file.bc" || return
		modules="$modules $folder/$file.bc"
	done
	# shellcheck disable=SC2086
	prepare "$name" $modules && run "$name"
}

for seed in $rings; do
	libraries=${seed#*x}
	for level in 0 2; do
		need "ring $seed runs, -O$level" ring "$seed" $level 1
		check "$seed-$level-1" "ring $seed, -O$level"
		k=0 given=
		while [ $((k += 1)) -le "$libraries" ]; do given="$given $work/$seed-$level-1/k$k.ll"; done
		# shellcheck disable=SC2086
		laws "summaries of ring $seed, -O$level" summary $given -- "$work/$seed-$level-1/k$k.ll"
	done
done

# csmith's programs have pointers to pointers, unions, bit fields and arrays, but neither heap nor function pointers. Another
# csmith writes others, of which some do not end: few may.

random() {        # SEED LEVEL; csmith leaves another file where it runs
	(cd "$work" && csmith --seed "$1" --max-funcs 6 --max-pointer-depth 3 --no-argc --max-array-dim 2 --max-block-depth 3 \
		--output random.c) && compile "$2" "$work/random.c" "$work/random.bc" -I/usr/include/csmith &&
		prepare "random-$1-$2" "$work/random.bc" && run "random-$1-$2" 20
}

if command -v csmith >/dev/null; then
	endless=0 total=0
	for seed in $csmith_seeds; do
		total=$((total + 1))
		for level in 0 2; do
			random "$seed" $level
			case $? in
			0) ;;
			137 | 152) endless=$((endless + 1)); continue 2 ;;      # SIGKILL or SIGXCPU
			*) result 1 "program $seed of csmith runs, -O$level"; continue 2 ;;
			esac
			check "random-$seed-$level" "program $seed of csmith, -O$level"
		done
		laws "program $seed of csmith, engines" order "$work/random-$seed-0/k1.ll"
	done
	echo "$endless do not end" >"$work/out"
	[ $((endless * 3)) -le $total ]
	result $? "$((total - endless)) of $total programs of csmith end"
else
	skip 'programs of csmith' 'no csmith here: tools/deps check'
fi

# Is anything noticed? All programs together need all kinds of statements.

fails_without() { # KIND: of the program
	for seed in $seeds; do
		"$cexec" --without "$1" "$work/$seed-0-1/facts" "$work/$seed-0-1"/k?.ll >"$work/out" 2>&1
		[ $? = 1 ] && return
	done
	return 1
}

breaks_without() { # KIND: of the placeholders
	for seed in $seeds; do
		"$claws" fragment --without "$1" "$work/$seed-0-1"/k?.ll >"$work/out" 2>&1
		[ $? = 1 ] && return
	done
	return 1
}

for kind in addr copy shift get put load store move call; do
	fails_without $kind
	result $? "something is missed without statements of the kind $kind"
done
for kind in addr get put load store shift call; do
	breaks_without $kind
	result $? "the law of fragments fails without placeholders of the kind $kind"
done
exit $failed
