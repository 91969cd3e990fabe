#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# requirements.sh - `sherd requirements` as scripts and users rely on it: its JSON, CSV and figures, the order between
# analyses, the same bytes again, comparisons, criteria, budgets and bad input. interface.sh is about interfaces, station.sh
# about an example whose answers are known.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
jars=${JARS:-/usr/share/java}

law() {               # LAW FILE...: see check.py
	local name=$1
	shift
	python3 tests/e2e/requirements/check.py "$name" "$@" 2> "$work/trace" || { head -n 1 "$work/trace"; return 1; }
}

requirements() { "$sherd" requirements -q "$@"; }

refuse() {            # NAME TEXT ARGUMENT...: status 2, nothing on standard output, and this text in what is said
	local name=$1 text=$2
	shift 2
	expect "$name" status 2 "$sherd" requirements -q "$@"
	expect "$name: nothing is written" test ! -s "$work/out"
	expect "$name: says" grep -qF -- "$text" "$work/err"
}

# A package of the JDK, and in the tier all a jar, by four analyses. Clients, tables and criteria are shown by cheaper ones in the
# tier normal.
clients=$(by_tier 0cfa andersen) tables=$(by_tier rta andersen) compared=$(by_tier 'cha rta 0cfa' 'cha rta 0cfa andersen')
zip=(--component 'java.util.zip.*')
csv=(-cp "$jars/commons-csv.jar" --component 'org.apache.commons.csv.*')
for subject in zip $(by_tier "" csv); do
	declare -n options=$subject
	at=$work/$subject
	for algorithm in cha rta 0cfa andersen; do
		expect "$subject $algorithm" status 0 "$sherd" requirements -q "${options[@]}" --algorithm $algorithm --format json \
			-o "$at.$algorithm.json" --stats=json
		cp "$work/out" "$at.$algorithm.stats"
		expect "$subject $algorithm: result" law shape "$at.$algorithm.json"
		expect "$subject $algorithm: figures" law stats "$at.$algorithm.json" "$at.$algorithm.stats"
	done
	expect "$subject: andersen in 0cfa in rta in cha" law within "$at".{andersen,0cfa,rta,cha}.json

	# Open clients may do all that closed ones may.
	requirements "${options[@]}" --algorithm $clients --clients closed --interface protected --format json -o "$at.closed.json"
	requirements "${options[@]}" --algorithm $clients --clients open --format json -o "$at.open.json"
	expect "$subject: open clients" law shape "$at.open.json"
	expect "$subject: public in protected in open" law within "$at.$clients.json" "$at".{closed,open}.json
	expect "$subject: classes of clients" grep -q '"client":true' "$at.open.json"
	expect "$subject: no classes of closed clients" bash -c "! grep -q '\"client\":true' '$at.closed.json'"
	expect "$subject: no class of placeholders" bash -c "! grep -q '\"sherd\.' '$at.open.json'"

	# Tables.
	requirements "${options[@]}" --algorithm $tables --format csv -o "$at.csv"
	expect "$subject: csv" law csv "$at.$tables.json" "$at.csv"
	requirements "${options[@]}" --algorithm $tables --format csv --all -o "$at.all.csv"
	expect "$subject: csv --all" law all "$at.$tables.json" "$at.all.csv"
	requirements "${options[@]}" --compare "${compared// /,}" --format json -o "$at.compare.json"
	expect "$subject: --compare" law compare "$at.compare.json" $(printf "$at.%s.json " $compared)
	requirements "${options[@]}" --compare "$tables,cha" --format json -o "$at.compare.json"
	expect "$subject: --compare in another order" law compare "$at.compare.json" "$at.$tables.json" "$at.cha.json"
done

# The same bytes, however often and on however many threads.
again() {             # NAME ARGUMENT...
	local name=$1
	shift
	requirements "$@" -j1 > "$work/first"
	requirements "$@" -j4 --no-cache > "$work/second"
	requirements "$@" -j4 > "$work/third"
	expect "$name: something" test -s "$work/first"
	expect "$name: the same on four threads without a cache" cmp "$work/first" "$work/second"
	expect "$name: the same again" cmp "$work/second" "$work/third"
}
! is_all || again json "${csv[@]}" --format json
again 'open clients' "${zip[@]}" --algorithm $clients --format json --clients open
again text "${zip[@]}" --algorithm $tables
again 'placeholders' "${zip[@]}" --show-placeholders --clients open

