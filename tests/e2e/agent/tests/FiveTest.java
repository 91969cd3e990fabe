// SPDX-License-Identifier: Apache-2.0
package lib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiveTest {
	@Test void square() { assertEquals(4, Shapes.area(new Shapes.Square())); }
	@Test void withInfo(TestInfo i) { assertEquals(3, Shapes.area(new Shapes.Circle())); }
	@ParameterizedTest @ValueSource(ints = { 3, 4 }) void each(int area) {
		assertEquals(area, Shapes.area(area == 3 ? new Shapes.Circle() : new Shapes.Square()));
	}
	@RepeatedTest(2) void again() { }
	@TestFactory List<DynamicTest> made() { return List.of(dynamicTest("a", () -> Shapes.area(new Shapes.Line())), dynamicTest("b/[c]", () -> { })); }
	@Nested class Deeper {
		@Test void line() { assertEquals(0, Shapes.area(new Shapes.Line())); }
	}
}
