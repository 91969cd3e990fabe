// SPDX-License-Identifier: Apache-2.0
// What levels of assumptions (--assume) make of the same calls. What is assumed at one level is a part of what is assumed at the next.
// jdk: reflection
package levels;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

interface Shape {
	void draw();
}

class Circle implements Shape {
	static int count = start();

	static int start() {
		return 0;
	}

	public Circle() {
	}

	public Circle(int radius) {
	}

	public void draw() {
	}
}

class Square implements Shape {
	static int count = Circle.start();

	Square() {
	}

	private Square(int side) {
	}

	public void draw() {
	}
}

abstract class Solid implements Shape {
	static int count = Circle.start();

	public Solid() {
	}
}

class Cube extends Solid {
	public void draw() {
	}
}

class Stranger {
	static int count = Circle.start();

	public Stranger() {
	}

	public void greet() {
	}

	private void whisper() {
	}
}

class Named {
	static int count = Circle.start();

	public Named() {
	}

	public static void hello() {
	}

	public void hello(String name) {
	}

	private static void secret() {
	}
}

// Never mentioned by any code.
class Plugin {
	static int count = boot();

	static int boot() {
		return 1;
	}

	public Plugin() {
	}

	public void plug() {
		Outlet.on();
	}
}

class Outlet {
	static void on() {
	}
}

public class Levels {
	private static String field = "levels.Named";

	// Strings: all sites are resolved from string on, and none is above it.
	static void strings() throws Exception {
		Class<?> c = Class.forName("levels.Named"); // runs: both/behaved>={Named.<clinit> Stranger.<clinit> Plugin.<clinit>} both/encap>={Named.<clinit> Stranger.<clinit> Plugin.<clinit>} both/cast>={Named.<clinit> Stranger.<clinit> Plugin.<clinit>} both/string={Named.<clinit>} both/env={Named.<clinit>} both={Named.<clinit>} ; resolved ; resolved both/string
		c.newInstance(); // runs: both/behaved>={Named.<init> Stranger.<init> Plugin.<init> Square.<init>()V} both/encap>={Named.<init> Stranger.<init> Plugin.<init> Square.<init>()V} both/string={Named.<init>} both/env={Named.<init>} both={Named.<init>} ; resolved
		c.getMethod("hello").invoke(null); // runs: both/behaved>={Named.hello()V Named.secret Stranger.greet Stranger.whisper} both/encap>={Named.hello()V Stranger.greet} both/string={Named.hello()V} both={Named.hello()V} ; resolved
		c.getMethod("hello").invoke(null); // runs: both/encap!={Named.secret Stranger.whisper} both/cast!={Named.secret Stranger.whisper} both/string!={Stranger.greet Named.hello(Ljava/lang/String;)V}
		// A name is a name: what is resolved is called whatever its access, at any level.
		c.getDeclaredMethod("secret").invoke(null); // runs: both/string={Named.secret} both={Named.secret} both/encap>={Named.secret Stranger.greet}
		Class.forName(field); // runs: both/string={Named.<clinit>} both={Named.<clinit>} both/cast>={Named.<clinit> Plugin.<clinit>} ; resolved both/string
		inPrivate("levels.Named");
		inPackage("levels.Named");
		inPublic("levels.Named");
	}

	private static void inPrivate(String name) throws Exception {
		Class.forName(name); // runs: both/string={Named.<clinit>} both/env={Named.<clinit>} both={Named.<clinit>} both/cast>={Plugin.<clinit>} ; resolved both/string
	}

	static void inPackage(String name) throws Exception {
		Class.forName(name); // runs: both/string={Named.<clinit>} both/env={Named.<clinit>} both={Named.<clinit>} ; resolved both/string
	}

	// Unresolved calls may call it, with any name.
	public static void inPublic(String name) throws Exception {
		Class.forName(name); // runs: both/string>={Named.<clinit> Plugin.<clinit>} both/env>={Named.<clinit> Plugin.<clinit>} both={Named.<clinit>} ; unresolved both/string: reflection ; resolved
		within(name);
	}

	private static void within(String name) throws Exception {
		Class.forName(name); // runs: both/string>={Named.<clinit> Plugin.<clinit>} both={Named.<clinit>}
	}

	// Casts: what is made and always cast, and the class of it, is of that type.
	static Shape cast(String name) throws Exception {
		Class<?> c = Class.forName(name); // runs: both/encap>={Circle.<clinit> Stranger.<clinit> Plugin.<clinit>} both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit>} both/string={Circle.<clinit> Square.<clinit> Solid.<clinit>} both/env={Circle.<clinit> Square.<clinit> Solid.<clinit>} both={} ; unresolved: reflection
		return (Shape) c.newInstance(); // runs: both/encap>={Circle.<init>()V Stranger.<init> Plugin.<init>} both/cast={Circle.<init>()V Square.<init>()V Cube.<init>} both/string={Circle.<init>()V Square.<init>()V Cube.<init>} both={}
	}

