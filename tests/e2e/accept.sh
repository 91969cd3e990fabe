#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# accept.sh - sherd.accept: what its entries take out of requirements, ladder, lists and gates; entries that name nothing, that a run refutes, that
# are none. On the station of the literature, whose suite misses UrgentLink in post and CipherLink in tell.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
station=$PWD/tests/examples/station
unset JAVA_TOOL_OPTIONS SHERD_AGENT

mkdir "$work/classes" "$work/project" || exit 2
compile -g -d "$work/classes" "$station"/station*/*.java || exit 2
expect 'a result' status 0 "$sherd" cover -q --agent "$build/libsherd-agent.so" --no-why -cp "$work/classes" --component 'station.*' \
	--interface "$station/interface.txt" -o "$work/result" -- java -cp "$work/classes" stationtest.StationTest

list() { cat > "$work/list"; }
report() { status "$1" "$sherd" report "$work/result" --accept "$work/list" "${@:2}"; }
said() { tr -s ' \n' ' ' < "$work/err" | grep -qF -- "$1" || { echo "not said: $1"; cat "$work/err"; return 1; }; }
counts() { json "assert (d['rc']['required'], d['tm']['required'], d['receivers']['required'], d['implementations']['required'], d['accepted']) == ($1), d"; }

list <<'LIST'
# not worth it
impossible station.UrgentLink in station.Station.post(*) because links are plain by then   # says who knows
LIST
expect 'one receiver, and its method' report 0 --format json
expect 'are required no more, on no rung' counts '3, 3, 3, 2, 2'
expect 'but at its call' json '
found = [(a.get("class") or a["method"], a["as"], a["line"], a["because"]) for s in d["sites"] for a in s.get("accepted", [])]
assert found == [("station.UrgentLink", "impossible", 2, "links are plain by then"),
	("station.UrgentLink.carry(Ljava/lang/String;)V", "impossible", 2, "links are plain by then")], found
assert not any("UrgentLink" in str(s["missed"]) + str(s["missed_tm"]) for s in d["sites"])
assert [m["method"].split(".")[1] for m in d["missed_implementations"]] == ["CipherLink"]'
expect 'a screen' report 0
expect 'which says how many' grep -qF '2 that are impossible, 0 that are unwanted.' <(tr -s ' \n' ' ' < "$work/out")
expect 'and does not ask for it' sh -c "! grep -q UrgentLink '$work/out'"
echo 'unwanted station.CipherLink of station.Link because one day' >> "$work/list"
expect 'all that is missed' report 0 --fail-under rc=100,tm=100,implementations=100

list <<< 'impossible station.*,!station.UrgentLink in station.Station because of nothing'
expect 'what a run exercises cannot be impossible' report 1 --format json
expect 'which is said' said 'error[E057]'
expect 'with the line and the numbers' said 'line 1 says that 6 requirements are impossible, of which runs exercised 4'
expect 'nor does it count' counts '1, 1, 1, 1, 6'
list <<< 'unwanted station.* in station.Station because of nothing'
expect 'it can be unwanted' report 0
expect 'and is counted' grep -qF 'of which tests exercise 4' <(tr -s ' \n' ' ' < "$work/out")
list <<'LIST'
impossible station.Nothing because it is not there
unwanted station.CipherLink because of this
unwanted station.CipherLink of station.Link.carry(*) because of that
LIST
expect 'entries that name nothing' report 0
expect 'are told' said 'line 1 names no requirement'
expect 'as are those that say it again' said 'line 3 names no requirement, or only those that lines before it name'

for bad in 'ever station.* because' 'impossible station.*' 'impossible station.* because' 'unwanted because of that' \
	'impossible station.* of because of that' 'impossible station..x because of that' 'impossible'; do
	list <<< "$bad"
	expect "no entry: $bad" report 2
	expect "no entry: $bad: says so" said "line 1, '$bad'"
done
head -c 4000 /dev/urandom > "$work/list"
expect 'no list at all' report 2
rm "$work/list"
expect 'no file' report 2
expect 'no file: says so' said 'the list of accepted requirements cannot be read'

# Found where the program is started.
echo 'impossible station.UrgentLink because links are plain by then' > "$work/project/sherd.accept"
cd "$work/project" || exit 2
expect 'a list in the folder of the project' status 0 "$sherd" report "$work/result" --format json
expect 'counts' counts '3, 3, 3, 2, 2'
expect 'no list, where none is wanted' status 0 "$sherd" report "$work/result" --accept none --format json
expect 'does not count' json 'assert "accepted" not in d and d["rc"]["required"] == 4'
exit $failed
