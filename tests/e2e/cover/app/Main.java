// SPDX-License-Identifier: Apache-2.0
package app;

import java.io.File;

import lib.Shape;
import lib.Shapes;

/** A client that does what its arguments say, one after the other. */
public class Main {
	static class Own implements Shape {
		public int area() {
			return 7;
		}
	}

	static void fork(String what) throws Exception {
		Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
					       System.getProperty("java.class.path"), "app.Main", what).inheritIO().start();
		if (p.waitFor() != 0)
			throw new IllegalStateException("the other JVM failed");
	}

	static void signal(String name) throws Exception {
		new ProcessBuilder("kill", "-" + name, "" + ProcessHandle.current().pid()).start().waitFor();
		Thread.sleep(600000);
	}

	static void await(File file) throws Exception {
		while (!file.exists())
			Thread.sleep(50);
	}

	static void run(Shapes shapes, String what, String value) throws Exception {
		switch (what) {
		case "area": System.out.println(shapes.area(shapes.make(value))); break;
		case "own": System.out.println(shapes.area(new Own())); break;
		case "both": System.out.println(shapes.both(value.equals("round"))); break;
		case "print": System.out.println(System.getProperty(value)); break;
		case "fork": fork(value); break;
		case "await": await(new File(value)); break;
		case "signal": signal(value); break;
		case "throw": throw new IllegalArgumentException(value);
		case "halt": Runtime.getRuntime().halt(Integer.parseInt(value)); break;
		case "exit": System.exit(Integer.parseInt(value)); break;
		default: throw new IllegalArgumentException(what);
		}
	}

	public static void main(String[] arguments) throws Exception {
		Shapes shapes = new Shapes();
		for (String a : arguments) {
			int colon = a.indexOf(':');
			run(shapes, colon < 0 ? a : a.substring(0, colon), colon < 0 ? "" : a.substring(colon + 1));
		}
	}
}
