#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A law about strings (strings.py): each name that a run gives to reflection is in the language of the call that it is given to. The agent
# records the names.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
sherd=${SHERD:-$build/sherd}
jars=${JARS:-/usr/share/java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
. "$here/../lib/tier.sh"
. "$here/../lib/jdks.sh"

result() {        # STATUS NAME: with what is in $work/out
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
	sed 's/^/  /' "$work/out"
}

within() {        # NAME ALGORITHM CLASS_PATH MAIN PACKAGES ARGUMENT...
	name=$1 algorithm=$2 path=$3 main=$4 package=$5
	shift 5
	rm -rf "$work/record" "$work/run"
	mkdir -p "$work/run/out"
	cp -R "$here/../recorder/inputs/." "$work/run"
	if ! (cd "$work/run" && "$(default_jdk)/bin/java" "-agentpath:$build/libsherd-agent.so=dynamic=$work/record" -cp "$path" "$main" "$@" \
		>"$work/out" 2>&1); then
		result 1 "$name recorded"
		return
	fi
	"$sherd" strings -q --format json --algorithm "$algorithm" -cp "$path" --main "$main" \
		--site "$(python3 "$here/strings.py" sites "$work/record" "$package")" >"$work/answers" 2>"$work/out" &&
		python3 "$here/strings.py" within "$work/record" "$package" "$work/answers" >"$work/out" 2>&1
	result $? "$name $algorithm: strings of a run are in their languages"
}

for c in Spelled Reflective; do
	javac -g -nowarn -Xlint:none -d "$work/$c" "$here/dynamic/$c.java" 2>"$work/out" || result 1 "$c compiled"
done
for a in $(by_tier 'rta' 'cha rta 0cfa andersen'); do
	within Spelled "$a" "$work/Spelled" spelled.Spelled spelled.
	within Reflective "$a" "$work/Reflective" refl.Reflective refl.
done
# These two use no reflection themselves, the library does: what the launcher loads is not part of the program.
library=java.,jdk.,sun.security.,sun.util.
if is_all; then
	within javacc rta "$jars/javacc.jar" org.javacc.parser.Main "$library" -OUTPUT_DIRECTORY=out Calc.jj
	within jflex rta "$jars/jflex.jar:$jars/cup.jar:$jars/cup_runtime.jar" jflex.Main "jflex.,$library" -d out calc.flex
fi
exit $failed
