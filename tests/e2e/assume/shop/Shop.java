// SPDX-License-Identifier: Apache-2.0
package shop;

interface Discount {
	int apply(int cents);
}

class None implements Discount {
	public int apply(int cents) {
		return cents;
	}
}

class Half implements Discount {
	public int apply(int cents) {
		return cents / 2;
	}
}

class Free implements Discount {
	public int apply(int cents) {
		return 0;
	}
}

public class Shop {
	private final Discount discount;

	public Shop(String kind) throws Exception {
		discount = (Discount) Class.forName(kind).getDeclaredConstructor().newInstance();
	}

	public Shop(boolean sale) throws Exception {
		discount = (Discount) Class.forName("shop." + (sale ? "Half" : "None")).getDeclaredConstructor().newInstance();
	}

	public int price(int cents) {
		return discount.apply(cents);
	}
}
