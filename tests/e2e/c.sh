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
names = lambda set: sorted(p for a, b in m["sets"][set] for p in m["places"][a:b])
store = [s for s in m["statements"] if s["line"] == 27]
assert store and store[0]["kind"] == "store" and names(store[0]["mod"]) == ["main::one", "main::two"] and "use" not in store[0], store
assert "main::one" in names(m["procedures"]["run"]["mod"]) and "main::one" not in names(m["procedures"]["on_event"]["mod"])
g = json.load(open(w + "/callgraph.1"))
assert g["schema"] == "sherd/callgraph/1"
names = [x["method"] for x in g["methods"]]
assert names == sorted(names) and len(names) == len(set(names)), names
assert all(list(x) == sorted(x) for x in p["points_to"].values())
END

# Sets are written once, as runs of places; each place is used, and those in more sets come first.
python3 - > "$work/many.c" << 'END'
print(*(f"int g{i:03};" for i in range(400)))
print("int *a, b[9]; struct { int x, y; } s;")
for name, some in ("all", range(400)), ("odd", range(1, 400, 2)), ("ends", (0, 399)), ("late", range(200, 400)), ("none", ()):
    print(f"void {name}(void) {{", *(f"g{i:03} = 1;" for i in some), "}")
print("int main(int n, char **v) { a = n > 1 ? &g000 : &g399; *a = b[n] + s.y;")
print("if (n > 2) all(); else odd(); ends(); late(); none(); return g007; }")
END
cat > "$work/tables.py" << 'END'
import json, sys
m = json.load(open(sys.argv[1]))
sets, places = m["sets"], m["places"]
assert sets[0] == [] and len(set(map(str, sets))) == len(sets) and len(set(places)) == len(places)
for runs in sets:
    ends = [x for run in runs for x in run]
    assert all(len(run) == 2 for run in runs) and ends == sorted(set(ends)) and (not ends or 0 <= ends[0] <= ends[-1] <= len(places)), runs
users = [*m["statements"], *m.get("procedures", {}).values()]
used = list(dict.fromkeys(u[k] for u in users for k in ("mod", "use") if k in u))
assert [k for k in used if k] == list(range(1, len(sets))), used
counts = [sum(a <= i < b for runs in sets for a, b in runs) for i in range(len(places))]
assert all((-x, p) <= (-y, q) for x, y, p, q in zip(counts, counts[1:], places, places[1:])) and min(counts, default=1) > 0
assert all(s["mod"] or s.get("use") for s in m["statements"])
m["names"] = lambda set: sorted(p for a, b in sets[set] for p in places[a:b])
END
expect 'many places' status 0 "$clang" -O0 -g -c -emit-llvm "$work/many.c" -o "$work/many.bc"
expect 'many places: effects' status 0 "$sherd" modref "$work/many.bc" --use --format json -o "$work/many.json"
expect 'many places: the sets' python3 - "$work/many.json" "$work/tables.py" << 'END'
import sys
exec(open(sys.argv[2]).read())
names, g = m["names"], lambda some: [f"g{i:03}" for i in some]
mod = {f: names(x["mod"]) for f, x in m["procedures"].items()}
assert mod["all"] == g(range(400)) and mod["odd"] == g(range(1, 400, 2)) and mod["late"] == g(range(200, 400)) and mod["none"] == []
assert mod["ends"] == g((0, 399)) and mod["main"] == ["a", *g(range(400))], mod
assert m["procedures"]["none"]["mod"] == 0 and names(m["procedures"]["main"]["use"]) == ["a", "b[]", "g007", "s.y"]
assert [names(s["mod"]) for s in m["statements"] if s["kind"] == "call" and s["line"] == 9][2:] == [g((0, 399)), g(range(200, 400))]
END
expect 'tables of a program' status 0 "$sherd" modref "$q" "$m" --use --format json -o "$work/tables.json"
expect 'tables of a program: well made' python3 "$work/tables.py" "$work/tables.json"
for line in main.c:27 main.c:47 queue.c:33; do
	expect "$line: in one line" status 0 "$sherd" modref "$q" "$m" --use --statement $line
	mv "$work/out" "$work/line.txt"
	expect "$line: as JSON" status 0 "$sherd" modref "$q" "$m" --use --statement $line --format json -o "$work/line.json"
	expect "$line: the same" python3 - "$work/line.json" "$work/tables.py" "$work/line.txt" << 'END'
