#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli.sh - the shell of the program: exit statuses, streams, files, completion, installation.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
empty() { [ ! -s "$1" ]; }

expect 'overview' status 0 "$sherd"
expect 'overview is on standard output' empty "$work/err"
expect 'version' status 0 "$sherd" --version
expect 'version has a number' grep -qE '^sherd [0-9]+\.[0-9]+' "$work/out"
expect 'unknown verb' status 2 "$sherd" callgrph
expect 'unknown verb suggests' grep -q "did you mean 'callgraph'" "$work/err"
expect 'errors are on standard error' empty "$work/out"
expect 'unknown option' status 2 "$sherd" callgraph --algoritm cha
expect 'unknown option suggests' grep -q "'--algorithm'" "$work/err"
expect 'no such algorithm' status 2 "$sherd" callgraph --algorithm anderson --main A
expect 'no such algorithm suggests' grep -q "'andersen'" "$work/err"
expect 'algorithms are explained' status 0 "$sherd" callgraph --algorithm help
expect 'algorithms are on standard output' grep -q '^rta  *[a-z]' "$work/out"
expect 'no entry point' status 2 "$sherd" callgraph -cp "$work"
expect 'unreadable class path' status 2 "$sherd" callgraph -cp "$work/none.jar" --main A --jdk none
expect 'unwritable output' status 2 "$sherd" dump java.lang.Object -o "$work/no/such/folder/x"
expect 'full standard output' bash -c "! '$sherd' --help > /dev/full 2> /dev/null"
for verb in callgraph why-call dump help completion; do
	expect "$verb --help" status 0 "$sherd" $verb --help
	expect "$verb --version" status 0 "$sherd" $verb --version
	expect "help $verb" status 0 "$sherd" help $verb
done
expect 'no colours in a pipe' bash -c "! '$sherd' callgraph --help | grep -q $'\033'"

# Arguments from files; errors say where.
printf 'java.lang.Object # a class\n--method "hash\\\n   Code"\n' > "$work/args"
expect 'arguments from a file' status 0 "$sherd" dump @"$work/args"
expect 'arguments from a file: used' grep -q 'hashCode' "$work/out"
printf -- "--format json\n-o '\n" > "$work/args"
expect 'a quote that is not closed' status 2 "$sherd" dump java.lang.Object @"$work/args"
expect 'a quote that is not closed: where' grep -q "/args:2: a word that begins with '" "$work/err"
expect 'no such file of arguments' status 2 "$sherd" dump @"$work/none"
printf 'java.util.zip.Adler*\n' > "$work/args"
expect 'the list of an option is none' status 0 "$sherd" requirements --component @"$work/args" --algorithm cha
rm "$work/args"

# Results: on stdout or in a file, whole or not at all.
expect 'dump to a file' status 0 "$sherd" dump java.lang.Object -o "$work/object.txt"
expect 'nothing else printed' empty "$work/out"
expect 'dump to standard output' bash -c "'$sherd' dump java.lang.Object | cmp - '$work/object.txt'"
echo old > "$work/kept"
expect 'failure' status 2 "$sherd" dump no.such.Klass -o "$work/kept"
expect 'failure keeps the old file' grep -qx old "$work/kept"
expect 'failure leaves nothing else' [ "$(ls "$work" | sort | tr '\n' ' ')" = 'err kept object.txt out ' ]

# An input becomes shorter while it is read. The list of entry points is a pipe: sherd has opened the jar when it waits for it.
python3 - "$work/z.jar" <<'END'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.write("tests/data/classfile/" + sorted(n for n in os.listdir("tests/data/classfile") if n.endswith(".class"))[0], "A.class")
    z.writestr("filler", os.urandom(1 << 20))
END
mkfifo "$work/z.entries"
timeout 60 "$sherd" callgraph -cp "$work/z.jar" --jdk none --entry "$work/z.entries" --algorithm cha -o "$work/z.result" 2> "$work/z.err" &
exec 3> "$work/z.entries"
truncate -s 4096 "$work/z.jar"
echo 'A.main([Ljava/lang/String;)V' >&3
exec 3>&-
wait $!
expect 'shortened input: status' [ $? = 2 ]
expect 'shortened input: sentence' grep -qx "sherd: error: $work/z.jar: became shorter while it was read; run again when nothing writes to it" "$work/z.err"
expect 'shortened input: nothing is left' [ -z "$(ls "$work" | grep z.result)" ]
rm -f "$work"/z*

