// SPDX-License-Identifier: Apache-2.0
package shop;

/** Nothing but paper is torn: what clients pass comes back to them. */
public class Foil implements Wrap {
	public static Object same(Object it) {
		return it;
	}

	public static int open(boolean isThick) {
		Wrap wrap = isThick ? new Thick() : new Thin();
		return ((Wrap) same(wrap)).tear();
	}

	public int tear() {
		return 0;
	}

	private static final class Thin implements Wrap {
		public int tear() {
			return 1;
		}
	}

	private static final class Thick implements Wrap {
		public int tear() {
			return 2;
		}
	}
}