import sys
exec(open(sys.argv[2]).read())
both = [set(p for s in m["statements"] for p in m["names"](s[k])) for k in ("mod", "use")]
text = [set(l.split(": ", 1)[1].split(", ")) for l in open(sys.argv[3]).read().splitlines()]
assert both == text, (both, text)
END
done

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
expect 'annotates from another folder' bash -c "cd / && '$(realpath "$sherd")' modref '$q' '$m' --annotate main.c > '$work/elsewhere'"
expect 'annotates from another folder: the same' cmp "$work/out" "$work/elsewhere"
mv "$work/main.c" "$work/moved.c"
expect 'annotates what is gone' status 2 "$sherd" modref "$q" "$m" --annotate main.c
expect 'annotates what is gone: where it looked' says err "cannot read main.c, neither here nor in $work: No such file"
mv "$work/moved.c" "$work/main.c"
expect 'annotates again' status 0 "$sherd" modref "$q" "$m" --annotate "$work/main.c"
expect 'annotates' grep -q '^      mod     2  main::one, main::two' "$work/out"

# A library alone: what is said contains what holds with a client.
expect 'library: stats' status 0 "$sherd" pointsto "$q" --library --exports "$work/queue.h" --stats=json
expect 'library: figures of clients' says out '"clients":{"variables":8,"reachable":2,"accesses":7,"touching":2,"calls":4,"calling":1,"functions":4,"interacting":3}'
expect 'no library: stats' status 0 "$sherd" pointsto "$q" "$m" --stats=json
expect 'no library: no clients' lacks out clients
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

# What is asked several times is answered for each.
echo post > "$work/one.txt"; echo run > "$work/two.txt"
expect 'exports add up' status 0 "$sherd" pointsto "$q" --library --exports "$work/one.txt" --exports "$work/two.txt" --format json
expect 'exports add up: both' says out '"exports":["post","run"]'
expect 'exports: public is all' status 0 "$sherd" pointsto "$q" --library --exports "$work/one.txt" --exports public --format json
expect 'exports: public is all: found' says out '"limit"'
expect 'variables add up' status 0 "$sherd" pointsto "$q" "$m" --var add::value --var current
expect 'variables add up: first' says out 'add::value → main::one, main::two'
expect 'variables add up: second' says out 'current → add, print'
expect 'a pattern without a match' status 2 "$sherd" pointsto "$q" "$m" --var current --var nowhere
expect 'a pattern without a match: named' says err "no variable matches 'nowhere'"
expect 'functions add up' status 0 "$sherd" modref "$q" "$m" --function add --function run
expect 'functions add up: first' says out 'main.c:19'
expect 'functions add up: second' says out 'queue.c:55'
expect 'statements add up' status 0 "$sherd" modref "$q" "$m" --statement main.c:27 --statement queue.c:61
expect 'statements add up: first' says out 'main.c:27: may modify: main::one, main::two'
expect 'statements add up: second' says out 'queue.c:61: may modify: '

