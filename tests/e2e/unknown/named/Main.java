/* SPDX-License-Identifier: Apache-2.0 */
package tests;

import named.Choice;

public class Main {
	public static void main(String[] args) throws Exception {
		for (String sort : new String[] { "Fast", "Slow" })
			System.out.println(new Choice("named.Choice$" + sort).run().toString().isEmpty());
	}
}
