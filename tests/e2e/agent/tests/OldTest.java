// SPDX-License-Identifier: Apache-2.0
package lib;

public class OldTest extends junit.framework.TestCase {
	public void testCircle() { assertEquals(3, Shapes.area(new Shapes.Circle())); }
	public void testNothing() { }
}
