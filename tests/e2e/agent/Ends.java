// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Ways in which programs end, and errors that they get over. */
public class Ends {
	interface Op { long run(int depth); }
	static class Down implements Op { public long run(int depth) { return depth + call(this, depth + 1); } }
	static class Flat implements Op { public long run(int depth) { return depth; } }
	static class Other implements Op { public long run(int depth) { return -depth; } }

	static long call(Op o, int depth) { return o.run(depth); }

	static void overflow(int n) {
		for (int i = 0; i < n; i++) {
			try {
				call(new Down(), 0);
			} catch (StackOverflowError e) {
				System.out.println("overflow");
			}
		}
	}

	static void exhaust() {
		List<long[]> all = new ArrayList<>();
		try {
			for (;;)
				all.add(new long[1 << 16]);
		} catch (OutOfMemoryError e) {
			for (int n = 1 << 15; n > 0; n /= 2)          // fill what is left
				try {
					for (;;)
						all.add(new long[n]);
				} catch (OutOfMemoryError again) {
					call(n % 2 == 0 ? new Flat() : FLAT, n);
				}
		}
		all.clear();
		System.out.println("exhausted");
	}

	static final Op FLAT = new Flat();

	public static void main(String[] args) throws Exception {
		call(new Flat(), 1);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> call(new Other(), 2)));
		switch (args[0]) {
		case "exit": System.exit(3); break;
		case "halt": Runtime.getRuntime().halt(4); break;
		case "throw": throw new IllegalArgumentException("thrown");
		case "overflow": overflow(5); break;
		case "exhaust": exhaust(); break;
		case "sleep":
			System.out.println("ready");
			for (;;) {
				call(FLAT, 3);
				Thread.sleep(1);
			}
		case "daemon": {
			Thread t = new Thread(() -> { for (;;) call(FLAT, 4); });
			t.setDaemon(true);
			t.start();
			Thread.sleep(100);
			break;
		}
		default: System.out.println("end");
		}
	}
}
