#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# calls.sh [--save] - the page of an application's calls in a real browser: of a program with callbacks of every sort, of names that are
# meant to do harm, of 5,000 methods with 50,000 calls; and that the library which draws it is what tools/cytoscape makes.
# --save writes the picture of docs/images, of antlr.
cd "$(dirname "$0")/../.." || exit 2
. tests/browser/setup.sh

"$build/tests/bigcalls" $here/hostile.txt > "$work/hostile.html" || exit 2
"$build/tests/bigcalls" --calls 5000 50000 > "$work/big.html" || exit 2
"$build/tests/bigcalls" --calls 5000 50000 | cmp -s - "$work/big.html" || echo "not ok the same page every time"

notes() {
	mkdir "$work/classes" && javac -J-XX:TieredStopAtLevel=1 -g -d "$work/classes" tests/e2e/application/Notes.java &&
	for format in html json; do
		"$sherd" callbacks -q -cp "$work/classes" --main notes.Notes --application 'notes.*' --format $format -o "$work/notes.$format" || return 1
	done
}
notes || { echo "not ok notes: no page"; exit 1; }

# Where npm cannot fetch it, this is left out.
if BUILD=$build tools/cytoscape -o "$work/cytoscape.js" 2> "$work/out"; then
	if cmp -s "$work/cytoscape.js" src/report/graph/html/cytoscape.js; then echo "ok cytoscape.js is what tools/cytoscape makes"
	else echo "not ok cytoscape.js is not what tools/cytoscape makes"; failed=1; fi
else
	echo "ok cytoscape.js is what tools/cytoscape makes # skip npm could not fetch it"
fi

if [ "${1:-}" = --save ]; then
	"$sherd" callbacks -q -cp /usr/share/java/antlr.jar --main antlr.Tool --format html -o "$work/antlr.html" || exit 2
fi
BROWSER=$browser node "$build/browser/calls.mjs" "$work" ${1:+"$1"} ${1:+docs/images} || failed=1
exit ${failed:-0}
