// SPDX-License-Identifier: Apache-2.0
package pass;

import out.Lib;

/** What code outside is passed comes back: objects, not all that any code passes. */
public class Api {
	private static final Mark HIDDEN = new Hidden();

	/** Clients have marks of their own. */
	public static class Mark {
		void step() { Api.live(); }
	}

	/** A mark that clients are given. */
	public static class Given extends Mark {
		Given() {
		}

		@Override
		void step() { Api.given(); }
	}

	static final class Hidden extends Mark {
		@Override
		void step() { Api.hidden(); }
	}

	static final class Shown {
		@Override
		public String toString() { return "shown"; }
	}

	static final class Kept {
		@Override
		public String toString() { return "kept"; }
	}

	static final class Listed {
		@Override
		public String toString() { return "listed"; }
	}

	static final class Far {
		@Override
		public String toString() { return "far"; }
	}

	static void live() { }
	static void given() { }
	static void hidden() { }

	public static Mark give() { return new Given(); }

	public static void take(Mark m) {
		m.step();
		if (m == HIDDEN)
			hidden();
	}

	public static void takeHidden() { take(HIDDEN); }

	public static String text() { return Lib.text("a constant"); }

	public static String shown() { return Lib.text(new Shown()); }

	/** In a field of what is passed. */
	public static String kept() { return new Lib.Box(new Kept()).text(); }

	/** In an array. */
	public static String listed() { return Lib.all(new Listed(), "other"); }

	/** Many calls away: with few, no stack has it. */
	public static String far() { return Lib.far(new Far()); }
}
