// SPDX-License-Identifier: Apache-2.0
import ledger.MoneyFormat;
import ledger.Notice;

/** A client of the ledger: what it makes runs take goes through every state that following call chains has. */
public class Clerk {
	public static void main(String[] args) {
		MoneyFormat f = new MoneyFormat();
		f.getSigns().getGroup();        // one call
		f.describe();                   // and calls out
		f.describeHere();               // longer than two calls
		new Notice().post(f);           // and back
	}
}
