// SPDX-License-Identifier: Apache-2.0
package post;

/** What clients may send, and what only the office makes. */
interface Parcel {
	int weigh();
}

class Letter implements Parcel {
	public int weigh() {
		return 1;
	}
}

class Crate implements Parcel {
	Parcel inner;

	public int weigh() {
		return 9;
	}
}

class Lost extends RuntimeException implements Parcel {
	public int weigh() {
		return 0;
	}
}

/** Clients make cards; letters come from the office, crates from its shelf, and what is lost is thrown. */
public class Post {
	private static final Parcel[] shelf = { new Crate() };
	private Parcel waiting;

	public static class Card implements Parcel {
		public int weigh() {
			return 2;
		}
	}

	public void send(Card card) {
		waiting = card;
	}

	public void write() {
		keep(new Letter());
	}

	private void keep(Parcel parcel) {
		waiting = parcel;
	}

	public int price() {
		return waiting.weigh();
	}

	public int stock() {
		return shelf[0].weigh();
	}

	public int search() {
		try {
			lose();
			return 0;
		} catch (Lost lost) {
			return weighed(lost);
		}
	}

	private void lose() {
		throw new Lost();
	}

	private static int weighed(Parcel parcel) {
		return parcel.weigh() + parcel.hashCode();
	}

	private int never(Parcel parcel) {
		return parcel.weigh();
	}
}
