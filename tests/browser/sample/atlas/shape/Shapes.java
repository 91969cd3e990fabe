// SPDX-License-Identifier: Apache-2.0
package atlas.shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shapes, and what can be asked of many at once. */
public class Shapes {
	private final List<Shape> all = new ArrayList<>();

	public void add(Shape shape) {
		all.add(shape);
	}

	public double area() {
		double sum = 0;
		for (Shape shape : all)
			sum += shape.area();
		return sum;
	}

	/** The largest one, or null. */
	public Shape largest() {
		return all.stream().max(Comparator.comparingDouble(Shape::area)).orElse(null);
	}

	public String describe() {
		StringBuilder text = new StringBuilder();
		for (Shape shape : all)
			text.append(shape.name()).append(' ').append(shape.area()).append('\n');
		return text.toString();
	}

	static class Group implements Shape {
		private final Shape first, second;

		Group(Shape first, Shape second) {
			this.first = first;
			this.second = second;
		}

		public String name() {
			return first.name() + " and " + second.name();
		}

		public double area() {
			return first.area() + second.area();
		}
	}
}
