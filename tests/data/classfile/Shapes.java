// SPDX-License-Identifier: Apache-2.0
package shapes;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** What the readers of attributes have to find; see test_classfile.c. Compiled with `javac -g --release 17`. */
public sealed interface Shapes<T extends Comparable<T>> permits Shapes.Circle, Shapes.Square {
	long BIG = 5000000000L;
	String TEXT = "a\u0000\u00e9\ud83d\ude00";
	float HALF = 0.5f;
	double TENTH = 0.1;
	int SEVEN = 7;

	double area() throws IOException, IllegalStateException;

	record Circle<T extends Comparable<T>>(double radius, List<? super T> tags) implements Shapes<T> {
		public double area() {
			return Math.PI * radius * radius;
		}
	}

	final class Square<T extends Comparable<T>> implements Shapes<T> {
		private final double side;

		Square(double side) {
			this.side = side;
		}

		public double area() throws IOException {
			try {
				return side * side;
			} catch (ArithmeticException e) {
				throw new IOException("side " + side, e);
			} finally {
				System.gc();
			}
		}
	}

	static int dense(int n) {
		switch (n) {
		case 1: return 10;
		case 2: return 20;
		case 4: return 40;
		default: return 0;
		}
	}

	static int sparse(int n) {
		switch (n) {
		case -1000: return 1;
		case 0: return 2;
		case 1000000: return 3;
		default: return 0;
		}
	}

	static Function<Integer, String> lambda(String prefix) {
		return n -> prefix + n;
	}

	static Runnable local(int[][] grid) {
		class Local implements Runnable {
			public void run() {
				for (int[] row : grid)
					for (int cell : row)
						if (cell < 0)
							throw new IllegalStateException();
			}
		}
		return new Local();
	}
}
