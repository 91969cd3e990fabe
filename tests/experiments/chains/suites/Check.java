// SPDX-License-Identifier: Apache-2.0
package suites;

import java.util.Objects;

/** What drivers expect, and how they begin. */
public final class Check {
	private static int passed;

	public static void same(Object expected, Object found) {
		if (!Objects.equals(expected, found))
			throw new AssertionError("expected " + expected + ", found " + found);
		passed++;
	}

	public static void that(boolean holds, String what) {
		if (!holds)
			throw new AssertionError(what);
		passed++;
	}

	public interface Code {
		void run() throws Exception;
	}

	public static void fails(Class<? extends Throwable> with, Code code) {
		try {
			code.run();
		} catch (Throwable t) {
			same(with, t.getClass());
			return;
		}
		throw new AssertionError("expected " + with);
	}

	public static void done(String name) {
		System.out.println(name + ": " + passed + " checks");
	}
}
