// SPDX-License-Identifier: Apache-2.0
package rec;

public class Square implements Shape {
	public static String unit = "cm";
	public int side;
	private long hidden = 5;

	public Square() {
		this(3);
	}

	public Square(int side) {
		this.side = side;
	}

	public int area() {
		return side * side;
	}

	static int twice(int x) {
		return 2 * x;
	}

	int inPackage() {
		return 1;
	}

	private int secret(String s, long[] l) {
		return s.length() + l.length + (int)hidden;
	}
}
