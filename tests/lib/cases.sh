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
. "$PWD/tests/lib/tier.sh"

# compile ARGUMENT...: javac. Programs of tests are small: what the JVM's optimising compiler costs, it does not gain.
compile() { javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"; }

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

# COMMAND...: until it holds, however busy the machine is; fails after five minutes
await() {
	local end=$((SECONDS + 300))
	until "$@"; do
		[ $SECONDS -lt $end ] || { echo "waited in vain for: $*"; return 1; }
		sleep 0.1
	done
}

# COMMAND...: runs it with --timeout SECONDS until it has come as far as its analysis before that is over, which depends on how
# busy the machine is. Leaves $work/out and $work/err; holds when the time was over each time.
stopped_in_analysis() {
	local seconds
	for seconds in 1 4 16 64; do
		status 3 "$@" --timeout $seconds || return 1
		! grep -q 'stopped by --timeout after [0-9,]* methods' "$work/err" || return 0
	done
	cat "$work/err"
	return 1
}

# Python over the JSON object `d` in $work/out; the condition is what the program must not fail.
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); exec(sys.argv[2])' "$work/out" "$1"; }
