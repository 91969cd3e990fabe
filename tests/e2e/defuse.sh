#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# defuse.sh - def-use pairs: programs say in comments what each use reads, and runs of random ones what they read.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
programs=$PWD/tests/e2e/defuse
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2

pairs() {             # FOLDER MAIN FORMAT FILE [OPTION...]
	local folder=$1 main=$2 format=$3 file=$4
	shift 4
	status 0 "$sherd" callbacks -q -cp "$folder" --main "$main" --du-pairs --format "$format" -o "$file" "$@"
}
for program in Pairs Threads; do
	compile -g -d $program "$programs/$program.java" || exit 2
	expect "$program: pairs are found" pairs $program pairs.$program csv $program.csv
	expect "$program: uses read what the source says, and nothing else" python3 "$programs/said.py" "$programs/$program.java" $program.csv
done

# What runs of random programs show, each line of package N as 10000 N + line.
cat > seen.py <<'PY'
import csv, re, sys
have = set()
for row in csv.DictReader(open(sys.argv[1])):
	k = int(re.match(r'p(\d+)\.', row['field']).group(1)) * 10000
	have.add((k + int(row['def_line']), k + int(row['use_line'])))
seen = {tuple(map(int, line.split())) for line in open(sys.argv[2])}
assert len(seen) > 50, len(seen)
assert len(have) < 20 * len(seen), (len(have), len(seen))
assert seen <= have, 'a run has them, the analysis has not: %s' % sorted(seen - have)[:9]
PY
exercised() {         # NAME SEED COUNT [threads]
	local name=$1 seed=$2 count=$3 k
	shift 3
	python3 "$programs/programs.py" "$seed" "$count" "$name" "$@" || return 1
	find "$name" -name '*.java' > files
	compile -nowarn -g -d "$name/classes" "$programs/Log.java" @files || return 1
	for k in 1 2 3 4; do
		java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$name/classes" app.All $k || return 1
	done | sort -u > "$name/seen"
	pairs "$name/classes" app.All csv "$name/pairs" --application 'p*.*,app.*' --algorithm andersen --precision simple &&
		python3 seen.py "$name/pairs" "$name/seen"
}
for seed in $(by_tier 1000 '1000 2000 3000'); do
	expect "random programs, $seed: pairs of runs are there" exercised one$seed "$seed" 16
	expect "random programs with threads, $seed: pairs of runs are there" exercised many$seed "$seed" 8 threads
done

expect "the screen" status 0 "$sherd" callbacks -q -cp Pairs --main pairs.Pairs --du-pairs --algorithm 0cfa
cp out screen
expect "the screen has fields" grep -q '^    kept$' screen
expect "JSON" pairs Pairs pairs.Pairs json Pairs.json --algorithm 0cfa
cp Pairs.json out
expect "JSON is of its schema, and counts what it has" json "
assert d['schema'] == 'sherd/defuse/1'
kinds = [p['kind'] for p in d['pairs']]
assert kinds and all(d[k] == kinds.count(k) for k in ('intra', 'inter', 'thread', 'library'))
ids = [(p['field'], p['def']['method'], p['def']['pc'], p['use']['method'], p['use']['pc']) for p in d['pairs']]
assert ids == sorted(set(ids)), 'in order, each once'
assert any('object' in p for p in d['pairs'])"
expect "statements are the application's own, and not what library calls access" json "
own = {(p['field'], p['def']['method'], p['def']['pc']) for p in d['pairs'] if not p['def'].get('library')}
assert d['library'] and len(own) <= d['definitions'] <= 3 * len(own), (d['definitions'], len(own))"
expect "the same with several threads" pairs Pairs pairs.Pairs json again.json --algorithm 0cfa -j 3
expect "byte for byte" cmp Pairs.json again.json
expect "an algorithm without variables is refused" status 2 "$sherd" callbacks -cp Pairs --main pairs.Pairs --du-pairs --algorithm rta --precision simple
expect "and which have them is said" grep -q 'andersen' err
exit $failed
