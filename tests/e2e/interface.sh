#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# interface.sh - components and their interfaces, as a user meets them: patterns, the members that reflection knows, files
# that are read as they were printed, interfaces from tests, and what is said about mistakes.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
jars=${JARS:-/usr/share/java}

show() {              # STATUS OPTIONS...: the interface in $work/out, messages in $work/err
	local want=$1
	shift
	"$sherd" requirements -q --show-interface "$@" > "$work/out" 2> "$work/err"
	local got=$?
	[ $got = "$want" ] || { echo "exit status $got, not $want: $*"; head -n 5 "$work/err"; return 1; }
}

says() { grep -qF -- "$1" "$work/err" || { echo "not said: $1"; head -n 5 "$work/err"; return 1; }; }
has() { grep -qxF -- "$1" "$work/out" || { echo "not there: $1"; return 1; }; }
lacks() { ! grep -qF -- "$1" "$work/out" || { echo "there: $1"; return 1; }; }
refuse() {            # NAME MESSAGE OPTIONS...
	local name=$1 message=$2
	shift 2
	expect "$name" show 2 "$@"
	expect "$name: message" says "$message"
	expect "$name: no output" test ! -s "$work/out"
}

# The interface is what reflection says, and reading what was printed prints the same.
mkdir "$work/members"
compile -d "$work/members" tests/e2e/interface/Members.java
reflect() {           # CLASSPATH PACKAGE...: compares $work/first
	local path=$1
	shift
	"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$work/members:$path" Members "$work/first" "$@"
}
compare() {           # NAME CLASSPATH PATTERNS PACKAGE...
	local name=$1 path=$2 patterns=$3 kind
	shift 3
	for kind in protected public; do
		expect "$name: $kind" show 0 ${path:+-cp "$path"} --component "$patterns" --interface $kind
		mv "$work/out" "$work/first"
		expect "$name: $kind, read again" show 0 ${path:+-cp "$path"} --component "$patterns" --interface "$work/first"
		expect "$name: $kind, the same" cmp "$work/first" "$work/out"
	done
	expect "$name: members" reflect "$path" "$@"
}
compare java.text '' 'java.text.*' java.text
compare java.util '' 'java.util.*' java.util
compare java.lang '' 'java.lang.*,java.lang.invoke.*' java.lang java.lang.invoke
compare java.nio '' 'java.nio.**,java.time.**' java.nio.file java.time.chrono
compare lang3 "$jars/commons-lang3.jar" 'org.apache.commons.lang3.**'
sed -i '/^method org.apache.commons.lang3.BooleanUtils.xor(/d' "$work/first"
expect 'a missing member is noticed' bash -c "! java -cp '$work/members:$jars/commons-lang3.jar' Members '$work/first' > /dev/null"
expect 'a public method of a class that is not' grep -qxF 'method java.lang.StringBuilder.length()I' \
	<("$sherd" requirements -q --component java.lang.StringBuilder --show-interface)

# Patterns.
classes() { "$sherd" requirements -q --show-interface "$@" 2> "$work/err" | sed -n 's/^class \(java\.text\.\)/\1/p' | tr '\n' ' '; }
expect 'a class with its nested ones' test "$(classes --component java.text.Normalizer)" = 'java.text.Normalizer java.text.Normalizer$Form '
expect 'without the nested one' test "$(classes --component 'java.text.Normalizer,!java.text.Normalizer$Form')" = 'java.text.Normalizer '
printf '# a list\njava.text.Normal*\n!java.text.Normalizer$*\n' > "$work/list"
expect 'a list' test "$(classes --component "@$work/list")" = 'java.text.Normalizer '
refuse 'misspelt package' 'did you mean java.text.*?' --component 'java.txt.*'
refuse 'misspelt class' 'did you mean java.text.Format?' --component 'java.text.*,java.text.Fromat'
refuse 'nested class with a dot' 'did you mean java.util.Map$Entry?' --component java.util.Map.Entry
refuse 'package without a star' 'did you mean java.text.*?' --component java.text
refuse 'malformed pattern' "'a..b' is no pattern" --component 'a..b'
refuse 'nothing left' 'excluded again' --component 'java.text.*,!java.**'
refuse 'no list' 'cannot be read' --component "@$work/nowhere"

