# SPDX-License-Identifier: Apache-2.0
# cases.sh - what scripts of cases share, for bash; source it from the top of the tree. Leaves $build and $sherd, a folder $work
# that goes at the end, and $failed, which is the script's exit status.
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
sherd=${SHERD:-$build/sherd}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
failed=0

expect() {            # NAME CONDITION...
	local name=$1
	shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; failed=1; fi
}

status() {            # WANTED COMMAND...: leaves $work/out and $work/err
	local want=$1
	shift
	"$@" > "$work/out" 2> "$work/err"
	local got=$?
	[ $got = "$want" ] || { echo "exit status $got, not $want: $*"; head -n 9 "$work/err"; return 1; }
}

# Python over the JSON object `d` in $work/out; the condition is what the program must not fail.
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); exec(sys.argv[2])' "$work/out" "$1"; }
