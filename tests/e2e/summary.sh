#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# summary.sh - `sherd summarize`, `sherd summary`, and clients with --summary, as vendors and users meet them.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
clang=$(command -v clang-19 || command -v clang-16 || command -v clang-14) || { echo 'not ok no clang'; exit 1; }
says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in:"; cat "$work/$1"; return 1; }; }
lacks() { ! grep -qF -- "$2" "$work/$1" || { echo "'$2' in:"; cat "$work/$1"; return 1; }; }
absent() { [ ! -e "$1" ] && [ -z "$(find "$work" -name "$(basename "$1").*")" ]; }
refused() { status 2 "$@" && [ -s "$work/err" ] && [ ! -s "$work/out" ]; }

cp tests/golden/cli/c-pointsto/*.c tests/golden/cli/c-library/queue.h "$work"
cat > "$work/more.c" << 'END'
#include "queue.h"
#include <stdlib.h>
static char *kept;
static char *copy(const char *s) { char *c = malloc(9); c[0] = *s; return c; }
void post_twice(const char *name, void *data) { kept = copy(name); post(kept, data); post(name, data); }
char *last_name(void) { return kept; }
int twice_done;
END
cat > "$work/client.c" << 'END'
#include "queue.h"
void post_twice(const char *name, void *data);
char *last_name(void);
static int seen, one = 1;
static void note(struct event *e, void *context) { ++*(int *)context; }
int main(void) { on_event(note, &seen); post_twice("twice", &one); run(); return last_name()[0]; }
END
cat > "$work/alloc.c" << 'END'
#include <stddef.h>
static char heap[1000];
void *malloc(size_t n) { return heap; }
END
cat > "$work/odd.c" << 'END'
#include <dlfcn.h>
typedef int *(*one)(int *);
static int mine;
static int *other(int *a, int *b) { return &mine; }
static one kept = (one)other;
int *mismatched(int *p) { return kept(p); }
int *loaded(int *p) { return ((one)dlsym(0, "some"))(p); }
END
cat > "$work/odd-client.c" << 'END'
int *mismatched(int *p), *loaded(int *p);
static int x;
int main(void) { int *a = mismatched(&x), *b = loaded(&x); return *a + *b; }
END
cd "$work" || exit 2
for f in queue main more client alloc odd odd-client; do
	"$clang" -O0 -g -c -emit-llvm -fPIC "$f.c" -o "$f.bc" && "$clang" -O0 -g -c -fPIC "$f.bc" -o "$f.o" || exit 1
done
"$clang" -shared queue.o -o libqueue.so && ar rc libmore.a more.o queue.o || exit 1

expect 'a library is summarized' status 0 "$sherd" summarize queue.bc --exports queue.h -o libqueue.sum --stats
expect 'with figures' says err 'statements left'
expect 'again' status 0 "$sherd" summarize queue.bc --exports queue.h --name libqueue -o again.sum
expect 'the same bytes' cmp libqueue.sum again.sum
expect 'basic' status 0 "$sherd" summarize queue.bc --exports queue.h --basic -o basic.sum --name libqueue
expect 'it is smaller' [ "$(wc -c < libqueue.sum)" -lt "$(wc -c < basic.sum)" ]
expect 'of two modules' status 0 "$sherd" summarize queue.bc more.bc -o both.sum
expect 'in another order' status 0 "$sherd" summarize more.bc queue.bc -o other.sum --name both
expect 'the order does not matter' cmp both.sum other.sum

# What a client is told, with the library and with its summary: names of the library's own variables are left out.
cat > same.py << 'END'
import json, sys
def answers(verb, path):
    d = json.load(open(path))
    if verb == "pointsto":
        return {k: v for k, v in d["points_to"].items() if not k.startswith(tuple(sys.argv[4:]))}
    names = lambda s: sorted(p for a, b in d["sets"][s] for p in d["places"][a:b])
    return [(s["file"], s["line"], s["kind"], names(s["mod"]) if "mod" in s else 0) for s in d["statements"] if not s["file"].endswith(("queue.c", "more.c", "ping.c", "pong.c"))]
a, b = (answers(sys.argv[1], p) for p in sys.argv[2:4])
assert a, "nothing is compared"
assert a == b, [x for x in (a.items() if isinstance(a, dict) else a) if x not in (b.items() if isinstance(b, dict) else b)]
END
inner='post:: run:: take:: on_event:: strdup:: malloc:: post_twice:: last_name:: copy:: queue.c more.c free:: error: %'
for sum in libqueue.sum basic.sum; do
	for verb in pointsto modref; do
		for fields in on off; do
			"$sherd" $verb main.bc queue.bc --fields $fields --format json -o whole.json
			expect "$verb with $sum, fields $fields" status 0 "$sherd" $verb main.bc --summary $sum --fields $fields --format json -o part.json
			expect "$verb with $sum, fields $fields: the same" python3 same.py $verb whole.json part.json $inner
		done
	done
done
# What a client asks for need not be known when the summary is made.
expect 'calls that do not fit' status 0 "$sherd" summarize odd.bc -o odd.sum
for how in '--calls any' '--loaded unknown'; do
	"$sherd" pointsto odd-client.bc odd.bc $how --format json -o whole.json
	expect "a client with $how" status 0 "$sherd" pointsto odd-client.bc --summary odd.sum $how --format json -o part.json
	expect "a client with $how: the same" python3 same.py pointsto whole.json part.json mismatched:: loaded:: other:: dlsym:: error: kept % unknown:: ph_
	expect "a client with $how: more than without" grep -qE '"main::(a":\["mine"|b":\[".*"x")' part.json
done

expect 'a call graph' status 0 "$sherd" callgraph main.bc --summary libqueue.sum
expect 'has what the library calls back' says out 'add, print'
expect 'the screen names the summary' says out 'Summary     libqueue.sum'

# A library that uses another one, with its summary and without.
expect 'a library that uses one' status 0 "$sherd" summarize more.bc --summary libqueue.sum -o libmore.sum
expect 'nothing is unknown' [ ! -s err ]
expect 'without its summary' status 0 "$sherd" summarize more.bc -o alone.sum
expect 'what is missing is said' says err 'post'
"$sherd" pointsto client.bc more.bc queue.bc --format json -o whole.json
for sum in libmore alone; do
	expect "a client of both, $sum" status 0 "$sherd" pointsto client.bc --summary $sum.sum --summary libqueue.sum --format json -o part.json
	expect "a client of both, $sum: the same" python3 same.py pointsto whole.json part.json $inner
done
expect 'one of them alone' status 0 "$sherd" pointsto client.bc --summary libmore.sum
expect 'the other is unknown' says err 'on_event, run, post'

# What is known of the other library does not depend on how much its summary leaves out.
expect 'with a basic summary of the other' status 0 "$sherd" summarize more.bc --summary basic.sum --name libmore -o with-basic.sum
expect 'the same summary' cmp libmore.sum with-basic.sum

# What the other library does is a part of what is known of this one: another build of it does not fit.
sed 's/sent++/sent += 2/' queue.c > other-build.c
"$clang" -O0 -g -c -emit-llvm other-build.c -o other-build.bc && "$sherd" summarize other-build.bc --name libqueue -o other-build.sum
expect 'show what it was made with' status 0 "$sherd" summary show libmore.sum
expect 'by name' eval 'grep -qE "made with +[0-9a-f]{16} libqueue" out'
expect 'another build of the other library' refused "$sherd" pointsto client.bc --summary libmore.sum --summary other-build.sum
expect 'is refused, and said' says err 'libmore.sum: error[E082]: libqueue is another build than the one that this summary was made with'
expect 'a summary that was made alone takes any' status 0 "$sherd" pointsto client.bc --summary alone.sum --summary other-build.sum

# Two libraries that call each other: each summarized without the other, with the other's summary, and one of each.
cat > ring.h << 'END'
struct ball { struct ball *before; int *owner; };
typedef void (*catcher)(struct ball *b, int **at);
struct ball *ping(struct ball *b, int n), *pong(struct ball *b, int n);
void ping_to(catcher c), pong_keep(int *p);
int **pong_kept(void);
END
cat > ping.c << 'END'
#include <stdlib.h>
#include "ring.h"
static catcher to;
static int *own;
void ping_to(catcher c) { to = c; }
struct ball *ping(struct ball *b, int n)
{
	struct ball *next = malloc(sizeof *next);
	next->before = b;
	next->owner = own;
	if (to)
		to(next, &own);
	return n ? pong(next, n - 1) : next;
}
END
cat > pong.c << 'END'
#include "ring.h"
static int *kept, spare;
void pong_keep(int *p) { kept = p; }
int **pong_kept(void) { return &kept; }
static void take(struct ball *b, int **at) { *at = kept; b->owner = &spare; }
struct ball *pong(struct ball *b, int n)
{
	kept = b->owner;
	ping_to(take);
	return n ? ping(b->before, n - 1) : b;
}
END
cat > player.c << 'END'
#include "ring.h"
static int mine, other;
static void on_catch(struct ball *b, int **at) { b->owner = &mine; *at = &other; }
int main(void)
{
	struct ball first = { 0, &other };
	ping_to(on_catch);
	pong_keep(&mine);
	struct ball *last = ping(&first, 5);
	int *owner = last->owner, *kept = *pong_kept();
	return owner == kept;
}
END
for f in ping pong player; do "$clang" -O0 -g -c -emit-llvm $f.c -o $f.bc || exit 1; done
"$sherd" pointsto player.bc ping.bc pong.bc --format json -o whole.json
"$sherd" modref player.bc ping.bc pong.bc --format json -o whole-modref.json
expect 'ping without pong' status 0 "$sherd" summarize ping.bc --name libping -o ping.sum
expect 'pong without ping' status 0 "$sherd" summarize pong.bc --name libpong -o pong.sum
expect 'ping with pong' status 0 "$sherd" summarize ping.bc --name libping --summary pong.sum -o ping-with.sum
expect 'nothing of it is unknown' [ ! -s err ]
expect 'pong with ping' status 0 "$sherd" summarize pong.bc --name libpong --summary ping.sum -o pong-with.sum
ring='ping:: pong:: ping_to:: pong_keep:: pong_kept:: take:: own kept to spare malloc:: heap error: %'
for one in ping ping-with; do
	for two in pong pong-with; do
		expect "a client of $one and $two" status 0 "$sherd" pointsto player.bc --summary $one.sum --summary $two.sum --format json -o part.json
		expect "a client of $one and $two: nothing is unknown" [ ! -s err ]
		expect "a client of $one and $two: the same" python3 same.py pointsto whole.json part.json $ring
		"$sherd" modref player.bc --summary $two.sum --summary $one.sum --format json -o part-modref.json
		expect "a client of $one and $two: the same effects" python3 same.py modref whole-modref.json part-modref.json
	done
done
expect 'objects of the one, the other and the client arrive' python3 -c '
import json
p = json.load(open("part.json"))["points_to"]
assert {"mine", "other", "spare"} <= set(p["main::owner"]) and {"mine", "other"} <= set(p["main::kept"]), p'
sed 's/kept = b->owner/kept = 0/' pong.c > pang.c && "$clang" -O0 -g -c -emit-llvm pang.c -o pang.bc &&
	"$sherd" summarize pang.bc --name libpong -o pang.sum
expect 'ping with another pong' refused "$sherd" pointsto player.bc --summary ping-with.sum --summary pang.sum
expect 'that is said' says err 'libpong is another build'
expect 'both as one library' status 0 "$sherd" summarize ping.bc pong.bc --name ring -o ring.sum
"$sherd" summarize ping.bc --basic --name libping -o ping-part.sum && "$sherd" summarize pong.bc --basic --name libpong -o pong-part.sum
expect 'of the parts of a ring' status 0 "$sherd" summarize pong-part.sum ping-part.sum --name ring -o parts-ring.sum
expect 'as of both modules' cmp ring.sum parts-ring.sum

# A library of two parts: from both modules, from both parts' summaries, and from one of each.
"$sherd" summarize queue.bc more.bc --basic -o whole-basic.sum --name both
for part in queue more; do
	expect "a part: $part" status 0 "$sherd" summarize $part.bc --basic -o part-$part.sum
done
expect 'of two parts' status 0 "$sherd" summarize part-more.sum part-queue.sum --basic --name both -o parts.sum
expect 'as of both modules' cmp whole-basic.sum parts.sum
expect 'of a module and a part' status 0 "$sherd" summarize part-more.sum queue.bc --basic --name both -o mixed.sum
expect 'that is the same, too' cmp whole-basic.sum mixed.sum
expect 'optimised, of basic parts' status 0 "$sherd" summarize part-more.sum part-queue.sum --name both -o parts.sum
expect 'as of both modules, optimised' cmp both.sum parts.sum
expect 'with the modules of both' status 0 "$sherd" summary check parts.sum queue.bc more.bc
expect 'fewer exports' status 0 "$sherd" summarize part-more.sum part-queue.sum --exports queue.h -o fewer.sum
expect 'the rest is hidden' status 0 "$sherd" summary show fewer.sum
expect 'three names' says out '3 exported'

# Look at them.
expect 'show' status 0 "$sherd" summary show libqueue.sum
expect 'show: what it is' says out 'libqueue: optimised summary, version 1'
expect 'show: a function' says out 'post'
expect 'to text' status 0 "$sherd" summary convert libqueue.sum --format text -o queue.txt
expect 'and back' status 0 "$sherd" summary convert queue.txt --format binary -o back.sum
expect 'the same bytes again' cmp libqueue.sum back.sum
expect 'text is a summary, too' status 0 "$sherd" pointsto main.bc --summary queue.txt
expect 'no difference' status 0 "$sherd" summary diff libqueue.sum queue.txt
expect 'nothing is printed' [ ! -s out ]
sed 's/post->name/last->name/; s/sent++/sent += 2, current_context = 0/' queue.c > changed.c
"$clang" -O0 -g -c -emit-llvm changed.c -o changed.bc && "$sherd" summarize changed.bc --exports queue.h -o changed.sum
expect 'a difference' status 1 "$sherd" summary diff libqueue.sum changed.sum
expect 'it is named' says out 'changed function #post'
expect 'what it is made of' status 0 "$sherd" summary check libqueue.sum queue.bc
expect 'another build' refused "$sherd" summary check libqueue.sum changed.bc
expect 'is said' says err 'was not made of this changed.bc'
expect 'not all of it' refused "$sherd" summary check both.sum queue.bc
expect 'how many there are' says err 'made of 2 modules'

# In a library.
expect 'attach' status 0 "$sherd" summary attach libqueue.sum libqueue.so
expect 'a client takes the library' status 0 "$sherd" pointsto main.bc --summary libqueue.so
"$sherd" pointsto main.bc --summary libqueue.sum --format json | sed 's/\.sum/.so/' > one.json
"$sherd" pointsto main.bc --summary libqueue.so --format json > two.json
expect 'with the same result' cmp one.json two.json
expect 'the library is still one' "$clang" main.o -L. -lqueue -Wl,-rpath,. -o main.run
expect 'and runs' eval './main.run > /dev/null; [ $? -lt 126 ]'
expect 'twice is once too often' refused "$sherd" summary attach libqueue.sum libqueue.so
expect 'to another file' status 0 "$sherd" summary attach libmore.sum more.o -o with.o
cp queue.o plain.o && ln -s plain.o link.o && mkfifo pipe
expect 'through a link' status 0 "$sherd" summary attach libqueue.sum link.o
expect 'the link stays' [ -L link.o ]
expect 'and what it leads to has the summary' status 0 "$sherd" summary show plain.o
expect 'to no file' refused "$sherd" summary attach libmore.sum more.o -o pipe
expect 'it stays what it is' [ -p pipe ]
expect 'which is said' says err 'pipe cannot be written: not a regular file'
ar rc libwith.a queue.o with.o
expect 'a member of an archive' status 0 "$sherd" pointsto client.bc --summary libwith.a --summary libqueue.so
expect 'a library without one' refused "$sherd" pointsto client.bc --summary libmore.a
expect 'what to do' says err 'carries no summary; attach one'
"$clang" -shared more.o -o libother.so
expect 'to another library' refused "$sherd" summary attach libqueue.sum libother.so
expect 'what it lacks' says err 'does not export on_event, which the summary of libqueue has'
objcopy --add-section .sherd.summary=libqueue.sum libother.so libwrong.so
expect 'one that is not of its library' refused "$sherd" pointsto main.bc --summary libwrong.so
expect 'is said, too' says err 'it is of another build'

# Of which build it is: another one may export the same.
for how in --build-id --build-id=none; do
	word=code && [ $how = --build-id ] && word=build-id
	"$clang" -shared queue.o -Wl,$how -o libthis.so && "$clang" -O0 -g -fPIC -c changed.c -o changed.o &&
		"$clang" -shared changed.o -Wl,$how -o libthat.so && "$clang" main.o -L. -lthat -Wl,-rpath,. -o that.run || exit 1
	expect "$word: attach" status 0 "$sherd" summary attach libqueue.sum libthis.so
	expect "$word: it says which build" eval '"$sherd" summary show libthis.so | grep -qE "^  attached to +$word [0-9a-f]{16}"'
	strip libthis.so -o libstripped.so
	expect "$word: stripped" status 0 "$sherd" summary check libstripped.so
	objcopy --add-section .anything=queue.h libstripped.so liblonger.so
	expect "$word: with a section more" status 0 "$sherd" pointsto main.bc --summary liblonger.so
	expect "$word: what it says is the same" status 0 "$sherd" summary diff libqueue.sum libthis.so
	"$sherd" summary convert libthis.so --format text -o this.txt && "$sherd" summary convert this.txt --format binary -o this.sum
	objcopy --dump-section .sherd.summary=carried.sum libthis.so dumped.so
	expect "$word: both forms have it" cmp this.sum carried.sum
	expect "$word: by itself it is of any build" status 0 "$sherd" pointsto main.bc --summary carried.sum
	objcopy --add-section .sherd.summary=carried.sum libthat.so
	expect "$word: another build" refused "$sherd" pointsto main.bc --summary libthat.so
	expect "$word: is said" says err "of libqueue that was attached to another file ($word "
	expect "$word: check" refused "$sherd" summary check libthat.so
	"$sherd" cc -g -c main.c -o main-cc.o && "$clang" main-cc.o -L. -lthat -Wl,-rpath,. -o that.run
	expect "$word: found by itself" refused "$sherd" pointsto that.run --summary auto
	expect "$word: is said, too" says err 'make the summary anew of this build'
	objcopy --add-section .sherd.summary=carried.sum queue.o object-with.o
	expect "$word: an object is none" refused "$sherd" summary check object-with.o
	objcopy -R .sherd.summary libthat.so
	expect "$word: attached there it is of that" status 0 "$sherd" summary attach carried.sum libthat.so
	expect "$word: and fits" status 0 "$sherd" summary check libthat.so
done
expect 'no library' refused "$sherd" summary attach libqueue.sum main.c
expect 'no library: said' says err 'neither a shared library nor an object'

# A program that sherd cc built, with the libraries that it is linked with
mkdir build-of && (cd build-of && cp ../queue.[ch] ../main.c . && "$sherd" cc -g -fPIC -c queue.c && "$sherd" cc -g -c main.c &&
	"$clang" -shared queue.o -o libqueue.so && "$clang" main.o -L. -lqueue -Wl,-rpath,'$ORIGIN' -o app) || exit 1
expect 'without summaries' status 0 "$sherd" pointsto build-of/app --summary auto
expect 'the library is unknown' says err '3 functions have neither body nor model'
"$sherd" summarize $("$sherd" modules build-of/libqueue.so) --exports queue.h -o built.sum
expect 'of the library itself' status 0 "$sherd" summarize build-of/libqueue.so --exports queue.h --name built -o itself.sum
expect 'the same' cmp built.sum itself.sum
expect 'made of it' status 0 "$sherd" summary check built.sum build-of/libqueue.so
expect 'not of another one' refused "$sherd" summary check libqueue.sum build-of/libqueue.so
expect 'attach it' status 0 "$sherd" summary attach built.sum build-of/libqueue.so
expect 'found by itself' status 0 "$sherd" pointsto build-of/app --summary auto --format json
expect 'no word' [ ! -s err ]
expect 'which one is said' json 'assert [s.split("/")[-1] for s in d["summaries"]] == ["libqueue.so"], d["summaries"]'
expect 'with its answers' json 'assert d["points_to"]["add::value"] == ["main::one", "main::two"], d["points_to"]'
objcopy -R .sherd.summary build-of/libqueue.so build-of/again.so
expect 'not what it was built from' refused "$sherd" summary attach libqueue.sum build-of/again.so
expect 'which file' says err 'queue.o.bc, which the summary was not made of'
expect 'what it was built from' status 0 "$sherd" summary attach built.sum build-of/again.so
expect 'not of modules' refused "$sherd" pointsto main.bc --summary auto
expect 'but of programs' says err 'name the program instead of its modules'
expect 'a program without bitcode' refused "$sherd" pointsto /bin/sh
expect 'what to do' says err 'make CC="sherd cc"'

# Linkers put the summaries of objects together: in programs, and in libraries. Those of modules that are there are left out.
"$sherd" cc -g -fPIC -c more.c -o part-more.o && "$sherd" cc -g -c client.c -o part-client.o && cp queue.o part-queue.o &&
	objcopy -R .sherd_bc part-more.o vendor-more.o || exit 1
"$sherd" summarize more.bc --name more -o its-more.sum 2> err
expect 'an object with a summary' status 0 "$sherd" summary attach its-more.sum vendor-more.o
expect 'and another one' status 0 "$sherd" summary attach libqueue.sum part-queue.o
ar rc libvendor.a vendor-more.o part-queue.o && "$clang" part-client.o -L. -lvendor -o static.run &&
	"$clang" -shared vendor-more.o part-queue.o -o libvendor.so && "$clang" part-client.o -L. -l:libvendor.so -Wl,-rpath,. -o shared.run || exit 1
"$sherd" pointsto client.bc --summary its-more.sum --summary libqueue.sum --var '*' > whole.txt
for how in 'part-client.o.bc --summary libvendor.a' 'part-client.o.bc --summary libvendor.so' 'static.run --summary auto' 'shared.run --summary auto'; do
	expect "both of two: $how" status 0 "$sherd" pointsto $how --var '*'
	expect "both of two: $how: nothing is unknown" [ ! -s err ]
	expect "both of two: $how: the same" cmp whole.txt out
done
expect 'which one to show' refused "$sherd" summary show libvendor.a
expect 'is asked' says err 'carries 2 summaries'
"$sherd" summarize part-more.o.bc --name more -o built-more.sum 2> err
expect 'beside its bitcode' status 0 "$sherd" summary attach built-more.sum part-more.o
"$clang" part-client.o part-more.o part-queue.o -o beside.run || exit 1
expect 'the bitcode counts' status 0 "$sherd" pointsto beside.run --summary auto --var '*'
expect 'the bitcode counts: nothing is unknown' [ ! -s err ]
expect 'and is what is shown' says out 'post_twice::name'

# What does not fit
expect 'both define it' refused "$sherd" pointsto main.bc queue.bc --summary libqueue.sum
expect 'with the name' says err 'is defined by the program, too'
expect 'twice the same' refused "$sherd" pointsto main.bc --summary libqueue.sum --summary basic.sum
expect 'is said' says err 'libqueue has two summaries here'
expect 'a client with an allocator' refused "$sherd" pointsto main.bc alloc.bc --summary libqueue.sum
expect 'what helps' says err 'sherd summarize --basic'
expect 'it does' status 0 "$sherd" pointsto main.bc alloc.bc --summary basic.sum
echo 'int limit = 3; int hidden_table[4]; int shown(void) { return limit; }' > part.c
echo 'extern int hidden_table[4]; int shown(void); int main(void) { return shown() + hidden_table[1]; }' > user.c
"$clang" -g -c -emit-llvm part.c -o part.bc && "$clang" -g -c -emit-llvm user.c -o user.bc
echo shown > shown.txt; echo nobody > nothing.txt
expect 'some of it is exported' status 0 "$sherd" summarize part.bc --exports shown.txt -o part.sum
expect 'a symbol that is not' refused "$sherd" pointsto user.bc --summary part.sum
expect 'is named' says err 'hidden_table is used by the program, but the library does not export it'

# A client's allocator, which the library calls through a hook: what it returns arrives through two functions that allocate.
cat > pool.c << 'END'
#include <stdlib.h>
#include "pool.h"
static void *(*hook)(size_t);
int pool_version = 1;
void pool_set(void *(*h)(size_t)) { hook = h; }
void *pool_get(size_t n) { return hook ? hook(n) : malloc(n); }
struct node *pool_node(void) { struct node *p = pool_get(sizeof(*p)); return p; }
END
cat > pool.h << 'END'
#include <stddef.h>
struct node { struct node *next; };
extern int pool_version;
void pool_set(void *(*hook)(size_t));
void *pool_get(size_t n);
struct node *pool_node(void);
END
cat > taker.c << 'END'
#include "pool.h"
static struct node mine[10], *got;
static void *take(size_t n) { return mine; }
int main(void) { pool_set(take); got = pool_node(); return 0; }
END
"$clang" -O0 -g -c -emit-llvm pool.c -o pool.bc && "$clang" -O0 -g -c -emit-llvm taker.c -o taker.bc
expect 'a library with a hook' status 0 "$sherd" summarize pool.bc --exports pool.h -o pool.sum
expect 'its client' status 0 "$sherd" pointsto taker.bc --summary pool.sum --var got
expect 'has memory of its own' says out 'got → heap@taker.c:4, mine'

# Files that are damaged
head -c 200 libqueue.sum > cut.sum
expect 'cut off' refused "$sherd" pointsto main.bc --summary cut.sum
python3 - << 'END'
d = bytearray(open("libqueue.sum", "rb").read())
d[len(d) // 2] ^= 4
open("flipped.sum", "wb").write(d)
t = open("queue.txt").read()
open("new.txt", "w").write(t.replace("sherd-summary 1", "sherd-summary 2", 1))
open("half.txt", "w").write(t[:len(t) // 2])
open("exports.txt", "w").write(t.replace("  address exported\n", "", 1))
END
for f in flipped.sum new.txt half.txt exports.txt main.c queue.bc gone.sum; do
	expect "no summary: $f" refused "$sherd" pointsto main.bc --summary $f
	expect "$f is named" says err "$f"
done
expect 'another version is said' refused "$sherd" summary show new.txt
expect 'with what to do' says err 'make it anew'
expect 'no module' refused "$sherd" summarize gone.bc -o gone.sum
expect 'nothing is half-written' absent gone.sum
expect 'nothing to export' refused "$sherd" summarize queue.bc --exports nothing.txt -o none.sum
head -c 500 queue.bc > garbage && objcopy --add-section .sherd.summary=garbage libqueue.so damaged.so 2> /dev/null ||
	objcopy --update-section .sherd.summary=garbage libqueue.so damaged.so
expect 'a section with something else' refused "$sherd" summary show damaged.so
expect 'what to do' says err 'is no summary; take it out with objcopy -R'
cp queue.bc kept.bc
expect 'over its own module' refused "$sherd" summarize kept.bc -o ./kept.bc
expect 'the module is still there' cmp queue.bc kept.bc
expect 'a folder' refused "$sherd" summary show build-of
expect 'is named as such' says err 'cannot be opened: not a regular file'
expect 'no place' refused "$sherd" summarize queue.bc
expect 'no such thing' refused "$sherd" summary shout libqueue.sum
expect 'one file is missing' refused "$sherd" summary diff libqueue.sum
exit $failed
