// SPDX-License-Identifier: Apache-2.0
// What the library finds by name: bundles of resources, beans, factories; class loaders of one's own; objects without a constructor.
package byname;

import java.beans.Beans;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.ResourceBundle;
import javax.xml.parsers.DocumentBuilderFactory;
import sun.misc.Unsafe;

abstract class Base extends ListResourceBundle {
	protected Object[][] getContents() {
		return new Object[0][];
	}
}

class Texts extends Base {
	public Texts() {
	}
}

class Texts_de extends Base {
	public Texts_de() {
	}

	public Locale getLocale() {
		return Locale.GERMAN;
	}
}

class Texts_de_AT extends Base {
	public Texts_de_AT() {
	}
}

class Texts_not {
	public Texts_not() {
	}
}

class Textsandmore extends Base {
	public Textsandmore() {
	}
}

class Some_words extends Base {
	public Some_words() {
	}
}

class Some_words_fr extends Base {
	public Some_words_fr() {
	}
}

class Some_other extends Base {
	public Some_other() {
	}
}

class Bean {
	static int count = ByName.initialised("Bean");

	public Bean() {
	}

	void use() {
	}
}

class Early {
	static int count = ByName.initialised("Early");
}

class Bare {
	static int count = ByName.initialised("Bare");

	Bare() {
		used();
	}

	void used() {
	}

	void use() {
	}
}

class Plugin {
	public Plugin() {
	}

	public void start() {
	}
}

class Loader extends ClassLoader {
	private byte[] bytes(String name) {
		return new byte[0];
	}

	protected Class<?> findClass(String name) throws ClassNotFoundException {
		byte[] b = bytes(name);
		return defineClass(name, b, 0, b.length);
	}

	Class<?> define() {
		byte[] b = bytes("byname.Plugin");
		return defineClass("byname.Plugin", b, 0, b.length); // resolved
	}
}

final class Sealed {
	private final Helper helper = new Helper();

	void act() {
		own();
	}

	private void own() {
		helper.help();
	}
}

final class Never { // nobody makes one by its name
	void act() {
	}

	public String toString() { // unreached: rta={Never.toString} andersen={Never.toString}
		return "never";
	}
}

class Open {
	void act() { // unreached: rta={Open.act} andersen={Open.act}
	}
}

class Helper {
	void help() {
	}
}

public class ByName {
	static int initialised(String s) {
		return s.length();
	}

	static void bundles(String[] args) {
		ResourceBundle.getBundle("byname.Texts"); // runs: usual={Texts.<init> Texts_de.<init> Texts_de_AT.<init>} ; resolved
		ResourceBundle b = ResourceBundle.getBundle("byname.Texts", Locale.GERMAN);
		b.getLocale(); // calls: usual>={Texts_de.getLocale ResourceBundle.getLocale}
		ResourceBundle.getBundle("byname.Some_words"); // runs: usual={Some_words.<init> Some_words_fr.<init>} ; resolved
		ResourceBundle.getBundle("byname.Nowhere"); // runs: usual={} ; resolved
		ResourceBundle.getBundle(args[0]); // runs: usual={} ; unresolved: reflection ; unreached: usual={Textsandmore.<init> Some_other.<init> Texts_not.<init>}
	}

	static void beans(String[] args) throws Exception {
		Bean b = (Bean) Beans.instantiate(null, "byname.Bean"); // runs: usual={Bean.<init>} ; resolved ; pts: andersen={Bean} ; reached: usual={Bean.<clinit>}
		b.use(); // calls: usual={Bean.use}
		Beans.instantiate(null, args[0]); // unresolved: reflection
	}

	static void bare() throws Exception {
		Field f = Unsafe.class.getDeclaredField("theUnsafe");
		f.setAccessible(true);
		Unsafe u = (Unsafe) f.get(null);
		Bare b = (Bare) u.allocateInstance(Bare.class); // calls allocateInstance: usual={Unsafe.allocateInstance} ; runs: usual={} ; resolved ; reached: usual={Bare.<clinit>} ; unreached: usual={Bare.<init>}
		b.use(); // calls: usual={Bare.use}
		u.putObject(b, 0L, ""); // calls: usual={Unsafe.putObject}
	}

	static void early(String[] args) throws Exception {
		MethodHandles.lookup().ensureInitialized(Early.class); // calls ensureInitialized: usual={MethodHandles$Lookup.ensureInitialized} ; runs: usual={Early.<clinit>} ; resolved
		Class<?> named = Class.forName(args[0], false, null); // unresolved: reflection
		MethodHandles.lookup().ensureInitialized(named); // runs: usual={} ; unresolved: reflection
	}

	static void loaders(String[] args) throws Exception {
		((Plugin) new Loader().loadClass("byname.Plugin").getConstructor().newInstance()).start(); // runs: usual={Plugin.<init>} ; resolved
		((Plugin) new Loader().define().getConstructor().newInstance()).start(); // runs: usual={Plugin.<init>} ; resolved
		new Loader().findClass("byname.Plugin").newInstance(); // runs: usual={Plugin.<init>} ; resolved
		URLClassLoader there = new URLClassLoader(new URL[] { new URL("file:/nowhere/plugins.jar") });
		there.loadClass("byname.Plugin").newInstance(); // runs: usual={Plugin.<init>} ; resolved
		there.loadClass("elsewhere.Plugin").newInstance(); // runs: usual={} ; unresolved: reflection
		Thread.currentThread().setContextClassLoader(there);
		Thread.currentThread().getContextClassLoader().loadClass("byname.Plugin").newInstance(); // runs: usual={Plugin.<init>} ; resolved
	}

	static void factories() throws Exception {
		DocumentBuilderFactory.newInstance().newDocumentBuilder(); // calls newDocumentBuilder: usual={DocumentBuilderFactoryImpl.newDocumentBuilder}
	}

	// There is nothing below a final class.
	static void unknown(String[] args) throws Exception {
		Sealed s = (Sealed) Class.forName(args[0]).newInstance();
		s.act(); // calls: andersen={Sealed.act} ; closed: andersen
		Object o = Class.forName(args[1]).newInstance();
		((Plugin) o).start(); // open start: andersen
		((Never) Class.forName(args[2]).newInstance()).act(); // calls act: usual={Never.act} ; receivers act: usual={Never} ; closed act: andersen
		((Open) Class.forName(args[3]).newInstance()).act(); // calls act: rta={} andersen={} ; open act: andersen
		o.toString();
		new Sealed();
	}

	public static void main(String[] args) throws Exception {
		bundles(args);
		beans(args);
		bare();
		early(args);
		loaders(args);
		factories();
		unknown(args);
	}
}
