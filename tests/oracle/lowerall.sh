#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every class of the default JDK (in the tier all, of every JDK on the machine), and of every Java library that tools/deps installs
# (30 at least), parses, lowers to SSA, passes the checker and agrees with its outline. Failures are listed; there are none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
lowerall=${BUILD:-build}/tests/lowerall
jars=${JARS:-/usr/share/java}
. "$here/../lib/jdks.sh"
failed=0

check() {
	name=$1
	shift
	if result=$("$lowerall" "$@" 2>&1); then
		echo "ok $name: $(echo "$result" | tail -n 1)"
	else
		echo "not ok $name"
		echo "$result" | tail -n 40
		failed=1
	fi
}

for jdk in $(jdks_of_tier); do
	check "JDK $(basename "$jdk")" -j "$jdk" -s 64
done

# A jar has several names there; links are passed over.
list=$(find "$jars" -maxdepth 1 -name '*.jar' -type f | LC_ALL=C sort)
count=$(echo "$list" | grep -c .)
check "$count jars" -s 16 "$(echo "$list" | tr '\n' ':')"
if [ "$count" -lt 30 ]; then
	echo "not ok at least 30 libraries"
	failed=1
fi
exit $failed
