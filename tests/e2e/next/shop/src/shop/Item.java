// SPDX-License-Identifier: Apache-2.0
package shop;

public abstract class Item {
	public abstract int price();
}