# More criteria: what is possible around the call.
expect 'criteria' status 0 "$sherd" requirements -q "${zip[@]}" --criteria rc,tm,senders,args --format json \
	-o "$work/more.json" --stats=json
expect 'criteria: result' law shape "$work/more.json"
expect 'criteria: figures' law stats "$work/more.json" "$work/out"
status 0 "$sherd" requirements -q "${zip[@]}" --algorithm $tables --criteria tm --format json -o "$work/tm.json"
expect 'one criterion' law shape "$work/tm.json"
python3 - "$work/more.json" "$work/zip.andersen.json" <<'END'
import json, sys
more, plain = (json.load(open(f)) for f in sys.argv[1:])
sites = {s["site"]: s for s in more["sites"]}
for s in plain["sites"]:                                  # criteria do not change each other
    assert sites[s["site"]]["rc"] == s["rc"] and sites[s["site"]]["tm"] == s["tm"], s
found = [s for s in more["sites"] if s["site"].startswith("java.util.zip.GZIPInputStream.readHeader") and s["poly"]]
assert found and all("java.util.zip.GZIPInputStream" in s["senders"] for s in found), found
write = [s for s in more["sites"] if s["declared"] == "java.util.zip.Checksum.update(Ljava/nio/ByteBuffer;)V"]
assert all([a["index"] for a in s["args"]] == [0] for s in write), write
END
expect 'criteria: senders and arguments' test $? = 0
mkdir "$work/note"
compile -g -d "$work/note" tests/golden/cli/requirements/*.java
note=(-cp "$work/note" --component 'note.*' --jdk none --clients open --criteria rc,tm,senders,args)
requirements "${note[@]}" --format json -o "$work/note.json"
expect 'criteria: arrays among arguments' grep -q '"index":0,.*note.Stamp\[\]' "$work/note.json"
expect 'criteria: arrays among arguments: result' law shape "$work/note.json"
requirements "${note[@]}" --format csv -o "$work/note.csv"
expect 'criteria: csv' law csv "$work/note.json" "$work/note.csv"
for algorithm in cha rta xta; do
	refuse "senders by $algorithm" "needs an --algorithm that follows each variable, which $algorithm does not" \
		"${zip[@]}" --criteria senders --algorithm $algorithm
done

# A file appears whole or not at all, and standard output is the summary's.
expect 'stats alone' status 0 "$sherd" requirements -q "${zip[@]}" --algorithm rta --stats=json
expect 'stats alone: one object' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out"
expect 'stats as text' status 0 "$sherd" requirements "${zip[@]}" --algorithm rta --stats
expect 'stats as text: on standard error' \
	grep -q '^relevant types [0-9]*  placeholders [0-9]*  analysed methods [0-9]*' "$work/err"
mkdir "$work/budget"
expect 'timeout' stopped_in_analysis "$sherd" requirements -q "${zip[@]}" --algorithm 2obj -o "$work/budget/r.txt"
expect 'timeout: how far, what to try' grep -qE \
	'^sherd: error: stopped by --timeout after [0-9,]+ methods \(2obj\); nothing was written; try --algorithm [a-z0-9-]+,' \
	"$work/err"
expect 'timeout leaves nothing' test -z "$(ls "$work/budget")"
expect 'timeout while comparing' status 3 "$sherd" requirements -q "${zip[@]}" --compare cha,rta,2obj --timeout 1 \
	-o "$work/budget/r.txt"
expect 'timeout while comparing leaves nothing' test -z "$(ls "$work/budget")"
if ! grep -q __asan_init "$sherd"; then            # the sanitizer alone needs more memory than any budget
	expect 'memory' status 3 "$sherd" requirements -q "${zip[@]}" --memory 60 -o "$work/budget/r.txt"
	expect 'memory: says' grep -q 'stopped by --memory' "$work/err"
	expect 'memory leaves nothing' test -z "$(ls "$work/budget")"
else
	skip memory 'optional: sherd is built with a sanitizer'
fi
refuse 'no place to write' 'cannot write' "${zip[@]}" --algorithm rta -o "$work/nowhere/r.json"

# Bad input: what, where, and what to do.
printf 'class java.util.zip.Zipfile\nmethod java.util.zip.ZipFile.close\nfield java.util.zip.ZipFile.x\n' > "$work/bad"
refuse 'no component' '--component PATTERNS' --algorithm rta
refuse 'an operand' "no operand 'java.util.zip'" java.util.zip
refuse 'nothing matches' 'did you mean java.util.zip.*?' --component 'java.util.zipp.*'
refuse 'nothing matches in a jar' 'no class matches' -cp "$jars/commons-csv.jar" --component 'org.apache.commons.cvs.*'
refuse 'empty pattern' 'is no pattern' --component ''
refuse 'no such interface' 'there is no such interface file' "${zip[@]}" --interface "$work/nowhere"
refuse 'interface with mistakes' 'bad: 1: error[E046]: no class' "${zip[@]}" --interface "$work/bad"
expect 'interface with mistakes: the last line, too' grep -qF 'bad: 3: error[E046]' "$work/err"
refuse 'empty interface' 'error[E046]' "${zip[@]}" --interface /dev/null
refuse 'unknown criterion' "--criteria cannot have 'chain': use rc, tm" "${zip[@]}" --criteria rc,chain
refuse 'empty criterion' "--criteria cannot have ''" "${zip[@]}" --criteria rc,
refuse 'unknown algorithm' "--algorithm cannot be 'anderson'" "${zip[@]}" --algorithm anderson
refuse 'unknown algorithm to compare' "no algorithm 'anderson'" "${zip[@]}" --compare cha,anderson
refuse 'empty algorithm to compare' "no algorithm ''" "${zip[@]}" --compare ,cha
refuse 'unknown clients' '--clients cannot be' "${zip[@]}" --clients ajar
refuse 'heap without objects' '--heap' "${zip[@]}" --algorithm cha --heap all=site
refuse 'tables of one analysis' '--format markdown is for tables of --compare' "${zip[@]}" --format markdown
refuse 'two texts' 'ask for one of them' "${zip[@]}" --show-interface --show-placeholders
refuse 'figures of no analysis' '--stats=json is about an analysis' "${zip[@]}" --show-interface --stats=json
refuse 'no JDK' 'neither lib/modules nor rt.jar is here' "${zip[@]}" --jdk "$work"
expect 'no library' status 0 "$sherd" requirements -q "${csv[@]}" --jdk none --format json -o "$work/none.json"
expect 'no library: result' law shape "$work/none.json"

# A damaged class is no end: the others are analysed.
mkdir "$work/damaged"
(cd "$work/damaged" && unzip -qo "$(readlink -f "$jars/commons-csv.jar")" 'org/*')
printf 'no class' > "$work/damaged/org/apache/commons/csv/CSVPrinter.class"
expect 'a damaged class' status 0 "$sherd" requirements -cp "$work/damaged" --jdk none \
	--component 'org.apache.commons.csv.*' --format json -o "$work/damaged.json"
expect 'a damaged class: is named' grep -q 'CSVPrinter' "$work/err"
expect 'a damaged class: the others' grep -q 'org.apache.commons.csv.CSVParser' "$work/damaged.json"

# What no compiler writes, and what nobody knows.
tests/e2e/requirements/chains.py "$work/chains" 2000
expect 'constructors that call constructors' status 0 "$sherd" requirements -q -cp "$work/chains" --component 'h.*' --jdk none \
	--timeout 600 --memory 500
mkdir "$work/unknown"
compile -g -d "$work/unknown" tests/e2e/requirements/Unknown.java
expect 'unknown objects' status 0 "$sherd" requirements -q -cp "$work/unknown" --component 'unknown.*' --algorithm 0cfa --format json
expect 'unknown objects: given back as a supertype' python3 - "$work/out" << 'END'
import json, sys
(site,) = [s for s in json.load(open(sys.argv[1]))["sites"] if ".use(" in s["site"]]
assert site["open"], site
END
exit $failed