# What a shared library exports is in its dynamic symbols; files that are neither that nor text are no lists.
printf '{ global: post; run; local: *; };' > "$work/queue.map"
expect 'a shared library' "$clang" -shared -fPIC "$work/queue.c" "-Wl,--version-script=$work/queue.map" -o "$work/libqueue.so"
expect 'its exports' status 0 "$sherd" pointsto "$q" --library --exports "$work/libqueue.so" --format json
expect 'its exports: found' says out '"exports":["post","run"]'
"$clang" -c "$work/queue.c" -o "$work/queue.o" && ar rc "$work/libqueue.a" "$work/queue.o"
expect 'an archive' status 2 "$sherd" pointsto "$q" --library --exports "$work/libqueue.a"
expect 'an archive: said' says err 'libqueue.a: error[E066]: an archive does not say'
expect 'an object' status 2 "$sherd" pointsto "$q" --library --exports "$work/queue.o"
expect 'an object: said' says err 'queue.o: error[E066]: the ELF file has no dynamic symbols'
expect 'bitcode' status 2 "$sherd" pointsto "$q" --library --exports "$q"
expect 'bitcode: said' says err 'queue.bc: error[E066]: neither text nor a shared library'

# Rows of facts are continued, rows of assumptions keep their beginning.
far=$work/a_folder_with_a_long_name/and_another_one_that_is_long/and_one_more; mkdir -p "$far"; cp "$work/queue.h" "$far/queue.h"
cat > "$work/unknown.c" << 'END'
extern void an_unknown_function_whose_name_is_longer_than_half_of_the_screen_is_wide(int *);
int main(void) { int x; an_unknown_function_whose_name_is_longer_than_half_of_the_screen_is_wide(&x); return x; }
END
expect 'unknown.c' "$clang" -O0 -g -c -emit-llvm "$work/unknown.c" -o "$work/unknown.bc"
export COLUMNS=80
expect 'a long entry' status 0 "$sherd" pointsto "$q" --library --exports "$far/queue.h" --exports "$work/one.txt"
expect 'a long entry: its start' says out '  Entry       any client of the library, which can name what is in'
expect 'a long entry: its end' grep -qx "              .*queue.h, *\(.*one.txt\)\?" "$work/out"
expect 'an assumption' status 0 "$sherd" pointsto "$work/unknown.bc" -q
expect 'an assumption: its name, its place' says out '    an_unknown_function_whose_name_is_longe…  unknown.c:2  in main'
python3 - > "$work/long.c" << 'END'
long = lambda what, n: f"{what}_" + "of_many_words_" * 9 + str(n)
print("#include <stdlib.h>", f"struct {long('s', 0)} {{ int *{long('field', 0)}; int {long('field', 1)}; }};", sep="\n")
for i in range(4):
    print(f"int {long('g', i)}; static int {long('own', i)};")
    print(f"void {long('f', i)}(int *{long('p', i)}) {{ if ({long('p', i)}) *{long('p', i)} = 1; {long('own', i)}++; }}")
print(f"struct {long('s', 0)} {long('table', 0)}; void (*{long('hook', 0)})(int *);")
print(f"int {long('pure', 0)}(int x) {{ return x; }} extern void {long('gone', 0)}(int *);")
print("int main(int n, char **v) {", f"int *{long('l', 0)} = n > 3 ? malloc(4) : &{long('g', 3)}, {long('m', 0)}[9];")
for i in range(4):
    print(f"if (n == {i}) {{ {long('hook', 0)} = {long('f', i)}; {long('l', 0)} = &{long('g', i)}; }}")
print(f"{long('table', 0)}.{long('field', 0)} = {long('l', 0)}; {long('hook', 0)}({long('l', 0)}); {long('hook', 0)}({long('m', 0)});")
print(f"{long('gone', 0)}({long('l', 0)}); return {long('pure', 0)}(n); }}")
END
expect 'long.c' "$clang" -O0 -g -c -emit-llvm "$work/long.c" -o "$work/long.bc"
for verb in pointsto 'modref --use' callgraph; do for more in '' --library; do
	expect "long names: $verb $more" status 0 "$sherd" $verb "$work/long.bc" $more -q
	expect "long names: $verb $more: rows fit" python3 -c 'import sys
bad = [l for l in open(sys.argv[1], encoding="utf-8").read().split("\n") if len(l) > 80]
assert not bad, bad' "$work/out"
	expect "long names: $verb $more: are cut" says out …
