/* SPDX-License-Identifier: Apache-2.0 */
package named;

import java.util.function.Supplier;

/** Finds one of its own classes by a name that it is given. Nothing else makes them. */
public class Choice {
	interface Sort {
		Object next(Supplier<?> of);
	}

	static class Fast implements Sort {
		@Override
		public Object next(Supplier<?> of) {
			return of.get().toString();
		}
	}

	static class Slow implements Sort {
		private final Shape shape = new Round();

		@Override
		public Object next(Supplier<?> of) {
			return shape.name();
		}
	}

	/** Needs something: no name is enough to make one. */
	static class Sized implements Sort {
		private final Shape shape = new Square();

		Sized(int size) {
		}

		@Override
		public Object next(Supplier<?> of) {
			return shape.name();
		}
	}

	abstract static class Shape {
		abstract String name();
	}

	static class Round extends Shape {
		@Override
		String name() {
			return "round";
		}
	}

	static class Square extends Shape {
		@Override
		String name() {
			return "square";
		}
	}

	private final Sort sort;

	public Choice(String name) throws Exception {
		sort = (Sort) Class.forName(name).getDeclaredConstructor().newInstance();
	}

	public Object run() {
		return sort.next(() -> this);
	}
}
