// SPDX-License-Identifier: Apache-2.0
package shop;
import java.util.List;
public class Shop {
	public interface Item { int price(); }
	public static class Book implements Item { public int price() { return 10; } }
	public static class Pen implements Item { public int price() { return 2; } }
	public int total(List<Item> items) {
		int sum = 0;
		for (Item i : items)
			sum += i.price();
		return sum;
	}
}
