#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The laws of pointers in C (see c-laws.sh) on real programs: bzip2, minizip, lua and the demanglers of libiberty, built by
# tests/subjects-c/make; summaries also of expat and libjpeg. In the tier normal: bzip2 and lua; in all, larger inputs, and laws that take long.
# Built subjects are kept.
set -u
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
links=
. "$(dirname "$0")/../lib/crun.sh"
subjects=$build/c-subjects

made() {          # NAME
	"$top/tests/subjects-c/make" "$1" "$subjects/$1" >"$work/out" 2>&1
	result $? "$1 is built"
	links=$(cat "$subjects/$1/links" 2>/dev/null)
	[ -f "$subjects/$1/made" ] && need "$1 is instrumented" prepare "$1" "$subjects/$1/whole.bc"
}

run() {           # NAME ARGUMENT...: its output is $work/result
	name=$1
	shift
	CRECORD=$work/$name/facts timeout 1800 "$work/$name/run" "$@" >"$work/result" 2>"$work/out"
}

fragment() {      # NAME
	"$instrument" 1 "$subjects/$1/lib.bc" "$work/lib.ll" /dev/null && "$instrument" 2 "$subjects/$1/client.bc" "$work/client.ll" /dev/null
	laws "$1, library and client" fragment "$work/lib.ll" "$work/client.ll"
}

summary() {       # NAME
	laws "$1, summary and client" summary "$subjects/$1/lib.bc" "$subjects/$1/client.bc"
}

need 'the recorder compiles' compile_recorder
seq 1 "$(by_tier 600 6000)" | sed 's/.*7/line & of a text/' >"$work/text"

if made bzip2; then
	need 'bzip2 packs' run bzip2 -c "$work/text"
	check bzip2 'bzip2 packs'
	cp "$work/result" "$work/text.bz2"
	need 'bzip2 unpacks' run bzip2 -dc "$work/text.bz2"
	cmp "$work/result" "$work/text" >"$work/out"
	result $? 'bzip2 gives back what it got'
	check bzip2 'bzip2 unpacks'
	laws 'bzip2, engines' order "$subjects/bzip2/whole.bc"
	fragment bzip2
	summary bzip2
fi
if is_all && made minizip; then
	need 'minizip packs' run minizip -o "$work/text.zip" "$work/text"
	check minizip 'minizip packs'
	laws 'minizip, engines' order "$subjects/minizip/whole.bc"
	fragment minizip
	summary minizip
fi

cat >"$work/script.lua" <<'END'
local t = {}
for i = 1, 60 do t[i] = { i, name = "n" .. i } end
table.sort(t, function(a, b) return a[1] > b[1] end)
local co = coroutine.wrap(function(a) for i = 1, 3 do a = coroutine.yield(a .. i) end end)
assert(co("x") == "x1" and co("y") == "y2")
assert(string.format("%5.2f %s", 3.14159, (("abc"):rep(3):gsub("b", "Q"))) == " 3.14 aQcaQcaQc")
assert(not pcall(function() error({ code = 1 }) end))
assert(setmetatable({}, { __index = function(_, k) return k .. "!" end }).foo == "foo!")
assert(load("return 1 + 2 * 3")() == 7)
local n = 0
for word in ("the quick brown fox"):gmatch("%a+") do n = n + #word end
local weak = setmetatable({}, { __mode = "k", __gc = function() n = 0 end })
weak[{}] = 1
collectgarbage()
local file = assert(io.open(arg[0]))
for line in file:lines() do n = n + #line end
file:close()
assert(table.concat({ 1, 2, 3 }, ",") == "1,2,3" and select("#", 1, 2) == 2 and string.pack("i4", 7):byte() == 7)
print(n, os.time() > 0, math.max(1, 2, 3), utf8.char(228), next({}), tostring(print):sub(1, 8))
END
if made lua; then
	need 'lua runs a script' run lua "$work/script.lua"
	check lua 'lua runs a script'
	! is_all || laws 'lua, engines' order "$subjects/lua/whole.bc"
	! is_all || fragment lua
	summary lua
fi
if is_all && made demangle; then
	head -n 800 "$subjects/demangle/source/libiberty/libiberty/testsuite/demangle-expected" >"$work/names"
	run demangle <"$work/names"          # some names may be understood otherwise: the status says nothing
	check demangle 'demangle'
	laws 'demangle, engines' order "$subjects/demangle/whole.bc"
	! is_all || fragment demangle
fi
# Libraries with tables of functions and of memory that their clients give them.
for subject in xmlwf cjpeg; do
	! is_all || ! made $subject || summary $subject
done
exit $failed
