// SPDX-License-Identifier: Apache-2.0
package shapes;

import java.util.List;

/** A program with a choice to make at every call: which shape, which lambda, which task. */
public class Main {
	interface Shape {
		double area();

		default String describe() {
			return getClass().getSimpleName() + " of " + area();
		}
	}

	record Circle(double radius) implements Shape {
		public double area() {
			return Math.PI * radius * radius;
		}
	}

	record Square(double side) implements Shape {
		public double area() {
			return side * side;
		}
	}

	/** Never instantiated: RTA leaves it out, CHA does not. */
	record Triangle(double base, double height) implements Shape {
		public double area() {
			return base * height / 2;
		}
	}

	static double total(List<Shape> shapes) {
		double sum = 0;
		for (Shape s : shapes)
			sum += s.area();
		return sum;
	}

	public static void main(String[] args) throws Exception {
		List<Shape> shapes = List.of(new Circle(1), new Square(2));

		shapes.forEach(s -> System.out.println(s.describe()));
		Thread summing = new Thread(() -> System.out.println("total " + total(shapes)));
		summing.start();
		summing.join();
		if (args.length > 0)
			Class.forName(args[0]).getDeclaredConstructor().newInstance();
	}
}
