// SPDX-License-Identifier: Apache-2.0
package lib;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Two tests that wait for each other: they run at the same time or never end. */
class ParallelTest {
	static final CountDownLatch both = new CountDownLatch(2);

	private void meet(Shapes.Shape s) throws InterruptedException {
		both.countDown();
		both.await();
		Shapes.area(s);
	}

	@Test void one() throws InterruptedException { meet(new Shapes.Circle()); }
	@Test void two() throws InterruptedException { meet(new Shapes.Square()); }
}
