// SPDX-License-Identifier: Apache-2.0
// Names that are put together in many ways, and given to reflection: strings.sh runs it, and what the agent saw must be in the languages.
package spelled;

import java.util.Locale;

public class Spelled {
	private static String home = "spelled.";
	private static final String[] TABLE = { "One", "Two", "Three" };
	private String kind;

	Spelled(String kind) {
		this.kind = kind;
	}

	interface Body {
		void run() throws Exception;
	}

	/* Most of these classes do not exist: it is the names that count. */
	static void attempt(Body b) {
		try {
			b.run();
		} catch (Exception | LinkageError e) {
			count++;
		}
	}

	static int count;

	static Class<?> load(String name) throws Exception {
		return Class.forName(home + name);
	}

	Class<?> kindOf(String s) throws Exception {
		return Class.forName(s + kind);
	}

	static void concatenated(String in, int n, char c, long l, double d, boolean b) throws Exception {
		attempt(() -> Class.forName("a." + in));
		attempt(() -> Class.forName("n" + n + "." + c + l));
		attempt(() -> Class.forName("d" + d + b));
		attempt(() -> Class.forName(in + "." + in));
		attempt(() -> Class.forName("x".concat(in).concat("y")));
	}

	static void built(String in, int n, boolean b) throws Exception {
		StringBuilder s = new StringBuilder("b.");
		for (int i = 0; i < n; i++) {
			s.append(i).append('_');
			if (i == 2)
				s.insert(0, "z");
		}
		if (b)
			s.append(in);
		String first = s.toString();
		attempt(() -> Class.forName(first));
		s.setLength(3);
		String second = s.toString();
		attempt(() -> Class.forName(second));
		s.reverse().append(true).deleteCharAt(0).setCharAt(1, 'Q');
		String third = s.toString();
		attempt(() -> Class.forName(third));
	}

	static void caught(int n) throws Exception {
		StringBuffer s = new StringBuffer();
		try {
			s.append("before");
			s.append(TABLE[n]);
			s.append("after");
		} catch (ArrayIndexOutOfBoundsException e) {
			s.append("caught");
		}
		String name = s.toString();
		attempt(() -> Class.forName(name));
	}

	static void changed(StringBuilder s, boolean b) throws Exception {
		StringBuilder one = new StringBuilder("one"), two = new StringBuilder("two"), t = b ? one : two;
		t.append("X");
		one.append("Y");
		String name = one.toString(), other = two.toString();
		attempt(() -> Class.forName(name));
		attempt(() -> Class.forName(other));
		for (int i = 0; i < 2; i++) {
			StringBuilder old = s;
			s = new StringBuilder("loop");
			old.append("old");
			String a = s.toString(), z = old.toString();
			attempt(() -> Class.forName(a));
			attempt(() -> Class.forName(z));
		}
	}

	static void operated(String in) throws Exception {
		String s = " Some.Name/Of-It ";
		attempt(() -> Class.forName(s.trim()));
		attempt(() -> Class.forName(s.strip().replace('/', '.').replace("-", "")));
		attempt(() -> Class.forName(s.substring(3, 8)));
		attempt(() -> Class.forName(s.toLowerCase(Locale.ROOT) + s.toUpperCase(Locale.ROOT)));
		attempt(() -> Class.forName(s.replaceAll("[aeiou]", "")));
		attempt(() -> Class.forName(s.replaceFirst("Some", "One")));
		attempt(() -> Class.forName(in.replace('a', 'b').substring(1)));
		attempt(() -> Class.forName("ab".repeat(3)));
		attempt(() -> Class.forName(String.join(".", "x", in, "y")));
		attempt(() -> Class.forName(String.format("%s.%d-%c%%%s", "f", 12, 'c', in)));
		attempt(() -> Class.forName(String.valueOf(in.charAt(0)) + Character.toUpperCase(s.charAt(1))));
		for (String part : "p.A,p.B;p.C".split("[,;]"))
			attempt(() -> Class.forName(part));
		for (String part : "q.A:q.B".split(":"))
			attempt(() -> Class.forName(part));
		attempt(() -> Class.forName(new String(new char[] { 'c', 'h' })));
		attempt(() -> Class.forName(Integer.toHexString(in.hashCode()) + Long.toString(in.length())));
	}

	static void tested(String in) throws Exception {
		if (in.startsWith("spelled.") && !in.equals("spelled.One"))
			Class.forName(in);
		switch (in) {
		case "spelled.One":
		case "spelled.Two":
			Class.forName(in);
			break;
		case "other":
			Class.forName(in + "!");
			break;
		default:
			Class.forName(in + "?");
		}
	}

	static void members(Object o, String in) throws Exception {
		attempt(() -> o.getClass().getMethod("get" + in));
		attempt(() -> o.getClass().getDeclaredField(in.toLowerCase(Locale.ROOT)));
		attempt(() -> Spelled.class.getDeclaredMethod(Spelled.class.getSimpleName() + "_" + Spelled.class.getPackageName()));
	}

	static String recursive(int n) {
		return n == 0 ? "r" : "(" + recursive(n - 1) + ")";
	}


	public static void main(String[] args) throws Exception {
		for (String in : new String[] { "One", "Two", "other", "spelled.One", "spelled.Two", "spelled.Three" }) {
			concatenated(in, in.length(), in.charAt(0), 1L << in.length(), in.length() / 3.0, in.length() > 4);
			built(in, in.length(), in.length() > 4);
			caught(in.length() - 3);
			operated(in);
			attempt(() -> tested(in));
			members(in, in);
			attempt(() -> load(in));
			attempt(() -> new Spelled(in + in.length()).kindOf("k" + in));
			attempt(() -> Class.forName(recursive(in.length())));
		}
		for (String name : TABLE)
			attempt(() -> load(name));
		changed(new StringBuilder("start"), args.length == 0);
		changed(new StringBuilder("start"), args.length != 0);
		System.out.println(count);
	}
}
