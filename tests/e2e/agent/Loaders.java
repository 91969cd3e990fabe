// SPDX-License-Identifier: Apache-2.0
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.Supplier;

/** One class in several loaders counts as one class; and loaders can still be unloaded. */
public class Loaders {
	static Object call(Supplier<?> s) { return s.get(); }

	static Supplier<?> load(ClassLoader l) throws Exception {
		return (Supplier<?>) l.loadClass("Hidden").getDeclaredConstructor().newInstance();
	}

	static ClassLoader loader() throws Exception {
		URL url = Path.of(System.getProperty("classes")).toUri().toURL();
		return new URLClassLoader(new URL[] { url }, ClassLoader.getPlatformClassLoader());
	}

	static WeakReference<ClassLoader> use(int calls) throws Exception {
		ClassLoader a = loader(), b = loader();
		Supplier<?> x = load(a), y = load(b);
		for (int i = 0; i < calls; i++) {
			call(x);
			call(y);
		}
		return new WeakReference<>(i(a));
	}

	static ClassLoader i(ClassLoader l) { return l; }

	public static void main(String[] args) throws Exception {
		int calls = 100000, rounds = Integer.getInteger("rounds", 3);
		for (int r = 0; r < rounds; r++) {
			WeakReference<ClassLoader> gone = use(calls);
			long end = System.nanoTime() + 300_000_000_000L;
			while (gone.get() != null && System.nanoTime() < end) {
				System.gc();
				Thread.sleep(100);
			}
			System.out.println(gone.get() == null ? "unloaded" : "still there");
		}
		for (int i = 0; i < 2 * calls * rounds; i++)
			Expect.saw("Loaders.call", load0, "Hidden");
		Expect.write();
	}

	static final Supplier<?> load0 = new Hidden();
}
