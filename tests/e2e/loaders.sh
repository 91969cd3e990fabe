#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# loaders.sh - a class loader that hands names on: for the callers that can be seen it is resolved where they call it, with clients
# that cannot be seen it stays open.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
compile -g -d "$work/classes" tests/e2e/loaders/Loader.java || exit 2
printf 'loads.Loader.main\nloads.Loader.loadClass\n' > "$work/entries"
open() {              # LINE OPTION...: an unresolved call of the loader is there
	local line=$1
	shift
	"$sherd" callgraph -q -cp "$work/classes" --format csv --only loads.Loader "$@" > "$work/csv" || return 2
	awk -F, -v line="$line" '$3 == line && $4 ~ /^unresolved/ { n++ } END { exit !n }' "$work/csv"
}
resolved() { ! open "$@" && [ -s "$work/csv" ]; }
for algorithm in rta andersen; do
	expect "$algorithm: of a program" resolved 8 --algorithm $algorithm --main loads.Loader
	expect "$algorithm: where it is called" resolved 12 --algorithm $algorithm --main loads.Loader
	expect "$algorithm: of a library" open 8 --algorithm $algorithm --entry public
	expect "$algorithm: an entry" open 8 --algorithm $algorithm --entry "$work/entries"
done
printf '{"reflection":[{"type":"loads.Loader","methods":[{"name":"loadClass","parameterTypes":["java.lang.String"]}]}]}\n' > "$work/facts.json"
expect 'a fact says that it is called' open 8 --main loads.Loader --facts "$work/facts.json"
exit $failed
