// SPDX-License-Identifier: Apache-2.0
package ledger;

/** The signs that amounts are written with. */
public final class Signs {
	private char group = '?';

	Signs() {
	}

	public char getGroup() {
		if (group == '?')
			return usualGroup();
		return group;
	}

	public void setGroup(char c) {
		group = c;
	}

	public char usualGroup() {
		return '.';
	}
}
