// SPDX-License-Identifier: Apache-2.0
package unknown;

/** Hands out objects that reflection made: clients may give them back as any supertype. */
public class Unknown {
	public static class Base {
		public void go() { }
	}

	public static class Sub extends Base {
		public void go() { }
	}

	public static Sub make(String name) throws Exception {
		return (Sub) Class.forName(name).getDeclaredConstructor().newInstance();
	}

	private Unknown() { }

	public static void use(Base b) {
		b.go();
	}
}
