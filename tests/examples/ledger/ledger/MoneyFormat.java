// SPDX-License-Identifier: Apache-2.0
package ledger;

/** Amounts of money. */
public class MoneyFormat extends AmountFormat {
	private static final char PLAIN = ',';
	private final Signs signs;

	public MoneyFormat() {
		signs = new Signs();
	}

	public Signs getSigns() {
		return signs;
	}

	public String describe() {
		return describe(false);
	}

	public String describeHere() {
		return describe(true);
	}

	private String describe(boolean isLocal) {
		StringBuilder out = new StringBuilder();
		if (getDigits() == 0)
			return out.toString();
		out.append(isLocal ? signs.getGroup() : PLAIN);
		return out.toString();
	}
}
