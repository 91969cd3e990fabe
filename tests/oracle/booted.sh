#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Classes that are said to be initialised before a program starts (src/analysis/callgraph/booted.h) are: compared with what JVMs
# log until they initialise the main class, with every JDK of the machine that is 9 or later and the options it has that change how
# it starts. And there are many of them, without which the comparison says little.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
. tests/lib/jdks.sh

cat > "$work/Started.java" <<'END'
class Started {
	static int n = System.identityHashCode("");
	public static void main(String[] args) { }
}
END
compile --release 8 -Xlint:-options -d "$work" "$work/Started.java" || exit 2

initialised() {           # JDK OPTION...: sorted names
	"$1/bin/java" "${@:2}" -Xlog:class+init=info:file="$work/log" -cp "$work" Started >/dev/null 2>"$work/err" || return 1
	sed -n "/Initializing 'Started'/q; s/.*Initializing '\([^']*\)'.*/\1/p" "$work/log" | LC_ALL=C sort -u
}

holds() {                 # JDK OPTION...
	initialised "$@" > "$work/real" && [ -s "$work/real" ] || { cat "$work/err"; return 1; }
	LC_ALL=C comm -23 "$work/booted" "$work/real" > "$work/wrong"
	sed 's/^/not initialised: /' "$work/wrong"
	[ ! -s "$work/wrong" ]
}

# What calls need most; no JDK from 9 on starts without these.
has_many() {
	local name
	for name in Object String System Class Thread Throwable Module Float Integer ref/Reference ref/Finalizer invoke/MethodHandleNatives; do
		grep -qx "java/lang/$name" "$work/booted" || { echo "java/lang/$name is missing"; return 1; }
	done
	for name in util/HashMap util/concurrent/ConcurrentHashMap util/Collections util/Properties nio/charset/Charset io/PrintStream; do
		grep -qx "java/$name" "$work/booted" || { echo "java/$name is missing"; return 1; }
	done
	[ "$(wc -l < "$work/booted")" -ge 120 ]
}

while read -r jdk; do
	[ -e "$jdk/lib/modules" ] || continue
	name=$(basename "$jdk")
	"$build/tests/booted" "$jdk" 2>/dev/null | LC_ALL=C sort > "$work/booted"
	expect "$name: most of what is needed is there" has_many
	while read -r options; do
		"$jdk/bin/java" $options -version >/dev/null 2>&1 || continue
		expect "$name${options:+ $options}" holds "$jdk" $options
	done <<'END'

-Xshare:off
-XX:-CompactStrings -Xshare:off
-Dfile.encoding=ISO-8859-1 -Dstdout.encoding=UTF-16 -Dsun.stdout.encoding=UTF-16
-Djava.security.manager
--add-modules java.logging --limit-modules java.logging
-esa -Xverify:all
--finalization=disabled
-XX:-UsePerfData -XX:+UseSerialGC -Xint
END
done < <(jdks)
exit $failed
