// SPDX-License-Identifier: Apache-2.0
package init;

/** Code outside needs it, when its own initialiser runs. */
public class ByLibrary {
	static int count = Integer.parseInt("1");

	public static int value() {
		return count;
	}
}
