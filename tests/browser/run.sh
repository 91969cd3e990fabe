#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [--save] - the HTML report in a real browser: a made-up result (sample.txt), one with names that are meant to do harm
# (hostile.txt), source that is (odd.txt), small ones (empty.txt, unreached.txt), one with 50,000 calls, that of the station example, and one of call chains. --save writes the pictures of docs/images.
cd "$(dirname "$0")/../.." || exit 2
. tests/browser/setup.sh

"$build/tests/bigreport" $here/sample.txt $here/sample > "$work/sample.html" || exit 2
"$build/tests/bigreport" $here/sample.txt > "$work/bare.html" || exit 2
"$build/tests/bigreport" $here/odd.txt $here/sample > "$work/odd.html" || exit 2
"$build/tests/bigreport" $here/hostile.txt > "$work/hostile.html" || exit 2
for small in empty unreached; do
	"$build/tests/bigreport" $here/$small.txt > "$work/$small.html" || exit 2
done
"$build/tests/bigreport" --sites 50000 > "$work/big.html" || exit 2

# The real thing, from class files and a run.
station() {
	mkdir "$work/classes" "$work/tests" &&
	javac -J-XX:TieredStopAtLevel=1 -g -d "$work/classes" tests/examples/station/station*/*.java &&
	mv "$work/classes/stationtest" "$work/tests" &&
	"$sherd" cover -q -cp "$work/classes" --component 'station.*' -o "$work/result" -- \
		java -cp "$work/classes:$work/tests" stationtest.StationTest > "$work/out" 2>&1 &&
	"$sherd" report "$work/result" --format html --source tests/examples/station -o "$work/station.html" >> "$work/out" 2>&1
}
station || { cat "$work/out"; echo "not ok station: no report"; rm -f "$work/station.html"; }

# Call chains of a run, and of one that has tests.
chains() {
	mkdir "$work/way" "$work/ways" &&
	javac -J-XX:TieredStopAtLevel=1 -g -d "$work/way" tests/e2e/chains/way/*.java &&
	javac -J-XX:TieredStopAtLevel=1 -g -cp "$work/way" -d "$work/ways" tests/e2e/chains/Ways.java &&
	"$sherd" cover -q -cp "$work/way" --component 'way.*' --criteria chains -k 4 -o "$work/chains" -- \
		java -cp "$work/way:$work/ways" Ways > "$work/out" 2>&1 &&
	"$sherd" report "$work/chains" --format html --source tests/e2e/chains -o "$work/chains.html" >> "$work/out" 2>&1 &&
	"$sherd" report "$work/chains" --format json -o "$work/chains.json" >> "$work/out" 2>&1 &&
	for format in html json; do
		"$sherd" report tests/data/coverage-chains/shapes --format $format -o "$work/tested.$format" >> "$work/out" 2>&1
	done
}
chains || { cat "$work/out"; echo "not ok chains: no report"; rm -f "$work/chains.html"; }

BROWSER=$browser node "$build/browser/report.mjs" "$work" ${1:+"$1"} ${1:+docs/images}
