// SPDX-License-Identifier: Apache-2.0
// What reflection, proxies, services, serialization and method handles call back. tests/oracle/callbacks.sh runs it under a
// recorder.
package mirror;
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

interface Service { String name(); default String twice() { return name() + name(); } }
class Handler implements InvocationHandler {
	final Object to;
	Handler(Object to) { this.to = to; }
	@Override public Object invoke(Object p, Method m, Object[] a) throws Throwable {
		return m.invoke(to, a);
	}
}
class Plain implements Comparable<Object>, Runnable {
	@Override public int compareTo(Object o) { return 0; }
	@Override public void run() { }
	@Override public String toString() { return "plain"; }
	@Override public int hashCode() { return 3; }
	@Override public boolean equals(Object o) { return true; }
}
class Kept implements Serializable {
	Object a = new Part();
	transient int n;
	private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeInt(1); }
	private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { i.defaultReadObject(); n = i.readInt(); }
}
class Part implements Serializable {
	private Object writeReplace() { return new Stand(); }
}
class Stand implements Serializable {
	private Object readResolve() { return new Part(); }
}
class Ext implements Externalizable {
	public Ext() { }
	@Override public void writeExternal(ObjectOutput o) throws IOException { o.writeObject(new Key()); }
	@Override public void readExternal(ObjectInput i) throws IOException, ClassNotFoundException { i.readObject(); }
}
class Base { Base() { } }
class Derived extends Base implements Serializable { int k = 1; }
class Key implements Serializable {
	@Override public int hashCode() { return 1; }
	@Override public boolean equals(Object o) { return o instanceof Key; }
}
class Out extends ObjectOutputStream {
	Out(OutputStream o) throws IOException { super(o); enableReplaceObject(true); }
	@Override protected Object replaceObject(Object o) { return o instanceof Plain ? "p" : o; }
	@Override protected void annotateClass(Class<?> c) { }
}
class In extends ObjectInputStream {
	In(InputStream i) throws IOException { super(i); enableResolveObject(true); }
	@Override protected Class<?> resolveClass(ObjectStreamClass d) throws IOException, ClassNotFoundException { return Class.forName(d.getName()); }
	@Override protected Object resolveObject(Object o) { return o; }
}
record Pair(Key a, Object b) implements Serializable { Pair { Objects.requireNonNull(a); } }
class Sorted implements Serializable, Comparator<Plain2> { @Override public int compare(Plain2 a, Plain2 b) { return a.n - b.n; } }
class Plain2 implements Serializable { final int n; Plain2(int n) { this.n = n; } }
enum Mode { ON { @Override void act() { } }, OFF; void act() { } }
class Init { static final Object O = make(); static Object make() { return new Plain(); } static void touch() { } }
class Init2 { static { Init3.go(); } static int f = Init3.value(); }
class Init3 { static void go() { } static int value() { return 1; } }
class Own extends ClassLoader {
	@Override protected Class<?> findClass(String n) throws ClassNotFoundException { throw new ClassNotFoundException(n); }
	@Override protected java.net.URL findResource(String n) { return null; }
}
class Inst { Inst() { ran(); } private static void ran() { } private int add(int a) { return a + 1; } static int twice(int a) { return a * 2; } }

