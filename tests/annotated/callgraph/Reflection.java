// SPDX-License-Identifier: Apache-2.0
// Calls by reflection: classes, members and names are followed from where they are written down.
// delete: Gone
package reflection;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

class Gone {
	static String name() {
		return "reflection.A";
	}
}

interface Speaker {
	int LOUDNESS = Reflection.initialised("Speaker");

	void speak();

	default void shout() {
	}

	static void whisper() {
	}
}

abstract class Base {
	static int count = Reflection.initialised("Base");

	public static void hidden() {
	}

	public void inherited() {
	}

	public void overridden() {
	}

	protected abstract void step();

	private void own() {
	}

	static void ask(Base b) throws Exception {
		Method m = Base.class.getDeclaredMethod("own");
		m.invoke(b); // runs: usual={Base.own} ; resolved
	}
}

class A extends Base implements Speaker {
	static int count = Reflection.initialised("A");

	public A() {
	}

	public static void hidden() {
	}

	public void overridden() {
	}

	protected void step() {
	}

	void own() {
	}

	public void speak() {
	}

	private static void secret() {
	}
}

class B extends Base implements Speaker {
	public B() {
	}

	protected void step() {
	}

	public void speak() {
	}
}

class Dog implements Speaker {
	final Speaker friend;

	public Dog(Speaker friend) {
		this.friend = friend;
	}

	private Dog(int a, String b) {
		friend = null;
	}

	public void speak() {
		friend.speak(); // calls: andersen={B.speak}
	}
}

class Over {
	void f() {
	}

	void f(int i) {
	}

	void f(long l) {
	}

	void f(String s) {
	}

	void f(String... s) {
	}

	void f(Object o) {
	}

	int f(int[] a) {
		return 0;
	}
}

enum Colour {
	RED {
		void paint() {
		}
	},
	GREEN;

	void paint() {
	}
}

class Boom extends Exception {
	void report() {
	}
}

record Point(int x, int y) {
	public int x() {
		return x;
	}
}

class Holder {
	private static String name = "reflection.B";
	static final Speaker SPEAKER = new B();
	static final int NUMBER = Reflection.initialised("Holder");
	private final Class<?> type;
	private Method method;
	Speaker slot;
	private static final String[] NAMES = new String[2];
	private static final Class<?>[] TYPES = { A.class, B.class };

	Holder(Class<?> type) throws Exception {
		this.type = type;
		method = type.getMethod("inherited");
	}

	Object make() throws Exception {
		return type.newInstance(); // runs: usual={A.<init>} ; resolved
	}

	void call(Object o) throws Exception {
		method.invoke(o); // runs: usual={Base.inherited} ; resolved
	}

	static Object byName() throws Exception {
		return Class.forName(name).newInstance(); // runs: both>={B.<init> Base.<clinit>} andersen>={B.<init>}
	}

	static void fill() {
		NAMES[1] = "reflection.Stored";
	}

	static void load() throws Exception {
		Class.forName(NAMES[1]); // runs: usual={Stored.<clinit>}
	}

	static void loadAll() throws Exception {
		for (Class<?> c : TYPES)
			c.newInstance(); // runs: usual={A.<init> B.<init>} ; resolved
	}
}

class Stored {
	static int count = Reflection.initialised("Stored");
}

class Counter {
	static int count = Reflection.initialised("Counter");
}

class Idle {
	static int count = Reflection.initialised("Idle");
}

class Lazy {
	static int count = Reflection.initialised("Lazy");

	Lazy() {
	}
}

class Silent implements Speaker {
	public void speak() {
	}
}

class Nested {
	private String name = "reflection.Secret";

	private class Inner {
		private Inner() {
		}

		void load() throws Exception {
			Class.forName(name); // runs: usual={Secret.<clinit>} ; resolved
		}
	}

	void all() throws Exception {
		Inner.class.getDeclaredConstructor(Nested.class).newInstance(this); // runs: usual={Nested$Inner.<init>} ; resolved
		new Inner().load();
	}
}

class Secret {
	static int count = Reflection.initialised("Secret");
}

public class Reflection {
	static int initialised(String s) {
		return s.length();
	}

	// Classes by name

