# SPDX-License-Identifier: Apache-2.0
# crun.sh - for scripts about C: programs in bitcode, instrumented, run and held against the analysis. Read by `.`; needs
# $work, a folder, and $build; sets failed.
top=$(cd "$(dirname "$0")/../.." && pwd)
clang=$(command -v clang-19 || command -v clang || :)
instrument=$build/tests/cinstrument
cexec=$build/tests/cexec
claws=$build/tests/claws
failed=0
. "$top/tests/lib/tier.sh"

result() {        # STATUS NAME: with $work/out, when it failed
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		tail -n 30 "$work/out" | cut -c 1-600
		failed=1
	fi
}

need() {          # NAME COMMAND...: a step without which the rest makes no sense
	need_name=$1
	shift
	"$@" >"$work/out" 2>&1 && return
	result 1 "$need_name"
	exit 1
}

# Without LLVM there is no analysis of C to test.
leave_out() { skip 'C programs' "$1"; exit 0; }
[ -x "$instrument" ] && [ -n "$clang" ] || leave_out 'no LLVM, or no clang: tools/deps check'
"$instrument" >/dev/null 2>&1
[ $? != 77 ] || leave_out 'LLVM is too old to instrument programs with'
compile_recorder() { ${CC:-gcc} -std=c11 -O2 -c "$top/tests/lib/crecorder.c" -o "$work/crecorder.o"; }

# prepare NAME MODULE...: $work/NAME has k1.ll, k2.ll, ... for the analysis, and the program `run`
prepare() {
	at=$work/$1
	shift
	mkdir -p "$at"
	n=0
	for module in "$@"; do
		n=$((n + 1))
		"$instrument" $n "$module" "$at/k$n.ll" "$at/r$n.ll" "$at/lines$n" || return
	done
	cat "$at"/lines? >"$at/lines"
	# shellcheck disable=SC2086
	"$clang" -w -O0 "$at"/r?.ll "$work/crecorder.o" -o "$at/run" $links
}

# check NAME CASE [OPTION...]: is all that $work/NAME/facts says in the analysis of $work/NAME? Few things may have no names.
check() {
	at=$work/$1 case=$2
	shift 2
	"$cexec" --lines "$at/lines" "$@" "$at/facts" "$at"/k?.ll >"$work/out" 2>&1 &&
		awk 'END { exit !($1 >= 20 && $3 == 0 && $5 <= $1 / 20) }' "$work/out"
	result $? "$case: $(tail -n 1 "$work/out")"
}

# laws NAME order|fragment ARGUMENT...
laws() {
	case=$1
	shift
	"$claws" "$@" >"$work/out" 2>&1 && tail -n 1 "$work/out" | grep -q '^[1-9][0-9]* laws, 0 broken, [1-9]'
	result $? "$case: $(tail -n 1 "$work/out")"
}