# Names from outside control no terminal: neither 8-bit escapes nor turned text, however they are printed.
tame() {
	local wild='\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c|\x1b|(?<![\xc2-\xf4\x80-\xbf])[\x80-\xbf]'
	grep -q . "$@" && ! LC_ALL=C grep -aP "$wild" "$@"
}
wild=$'w\xc2\x9b31m\xe2\x80\xae\x9b\xd8\x9c\033[2J'
printf 'no jar' > "$work/$wild.jar"
status 2 "$sherd" callgraph -cp "$work/$wild.jar" --main A --jdk none
expect 'names of files' tame "$work/err"
status 2 "$sherd" callgraph -cp tests --main "A$wild" --jdk none
expect 'names of classes' tame "$work/err"
status 2 "$sherd" "$wild"
expect 'names of verbs' tame "$work/err"
status 2 "$sherd" callgraph "--$wild"
expect 'names of options' tame "$work/err"
cat > "$work/wild.ll" <<'END'
source_filename = "a\C2\9B\E2\80\AE.c"
@"g\C2\9Bv" = global i8* null
@"raw\9Bv" = global i8* null
define i32 @main() {
  call void @"f\E2\80\AEn"(i8** @"raw\9Bv")
  ret i32 0
}
define void @"f\E2\80\AEn"(i8** %"p\D8\9C") {
  %c = bitcast i8** %"p\D8\9C" to i8*
  store i8* %c, i8** @"g\C2\9Bv"
  ret void
}
END
if "$sherd" dump "$work/wild.ll" > /dev/null 2>&1; then             # built with LLVM
	for form in 'dump' 'callgraph --format text' 'callgraph --format json' 'callgraph --format dot' 'pointsto --var *' 'pointsto --format json' modref; do
		set -f
		status 0 "$sherd" $form "$work/wild.ll"
		set +f
		expect "names of C: $form" tame "$work/out"
	done
fi
rm -f "$work"/w*

# Completion.
"$sherd" completion bash > "$work/complete.bash"
complete_words() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_sherd
	echo "${COMPREPLY[*]}"
}
source "$work/complete.bash"
expect 'bash: verbs' [ "$(complete_words sherd callg)" = callgraph ]
expect 'bash: options' [ "$(complete_words sherd callgraph --alg)" = --algorithm ]
expect 'bash: algorithms' [ "$(complete_words sherd why-call --algorithm ander)" = andersen ]
expect 'bash: choices' [ "$(complete_words sherd callgraph --format grap)" = graphml ]
expect 'bash: choices after =' [ "$(complete_words sherd callgraph --stats = js)" = json ]
expect 'bash: help VERB' [ "$(complete_words sherd help du)" = dump ]
expect 'bash: help analyses' [ "$(complete_words sherd help ana)" = analyses ]
cp "$work/object.txt" "$work/operand.jar"
expect 'bash: files' [ "$(complete_words sherd callgraph -cp "$work/oper")" = "$work/operand.jar" ]
# A command to run: its words are not ours, wherever it starts.
expect 'bash: an option before a command' [ "$(complete_words sherd cover --component a --appe)" = --append ]
complete_word() { complete_words "$@" | cut -d' ' -f1; }
expect 'bash: a command' [ "$(complete_word sherd cover -cp a : b --component 'a.*' mktem)" = mktemp ]
expect 'bash: a command behind --' [ "$(complete_word sherd cover --stats = json -- mktem)" = mktemp ]
expect 'bash: its words' [ "$(complete_words sherd cover --class-path = a sh --appe)" = '' ]
expect 'bash: its files' [ "$(complete_words sherd cover -q sh "$work/oper")" = "$work/operand.jar" ]
expect 'bash: a value is no command' [ "$(complete_words sherd cover --algorithm ander)" = andersen ]
expect 'zsh script' status 0 "$sherd" completion zsh
expect 'zsh: help analyses' grep -q "'1:verb:(callgraph .* analyses)'" "$work/out"
if command -v zsh > /dev/null; then expect 'zsh script is valid' zsh -n "$work/out"; else skip 'zsh script is valid' 'no zsh here'; fi

# Help without a manual page does not send the reader in circles.
status 0 "$sherd" help cover
expect 'help without a page' bash -c "grep -q '^The whole story' <('$sherd' cover --help) && ! grep -q '^The whole story' '$work/out'"

# The builder's flags reach the agent, too: its objects and its link. Sanitizers do not, nor what makes a program of it.
agent_recipe() {
	make -n V=1 BUILD="$work/nowhere" "$@" "$work/nowhere/libsherd-agent.so" > "$work/recipe" 2> "$work/err" &&
		grep -q -- "-DPRE .*-DMARK .*-c src/agent/agent.c" "$work/recipe" &&
		grep -q -- "-DPRE .*-DMARK .*-c src/base/vec.c" "$work/recipe" &&
		grep -- ' -shared ' "$work/recipe" | grep -q -- ' -Wl,-z,now' && ! grep -E -- '-fsanitize| -pie| -fPIE' "$work/recipe"
}
if ls /usr/lib/jvm/*/include/jvmti.h > /dev/null 2>&1; then
	expect 'flags of the agent' agent_recipe CPPFLAGS=-DPRE CFLAGS='-DMARK -fPIE' LDFLAGS='-pie -Wl,-z,now' SAN=address
	export CPPFLAGS=-DPRE CFLAGS='-DMARK -fsanitize=address' LDFLAGS='-fsanitize=address -Wl,-z,now'
	expect 'flags of the agent from the environment' agent_recipe
	unset CPPFLAGS CFLAGS LDFLAGS
fi

# Installation into a staging folder.
expect 'install' status 0 make -s install BUILD="$build" DESTDIR="$work/stage" prefix=/usr
expect 'installed program' status 0 "$work/stage/usr/bin/sherd" --version
expect 'installed manual' status 0 "$work/stage/usr/bin/sherd" help callgraph
expect 'installed page' test -s "$work/stage/usr/share/man/man1/sherd-callgraph.1"
expect 'uninstall' status 0 make -s uninstall BUILD="$build" DESTDIR="$work/stage" prefix=/usr
expect 'uninstall leaves no file' [ -z "$(find "$work/stage" -type f)" ]
exit $failed