public class Mirror {
	public static class First implements Service { public First() { } @Override public String name() { return "first"; } }
	static int field;
	static void proxies() throws Throwable {
		Service s = (Service) Proxy.newProxyInstance(Mirror.class.getClassLoader(), new Class<?>[] { Service.class }, new Handler(new First()));
		s.name();
		s.twice();
		s.toString();
		@SuppressWarnings("unchecked")
		Comparable<Object> c = (Comparable<Object>) Proxy.newProxyInstance(Mirror.class.getClassLoader(), new Class<?>[] { Comparable.class, Runnable.class }, new Handler(new Plain()));
		Object[] two = { c, c };
		Arrays.sort(two);
		new HashSet<>(List.of((Object) c)).contains(c);
		new Thread((Runnable) c).run();
		String.valueOf(c);
		Comparator<?> f = MethodHandleProxies.asInterfaceInstance(Comparator.class, MethodHandles.lookup().findStatic(Mirror.class, "cmp", MethodType.methodType(int.class, Object.class, Object.class)));
		@SuppressWarnings("unchecked") Comparator<Object> g = (Comparator<Object>) f;
		Arrays.sort(new Object[] { "a", "b" }, g);
	}
	static int cmp(Object a, Object b) { return 0; }
	static void services() {
		for (Service s : ServiceLoader.load(Service.class))
			s.name();
		ServiceLoader.load(Service.class).stream().map(ServiceLoader.Provider::get).forEach(Service::twice);
		ServiceLoader.load(Service.class).findFirst().get().name();
	}
	static byte[] write(Object... all) throws Exception {
		ByteArrayOutputStream b = new ByteArrayOutputStream();
		try (Out o = new Out(b)) {
			for (Object x : all)
				o.writeObject(x);
		}
		return b.toByteArray();
	}
	static void serial() throws Exception {
		TreeMap<Plain2, Object> t = new TreeMap<>(new Sorted());
		t.put(new Plain2(1), 1);
		t.put(new Plain2(2), 1);
		HashMap<Key, Object> h = new HashMap<>();
		h.put(new Key(), "");
		PriorityQueue<Plain2> q = new PriorityQueue<>(new Sorted());
		q.add(new Plain2(1));
		q.add(new Plain2(2));
		Object[] all = { new Kept(), new Ext(), new Derived(), new Pair(new Key(), "x"), h, t, q, Mode.ON, (Supplier<Object> & Serializable) () -> new Plain() };
		byte[] bytes = write(all);
		try (In in = new In(new ByteArrayInputStream(bytes))) {
			for (int i = 0; i < all.length; i++)
				in.readObject();
		}
	}
	static void reflect() throws Throwable {
		Class<?> c = Class.forName("mirror.Init2");
		Class.forName("mirror.Init").getDeclaredField("O").get(null).toString();
		Constructor<Inst> k = Inst.class.getDeclaredConstructor();
		k.setAccessible(true);
		Inst i = k.newInstance();
		Method m = Inst.class.getDeclaredMethod("add", int.class);
		m.setAccessible(true);
		m.invoke(i, 1);
		for (Method x : Inst.class.getDeclaredMethods())
			if (x.getName().startsWith("twice"))
				x.invoke(null, 2);
		Array.newInstance(Plain.class, 1);
		MethodHandle h = MethodHandles.lookup().findStatic(Inst.class, "twice", MethodType.methodType(int.class, int.class));
		h.invokeWithArguments(3);
		MethodHandle g = MethodHandles.filterReturnValue(h, h);
		int n = (int) g.invokeExact(4);
		MethodHandle b = MethodHandles.insertArguments(h, 0, 7);
		n = (int) b.invoke();
		VarHandle v = MethodHandles.lookup().findStaticVarHandle(Mirror.class, "field", int.class);
		v.getAndAdd(1);
		new Own().loadClass("mirror.Mirror$First").getDeclaredConstructor().newInstance();
		try { new Own().loadClass("none.None"); } catch (ClassNotFoundException e) { }
		Class.forName("mirror.Mode", true, new Own()).getEnumConstants();
		Mode.valueOf("OFF").act();
		new EnumMap<>(Map.of(Mode.ON, new Plain())).toString();
		new Own().getResource("x");
		EnumSet.of(Mode.ON).contains(Mode.OFF);
		List.of(Ann.class.getMethods()).size();
		Deco.class.getAnnotation(Ann.class).value();
		Deco.class.getAnnotation(Ann.class).hashCode();
	}
	public static void main(String[] args) throws Throwable {
		proxies();
		services();
		serial();
		reflect();
	}
}
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Ann { String value() default "a"; }
@Ann("b") class Deco { }
