#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cc.sh - `sherd cc` in builds, and `sherd modules` on what they leave.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in:"; cat "$work/$1"; return 1; }; }
empty() { [ ! -s "$1" ]; }
cc=$work/bin/sherd-cc cxx=$work/bin/sherd-c++
mkdir "$work/bin"
ln -s "$sherd" "$cc"
ln -s "$sherd" "$cxx"
ln -s "$sherd" "$work/bin/sherd"
export PATH=$work/bin:$PATH
unset SHERD_CC SHERD_CXX SHERD_CLANG SHERD_CC_OFF
clang=
for name in clang-19 clang-16 clang-14 clang; do [ -n "$clang" ] || ! command -v $name > /dev/null || clang=$name; done
[ -n "$clang" ] || { echo 'not ok no clang here'; exit 1; }

# Names of the modules of operands, without their folders, in one line.
modules() { "$sherd" modules "$@" 2> "$work/err" | sed 's,.*/,,' | LC_ALL=C sort | tr '\n' ' '; }
lists() {             # OPERAND NAME...: exactly these
	local operand=$1
	shift
	[ "$(modules "$operand")" = "$(printf '%s ' "$@")" ] || { echo "$(modules "$operand")is not $*"; cat "$work/err"; return 1; }
}
is_bitcode() { [ "$(head -c 2 "$1")" = BC ]; }

# A folder with a program of three sources and a library of three, of which one is not needed. The folder has a blank in its name.
p="$work/a project"
sources() {           # FOLDER
	mkdir -p "$1/lib"
	cat > "$1/main.c" << 'END'
#include <stdio.h>
#include "lib/lib.h"
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d %s\n", one(argc) + two(argc), NAME);
	return 0;
}
END
	echo 'int one(int); int two(int); int three(int);' > "$1/lib/lib.h"
	printf '#include "lib.h"\nint one(int x) { int *p = &x; return *p + 1; }\n' > "$1/lib/one.c"
	printf '#include "lib.h"\nint two(int x) { return x + 2; }\n' > "$1/lib/two.c"
	printf '#include "lib.h"\nint three(int x) { return x + 3; }\n' > "$1/lib/three.c"
	cat > "$1/Makefile" << 'END'
CFLAGS = -O2 -Wall -DNAME='"a \"name\""' -MMD -MP
LIB = lib/one.o lib/two.o lib/three.o
all: prog plugin.so part.o thin.a
prog: main.o libnumbers.a
	$(CC) $(LDFLAGS) -o $@ main.o -L. -lnumbers
libnumbers.a: $(LIB)
	rm -f $@
	ar rcs $@ $(LIB)
thin.a: $(LIB)
	rm -f $@
	ar rcsT $@ $(LIB)
plugin.so: pic.o
	$(CC) -shared -o $@ pic.o
pic.o: lib/two.c
	$(CC) $(CFLAGS) -fPIC -c $< -o $@
part.o: lib/one.o lib/three.o
	ld -r -o $@ lib/one.o lib/three.o
%.o: %.c
	$(CC) $(CFLAGS) -c $< -o $@
-include main.d
END
}
sources "$p"
sources "$work/plain"
make -s -C "$work/plain" CC=$clang > "$work/plain.out" 2> "$work/plain.err"
expect 'make' status 0 make -s -j4 -C "$p" CC='sherd cc'
expect 'make: says what it says without sherd' cmp "$work/out" "$work/plain.out"
expect 'make: and nothing else' cmp "$work/err" "$work/plain.err"
expect 'make: the program runs' [ "$("$p/prog")" = '5 a "name"' ]
expect 'make: bitcode beside objects' is_bitcode "$p/lib/one.o.bc"
expect 'make: dependencies are those of the object' cmp "$p/main.d" "$work/plain/main.d"
# Nobody else can know where clang writes: the file has a random name, and is there before clang is.
cat > "$work/bin/watched-clang" << END
#!/bin/bash
last=
for word in "\$@"; do
	[ "\$last" != -o ] || case \$word in
	*.sherd-*) [ -f "\$word" ] && [ ! -L "\$word" ] && [ "\${word#*.sherd-\$PPID}" = "\$word" ] && stat -c '%s %a' "\$word" >> "$work/watched" ;;
	esac
	last=\$word
