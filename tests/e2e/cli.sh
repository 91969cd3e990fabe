#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli.sh - the shell of the program: exit statuses, streams, files, completion, installation.
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
sherd=${SHERD:-$PWD/$build/sherd}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME CONDITION...: runs the condition
expect() {
	local name=$1
	shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; failed=1; fi
}

status() {
	local want=$1
	shift
	"$@" > "$work/out" 2> "$work/err"
	local got=$?
	[ $got = "$want" ] || { echo "exit status $got, not $want: $*"; cat "$work/err"; return 1; }
}
empty() { [ ! -s "$1" ]; }

expect 'overview' status 0 "$sherd"
expect 'overview is on standard output' empty "$work/err"
expect 'version' status 0 "$sherd" --version
expect 'version has a number' grep -qE '^sherd [0-9]+\.[0-9]+' "$work/out"
expect 'unknown verb' status 2 "$sherd" callgrph
expect 'unknown verb suggests' grep -q "did you mean 'callgraph'" "$work/err"
expect 'errors are on standard error' empty "$work/out"
expect 'unknown option' status 2 "$sherd" callgraph --algoritm cha
expect 'unknown option suggests' grep -q "'--algorithm'" "$work/err"
expect 'no such algorithm' status 2 "$sherd" callgraph --algorithm anderson --main A
expect 'no such algorithm suggests' grep -q "'andersen'" "$work/err"
expect 'algorithms are explained' status 0 "$sherd" callgraph --algorithm help
expect 'algorithms are on standard output' grep -q '^rta  *[a-z]' "$work/out"
expect 'no entry point' status 2 "$sherd" callgraph -cp "$work"
expect 'unreadable class path' status 2 "$sherd" callgraph -cp "$work/none.jar" --main A --jdk none
expect 'unwritable output' status 2 "$sherd" dump java.lang.Object -o "$work/no/such/folder/x"
expect 'full standard output' bash -c "! '$sherd' --help > /dev/full 2> /dev/null"
for verb in callgraph why-call dump help completion; do
	expect "$verb --help" status 0 "$sherd" $verb --help
	expect "$verb --version" status 0 "$sherd" $verb --version
	expect "help $verb" status 0 "$sherd" help $verb
done
expect 'no colours in a pipe' bash -c "! '$sherd' callgraph --help | grep -q $'\033'"

# Results: on stdout or in a file, whole or not at all.
expect 'dump to a file' status 0 "$sherd" dump java.lang.Object -o "$work/object.txt"
expect 'nothing else printed' empty "$work/out"
expect 'dump to standard output' bash -c "'$sherd' dump java.lang.Object | cmp - '$work/object.txt'"
echo old > "$work/kept"
expect 'failure' status 2 "$sherd" dump no.such.Klass -o "$work/kept"
expect 'failure keeps the old file' grep -qx old "$work/kept"
expect 'failure leaves nothing else' [ "$(ls "$work" | sort | tr '\n' ' ')" = 'err kept object.txt out ' ]

# Completion.
"$sherd" completion bash > "$work/complete.bash"
complete_words() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_sherd
	echo "${COMPREPLY[*]}"
}
source "$work/complete.bash"
expect 'bash: verbs' [ "$(complete_words sherd call)" = callgraph ]
expect 'bash: options' [ "$(complete_words sherd callgraph --alg)" = --algorithm ]
expect 'bash: algorithms' [ "$(complete_words sherd why-call --algorithm ander)" = andersen ]
expect 'bash: choices' [ "$(complete_words sherd callgraph --format grap)" = graphml ]
expect 'bash: choices after =' [ "$(complete_words sherd callgraph --stats = js)" = json ]
expect 'bash: help VERB' [ "$(complete_words sherd help du)" = dump ]
cp "$work/object.txt" "$work/operand.jar"
expect 'bash: files' [ "$(complete_words sherd callgraph -cp "$work/oper")" = "$work/operand.jar" ]
expect 'zsh script' status 0 "$sherd" completion zsh
if command -v zsh > /dev/null; then expect 'zsh script is valid' zsh -n "$work/out"; fi

# Installation into a staging folder.
expect 'install' status 0 make -s install BUILD="$build" DESTDIR="$work/stage" prefix=/usr
expect 'installed program' status 0 "$work/stage/usr/bin/sherd" --version
expect 'installed manual' status 0 "$work/stage/usr/bin/sherd" help callgraph
expect 'installed page' test -s "$work/stage/usr/share/man/man1/sherd-callgraph.1"
expect 'uninstall' status 0 make -s uninstall BUILD="$build" DESTDIR="$work/stage" prefix=/usr
expect 'uninstall leaves no file' [ -z "$(find "$work/stage" -type f)" ]
exit $failed
