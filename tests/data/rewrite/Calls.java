// SPDX-License-Identifier: Apache-2.0
package rewrite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Calls in all places that matter to rewriting; see test_rewrite.c. Compiled with `javac -g --release 17`. */
abstract class Calls {
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.TYPE_USE)
	@interface Seen {
		String[] by() default {};
		Class<?> type() default Object.class;
	}

	interface Shape {
		double area();
		int with(long a);
		int with(int a, Object b);
		int with(int a, float b, Object c);
		int with(Object a, long b);
		int with(long a, Object b);
		int with(double a, float b, Object c, int[] d, long e, byte f);
		Shape self(Shape s);
	}

	/* A loop from the first instruction on, whose argument changes its type. */
	void loop(Object o) {
		do {
			o = o.toString();
		} while (o.hashCode() != 0);
	}

	/* Objects without constructors run across jumps. */
	static List<String> nested(boolean b, Supplier<String> s) {
		return new ArrayList<String>(List.of(new String(b ? s.get() : "none"), new StringBuilder(b ? 1 : s.get().length())
				.append(s).toString()));
	}

	static int stack(Shape s, int n) {
		return s.with(2L) + s.with(n, s) + s.with(1.5, 2f, s, new int[n], 7L, (byte)1) * (n > 2 ? s.self(s).with(n) : 0);
	}

	static int threeWords(Shape s, int n) {
		return s.with(n, 1f, s) + s.with(s, 2L) + s.with(3L, s);
	}

	static int choose(Shape s, int n) {
		switch (n) {
		case 1: return s.with(1);
		case 2: n += s.with(2);
		case 3: return s.with(3, "three");
		default: break;
		}
		switch (s.toString()) {
		case "a": return s.with(4);
		case "b": return s.with(5, s);
		default: return (int)s.area();
		}
	}

	static String guarded(Shape s) {
		try (AutoCloseable c = s::area) {
			return s.toString();
		} catch (IllegalStateException | ArithmeticException e) {
			return e.getMessage();
		} catch (Exception e) {
			throw new RuntimeException(e);
		} finally {
			synchronized (s) {
				s.area();
			}
		}
	}

	static int annotated(Object o) {
		@Seen(by = { "a", "b" }) String s = (@Seen(type = String.class) String)o;
		List<@Seen String> l = new @Seen ArrayList<@Seen String>();
		if (o instanceof @Seen Integer i && i.intValue() > 3)
			l.add(s.trim());
		try {
			return l.get(0).length();
		} catch (@Seen RuntimeException e) {
			@Seen int n = e.getMessage().length();
			return n;
		}
	}

	abstract Shape shape();
}
