// SPDX-License-Identifier: Apache-2.0
package shop;

/* What runs is seen by the method of this class that it calls. */
final class Counter {
	static int n;

	static int start() { return n = 1; }
	static void made() { n++; }
	static void added() { n++; }
	static void filled() { n++; }
	static int count() { return n; }
	static void never() { n = 0; }
}
