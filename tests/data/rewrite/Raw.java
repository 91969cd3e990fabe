// SPDX-License-Identifier: Apache-2.0
package rewrite;

import java.util.function.IntSupplier;

/**
 * Constructors and what they call before they have an object; see test_rewrite_frames.c. Compiled with
 * `javac -g --release 17 -XDstringConcat=inline`.
 */
class Raw extends IllegalStateException {
	final long sum;

	Raw() {
		sum = 1;
	}

	/* Only loads before the call of a constructor. */
	Raw(String text, long a, double b) {
		super(text);
		sum = a + (long)b;
	}

	/* Calls, jumps, and another object without a constructor run, before it. */
	Raw(IntSupplier s, int n) {
		this(new String(n > 2 ? String.valueOf(s.getAsInt()) : "few"), n > s.getAsInt() ? Long.parseLong("7") : 8L, n);
		for (int i = 0; i < n; i++)
			if (s.getAsInt() == i)
				throw this;
	}

	/* Words that are copied below others. */
	Raw(int[] a, long[] b) {
		this("" + a[0]++ + (b[1] += 3) + (a[1] = a[2] = 7), b[0] = b[2] = 5, 2.5);
	}

	/* A handler of what its object does. */
	Raw(Object o) {
		super(o.toString());
		long n = 0;
		try {
			n = o.hashCode();
		} catch (RuntimeException e) {
			addSuppressed(e);
		} finally {
			sum = n;
		}
	}

	static long wide(long a, Object o, double d) {
		try {
			long b = a * 2;
			while (b > o.hashCode()) {
				double e = d + b;
				b -= (long)e;
			}
			return b;
		} catch (ArithmeticException e) {
			return e.hashCode();
		}
	}
}
