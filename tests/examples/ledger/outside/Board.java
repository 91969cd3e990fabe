// SPDX-License-Identifier: Apache-2.0
package outside;

import ledger.MoneyFormat;

public class Board {
	public void show(MoneyFormat f) {
		f.describe();
	}
}
