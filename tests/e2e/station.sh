#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# station.sh - the worked example of fragment class analysis (tests/examples/station), as a user meets it: the placeholders
# of its interface, the receivers at both polymorphic calls by each kind of analysis, and what two suites cover of them.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
station=tests/examples/station

mkdir "$work/classes" "$work/tests" "$work/full"
compile -g -d "$work/classes" $station/station*/*.java && mv "$work/classes/stationtest" "$work/tests" || exit 2
mkdir "$work/full/stationtest" && mv "$work"/tests/stationtest/FullTest*.class "$work/full/stationtest" || exit 2

# Nothing of the JDK matters to it: what `possible` says is held with and without.
jdk=(--jdk none)
requirements() {      # INTERFACE ARGUMENT...
	local interface=$1
	shift
	"$sherd" requirements -q "${jdk[@]}" -cp "$work/classes" --component 'station.*' --interface "$interface" "$@"
}

# The class of each receiver at the polymorphic calls, a line a call: post: PlainLink UrgentLink
receivers() {         # INTERFACE ARGUMENT...
	requirements "$@" --format json | python3 -c '
import json, sys
for s in json.load(sys.stdin)["sites"]:
    if s["poly"]:
        print(s["site"].split("(")[0].split(".")[-1] + ":", *sorted(c.split(".")[-1] for c in s["rc"]))'
}

stats() {             # INTERFACE ARGUMENT...: poly_sites, n_rc and n_tm
	requirements "$@" --stats=json -o /dev/null | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["poly_sites"], d["n_rc"], d["n_tm"])'
}

is_text() { [ "$1" = "$2" ] || { printf 'expected:\n%s\nfound:\n%s\n' "$2" "$1"; return 1; }; }

listed=$station/interface.txt
expect 'placeholders of the interface' diff $station/placeholders.txt <(requirements $listed --show-placeholders)
methods() { grep '^method'; }
expect 'the interface is printed as it was read' diff <(methods <$listed) <(requirements $listed --show-interface | methods)

# Table 4.1: by the class hierarchy, RTA and an analysis in the manner of Andersen. The last is what is possible.
expect 'cha' is_text "$(receivers $listed --algorithm cha)" 'post: CipherLink PlainLink TracingLink UrgentLink
tell: CipherLink PlainLink TracingLink UrgentLink'
expect 'rta' is_text "$(receivers $listed --algorithm rta)" 'post: CipherLink PlainLink UrgentLink
tell: CipherLink PlainLink UrgentLink'
possible='post: PlainLink UrgentLink
tell: CipherLink PlainLink'
for algorithm in 0cfa andersen 1obj; do
	expect "$algorithm" is_text "$(receivers $listed --algorithm $algorithm)" "$possible"
done
expect 'with the JDK' is_text "$(jdk=(); receivers $listed)" "$possible"
expect 'figures by cha' is_text "$(stats $listed --algorithm cha)" '2 4.0 4.0'
expect 'figures by andersen' is_text "$(stats $listed --algorithm andersen)" '2 2.0 2.0'

# Other ways to say the interface. The methods of Object change nothing here; what the tests use is enough.
expect 'public members' is_text "$(receivers public)" "$possible"
expect 'what tests use' is_text "$(receivers "tests:$work/tests")" "$possible"
used() { requirements "tests:$work/tests" --show-interface | sed -n 's/^method station\.\(.*\)(.*/\1/p' | tr '\n' ' '; }
expect 'tests name what they use' is_text "$(used)" 'Exchange.<init> Exchange.open Station.<init> Station.post Station.tell '

# A client may bring a link of its own to `tell`, but not to `post`.
clients() {
	requirements protected --clients open --format json | python3 -c '
import json, sys
for s in json.load(sys.stdin)["sites"]:
    if s["poly"] and s.get("client"):
        print(s["site"].split("(")[0].split(".")[-1])'
}
expect 'links of clients' is_text "$(clients)" 'tell'

# Coverage: a suite that runs every line and branch meets one link of two at both calls; a note and an exchange more, both.
cover() {             # CLASS FORMAT...
	local class=$1
	shift
	"$sherd" cover -q "${jdk[@]}" -cp "$work/classes" --component 'station.*' --interface $listed -o "$work/coverage" "$@" -- \
		java -cp "$work/classes:$work/tests:$work/full" stationtest."$class" 2> /dev/null
}
shares() {            # CLASS: covered and required receivers and targets, a line a call, and in all
	cover "$1" --format json | python3 -c '
import json, sys
d = json.load(sys.stdin)
for s in d["sites"]:
    shares = [(len(s[k]), len(s[k]) + len(s.get(missed, []))) for k, missed in (("rc", "missed"), ("tm", "missed_tm"))]
    print(s["site"].split("(")[0].split(".")[-1] + ":", *("%d/%d" % share for share in shares))'
	cover "$1" --stats=json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["rc"]["percent"], d["tm"]["percent"], d["unexpected"])'
}
expect 'the sample suite' is_text "$(shares StationTest)" 'post: 1/2 1/2
tell: 1/2 1/2
50.0 50.0 0'
expect 'a note and an exchange more' is_text "$(shares FullTest)" 'post: 2/2 2/2
tell: 2/2 2/2
100.0 100.0 0'
cover StationTest > "$work/screen"
expect 'the urgent link is missed' grep -q 'UrgentLink by Station.post' "$work/screen"
expect 'and so is that with a cipher' grep -q 'CipherLink by Station.tell' "$work/screen"
cover FullTest > "$work/screen"
expect 'nothing is missed' test "$(grep -c 'missed .*Link' "$work/screen")" = 0
exit $failed
