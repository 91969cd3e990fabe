// SPDX-License-Identifier: Apache-2.0
package ledger;

/** How amounts are written: what all ways have in common. */
public abstract class AmountFormat {
	private int digits = 12;

	public int getDigits() {
		return digits;
	}

	public void setDigits(int n) {
		digits = n;
	}
}