	static void loads(String[] args, boolean b) throws Exception {
		Class.forName("reflection.A"); // runs: usual={A.<clinit> Base.<clinit> Speaker.<clinit>} ; resolved
		Class.forName("reflection.Silent"); // runs: usual={Speaker.<clinit>} ; resolved
		Class.forName(b ? "reflection.A" : "reflection.Secret"); // runs: usual={A.<clinit> Base.<clinit> Speaker.<clinit> Secret.<clinit>} ; resolved
		Class.forName(A.class.getName()); // runs: usual={A.<clinit> Base.<clinit> Speaker.<clinit>} ; resolved
		Class.forName("reflection.Secret", true, null); // runs: usual={Secret.<clinit>} ; resolved
		Class.forName("[Lreflection.A;"); // runs: usual={} ; resolved
		Class.forName(Objects.requireNonNull("reflection.Secret".intern())); // runs: usual={Secret.<clinit>} ; resolved
		Class.forName(args[0]); // runs: usual={} ; unresolved: reflection
		Class.forName("reflection.Nothing"); // unresolved: reflection
		Class.forName("reflection/A"); // unresolved: reflection
		Class.forName(System.getProperty("name")); // unresolved: reflection
		Class.forName(Gone.name()); // unresolved: reflection
		Class.forName(new Throwable().getStackTrace()[0].getClassName()); // unresolved: reflection
		Class.forName(args.length > 1 ? args[1] : "reflection.Secret"); // runs: usual={Secret.<clinit>} ; unresolved: reflection
		List<String> names = new ArrayList<>();
		names.add("reflection.A");
		Class.forName(names.get(0)); // unresolved: reflection
		ClassLoader loader = Reflection.class.getClassLoader();
		loader.loadClass("reflection.Idle"); // runs: usual={} ; resolved ; unreached: usual={Idle.<clinit>}
		loader.loadClass("reflection.Lazy").newInstance(); // runs: usual={Lazy.<init>} ; resolved ; reached: usual={Lazy.<clinit>}
		Thread.currentThread().getContextClassLoader().loadClass(args[0]).newInstance(); // runs: usual={} ; unresolved: reflection
	}

	// Instances

	static Speaker made(Class<? extends Speaker> c) throws Exception {
		return c.newInstance(); // runs: usual={A.<init> B.<init>} ; resolved
	}

	static void instances(boolean b) throws Exception {
		made(A.class).speak(); // calls speak: both>={A.speak B.speak} andersen={A.speak B.speak}
		made(B.class);
		Speaker s = (Speaker) Class.forName("reflection.B").newInstance(); // runs: usual={B.<init> Base.<clinit> Speaker.<clinit>} ; resolved ; pts: andersen={B}
		s.speak(); // calls: andersen={B.speak}
		Dog.class.getConstructor(Speaker.class).newInstance(s).speak(); // runs: usual={Dog.<init>(Lreflection/Speaker;)V} ; calls speak: andersen={Dog.speak}
		Dog.class.getDeclaredConstructor(int.class, String.class).newInstance(1, ""); // runs: usual={Dog.<init>(ILjava/lang/String;)V}
		Class<?> c = b ? A.class : B.class;
		c.getDeclaredConstructor().newInstance(); // runs: usual={A.<init> B.<init>} ; resolved
		for (Constructor<?> k : Dog.class.getDeclaredConstructors())
			k.newInstance(); // runs: usual={Dog.<init>(Lreflection/Speaker;)V Dog.<init>(ILjava/lang/String;)V} ; resolved
		for (Constructor<?> k : Dog.class.getConstructors())
			k.newInstance(); // runs: usual={Dog.<init>(Lreflection/Speaker;)V} ; resolved
		Base.class.newInstance(); // runs: usual={} ; resolved
		Speaker.class.newInstance(); // runs: usual={}
		A.class.getSuperclass().getMethod("inherited").invoke(new B()); // runs: usual={Base.inherited} ; resolved
		new A[0].getClass().getComponentType().newInstance(); // runs: usual={A.<init>} ; resolved
		A.class.asSubclass(Speaker.class).newInstance(); // runs: usual={A.<init>} ; resolved
		Callable<?> later = A.class.getConstructor()::newInstance;
		later.call();
		Array.newInstance(Idle.class, 1); // runs: usual={}
	}

	// Methods

	static Method find(String name) throws Exception {
		return A.class.getMethod(name);
	}

	static void call(Method m, Object o) throws Exception {
		m.invoke(o); // runs: usual={A.overridden Base.inherited} ; resolved
	}

