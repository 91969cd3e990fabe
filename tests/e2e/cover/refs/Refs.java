// SPDX-License-Identifier: Apache-2.0
package refs;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.function.Function;
import refs.other.Far;

/** Every way to write a lambda or a method reference, as receivers of two calls. */
public class Refs extends Far implements Named {
	public interface Op {
		int run(int x);
	}

	public interface Maker<T> {
		T make(int n);
	}

	static class Base {
		static int twice(int x) {
			return 2 * x;
		}

		int add(int x) {
			return x + 1;
		}
	}

	static class Sub extends Base {
		int add(int x) {
			return x + 2;
		}

		Op above() {
			return super::add;
		}
	}

	private int own(int x) {
		return x + 3;
	}

	private static int ownStatic(int x) {
		return x + 4;
	}

	public static final int OPS = 15;

	public Op op(int k) {
		Sub sub = new Sub();
		Base base = sub;
		Named named = this;
		switch (k) {
		case 0: return x -> x + 5;
		case 1: return x -> x + k;
		case 2: return x -> x + hashCode() + k;
		case 3: return Base::twice;
		case 4: return Sub::twice;
		case 5: return sub::add;
		case 6: return base::add;
		case 7: return sub.above();
		case 8: return this::own;
		case 9: return Refs::ownStatic;
		case 10: return this::guarded;
		case 11: return Refs::guardedStatic;
		case 12: return Math::abs;
		case 13: return (Op & Serializable) x -> x + 6;
		default: return named::number;
		}
	}

	public static final int MAKERS = 6;

	public Maker<?> maker(int k) {
		switch (k) {
		case 0: return ArrayList::new;
		case 1: return int[]::new;
		case 2: return Integer::valueOf;
		case 3: return String::valueOf;
		case 4: return (Maker<String> & Named) n -> "x";
		default: return n -> (Function<String, Integer>) String::length;
		}
	}

	public int run(Op op) {
		return op.run(7);
	}

	public Object make(Maker<?> maker) {
		return maker.make(8);
	}
}
