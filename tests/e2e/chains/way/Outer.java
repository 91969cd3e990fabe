// SPDX-License-Identifier: Apache-2.0
package way;

import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

public class Outer {
	private final Inner inner = new Inner(1);

	public int plain() {
		return step() + inner.value();
	}

	private int step() {
		return inner.value();
	}

	public void throwing() {
		fail(2);
	}

	private void fail(int n) {
		if (n == 0)
			throw new IllegalStateException();
		fail(n - 1);
	}

	public int catching() {
		try {
			fail(1);
			return 0;
		} catch (IllegalStateException e) {
			return step();
		} finally {
			step();
		}
	}

	public void back(Runnable r) {
		r.run();
		step();
	}

	public int lambda(int n) {
		IntSupplier s = () -> n + step();
		return s.getAsInt();
	}

	public int reference() {
		ToIntFunction<Inner> f = Inner::value;
		return f.applyAsInt(inner);
	}

	public int deep(int n) {
		return n == 0 ? step() : deep(n - 1);
	}

	public int initialises() {
		return Late.get();
	}

	static class Late {
		static final int ONE = first();

		static int first() {
			return 1;
		}

		static int get() {
			return ONE;
		}
	}
}
