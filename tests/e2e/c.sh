#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# c.sh - `sherd pointsto`, `sherd modref` and `sherd callgraph` on C programs, as users and scripts meet them.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
clang=$(command -v clang-19 || command -v clang-16 || command -v clang-14) || { echo 'not ok no clang'; exit 1; }
says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in:"; cat "$work/$1"; return 1; }; }
lacks() { ! grep -qF -- "$2" "$work/$1" || { echo "'$2' in:"; cat "$work/$1"; return 1; }; }
absent() { [ ! -e "$1" ] && [ -z "$(find "$work" -name "$(basename "$1").*")" ]; }
valid() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }

cp tests/golden/cli/c-pointsto/*.c tests/golden/cli/c-library/queue.h "$work"
(cd "$work" && for f in queue main; do "$clang" -O0 -g -c -emit-llvm "$f.c" -o "$f.bc" || exit 1; done) || exit 1
(cd "$work" && "$clang" -O0 -c -emit-llvm queue.c -o bare.bc && "$clang" -O2 -g -c -emit-llvm main.c -o fast.bc) || exit 1
q=$work/queue.bc m=$work/main.bc

# The result is the same whatever the order of the run, the threads and the format of the module.
for verb in pointsto modref callgraph; do
	expect "$verb: result" status 0 "$sherd" $verb "$q" "$m" --format json -o "$work/$verb.1"
	expect "$verb: no word on stderr" [ ! -s "$work/err" ]
	expect "$verb: is JSON" valid "$work/$verb.1"
	expect "$verb: again" status 0 "$sherd" $verb "$q" "$m" --format json -o "$work/$verb.2" -j 7
	expect "$verb: the same" cmp "$work/$verb.1" "$work/$verb.2"
done
expect 'schemas and contents' python3 - "$work" << 'END'
import json, sys
w = sys.argv[1]
p = json.load(open(w + "/pointsto.1"))
assert p["schema"] == "sherd/pointsto/1" and p["entry"] == "main", p
assert p["points_to"]["add::value"] == ["main::one", "main::two"], p["points_to"]
assert p["points_to"]["current"] == ["add", "print"]
assert any(c["targets"] == ["add", "print"] and c["line"] == 61 and c["indirect"] for c in p["called"])
assert p["unknown_functions"] == []
m = json.load(open(w + "/modref.1"))
assert m["schema"] == "sherd/modref/1"
store = [s for s in m["statements"] if s["line"] == 27]
assert store and store[0]["kind"] == "store" and store[0]["mod"] == ["main::one", "main::two"] and "use" not in store[0], store
assert "main::one" in m["procedures"]["run"]["mod"] and "main::one" not in m["procedures"]["on_event"]["mod"]
g = json.load(open(w + "/callgraph.1"))
assert g["schema"] == "sherd/callgraph/1"
names = [x["method"] for x in g["methods"]]
assert names == sorted(names) and len(names) == len(set(names)), names
for o in (p["points_to"].values(), [s["mod"] for s in m["statements"]]):
    assert all(list(x) == sorted(x) for x in o)
END

# Order of modules does not matter for what is said about variables.
expect 'other order' status 0 "$sherd" pointsto "$m" "$q" --format json -o "$work/swapped"
expect 'same sets' python3 -c '
import json, sys
a, b = (json.load(open(f))["points_to"] for f in sys.argv[1:])
assert a == b' "$work/pointsto.1" "$work/swapped"

# Engines: each contains the one before; fields on is contained in fields off.
for e in andersen categories one-level steens; do
	expect "engine $e" status 0 "$sherd" pointsto "$q" "$m" --engine $e --format json -o "$work/engine.$e"
done
expect 'engines are ordered' python3 - "$work" << 'END'
import json, sys
sets = [json.load(open(f"{sys.argv[1]}/engine.{e}"))["points_to"] for e in ("andersen", "categories", "one-level", "steens")]
for a, b in zip(sets, sets[1:]):
    assert all(set(v) <= set(b.get(k, ())) for k, v in a.items()), (a, b)
END

# Stats: the keys that scripts rely on; the result needs -o then.
for verb in pointsto modref callgraph; do
	expect "$verb: stats" status 0 "$sherd" $verb "$q" "$m" --stats=json
	expect "$verb: stats have the keys" python3 - "$work/out" $verb << 'END'
import json, sys
s = json.load(open(sys.argv[1]))
assert s["schema"] == "sherd/stats/1" and s["verb"] == sys.argv[2], s
for k in ("variables", "objects", "statements", "points_to_pairs", "indirect_calls", "unknown_functions", "indirect_edges", "cells",
          "functions", "collapsed", "peak_rss_mb"):
    assert isinstance(s[k], (int, float)), k
for k in ("read", "models", "solve", "modref", "write", "total"):
    assert s["seconds"][k] >= 0, k
assert sys.argv[2] != "callgraph" or (s["methods"] > 0 and s["edges"] >= s["method_edges"] and s["sites"] > 0)
END
done

# One question in one line.
expect 'a line' status 0 "$sherd" modref "$q" "$m" --statement main.c:27
expect 'a line: the answer' grep -qx 'may modify: main::one, main::two' "$work/out"
expect 'a path' status 0 "$sherd" modref "$q" "$m" --statement "$work/main.c:27"
expect 'no such line' status 2 "$sherd" modref "$q" "$m" --statement main.c:20 -o "$work/none"
expect 'no such line: the nearest' says err '21'
expect 'no such line: no file' absent "$work/none"
expect 'annotates from elsewhere' status 0 "$sherd" modref "$q" "$m" --annotate "$work/main.c"
expect 'annotates' grep -q '^      mod     2  main::one, main::two' "$work/out"

# A library alone: what is said contains what holds with a client.
expect 'library' status 0 "$sherd" pointsto "$q" --library --exports "$work/queue.h" --format json -o "$work/library"
expect 'library contains the program' python3 - "$work" << 'END'
import json, sys
w = sys.argv[1]
whole, alone = (json.load(open(f"{w}/{f}")) for f in ("pointsto.1", "library"))
lib = alone["library"]
assert lib["exports"] == ["on_event", "post", "run"], lib
assert "limit" in lib["unreachable"] and any(x["line"] == 61 for x in lib["calls_clients"]), lib
clients = ("main::", "add", "print", "argument", '"', "stdout", "stdin", "stderr")
for name, targets in whole["points_to"].items():
    if name.split("::")[0] not in ("post", "take", "run", "on_event", "current", "first", "last"):
        continue
    for t in targets:
        t = "ph" if t.startswith(clients) else t
        have = alone["points_to"].get(name, ())
        assert t in have or (t == "ph" and {"ph_var", "ph_proc"} & set(have)), (name, t, have)
END

# Bad input: status 2, a sentence, nothing half-written.
head -c 900 "$q" > "$work/cut.bc"
printf 'BC\300\336garbage and more garbage' > "$work/garbage.bc"
: > "$work/empty.bc"
for bad in cut garbage empty gone; do
	expect "$bad" status 2 "$sherd" pointsto "$work/$bad.bc" "$m" -o "$work/none"
	expect "$bad is named" says err "$bad.bc: error[E06"
	expect "$bad: no file" absent "$work/none"
done
expect 'no main' status 2 "$sherd" modref "$q" -o "$work/none"
expect 'no main: the fix' says err '--library'
expect 'no main: no file' absent "$work/none"
expect 'twice' status 2 "$sherd" pointsto "$q" "$q" "$m"
expect 'twice: the symbol' says err 'E063'
expect 'without debug information' status 0 "$sherd" pointsto "$work/bare.bc" "$m"
expect 'without debug information: said' says err 'W064'
expect 'optimised code' status 0 "$sherd" pointsto "$q" "$work/fast.bc" --var current
expect 'optimised code: found' says out 'add, print'
expect 'unknown functions' status 0 "$sherd" pointsto "$m"
expect 'unknown functions: said once' [ "$(grep -c W067 "$work/err")" = 1 ]
expect 'unknown functions: quiet' status 0 "$sherd" pointsto "$m" -q
expect 'unknown functions: quiet is quiet' [ ! -s "$work/err" ]
expect 'cannot write' status 2 "$sherd" pointsto "$q" "$m" -o "$work/no/such/folder"

# Budgets.
expect 'memory' status 3 "$sherd" pointsto "$q" "$m" --memory 1 -o "$work/none"
expect 'memory: said' says err 'stopped by --memory'
expect 'memory: no file' absent "$work/none"

# The call graph as a database, and the program as text.
expect 'sqlite' status 0 "$sherd" callgraph "$q" "$m" --format sqlite -o "$work/graph.db"
expect 'sqlite: edges' [ "$(sqlite3 "$work/graph.db" "SELECT group_concat(callee) FROM edge WHERE caller = 'run' AND op = 'pointer'")" = add,print ]
expect 'dump' status 0 "$sherd" dump "$q"
expect 'dump: a function' says out 'function take'
exit $failed
