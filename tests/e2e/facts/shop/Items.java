// SPDX-License-Identifier: Apache-2.0
package shop;

public class Items {
	private final int n;

	public Items(int n) {
		this.n = n;
		Counter.filled();
	}

	@Override
	public String toString() {
		return "items " + n;
	}
}
