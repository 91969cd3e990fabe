// SPDX-License-Identifier: Apache-2.0
package pairs;

import java.util.*;

/**
 * Definitions have a name: "// def NAME". A use says which of them it may read, and that it reads no others: "// use NAME...", or
 * "// use nothing". "by KIND" is what the pairs of the line are.
 */
class Box {
	int n;
	Box next;
	static int count;
}

class Lazy {
	static int v = Pairs.seed();                // def lazy
}

class Early {
	static int v = Pairs.seed();                // def early
}

class Setter {
	int n;
	Setter(int n) {
		this.n = n;                         // def constructed
	}
	void set(int n) {
		this.n = n;                         // def set
	}
	int get() {
		return n;                           // use constructed set by inter
	}
}

class Item implements Comparable<Item> {
	int rank, compared;
	Item(int rank) {
		this.rank = rank;                   // def rank
	}
	public int compareTo(Item o) {
		compared = 1;                       // def compared
		return rank - o.rank;               // use rank by inter
	}
}

public class Pairs {
	static int same, calls, kept, caught, late, both, loops, lambda, taken;

	static int seed() {
		return 3;
	}

	static void say(int n) {
	}

	static void say(Object o) {
	}

	static void killed() {
		Box b = new Box();
		b.n = 1;                            // def lost
		b.n = 2;                            // def last
		say(b.n);                           // use last by intra
	}

	static void aliases(boolean which) {
		Box x = new Box(), y = new Box();
		x.next = y;                         // def xnext
		y.next = x;                         // def ynext
		say(x.next);                        // use xnext by intra
		Box z = which ? x : y;
		z.next = z;                         // def znext
		say(x.next);                        // use xnext znext by intra
		say(y.next);                        // use ynext znext by intra
	}

	/** The object of the last round is not that of this one. */
	static void rounds() {
		Box last = null;
		for (int i = 0; i < 3; i++) {
			Box b = new Box();
			b.n = i;                    // def round
			if (last != null)
				say(last.n);        // use round by intra
			last = b;
		}
	}

	static void one() {
		same = 1;                           // def one
		nothing();
		say(same);                          // use one by intra
	}

	static void two() {
		same = 2;                           // def two
		nothing();
		say(same);                          // use two by intra
	}

	static void nothing() {
		calls++;
	}

	static void reset() {
		kept = 0;                           // def reset
	}

	static void perhaps(boolean yes) {
		if (yes)
			kept = 5;                   // def perhaps
	}

	static void calls(boolean yes) {
		kept = 1;                           // def gone
		reset();
		say(kept);                          // use reset by inter
		kept = 2;                           // def stays
		perhaps(yes);
		say(kept);                          // use stays perhaps
	}

	static void fails(boolean yes) {
		if (yes)
			throw new IllegalStateException();
		caught = 7;                         // def inside
	}

	static void exceptions(boolean yes) {
		try {
			caught = 1;                 // def before
			fails(yes);
			caught = 2;                 // def after
		} catch (IllegalStateException e) {
			say(caught);                // use before by intra
			return;
		}
		say(caught);                        // use after by intra
	}

	static void fail() {
		throw new IllegalStateException();
	}

	static void leavesThrown(boolean yes) {
		taken = 1;                                  // def first
		taken = 2;                                  // def thrown
		if (yes)
			throw new IllegalStateException();
		taken = 3;                                  // def returned
	}

	static void thrown(boolean yes) {
		try {
			leavesThrown(yes);
		} catch (IllegalStateException e) {
			say(taken);                         // use thrown by inter
			return;
		}
		say(taken);                                 // use returned by inter
	}

	static void neverThere() {
		both = 1;                           // def both
		try {
			fail();
			both = 2;                   // def never
		} finally {
			say(both);                  // use both by intra
		}
	}

	static void initialisers() {
		say(Lazy.v);                        // use lazy by inter
		Early.v = 4;                        // def given
		say(Early.v);                       // use given by intra
	}

	static void objects() {
		Setter a = new Setter(1);
		say(a.n);                           // use constructed by inter
		a.set(2);
		say(a.n + a.get());                 // use constructed set by inter
		Setter b = new Setter(3);
		say(b.n);                           // use constructed by inter
	}

	static void callbacks() {
		Item x = new Item(1), y = new Item(2);
		say(x.compared);                    // use nothing
		new TreeSet<Item>(Arrays.asList(x, y));
		say(x.compared);                    // use compared by inter
		lambda = 1;                         // def lambda
		List.of(x).forEach(i -> {
			say(lambda);                // use lambda within by inter
			lambda = 2;                 // def within
		});
		say(lambda);                        // use lambda within
	}

	static int recursive(int n) {
		int before = loops;                 // use start deeper
		loops = n;                          // def deeper
		return n > 0 ? recursive(n - 1) + before : before;
	}

	public static void main(String[] args) throws Exception {
		boolean yes = args.length > 0;
		killed();
		aliases(yes);
		rounds();
		one();
		two();
		calls(yes);
		exceptions(yes);
		thrown(yes);
		try {
			neverThere();
		} catch (IllegalStateException e) {
			say("thrown");
		}
		initialisers();
		objects();
		callbacks();
		loops = 9;                          // def start
		recursive(3);
		say(loops);                         // use deeper by inter
	}
}
