#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The laws of call chains, on generated programs that throw, recurse, re-enter, start threads and initialise classes
# (tests/laws/chain_programs.py), which run under a recorder that rewrites nothing (chains/recorder.c):
#
#   1. each chain that a run shows is in the forest of sherd chains, at its entry level;
#   2. the paper's automaton, fed with events (tests/laws/chain_automaton.py), counts what the stacks show, unrolled and by back edges;
#   3. so does sherd's agent.
#
# First the automaton alone, on an example (tests/examples/ledger), event by event.
#
# Groups of programs differ in what they are allowed: closed clients; clients that have classes of their own; reflection, method handles and
# proxies, of which the analysis knows less: there a chain must be in the forest if its entry is, and in the tier all, with --assume
# string, in any case; and virtual threads, where a JDK has them.
#
# usage: chains.sh [ledger|closed|open|dynamic|virtual]...
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$(cd "${BUILD:-build}" && pwd)
sherd=${SHERD:-$build/sherd}
here=tests/oracle/chains
laws=tests/laws
. tests/lib/jdks.sh
. tests/lib/tier.sh
. tests/lib/kept.sh
[ $# -gt 0 ] || set -- ledger closed open dynamic virtual
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
k=3
failed=0

result() {        # STATUS NAME: with $work/out
	if [ "$1" = 0 ]; then
		echo "ok $2: $(tail -n 1 "$work/out")"
	else
		echo "not ok $2"
		head -n 20 "$work/out"
		failed=1
	fi
}

check() {         # NAME COMMAND...
	case_name=$1
	shift
	"$@" > "$work/out" 2>&1
	result $? "$case_name"
}

seeds_of() {      # FIRST LAST: the seeds of programs without reflection
	seq "$1" "$2" | awk '$1 % 4'
}

compile() {       # OUT ARGUMENT...
	out=$1
	shift
	"$jdk/bin/javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -g -nowarn -Xlint:none -proc:none -d "$out" "$@"
}

make_programs() { # FOLDER
	# shellcheck disable=SC2086
	python3 $laws/chain_programs.py "$1/source" $options $seeds &&
		find "$1/source/part" -name '*.java' > "$1/part.list" && find "$1/source/clients" -name '*.java' > "$1/clients.list" &&
		compile "$1/part" "@$1/part.list" && compile "$1/clients" -cp "$1/part" "@$1/clients.list" &&
		rm -r "$1/source" && echo 'g[0-9]*.*' > "$1/component"
}

record() {        # FILE
	agent=$($here/build "$jdk" "$build/recorder") &&
		"$jdk/bin/java" -Xint -XX:+UseSerialGC "-agentpath:$agent=$kept/component:$1:events" -cp "$kept/part:$kept/clients" client.All $seeds
}

chains() {        # FILE OPTION...
	file=$1
	shift
	# shellcheck disable=SC2086
	"$sherd" chains -q --jdk "$jdk" -cp "$kept/part" --component 'g*.**' --interface "tests:$kept/clients" $clients -k $k "$@" \
		--format json -o "$file"
}

# What sherd's agent saw, with the verifier on.
agent_rows() {    # FOLDER: runs the programs under the agent; rows level,length,chain,count on standard output
	# shellcheck disable=SC2086
	"$sherd" cover -q --jdk "$jdk" -cp "$kept/part" --component 'g*.**' --interface "tests:$kept/clients" $clients --no-why \
		--criteria chains -k $k -o "$1" -- "$jdk/bin/java" -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions \
		-XX:+BytecodeVerificationLocal -cp "$kept/part:$kept/clients" client.All $seeds > /dev/null 2> "$work/out" &&
		"$build/tests/chaindump" "$1/plan.sherd" "$1"/run-*.cov
}

check_agent() {
	rm -rf "$work/agent"
	agent_rows "$work/agent" > "$work/rows.csv" || { result 1 "$1: the agent"; return; }
	check "$1: the agent" python3 $here/chains.py same "$work/record" "$work/rows.csv" $k
}

fails() {         # COMMAND...: it finds something wrong, and says so
	! "$@" && grep -q '^missing: \|^differs: ' "$work/out"
}

# A test of the tests, with the files of a group: something is missed where a method is left out of the forest, or an event of the run.
check_checks() {
	chains "$work/less.json" --levels 0,1,2+ --prune none --not-through 'g*.C0.m0(*)'
	check 'the law fails without a method' fails python3 $here/chains.py within "$work/record" "$work/less.json" levels
	# The first call within the component that calls nothing, and its end.
	awk 'held != "" && /^X/ && !done { done = 1; held = ""; next } held != "" { print held; held = "" }
		/^E [0-9]* [1-9][0-9]* [1-9]/ && !done { held = $0; next } { print }' "$work/record" > "$work/lost"
	check 'the automaton fails without a call' fails python3 $here/chains.py automaton "$work/lost" "$work/unrolled.json"
}

# The automaton is slow, and agrees with the stacks in each group or in none.
asks_automaton() { is_all || [ "$1" = closed-1 ] || [ "$1" = virtual ]; }

check_automaton() {
	chains "$work/unrolled.json" --levels 0,1,2+ --prune none && chains "$work/back.json" --recursion backedges --prune none ||
		{ result 1 "$name: chains"; return; }
	check "$name: the automaton" python3 $here/chains.py automaton "$work/record" "$work/unrolled.json"
	check "$name: the automaton, by back edges" python3 $here/chains.py automaton "$work/record" "$work/back.json"
	[ "$name" != "closed-1 on $(basename "$jdk")" ] || check_checks
}

# group NAME HOW: with $seeds, $options (of the generator), $clients (of sherd); HOW: see chains.py within
group() {
	name="$1 on $(basename "$jdk")"
	kept "chains-$1-$(basename "$jdk")" "$(key "$0" $laws/chain_programs.py $laws/chain_outside.txt "$jdk/release" "$seeds $options")" \
		make_programs > "$work/out" 2>&1 || { result 1 "$name: programs"; return; }
	record "$work/record" > "$work/out" 2>&1 || { result 1 "$name: a run"; return; }
	echo "$(grep -c '^N' "$work/record") chains" > "$work/out"
	[ "$(sed -n 's/^M [0-9]* \(g[0-9]*\)\..*/\1/p' "$work/record" | sort -u | wc -l)" = "$(echo "$seeds" | wc -w)" ]
	result $? "$name: $(echo "$seeds" | wc -w) programs run"
	chains "$work/pruned.json" --levels 0,1,2+ || { result 1 "$name: chains"; return; }
	check "$name: what runs show is there" python3 $here/chains.py within "$work/record" "$work/pruned.json" "$2"
	! asks_automaton "$1" || check_automaton
	check_agent "$name"
}

# The JVM calls class loaders in between: several calls out, one behind the other, are one.
squeeze() {
	awk '/^before a call out/ { held = $0; next } /^after a call out/ && held != "" { if (held != last) print held "\n" $0; last = held; held = ""; next }
		held != "" { print held; held = "" } { print; last = "" } END { if (held != "") print held }'
}

trace_ledger() {
	mkdir "$work/ledger" && compile "$work/ledger" tests/examples/ledger/*/*.java tests/examples/ledger/Clerk.java && echo 'ledger.*' > "$work/component" &&
		agent=$($here/build "$jdk" "$build/recorder") &&
		"$jdk/bin/java" -Xint "-agentpath:$agent=$work/component:$work/record:events" -cp "$work/ledger" Clerk &&
		"$sherd" chains -q --jdk none -cp "$work/ledger" --component 'ledger.*' -k 2 --prune none --format json -o "$work/ledger.json" &&
		python3 $here/chains.py trace "$work/record" "$work/ledger.json" | squeeze > "$work/traversals" &&
		diff tests/examples/ledger/traversals.txt "$work/traversals" && echo "$(wc -l < "$work/traversals") events"
}

has_virtual_threads() { grep -q can_support_virtual_threads "$1/include/jvmti.h"; }

run_group() {
	options= clients=
	case $1 in
	ledger) check "ledger on $(basename "$jdk"): event by event" trace_ledger; rm -rf "$work/ledger" ;;
	closed)
		for first in $(seq 1 200 "$(by_tier 400 1600)"); do
			seeds=$(seeds_of "$first" $((first + 199)))
			group "closed-$first" levels
		done ;;
	open)
		options=--open clients='--clients open'
		seeds=$(seeds_of 2001 $((2000 + $(by_tier 133 266))))
		group open levels ;;
	dynamic)
		seeds=$(seq 4 4 "$(by_tier 400 1600)")
		group dynamic entries
		! is_all || { clients='--assume string'; group dynamic levels; } ;;
	virtual)
		for jdk in $(jdks); do
			has_virtual_threads "$jdk" || continue
			options=--virtual
			seeds=$(seeds_of 3001 $((3000 + $(by_tier 66 400))))
			group virtual levels
		done ;;
	*) echo "chains.sh: no group $1" >&2; exit 2 ;;
	esac
}

for which; do
	if [ "$which" = virtual ]; then
		run_group virtual
		continue
	fi
	for jdk in $(jdks_of_tier); do
		run_group "$which"
	done
done
exit $failed
