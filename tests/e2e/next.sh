#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# next.sh - what to test next: on a small shop, and on libraries with their own test suites. Recipes that are called whole compile as
# they are printed, the first ten ideas are of different objects, and what is refuted is never seen. The suites are built from Debian's
# packages (tests/suites/make) and kept in $BUILD/suites. Prints `ok NAME` or `not ok NAME` for each case.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
suites=${SUITES:-$build/suites}

# FOLDER CLASS-PATH WORDS...: leaves FOLDER.json
measure() {
	local folder=$1 path=$2
	shift 2
	"$sherd" cover -q -cp "$path" -o "$folder" "$@" > "$folder.txt" 2> "$folder.err" || { cat "$folder.err"; return 1; }
	"$sherd" report -q "$folder" --format json -o "$folder.json"
}
compiles() { python3 tests/e2e/next/compile.py "$1" "$2"; }
law() { python3 tests/e2e/next/laws.py "$1" "$2"; }
# Python over the result `d`: of the site that the text begins, what is refuted, and why.
holds() { cp "$work/shop.json" "$work/out" && json "$1"; }

compile -g -d "$work/classes" tests/e2e/next/shop/src/shop/*.java
compile -g -cp "$work/classes" -d "$work/tests" tests/e2e/next/shop/test/shoptest/*.java
measure "$work/shop" "$work/classes" --component 'shop.*' --interface public -- java -cp "$work/classes:$work/tests" shoptest.Shop

refuted='r = {s["site"].split("(")[0] + "@" + x["class"]: x["why"] for s in d["sites"] for x in s.get("refuted", [])}'
expect "a test of the receiver rules its class out" holds "$refuted
assert r['shop.Till.add@shop.Gift'] == r['shop.Till.exact@shop.Gift'] == 'conditions', r"
expect "what is in another list does not come" holds "$refuted
assert r['shop.Till.sum@shop.Gift'] == 'contexts', r"
expect "nothing else is refuted, and none of it required" holds "$refuted
assert len(r) == 3 and d['refuted'] == {'conditions': 2, 'contexts': 1}, r
assert d['rc']['required'] == d['rc']['covered'] + sum(len(s['missed']) for s in d['sites']), d['rc']
assert d['tm']['required'] == d['tm']['covered'] + sum(len(s['missed_tm']) for s in d['sites']), d['tm']"
expect "a recipe makes what clients cannot name by its factory" holds "
half = [i for i in d['next'] if 'Rules\$Half' in i['object']]
assert half[0]['whole'] and 'Rule rule = Rules.half();' in half[0]['recipe'], half"
expect "receivers on the way are of the class that is meant" holds "
view = [i for i in d['next'] if 'shop.Tastes' in i['object']]
assert view[0]['whole'] and any('list = shelf.view(taste);' in l for l in view[0]['recipe']), view"
expect "so are arguments" holds "
step = [i for i in d['next'] if 'Shelf\$Step' in i['object']]
assert step[0]['whole'] and any('new Walk(list)' in l for l in step[0]['recipe']), step"
expect "a way in by one call and out by another's is none that a test can go" holds "
foil = [i for i in d['next'] if i['object'] == 'shop.Foil']
assert not foil[0]['whole'], foil"
expect "recipes lead to what they are for" python3 tests/e2e/next/follow.py "$sherd" "$work/classes" "$work/shop" "$work/shop.json" \
	--component 'shop.*' --interface public
expect "recipes compile" compiles "$work/classes" "$work/shop.json"
expect "ideas differ" law differ "$work/shop.json"
expect "what is refuted is told on the screen" grep -q '3 receivers, required at first, were refuted' "$work/shop.txt"

for name in commons-csv $(by_tier '' "$(tests/suites/make list)"); do
	tests/suites/make "$name" "$suites/$name" || { echo "not ok $name"; failed=1; continue; }
	. "$suites/$name/suite.env"
	path=$library${library_path:+:$library_path}
	measure "$work/$name" "$path" --component "$component" --interface "tests:$test_classes" --clients open -- "$suites/$name/run"
	expect "$name: recipes compile" compiles "$path" "$work/$name.json"
	expect "$name: ideas differ" law differ "$work/$name.json"
	expect "$name: what is refuted is never seen" law refuted "$work/$name.json"
done
exit $failed