# A component, and tests of it in the same package.
mkdir -p "$work/src/main/shop" "$work/src/test/shop" "$work/main" "$work/test" "$work/other"
cat > "$work/src/main/shop/Shop.java" <<'JAVA'
package shop;
public class Shop extends Base implements Store {
	public Object[] shelf = new Object[1];
	public static class Till { public Object open() { return null; } public void unused() { } }
	protected static class Office { public void work() { } }
	Object inside() { return null; }
	public static String name(Object o) { return o == null ? "shop" : o.toString(); }
	public Item[][] grid() { return null; }
}
class Base { public Base() { } public void opened() { } }
JAVA
cat > "$work/src/main/shop/Store.java" <<'JAVA'
package shop;
public interface Store { default void greet() { } static Store make() { return new Shop(); } }
JAVA
cat > "$work/src/main/shop/Item.java" <<'JAVA'
package shop;
public class Item { public String name; }
JAVA
cat > "$work/src/test/shop/ShopTest.java" <<'JAVA'
package shop;
import java.util.function.*;
class Walker implements Store, Runnable { public void run() { } }
class ShopTest extends Shop {
	Supplier<Shop.Till> till = Shop.Till::new;
	Function<Object, String> name = Shop::name;
	void test(Object o) {
		inside();
		shelf[0] = grid()[0][1];
		Runnable r = () -> ((Store) o).greet();
		r.run();
		Item[][][] made = new Item[1][2][];
		made[0] = null;
		ShopTest[] shops = { this };
		((Store) shops[0]).greet();
		Store[] stores = new Walker[] { null };
		new gone.Gone().away();
		till.get().open();
	}
	java.lang.reflect.Method find(String name) throws Exception { return Store.class.getMethod(name); }
	Object item(Class<?> of) throws Exception { Item.class.getName(); return of.getField("name"); }
}
JAVA
mkdir "$work/src/test/gone"
printf 'package gone;\npublic class Gone { public void away() { } }\n' > "$work/src/test/gone/Gone.java"
compile -d "$work/main" "$work"/src/main/shop/*.java
compile -cp "$work/main" -d "$work/test" "$work"/src/test/*/*.java
rm -r "$work/test/gone"
tests=(-cp "$work/main" --component 'shop.*' --interface "tests:$work/test")
expect 'tests' show 0 "${tests[@]}"
for line in 'method shop.Shop$Till.<init>()V' 'method shop.Shop$Till.open()Ljava/lang/Object;' \
	'method shop.Shop.<init>()V' 'method shop.Shop.inside()Ljava/lang/Object;' 'method shop.Shop.grid()[[Lshop/Item;' \
	'method shop.Shop.name(Ljava/lang/Object;)Ljava/lang/String;' 'field shop.Shop.shelf' 'method shop.Store.greet()V' \
	'method shop.Store.make()Lshop/Store;' 'field shop.Item.name' 'method java.lang.Runnable.run()V' 'new shop.Item[][]' 'new shop.Item[][][]' \
	'access java.lang.Object[]' 'access shop.Item[]' 'access shop.Item[][]' 'access shop.Item[][][]' \
	'new shop.Shop[]' 'access shop.Shop[]' 'new shop.Store[]' 'new java.lang.Runnable[]' 'new java.lang.Object[]'; do
	expect "tests: $line" has "$line"
done
for text in ShopTest Walker unused gone. Office; do
	expect "tests: no $text" lacks "$text"
done
expect 'tests: no inner array' bash -c "! grep -qxF 'new shop.Item[]' '$work/out'"
mv "$work/out" "$work/first"
expect 'tests: what is left out' bash -c "'$sherd' requirements --show-interface $(printf '%q ' "${tests[@]}") 2>&1 > /dev/null | grep -q 'W048.*the first is gone.Gone'"
expect 'tests: read again' show 0 -cp "$work/main" --component 'shop.*' --interface "$work/first"
expect 'tests: the same' cmp "$work/first" "$work/out"
expect 'tests on the class path' show 0 -cp "$work/main:$work/test" --component 'shop.*' --interface "tests:$work/test/."
expect 'tests on the class path: the same' cmp "$work/first" "$work/out"
expect 'union' show 0 "${tests[@]::4}" --interface "public,tests:$work/test"
expect 'union: both' bash -c "grep -q inside '$work/out' && grep -q unused '$work/out'"
expect 'protected nested class' show 0 -cp "$work/main" --component 'shop.*' --interface public
expect 'protected nested class: not public' lacks Office
refuse 'tests of something else' 'names no member of its' -cp "$work/main" --component 'java.text.**' --interface "tests:$work/test"
refuse 'no tests' 'there are no test classes here' -cp "$work/main" --component 'shop.*' --interface "tests:$work/other"
refuse 'component in the tests' 'no class outside of the tests matches' -cp "$work/main" --component shop.ShopTest --interface "tests:$work/test"
refuse 'nothing public' 'none of the component' -cp "$work/main" --component shop.Base

