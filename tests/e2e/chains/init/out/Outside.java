// SPDX-License-Identifier: Apache-2.0
package out;

public class Outside {
	static int count = init.ByLibrary.value();

	public static int value() {
		return count;
	}
}
