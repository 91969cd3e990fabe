#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-tools.sh - the lines of docs/build-tools.md, with the tools that are there. Prints `ok NAME` or `not ok NAME` a case.
# Uses $BUILD/sherd and its agent, and Debian's maven, gradle and ant with their test plugins.
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")/build-tools" && pwd)
. "$(dirname "$0")/../lib/tier.sh"
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' INT TERM
export LC_ALL=C.UTF-8 NO_COLOR=1 COLUMNS=80 GRADLE_USER_HOME="$tmp/gradle"
export MAVEN_OPTS=-XX:TieredStopAtLevel=1 ANT_OPTS=-XX:TieredStopAtLevel=1        # they run for seconds only
failed=0
sherd() { "$build/sherd" "$@"; }

expect() {
	name=$1
	shift
	if "$@"; then echo "ok $name"; else cat "$tmp/said"; echo "not ok $name"; failed=1; fi
}

# Everything that the one test does was seen: three calls on the list and its iterator, one on the item.
covered() { sherd report sherd-coverage --format json -q 2> "$tmp/said" | grep -q '"rc":{"required":4,"covered":4,'; }
measured() {
	expect "$1: the build succeeds" test "$status" = 0
	expect "$1: everything is covered" covered
	rm -rf sherd-coverage
}
# COMMAND...
run() {
	"$@" > "$tmp/said" 2>&1
	status=$?
}
# CLASSES TESTS COMMAND...: nothing in the build
wrapped() {
	c=$1
	t=$2
	shift 2
	run sherd cover -cp "$c" --component 'shop.**' --interface "tests:$t" -- "$@"
}
agent_of() { agent=$(sherd cover -q -cp "$1" --component 'shop.**' --interface "tests:$2" --print-agent 2> "$tmp/said"); }

mvn() { command mvn -o -q -B -Dmaven.repo.local=/usr/share/maven-repo "$@"; }
check_maven() {
	run mvn test-compile
	wrapped target/classes target/test-classes mvn -o -q -B -Dmaven.repo.local=/usr/share/maven-repo test
	measured "Maven, wrapped"
	agent_of target/classes target/test-classes
	run mvn test "-Dsherd.agent=$agent"
	measured "Maven, property"
	is_all || return 0
	agent_of target/classes target/test-classes
	run mvn test "-Dsherd.agent='$agent'"
	measured "Maven, property with quotes"
	sed -i '/<argLine>/d' pom.xml
	agent_of target/classes target/test-classes
	run mvn test "-DargLine=$agent"
	measured "Maven, argLine"
}

classes=build/classes/java
check_gradle() {
	run gradle --offline --no-daemon testClasses
	wrapped $classes/main $classes/test gradle --offline --no-daemon cleanTest test
	measured "Gradle, wrapped"
	agent_of $classes/main $classes/test
	run gradle --offline --no-daemon "-PsherdAgent=$agent" cleanTest test
	measured "Gradle, property"
}

check_ant() {
	run ant compile
	wrapped build/main build/test ant test
	measured "Ant, wrapped"
	agent_of build/main build/test
	run ant "-Dsherd.agent=$agent" test
	measured "Ant, property"
}

# TOOL FILE: is it there, with what it needs to run tests?
has() { command -v "$1" > /dev/null && [ -e "$2" ]; }
fresh() { rm -rf "$tmp/project" && cp -r "$here" "$tmp/project" && cd "$tmp/project" || exit 2; }
tool() {              # NAME FILE COMMAND REASON: what needs the tool, and the file
	if has "$1" "$2"; then fresh; $3; else skip "$1" "$4"; fi
}
tool mvn /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin check_maven 'no Maven with its surefire plugin: tools/deps check'
tool gradle /usr/share/java/junit4.jar check_gradle 'optional: no Gradle that runs on this JDK'
tool ant /usr/share/java/ant-junit.jar check_ant 'no Ant with its JUnit task: tools/deps check'
exit $failed
