// SPDX-License-Identifier: Apache-2.0
package shop;

import java.lang.invoke.MethodHandles;

class Hours {
	static long opened = System.nanoTime();
}

/* Of a class that is initialised, nothing else is used. */
public class Opening {
	public static void main(String[] args) throws IllegalAccessException {
		MethodHandles.lookup().ensureInitialized(Hours.class);
	}
}
