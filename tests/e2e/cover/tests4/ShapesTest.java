// SPDX-License-Identifier: Apache-2.0
package tests4;

import static org.junit.Assert.assertEquals;

import lib.Shapes;
import org.junit.Test;

public class ShapesTest {
	@Test
	public void circle() {
		assertEquals(3, new Shapes().area(new Shapes().make("circle")));
	}

	@Test
	public void square() {
		assertEquals(4, new Shapes().area(new Shapes().make("square")));
	}

	@Test
	public void nothingNew() {
		circle();
	}
}
