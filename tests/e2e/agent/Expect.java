// SPDX-License-Identifier: Apache-2.0
import java.io.PrintStream;
import java.util.TreeMap;

/** What the program itself knows about its calls: at the end it writes lines `method receiver target count`. Not watched. */
public final class Expect {
	private static final TreeMap<String, Long> seen = new TreeMap<>();

	/** A call in `method` had this receiver and ran code that `target` declares. */
	public static synchronized String saw(String method, Object receiver, String target) {
		seen.merge(method + " " + nameOf(receiver.getClass()) + " " + target, 1L, Long::sum);
		return target;
	}

	/** Hidden classes without their address. */
	static String nameOf(Class<?> c) {
		String name = c.getName();
		int slash = name.indexOf('/');
		return slash < 0 ? name : name.substring(0, slash);
	}

	/** Lambdas: who runs is the lambda's class. */
	public static void lambda(String method, Object receiver) {
		saw(method, receiver, nameOf(receiver.getClass()));
	}

	public static synchronized void write() throws Exception {
		String file = System.getProperty("expect");
		if (file == null)
			return;
		try (PrintStream out = new PrintStream(file)) {
			seen.forEach((k, n) -> out.println(k + " " + n));
		}
	}
}