done; done
long=$(grep -o 'own_[a-z_]*3' "$work/long.c" | head -n 1)
expect 'long names: whole on request' status 0 "$sherd" modref "$work/long.bc" --function 'f_*' -q
expect 'long names: whole on request: said' says out "$long"
unset COLUMNS
expect 'progress' status 0 python3 - "$sherd" "$q" "$m" << 'END'
import os, pty, sys
shown = b""
def read(fd):
    global shown
    got = os.read(fd, 4096)
    shown += got
    return got
status = pty.spawn([sys.argv[1], "pointsto", *sys.argv[2:], "-o", "/dev/null", "--progress=always"], read)
assert b"reading 1 of 2: queue.bc" in shown, shown
END

# What is exported by another name is exported.
cat > "$work/alias.c" << 'END'
int data, secret;
int *first(void) { return &data; }
int *second(void) { return &secret; }
extern int *open_it(void) __attribute__((alias("first")));
extern int *open_too(void) __attribute__((alias("first")));
END
printf '{ global: open_*; local: *; };' > "$work/alias.map"; echo 'open_too' > "$work/alias.txt"; echo 'open_t*' > "$work/alias.glob"
echo 'int *open_it(void);' > "$work/alias.h"
expect 'alias.c' "$clang" -O0 -g -c -emit-llvm "$work/alias.c" -o "$work/alias.bc"
expect 'alias.so' "$clang" -shared -fPIC "$work/alias.c" "-Wl,--version-script=$work/alias.map" -o "$work/alias.so"
for kind in map txt glob h so; do
	expect "aliases: $kind" status 0 "$sherd" pointsto "$work/alias.bc" --library --exports "$work/alias.$kind" --format json
	expect "aliases: $kind: exported" says out '"exports":["first"]'
	expect "aliases: $kind: reached" says out '"reachable":["data"]'
done

# The screens in docs/c.md are what is printed, as far as they are shown.
expect 'screens of the manual' python3 - docs/c.md "$sherd" "$work" << 'END'
import os, re, shlex, subprocess, sys
manual, sherd, folder = sys.argv[1:]
blocks = re.findall(r"^    \$ sherd (.*)\n((?:    .*\n|\n(?=    (?!\$)))*)", open(manual).read(), re.M)
assert len(blocks) >= 6, blocks
bad = 0
for command, shown in blocks:
    env = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    run = subprocess.run([sherd, *shlex.split(command)], cwd=folder, env=env, capture_output=True, text=True)
    want = [l[4:].rstrip() for l in shown.rstrip().split("\n")]
    have = [l.rstrip() for l in (run.stdout + run.stderr).rstrip().split("\n")]
    if want[0] == "...":
        want = want[1:]
        have = have[have.index(want[0]) if want[0] in have else 0:]
    if want[-1] == "...":
        want, have = want[:-1], have[:len(want) - 1]
    if want != have:
        bad = print(f"$ sherd {command}", *(f"-{w}\n+{h}" for w, h in zip(want, have) if w != h), sep="\n") or 1
sys.exit(bad)
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
# A number in it makes LLVM ask for gigabytes.
expect 'a huge count' python3 - "$sherd" tests/fuzz/seeds/bitcode/huge-count.bc << 'END'
import resource, subprocess, sys
run = subprocess.run([sys.argv[1], "pointsto", sys.argv[2]], capture_output=True, text=True)
assert run.returncode == 2 and "E060" in run.stderr, run
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600_000, resource.getrusage(resource.RUSAGE_CHILDREN)
END
# Bytes that are others than the compiler wrote, at many places: an answer, or a sentence that names the file; not for ever, nor with
# all memory.
expect 'damaged in many places' python3 - "$sherd" "$q" "$m" "$work/damaged.bc" << 'END'
import resource, subprocess, sys
sherd, q, m, damaged = sys.argv[1:]
whole = open(q, "rb").read()
seen = {0: 0, 2: 0}
for k in range(48):
    at, n, mask = 40 + k * (len(whole) - 44) // 48, 1 + k % 4, (0x55, 0xff, 0x01)[k % 3]
    open(damaged, "wb").write(whole[:at] + bytes(b ^ mask for b in whole[at:at + n]) + whole[at + n:])
    run = subprocess.run([sherd, "callgraph", "-q", damaged, m], capture_output=True, text=True, timeout=300)
    assert run.returncode in seen, (k, at, run)
    seen[run.returncode] += 1
    assert "main" in run.stdout if run.returncode == 0 else "damaged.bc" in run.stderr and "error[E06" in run.stderr, (k, at, run)
