// SPDX-License-Identifier: Apache-2.0
package shop;

public class Cart {
	public static int items = Counter.start();
	public Object last;

	public Cart() {
		Counter.made();
	}

	public void add(Object item) {
		last = item;
		Counter.added();
	}

	public static int total() {
		return Counter.count();
	}

	public void unused() {
		Counter.never();
	}
}
