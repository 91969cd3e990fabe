// SPDX-License-Identifier: Apache-2.0
package shoptest;

import shop.Book;
import shop.Rules;
import shop.Till;

public class Shop {
	public static void main(String[] args) {
		Till till = new Till();
		Book book = new Book("text", 3);
		till.keep(book);
		System.out.println(till.add(book) + till.exact(book) + till.sum() + till.by(Rules.full(), book));
	}
}
