/* SPDX-License-Identifier: Apache-2.0 */
package doc;

/** Overrides what is not public, and extends what is not. */
public class DocTest {
	static class Mine extends Target {
		@Override
		int put() {
			return 3;
		}
	}

	static class Other extends Doc {
		private final boolean mine;

		Other(boolean mine) {
			this.mine = mine;
		}

		@Override
		Target open() {
			return mine ? new Mine() : new Echo();
		}
	}

	public static void main(String[] args) {
		Doc doc = new Doc();
		doc.note(() -> 5);
		System.out.println(doc.save() + new Other(true).save() + new Other(false).save());
	}
}
