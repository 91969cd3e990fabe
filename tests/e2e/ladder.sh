#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ladder.sh - the ladder of criteria: what counts for each rung in a small component whose answer is plain, which rungs a test covers, gates,
# and that having all of one rung is having all of those before it.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
unset JAVA_TOOL_OPTIONS SHERD_AGENT

mkdir "$work/src" "$work/classes" || exit 2
cat > "$work/src/Ferry.java" <<'JAVA'
package ferry;

import java.util.function.IntUnaryOperator;

interface Craft {
	int load(int tons);
	default String sign() { return "~"; }
}
abstract class Hull implements Craft {
	public int load(int tons) { return tons; }
	final int draught() { return 2; }
	public boolean equals(Object o) { return this == o; }
	public int hashCode() { return 1; }
}
class Barge extends Hull {
	public int load(int tons) { return tons + 10; }
}
class Raft extends Hull {
	public String sign() { return "="; }
}
class Buoy implements Craft {
	public int load(int tons) { return 0; }
}
public class Ferry {
	private Craft craft = new Raft();
	public void take(int kind) { craft = kind == 0 ? new Barge() : kind == 1 ? new Raft() : new Buoy(); }
	public int cross(int tons) {
		int n = craft.load(tons);                  // three of own: Barge, Hull (of Raft), Buoy
		Hull hull = craft instanceof Hull ? (Hull) craft : new Raft();
		n += hull.load(tons);                      // two: Barge, Hull
		n += hull.draught();                       // one for all: no choice
		return n + craft.getClass().hashCode() % 1;
	}
	public int again(int tons) {
		return craft.load(tons) + craft.load(tons);        // three, twice
	}
	public String sign() { return craft.sign(); }              // two: Craft's own, Raft
	public boolean same(Ferry other) { return craft.equals(other.craft); }   // Hull's; Object's of Buoy is none of the component
}
JAVA
mkdir "$work/src/tests"
cat > "$work/src/tests/Some.java" <<'JAVA'
package tests;

import ferry.Ferry;

public class Some {
	public static void main(String[] args) {
		for (String kind : args) {
			Ferry f = new Ferry();
			f.take(Integer.parseInt(kind));
			f.cross(1);
			if (args.length < 3)
				continue;
			f.again(1);
			f.sign();
			f.same(f);
		}
	}
}
JAVA
compile -g -d "$work/classes" "$work/src/Ferry.java" "$work/src/tests/Some.java" || exit 2

cover() {             # KIND...: what a suite covers that takes these
	status 0 "$sherd" cover -q --agent "$build/libsherd-agent.so" --no-why -cp "$work/classes" --component 'ferry.*' -o "$work/result" --format json \
		-- java -cp "$work/classes" tests.Some "$@"
}
rungs() {             # IMPLEMENTATIONS CALLERS TARGETS RECEIVERS: "covered/required" of each
	json "
found = ' '.join('%d/%d' % (d[k]['covered'], d[k]['required']) for k in ('implementations', 'callers', 'targets', 'receivers'))
assert found == '$*', found"
}

# As Craft: Barge.load, Hull.load, Buoy.load, Craft.sign, Raft.sign; as Hull: Barge.load, Hull.load; as Object: Hull.equals. From cross: 5, again: 3,
# sign: 2, same: 1. At calls: 3 + 2, 3 + 3, 2, 1. On classes: equals has two (Barge and Raft), Craft.sign two (Barge and Buoy).
expect 'a suite of one kind, and one method' cover 0
expect 'has some of each' rungs 2/8 2/11 2/14 2/16
expect 'two kinds' cover 0 1
expect 'have some more' rungs 4/8 4/11 4/14 4/16
expect 'all kinds' cover 0 1 2
expect 'have all' rungs 8/8 11/11 14/14 16/16
expect 'nothing is missed' json 'assert d["missed_implementations"] == [] and d["missed_callers"] == []'
expect 'all by all methods but one kind' cover 0 0 1
expect 'all but what Buoy has' rungs 7/8 9/11 11/14 12/16
expect 'it is said what that is' json '
assert [(m["method"], m["as"], m["calls"]) for m in d["missed_implementations"]] == [("ferry.Buoy.load(I)I", "ferry.Craft.load(I)I", 3)], d["missed_implementations"]
assert [m["site"].split("@")[0] for m in d["missed_callers"]] == ["ferry.Ferry.again(I)I", "ferry.Ferry.cross(I)I"], d["missed_callers"]
assert {k: v["implementations"]["covered"] for v in d["classes"] for k in [v["class"]]}["ferry.Buoy"] == 0'

# Who has all of a rung has all of those before it.
monotone='
order = ["implementations", "callers", "targets", "receivers"]
for s in [d] + d["classes"]:
    full = [s[k]["covered"] == s[k]["required"] for k in order]
    assert s is not d or full == sorted(full, reverse=True), s
assert all(d[a]["required"] <= d[b]["required"] for a, b in zip(order, order[1:2]))'
expect 'having all of a rung is having all before it' json "$monotone"

# A page with a trend: figures of results of before, whatever the order in which they are named; this one is the last.
cp -r "$work/result" "$work/before" && cp -r "$work/result" "$work/first"
expect 'the same, with less run' cover 1
expect 'a page with older results' status 0 "$sherd" report "$work/result" --format html --older "$work/before" --older "$work/first" -o "$work/page.html"
trend() {
	python3 - "$work/page.html" <<'PY'
import json, re, sys
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S).group(1))
names = [c["name"] for c in data["head"]["criteria"]]
at = names.index("targets") * 2
assert [t["name"].split("/")[-1] for t in data["trend"]] == ["before", "first", "result"], data["trend"]
assert [t["figures"][at:at + 2] for t in data["trend"]] == [[14, 11], [14, 11], [14, 2]], data["trend"]
assert all(t["start"] > 1700000000 and len(t["figures"]) == 2 * len(names) for t in data["trend"])
PY
}
expect 'has their figures' trend
expect 'older results are for the page' status 2 "$sherd" report "$work/result" --older "$work/before"
expect 'which is said' grep -qF 'use --format html' "$work/err"
expect 'an older result that is not there' status 2 "$sherd" report "$work/result" --format html --older "$work/nowhere" -o "$work/other.html"
expect 'leaves no page' test ! -e "$work/other.html"
cp -r "$work/before/." "$work/result"

# Gates, and criteria by their names.
report() { status "$1" "$sherd" report "$work/result" -o /dev/null "${@:2}"; }
expect 'a gate that holds' report 0 --fail-under implementations=87.5,receivers=75
expect 'a gate that fails' report 1 --fail-under targets=80
expect 'and says so' grep -qF 'targets=80.0: own target methods are covered to 78.5 %, 11 of 14, 1 too few' "$work/err"
expect 'the screen leads with it' status 0 "$sherd" report "$work/result"
expect 'with what it means' grep -qF 'each own method, called as each one it overrides' "$work/out"
expect 'rungs are asked for by their names' status 0 "$sherd" cover -q --agent "$build/libsherd-agent.so" -cp "$work/classes" --component 'ferry.*' \
	-o "$work/named" --criteria targets --print-agent
expect 'receivers alone have no ladder' status 2 "$sherd" cover -q --agent "$build/libsherd-agent.so" -cp "$work/classes" --component 'ferry.*' \
	-o "$work/named" --criteria rc --fail-under targets=1 --print-agent
expect 'which is said' grep -qF 'made without --criteria rc,tm' "$work/err"
exit $failed
