#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the class-file reader with `javap -v -p` on the classes of a JDK's java.base and on the
# module-info of all its modules.
#
#   SAMPLE   compare about this many classes, evenly spread; 0: all of them, as in the tier all
#   JAVA_HOME, JDK_MODULES (a regular expression over module names, default java.base)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib/tier.sh"
cfdump=$(cd "${BUILD:-build}" && pwd)/tests/cfdump
sample=${SAMPLE:-$(by_tier 1200 0)}
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javap)")")")}
modules=${JDK_MODULES:-java\\.base}
batch=400

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$home/bin/jimage" extract --dir "$tmp/classes" --include \
	"regex:/($modules)/.*\\.class,regex:/[^/]*/module-info\\.class" "$home/lib/modules"
find "$tmp/classes" -name '*.class' | LC_ALL=C sort > "$tmp/all"
total=$(wc -l < "$tmp/all")
if [ "$sample" -gt 0 ] && [ "$sample" -lt "$total" ]; then
	awk -v n="$sample" -v t="$total" 'int(NR * n / t) != int((NR - 1) * n / t)' "$tmp/all" > "$tmp/list"
else
	cp "$tmp/all" "$tmp/list"
fi
[ -s "$tmp/list" ] || { echo "no classes found in $home" >&2; exit 1; }

# One JVM for each batch, as many at a time as there are processors.
cat > "$tmp/one" <<-'END'
	list=$1
	xargs -d '\n' "$home/bin/javap" -J-Dfile.encoding=UTF-8 -J-Dsun.stdout.encoding=UTF-8 -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 \
		-v -p < "$list" > "$list.javap" || exit 1
	"$cfdump" < "$list" > "$list.cfdump" || exit 1
	python3 "$here/javap.py" "$list.javap" "$list.cfdump" > "$list.result" 2>&1 || touch "$list.failed"
	rm -f "$list.javap" "$list.cfdump"
END
split -l $batch "$tmp/list" "$tmp/batch."
export home cfdump here
ls "$tmp"/batch.* | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh "$tmp/one"

grep -hv 'classes compared' "$tmp"/batch.*.result || true
said=$(cat "$tmp"/batch.*.result | awk '/classes compared/ { n += $1; m += $4 } END { printf "%d classes compared, %d differ", n, m }')
case $said in
0*) echo "not ok $said"; exit 1 ;;
*', 0 differ') [ -z "$(ls "$tmp" | grep failed)" ] && echo "ok $said" && exit 0 ;;
esac
echo "not ok $said"
exit 1
