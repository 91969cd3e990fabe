#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program of docs/library.md, built against the library as a user would, answers its question; and a site says
# what it is called on.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
mkdir "$work/classes"
javac -g -d "$work/classes" examples/shapes/*.java
${CC:-cc} -Iinclude examples/library/callers.c "$build/libsherd.a" ${LIBRARY_FLAGS:-} -ldeflate -lsqlite3 -o "$work/callers"
"$work/callers" "$work/classes" shapes.Main 'shapes.Main$Circle.area' >"$work/out"
if grep -q -- '-> shapes.Main\$Circle.area()D$' "$work/out"; then
	echo "ok library program"
else
	echo "not ok library program"
	cat "$work/out"
fi
if "$work/callers" "$work/classes" shapes.Nothing x 2>"$work/err"; then
	echo "not ok library error"
elif grep -q 'E041' "$work/err"; then
	echo "ok library error"
else
	echo "not ok library error"
fi

# The algorithms, and the receivers of every call in a method.
cat >"$work/receivers.c" <<'END'
#include <sherd/sherd.h>
#include <stdio.h>
#include <string.h>

static void print_site(sherd_session *s, struct sherd_site site)
{
	for (size_t i = 0; i < site.nreceivers; i++)
		printf("line %u: %s\n", (unsigned)site.line, sherd_class_name(s, site.receivers[i]));
	if (site.open)
		printf("line %u: open\n", (unsigned)site.line);
}

int main(int argc, char **argv)
{
	struct sherd_options opt = { .class_path = argv[1] };
	sherd_session *s = sherd_open(&opt);
	sherd_callgraph *g = sherd_callgraph_compute(s, "main shapes.Main", argv[2]);

	(void)argc;
	for (size_t k = 0; sherd_algorithm(k); k++)
		printf("algorithm %s: %s\n", sherd_algorithm(k), sherd_algorithm_help(sherd_algorithm(k)));
	for (size_t i = 0; g && i < sherd_callgraph_count(g); i++) {
		sherd_method m = sherd_callgraph_method(g, i);
		for (size_t k = 0; strncmp(sherd_method_name(s, m), "shapes.Main.total(", 18) == 0 && k < sherd_callgraph_sites(g, m); k++)
			print_site(s, sherd_callgraph_site(g, m, k));
	}
	for (size_t k = 0; !g && sherd_diagnostic(s, k); k++)
		puts(sherd_diagnostic(s, k));
	sherd_callgraph_free(g);
	sherd_close(s);
	return g ? 0 : 2;
}
END
${CC:-cc} -Iinclude "$work/receivers.c" "$build/libsherd.a" ${LIBRARY_FLAGS:-} -ldeflate -lsqlite3 -o "$work/receivers"

check() {             # NAME PATTERN: $work/out has such a line
	if grep -q -- "$2" "$work/out"; then
		echo "ok $1"
	else
		echo "not ok $1"
		cat "$work/out"
	fi
}
"$work/receivers" "$work/classes" andersen >"$work/out"
check "library algorithms" '^algorithm andersen: [a-z]'
check "library receivers" '^line [0-9]*: shapes.Main$Circle$'
check "library class of the JDK" '^line [0-9]*: java.util.ImmutableCollections'
"$work/receivers" "$work/classes" anderson >"$work/out" && echo "not ok library unknown algorithm"
check "library unknown algorithm" 'no such algorithm'
