#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# merge.sh - `sherd merge`: its laws, and as users and scripts meet it.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
covdump=$build/tests/covdump
says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in:"; cat "$work/$1"; return 1; }; }
empty() { [ ! -s "$1" ]; }

tests/laws/merge.py "$sherd" "$covdump" || failed=1

# Files of three runs; the second is cut off, and the third is there twice, the earlier version without its last records.
mkdir "$work/data" "$work/none" "$work/mixed"
PYTHONPATH=tests/laws python3 - "$work/data" << 'END'
import random, sys
import merge
folder = sys.argv[1]
for i in (1, 2, 3):
    run = merge.Run(random.Random(i), bytes([i] * 16))
    if not any(f[0] == "test" for f in run.facts):
        run.put("J", merge.text("t.T.extra"), ("test", "t.T.extra", []))
    data = merge.HEAD + b"".join(run.records)
    open(f"{folder}/run-{i}.cov", "wb").write(data[:-3] if i == 2 else data)
    if i == 3:
        open(f"{folder}/run-3-early.cov", "wb").write(merge.HEAD + b"".join(run.records[:-2]))
END
d=$work/data
expect 'merges files' status 0 "$sherd" merge "$d/run-1.cov" "$d/run-3.cov" -o "$work/a.cov"
expect 'no warning' empty "$work/err"
expect 'says how many runs' says out 'runs              2'
expect 'merges a folder' status 0 "$sherd" merge "$d" -o "$work/all.cov"
expect 'names what is cut off' says err "run-2.cov: warning[W052]: cut off or damaged: 0 of its runs are whole, 1 is used up to there"
expect 'says that some are in several files' says out '1 more in several files'
expect 'counts classes, receivers, tests' bash -c "grep -qE '^  classes +[1-9]' '$work/out' && grep -qE '^  receivers +[1-9]' '$work/out' && grep -qE '^  tests +[1-9]' '$work/out'"
expect 'three runs' [ "$("$covdump" "$work/all.cov" | grep -c '^run ')" = 3 ]
expect 'the cut one is marked' [ "$("$covdump" "$work/all.cov" | grep -c '^run .* damaged$')" = 1 ]
expect 'quiet' status 0 "$sherd" merge "$d" -o "$work/q.cov" -q
expect 'quiet is quiet' bash -c "[ ! -s '$work/out' ] && [ ! -s '$work/err' ]"
expect 'may write over what it reads' status 0 "$sherd" merge "$work/a.cov" "$d" -o "$work/a.cov"
expect 'the same as at once' cmp "$work/a.cov" "$work/all.cov"
expect 'to standard output' bash -c "'$sherd' merge '$d' -o - 2> /dev/null | cmp - '$work/all.cov'"
expect 'stats' status 0 "$sherd" merge "$d" -o "$work/s.cov" --stats=json
expect 'stats are one object' python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "sherd/stats/1" and d["verb"] == "merge" and d["files"] == 4 and d["runs"] == 3 and d["runs_damaged"] == 1, d
assert d["bytes"] == len(open(sys.argv[2], "rb").read()), d' "$work/out" "$work/s.cov"

# Bad input: named, and nothing is written.
echo 'sherd plan 1' > "$work/plan"
: > "$work/empty.cov"
printf 'sherd coverage 9\nx' > "$work/newer.cov"
echo old > "$work/kept.cov"
expect 'no place' status 2 "$sherd" merge "$d"
expect 'no place: says what to do' says err '-o FILE'
expect 'no file' status 2 "$sherd" merge -o "$work/x.cov"
expect 'missing file' status 2 "$sherd" merge "$d" "$work/gone.cov" -o "$work/kept.cov"
expect 'missing file is named' says err 'gone.cov: error[E051]: No such file'
expect 'keeps the old file' grep -qx old "$work/kept.cov"
expect 'other files' status 2 "$sherd" merge "$work/plan" "$work/newer.cov" "$d" -o "$work/x.cov"
expect 'names the first' says err 'plan: error[E051]: it is not coverage data'
expect 'names the second' says err 'newer.cov: error[E051]: it is coverage data of version 9, but this sherd reads version 1'
expect 'writes nothing' [ ! -e "$work/x.cov" ]
expect 'folder without data' status 2 "$sherd" merge "$work/none" -o "$work/x.cov"
expect 'folder without data: says so' says err 'error[E053]: there is no file *.cov'
expect 'only an empty file' status 2 "$sherd" merge "$work/empty.cov" -o "$work/x.cov"
expect 'only an empty file: named' says err 'empty.cov: warning[W052]: it is empty'
expect 'an empty file and others' status 0 "$sherd" merge "$work/empty.cov" "$d" -o "$work/x.cov"
expect 'changes nothing' cmp "$work/x.cov" "$work/all.cov"
rm "$work/x.cov"
cp "$d"/*.cov "$work/newer.cov" "$work/mixed"
expect 'other files in a folder' status 0 "$sherd" merge "$work/mixed" -o "$work/y.cov"
expect 'other files in a folder: named' says err 'newer.cov: warning[W052]'
expect 'the others count' cmp "$work/y.cov" "$work/all.cov"
expect 'unwritable place' status 2 "$sherd" merge "$d" -o "$work/no/such/folder/x.cov"
expect 'unwritable place: named' says err 'cannot write'
expect 'full disk' status 2 "$sherd" merge "$d" -o /dev/full
expect 'nothing is left behind' [ -z "$(find "$work" -name '*.cov.*' -o -name '.*.cov*')" ]

# Every prefix of a merged file can be merged, and gives back the whole with it.
size=$(stat -c %s "$work/all.cov") bad=0
for at in $(seq 1 97 "$size"); do
	head -c "$at" "$work/all.cov" > "$work/cut.cov"
	"$sherd" merge "$work/cut.cov" "$work/all.cov" -o "$work/whole.cov" -q > /dev/null 2>&1 &&
		cmp -s "$work/whole.cov" "$work/all.cov" || { echo "cut at $at"; bad=1; }
done
expect 'cut off anywhere' [ $bad = 0 ]
exit $failed
