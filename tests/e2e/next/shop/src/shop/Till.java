// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.List;

public class Till {
	private final List<Item> books = new ArrayList<>();
	private final List<Item> gifts = new ArrayList<>();

	/** No gift comes to the call. */
	public int add(Item item) {
		if (item instanceof Gift)
			return 0;
		return item.price();
	}

	/** Nor here. */
	public int exact(Item item) {
		return item.getClass() == Gift.class ? 1 : item.price();
	}

	public int by(Rule rule, Item item) {
		return rule.apply(item);
	}

	public void keep(Book book) {
		books.add(book);
	}

	public void give(Gift gift) {
		gifts.add(gift);
	}

	/** Gifts are in another list. */
	public int sum() {
		int sum = 0;
		for (Item item : books)
			sum += item.price();
		return sum;
	}
}
