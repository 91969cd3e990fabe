#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# resources.sh - files of properties on the class path: what a program loads that is named there, at level env; not where somebody else
# can change what was read.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
compile -g -d "$work/classes" tests/e2e/resources/Main.java || exit 2
cd "$work" || exit 2
printf '# names\nfirst=conf.Second\nfirst = conf.First\nsecond: conf.\\\n   Second\n' > classes/conf/names.properties
printf 'first=conf.Fourth\n' > classes/names.properties
mkdir -p other/conf && printf 'first=conf.Third\n' > other/conf/names.properties
graph=("$sherd" callgraph -q --main conf.Main --only conf.Main)
written() { "${graph[@]}" -cp classes --format csv "$@" > csv 2> err || { cat err; return 1; }; }            # OPTION...
loads() {             # LINE CLASS...: these, and no others of conf
	local line=$1
	shift
	diff <(printf '%s\n' "$@" | grep . | sort) <(awk -F, -v line="$line" '
		$3 == line && $4 == "load" { sub(/^conf\./, "", $5); sub(/\..*/, "", $5); print $5 }' csv | sort -u)
}
open() { awk -F, -v line="$1" '$3 == line && $4 ~ /^unresolved/ { n++ } END { exit !n }' csv; }       # LINE
resolved() { ! open "$1"; }

expect 'listed' written
for line in 17 18 24 31 38 44 50 51; do
	expect "line $line is not known" open $line
done
expect 'a default counts' loads 18 Third
expect 'env' written --assume env
expect 'below the package of the class, the last line counts' loads 17 First
expect 'resolves the call' resolved 17
expect 'a key that is not there has its default' loads 18 Third
expect 'and nothing else' resolved 18
expect 'by its full name, through a reader' loads 24 Fourth
expect 'by a class loader' loads 50 Second
for line in 31 38 44 51; do
	expect "line $line: changed, kept elsewhere, absent, under any key" open $line
done
named() {
	"${graph[@]}" -cp classes --assume env --format json > out 2> /dev/null || return 1
	json '
e = {(x["kind"], x["name"]): (x.get("value"), x.get("source")) for x in d["environment"]}
k = "resource property"
assert e[(k, "conf/names.properties: first")] == ("conf.First", "conf/names.properties"), e
assert e[(k, "conf/names.properties: absent")] == (None, None), e
assert e[(k, "names.properties: first")] == ("conf.Fourth", "names.properties"), e'
}
expect 'the result names what it depends on' named
expect 'two files of a name' written --assume env -cp classes:other
expect 'are not known' open 17
expect 'others are' loads 24 Fourth
exit $failed
