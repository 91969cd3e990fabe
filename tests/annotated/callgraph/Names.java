// SPDX-License-Identifier: Apache-2.0
// Names of classes and members that are put together: what they can be is a language; a finite one is all of its strings, and of
// another one the classes and members that are there and whose names it has.
package names;

import java.lang.reflect.Method;

class PlugOne {
	static int made = Names.initialised();

	public void start() {
	}

	public void startSlowly() {
	}

	public void stop() {
	}

	public void setName(String s) {
	}

	public String getName() {
		return "one";
	}
}

class PlugTwo {
	static int made = Names.initialised();
}

class Other {
	static int made = Names.initialised();
}

class Loader {
	private String prefix = "names.Plug";
	private static final String[] KNOWN = { "names.PlugOne", "names.PlugTwo" };

	Class<?> load(String name) throws Exception {
		String full = prefix + name;
		return Class.forName(full); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static Class<?> first() throws Exception {
		return Class.forName(KNOWN[0]); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static Class<?> given(String name) throws Exception {
		return Class.forName(name); // runs: usual={PlugOne.<clinit> Other.<clinit>} ; resolved
	}
}

public class Names {
	static int initialised() {
		return 1;
	}

	// Concatenation

	static void joined() throws Exception {
		String s = "names.";
		String full = s + "Plug" + "One";
		Class.forName(full); // runs: usual={PlugOne.<clinit>} ; resolved
	}

	static void concat(boolean b) throws Exception {
		Class.forName("names.Plug".concat(b ? "One" : "Two")); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static void prefix(String unknown) throws Exception {
		String full = "names.Plug" + unknown;
		Class.forName(full); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static void suffix(String unknown) throws Exception {
		String full = unknown + "names.PlugT" + unknown;
		Class.forName(full); // runs: usual={PlugTwo.<clinit>} ; resolved
	}

	static void unknown(String unknown) throws Exception {
		Class.forName(unknown); // runs: usual={} ; unresolved: reflection
	}

	static void pieces(String unknown) throws Exception {
		String full = unknown + "." + unknown;
		Class.forName(full); // runs: usual={} ; unresolved: reflection
	}

	static void either(boolean b, String unknown) throws Exception {
		String full = b ? "names." + "PlugOne" : unknown;
		Class.forName(full); // runs: usual={PlugOne.<clinit>} ; unresolved: reflection
	}

	static void missing(String unknown) throws Exception {
		String full = "names.absent." + unknown;
		Class.forName(full); // runs: usual={} ; unresolved: reflection
	}

	static void number(int i) throws Exception {
		String full = "names.Plug" + i;
		Class.forName(full); // runs: usual={} ; unresolved: reflection
	}

	// Builders

	static void builder(boolean b) throws Exception {
		StringBuilder s = new StringBuilder();
		s.append("names").append('.');
		if (b)
			s.append("PlugOne");
		else
			s.append("PlugTwo");
		Class.forName(s.toString()); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static void before(boolean b) throws Exception {
		StringBuilder s = new StringBuilder("names.PlugOne");
		String name = s.toString();
		s.append("Two");
		Class.forName(name); // runs: usual={PlugOne.<clinit>} ; resolved
	}

	static void looped(int n) throws Exception {
		StringBuffer s = new StringBuffer("names.");
		for (int i = 0; i < n; i++)
			s.append("Plug");
		s.append("Two");
		Class.forName(s.toString()); // runs: usual={PlugTwo.<clinit>} ; resolved
	}

	static void cleared() throws Exception {
		StringBuilder s = new StringBuilder("java.lang.Thread");
		s.setLength(0);
		s.append("Other").insert(0, "names.");
		Class.forName(s.toString()); // runs: usual={Other.<clinit>} ; resolved
	}

	static void changed() throws Exception {
		StringBuilder s = new StringBuilder("xnames.Othr");
		s.deleteCharAt(0).insert(9, 'e');
		Class.forName(s.toString()); // runs: usual={Other.<clinit>} ; resolved
	}

	static void reversed() throws Exception {
		Class.forName(new StringBuilder("rehtO.seman").reverse().toString()); // runs: usual={Other.<clinit>} ; resolved
	}

	static void fill(StringBuilder s) {
		s.append("Other");
	}

	static void shared() throws Exception {
		StringBuilder s = new StringBuilder("names.");
		fill(s);
		Class.forName(s.toString()); // runs: usual={} ; unresolved: reflection
	}

	static void caught() throws Exception {
		StringBuilder s = new StringBuilder("names.");
		try {
			s.append("Plug");
			initialised();
			s.append("One");
		} catch (RuntimeException e) {
			s.append("Two");
		}
		Class.forName(s.toString()); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; unresolved: reflection
	}

	static void two(boolean b) throws Exception {
		StringBuilder one = new StringBuilder("names."), other = new StringBuilder("names.Plug"), s = b ? one : other;
		s.append("Two");
		one.append("Other");
		Class.forName(one.toString()); // runs: usual={Other.<clinit> PlugTwo.<clinit>} ; unresolved: reflection
	}

	// Operations

	static void parts() throws Exception {
		String s = "load names.Other now";
		Class.forName(s.substring(5, 16)); // runs: usual={Other.<clinit>} ; resolved
	}

	static void replaced() throws Exception {
		Class.forName("names/Other".replace('/', '.')); // runs: usual={Other.<clinit>} ; resolved
	}

	static void replacedAll() throws Exception {
		Class.forName("names::Other".replaceAll("::", ".")); // runs: usual={Other.<clinit>} ; resolved
	}

	static void trimmed() throws Exception {
		Class.forName("  names.Other ".trim()); // runs: usual={Other.<clinit>} ; resolved
	}

	static void trimmedUnknown(String unknown) throws Exception {
		Class.forName(unknown.trim()); // runs: usual={} ; unresolved: reflection
	}

	static void cased() throws Exception {
		String full = "NAMES.".toLowerCase() + "o".toUpperCase() + "ther";
		Class.forName(full); // runs: usual={Other.<clinit>} ; resolved
	}

	static void formatted() throws Exception {
		Class.forName(String.format("%s.Plug%s", "names", "Two")); // runs: usual={PlugTwo.<clinit>} ; resolved
	}

	static void split() throws Exception {
		for (String s : "names.PlugOne,names.Other".split(","))
			Class.forName(s); // runs: usual={PlugOne.<clinit> Other.<clinit>} ; resolved
	}

	static void joinedBy() throws Exception {
		Class.forName(String.join(".", "names", "Other")); // runs: usual={Other.<clinit>} ; resolved
	}

	static void value(Object o) throws Exception {
		String full = "names." + o;
		Class.forName(full); // runs: usual>={Other.<clinit> PlugOne.<clinit>} ; resolved
	}

	static void copied() throws Exception {
		Class.forName(new String("names.Other").intern()); // runs: usual={Other.<clinit>} ; resolved
	}

	// Tests

	static void tested(String unknown) throws Exception {
		if (unknown.equals("names.Other"))
			Class.forName(unknown); // runs: usual={Other.<clinit>} ; resolved
	}

	static void begins(String unknown) throws Exception {
		if (!unknown.startsWith("names.Plug"))
			return;
		Class.forName(unknown); // runs: usual={PlugOne.<clinit> PlugTwo.<clinit>} ; resolved
	}

	static void not(boolean b) throws Exception {
		String s = b ? "names.PlugOne" : "names.Other";
		if ("names.PlugOne".equals(s))
			return;
		Class.forName(s); // runs: usual={Other.<clinit>} ; resolved
	}

	static void behind(String unknown) throws Exception {
		if (unknown.equals("names.Other"))
			initialised();
		Class.forName(unknown); // runs: usual={} ; unresolved: reflection
	}

	static void chosen(String unknown) throws Exception {
		switch (unknown) {
		case "names.PlugTwo":
		case "names.Other":
			Class.forName(unknown); // runs: usual={PlugTwo.<clinit> Other.<clinit>} ; resolved
			break;
		default:
			Class.forName(unknown); // runs: usual={} ; unresolved: reflection
		}
	}

	// Names of classes that are known

	static void sibling() throws Exception {
		Class.forName(PlugOne.class.getName().replace("One", "Two")); // runs: usual={PlugTwo.<clinit>} ; resolved
	}

	static void inPackage() throws Exception {
		String full = Names.class.getPackage().getName() + ".Other";
		Class.forName(full); // runs: usual={Other.<clinit>} ; resolved
	}

	static void inPackageByName() throws Exception {
		String full = Names.class.getPackageName() + ".Plug" + "Two";
		Class.forName(full); // runs: usual={PlugTwo.<clinit>} ; resolved
	}

	static void simple() throws Exception {
		String full = "names." + Other.class.getSimpleName();
		Class.forName(full); // runs: usual={Other.<clinit>} ; resolved
	}

	// Members

	static void starts(PlugOne p, String unknown) throws Exception {
		Method m = PlugOne.class.getMethod("start" + unknown);
		m.invoke(p); // runs: usual={PlugOne.start PlugOne.startSlowly} ; resolved
	}

	static void getter(PlugOne p) throws Exception {
		String property = "name";
		String name = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
		Method m = PlugOne.class.getMethod(name);
		m.invoke(p); // runs: usual={PlugOne.getName} ; resolved
	}

	static void anyMember(PlugOne p, String unknown) throws Exception {
		PlugOne.class.getMethod(unknown).invoke(p); // unresolved: reflection
	}

	public static void main(String[] args) throws Exception {
		joined();
		concat(args.length > 1);
		prefix(args[0]);
		suffix(args[0]);
		unknown(args[0]);
		pieces(args[0]);
		either(args.length > 1, args[0]);
		missing(args[0]);
		number(args.length);
		builder(args.length > 2);
		before(true);
		looped(args.length);
		cleared();
		changed();
		reversed();
		shared();
		caught();
		two(args.length > 1);
		parts();
		replaced();
		replacedAll();
		trimmed();
		trimmedUnknown(args[0]);
		cased();
		formatted();
		split();
		joinedBy();
		value(args);
		copied();
		tested(args[0]);
		begins(args[0]);
		not(args.length > 1);
		behind(args[0]);
		chosen(args[0]);
		sibling();
		inPackage();
		inPackageByName();
		simple();
		PlugOne p = new PlugOne();
		starts(p, args[0]);
		getter(p);
		anyMember(p, args[0]);
		new Loader().load(args[0]);
		Loader.first();
		Loader.given("names." + "PlugOne");
		Loader.given("names.".concat("Other"));
	}
}
