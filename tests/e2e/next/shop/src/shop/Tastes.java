// SPDX-License-Identifier: Apache-2.0
package shop;

public final class Tastes {
	private Tastes() {
	}

	public static Taste broad() {
		return new Broad();
	}

	public static Taste narrow() {
		return new Narrow();
	}

	private static final class Narrow implements Taste {
		public boolean likes(Item item) {
			return item instanceof Book;
		}
	}

	private static final class Broad implements Taste {
		public boolean likes(Item item) {
			return true;
		}
	}
}
