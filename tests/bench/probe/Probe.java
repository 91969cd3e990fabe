// SPDX-License-Identifier: Apache-2.0
/**
 * Times calls at sites with one, two and many classes of receivers, alone and in several threads. Prints a line a site: its name and
 * the nanoseconds of processor time of a call, the least of several measurements after a warm-up. run.sh compares runs with and without the agent.
 */
public class Probe {
	interface Op {
		int apply(int x);
	}

	static final class A implements Op { public int apply(int x) { return x + 1; } }
	static final class B implements Op { public int apply(int x) { return x ^ 3; } }
	static final class C implements Op { public int apply(int x) { return x - 7; } }
	static final class D implements Op { public int apply(int x) { return x | 1; } }
	static final class E implements Op { public int apply(int x) { return x & 255; } }
	static final class F implements Op { public int apply(int x) { return x + 5; } }
	static final class G implements Op { public int apply(int x) { return x ^ 9; } }
	static final class H implements Op { public int apply(int x) { return -x; } }

	static final int CALLS = Integer.getInteger("calls", 20_000_000), ROUNDS = 9;

	static int mono(Op[] ops) {
		int s = 0;
		for (int i = 0; i < CALLS; i++)
			s += ops[i & 63].apply(i);
		return s;
	}

	static int bi(Op[] ops) {
		int s = 0;
		for (int i = 0; i < CALLS; i++)
			s += ops[i & 63].apply(i);
		return s;
	}

	static int mega(Op[] ops) {
		int s = 0;
		for (int i = 0; i < CALLS; i++)
			s += ops[i & 63].apply(i);
		return s;
	}

	static int shared(Op[] ops) {
		int s = 0;
		for (int i = 0; i < CALLS; i++)
			s += ops[i & 63].apply(i);
		return s;
	}

	interface Body {
		int run();
	}

	static volatile int sink;

	static Op[] cycle(Op... of) {
		Op[] all = new Op[64];
		for (int i = 0; i < all.length; i++)
			all[i] = of[i * 7919 % of.length];
		return all;
	}

	static void time(String name, int threads, Body body) throws Exception {
		java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
		double least = Double.MAX_VALUE;
		for (int round = -4; round < ROUNDS; round++) {
			java.util.concurrent.atomic.AtomicLong sum = new java.util.concurrent.atomic.AtomicLong();
			Thread[] all = new Thread[threads];
			for (int i = 0; i < threads; i++)
				(all[i] = new Thread(() -> {
					long start = clock.getCurrentThreadCpuTime();
					sink = body.run();
					sum.addAndGet(clock.getCurrentThreadCpuTime() - start);
				})).start();
			for (Thread t : all)
				t.join();
			if (round >= 0)
				least = Math.min(least, sum.get() / (double) CALLS / threads);
		}
		System.out.printf(java.util.Locale.ROOT, "%s %.3f%n", name, least);
	}

	public static void main(String[] args) throws Exception {
		Op[] one = cycle(new A()), two = cycle(new A(), new B());
		Op[] many = cycle(new A(), new B(), new C(), new D(), new E(), new F(), new G(), new H());
		time("monomorphic", 1, () -> mono(one));
		time("bimorphic", 1, () -> bi(two));
		time("megamorphic", 1, () -> mega(many));
		time("monomorphic-2-threads", 2, () -> shared(one));
	}
}
