package app;

import java.lang.reflect.Method;

public class Plugins {
	private static String home = "app.plugins.";

	static Class<?> load(String name) throws Exception {
		return Class.forName(home + name);
	}

	static String list(int n) {
		StringBuilder s = new StringBuilder("[");
		for (int i = 0; i < n; i++)
			s.append(i).append(',');
		return check(s.append(']').toString());
	}

	static String check(String s) {
		return s;
	}

	static void two(boolean b, Object o) throws Exception {
		String prefix = b ? "get" : "is";
		Method m = o.getClass().getMethod(prefix + "Name");
		m.invoke(o);
		check(String.format("%s: %d", prefix, 7));
	}

	static void maybe(boolean b, String s) throws Exception {
		Class.forName(b ? "app.Default" : s);
	}

	static void never() throws Exception {
		Class.forName("app.Never");
	}

	public static void main(String[] args) throws Exception {
		load(args[0]);
		list(args.length);
		two(args.length > 1, args);
		maybe(args.length > 1, args[0]);
	}
}
