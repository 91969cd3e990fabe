// SPDX-License-Identifier: Apache-2.0
// Why calls by reflection are not resolved.
// delete: Gone
package reasons;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

class Gone {
	static String name() {
		return "reasons.A";
	}
}

class A {
	public A() {
	}

	public void run() {
	}
}

class Settings {
	static String plugin = "reasons.A";
	private static String secret = "reasons.A";

	static void use() throws Exception {
		Class.forName(secret); // resolved
	}
}

public class Reasons {
	static Class<?> made(Class<?>[] classes) {
		fill(classes);
		return classes[0];
	}

	static void fill(Class<?>[] classes) {
		classes[0] = A.class;
	}

	static Object kept;

	static class Member {
	}

	public static void main(String[] args) throws Exception {
		Class.forName(args[0]); // unresolved: reflection/entry
		Class.forName("reasons.Nothing"); // unresolved: reflection/name=reasons.Nothing
		Class.forName(Gone.name()); // unresolved: reflection/missing
		Class.forName(System.getProperty("plugin")); // unresolved: reflection/property
		Class.forName(System.getenv("PLUGIN")); // unresolved: reflection/property
		Class.forName(new BufferedReader(new InputStreamReader(System.in)).readLine()); // unresolved: reflection/input
		Class.forName(Settings.plugin); // unresolved: reflection/field
		Settings.use();
		List<String> names = new ArrayList<>();
		names.add("reasons.A");
		Class.forName(names.get(0)); // unresolved: reflection/container
		kept = A.class;
		((Class<?>) kept).newInstance(); // unresolved: reflection/container
		made(new Class<?>[1]).newInstance(); // unresolved: reflection/array
		kept.getClass().newInstance(); // unresolved: reflection/object
		Class<?> c = Class.forName(args[0]);
		Method m = c.getMethod("run"); // calls: usual={Class.getMethod}
		m.invoke(c.newInstance()); // unresolved: reflection/entry
		Method other = A.class.getMethod(args[0]);
		other.invoke(new A()); // unresolved: reflection/entry
		c.getDeclaredField("value").set(null, null); // unresolved: reflection/entry
		Class.forName(new Throwable().getStackTrace()[0].getClassName()); // unresolved: reflection/native
		Class<?> member = Reasons.class.getDeclaredClasses()[0]; // what the JVM gives back
		member.newInstance(); // unresolved: reflection/native
		for (Class<?> each : Reasons.class.getDeclaredClasses())
			if (each.getSimpleName().equals("Member"))
				each.newInstance(); // unresolved: reflection/native
		Object lookup = java.lang.invoke.MethodHandles.lookup().defineClass(new byte[0]); // unresolved: reflection/call
	}
}
