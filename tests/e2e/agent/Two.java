// SPDX-License-Identifier: Apache-2.0
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Two classes of one name, in two loaders, select different targets. And a loader is gone soon when nobody has it. */
public class Two {
	public static class Base { public String who() { return "Two$Base"; } }

	static String call(Base b) { return b.who(); }

	static java.lang.ref.WeakReference<ClassLoader> load(String folder) throws Exception {
		URL url = Path.of(folder).toUri().toURL();
		ClassLoader l = new URLClassLoader(new URL[] { url }, Two.class.getClassLoader());
		Base b = (Base) l.loadClass("Twin").getDeclaredConstructor().newInstance();
		for (int i = 0; i < 100; i++)
			Expect.saw("Two.call", b, call(b));
		return new java.lang.ref.WeakReference<>(l);
	}

	/** A frame that was just left may still be seen by the first collection. */
	static void use(String folder) throws Exception {
		java.lang.ref.WeakReference<ClassLoader> gone = load(folder);
		for (int i = 0; i < 3000 && gone.get() != null; i++) {
			System.gc();
			Thread.sleep(10);
		}
		System.out.println(gone.get() == null);
	}

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 3; i++) {
			use(System.getProperty("other") + "/a");
			use(System.getProperty("other") + "/b");
		}
		many(System.getProperty("other") + "/b", 40);
		Expect.write();
	}

	/** More classes of one name, all alive, than a call remembers. */
	static void many(String folder, int n) throws Exception {
		Base[] all = new Base[n];
		for (int i = 0; i < n; i++)
			all[i] = (Base) new URLClassLoader(new URL[] { Path.of(folder).toUri().toURL() }, Two.class.getClassLoader())
				.loadClass("Twin").getDeclaredConstructor().newInstance();
		for (int i = 0; i < 20 * n; i++)
			Expect.saw("Two.call", all[i * 7 % n], call(all[i * 7 % n]));
	}
}
