# SPDX-License-Identifier: Apache-2.0
# jdks - prints the directory of every JDK on the machine, each once, the default one first.
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
