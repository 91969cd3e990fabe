#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# report.sh - the formats of `sherd report`, as other tools read them: well-formed, with the shapes that their documents ask for,
# and all with the same counts. On runs of the station of tests/examples, of a package of the JDK, and on difficult names.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
station=tests/examples/station

law() {               # LAW FILE...: see check.py
	python3 tests/e2e/report/check.py "$@" 2> "$work/trace" || { tail -n 3 "$work/trace"; return 1; }
}

has() { grep -qF -- "$2" "$1" || { echo "no '$2' in:"; head -n 60 "$1"; return 1; }; }

cover() {             # FOLDER OPTION... -- COMMAND...
	"$sherd" cover -q -o "$@" > "$work/out" 2> "$work/err" || { echo "exit status $?: $*"; tail -n 5 "$work/err"; return 1; }
}

# Every format of a result into FOLDER.formats.
formats() {           # FOLDER OPTION...
	local of=$1
	mkdir -p "$of.formats"
	for pair in text=text json=json cobertura=cobertura.xml jacoco=jacoco.xml lcov=lcov sarif=sarif badge=badge.svg; do
		"$sherd" report -q "$@" --format "${pair%%=*}" -o "$of.formats/${pair##*=}" || return 1
	done
}

mkdir "$work/classes" "$work/tests"
compile -g -d "$work/classes" $station/station*/*.java && mv "$work/classes/stationtest" "$work/tests" || exit 2
component=(-cp "$work/classes" --component 'station.*' --interface $station/interface.txt)

# The sample tests of the papers exercise half of what is required; the full ones everything.
for test in StationTest FullTest; do
	at=$work/$test
	expect "$test" cover "$at" "${component[@]}" -- java -cp "$work/classes:$work/tests" stationtest.$test
	expect "$test: formats" formats "$at" --source $station
	expect "$test: the same counts everywhere" law counts "$at.formats"
	expect "$test: json" law json "$at.formats"
	expect "$test: badge" law badge "$at.formats"
	expect "$test: places in sources" law sources "$at.formats" "$PWD"
done
half=$work/StationTest.formats full=$work/FullTest.formats
expect 'half: receiver classes' has "$half/text" '  Receiver classes  50.0 %  ███████████████░░░░░░░░░░░░░░░  2 of 4'
expect 'half: targets' has "$half/text" '  Target methods    50.0 %  ███████████████░░░░░░░░░░░░░░░  2 of 4'
expect 'half: what to test next' has "$half/text" '   1  CipherLink by Station.tell(Link)'
expect 'half: what it is good for' has "$half/text" '      newly runs 1 method at 1 call: Station:16 carry'
expect 'half: what a test does' has "$half/text" '          Link link = exchange.open();'
expect 'half: twice, since it is kept behind the call' test "$(grep -c '^          station.post("text");$' "$half/text")" = 2
expect 'half: what a test does, for programs' has "$half/json" '"recipe":["station.Exchange.open()","station.Station.tell(Link)"]'
expect 'full' has "$full/text" 'Every requirement is exercised.'
expect 'full: no results' has "$full/sarif" '"results":[]'
expect 'cover prints the same screen' has "$work/out" 'Every requirement is exercised.'

# The command that the screen gives is one.
eval "why=($(sed -n 's/^ *sherd why //p' "$half/text"))"
expect 'the command that explains' test "${#why[@]}" -ge 8
expect 'the command works' "$sherd" why -q "${why[@]}" -o /dev/null
JAVA_HOME=$work "$sherd" report -q "$work/StationTest" > "$work/elsewhere"
expect 'the command names a JDK that is not the default' grep -q 'sherd why .* --jdk /' "$work/elsewhere"

# The same bytes again; every call with --all; only some classes with --only.
formats "$work/StationTest" --source $station && cp -r "$half" "$work/again" && formats "$work/StationTest" --source $station
expect 'the same bytes again' diff -r "$half" "$work/again"
"$sherd" report -q "$work/FullTest" --all > "$work/all"
expect 'all calls' test "$(grep -c 'Link.carry(String) covered' "$work/all")" = 2
"$sherd" report -q "$work/StationTest" --only 'station.Exchange' > "$work/only"
expect 'only some classes' bash -c "! grep -q 'station.Station' '$work/only' && grep -q '2 of 4' '$work/only'"

# What changed.
"$sherd" report -q --diff "$work/StationTest" "$work/FullTest" > "$work/diff"
"$sherd" report -q --diff "$work/StationTest" "$work/FullTest" --format json > "$work/diff.json"
expect 'difference' has "$work/diff" '  Receiver classes  50.0 % → 100.0 %    +50.0    2 of 4 → 4 of 4'
expect 'difference: gained' has "$work/diff" '        16  Link.carry(String)  CipherLink runs CipherLink.carry'
expect 'difference: json' law diff "$half" "$full" "$work/diff.json"
"$sherd" report -q --diff "$work/FullTest" "$work/StationTest" > "$work/diff"
expect 'difference: lost' has "$work/diff" 'Lost  4'
"$sherd" report -q --diff "$work/FullTest" "$work/FullTest" > "$work/diff"
expect 'no difference' has "$work/diff" 'Nothing changed.'

# What a test does for what is missed: objects it makes, constants it reads, what it hands in, what it calls at last.
mkdir -p "$work/shop/shop" "$work/shop/out"
cat > "$work/shop/shop/Shop.java" <<'JAVA'
package shop;
import java.util.*;
public class Shop {
	public enum Coin { CENT { public int value() { return 1; } }, EURO { public int value() { return 100; } }; public abstract int value(); }
	public static abstract class Printer { public abstract void print(); }
	public static class Plain extends Printer { public void print() { } }
	public static class Html extends Printer { final String title; public Html(String title) { this.title = title; } public void print() { } }
	public interface Rule { int apply(int x); }
	public static Rule twice() { return x -> 2 * x; }
	public static Rule none() { return x -> x; }
	private Printer printer = new Plain();
	private Rule rule;
	private final List<String> names;
	private Coin coin;
	public Shop(List<String> names) { this.names = names; }
	public void printer(Printer p) { printer = p; }
	public void rule(Rule r) { rule = r; }
	public void coin(Coin c) { coin = c; }
	public void print() { printer.print(); }
	public int total() { return rule.apply(coin.value()); }
	public int size() { return names.size(); }
	public void show(Printer p) { p.print(); }
	public static void main(String[] none) {
		Shop s = new Shop(new ArrayList<>());
		s.rule(none()); s.coin(Coin.CENT); s.print(); s.total(); s.size(); s.show(new Plain());
	}
}
JAVA
compile -g -d "$work/shop/out" "$work/shop/shop/Shop.java" || exit 2
shop=(-cp "$work/shop/out" --component 'shop.**')
expect 'recipes' cover "$work/recipes" "${shop[@]}" -- java -cp "$work/shop/out" shop.Shop
"$sherd" report -q "$work/recipes" --all > "$work/recipes.txt"
for recipe in 'new Shop$Html(String) → Shop.printer(Shop$Printer) →' 'new Shop$Html(String) → Shop.show(Shop$Printer)' \
	'Shop$Coin.EURO → Shop.coin(Shop$Coin) → Shop.total()' 'Shop.twice() → Shop.rule(Shop$Rule) → Shop.total()' \
	'new LinkedList() → new Shop(List) → Shop.size()'; do
	expect "recipe: $recipe" has "$work/recipes.txt" "                  $recipe"
done
expect 'a lambda by its place' has "$work/recipes.txt" 'missed lambda in Shop.twice'
# A command that uses none of it: that is said first, and no list follows.
expect 'nothing loaded' cover "$work/unused" "${shop[@]}" -- java -version
"$sherd" report -q "$work/unused" > "$work/unused.txt"
expect 'nothing loaded: loud' has "$work/unused.txt" 'Nothing was measured'
expect 'nothing loaded: no lists' bash -c "! grep -q 'What to test next' '$work/unused.txt'"

# A package of the JDK: lambdas, arrays, many receivers, classes without sources.
cat > "$work/tests/Zip.java" <<'JAVA'
import java.io.*;
import java.util.zip.*;
public class Zip {
	public static void main(String[] arguments) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ZipOutputStream out = new ZipOutputStream(bytes)) {
			out.putNextEntry(new ZipEntry("a"));
			out.write(new byte[1000]);
			out.closeEntry();
		}
		try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			while (in.getNextEntry() != null)
				in.readAllBytes();
		}
	}
}
JAVA
compile -d "$work/tests" "$work/tests/Zip.java" || exit 2
expect 'zip' cover "$work/zip" --component 'java.util.zip.*' -- java -cp "$work/tests" Zip
expect 'zip: formats' formats "$work/zip"
expect 'zip: the same counts everywhere' law counts "$work/zip.formats"
expect 'zip: json' law json "$work/zip.formats"

# Names that need care.
mkdir "$work/names"
expect 'difficult names' "$build/tests/test_coverage_report" --write "$work/names"
expect 'difficult names: the same counts everywhere' law counts "$work/names"
expect 'difficult names: arrive' law names "$work/names"
if command -v xmllint > /dev/null; then
	expect 'difficult names: another parser' xmllint --noout --nonet "$work"/names/*.xml "$work"/names/*.svg
else
	skip 'difficult names: another parser' 'no xmllint here'
fi
exit $failed
