// SPDX-License-Identifier: Apache-2.0
package shoptest;

import shop.Shop;

public class ShopTest {
	public static void main(String[] args) throws Exception {
		if (new Shop(true).price(100) != 50 || new Shop("shop.None").price(100) != 100)
			throw new AssertionError();
	}
}
