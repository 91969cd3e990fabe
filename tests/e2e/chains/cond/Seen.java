// SPDX-License-Identifier: Apache-2.0
package cond;

import java.util.Set;
import java.util.TreeSet;

/** Where chains end: `dead` methods where conditions rule the call out, `live` ones where they must not. */
final class Seen {
	private static final Set<String> names = new TreeSet<>();

	private Seen() {
	}

	/** Prints the stack, from the entry on. */
	static void live(String name) {
		StringBuilder line = new StringBuilder();
		for (StackTraceElement e : new Throwable().getStackTrace()) {
			if (e.getClassName().equals("cond.Main"))
				break;
			if (!e.getClassName().equals("cond.Seen"))
				line.insert(0, e.getClassName() + "." + e.getMethodName() + ":" + e.getLineNumber() + " ");
		}
		System.out.println(line.toString().trim());
		names.add(name);
	}

	static void dead(String name) {
		throw new AssertionError(name + " runs");
	}

	static void check(String... expected) {
		for (String name : expected)
			if (!names.contains("-" + name))
				throw new AssertionError(name + " does not run");
	}
}
