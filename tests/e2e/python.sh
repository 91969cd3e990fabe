#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# python.sh - the Python module over the shared library: tests/e2e/python/test_sherd.py, in the source tree; and what is installed.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
clang=$(command -v clang-19 || command -v clang-16 || command -v clang-14) || { echo 'not ok no clang'; exit 1; }
station=tests/examples/station

mkdir "$work/shapes" "$work/station" "$work/tests"
compile -g -d "$work/shapes" examples/shapes/*.java $station/station*/*.java || exit 2
mv "$work/shapes/station" "$work/station" && mv "$work/shapes/stationtest" "$work/tests" || exit 2
cp tests/examples/gauge/*.c "$work"
(cd "$work" && for f in lib client; do "$clang" -O0 -g -c -emit-llvm "$f.c" -o "$f.bc" || exit 1; done) || exit 2
(cd "$work" && "$sherd" summarize lib.bc -o lib.sum) || exit 2
(cd "$work" && "$sherd" cover -q -cp station --component 'station.*' -o sherd-coverage -- \
	java -cp station:tests stationtest.StationTest) > "$work/out" 2>&1 || { cat "$work/out"; exit 2; }

PYTHONPATH=$PWD/python SHERD_LIBRARY=$build/libsherd.so WORK=$work python3 tests/e2e/python/test_sherd.py -v > "$work/out" 2>&1 || { cat "$work/out"; failed=1; }
# test_name (__main__.Class.test_name) ... ok, the verdict a line below where the test has a sentence of its own
sed -n 's/^\(test_[a-z_]*\).*/\1/; /^test_/h; /ok$/{ x; s/^/ok /p; }; /\(FAIL\|ERROR\)$/{ x; s/^/not ok /p; }' < <(sed 's/ \.\.\. ok$/\nok/; s/ \.\.\. \(FAIL\|ERROR\)$/\n\1/' "$work/out")
grep -q '^OK$' "$work/out" || { echo 'not ok python tests'; failed=1; }

# Without a library, the module says what to do; installed, it finds the one that it was installed with.
missing() { PYTHONPATH=$PWD/python SHERD_LIBRARY=/nowhere/libsherd.so python3 -c 'import sherd' 2>&1; }
expect 'no library' grep -q 'ImportError: libsherd.so cannot be loaded: .*SHERD_LIBRARY' <(missing)
usr=$work/usr
mkdir -p "$usr/lib/python3/dist-packages"
cp -r python/sherd "$usr/lib/python3/dist-packages"
cp "$build/libsherd.so" "$usr/lib/libsherd.so.0"
installed() { (cd "$work" && env -u SHERD_LIBRARY PYTHONPATH="$usr/lib/python3/dist-packages" python3 -c 'import sherd; print(open("/proc/self/maps").read())'); }
expect 'the library beside it' grep -q "$usr/lib/libsherd.so.0" <(installed)
exit $failed
