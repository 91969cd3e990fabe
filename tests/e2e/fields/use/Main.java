// SPDX-License-Identifier: Apache-2.0
// Uses and definitions of fields. "D name" behind a line names its definitions; "U name..." says which of them uses in the line read in a run,
// by the last definition of that object's field: "-" is what is there from the start, which is no pair.
package use;

import java.io.Serializable;
import java.util.function.IntSupplier;

class Point {
	int x, y;
	long wide;
	double half;
	protected float part;
	String name = "point"; // D name
	final int[] cells;
	static long made;
	static Point last;

	Point(int x, int y) {
		this.x = x; // D x
		this.y = y; // D y
		cells = new int[] { x, y }; // D cells
		made++; // D made U - made
		last = this; // D last
	}

	int sum() {
		int sum = x; // U x moved
		sum += y; // U y shifted
		return sum;
	}

	void move(int by) {
		x += by; // D moved U x moved
	}

	void widen(long w, double h) {
		wide = w; // D wide
		half = h; // D half
	}
}

class Deep extends Point {
	private int depth;
	private static volatile int instances;

	Deep(int x, int depth) {
		super(x, x);
		this.depth = depth; // D depth
		part = depth / 2f; // D part
		instances += 1; // D instances U - instances
	}

	void shift() {
		y = sum() + depth; // D shifted U depth
	}

	static int instances() {
		return instances; // U instances
	}
}

/* The compiler stores the outer object, and what a local class captures, before it calls the constructor of the superclass. */
class Outer {
	private int seen;
	private byte small;
	private char letter;
	private boolean flag;
	private short brief;
	private Object any;

	class Inner extends Point {
		Inner() { // D this$0
			super(1, 2);
			seen = 5; // D seen
		}
	}

	int run(int captured) {
		class Local extends Point {
			Local() { // D this$1 val$captured
				super(captured, 0);
			}

			int twice() {
				return captured * 2 + seen; // U val$captured this$1 seen
			}
		}
		new Inner();
		return new Local().twice();
	}

	int sorts() {
		small = 1; // D small
		letter = 'c'; // D letter
		flag = true; // D flag
		brief = 2; // D brief
		any = new long[3]; // D any
		int sum = 0;
		if (flag) // U flag
			sum += small; // U small
		sum += letter; // U letter
		sum += brief; // U brief
		return sum + ((long[]) any).length; // U any
	}
}

class Failing {
	private int state;
	private Failing next;

	int step(int how) {
		try {
			state = 1; // D tried
			if (how == 0)
				throw new IllegalStateException();
			state = 2; // D went
			if (how == 1)
				next.state = 9; // D never U -
		} catch (IllegalStateException e) {
			return state; // U tried
		} catch (NullPointerException e) {
			state += e.getStackTrace()[0].getLineNumber() > 0 ? 4 : 0; // D caught U went
		}
		return state; // U went caught
	}

	/* The value is computed, and the object is none: who says so does it as without the agent. */
	static String nothing(Point p, int what) {
		try {
			if (what == 0)
				p.x = 3; // D none
			else if (what == 1)
				p.wide = 3L; // D nowhere
			else if (what == 2)
				return "" + p.half; // U
			else
				return "" + p.name; // U
			return "done";
		} catch (NullPointerException e) {
			return e.getMessage() + " at " + e.getStackTrace()[0];
		}
	}
}

class Shared {
	static int total;
	private volatile int value;
	private final Object lock = new Object(); // D lock
	static final Shared one = new Shared(); // D one
	static int early = one.value; // D early U one -

	void work() throws InterruptedException {
		Thread t = new Thread(() -> {
			value = 7; // D value
			total = 3; // D total
		});
		t.start();
		t.join();
		synchronized (lock) { // U lock
			total += value; // D more U total value
		}
	}
}

/* Who would see another field in the version of a class that is serialized? */
class Kept implements Serializable {
	int open;
	private int closed;

	int fill() {
		open = 1; // D unseen
		closed = 2; // D closed
		return open + closed; // U closed
	}
}

public class Main {
	private IntSupplier supplier;
	private int[] array;
	private int count;

	private int lambdas(int n) {
		supplier = () -> count; // D supplier U counted
		count = n; // D counted
		array = new int[n]; // D array
		array[0] = 4; // U array
		return supplier.getAsInt() + array[0]; // U supplier array
	}

	private static int jumps(Point p, int n) {
		int sum = 0;
		for (int i = 0; i < n; i++) {
			switch (i) {
			case 0: p.x = 1; break; // D zero
			case 1: p.x = 2; p.x = 3; break; // D first second
			default: break;
			}
			sum += p.x; // U zero second
		}
		return sum;
	}

	public static void main(String[] args) throws Exception {
		Point a = new Point(1, 2), b = new Point(3, 4);
		a.move(5);
		System.out.println(a.sum() + b.sum());
		a.move(5);
		a.widen(1L << 40, 0.25);
		b.widen(2, 0.5);
		System.out.println(a.wide + " " + b.half); // U wide half
		System.out.println(b.name + a.cells[1] + Point.made); // U name cells made
		System.out.println(Point.last == b); // U last
		Deep d = new Deep(6, 7);
		d.shift();
		System.out.println(d.sum() + d.part + d.y + Deep.instances()); // U part shifted
		new Deep(1, 1);
		System.out.println(new Outer().run(8) + new Outer().sorts());
		System.out.println(new Failing().step(0) + new Failing().step(1) + new Failing().step(2));
		for (int i = 0; i < 4; i++)
			System.out.println(Failing.nothing(null, i));
		Shared.one.work(); // U one
		System.out.println(Shared.total + Shared.early); // U more early
		System.out.println(new Kept().fill() + " " + java.io.ObjectStreamClass.lookup(Kept.class).getSerialVersionUID());
		System.out.println(new Main().lambdas(2) + jumps(a, 3));
	}
}