# The law of round trips: requirements from the file that --show-interface writes are those from what it was asked for.
law() {               # NAME OPTIONS... --interface WHAT
	local name=$1 last=${*: -1}
	shift
	set -- "${@:1:$#-1}"
	"$sherd" requirements -q "$@" "$last" --show-interface > "$work/law" 2> "$work/err" || { cat "$work/err"; return 1; }
	"$sherd" requirements -q "$@" "$last" --format json 2> /dev/null | sed -E '1s/"(interface|class_path)":"[^"]*"//g' > "$work/asked" || return 1
	"$sherd" requirements -q "$@" "$work/law" --format json 2> "$work/err" | sed -E '1s/"(interface|class_path)":"[^"]*"//g' > "$work/out"
	grep -q '"site"' "$work/out" && cmp "$work/asked" "$work/out" || { head -n 3 "$work/err"; return 1; }
}
expect 'law: java.text' law 1 --component 'java.text.*' --interface public
expect 'law: java.util.zip' law 2 --component 'java.util.zip.*' --interface protected
expect 'law: java.util.zip, open' law 3 --component 'java.util.zip.*' --clients open --interface protected
for jar in jflex:jflex commons-csv:org.apache.commons.csv; do
	if [ -f "$jars/${jar%:*}.jar" ]; then
		expect "law: ${jar%:*}" law 4 -cp "$jars/${jar%:*}.jar" --component "${jar#*:}.**" --algorithm 0cfa --interface protected
	else
		skip "law: ${jar%:*}" 'the jar is not here'
	fi
done
expect 'law: tests' law 5 -cp "$work/main" --component 'shop.*' --clients open --interface "tests:$work/test"
expect 'law: tests, auto' law 6 -cp "$work/main" --component 'shop.*' --interface "tests:$work/test"
seeds=$(by_tier '1 2 3' '1 2 3 4 5 6 7 8 9 10 11 12')
PYTHONDONTWRITEBYTECODE=1 tests/laws/fragment.py "$work/generated" 2 $seeds
mkdir "$work/parts"
compile -d "$work/parts" $(find "$work/generated" -name '*.java')
for seed in $seeds; do
	mkdir -p "$work/part/$seed"
	mv "$work/parts/f$seed" "$work/part/$seed"
	expect "law: generated component $seed" law 6 -cp "$work/part/$seed" --component "f$seed.**" --clients open --interface protected
	expect "law: generated component $seed, restricted" law 7 -cp "$work/part/$seed" --component "f$seed.**" \
		--interface "$work/generated/f$seed.interface"
done

# Files with mistakes: every line is named.
printf 'class shop.Shpo\nmethod shop.Shop.grid\nmethod shop.Shop.nmae\n\nfield shop.Shop.shell\nnew shop.Item\n' > "$work/bad"
refuse 'bad file' 'bad: 1: error[E046]: no class' -cp "$work/main" --component 'shop.*' --interface "$work/bad"
expect 'bad file: class' says 'did you mean shop.Shop?'
expect 'bad file: method' says 'bad: 3: error[E046]'
expect 'bad file: other name' says 'did you mean shop.Shop.name(Ljava/lang/Object;)Ljava/lang/String;'
expect 'bad file: field' says 'bad: 5: error[E046]: no such field that clients can name; did you mean shop.Shop.shelf'
expect 'bad file: array' says "bad: 6: error[E046]: 'shop.Item' is no array"
expect 'bad file: good line' test "$(grep -c E046 "$work/err")" = 4
refuse 'no file' 'public, protected, tests:PATH or a file' --component 'java.text.*' --interface "$work/nowhere"
exit $failed
