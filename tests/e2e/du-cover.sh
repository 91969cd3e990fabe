#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# du-cover.sh - def-use pairs of fields that runs exercise (sherd cover --criteria du): what the agent saw of a program is what comments of its source
# say, and nothing that the analysis rules out, also of the tests of a real library; programs do what they did; reports, gates, bad requests.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/fields inputs=$PWD/tests/recorder/inputs
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d use "$here"/use/*.java || exit 2
verified='-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal'
cover() {             # FOLDER CRITERIA [OPTION...] -- JAVA...
	local folder=$1 criteria=$2
	local -a options=()
	shift 2
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	# shellcheck disable=SC2086
	"$sherd" cover -q -cp use --component 'use.*' -o "$folder" --criteria "$criteria" --no-why "${options[@]}" -- \
		java $verified "$@"
}
report() { "$sherd" report "$1" --format json > "$1.json"; }
compare() { python3 "$here/compare.py" "$1.json" "$here/use/Main.java"; }

java -cp use use.Main > plain || exit 2
expect 'a program runs under the agent' status 0 cover once du -- -cp use use.Main
option=$(sed -n 's/^Picked up JAVA_TOOL_OPTIONS: //p' "$work/err")
expect 'and says what it says without, also why fields of nothing cannot be accessed' diff plain <(head -n "$(wc -l < plain)" "$work/out")
report once
expect 'pairs are what its source says, and all are in the static set' compare once
expect 'a field that would change how objects are serialized is not watched' grep -q 'use.Kept.open is not watched' once.json
expect 'some are missed, some not' python3 -c '
import json
r = json.load(open("once.json"))
assert 0 < r["du"]["covered"] < r["du"]["required"], r["du"]
jumps = [d for s in r["sites"] if "jumps" in s["site"] for d in s["du"]]
assert sorted(d["count"] for d in jumps) == [1, 2], jumps
assert not [s for s in r["sites"] if s.get("watched") is False and "Kept" not in s["declared"]]'
mkdir compiled && cp once/plan.sherd compiled
JAVA_TOOL_OPTIONS=${option//once/compiled} java -Xcomp -XX:TieredStopAtLevel=1 -XX:CompileOnly=use.Main -cp use use.Main > compiled.out 2> compiled.err
expect 'compiled code does the same' diff plain <(grep -v '^CompileCommand' compiled.out)
report compiled
expect 'compiled pairs' compare compiled
expect 'with receivers and targets' status 0 cover all rc,tm,du -- -cp use use.Main
expect 'there are pairs, too' python3 -c '
import json, subprocess, sys
r = json.loads(subprocess.run([sys.argv[1], "report", "all", "--format", "json"], stdout=subprocess.PIPE).stdout)
once = json.load(open("once.json"))
assert r["du"] == once["du"] and r["rc"]["required"] and r["unexpected"] == 0, (r["du"], once["du"], r["rc"])' "$sherd"
"$sherd" merge -o merged.cov once/run-*.cov compiled/run-*.cov && "$sherd" merge -o again.cov compiled/run-*.cov merged.cov
expect 'merging twice is merging once' cmp merged.cov again.cov
cp -r once other && rm other/run-*.cov && cp merged.cov other
report other
expect 'merged data has the same pairs' compare other

# Callbacks besides, in a program that is mostly fields.
expect 'callbacks' status 0 cover callbacks callbacks -- -cp use use.Main
expect 'callbacks and pairs in one run' status 0 cover both callbacks,du -- -cp use use.Main
expect 'the program does what it did' diff plain <(head -n "$(wc -l < plain)" "$work/out")
report callbacks
report both
expect 'what is seen is that of two runs' python3 "$here/../backs/same.py" both.json callbacks=callbacks.json du=once.json
for format in text html cobertura jacoco lcov sarif badge; do
	expect "a report of both: $format" status 0 "$sherd" report both --format $format -o both.$format
done
expect 'results of both' python3 -c '
import json
found = {r["ruleId"] for run in json.load(open("both.sarif"))["runs"] for r in run["results"]}
assert found == {"CB-missed", "DU-missed"}, found'

# A real suite: what its tests exercise is in the static set.
commons=$(ls /usr/share/java/commons-lang3.jar 2> /dev/null)
if [ -n "$commons" ]; then
	cat > Tokens.java <<'JAVA'
import org.apache.commons.lang3.text.*;
import org.apache.commons.lang3.builder.*;
import org.apache.commons.lang3.mutable.*;
public class Tokens {
	public static void main(String[] args) {
		StrTokenizer t = new StrTokenizer("a, 'b c' ,d", ',', '\'').setTrimmerMatcher(StrMatcher.trimMatcher());
		for (int i = 0; i < 3; i++) {
			System.out.println(t.getTokenList() + " " + t.size());
			t.reset("x" + i + ",y").setIgnoreEmptyTokens(i == 1);
		}
		StrBuilder b = new StrBuilder().appendln("one").appendWithSeparators(new String[] { "p", "q" }, "-").insert(0, 4.5).reverse();
		System.out.println(b + " " + b.length() + new HashCodeBuilder(3, 7).append(b.length()).append(2.5).toHashCode());
		MutableLong m = new MutableLong(3);
		m.add(4L);
		m.increment();
		System.out.println(m + " " + new ToStringBuilder(m, ToStringStyle.SHORT_PREFIX_STYLE).append("v", m.longValue()));
		System.out.println(new StrSubstitutor(java.util.Collections.singletonMap("k", "w")).replace("a ${k} ${l:-none}"));
	}
}
JAVA
	compile -cp "$commons" -d tokens Tokens.java || exit 2
	java -cp "$commons:tokens" Tokens > tokens.plain
	expect 'a library runs' status 0 "$sherd" cover -q -cp "$commons" \
		--component 'org.apache.commons.lang3.text.*,org.apache.commons.lang3.mutable.*' \
		-o library --criteria du --no-why -- java $verified -cp "$commons:tokens" Tokens
	expect 'and prints what it prints' diff tokens.plain <(head -n "$(wc -l < tokens.plain)" "$work/out")
	report library
	expect 'its pairs are in the static set' python3 -c '
import json
r = json.load(open("library.json"))
assert r["du"]["covered"] > 50 and r["unexpected"] == 0, (r["du"], [s for s in r["sites"] if s.get("unexpected_du")])'
fi

# Whole programs, from their main methods.
exercise() {          # JAR COMPONENT MAIN LEAST ARGUMENT...: exercises so many pairs, and all that it exercises are in the static set
	local jar=/usr/share/java/$1 component=$2 main=$3 least=$4
	shift 4
	echo "method $main.main([Ljava/lang/String;)V" > "$main"
	mkdir -p made
	status 0 "$sherd" cover -q -cp "$jar" --component "$component" --interface "$main" -o "$main-pairs" --criteria du --no-why -- \
		java -cp "$jar" "$main" "$@" || return 1
	report "$main-pairs"
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["du"]["covered"] > int(sys.argv[2]) and r["unexpected"] == r["client"] == 0, (r["du"], [s for s in r["sites"] if s.get("unexpected_du")])' \
		"$main-pairs.json" "$least"
}
cp "$inputs"/* .
[ ! -f /usr/share/java/sablecc.jar ] ||
	expect 'pairs that sablecc exercises are in the static set' exercise sablecc.jar 'org.sablecc.**' org.sablecc.sablecc.SableCC 2000 -d made calc.sablecc
[ ! -f /usr/share/java/javacc.jar ] || ! is_all ||
	expect 'those of javacc, too' exercise javacc.jar 'org.javacc.**' org.javacc.parser.Main 3000 -OUTPUT_DIRECTORY=made Calc.jj

# Reports
for format in text html json cobertura jacoco lcov sarif badge; do
	expect "a report: $format" status 0 "$sherd" report once --format $format -o report.$format
done
expect 'the screen says what is never read, and where it was written' grep -qE 'never reads [A-Z][A-Za-z<>.]*:[0-9]+' report.text
expect 'results' grep -q '"ruleId":"DU-missed"' report.sarif
expect 'the difference to itself' grep -q 'Nothing changed' <("$sherd" report --diff once once)
expect 'a gate that holds' status 0 "$sherd" report once --fail-under du=50
expect 'a gate that does not' status 1 "$sherd" report once --fail-under du=99
expect 'a gate of what was not measured' status 2 "$sherd" report all --fail-under callbacks=1
expect 'chains besides' status 2 cover no chains,du -k 2 -- -version
expect 'say what to do' grep -q 'one after the other' "$work/err"
expect 'an algorithm without variables' status 2 cover no du --algorithm rta -- -version
expect 'says which have' grep -q 'andersen' "$work/err"
exit $failed
