// SPDX-License-Identifier: Apache-2.0
package lib;

import static org.junit.Assert.assertEquals;
import java.util.Arrays;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

public class FourTest {
	@BeforeClass public static void outside() { Shapes.area(new Shapes.Line()); }
	@Test public void square() { assertEquals(4, Shapes.area(new Shapes.Square())); }
	@Test public void both() { assertEquals(7, Shapes.area(new Shapes.Square()) + Shapes.area(new Shapes.Circle())); }
	@Test(expected = NullPointerException.class) public void nobody() { Shapes.area(null); }

	@RunWith(Parameterized.class)
	public static class Each {
		@Parameterized.Parameters public static Iterable<Object[]> all() { return Arrays.asList(new Object[][] { { 3 }, { 4 } }); }
		private final int area;
		public Each(int area) { this.area = area; }
		@Test public void one() { assertEquals(area, Shapes.area(area == 3 ? new Shapes.Circle() : new Shapes.Square())); }
	}
}
