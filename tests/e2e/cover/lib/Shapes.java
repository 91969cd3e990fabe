// SPDX-License-Identifier: Apache-2.0
package lib;

/** The component: one call with four receivers, and one that is made twice in a row. */
public class Shapes {
	public Shape make(String kind) {
		switch (kind) {
		case "circle":
			return new Circle();
		case "square":
			return new Square();
		case "lambda":
			return () -> 5;
		default:
			return Shapes::six;
		}
	}

	static int six() {
		return 6;
	}

	public int area(Shape shape) {
		return shape.area();
	}

	public int both(boolean round) {
		Shape shape = round ? new Circle() : new Square();
		return shape.area() + shape.area();
	}
}
