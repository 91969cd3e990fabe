// SPDX-License-Identifier: Apache-2.0
package cond;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** What fields hold that never change, and fields that only seem so. */
public class Fields {
	private static boolean off;
	private static final Object MADE = new Object();
	private static final Object OTHER = new Object();
	private static int once = 7;
	private static int twice = 7;
	private static volatile int turned;
	private final int fixed = 5;
	private final boolean late;
	private int never;
	private int changed;
	private Fields next;

	private static void deadStatic() { Seen.dead("-static"); }
	private static void deadIdentity() { Seen.dead("-identity"); }
	private static void liveIdentity() { Seen.live("-identity"); }
	private static void liveTwice() { Seen.live("-twice"); }
	private static void liveTurned() { Seen.live("-turned"); }
	private static void deadFixed() { Seen.dead("-fixed"); }
	private static void liveDefault() { Seen.live("-default"); }
	private static void deadNever() { Seen.dead("-never"); }
	private static void liveChanged() { Seen.live("-changed"); }
	private static void liveSerial() { Seen.live("-serial"); }
	private static void liveUpdated() { Seen.live("-updated"); }
	private static void liveCycle() { Seen.live("-cycle"); }
	private static void liveEarly() { Seen.live("-early"); }
	private static void liveBrother() { Seen.live("-brother"); }
	private static void liveOpen() { Seen.live("-open"); }
	private static void livePeek() { Seen.live("-peek"); }
	private static void liveShared() { Seen.live("-shared"); }
	private static void liveOn() { Seen.live("-on"); }
	private static void deadOn() { Seen.dead("-on"); }
	private static void liveAny() { Seen.live("-any"); }
	private static void deadNext() { Seen.dead("-next"); }

	public Fields() {
		look();                       /* `late` is not stored as yet */
		late = true;
	}

	private void look() {
		if (!late)
			liveDefault();
	}

	public static void statics() {
		if (off || once != 7)
			deadStatic();
		same(MADE);
	}

	private static void same(Object o) {
		if (o == OTHER)
			deadIdentity();
		if (o == MADE)
			liveIdentity();
	}

	public static void turn() {
		twice = 8;
		turned++;
	}

	public static void turned() {
		if (twice != 7)
			liveTwice();
		if (turned != 0)
			liveTurned();
	}

	public void objects() {
		if (fixed != 5)
			deadFixed();
		if (never != 0)
			deadNever();
		if (changed != 0)
			liveChanged();
		if (next != null)
			deadNext();
	}

	/* Nested classes may write private fields. */
	static class Brother {
		int brother;
		private int open;

		void change(Fields f) { f.changed++; }
	}

	public void change() { new Brother().change(this); }

	/* Whoever is in the package may write what is not private. */
	public static void open(boolean on) {
		Brother b = new Brother();
		b.brother = on ? 1 : 0;
		b.open = on ? 1 : 0;
		if (b.brother != 0)
			liveBrother();
		if (b.open != 0)
			liveOpen();
	}

	/** A stream may have any value. */
	public static class Stored implements Serializable {
		private static final long serialVersionUID = 1;
		private int kept = 1;

		public void ask() {
			if (kept != 1)
				liveSerial();
		}
	}

	/** Fields that are written by name. */
	public static class Updated {
		private static final AtomicIntegerFieldUpdater<Updated> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Updated.class, "state");
		private volatile int state;

		public void ask() {
			UPDATER.set(this, 1);
			if (state != 0)
				liveUpdated();
		}
	}

	/** Code that runs while its class is initialised sees the field before it has its value. */
	public static class Cycle {
		static final Object KEY;

		static {
			Helper.look();
			KEY = new Object();
		}

		public static void start() {
		}
	}

	static class Helper {
		static void look() {
			if (Cycle.KEY == null)
				liveCycle();
		}
	}

	/** The class of an object says what its constructors store. */
	abstract static class Part {
		private final boolean on;
		final int size;

		Part(boolean on, int size) {
			this.on = on;
			this.size = size;
		}

		void ask() {
			if (on)
				liveOn();
			if (!on && size > 5)
				deadOn();
			if (this instanceof Any && size > 5)
				liveAny();
		}
	}

	static class On extends Part {
		On() { super(true, 10); }
	}

	static class Off extends Part {
		Off() { this(3); }

		private Off(int size) { super(false, 3); }
	}

	static class Any extends Part {
		Any(int size) { super(true, size); }
	}

	public static void parts(int size) {
		askOn(new On());
		askOff(new Off());
		new Any(size).ask();
	}

	private static void askOn(On p) { p.ask(); }
	private static void askOff(Off p) { p.ask(); }

	/** Two fields with one object, and a field that is read before it is stored. */
	public static class Shared {
		private static final Object ONE, TWO;
		private static final Object LAST;

		static {
			ONE = TWO = new Object();
			peek();
			LAST = new Object();
		}

		private static void peek() {
			if (last() == null)
				livePeek();
		}

		private static Object last() { return LAST; }

		public static void shared() { compare(ONE); }

		private static void compare(Object o) {
			if (o == TWO)
				liveShared();
		}
	}

	/** A superclass calls what its subclass overrides, before that has stored its fields. */
	abstract static class Base {
		Base() { init(); }

		abstract void init();
	}

	public static class Derived extends Base {
		private final Object part = new Object();

		@Override
		void init() {
			if (part == null)
				liveEarly();
		}
	}
}
