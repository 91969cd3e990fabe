// SPDX-License-Identifier: Apache-2.0
package cond;

/** What calls pass, and what happens to it. */
public class Params {
	enum Mode { FAST, SLOW, NONE }

	private static void deadBool() { Seen.dead("-bool"); }
	private static void liveBool() { Seen.live("-bool"); }
	private static void deadInt() { Seen.dead("-int"); }
	private static void liveInt() { Seen.live("-int"); }
	private static void deadNull() { Seen.dead("-null"); }
	private static void liveNull() { Seen.live("-null"); }
	private static void deadEnum() { Seen.dead("-enum"); }
	private static void liveEnum() { Seen.live("-enum"); }
	private static void deadSwitch() { Seen.dead("-switch"); }
	private static void liveSwitch() { Seen.live("-switch"); }
	private static void liveFall() { Seen.live("-fall"); }
	private static void deadString() { Seen.dead("-string"); }
	private static void liveString() { Seen.live("-string"); }
	private static void deadClass() { Seen.dead("-class"); }
	private static void deadType() { Seen.dead("-type"); }
	private static void liveType() { Seen.live("-type"); }
	private static void deadLong() { Seen.dead("-long"); }
	private static void liveAssigned() { Seen.live("-assigned"); }
	private static void liveCounted() { Seen.live("-counted"); }
	private static void liveRecursion() { Seen.live("-recursion"); }
	private static void liveHandler() { Seen.live("-handler"); }
	private static void liveFinally() { Seen.live("-finally"); }
	private static void deadTernary() { Seen.dead("-ternary"); }
	private static void liveTernary() { Seen.live("-ternary"); }
	private static void deadAnd() { Seen.dead("-and"); }
	private static void deadNested() { Seen.dead("-nested"); }
	private static void liveOuter() { Seen.live("-outer"); }
	private static void deadRange() { Seen.dead("-range"); }
	private static void liveRange() { Seen.live("-range"); }
	private static void deadKnown() { Seen.dead("-known"); }
	private static void deadMasked() { Seen.dead("-masked"); }
	private static void liveLambda() { Seen.live("-lambda"); }
	private static void liveVarargs() { Seen.live("-varargs"); }
	private static void liveReference() { Seen.live("-reference"); }
	private static void deadReceiver() { Seen.dead("-receiver"); }

	public static void bool() { bool(true); }

	private static void bool(boolean on) {
		if (!on)
			deadBool();
		else
			liveBool();
	}

	public static void number() { number(3); }

	private static void number(int n) {
		if (n > 4)
			deadInt();
		if (n * 2 == 6)
			liveInt();
	}

	public static void wide() { wide(1L << 40, true, 0.5, false); }

	private static void wide(long n, boolean on, double d, boolean off) {
		if (n < 0 || !on || off)
			deadLong();
	}

	public static void nothing() { nothing(null, "x"); }

	private static void nothing(Object a, Object b) {
		if (a != null)
			deadNull();
		if (b == null)
			deadNull();
		else
			liveNull();
	}

	public static void choice() { choice(Mode.SLOW); }

	private static void choice(Mode m) {
		if (m == Mode.FAST)
			deadEnum();
		if (m == Mode.SLOW)
			liveEnum();
		switch (m) {
		case FAST: deadEnum(); break;
		case SLOW: liveEnum(); break;
		default: deadEnum();
		}
	}

	public static void cases() { cases(2); }

	private static void cases(int n) {
		switch (n) {
		case 1: deadSwitch();
		case 2: liveSwitch();
		case 3: liveFall(); break;
		case 4: deadSwitch(); break;
		default: deadSwitch();
		}
	}

	public static void text() { text("b"); }

	private static void text(String s) {
		switch (s) {
		case "a": deadString(); break;
		case "b": liveString(); break;
		default: deadString();
		}
		if (s.equals("c") || s.isEmpty() || "".equals(s))
			deadString();
	}

	public static void type() { type(new StringBuilder(), String.class); }

	private static void type(Object o, Class<?> c) {
		if (o instanceof String)
			deadType();
		if (o instanceof CharSequence)
			liveType();
		if (c == Integer.class || o.getClass() == String.class)
			deadClass();
	}

	public static void assigned(boolean x) { assign(false, x); }

	private static void assign(boolean on, boolean x) {
		if (x)
			on = true;
		if (on)
			liveAssigned();
	}

	public static void counted() { count(0); }

	private static void count(int n) {
		for (int i = 0; i < 3; i++)
			n++;
		if (n > 2)
			liveCounted();
	}

	public static void recursion() { recur(4, false); }

	private static void recur(int n, boolean last) {
		if (last)
			liveRecursion();
		else
			recur(n - 1, n == 1);
	}

	public static void handled(Object o) { handle(null, o); }

	private static int handle(int[] a, Object o) {
		int n = 0;
		try {
			n = 1;
			n = a[0];
		} catch (NullPointerException e) {
			if (n == 1)
				liveHandler();
		} finally {
			if (o == null)
				liveFinally();
		}
		return n;
	}

	public static void ternary(boolean a) { pass(a ? 1 : 2, false); }

	private static void pass(int n, boolean on) {
		if (n == 3)
			deadTernary();
		if (n == 2)
			liveTernary();
		if (n == 2 && on)
			deadAnd();
	}

	/* The call that decides is two calls above. */
	public static void nested() { outer(false, 1); }

	private static void outer(boolean on, int n) {
		liveOuter();
		inner(on);
	}

	private static void inner(boolean on) {
		if (on)
			deadNested();
	}

	public static void range(int n) {
		if (n >= 10)
			ranged(n);
	}

	private static void ranged(int n) {
		if (n < 5)
			deadRange();
		if (n < 11)
			liveRange();
	}

	/* What a branch says holds below it. */
	public static void known(Object o, boolean on) {
		if (o == null)
			return;
		checked(o);
		if (!on)
			return;
		bool(on);
	}

	private static void checked(Object o) {
		if (o == null)
			deadKnown();
	}

	public static void masked(int n) { mask(n & 7); }

	private static void mask(int n) {
		if (n < 0 || n > 7)
			deadMasked();
	}

	/* A lambda does not get the arguments of the call that made it. */
	public static void lambda() {
		run(on -> {
			if (on)
				liveLambda();
		}, false);
	}

	interface Switch { void set(boolean on); }

	private static void run(Switch s, boolean on) { s.set(!on); }

	public static void varargs() { many(1, 2); }

	private static void many(int... all) {
		if (all.length == 2)
			liveVarargs();
	}

	public static void reference() { run(Params::refer, false); }

	private static void refer(boolean on) {
		if (on)
			liveReference();
	}

	private void method() { deadReceiver(); }

	public static void receiver() { call(null); }

	private static void call(Params p) {
		try {
			p.method();
		} catch (NullPointerException e) {
			liveNull();
		}
	}
}
