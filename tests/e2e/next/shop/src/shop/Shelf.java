// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;

/** Clients get at views by the name of List only. */
public class Shelf {
	private final Item item;

	/** Nothing is on it. */
	public Shelf() {
		this(new Item[1]);
	}

	public Shelf(Item... items) {
		item = items[0];
	}

	public int worth() {
		return item.price();
	}

	public List<Item> view(Taste taste) {
		return new View(item, taste);
	}

	private static final class View extends AbstractList<Item> {
		private final Item item;
		private final Taste taste;

		View(Item item, Taste taste) {
			this.item = item;
			this.taste = taste;
		}

		public Item get(int index) {
			return taste.likes(item) ? item : null;
		}

		public int size() {
			return 1;
		}

		public Iterator<Item> iterator() {
			return new Step(item);
		}
	}

	private static final class Step implements Iterator<Item> {
		private final Item item;

		Step(Item item) {
			this.item = item;
		}

		public boolean hasNext() {
			return item != null;
		}

		public Item next() {
			return item;
		}
	}
}
