// SPDX-License-Identifier: Apache-2.0
package tests5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lib.Shapes;
import org.junit.jupiter.api.Test;

class ShapesTest {
	@Test
	void circle() {
		assertEquals(3, new Shapes().area(new Shapes().make("circle")));
	}

	@Test
	void lambda() {
		assertEquals(5, new Shapes().area(new Shapes().make("lambda")));
	}
}
