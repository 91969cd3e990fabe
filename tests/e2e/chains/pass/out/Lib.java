// SPDX-License-Identifier: Apache-2.0
package out;

/** Passes on what it is passed. */
public final class Lib {
	private Lib() {
	}

	/** Keeps an object. */
	public static final class Box {
		private final Object value;

		public Box(Object value) {
			this.value = value;
		}

		public String text() { return value.toString(); }
	}

	public static String text(Object o) { return o.toString(); }

	public static String all(Object... objects) {
		StringBuilder b = new StringBuilder();
		for (Object o : objects)
			b.append(text(o));
		return b.toString();
	}

	public static String far(Object o) { return further(o); }

	private static String further(Object o) { return furthest(o); }

	private static String furthest(Object o) { return text(o); }
}
