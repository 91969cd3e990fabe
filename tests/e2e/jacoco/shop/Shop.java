// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/* Calls in whatever JaCoCo puts its probes into: branches, switches, loops, handlers, lambdas, interfaces, initialisers. */
public class Shop {
	static final List<Item> SHELF = stock();
	private final Map<String, Integer> sold = new LinkedHashMap<>();

	static List<Item> stock() {
		List<Item> items = new ArrayList<>();
		for (int i = 0; i < 12; i++)
			items.add(i % 3 == 0 ? new Book(i) : i % 3 == 1 ? new Pen() : new Gift(new Book(i)));
		items.sort(Comparator.comparingInt(Item::price));
		return items;
	}

	int total(Collection<? extends Item> items, IntUnaryOperator discount) {
		int sum = 0;
		for (Item i : items) {
			try {
				sum += discount.applyAsInt(i.sell()) + (i.isHeavy() ? i.price() : 0);
			} catch (IllegalStateException e) {
				sum += i.label().length();
			} finally {
				sold.merge(i.label(), 1, (a, b) -> a + b);
			}
		}
		return sum;
	}

	String rank(Item i, Object key) {
		switch (i.price() % 4) {
		case 0: return i.label() + key.hashCode();
		case 1: return key.toString() + i.label();
		case 2: return i.label();
		default: return i.isHeavy() || key.equals(i.label()) ? i.toString() : i.label() + i.price();
		}
	}

	synchronized String run(int rounds) {
		StringBuilder said = new StringBuilder();
		for (int r = 0; r < rounds; r++) {
			int off = r;
			said.append(total(SHELF, p -> p - off)).append(' ').append(total(SHELF.subList(0, r % 5), p -> 2 * p)).append('\n');
			for (Item i : SHELF)
				said.append(rank(i, r % 2 == 0 ? (Object) r : "k" + r)).append(' ');
		}
		return said.append(sold).toString();
	}

	public static void main(String[] args) {
		System.out.println(new Shop().run(50));
	}
}

interface Item {
	int LIMIT = Integer.parseInt("5");

	int price();

	default int sell() { return price(); }

	default boolean isHeavy() { return label().length() > LIMIT; }

	default String label() { return getClass().getSimpleName(); }
}

class Book implements Item {
	private final int price;

	Book(int price) { this.price = price; }

	public int price() { return price; }

	public int sell() {
		if (price == 9)
			throw new IllegalStateException();
		return price;
	}

	public String toString() { return "book " + price; }
}

class Pen implements Item {
	public int price() { return 2; }

	public String toString() { return "pen"; }
}

class Gift implements Item {
	private final Item inner;

	Gift(Item inner) { this.inner = inner; }

	public int price() { return inner.price() + 1; }

	public String toString() { return "gift " + inner; }

	public String label() { return "Gift of " + inner.label(); }
}