done
exec $clang "\$@"
END
chmod +x "$work/bin/watched-clang"
echo 'int watched;' > "$work/watched.c"
expect 'unknown place' bash -c "umask 027; cd '$work' && SHERD_CLANG=watched-clang SHERD_CC=watched-clang '$cc' -c watched.c && grep -qx '0 640' watched && [ \$(stat -c %a watched.o.bc) = 640 ]"
expect 'make: nothing is left behind' bash -c "! find '$p' -name '*.sherd-*' | grep -q ."
expect 'program: what was linked' lists "$p/prog" main.o.bc one.o.bc two.o.bc
expect 'program: whole paths' [ "$("$sherd" modules "$p/prog" | head -n 1)" = "$(cd "$p" && pwd -P)/lib/one.o.bc" ]
expect 'static library' lists "$p/libnumbers.a" one.o.bc three.o.bc two.o.bc
expect 'thin archive' lists "$p/thin.a" one.o.bc three.o.bc two.o.bc
expect 'shared library' lists "$p/plugin.so" pic.o.bc
expect 'ld -r' lists "$p/part.o" one.o.bc three.o.bc
expect 'object' lists "$p/main.o" main.o.bc
expect 'folder' lists "$p" main.o.bc one.o.bc pic.o.bc three.o.bc two.o.bc
expect 'several operands: each once' [ "$(modules "$p/prog" "$p/libnumbers.a" "$p/main.o.bc")" = 'main.o.bc one.o.bc three.o.bc two.o.bc ' ]
expect 'sorted' bash -c "'$sherd' modules '$p' | LC_ALL=C sort -c"
expect 'no warning' empty "$work/err"
expect 'to a file' status 0 "$sherd" modules "$p/prog" -o "$work/list"
expect 'to a file: the same' bash -c "'$sherd' modules '$p/prog' | cmp - '$work/list'"
expect 'zero bytes' [ "$("$sherd" modules -0 "$p/prog" | xargs -0 ls | wc -l)" = 3 ]
strip -o "$work/stripped" "$p/prog"
expect 'strip keeps it' lists "$work/stripped" main.o.bc one.o.bc two.o.bc
expect 'gc-sections' bash -c "cd '$p' && rm prog && make -s CC='sherd cc' LDFLAGS=-Wl,--gc-sections prog"
expect 'gc-sections: the same' lists "$p/prog" main.o.bc one.o.bc two.o.bc

# The bitcode is what the source says: names, lines, no optimizations, no functions that only optimized headers have.
dis=$(command -v "llvm-dis${clang#clang}" || command -v llvm-dis)
if [ -n "$dis" ]; then
	"$dis" "$p/lib/one.o.bc" -o "$work/one.ll"
	expect 'bitcode: variables stay' grep -q '%p = alloca ptr\|%p = alloca i32\*' "$work/one.ll"
	expect 'bitcode: lines' grep -q '!DILocation' "$work/one.ll"
	printf '#include <stdio.h>\n#include <string.h>\nint main(int n, char **v) { char b[9]; strcpy(b, v[n - 1]); printf("%%s", b); return getchar(); }\n' > "$work/f.c"
	(cd "$work" && "$cc" -O2 -D_FORTIFY_SOURCE=2 -c f.c && "$dis" f.o.bc -o f.ll)
	expect 'bitcode: calls as in the source' [ "$(grep -o 'call .*@[a-z_]*(' "$work/f.ll" | grep -o '@[a-z_]*' | grep -v llvm | tr '\n' ' ')" = '@strcpy @printf @getchar ' ]
else
	skip 'bitcode' "no llvm-dis beside $clang"
fi

