// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.Iterator;
import java.util.List;

public class Walk {
	private final Iterator<Item> items;

	public Walk(List<Item> items) {
		this.items = items.iterator();
	}

	public boolean more() {
		return items.hasNext();
	}
}
