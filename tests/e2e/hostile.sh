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
compile -d "$work/classes" "$work/Main.java" "$work/lib/Inner.java" || exit 2

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

# Class-Path of manifests. The JVM is asked what it takes of each item.
mkdir -p "$work/j/at/links" "$work/j/far"
cat > "$work/Asks.java" <<'END'
public class Asks {
	public static void main(String[] args) {
		try {
			Class.forName("lib.Inner");
			System.out.println("taken");
		} catch (ClassNotFoundException e) {
			System.out.println("left");
		}
	}
}
END
compile -d "$work/asks" "$work/Asks.java" || exit 2
cp -r "$work/classes/lib" "$work/j/far/"
(cd "$work/j/far" && python3 -c 'import zipfile; zipfile.ZipFile("inner.jar", "w").write("lib/Inner.class")')
jar_with() {          # JAR CLASS-PATH
	python3 - "$@" "$work/asks/Asks.class" <<'END'
import sys, zipfile
name, path, main = sys.argv[1:]
line = "Class-Path: " + path
with zipfile.ZipFile(name, "w") as z:
    z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n" + "\n ".join(line[i:i + 60] for i in range(0, len(line), 60)) + "\n")
    z.write(main, "Asks.class")
END
}
as_the_jvm() {        # CLASS-PATH [JAR]
	local jar=${2:-$work/j/at/asks.jar} jvm sherds=left
	[ -n "$2" ] || jar_with "$jar" "$1"
	jvm=$(java -cp "$jar" Asks)
	! "$sherd" dump lib.Inner --jdk none -cp "$jar" > /dev/null 2>&1 || sherds=taken
	[ "$jvm" = "$sherds" ] || { echo "$1: $jvm by the JVM, $sherds by sherd"; return 1; }
}
far=$work/j/far
for item in ../far ../far/ "$far" "$far/" "file:$far/" "file://$far/" "file://localhost$far/" "file://elsewhere$far/" "FILE:$far/" "/$far/" file:../far/ \
	../far/inner.jar "$far/inner.jar" "file:$far/inner.jar" "file://$far/inner.jar" "file://localhost$far/inner.jar" "/$far/inner.jar" ../far/inner.jar/ \
	../f%61r/ ../far//inner.jar '../far/inner.jar#x' 'x#y/../far/' "http:$far/" "jar:file:$far/inner.jar!/" "none.jar ../far/" ../far/none; do
	expect "class path: $(echo "$item" | sed "s,$work,,")" as_the_jvm "$item"
done
jar_with "$work/j/at/asks.jar" ../far/
ln -s ../asks.jar "$work/j/at/links/asks.jar"
expect 'class path: a link' as_the_jvm ../far/ "$work/j/at/links/asks.jar"

# Additions are listed, with the jar that asked for them, and can be refused.
jar_with "$work/j/at/first.jar" '../far/second.jar none.jar'
jar_with "$work/j/far/second.jar" "$far/inner.jar second.jar"
added() { status 0 "$sherd" callgraph --jdk none --main Asks -cp "$work/j/at/first.jar" "$@"; }
expect 'listed' added
expect 'listed: one' says out "  Added       by first.jar: $work/j/at/../far/second.jar"
expect 'listed: another' says out "              by second.jar: $far/inner.jar"
expect 'listed in JSON' added --format json
expect 'listed in JSON: both' json "
at = '$work/j/at/'
assert d['manifest_class_path'] == [{'path': at + '../far/second.jar', 'named_by': at + 'first.jar'},
                                    {'path': '$far/inner.jar', 'named_by': at + '../far/second.jar'}], d['manifest_class_path']"
asked() { status 0 "$sherd" requirements --jdk none -cp "$work/j/at/first.jar" --component Asks "$@"; }
expect 'listed by requirements' asked
expect 'listed by requirements: both' bash -c "grep -c ' by [a-z]*.jar: ' '$work/out' | grep -qx 2"
expect 'listed by requirements in JSON' asked --format json
expect 'listed by requirements in JSON: both' json "assert len(d['manifest_class_path']) == 2"
expect 'refused' added --no-manifest-class-path --format json
expect 'refused: nothing is added' json "assert 'manifest_class_path' not in d"
for verb in cover dump requirements why why-call; do
	expect "$verb can refuse" bash -c "'$sherd' $verb --help | grep -q -- --no-manifest-class-path"
done

# A directory with more files than a project has; and what is no file is not even opened.
mkdir -p "$work/j/wide/lib" && (cd "$work/j/wide" && seq 101000 | xargs touch)
jar_with "$work/j/at/wide.jar" ../wide/
expect 'a wide directory' status 0 "$sherd" callgraph --jdk none --main Asks -cp "$work/j/at/wide.jar"
expect 'a wide directory: told' says err "$work/j/at/wide.jar: error[E008]: its manifest adds $work/j/at/../wide/; directories"
expect 'a wide directory of the user' status 0 "$sherd" callgraph --jdk none --main Asks -cp "$work/j/at/wide.jar:$work/j/wide" --no-manifest-class-path
expect 'a wide directory of the user: nothing to say' bash -c "! grep -q E0 '$work/err'"
mkfifo "$work/j/far/pipe"
jar_with "$work/j/at/pipe.jar" '../far/pipe /dev/tty /dev/full'
expect 'no file' status 0 timeout 20 "$sherd" callgraph --jdk none --main Asks -cp "$work/j/at/pipe.jar"
expect 'no file: nothing to say' bash -c "! grep -q E0 '$work/err'"
exit $failed
