// SPDX-License-Identifier: Apache-2.0
package shop;

/** Clients cannot name the rules: factories make them. */
public final class Rules {
	private Rules() {
	}

	public static Rule full() {
		return item -> item.price();
	}

	public static Rule half() {
		return new Half();
	}

	private static final class Half implements Rule {
		public int apply(Item item) {
			return item.price() / 2;
		}
	}
}
