// SPDX-License-Identifier: Apache-2.0
package station;

/** Sends notes on a link of its own, which becomes an urgent one after the tenth, and its state on any link. */
public class Station {
	private Link out = new PlainLink();
	private int sent;

	public void post(String note) {
		out.carry(sent + ": " + note);
		if (++sent == 10)
			out = new UrgentLink();
	}

	public void tell(Link other) {
		other.carry(sent + " notes");
	}
}
