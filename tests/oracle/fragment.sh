#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The law of fragments: fragment.c on generated components with generated clients (tests/laws), for every algorithm: closed
# clients, clients that an interface file restricts, and open ones that have classes of their own. Then a test of the
# test: without placeholders of any one sort, the law fails. SEEDS: which components; CLIENTS: how many of each.
set -u
here=$(cd "$(dirname "$0")" && pwd)
laws=$here/../laws
build=${BUILD:-build}
fragment=$build/tests/fragment
: "${JAVA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
. "$here/../lib/tier.sh"
. "$here/../lib/kept.sh"
seeds="0 ${SEEDS:-$(seq 1 "$(by_tier 12 60)")}"
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
	"$JAVA_HOME/bin/javac" -J-Xss16m -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -g -nowarn -Xlint:none -proc:none -d "$out" "$@"
}

# Components and their clients in places of their own, so that an analysis sees no others.
split() {         # FOLDER
	for seed in $seeds; do
		mkdir -p "$1/part/$seed" "$1/clients/$seed/c" "$1/clients/$seed/r" "$1/clients/$seed/o"
		mv "$1/classes/f$seed" "$1/part/$seed" || return 1
		for letter in c r o; do
			mv "$1/classes/f$seed$letter"[0-9]* "$1/clients/$seed/$letter" || return 1
		done
	done
}

make_components() { # FOLDER
	"$laws/fragment.py" "$1/source" "$clients" $seeds &&
		find "$1/source" -name '*.java' >"$1/sources" &&
		compile "$1/classes" "@$1/sources" &&
		"$laws/library.py" "$1/library" &&
		compile "$1/small" --patch-module "java.base=$1/library" $(find "$1/library" -name '*.java') &&
		split "$1"
}

export PYTHONDONTWRITEBYTECODE=1
need 'components and clients are written and compile' kept "fragment-$(by_tier normal all)" \
	"$(key "$0" "$laws"/*.py "$laws"/*.txt "$JAVA_HOME/release" "$seeds" "$clients")" make_components

law() {           # SEED LETTER ARGUMENT...: for the clients of that sort
	seed=$1 letter=$2
	shift 2
	case $letter in
	c) set -- "$@" --interface public ;;
	r) set -- "$@" --interface "$kept/source/f$seed.interface" ;;
	o) set -- "$@" --interface protected --open ;;
	esac
	"$fragment" --component "f$seed" -cp "$kept/part/$seed:$kept/small" --clients \
		"$kept/part/$seed:$kept/clients/$seed/$letter:$kept/small" --jdk none "$@" \
		$(cd "$kept/clients/$seed/$letter" && printf '%s.Main ' *) >"$work/out" 2>&1
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
