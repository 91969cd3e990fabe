// SPDX-License-Identifier: Apache-2.0
package loads;

/** Hands names on: to whom it belongs what is loaded depends on who can call it. */
public class Loader extends ClassLoader {
	@Override
	public Class<?> loadClass(String name) throws ClassNotFoundException {
		return super.loadClass(name);
	}

	public static void main(String[] args) throws Exception {
		new Loader().loadClass("loads.Loader");
	}
}
