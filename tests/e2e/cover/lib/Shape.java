// SPDX-License-Identifier: Apache-2.0
package lib;

public interface Shape {
	int area();
}

class Circle implements Shape {
	public int area() {
		return 3;
	}
}

class Square implements Shape {
	public int area() {
		return 4;
	}
}

/* Nobody makes one. */
class Ghost implements Shape {
	public int area() {
		return 0;
	}
}
