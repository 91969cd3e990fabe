// SPDX-License-Identifier: Apache-2.0
package shelf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A library with fields of every sort: of both kinds of types, of superclasses, static ones; written by constructors, initialisers,
 * callbacks, lambdas, inner classes, by reflection, VarHandles, and by memory at an offset. */
public class Box implements Cloneable {
	private static int made;
	private static Box last;
	private static final Map<String, Box> named = new HashMap<>();
	private final int number;
	private long weight;
	private double price = 1.5;
	private Object content;
	private byte[] bytes;
	Box next;

	public Box() {
		number = ++made;
		last = this;
	}

	public int number() {
		return number;
	}

	public long weigh() {
		return weight;
	}

	public void load(long more) {
		weight += more;
	}

	public void put(Object o) {
		content = o;
	}

	public Object content() {
		return content;
	}

	/** Only a new one is written. */
	public Box heavier(long more) {
		Box b = new Box();
		b.load(weight + more);
		return b;
	}

	public static Box newest() {
		return last;
	}

	public static Box named(String name) {
		Box b = named.get(name);
		if (b == null)
			named.put(name, b = new Box());
		return b;
	}

	public void link(Box other) {
		last(this).next = other;
	}

	private static Box last(Box b) {
		while (b.next != null)
			b = b.next;
		return b;
	}

	/** Nobody sees what it writes. */
	public static long sum(int n) {
		long[] numbers = new long[n];
		Box b = new Secret();
		for (int i = 0; i < n; i++) {
			numbers[i] = i;
			b.load(numbers[i]);
		}
		return b.weigh();
	}

	static class Secret extends Box {
		@Override public void load(long more) {
			super.load(2 * more);
		}
	}

	public void change(Function<Object, Object> f) {
		content = f.apply(content);
		price *= 2;
	}

	public Box copy() {
		try {
			return (Box)clone();
		} catch (CloneNotSupportedException e) {
			throw new IllegalStateException(e);
		}
	}

	public void fail() {
		throw new Broken(this, number);
	}

	public static class Broken extends RuntimeException {
		public final int number;
		public final Box box;

		Broken(Box box, int number) {
			super("broken");
			this.box = box;
			this.number = number;
			box.price = 0;
		}
	}

	public Runnable loader(long n) {
		return () -> weight += n;
	}

	public class Lid {
		private boolean isOpen;

		public boolean toggle() {
			isOpen = !isOpen;
			weight++;
			return isOpen;
		}
	}

	public Lid lid() {
		return new Lid();
	}

	public List<Box> chain() {
		List<Box> all = new ArrayList<>();
		for (Box b = this; b != null; b = b.next)
			all.add(b);
		return all;
	}

	public byte[] bytes() {
		if (bytes == null)
			bytes = new byte[4];
		bytes[0]++;
		return bytes;
	}
}