assert seen[0] and seen[2], seen
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600_000, resource.getrusage(resource.RUSAGE_CHILDREN)
END
# One of several ends the process that reads it: those behind it are looked at all the same.
python3 -c 'print("@x = global " + "[1 x " * 500000 + "i32")' > "$work/deep.ll"
expect 'too deep for LLVM' status 2 "$sherd" pointsto "$q" "$work/deep.ll" "$m" "$work/cut.bc" "$work/empty.bc" -o "$work/none"
expect 'too deep for LLVM: named' says err 'deep.ll: error[E060]: damaged assembly: LLVM gave up on it; compile it again'
expect 'too deep for LLVM: the next ones are named' [ "$(grep -c 'error\[' "$work/err")" = 3 ]
expect 'too deep for LLVM: the last one is named' says err 'empty.bc: error[E061]'
expect 'no main' status 2 "$sherd" modref "$q" -o "$work/none"
expect 'no main: the fix' says err '--library'
expect 'no main: no file' absent "$work/none"
expect 'a module named twice' status 0 "$sherd" pointsto "$q" "$q" "$m"
cp "$q" "$work/copy.bc"
expect 'defined twice' status 2 "$sherd" pointsto "$q" "$work/copy.bc" "$m"
expect 'defined twice: the symbol' says err 'E063'
expect 'without debug information' status 0 "$sherd" pointsto "$work/bare.bc" "$m"
expect 'without debug information: said' says err 'W064'
expect 'optimised code' status 0 "$sherd" pointsto "$q" "$work/fast.bc" --var current
expect 'optimised code: found' says out 'add, print'
expect 'unknown functions' status 0 "$sherd" pointsto "$m"
expect 'unknown functions: said once' [ "$(grep -c W067 "$work/err")" = 1 ]
expect 'unknown functions: quiet' status 0 "$sherd" pointsto "$m" -q
expect 'unknown functions: quiet is quiet' [ ! -s "$work/err" ]
expect 'cannot write' status 2 "$sherd" pointsto "$q" "$m" -o "$work/no/such/folder"

# What models do for a library's functions: they call clients as qsort does, and memory has the name that callers give it.
cat > "$work/sorts.c" << 'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static char *held;
static char *label(int i) { char *t = malloc(9); if (t) sprintf(t, "%d", i); return t; }
void sort(int *v, size_t n, int (*by)(const void *, const void *)) { assert(n); qsort(v, n, sizeof(*v), by); }
void hold(void) { held = label(3); }
const char *get(void) { return label(4); }
END
expect 'sorts.c' "$clang" -O0 -g -c -emit-llvm "$work/sorts.c" -o "$work/sorts.bc"
expect 'a library that sorts' status 0 "$sherd" pointsto "$work/sorts.bc" --library --format json -o "$work/sorts.json"
expect 'qsort calls clients, assert does not; a wrapper has no memory of its own' python3 - "$work/sorts.json" << 'END'
import json, sys
l = json.load(open(sys.argv[1]))["library"]
assert [(c["function"], c["line"]) for c in l["calls_clients"]] == [("sort", 6)], l["calls_clients"]
assert l["unreachable"] == [x for x in l["unreachable"] if ":5" not in x and "..." not in x], l["unreachable"]
assert any(x.endswith("sorts.c:7") for x in l["unreachable"]) and any(x.endswith("sorts.c:8") for x in l["reachable"]), l
END