	static Shape castByConstructor(String name) throws Exception {
		Class<?> c = Class.forName(name); // runs: both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit>}
		Constructor<?> k = c.getConstructor(int.class);
		Object o = k.newInstance(1); // runs: both/encap>={Circle.<init>(I)V Stranger.<init>} ; runs: both/cast>={Circle.<init>(I)V} ; runs: both/cast!={Stranger.<init> Square.<init>(I)V Solid.<init>}
		return (Shape) o;
	}

	static Object castSometimes(String name, boolean b) throws Exception {
		Object o = Class.forName(name).newInstance(); // runs: both/cast>={Circle.<init>()V Stranger.<init> Plugin.<init> Stranger.<clinit>}
		if (b)
			return (Shape) o;
		return o;
	}

	static Shape castAnother(String name, Shape s, boolean b) throws Exception {
		Class<?> c = Class.forName(name);
		Object o = c.newInstance(); // runs: both/cast>={Circle.<init>()V Stranger.<init>}
		if (b)
			o = s;
		return (Shape) o;
	}

	static Shape castChecked(String name) throws Exception {
		Object o = Class.forName(name).newInstance(); // runs: both/cast>={Circle.<init>()V Stranger.<init> Stranger.<clinit>}
		if (!(o instanceof Shape))
			throw new IllegalStateException();
		return (Shape) o;
	}

	static Object castInLoop(String[] names) throws Exception {
		Object last = null;
		for (int i = 0; i < names.length; i++) {
			if (last != null)
				((Shape) last).draw();
			last = Class.forName(names[i]).newInstance(); // runs: both/cast>={Circle.<init>()V Stranger.<init>}
		}
		return last;
	}

	// One of two calls, and the same variable.
	static Shape castJoined(String name, boolean b) throws Exception {
		Class<?> c;
		if (b)
			c = Class.forName(name); // runs: both/encap>={Stranger.<clinit>} both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit>} both/env={Circle.<clinit> Square.<clinit> Solid.<clinit>}
		else
			c = Class.forName(name, true, null); // runs: both/encap>={Stranger.<clinit>} both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit>}
		return (Shape) c.newInstance();
	}

	static Shape castJoinedObjects(Class<?> c, boolean b) throws Exception {
		Object o;
		if (b)
			o = c.newInstance(); // runs: both/cast={Circle.<init>()V Square.<init>()V Cube.<init>}
		else
			o = c.getConstructor().newInstance(); // runs: both/cast>={Circle.<init>()V Cube.<init>} ; runs: both/cast!={Stranger.<init>}
		return (Shape) o;
	}

	static Object castOther(String name, Class<?> c, boolean b) throws Exception {
		Class<?> mine = Class.forName(name); // runs: both/cast>={Circle.<clinit> Stranger.<clinit>}
		if (b)
			c = mine;
		return (Shape) c.newInstance();
	}

	static Object castByMethods(String name) throws Exception {
		Class<? extends Shape> c = Class.forName(name).asSubclass(Shape.class); // runs: both/encap>={Stranger.<clinit>} both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit>}
		Object o = Class.forName(name).newInstance(); // runs: both/cast={Circle.<clinit> Square.<clinit> Solid.<clinit> Circle.<init>()V Square.<init>()V Cube.<init>}
		return Shape.class.cast(o);
	}

	// What a method returns says nothing about where it is.
	static Shape castResult(Method m) throws Exception {
		return (Shape) m.invoke(null); // runs: both/cast>={Named.hello()V Circle.draw Stranger.greet} both/string>={Named.hello()V Circle.draw Stranger.greet}
	}

	// Both: names that are not of that type cannot be.
	static Shape castName(boolean b) throws Exception {
		Class<?> c = Class.forName(b ? "levels.Circle" : "levels.Cube"); // runs: both/string={Circle.<clinit> Solid.<clinit>} both={Circle.<clinit> Solid.<clinit>}
		return (Shape) c.newInstance(); // runs: both/string={Circle.<init>()V Cube.<init>} both={Circle.<init>()V Cube.<init>}
	}

	public static void main(String[] args) throws Exception {
		strings();
		cast(args[0]).draw(); // calls draw: both/cast>={Circle.draw Square.draw Cube.draw}
		castByConstructor(args[0]);
		castSometimes(args[0], args.length == 1);
		castAnother(args[0], null, args.length == 1);
		castChecked(args[0]);
		castInLoop(args);
		castResult(Class.forName(args[0]).getMethod(args[1]));
		castName(args.length == 1);
		castJoined(args[0], args.length == 1);
		castJoinedObjects(Class.forName(args[0]), args.length == 1);
		castOther(args[0], Circle.class, args.length == 1);
		castByMethods(args[0]);
		// What is assumed to be made is there, and what it calls is called.
		// reached: both/behaved>={Plugin.plug Outlet.on Plugin.boot} both/encap>={Plugin.plug Outlet.on} both/string>={Plugin.plug Outlet.on} both/env>={Plugin.plug Outlet.on} ; unreached: both={Plugin.plug Outlet.on Plugin.<clinit> Stranger.greet}
	}
}
