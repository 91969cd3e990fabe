/* SPDX-License-Identifier: Apache-2.0 */
package doc;

/** What only its own package may override decides where it is saved. */
public class Doc {
	private Note note = () -> 1;

	Target open() {
		return new Plain();
	}

	public int save() {
		return open().put() + note.size();
	}

	public void note(Note n) {
		note = n;
	}
}

interface Note {
	int size();
}

abstract class Target {
	Target() {
	}

	abstract int put();
}

class Plain extends Target {
	@Override
	int put() {
		return 1;
	}
}

class Echo extends Target {
	@Override
	int put() {
		return 2;
	}
}