	static void methods(boolean b, String[] args) throws Exception {
		A a = new A();
		A.class.getMethod("overridden").invoke(a); // runs: usual={A.overridden} ; resolved
		Base.class.getMethod("overridden").invoke(a); // runs: both={A.overridden Base.overridden} andersen={A.overridden}
		Base.class.getMethod("hidden").invoke(null); // runs: usual={Base.hidden}
		A.class.getMethod("hidden").invoke(null); // runs: usual={A.hidden}
		B.class.getMethod("hidden").invoke(null); // runs: usual={Base.hidden}
		B.class.getMethod("step").invoke(null); // runs: usual={}
		B.class.getDeclaredMethod("step").invoke(new B()); // runs: usual={B.step}
		Base.class.getDeclaredMethod("step").invoke(new B()); // runs: both={A.step B.step} andersen={B.step}
		B.class.getDeclaredMethod("inherited").invoke(new B()); // runs: usual={}
		Base.ask(a);
		Method secret = A.class.getDeclaredMethod("secret");
		secret.setAccessible(true);
		secret.invoke(null); // runs: usual={A.secret} ; resolved
		A.class.getMethod("secret").invoke(null); // runs: usual={}
		Speaker.class.getMethod("speak").invoke(a); // runs: both>={A.speak B.speak Dog.speak} andersen={A.speak}
		A.class.getMethod("shout").invoke(a); // runs: usual={Speaker.shout}
		Speaker.class.getMethod("whisper").invoke(null); // runs: usual={Speaker.whisper}
		(b ? A.class : B.class).getMethod("speak").invoke(b ? a : new B()); // runs: usual={A.speak B.speak} ; resolved
		call(find("overridden"), a);
		call(find(b ? "inherited" : "none"), a);
		A.class.getMethod(args[0]).invoke(a); // runs: usual={} ; unresolved: reflection
		for (Method m : Over.class.getDeclaredMethods())
			m.invoke(new Over()); // runs: usual={Over.f} ; resolved
		for (Method m : A.class.getMethods())
			if (m.getName().startsWith("s"))
				m.invoke(a); // runs: usual>={A.speak Speaker.shout Base.inherited A.overridden} ; runs: usual!={A.secret A.own A.step Base.own} ; resolved
		Method[] chosen = { A.class.getMethod("speak"), B.class.getMethod("speak") };
		chosen[0].invoke(a); // runs: both={A.speak B.speak} andersen={A.speak} ; resolved
		Method[] changed = Speaker.class.getMethods();
		changed[0] = Colour.class.getDeclaredMethod("paint");
		changed[0].invoke(Colour.RED); // runs: both>={Colour.paint Colour$1.paint} andersen>={Colour$1.paint}
		Colour[] colours = (Colour[]) Colour.class.getMethod("values").invoke(null); // runs: usual={Colour.values}
		Colour.class.getDeclaredMethod("paint").invoke(colours[0]); // runs: usual={Colour.paint Colour$1.paint}
		Runnable r = () -> {
			try {
				secret.invoke(null); // runs: usual={A.secret} ; resolved
			} catch (Exception e) {
				return;
			}
		};
		r.run();
		new Object() {
			void inner() throws Exception {
				secret.invoke(null); // runs: usual={A.secret} ; resolved
				getClass().getEnclosingClass().getDeclaredMethod("initialised", String.class).invoke(null, ""); // unresolved: reflection
			}
		}.inner();
		class Local {
			void f() throws Exception {
				Local.class.getEnclosingClass().getDeclaredMethod("enclosed").invoke(null); // runs: usual={Reflection.enclosed} ; resolved
			}
		}
		new Local().f();
		Member member = secret;
		member.getDeclaringClass().newInstance(); // unresolved: reflection
		secret.getDeclaringClass().newInstance(); // runs: usual={A.<init>} ; resolved
		for (RecordComponent c : Point.class.getRecordComponents())
			c.getAccessor().invoke(new Point(1, 2)); // runs: usual={Point.x Point.y} ; resolved
		Point.class.getRecordComponents()[0].getDeclaringRecord().getDeclaredMethod("y").invoke(new Point(1, 2)); // runs: usual={Point.y} ; resolved
		A.class.getRecordComponents();
	}

	static void enclosed() {
	}

	static void overloads() throws Exception {
		Over o = new Over();
		Over.class.getDeclaredMethod("f").invoke(o); // runs: usual={Over.f()V}
		Over.class.getDeclaredMethod("f", int.class).invoke(o, 1); // runs: usual={Over.f(I)V}
		Over.class.getDeclaredMethod("f", long.class).invoke(o, 1L); // runs: usual={Over.f(J)V}
		Over.class.getDeclaredMethod("f", String.class).invoke(o, ""); // runs: usual={Over.f(Ljava/lang/String;)V}
		Over.class.getDeclaredMethod("f", Object.class).invoke(o, ""); // runs: usual={Over.f(Ljava/lang/Object;)V}
		Over.class.getDeclaredMethod("f", String[].class).invoke(o, new Object[] { null }); // runs: usual={Over.f([Ljava/lang/String;)V}
		Over.class.getDeclaredMethod("f", int[].class).invoke(o, new int[0]); // runs: usual={Over.f([I)I}
		Class<?>[] types = new Class<?>[1];
		types[0] = initialised("") == 0 ? int.class : String.class;
		Over.class.getDeclaredMethod("f", types).invoke(o, 1); // runs: usual={Over.f(I)V Over.f(Ljava/lang/String;)V}
		Class<?>[] same = types;
		Over.class.getDeclaredMethod("f", (Class<?>[]) null).invoke(o); // runs: usual>={Over.f()V}
	}

