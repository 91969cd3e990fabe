// SPDX-License-Identifier: Apache-2.0
package rec;

/* Asks its parent by itself. */
class Loader extends ClassLoader {
	Loader(ClassLoader parent) {
		super(parent);
	}

	Class<?> find(String name) throws ClassNotFoundException {
		return getParent().loadClass(name);           //> load rec.Shape; string rec.Shape
	}
}
