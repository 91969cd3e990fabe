#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# env.sh - properties and variables of the environment: what a program loads that is named there, by level; what is given, and what
# the JVM says by itself. The library has hardly more than reflection, so that levels cost little.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
. tests/lib/jdks.sh
top=$PWD
python3 tests/laws/library.py "$work/sources" reflection.txt environment.txt &&
	compile -nowarn -proc:none --patch-module "java.base=$work/sources" -d "$work/library" $(find "$work/sources" -name '*.java') 2> "$work/javac" &&
	compile -nowarn -Xlint:none -g -d "$work/classes" tests/e2e/env/conf/Main.java 2> "$work/javac" || { cat "$work/javac"; exit 2; }
cd "$work" || exit 2
graph=("$sherd" callgraph -q -cp classes:library --jdk none --main conf.Main --format csv --only conf.Main)
given=(-Dconf.class=conf.Given -D conf.only=conf.Third --property conf.set=conf.Given --properties more.properties --environment)
printf '# names\nconf.prefix : conf.\\\n   \nconf.class=conf.Wrong\nconf.broken=\\u00zz\n' > more.properties
export CONF_CLASS=conf.Given
said() { grep -qe "$1" err || { echo "not said: $1"; head -n 9 err; return 1; }; }
written() { "${graph[@]}" "$@" > csv 2> err || { cat err; return 1; }; }            # OPTION...
loads() {             # LINE CLASS...: these, and no others of conf
	local line=$1
	shift
	diff <(printf '%s\n' "$@" | grep . | sort) <(awk -F, -v line="$line" '$3 == line && $4 == "load" { sub(/^conf\./, "", $5); sub(/\..*/, "", $5); print $5 }' csv | sort)
}
open() { awk -F, -v line="$1" '$3 == line && $4 ~ /^unresolved/ { n++ } END { exit !n }' csv; }       # LINE
resolved() { ! open "$1"; }

expect 'listed' written
expect 'a default counts' loads 7 Default
expect 'the value is not known' open 7
expect 'nor is it where there is no default' open 8
expect 'properties of the system' loads 11 Third
expect 'what is given counts at env only' written "${given[@]}"
expect 'not here' loads 7 Default
cp csv listed.csv

for algorithm in rta cha; do
	expect "$algorithm: env" written --algorithm $algorithm --assume env "${given[@]}"
	expect 'a property that is given, beside the default' loads 7 Default Given
	expect 'resolves the call' resolved 7
	expect 'without a default' loads 8 Third
	expect 'resolved, too' resolved 8
	expect 'a variable' loads 10 Given
	expect 'resolves' resolved 10
	expect 'a property that the program sets' open 13
	expect 'a file, and a name that is put together' loads 14 Second
	[ $algorithm = cha ] || expect 'contains what is listed' python3 "$top/tests/oracle/dynamic.py" contains csv listed.csv
done
# Facts without a place are about calls that are not resolved where nothing is assumed; what the environment says makes them no fewer
printf '{ "reflection": [ { "type": "conf.Set", "methods": [ { "name": "<init>", "parameterTypes": [] } ] } ] }\n' > metadata.json
for level in string env listed; do
	expect "facts, $level" written --assume $level -Dconf.class=conf.Given --facts metadata.json
	[ $level = string ] || expect 'are there at the level before' python3 "$top/tests/oracle/dynamic.py" contains before.csv csv
	cp csv before.csv
done
expect 'at a call that depends on a property' loads 7 Default Set
written --assume env "${given[@]}"
expect 'errors in files of properties' said 'more.properties: 5: .*E075'
named() {
	"${graph[@]}" --assume env "${given[@]}" --format json > out 2> /dev/null || return 1
	json '
e = {(x["kind"], x["name"]): (x.get("value"), x.get("source")) for x in d["environment"]}
assert e[("property", "conf.class")] == ("conf.Given", "-D"), e
assert e[("property", "conf.prefix")] == ("conf.", "more.properties"), e
assert e[("variable", "CONF_CLASS")] == ("conf.Given", "--environment"), e'
}
expect 'the result names what it depends on' named
expect 'no such file' status 2 "${graph[@]}" --properties absent.properties
expect 'is said' said 'absent.properties: .*E076'
exit $failed