# Threads, handlers and destructors run while other functions do, whose locals they find in globals.
cat > "$work/beside.c" << 'END'
#include <pthread.h>
#include <signal.h>
static int *shared;
static void *thread(void *x) { if (shared) *shared = 1; return x; }
static void on_alarm(int n) { if (shared) *shared = n; }
static void last(void *x) { if (shared) *shared = 2; (void)x; }
__attribute__((destructor)) static void at_end(void) { if (shared) *shared = 3; }
static void plain(void) { if (shared) *shared = 4; }
static int hold(void) { int local = 0; shared = &local; while (!local); shared = 0; return local; }
int main(void)
{
	pthread_t t;
	pthread_key_t key;
	plain();
	signal(SIGALRM, on_alarm);
	pthread_key_create(&key, last);
	pthread_create(&t, 0, thread, 0);
	return hold();
}
END
expect 'beside.c' "$clang" -O0 -g -c -emit-llvm "$work/beside.c" -o "$work/beside.bc"
for line in 4 5 6 7; do
	expect "beside.c:$line" status 0 "$sherd" modref "$work/beside.bc" --statement "beside.c:$line"
	expect "beside.c:$line modifies the local" says out 'hold::local'
done
expect 'beside.c:8' status 0 "$sherd" modref "$work/beside.bc" --statement beside.c:8
expect 'a function that runs before does not' lacks out hold::local

# The linker's arrays; tables of C++; bytes.
cat > "$work/gathered.c" << 'END'
struct hook { int calls; void (*run)(int *); };
static void one(int *n) { *n = 1; }
static void two(int *n) { *n = 2; }
__attribute__((section("hooks"), used)) static struct hook first = { 0, one };
__attribute__((section("hooks"), used)) static struct hook second = { 0, two };
extern struct hook __start_hooks[], __stop_hooks[];
int main(void)
{
	int x = 0;
	for (struct hook *h = __stop_hooks; h-- > __start_hooks;) {
		h->calls++;
		h->run(&x);
	}
	return x;
}
END
for o in 0 2; do
	expect "gathered: -O$o" "$clang" "-O$o" -g -c -emit-llvm "$work/gathered.c" -o "$work/gathered.bc"
	for e in andersen steens; do
		expect "gathered: -O$o $e" status 0 "$sherd" pointsto "$work/gathered.bc" --engine $e --format json -o "$work/gathered"
		expect "gathered: -O$o $e: targets" python3 - "$work/gathered" << 'END'
import json, sys
called = [c["targets"] for c in json.load(open(sys.argv[1]))["called"] if c.get("indirect")]
assert called == [["one", "two"]], called
END
	done
	expect "gathered: -O$o: elements" status 0 "$sherd" modref "$work/gathered.bc" --statement gathered.c:11
	expect "gathered: -O$o: are modified" says out 'first.calls, second.calls'
done
cat > "$work/virtual.cc" << 'END'
struct A { virtual int f() { return 1; } virtual int g() { return 2; } };
struct B : A { int f() override { return 3; } int g() override { return 4; } };
int main(int c, char **) { A *a = c > 1 ? new A : new B; try { if (c > 2) throw a; return a->f(); } catch (A *x) { return x->g(); } }
END
expect 'virtual' "$clang" -O0 -g -c -emit-llvm "$work/virtual.cc" -o "$work/virtual.bc"
expect 'virtual: result' status 0 "$sherd" pointsto "$work/virtual.bc" --format json -o "$work/virtual"
expect 'virtual: by slot, also of what is caught' python3 - "$work/virtual" << 'END'
import json, sys
calls = sorted(c["targets"] for c in json.load(open(sys.argv[1]))["called"] if c.get("indirect"))
assert calls == [["_ZN1A1fEv", "_ZN1B1fEv"], ["_ZN1A1gEv", "_ZN1B1gEv"]], calls
END
expect 'the same module twice' status 0 "$sherd" pointsto "$m" "$q" "$m"

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
