// SPDX-License-Identifier: Apache-2.0
package shop;
import static org.junit.Assert.assertEquals;
import java.util.Arrays;
import org.junit.Test;
public class ShopTest {
	@Test public void books() {
		assertEquals(20, new Shop().total(Arrays.<Shop.Item>asList(new Shop.Book(), new Shop.Book())));
	}
}
