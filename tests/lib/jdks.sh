# SPDX-License-Identifier: Apache-2.0
# jdks - prints the directory of every JDK on the machine, each once, the default one first. jdks_of_tier prints the default
# one only, unless $TIER is all.
default_jdk() {
	echo "${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
}

jdks() {
	{
		default_jdk
		for d in /usr/lib/jvm/* /opt/*jdk* "$HOME"/.sdkman/candidates/java/*; do
			[ -x "$d/bin/javac" ] && readlink -f "$d"
		done
	} | awk '!seen[$0]++'
}

jdks_of_tier() {
	if [ "${TIER:-normal}" = all ]; then jdks; else default_jdk; fi
}
