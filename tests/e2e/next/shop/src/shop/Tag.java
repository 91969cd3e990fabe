// SPDX-License-Identifier: Apache-2.0
package shop;

/** Only two tags are compared. */
public class Tag {
	private final Ink[] inks = {new Red(), new Blue()};

	public boolean equals(Object other) {
		return other != this && other instanceof Tag && ((Tag) other).shade() == shade();
	}

	public int hashCode() {
		return 1;
	}

	private int shade() {
		int sum = 0;
		for (Ink ink : inks)
			sum += ink.shade();
		return sum;
	}

	private interface Ink {
		int shade();
	}

	private static final class Red implements Ink {
		public int shade() {
			return 1;
		}
	}

	private static final class Blue implements Ink {
		public int shade() {
			return 2;
		}
	}
}
