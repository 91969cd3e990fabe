// SPDX-License-Identifier: Apache-2.0
package cond;

/** Fields that are made when they are needed first, and are never null again; and some that are. */
public class Kept implements Cloneable {
	private static void deadAgain() { Seen.dead("-again"); }
	private static void deadInner() { Seen.dead("-inner"); }
	private static void deadStored() { Seen.dead("-stored"); }
	private static void deadChecked() { Seen.dead("-checked"); }
	private static void liveLost() { Seen.live("-lost"); }
	private static void liveSome() { Seen.live("-some"); }
	private static void liveTried() { Seen.live("-tried"); }
	private static void liveCaught() { Seen.live("-caught"); }
	private static void liveOther() { Seen.live("-other"); }
	private static void liveDropped() { Seen.live("-dropped"); }
	private static void liveEarlier() { Seen.live("-earlier"); }
	private static void liveChained() { Seen.live("-chained"); }

	private Object text;
	private Object lost;
	private Object some;
	private Object tried;
	private Object dropped;

	private Object text() {
		if (text == null)
			text = new Object();
		return text;
	}

	private Object byText() { return text().toString(); }

	/** A copy is new: nobody has its text. */
	@Override
	public Kept clone() {
		try {
			Kept copy = (Kept) super.clone();
			copy.text = text == null ? null : text.toString();
			return copy;
		} catch (CloneNotSupportedException e) {
			throw new AssertionError(e);
		}
	}

	public void uses() {
		text();
		again();
	}

	public void usesInner() {
		byText();
		inner();
	}

	public void stores(Object o) {
		o.hashCode();
		text = o;
		stored();
	}

	public void checks() {
		if (text != null)
			checked();
	}

	private void again() {
		if (text == null)
			deadAgain();
	}

	private void inner() { innermost(); }

	private void innermost() {
		if (text == null)
			deadInner();
	}

	private void stored() {
		if (text == null)
			deadStored();
	}

	private void checked() {
		if (text == null)
			deadChecked();
	}

	/** Somebody makes it null again. */
	public void loses() {
		lost = new Object();
		lose();
		if (lost == null)
			afterLost();
	}

	private void lose() { lost = null; }

	private void afterLost() {
		if (lost == null)
			liveLost();
	}

	/** Only sometimes. */
	public void makesSome(boolean does) {
		some(does);
		afterSome();
	}

	private void some(boolean does) {
		if (does)
			some = new Object();
	}

	private void afterSome() {
		if (some == null)
			liveSome();
	}

	/** The store may not be reached. */
	public void tries(Object o) {
		try {
			o.hashCode();
			tried = new Object();
		} catch (NullPointerException e) {
			liveCaught();
		}
		afterTried();
	}

	private void afterTried() {
		if (tried == null)
			liveTried();
	}

	/** Of another object. */
	public void asks(Kept other) {
		other.text();
		afterOther();
	}

	private void afterOther() {
		if (text == null)
			liveOther();
	}

	/** By another name. */
	public void drops() {
		dropped = new Object();
		drop(this);
		afterDropped();
	}

	private static void drop(Kept k) { k.dropped = null; }

	private void afterDropped() {
		if (dropped == null)
			liveDropped();
	}

	/** The constructor stores it late. */
	public static class Early {
		private Object first;

		public Early() {
			make();
			first = null;
			after();
		}

		void make() { first = new Object(); }

		private void after() {
			if (first == null)
				liveEarlier();
		}
	}

	/** What a call leaves behind is not what it had on its way. */
	public void chains() {
		if (text == null)
			afterChained();
		text();
	}

	private void afterChained() {
		if (text == null)
			liveChained();
	}
}
