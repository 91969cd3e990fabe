// SPDX-License-Identifier: Apache-2.0
package refs.other;

/** In another package, so that protected members need a way of their own. */
public class Far {
	protected int guarded(int x) {
		return x + 20;
	}

	protected static int guardedStatic(int x) {
		return x + 21;
	}
}
