// SPDX-License-Identifier: Apache-2.0
package ledger;

import outside.Board;

/** Tells a board, which is no part of the component, about a format; the board asks the format. */
public class Notice {
	public void post(MoneyFormat f) {
		new Board().show(f);
	}
}
