// SPDX-License-Identifier: Apache-2.0
package note;

/** Marks papers with the stamps that clients hand in, and with one of its own. */
public class Desk {
	public Stamp last;
	private final Stamp own = new Gold();

	public Stamp choose(boolean loud) {
		return loud ? new Red() : new Blue();
	}

	public void press(Stamp[] stamps, Object paper) {
		for (Stamp s : stamps) {
			s.mark(paper);
			last = s;
		}
		own.mark(paper);
	}
}

/* Nobody makes a grey one. */

class Red extends Stamp {
	public void mark(Object paper) { }
}

class Blue extends Stamp {
	public void mark(Object paper) { }
}

class Gold extends Stamp {
	public void mark(Object paper) { }
}

class Grey extends Stamp {
	public void mark(Object paper) { }
}
