#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# assume.sh - levels of assumptions (--assume) from one end to the other: requirements, coverage, and why, for a component that makes
# objects of a class that is named in words, or by who calls it.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
. tests/lib/jdks.sh
unset JAVA_TOOL_OPTIONS SHERD_AGENT
compile -nowarn -g -d "$work/classes" tests/e2e/assume/shop/*.java tests/e2e/assume/shoptest/*.java || exit 2
cd "$work" || exit 2
mkdir component && cp -R classes/shop component
what=(-cp component --component 'shop.*')
run=("$(default_jdk)/bin/java" -cp classes shoptest.ShopTest)
said() { grep -qe "$1" out || { echo "not said: $1"; cat out; return 1; }; }

receivers() {         # OPEN CLASS...: those of the one polymorphic call
	python3 - "$1" "${*:2}" <<'END'
import json, sys
s = [s for s in json.load(open("out"))["sites"] if "Discount.apply" in s["declared"]]
assert len(s) == 1 and s[0]["rc"] == sys.argv[2].split() and bool(s[0].get("open")) == (sys.argv[1] == "open"), s
END
}

expect 'requirements, listed' status 0 "$sherd" requirements "${what[@]}" --format json
expect 'what is said in words, and more' receivers open shop.Half shop.None
expect 'requirements, cast' status 0 "$sherd" requirements "${what[@]}" --assume cast --algorithm rta --format json
expect 'whatever the cast allows, and no more' receivers closed shop.Free shop.Half shop.None

expect 'coverage, listed' status 0 "$sherd" cover "${what[@]}" -o listed -- "${run[@]}"
expect 'all of it' said 'Receiver classes 100.0 %.*2 of 2'
expect 'that there may be more is said' said '1 call may see objects that the analysis does not know'
expect 'coverage, cast' status 0 "$sherd" cover "${what[@]}" --assume cast --algorithm rta -o cast -- "${run[@]}"
expect 'the level' said '^  Assumed  *cast$'
expect 'something is missed' said 'missed Free'
expect 'the report of it' status 0 "$sherd" report cast --format json
expect 'names the level' python3 -c 'import json, sys; d = json.load(open("out")); assert d["assume"] == "cast" and d["rc"]["required"] == 3'

why=("$sherd" why-call 'shop.Shop.<init>(Ljava/lang/String;)V' 'shop.Free.<init>' -cp component --entry public --algorithm rta)
expect 'why a call is there' status 0 "${why[@]}" --assume cast
expect 'by the level' said 'what it does is not known, and --assume cast allows this'
expect 'and by the cast' said 'what is made is always cast to shop.Discount'
expect 'why it is not, where nothing is assumed' status 1 "${why[@]}"
if is_all; then
	expect 'why a receiver gets there' status 0 "$sherd" why "${what[@]}" --assume cast --site shop.Shop.price --receiver shop.Free
	expect 'is not shown' said 'is made by a call that is not resolved, as --assume cast allows'
fi
expect 'levels that there are not' status 2 "$sherd" cover "${what[@]}" --assume none -o none -- "${run[@]}"
expect 'run nothing' test ! -e none
exit $failed
