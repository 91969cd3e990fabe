// SPDX-License-Identifier: Apache-2.0
package way;

class Base {
	Base(int n) {
		if (n < 0)
			throw new IllegalArgumentException();
	}
}

public class Inner extends Base {
	public Inner(int n) {
		super(n);
	}

	int value() {
		return 1;
	}
}