	// What is thrown, and what comes back

	public static Speaker friend() {
		return new B();
	}

	public static void fails(Speaker s) throws Boom {
		s.speak(); // calls: andersen={A.speak}
		throw new Boom();
	}

	static void results() throws Exception {
		Method m = Reflection.class.getMethod("friend");
		Speaker s = (Speaker) m.invoke(null); // runs: usual={Reflection.friend} ; pts: andersen={B}
		s.speak(); // calls: andersen={B.speak}
		try {
			Reflection.class.getMethod("fails", Speaker.class).invoke(null, new A()); // runs: usual={Reflection.fails}
		} catch (InvocationTargetException e) {
			((Boom) e.getCause()).report(); // calls report: usual={Boom.report}
		}
		Over.class.getDeclaredMethod("f", int[].class).invoke(null, new int[0]).hashCode(); // calls hashCode: andersen={Integer.hashCode}
	}

	// Fields

	static void fields(String[] args) throws Exception {
		((Speaker) Holder.class.getDeclaredField("SPEAKER").get(null)).speak(); // calls speak: andersen={B.speak} ; reached: usual={Holder.<clinit>} ; resolved
		Holder h = new Holder(A.class);
		h.call(h.make());
		Field slot = Holder.class.getDeclaredField("slot");
		slot.set(h, new A()); // resolved
		h.slot.speak(); // calls speak: andersen={A.speak}
		Field name = Holder.class.getDeclaredField("name");
		name.set(null, "reflection.A"); // resolved
		Holder.byName(); // reached: usual={A.<init>}
		Counter.class.getDeclaredField("count").getInt(null); // reached: usual={Counter.<clinit>} ; resolved
		Field any = Holder.class.getDeclaredField(args[0]);
		any.get(h); // unresolved: reflection
		any.set(h, null); // unresolved: reflection
		any.getLong(h); // unresolved: reflection
		any.setLong(h, 1); // unresolved: reflection
		Field.class.getMethod("get", Object.class).invoke(any, h); // runs: usual={Field.get} ; unresolved: reflection
		Holder.fill();
		Holder.load();
		Holder.loadAll();
	}

	// Arrays by other names

	static String[] fresh() {
		return new String[] { "reflection.A", null };
	}

	static void arrays(boolean b) throws Exception {
		for (String name : fresh())
			Class.forName(name).newInstance(); // runs: usual>={A.<init>} ; resolved
		String[] names = fresh();
		names[1] = "reflection.B";
		Class.forName(names[1]).newInstance(); // runs: usual>={A.<init> B.<init>} ; resolved
		String[] some = b ? new String[1] : new String[2];
		some[0] = "reflection.Secret";
		Class.forName(some[0]); // runs: usual={Secret.<clinit>} ; resolved
		Object hidden = new Class<?>[] { A.class };
		((Class<?>[]) hidden)[0] = B.class;
		((Class<?>[]) hidden)[0].newInstance(); // runs: usual={A.<init> B.<init>}
		Class<?>[] filled = new Class<?>[1];
		java.util.Arrays.fill(filled, A.class);
		filled[0].newInstance(); // unresolved: reflection
		Class<?>[][] deep = { { A.class } };
		deep[0][0].newInstance(); // unresolved: reflection
	}

	// What privileged actions give back, where they are made

	static void privileged(String name, PrivilegedAction<String> action) throws Exception {
		Class.forName(AccessController.doPrivileged((PrivilegedAction<String>) () -> "reflection.Secret")); // runs: usual>={Secret.<clinit>} ; resolved
		Class<?> c = AccessController.doPrivileged(new PrivilegedExceptionAction<Class<?>>() {
			public Class<?> run() throws Exception {
				return Class.forName(name); // runs: usual={Secret.<clinit>} ; resolved
			}
		});
		c.newInstance(); // runs: usual={Secret.<init>} ; resolved
		Class.forName(AccessController.doPrivileged(action)); // unresolved: reflection/container
	}

	// What is only reached by reflection uses it, too

	public static void first(String name) throws Exception {
		Class.forName(name).getMethod("second").invoke(null); // runs: both>={Reflection.second} andersen>={Reflection.second}
	}

	public static void second() throws Exception {
		Reflection.class.getMethod("third").invoke(null); // runs: usual={Reflection.third} ; resolved
	}

	public static void third() {
	}

	public static void main(String[] args) throws Exception {
		boolean b = args.length == 0;
		loads(args, b);
		instances(b);
		methods(b, args);
		overloads();
		results();
		fields(args);
		arrays(b);
		privileged("reflection.Secret", () -> "reflection.A");
		Reflection.class.getMethod("first", String.class).invoke(null, "reflection.Reflection"); // runs: usual={Reflection.first} ; resolved
		new Nested().all();
	}
}
