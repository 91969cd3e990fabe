// SPDX-License-Identifier: Apache-2.0
// Class loaders of the program that hand names on: whoever calls one says which class it loads.
package loaders;

class Plain {
	static int count = Loaders.ran("Plain");
}

class Named {
	static int count = Loaders.ran("Named");

	public Named() {
	}
}

class Other {
	public Other() {
	}
}

class Found {
	static int count = Loaders.ran("Found");
}

// Overrides that delegate, to the superclass or another loader.
class Handing extends ClassLoader {
	private final ClassLoader next;

	Handing(ClassLoader next) {
		this.next = next;
	}

	@Override
	public Class<?> loadClass(String name) throws ClassNotFoundException {
		if (name.startsWith("java."))
			return super.loadClass(name); // resolved; calls: usual={ClassLoader.loadClass:(Ljava/lang/String;)Ljava/lang/Class;}
		Class<?> c = outer(name);
		return c != null ? c : next.loadClass(name); // resolved
	}

	private Class<?> outer(String of) {
		try {
			return Class.forName(of, false, next); // resolved
		} catch (ClassNotFoundException e) {
			return null;
		}
	}
}

// The name goes through fields of an action, as that of java.net.URLClassLoader does.
class Defining extends ClassLoader {
	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		java.util.function.Supplier<Class<?>> define = new java.util.function.Supplier<>() {
			public Class<?> get() {
				byte[] b = new byte[0];
				return defineClass(name, b, 0, b.length); // resolved
			}
		};
		return define.get();
	}
}

// Initialises what it loads, or loads something else.
class Eager extends ClassLoader {
	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		return Class.forName(name); // unresolved: reflection
	}
}

class Changing extends ClassLoader {
	@Override
	public Class<?> loadClass(String name) throws ClassNotFoundException {
		return super.loadClass(new StringBuilder(name).reverse().toString()); // unresolved: reflection
	}
}

// Not everybody who calls it knows that it is a class loader.
interface Source {
	Class<?> loadClass(String name) throws ClassNotFoundException;
}

class Hidden extends ClassLoader implements Source {
	@Override
	public Class<?> loadClass(String name) throws ClassNotFoundException {
		return super.loadClass(name); // unresolved: reflection
	}
}

public class Loaders {
	static int ran(String what) {
		return what.length();
	}

	static Class<?> any(Source s, String name) throws Exception {
		return s.loadClass(name);
	}

	public static void main(String[] args) throws Exception {
		ClassLoader here = Loaders.class.getClassLoader();
		Handing handing = new Handing(here);
		handing.loadClass("loaders.Named").newInstance(); // resolved; runs: usual={Named.<init>}; reached: usual={Named.<clinit>}; unreached: both={Plain.<clinit> Found.<clinit>}
		handing.loadClass("loaders.Plain"); // resolved; runs: usual={}
		handing.loadClass(args[0]); // unresolved: reflection/entry
		new Defining().findClass("loaders.Found"); // resolved; runs: usual={}
		new Defining().loadClass("loaders.Other").newInstance(); // resolved; runs: usual={Other.<init>}
		new Defining().loadClass("loaders.Gone"); // unresolved: reflection/name=loaders.Gone
		new Eager().findClass("loaders.Named");
		new Changing().loadClass("Named"); // unresolved: reflection/name=Named
		any(new Hidden(), "loaders.Named");
	}
}
