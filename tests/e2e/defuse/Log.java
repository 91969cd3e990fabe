// SPDX-License-Identifier: Apache-2.0
package lib;

import java.util.*;

/** A library: knows for each field of each object on which line it was written last, and says which lines read that. */
public class Log {
	private static final Map<Object, Map<String, Integer>> last = new IdentityHashMap<>();
	private static final Set<String> pairs = new TreeSet<>();
	private static Random random = new Random(0);
	private static int left = 400;
	public static Object kept;

	public static void seed(String number) { random = new Random(Integer.parseInt(number)); }
	public static void start() { left = 400; }
	private static Object key(Object o) { return o instanceof String ? ((String) o).intern() : o; }
	public static synchronized void def(Object o, String field, int line) {
		last.computeIfAbsent(key(o), k -> new HashMap<>()).put(field, line);
	}
	public static synchronized void use(Object o, String field, int line) {
		Integer def = last.getOrDefault(key(o), Map.of()).get(field);
		if (def != null)
			pairs.add(def + " " + line);
	}
	public static synchronized void end() { for (String p : pairs) System.out.println(p); }
	public static synchronized boolean isOver() { return left-- <= 0; }
	public static synchronized boolean choose() { return random.nextBoolean(); }
	public static synchronized boolean rarely() { return random.nextInt(8) == 0; }
	public static synchronized int times() { return random.nextInt(3); }
	public static <T> T maybe(T x, T y) { return choose() ? x : y; }
	public static Object same(Object o) { kept = o; return kept; }
	public static void value(Object o) { kept = o; }
	public static void any(Runnable r) {
		for (int n = times(); n > 0; n--)
			try {
				r.run();
			} catch (IllegalStateException e) {
				kept = e;
			}
	}
	/** Runs the thread, and comes back when it is over. */
	public static void await(Thread t) {
		t.setUncaughtExceptionHandler((thread, e) -> { });
		t.start();
		try {
			t.join();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}
}
