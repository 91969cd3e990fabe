// SPDX-License-Identifier: Apache-2.0

/** What class files of versions 49 and 50 can do, for verifiers that find types by themselves: compiled for 8 and relabelled. */
public class Old {
	static class Base {
		Base(int n) {
			if (n % 3 == 2)
				throw new IllegalStateException("base");
		}
	}

	static class Derived extends Base {
		long sum;

		Derived(int n) {
			super(n % 2 == 0 ? Integer.parseInt("7") + n : n);
			try {
				sum = half(n) > 2 ? 100 / (n - 6) : wide(n, 2.5);
			} catch (ArithmeticException e) {
				sum = -1;
			}
			if (n == 7)
				throw new IllegalArgumentException("derived");
		}
	}

	static double half(long n) {
		return n / 2.0;
	}

	static long wide(long a, double b) {
		long sum = 0;

		for (int i = 0; i < 3; i++) {
			double next = b + i;

			sum += a * (long)next;
		}
		return sum;
	}

	static synchronized int locked(Object o) {
		synchronized (o) {
			try {
				return o.hashCode() / (o instanceof String ? 0 : 1);
			} finally {
				o.toString();
			}
		}
	}

	public static void main(String[] args) {
		int failed = 0;

		for (int i = 0; i < 2000; i++) {
			try {
				new Derived(i % 10);
				locked(i % 4 == 0 ? "text" : new Object());
			} catch (RuntimeException e) {
				failed++;
			}
		}
		if (failed == 0)
			throw new AssertionError();
	}
}
