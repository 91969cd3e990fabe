#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The law of fragments: fragment.c on generated components with generated clients (tests/laws), for every algorithm: closed
# clients, clients that an interface file restricts, and open ones that have classes of their own. Then a test of the
# test: without placeholders of any one sort, the law fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
laws=$here/../laws
build=${BUILD:-build}
fragment=$build/tests/fragment
: "${JAVA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
seeds="0 ${SEEDS:-$(seq 1 60)}"
clients=${CLIENTS:-12}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

result() {        # STATUS NAME: with $work/out, when it failed
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		head -n 30 "$work/out"
		failed=1
	fi
}

need() {          # NAME COMMAND...: a step without which the rest makes no sense
	name=$1
	shift
	"$@" >"$work/out" 2>&1 && return
	result 1 "$name"
	exit 1
}

compile() {       # OUT ARGUMENT...
	out=$1
	shift
	"$JAVA_HOME/bin/javac" -J-Xss16m -g -nowarn -Xlint:none -proc:none -d "$out" "$@"
}

# Components and their clients in places of their own, so that an analysis sees no others.
split() {
	for seed in $seeds; do
		mkdir -p "$work/part/$seed" "$work/clients/$seed/c" "$work/clients/$seed/r" "$work/clients/$seed/o"
		mv "$work/classes/f$seed" "$work/part/$seed" || return 1
		for letter in c r o; do
			mv "$work/classes/f$seed$letter"[0-9]* "$work/clients/$seed/$letter" || return 1
		done
	done
}

export PYTHONDONTWRITEBYTECODE=1
need 'components and clients are written' "$laws/fragment.py" "$work/source" "$clients" $seeds
find "$work/source" -name '*.java' >"$work/sources"
need 'components and clients compile' compile "$work/classes" "@$work/sources"
need 'library is written' "$laws/library.py" "$work/library"
need 'library compiles' compile "$work/small" --patch-module "java.base=$work/library" \
	$(find "$work/library" -name '*.java')
need 'components are there' split

law() {           # SEED LETTER ARGUMENT...: for the clients of that sort
	seed=$1 letter=$2
	shift 2
	case $letter in
	c) set -- "$@" --interface public ;;
	r) set -- "$@" --interface "$work/source/f$seed.interface" ;;
	o) set -- "$@" --interface protected --open ;;
	esac
	"$fragment" --component "f$seed" -cp "$work/part/$seed:$work/small" --clients \
		"$work/part/$seed:$work/clients/$seed/$letter:$work/small" --jdk none "$@" \
		$(cd "$work/clients/$seed/$letter" && printf '%s.Main ' *) >"$work/out" 2>&1
}

holds() {         # NAME SEED LETTER: no law is broken, and clients gave answers
	law "$2" "$3" && tail -n 1 "$work/out" | grep -q '^[1-9][0-9]* laws, 0 broken, [1-9]'
	result $? "component $2, $1 clients: $(tail -n 1 "$work/out")"
}

for seed in $seeds; do
	holds closed "$seed" c
	holds restricted "$seed" r
	holds open "$seed" o
done

# Without placeholders of any sort something is missed: component 0 needs them all.

fails_without() { # SORT LETTER
	law 0 "$2" --only andersen --drop "$1"
	[ $? = 1 ] && tail -n 1 "$work/out" | grep -q '^1 laws, 1 broken'
}

for sort in new call get put array load store assign cast catch string client; do
	case $sort in
	string) letter=r ;;
	client) letter=o ;;
	*) letter=c ;;
	esac
	fails_without $sort $letter
	result $? "the law fails without placeholders of the sort $sort"
done
exit $failed
