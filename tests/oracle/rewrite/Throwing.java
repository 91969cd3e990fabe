// SPDX-License-Identifier: Apache-2.0
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Exceptions on every way that a frame can be left, and values of all types that calls return, in four threads. */
public class Throwing {
	static class Base {
		Base(int n) {
			if (n % 5 == 4)
				throw new IllegalStateException("base " + n);
		}
	}

	static class Derived extends Base {
		final long kept;

		Derived(int n) {
			super(n % 3 == 0 ? Integer.parseInt(n % 2 == 0 ? "" + n : "odd " + n) : new StringBuilder("ab").append(n).length());
			kept = wide(n, n / 2.0, n);
			if (n % 7 == 6)
				throw new IllegalArgumentException("derived " + n);
		}

		Derived(String text) {
			this(Integer.parseInt(text));
		}
	}

	/** Its super constructor is not traced, and throws. */
	static class Missing extends FileInputStream {
		Missing() throws IOException {
			super("no/such/file");
		}
	}

	static class Fails {
		static final int VALUE = fail();

		static int fail() {
			throw new UnsupportedOperationException("never");
		}
	}

	static long wide(long a, double b, int c) {
		return a + (long)half(b) + (c > 3 ? wide(a - 1, b, c - 1) : 0);
	}

	static double half(double d) {
		return d / 2;
	}

	static float single(float f) {
		return f + 1;
	}

	static synchronized int locked(int n) {
		if (n % 4 == 3)
			throw new IllegalStateException("locked");
		return n;
	}

	static int guarded(int n) {
		Object lock = new int[n % 3];

		synchronized (lock) {
			try {
				return locked(n) + ((int[])lock)[n % 2];
			} catch (ArrayIndexOutOfBoundsException e) {
				return -locked(n + 1);
			} finally {
				if (n % 6 == 5)
					throw new IllegalStateException("finally");
			}
		}
	}

	static int deep(int n, List<String> log) {
		try {
			if (n == 0)
				throw new IndexOutOfBoundsException("bottom");
			return deep(n - 1, log) + 1;
		} catch (IllegalStateException e) {
			throw new IndexOutOfBoundsException(e.getMessage());
		} finally {
			log.add(n % 2 == 0 ? Float.toString(single(n)) : Double.toString(half(n)));
		}
	}

	interface Step {
		Object run(int n) throws Throwable;
	}

	static final Step[] steps = {
		n -> new Derived(n), n -> new Derived(Integer.toString(n)), n -> new Missing(), n -> Fails.VALUE, n -> guarded(n),
		n -> deep(n % 9, new ArrayList<>()), n -> wide(n, n, n), n -> ((Object[])new Integer[1])[n % 2] = "text",
		n -> Throwing.class.getDeclaredMethod("guarded", int.class).invoke(null, n),
		n -> { throw n % 2 == 0 ? new Exception() : new StackOverflowError(); },
	};

	static int all(int seed) {
		int failed = 0;

		for (int i = 0; i < 2000; i++) {
			try {
				steps[(i + seed) % steps.length].run(i / steps.length);
			} catch (InvocationTargetException | IOException e) {
				failed++;
			} catch (Throwable t) {
				failed += 2;
			}
		}
		return failed;
	}

	public static void main(String[] args) throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(3);
		List<Callable<Integer>> jobs = new ArrayList<>();

		for (int i = 0; i < 6; i++) {
			int seed = i;

			jobs.add(() -> all(seed));
		}
		jobs.add(() -> { throw new IOException(); });
		pool.invokeAll(jobs).forEach(f -> {
			try {
				System.out.println(f.get());
			} catch (InterruptedException | ExecutionException e) {
				System.out.println(e);
			}
		});
		pool.shutdown();
		System.out.println(all(6));
	}
}
