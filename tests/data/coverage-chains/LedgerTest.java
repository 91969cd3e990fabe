// SPDX-License-Identifier: Apache-2.0
import ledger.MoneyFormat;
import ledger.Notice;

/** Describes formats, once by a notice: the board that it is posted on calls back. */
public class LedgerTest {
	public static void main(String[] arguments) {
		MoneyFormat format = new MoneyFormat();

		for (int i = 0; i < 3; i++)
			format.describe();
		format.describeHere();
		new Notice().post(format);
	}
}
