#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gauge.sh - the sample program of figures 3.2 and 3.5 of the thesis (tests/examples/gauge): points-to, Mod and Called sets, of the
# whole program, and of the library for all clients.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
clang=$(command -v clang-19 || command -v clang-16 || command -v clang-14) || { echo 'not ok no clang'; exit 1; }
cp tests/examples/gauge/* "$work"
(cd "$work" && for f in lib client; do "$clang" -O0 -g -c -emit-llvm "$f.c" -o "$f.bc" || exit 1; done) || exit 1
cat > "$work/figure.py" << 'END'
import json, sys
points_to, modref = (json.load(open(f)) for f in sys.argv[1:3])

def pt(name, *want):
    have = points_to["points_to"].get(name, [])
    assert set(have) == set(want), (name, have, want)

def mod(line, *want):
    of = [s for s in modref["statements"] if s.get("file", "").endswith("lib.c") and s["line"] == line]
    have = {p for s in of for a, b in modref["sets"][s["mod"]] for p in modref["places"][a:b]}
    assert of and have == set(want), (line, have, want)

def called(line, *want):
    have = {t for c in points_to["called"] if c.get("file", "").endswith("lib.c") and c["line"] == line for t in c["targets"]}
    assert have == set(want), (line, have, want)
END

for fields in on off; do
	for verb in pointsto modref; do
		expect "whole program: $verb, fields $fields" status 0 "$sherd" $verb "$work/lib.bc" "$work/client.bc" --fields $fields --format json -o "$work/$verb.json"
	done
	expect "figure 3.2, fields $fields" python3 - "$work/pointsto.json" "$work/modref.json" "$work/figure.py" << 'END'
import sys
exec(open(sys.argv[3]).read())
for name in "last", "read_gauge::where", "read_gauge::place", "halve::before", "halve::now":
    pt(name, "main::x", "main::y")
for name in "read_gauge::which", "turn::number":
    pt(name, "read_gauge::three", "read_gauge::four")
for name in "read_gauge::three", "read_gauge::four", "turn::old", "turn::new", "main::x", "main::y", "turn":
    pt(name)
pt("read_gauge::changed", "halve")
called(22, "halve")
mod(22, "main::x", "main::y")               # not three and four: they cannot be got at
mod(24, "read_gauge::three", "read_gauge::four")
mod(26, "read_gauge::three", "read_gauge::four")
mod(27, "main::x", "main::y")
mod(12, "read_gauge::three", "read_gauge::four")
mod(28, "last")
END
	for verb in pointsto modref; do
		expect "library: $verb, fields $fields" status 0 "$sherd" $verb "$work/lib.bc" --library --exports "$work/exports.txt" --fields $fields --format json -o "$work/$verb.json"
	done
	expect "figure 3.5, fields $fields" python3 - "$work/pointsto.json" "$work/modref.json" "$work/figure.py" << 'END'
import sys
exec(open(sys.argv[3]).read())
for name in "last", "read_gauge::where", "read_gauge::changed", "read_gauge::place", "ph_var":
    pt(name, "ph_var", "ph_proc", "last", "read_gauge")
for name in "read_gauge::which", "turn::number":
    pt(name, "read_gauge::three", "read_gauge::four")
for name in "read_gauge::three", "read_gauge::four", "turn::old", "turn::new", "turn":
    pt(name)
called(22, "ph_proc", "read_gauge")
mod(22, "ph_var", "last")
mod(27, "ph_var", "last")
mod(12, "read_gauge::three", "read_gauge::four")
library = points_to["library"]
assert library["exports"] == ["last", "read_gauge"], library
END
done
exit $failed