# One step: bitcode beside the output, notes in it, also of objects that are linked with the sources.
d=$work/steps
mkdir -p "$d/x" "$d/y" "$d/out"
echo 'int f(void), g(void), h(void); int main(void) { return f() + g() + h() - 6; }' > "$d/m.c"
echo 'int f(void) { return 1; }' > "$d/x/same.c"
echo 'int g(void) { return 2; }' > "$d/y/same.c"
echo 'int h(void) { return 3; }' > "$d/h.c"
cd "$d" || exit 2
expect 'object for the next step' status 0 "$cc" -c h.c
expect 'one step' status 0 "$cc" m.c x/same.c y/same.c h.o -o out/prog
expect 'one step: it runs' out/prog
expect 'one step: the bitcode' lists out/prog h.o.bc prog-m.c.bc prog-same.c-2.bc prog-same.c.bc
expect 'one step: no object' [ "$(ls -- *.o)" = h.o ]
expect 'one step: may be executed' [ -x out/prog ]
expect 'no -o' status 0 "$cc" m.c x/same.c y/same.c h.c
expect 'no -o: a.out' lists a.out a.out-h.c.bc a.out-m.c.bc a.out-same.c-2.bc a.out-same.c.bc
rm -f -- *.bc *.o
expect 'several sources and -c' status 0 "$cc" -c m.c x/same.c h.c
expect 'several sources and -c: bitcode of each' [ "$(echo *.bc)" = 'h.o.bc m.o.bc same.o.bc' ]
expect 'shared in one step' bash -c "'$cc' -shared -fPIC h.c -o out/h.so && '$sherd' modules out/h.so | grep -q 'out/h.so-h.c.bc\$'"
printf -- '-c\n"h.c" -DX="a b"\n-o out/resp.o' > args
expect 'response file' status 0 "$cc" @args
expect 'response file: bitcode' lists out/resp.o resp.o.bc
expect 'stdin' bash -c "'$cc' -x c -c - -o out/stdin.o < h.c 2> '$work/err'"
expect 'stdin: says that there is none' says err 'sherd: warning: no bitcode for standard input'
mkdir temps plain
(cd plain && $clang -save-temps -MD -c ../h.c -o h.o && ls) > "$work/want"
(cd temps && "$cc" -save-temps -MD -c ../h.c -o h.o && rm h.o.bc && ls) > "$work/got"
expect 'temporary files are those of the compiler' cmp "$work/want" "$work/got"
expect 'dependencies name the object' cmp plain/h.d temps/h.d
cd - > /dev/null || exit 2

