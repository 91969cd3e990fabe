// SPDX-License-Identifier: Apache-2.0
package lib;

/** The component whose calls are attributed to tests. */
public class Shapes {
	public interface Shape { int area(); }
	public static class Circle implements Shape { public int area() { return 3; } }
	public static class Square implements Shape { public int area() { return 4; } }
	public static class Line implements Shape { public int area() { return 0; } }
	public static int area(Shape s) { return s.area(); }
}
