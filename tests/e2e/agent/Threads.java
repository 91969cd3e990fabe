// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Many threads bring many classes to the same calls at the same moment; no class may be lost. */
public class Threads {
	interface Op { int run(int x); }

	static int call1(Op o) { return o.run(1); }
	static int call2(Op o) { return o.run(2); }
	static int call3(Op o) { return o.run(3); }

	static List<Op> many() {
		List<Op> all = new ArrayList<>();
		all.add(new Op() { public int run(int x) { return x; } });
		all.add(new Op() { public int run(int x) { return x + 1; } });
		all.add(new Op() { public int run(int x) { return x + 2; } });
		all.add(new Op() { public int run(int x) { return x + 3; } });
		all.add(new Op() { public int run(int x) { return x + 4; } });
		all.add(new Op() { public int run(int x) { return x + 5; } });
		all.add(new Op() { public int run(int x) { return x + 6; } });
		all.add(new Op() { public int run(int x) { return x + 7; } });
		all.add(new Op() { public int run(int x) { return x + 8; } });
		all.add(new Op() { public int run(int x) { return x + 9; } });
		all.add(new Op() { public int run(int x) { return x * 2; } });
		all.add(new Op() { public int run(int x) { return x * 3; } });
		all.add(new Op() { public int run(int x) { return x * 4; } });
		all.add(new Op() { public int run(int x) { return x * 5; } });
		all.add(new Op() { public int run(int x) { return x * 6; } });
		all.add(new Op() { public int run(int x) { return x * 7; } });
		all.add((Op) Proxy.newProxyInstance(Op.class.getClassLoader(), new Class<?>[] { Op.class }, (p, m, a) -> 1));
		return all;
	}

	public static void main(String[] args) throws Exception {
		List<Op> all = many();
		int threads = 8;
		CountDownLatch start = new CountDownLatch(1), end = new CountDownLatch(threads);
		for (int t = 0; t < threads; t++) {
			int mine = t;
			new Thread(() -> {
				try {
					start.await();
					for (int i = 0; i < 20000; i++) {
						Op o = all.get((i + mine * 3) % all.size());
						call1(o);
						call2(o);
						call3(o);
					}
				} catch (InterruptedException e) {
					System.out.println(e);
				}
				end.countDown();
			}).start();
		}
		start.countDown();
		end.await();
		for (Op o : all)
			for (String m : new String[] { "call1", "call2", "call3" })
				Expect.lambda("Threads." + m, o);
		System.out.println("classes " + all.size());
		Expect.write();
	}
}
