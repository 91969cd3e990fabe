#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# library.sh - the library as users get it: installed, found by pkg-config, linked as an archive and as a shared library. The programs
# of docs/library.md print what the page shows.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
root=$PWD
clang=$(command -v clang-19 || command -v clang-16 || command -v clang-14) || { echo 'not ok no clang'; exit 1; }
station=tests/examples/station
examples="callers requirements pointsto c_pointsto coverage"

# What the programs are shown with.
mkdir "$work/shapes" "$work/station" "$work/tests"
compile -g -d "$work/shapes" examples/shapes/*.java $station/station*/*.java || exit 2
mv "$work/shapes/station" "$work/station" && mv "$work/shapes/stationtest" "$work/tests" || exit 2
cp tests/examples/gauge/*.c "$work"
(cd "$work" && for f in lib client; do "$clang" -O0 -g -c -emit-llvm "$f.c" -o "$f.bc" || exit 1; done) || exit 2
(cd "$work" && "$sherd" cover -q -cp station --component 'station.*' -o sherd-coverage -- \
	java -cp station:tests stationtest.StationTest) > "$work/out" 2>&1 || { cat "$work/out"; exit 2; }

# Installation. A sanitized build is installed as it is.
san=$(sed -n 's/.*-fsanitize=\([a-z,]*\).*/\1/p' "$build/flags")
make_quietly() { make -s BUILD="$build" SAN="$san" "$@" > "$work/out" 2>&1 || { cat "$work/out"; return 1; }; }
prefix=$work/usr
expect 'install' make_quietly install prefix="$prefix"
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }
expect 'what is installed' grep -qx './lib/libsherd.so' <(files "$prefix")
expect 'the link of the soname' test "$(readlink "$prefix/lib/libsherd.so.0")" = "$(basename "$prefix"/lib/libsherd.so.0.*)"
expect 'install below DESTDIR' make_quietly install DESTDIR="$work/stage" prefix=/opt/sherd
expect 'the same files' diff <(files "$prefix") <(files "$work/stage/opt/sherd")
expect 'for the folder without DESTDIR' grep -qx 'prefix=/opt/sherd' "$work/stage/opt/sherd/lib/pkgconfig/sherd.pc"
expect 'uninstall' make_quietly uninstall DESTDIR="$work/stage" prefix=/opt/sherd
expect 'nothing is left' test -z "$(files "$work/stage")"
make_quietly "$build/sherd.pc"        # as it was

# The shared library shows what sherd.h declares, and nothing else.
shown() { nm -D --defined-only "$prefix/lib/libsherd.so" | awk '{ print $3 }' | LC_ALL=C sort; }
expect 'symbols' diff <(grep -o '^SHERD_API.*' include/sherd/sherd.h | grep -o 'sherd_[a-z_]*(' | tr -d '(' | LC_ALL=C sort -u) <(shown)
expect 'soname' grep -q 'SONAME.*\[libsherd.so.0\]' <(readelf -d "$prefix/lib/libsherd.so")
expect 'the header as C++' "${CXX:-c++}" -fsyntax-only -Wall -Wextra -Werror -x c++ include/sherd/sherd.h

# The programs, against both.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags=(-std=c11 -Wall -Wextra -Werror ${san:+-fsanitize=$san})
# shellcheck disable=SC2046
against_so() { "${CC:-cc}" "${flags[@]}" "$1" $(pkg-config --cflags --libs sherd) -Wl,-rpath,"$prefix/lib" -o "$2"; }
# shellcheck disable=SC2046
against_a() {
	"${CC:-cc}" "${flags[@]}" "$1" $(pkg-config --cflags sherd) -Wl,--as-needed -l:libsherd.a $(pkg-config --static --libs sherd) -o "$2"
}
is_static() { ! readelf -d "$1" | grep -q 'NEEDED.*libsherd'; }
command_of() { sed -n "s,^\\\$ \\(\\./$1 .*\\),\\1,p" docs/library.md; }
shown_for() { awk -v start="\$ ./$1 " 'index($0, start) == 1 { on = 1; next } /^(\$ |```)/ { on = 0 } on' docs/library.md; }
run() { (cd "$work/$1" && eval "$(cd "$root" && command_of "$2")" 2> "$work/err"); }
for kind in so a; do
	mkdir "$work/$kind"
	ln -s "$work"/{shapes,station,tests,lib.bc,client.bc,sherd-coverage} "$work/$kind"
	for e in $examples; do
		expect "$e, lib$kind" against_$kind examples/library/$e.c "$work/$kind/$e"
		run $kind $e > "$work/$kind/$e.out"
		expect "$e, lib$kind: output" diff <(shown_for $e) "$work/$kind/$e.out"
		expect "$e, lib$kind: something" test -s "$work/$kind/$e.out"
	done
done
expect 'the archive is linked in' is_static "$work/a/callers"
# A program that asks for call graphs only needs neither LLVM nor C++.
expect 'a small link' "${CC:-cc}" "${flags[@]}" -Iinclude examples/library/callers.c "$build/libsherd.a" -ldeflate -lsqlite3 -lfa -o "$work/small"
expect 'an error' status 2 "$work/small" "$work/shapes" shapes.Nothing x
expect 'says what is wrong' grep -q E041 "$work/err"

# Numbers that are none, several results in a session.
expect 'edges' against_so tests/e2e/library/edges.c "$work/edges"
edges() { (cd "$work" && ./edges station:tests stationtest.StationTest 'station.*' lib.bc sherd-coverage); }
expect 'edges of the library' edges
exit $failed