# What makes no object makes no bitcode, and is the compiler's own.
same() {              # NAME WORD...: the compiler's status and output, whatever it is called by
	local name=$1 want got
	shift
	(cd "$d" && "$clang" "$@") > "$work/want" 2> "$work/want.err"
	want=$?
	(cd "$d" && "$sherd" cc "$@") > "$work/out" 2> "$work/err"
	got=$?
	expect "$name: status" [ "$got" = $want ]
	expect "$name: output" cmp "$work/out" "$work/want"
	expect "$name: messages" cmp "$work/err" "$work/want.err"
}
echo 'int x = ;' > "$d/bad.c"
printf '#warning careful\nint unused(void) { int u; return 0; }\n' > "$d/warns.c"
echo 'int f(void) { return g(); }' > "$d/undefined.c"
rm -rf "$d"/*.bc "$d"/*.o "$d/out"
same 'version' --version
same 'preprocessor' -E h.c
same 'assembler' -S h.c -o h.s
same 'dependencies' -M h.c
same 'syntax' -fsyntax-only h.c
same 'machine' -dumpmachine
same 'search' -print-search-dirs
same 'no input' -O2
same 'missing file' -c none.c
same 'unknown option' -c h.c --no-such-option
same 'error in a source' -c bad.c
same 'warnings' -Wall -c warns.c -o warns.o
same 'error when linking' undefined.c -o undefined
same 'to nowhere' -c h.c -o /dev/null
same 'to standard output' -c h.c -o -
expect 'no other bitcode' [ "$(cd "$d" && ls -- *.bc)" = warns.o.bc ]
expect 'failure leaves no old bitcode' bash -c "cd '$d' && cp h.c k.c && '$cc' -c k.c && [ -e k.o.bc ] && echo 'int x = ;' > k.c && ! '$cc' -c k.c 2> /dev/null && [ ! -e k.o.bc ]"

# Off; trials of configure scripts.
expect 'off' bash -c "cd '$d' && SHERD_CC_OFF=1 '$cc' -c h.c -o off.o && [ -e off.o ] && [ ! -e off.o.bc ]"
expect 'conftest' bash -c "cd '$d' && cp h.c conftest.c && '$cc' -c conftest.c && [ ! -e conftest.o.bc ]"
expect 'no compiler' status 127 env SHERD_CC=no-such-compiler "$sherd" cc -c "$d/h.c"
expect 'no compiler: says what to do' says err 'SHERD_CC'
expect 'sherd as its own compiler' status 2 env SHERD_CC="$cc" "$sherd" cc -c "$d/h.c"

# Sources without bitcode are remembered: assembler, and what clang cannot compile.
cat > "$work/bin/other-cc" << END
#!/bin/sh
# a compiler with a language of its own
for a; do case \$a in -fown) set -- "\$@" -DOWN=1 ;; esac; done
for a; do shift; case \$a in -fown) ;; *) set -- "\$@" "\$a" ;; esac; done
exec $clang "\$@"
END
chmod +x "$work/bin/other-cc"
printf '#ifndef OWN\n#error another language\n#endif\nint own;\n' > "$d/own.c"
printf '\t.text\n' > "$d/asm.s"
export SHERD_CC=other-cc
expect 'no bitcode: the build goes on' bash -c "cd '$d' && '$sherd' cc -fown -c own.c 2> '$work/err'"
expect 'no bitcode: one line names it' [ "$(grep -c '' "$work/err")" = 1 ]
expect 'no bitcode: and the reason' says err 'sherd: warning: no bitcode for own.c: own.c:2:2: error: another language'
expect 'unknown options are no reason' bash -c "cd '$d' && '$sherd' cc -fown -fno-such-thing=1 -c h.c 2> /dev/null || '$sherd' cc -fown -c h.c && [ -e h.o.bc ]"
unset SHERD_CC
expect 'assembler' bash -c "cd '$d' && '$cc' -c asm.s && [ ! -e asm.o.bc ] && ar rc rest.a asm.o own.o h.o"
expect 'the rest is listed' lists "$d/rest.a" h.o.bc
expect 'what has none is named' says err "1 source has no bitcode: clang could not compile it (the first is $(cd "$d" && pwd -P)/own.c)"
expect 'assembler is named' says err '1 source in assembler has no bitcode'

# Another compiler for objects.
if command -v gcc > /dev/null; then
	sources "$work/gcc"
	expect 'gcc' status 0 env SHERD_CC=gcc make -s -C "$work/gcc" CC='sherd cc' CFLAGS='-O2 -DNAME=\"n\" -fno-tree-pta -fipa-pta --param max-inline-insns-auto=9'
	expect 'gcc: says nothing' empty "$work/err"
	expect 'gcc: made the objects' bash -c "readelf -p .comment '$work/gcc/main.o' | grep -q GCC"
	expect 'gcc: bitcode' lists "$work/gcc/prog" main.o.bc one.o.bc two.o.bc
	expect '-flto' bash -c "cd '$d' && SHERD_CC=gcc '$cc' -flto -c h.c -o lto.o && echo 'int h(void); int main(void) { return h(); }' > lm.c && '$cc' -c lm.c && SHERD_CC=gcc '$cc' -flto lm.o lto.o -o lp"
	"$sherd" modules "$d/lp" > /dev/null 2> "$work/err"
	expect '-flto: said' says err 'linked with -flto'
else
	skip 'gcc' 'no gcc here'
fi
if command -v g++ > /dev/null; then
	printf '#include <string>\nint main(int n, char **) { return (int)std::string(n, 0).size() - 1; }\n' > "$d/s.cpp"
	expect 'C++ by the name of the source' bash -c "cd '$d' && '$cc' s.cpp -o s && ./s && '$sherd' modules s | grep -q s-s.cpp.bc"
	expect 'C++: objects are linked' bash -c "cd '$d' && '$cxx' -c s.cpp && '$cxx' s.o -o s2 && ./s2 && '$sherd' cc --c++ s.o -o s3 && ./s3"
else
	skip 'C++' 'no g++ here'
fi

# Rebuilding: bitcode that is another one than the object's is told.
expect 'changed' bash -c "cd '$p' && printf 'int four;\n' >> lib/one.c && make -s CC='sherd cc' lib/one.o"
expect 'changed: still listed' lists "$p/prog" main.o.bc one.o.bc two.o.bc
expect 'changed: said' says err '1 file is not the bitcode of the object'
expect 'linked again' bash -c "make -s -C '$p' CC='sherd cc'"
expect 'linked again: silent' bash -c "'$sherd' modules '$p/prog' 2>&1 > /dev/null | cmp - /dev/null"
expect 'object without sherd' bash -c "cd '$p' && touch main.c && make -s CC=$clang main.o"
"$sherd" modules "$p" > /dev/null 2> "$work/err"
expect 'object without sherd: the bitcode is not its' says err 'main.o.bc'
make -s -C "$p" CC='sherd cc' -B > /dev/null 2>&1
mv "$p/lib/two.o.bc" "$p/lib/away"
expect 'gone' status 2 "$sherd" modules "$p/prog"
expect 'gone: named' says err 'lib/two.o.bc is gone: build again'
expect 'gone: nothing is listed' empty "$work/out"
mv "$p/lib/away" "$p/lib/two.o.bc"

# A script of libtool stands for its program.
mkdir -p "$work/wrapped/.libs"
cp "$p/prog" "$work/wrapped/.libs/prog"; cp "$p/prog" "$work/wrapped/.libs/lt-other"
for f in prog other lone; do printf '#! /bin/sh\n# %s - temporary wrapper script\n' $f > "$work/wrapped/$f"; done
for f in prog other; do
	expect "libtool: $f" [ "$(modules "$work/wrapped/$f")" = "$(modules "$p/prog")" ]
done
expect 'libtool: in its folder' bash -c "cd '$work/wrapped' && '$sherd' modules prog | grep -q one.o.bc"
expect 'a script alone' status 2 "$sherd" modules "$work/wrapped/lone"

# Bad input.
expect 'no operand' status 2 "$sherd" modules
expect 'no such file' status 2 "$sherd" modules "$work/none"
expect 'no such file: named' says err "$work/none: No such file"
expect 'nothing in it' status 2 "$sherd" modules "$work/plain/prog"
expect 'nothing in it: says what to do' says err 'CC="sherd cc"'
expect 'folder without bitcode' status 2 "$sherd" modules "$work/plain"
expect 'other file' status 2 "$sherd" modules "$p/Makefile"
expect 'other file: named' says err "Makefile: neither an ELF file"
head -c 3000 "$p/prog" > "$work/cut"
expect 'cut off' status 2 "$sherd" modules "$work/cut"
expect 'cut off: named' says err 'cut: damaged ELF file'
head -c 1000 "$p/libnumbers.a" > "$work/cut.a"
expect 'cut archive' status 2 "$sherd" modules "$work/cut.a"
expect 'cut archive: named' says err 'cut.a: damaged archive'
echo old > "$work/kept"
expect 'failure keeps the old file' bash -c "! '$sherd' modules '$work/none' '$p/prog' -o '$work/kept' 2> /dev/null && grep -qx old '$work/kept'"
echo 'define timeconst(hz) { }' > "$p/script.bc"
expect 'other files called .bc' lists "$p" main.o.bc one.o.bc pic.o.bc three.o.bc two.o.bc
rm "$p/script.bc"

# compile_commands.json, of a build that knows nothing of sherd.
j=$work/commands
sources "$j"
python3 - "$j" "$clang" << 'END'
import json, sys
folder, clang = sys.argv[1:]
entries = [{"directory": folder, "file": "main.c", "command": clang + r''' -DNAME=\"n\" -Wall -c main.c -o obj/main.o'''},
           {"directory": folder, "file": folder + "/lib/one.c", "arguments": ["ccache", "gcc", "-fipa-pta", "-c", "lib/one.c"], "output": "obj/one.o"},
           {"directory": folder + "/lib", "file": "two.c", "arguments": ["sherd", "cc", "-c", "two.c"]}]
json.dump(entries, open(folder + "/compile_commands.json", "w"), indent=1)
entries.append({"directory": folder, "file": "bad.c", "arguments": [clang, "-c", "bad.c"]})
open(folder + "/bad.c", "w").write("int x = ;\n")
json.dump(entries, open(folder + "/with_bad.json", "w"))
END
expect 'commands: nothing yet' status 2 "$sherd" modules "$j/compile_commands.json"
expect 'commands: says how' says err 'none of its 3 sources has bitcode'
expect 'commands: build' status 0 "$sherd" modules -j2 --build "$j/compile_commands.json"
expect 'commands: built' [ "$(sed "s,^$(cd "$j" && pwd -P)/,," "$work/out" | tr '\n' ' ')" = 'lib/two.o.bc obj/main.o.bc obj/one.o.bc ' ]
expect 'commands: no object' bash -c "! find '$j' -name '*.o' | grep -q ."
touch -d '1 hour' "$j/lib/two.c"
cp -p "$j/obj/main.o.bc" "$work/main.bc"
touch -d '1 minute ago' "$j/obj/main.o.bc" "$j/main.c"
expect 'commands: what is older is built again' bash -c "'$sherd' modules --build '$j/compile_commands.json' > /dev/null && [ '$j/lib/two.o.bc' -nt '$j/obj/main.o.bc' ]"
expect 'commands: now they are there' status 0 "$sherd" modules "$j/compile_commands.json"
expect 'commands: some are missing' status 0 "$sherd" modules "$j/with_bad.json"
expect 'commands: one warning' bash -c "[ \$(grep -c '' '$work/err') = 1 ] && grep -q '1 of 4 sources have no bitcode (the first is bad.c)' '$work/err'"
expect 'commands: one cannot be built' status 0 "$sherd" modules --build "$j/with_bad.json"
expect 'commands: the reason' says err 'no bitcode for bad.c: bad.c:1:9: error'
echo '[{"directory": "/"}' > "$j/broken.json"
echo '[]' > "$j/nothing.json"
expect 'commands: none' status 2 "$sherd" modules "$j/nothing.json"
expect 'commands: none: said' says err 'nothing.json: it names no source in C or C++'
expect 'commands: broken' status 2 "$sherd" modules "$j/broken.json"
expect 'commands: broken: the line' says err 'broken.json: line 1:'

# CMake: a single word is the compiler.
if command -v cmake > /dev/null; then
	c=$work/cmake
	sources "$c"
	printf 'cmake_minimum_required(VERSION 3.10)\nproject(t C)\nset(CMAKE_EXPORT_COMPILE_COMMANDS ON)\ninclude(CheckFunctionExists)\ncheck_function_exists(printf P)\nadd_definitions(-DNAME="n")\nadd_library(numbers STATIC lib/one.c lib/two.c lib/three.c)\nadd_library(plugin SHARED lib/two.c)\nadd_executable(prog main.c)\ntarget_link_libraries(prog numbers)\n' > "$c/CMakeLists.txt"
	expect 'cmake' status 0 cmake -S "$c" -B "$c/build" -DCMAKE_C_COMPILER=sherd-cc
	expect 'cmake: build' status 0 cmake --build "$c/build" -j2
	expect 'cmake: program' lists "$c/build/prog" main.c.o.bc one.c.o.bc two.c.o.bc
	expect 'cmake: shared library' lists "$c/build/libplugin.so" two.c.o.bc
	expect 'cmake: no trial left bitcode' [ "$("$sherd" modules "$c/build" | wc -l)" = 5 ]
	expect 'cmake: commands' [ "$("$sherd" modules "$c/build/compile_commands.json" | wc -l)" = 5 ]
else
	skip 'cmake' 'no cmake here'
fi
exit $failed
