// SPDX-License-Identifier: Apache-2.0
package refs;

public interface Named {
	default int number(int x) {
		return x + 9;
	}
}
