// SPDX-License-Identifier: Apache-2.0
package cond;

/** What `this` is, and what methods return. */
public class Objects {
	private static void deadThis() { Seen.dead("-this"); }
	private static void liveThis() { Seen.live("-this"); }
	private static void deadResult() { Seen.dead("-result"); }
	private static void liveResult() { Seen.live("-result"); }
	private static void deadMade() { Seen.dead("-made"); }
	private static void liveOverridden() { Seen.live("-overridden"); }
	private static void deadDeep() { Seen.dead("-deep"); }
	private static void liveThrown() { Seen.live("-thrown"); }

	abstract static class Shape {
		abstract boolean isRound();

		boolean isFlat() { return false; }

		void draw() {
			if (isRound())
				drawRound();
			else
				drawEdges();
			if (this instanceof Circle)
				drawRound();
			if (getClass() == Square.class)
				drawEdges();
			if (!getClass().getName().equals("cond.Objects$Circle"))
				drawEdges();
			if (isFlat())
				flatten();
		}

		void drawRound() {
		}

		void drawEdges() {
		}

		void flatten() { liveOverridden(); }
	}

	static class Circle extends Shape {
		@Override
		boolean isRound() { return true; }

		@Override
		void drawEdges() { deadThis(); }
	}

	static class Square extends Shape {
		@Override
		boolean isRound() { return false; }

		@Override
		boolean isFlat() { return true; }

		@Override
		void drawRound() { deadThis(); }

		@Override
		void drawEdges() { liveThis(); }
	}

	public static void shapes() {
		new Circle().draw();
		new Square().draw();
	}

	private static boolean isOn() { return false; }

	private static int level(boolean on) { return on ? 3 : 4; }

	public static void results() {
		if (isOn())
			deadResult();
		if (level(true) == 4)
			deadResult();
		if (level(false) == 4)
			liveResult();
	}

	private static boolean deep() { return level(isOn()) == 3; }

	public static void deep(int n) {
		if (deep())
			deadDeep();
	}

	private static Shape make() { return new Circle(); }

	private static void use(Shape s) {
		if (!(s instanceof Circle))
			deadMade();
	}

	public static void made() { use(make()); }

	private static void check(boolean on) {
		if (on)
			throw new IllegalStateException();
	}

	/* An exception leads to the handler, whatever comes after it. */
	public static void thrown() {
		boolean on = false;
		try {
			check(true);
		} catch (IllegalStateException e) {
			on = true;
		}
		if (on)
			liveThrown();
	}
}
