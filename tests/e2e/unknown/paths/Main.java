/* SPDX-License-Identifier: Apache-2.0 */
package tests;

import paths.Paths;

public class Main {
	public static void main(String[] args) throws Exception {
		Paths paths = new Paths("engines.All");
		paths.text();
		System.out.println(paths.select());
	}
}
