#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# hostile.sh - jars that were made to cost more than they should: what they ask for is bounded, told, and the rest is analysed.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in:"; head -20 "$work/$1"; return 1; }; }
silent() { [ ! -s "$work/err" ] || { head -5 "$work/err"; return 1; }; }
below() { json "assert d['peak_rss_mb'] < $1, d['peak_rss_mb']"; }
mkdir "$work/classes"
cat > "$work/Main.java" <<'END'
package app;
public class Main {
	public static void main(String[] args) { System.out.println(lib.Inner.f()); }
}
END
mkdir "$work/lib"
printf 'package lib;\npublic class Inner { public static int f() { return 3; } }\n' > "$work/lib/Inner.java"
javac -d "$work/classes" "$work/Main.java" "$work/lib/Inner.java" || exit 2

# Nested jars. One is as it should be; the others unpack to 60 MB each, or share their bytes.
cat > "$work/nest.py" <<'END'
import io, sys, zipfile
folder, kind = sys.argv[1:]
def jar(entries, how=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as z:
        for name, data in entries:
            z.writestr(name, data)
    return out.getvalue()
read = lambda name: open(f"{folder}/classes/{name}", "rb").read()
good = jar([("lib/Inner.class", read("lib/Inner.class"))])
entries = [("app/Main.class", read("app/Main.class")), ("WEB-INF/lib/a-good.jar", good)]
if kind == "bomb":
    zeroes = jar([("zeroes", bytes(60 << 20))], zipfile.ZIP_STORED)
    entries += [(f"WEB-INF/lib/b{i}.jar", zeroes) for i in range(8)]
if kind == "large":        # as large wars are: 100 MB of nested jars, which do not deflate any more
    import random
    noise = random.Random(1).randbytes(10 << 20)
    entries += [(f"WEB-INF/lib/b{i}.jar", jar([("noise", noise)], zipfile.ZIP_STORED)) for i in range(10)]
data = jar(entries)
if kind == "shared":       # the central directory names one nested jar, of 20,000 entries, 4,000 times
    import struct
    many = jar([(f"x/{i}", b"") for i in range(20000)], zipfile.ZIP_STORED)
    data = jar(entries + [("WEB-INF/lib/m0000.jar", many)], zipfile.ZIP_STORED)
    end = data.rindex(b"PK\5\6")
    size, start = struct.unpack("<II", data[end + 12:end + 20])
    directory = data[start:start + size]
    row = directory[directory.rindex(b"PK\1\2"):]
    more = b"".join(row.replace(b"m0000.jar", b"m%04d.jar" % i) for i in range(1, 4000))
    n = len(entries) + 4000
    data = data[:start] + directory + more + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, n, n, size + len(more), start, 0)
open(f"{folder}/{kind}.jar", "wb").write(data)
END
for kind in bomb large shared; do python3 "$work/nest.py" "$work" $kind; done
expect 'the bomb is small' [ "$(stat -c %s "$work/bomb.jar")" -lt 1000000 ]
run() { status "$1" "$sherd" callgraph --jdk none --main app.Main --stats=json -o "$work/graph" -cp "${@:2}"; }
expect 'nested jars' run 0 "$work/bomb.jar"
expect 'nested jars: memory' below 150
expect 'nested jars: told' says err "$work/bomb.jar!WEB-INF/lib/b1.jar: error[E005]: nested jars of a run may have 64 MB"
expect 'nested jars: the rest is analysed' says graph 'lib.Inner.f()'
expect 'several of them' run 0 "$work/bomb.jar:$work/large.jar"
expect 'several of them: one limit' says err "$work/bomb.jar!WEB-INF/lib/b7.jar: error[E005]"
expect 'shared bytes' run 0 "$work/shared.jar"
expect 'shared bytes: memory' below 250
expect 'shared bytes: told' says err 'E005'
expect 'shared bytes: the rest is analysed' says graph 'lib.Inner.f()'
expect 'large jars are taken' run 0 "$work/large.jar"
expect 'large jars: nothing to say' bash -c "! grep -q E005 '$work/err'"
exit $failed
