// SPDX-License-Identifier: Apache-2.0
package enter;

/** Clients have a Base and a Shown, and no Hidden: what they call is on none. */
public class Base {
	private static final Base hidden = new Hidden();

	public Base() {
	}

	public void go() {
		step();
	}

	void step() {
	}

	public static Base shown() {
		return new Shown();
	}

	public static void within() {
		hidden.go();
	}

	/** A method of code outside calls it back, on a Hidden. */
	public static void back() {
		java.util.Optional.of(hidden).ifPresent(Base::passed);
	}

	private void passed() {
		step();
	}
}

class Hidden extends Base {
	@Override
	void step() {
	}
}

class Shown extends Base {
	@Override
	void step() {
	}
}
