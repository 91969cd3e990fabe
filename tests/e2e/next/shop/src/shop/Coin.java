// SPDX-License-Identifier: Apache-2.0
package shop;

/** Only two are weighed. */
public class Coin implements Metal {
	public static int both(Metal one, Metal other) {
		return one == other ? 0 : one.weigh() + other.weigh();
	}

	public static Metal ring() {
		return new Ring();
	}

	public int weigh() {
		return 1;
	}

	private static final class Ring implements Metal {
		public int weigh() {
			return 2;
		}
	}
}
