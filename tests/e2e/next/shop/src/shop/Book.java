// SPDX-License-Identifier: Apache-2.0
package shop;

public class Book extends Item {
	private final int price;

	public Book(String title, int price) {
		this.price = price;
	}

	public int price() {
		return price;
	}
}
