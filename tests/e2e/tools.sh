#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools.sh - the tools behind `make check` themselves: a test that fails, is skipped or says nothing is counted as such, tiers
# choose, .ci/run repeats the last line, and tools/format finds what it is for.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
tree=$work/tree
mkdir -p "$tree/tools" "$tree/.ci" "$tree/src" "$tree"/tests/{golden,e2e,oracle,unit/base} "$tree/build/tests"
cp tools/check tools/format "$tree/tools"
cp .ci/run "$tree/.ci"
printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\necho ok folders\n' | tee "$tree/tools/layers" > "$tree/tools/docs"
printf 'quick\tlayers\t*\nquick\tdocs\t*\nnormal\te2e\trow\techo "ok $TIER"\nall\toracle\tslow.sh\n' > "$tree/tests/checks.tsv"
printf 'check:\n\t@tools/check $(GROUPS)\n' > "$tree/Makefile"
script() {            # GROUP/NAME: from standard input
	{ printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n'; cat; } > "$tree/tests/$1"
	chmod +x "$tree/tests/$1"
}
chmod +x "$tree"/tools/*
cd "$tree" || exit 2
unset CI TIER SHERD
export BUILD=build
last() { [ "$(tail -n 1 "$work/out")" = "$1" ] || { cat "$work/out"; return 1; }; }
shown() { grep -qFx -- "$1" "$work/out" || { cat "$work/out"; return 1; }; }

echo 'echo ok one; echo ok two' | script e2e/good.sh
echo 'echo ok slow' | script oracle/slow.sh
expect 'all is well' status 0 tools/check e2e/good.sh
expect 'all is well: counted' last '2 passed, 0 failed'
expect 'all is well: named' shown 'ok e2e/good.sh/two'

# Failures.
echo 'echo ok one; echo not ok two; echo because' | script e2e/bad.sh
expect 'a case fails' status 1 tools/check e2e/bad.sh
expect 'a case fails: counted' last '1 passed, 1 failed'
expect 'a case fails: the output is shown' shown '    because'
echo 'echo ok one; exit 3' | script e2e/status.sh
expect 'a status' status 1 tools/check e2e/status.sh
expect 'a status: said' shown 'not ok e2e/status.sh: exit status 3'
echo 'echo fine' | script e2e/silent.sh
expect 'no case' status 1 tools/check e2e/silent.sh
expect 'no case: said' shown 'not ok e2e/silent.sh: it printed no case'
expect 'no such test' status 1 tools/check e2e/absent.sh
echo 'echo ok one; sleep 600' | script e2e/late.sh
expect 'no end' status 1 env CHECK_TIMEOUT=1 tools/check e2e/late.sh
expect 'no end: said' shown '    no end after 1 s'
rm tests/e2e/{bad,status,silent,late}.sh

# Cases that cannot be tried.
printf '%s\n' "echo 'ok one # skip no such thing'" "echo 'ok two # skip optional: not even in Debian'" 'echo ok three' | script e2e/skips.sh
expect 'skipped' status 0 tools/check e2e/skips.sh
expect 'skipped: counted' last '1 passed, 0 failed, 2 skipped'
expect 'skipped: the reason' shown 'ok e2e/skips.sh/one # skip no such thing'
expect 'skipped where everything is installed' status 1 env CI=true tools/check e2e/skips.sh
expect 'skipped where everything is installed: counted' last '1 passed, 1 failed, 1 skipped'
expect 'skipped where everything is installed: the reason' shown 'failed: e2e/skips.sh/one # skip no such thing'
echo "echo 'ok one # skip optional: nothing is here'" | script e2e/none.sh
expect 'nothing but skipped cases' status 1 tools/check e2e/none.sh
rm tests/e2e/none.sh
cat > tests/unit/base/test_skip.c <<'END'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void absent(void **state)
{
	(void)state;
	print_message("# no such thing\n");
	skip();
}

static void present(void **state)
{
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(absent), cmocka_unit_test(present) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
END
${CC:-cc} -o build/tests/test_skip tests/unit/base/test_skip.c -lcmocka || exit 2
expect 'a unit test skips' status 0 tools/check unit
expect 'a unit test skips: counted' last '1 passed, 0 failed, 1 skipped'
expect 'a unit test skips: the reason' shown 'ok unit/test_skip/absent # skip no such thing'
rm tests/unit/base/test_skip.c

# Tiers.
tier() { status 0 env TIER="$1" tools/check && [ "$(sed -n 's/^ok //p' "$work/out" | grep -v '^format' | sort | tr '\n' ' ')" = "$2" ] || { cat "$work/out"; return 1; }; }
rm tests/e2e/skips.sh
expect 'quick' tier quick 'docs/folders layers/folders '
expect 'normal' tier normal 'docs/folders e2e/good.sh/one e2e/good.sh/two e2e/row/normal layers/folders '
expect 'all' tier all 'docs/folders e2e/good.sh/one e2e/good.sh/two e2e/row/all layers/folders oracle/slow.sh/slow '
expect 'what is named runs in any tier' status 0 env TIER=quick tools/check oracle/slow.sh
expect 'no such tier' status 1 env TIER=fast tools/check
expect 'no such tier: said' grep -q 'there is no tier fast: quick, normal, all' "$work/err"
order() { tools/check -l | sed 's,/.*,,' | uniq | tr '\n' ' '; }
expect 'long tests start first' [ "$(order)" = 'e2e oracle e2e layers docs format ' ]
expect 'the list' bash -c "tools/check -l | grep -x 'oracle/slow.sh	all' > /dev/null"

# What a machine reads.
expect 'the last line for machines' status 0 env GROUPS= .ci/run
expect 'the last line for machines: it is the last' last "$(grep passed "$work/out" | head -n 1)"
echo "echo 'ok one # skip optional: it is not here'; echo ok two" | script e2e/good.sh
expect 'the last line with skips' status 0 .ci/run
expect 'the last line with skips: it is the last' bash -c "tail -n 1 '$work/out' | grep -qE '^[0-9]+ passed, 0 failed, 1 skipped$'"
echo 'check:; @false' > Makefile
expect 'a build that broke' status 2 .ci/run
expect 'a build that broke: the last line' last '0 passed, 1 failed'

# tools/format, a rule at a time.
finds() {             # RULE TEXT: in a source that is well but for that
	printf '/* SPDX-License-Identifier: Apache-2.0 */\n%b' "$2" > src/x.c
	status 1 tools/format src/x.c && [ "$(sed -n 's/^not ok //p' "$work/out" | cut -d: -f1)" = "$1" ] || { cat "$work/out"; return 1; }
}
passes() {            # TEXT
	printf '/* SPDX-License-Identifier: Apache-2.0 */\n%b' "$1" > src/x.c
	status 0 tools/format src/x.c || { cat "$work/out"; return 1; }
}
long=$(printf 'x%.0s' $(seq 141))
expect 'format: all is well' passes 'int f(char *x)\n{\n\tfor (int i = 0; i < 9; i++) {\n\t\tx++;\n\t}\n\tswitch (*x) {\n\tcase 1: g(x); break;\n\t}\n}\n'
expect 'format: texts may be long' passes "const char *s = \"$long\";\n"
echo 'int x;' > src/x.c
expect 'format: licence' status 1 tools/format src/x.c
expect 'format: end of the file' finds 'end of the file' 'int x;'
expect 'format: empty lines at the end' finds 'end of the file' 'int x;\n\n'
expect 'format: blanks at the end of a line' finds 'blanks at the end of a line' 'int x; \n'
expect 'format: spaces indent' finds 'tabs indent' 'int f(void)\n{\n        return 1;\n}\n'
expect 'format: a long line' finds '140 columns' "int $long;\n"
expect 'format: empty lines' finds 'two empty lines' 'int x;\n\n\nint y;\n'
expect 'format: two statements' finds 'one statement a line' 'int f(void)\n{\n\tg(); return 1;\n}\n'
expect 'format: the brace of a function' finds braces 'int f(void) {\n\treturn 1;\n}\n'
expect 'format: the brace of a loop' finds braces 'int f(void)\n{\n\twhile (g())\n\t{\n\t\th();\n\t}\n}\n'
expect 'format: else' finds braces 'int f(void)\n{\n\tif (g()) {\n\t\th();\n\t}\n\telse\n\t\ti();\n}\n'
expect 'format: no blank' finds 'blanks in a line' 'int f(int a,int b);\n'
expect 'format: a pointer' finds 'blanks in a line' 'int f(char* a);\n'
exit $failed
