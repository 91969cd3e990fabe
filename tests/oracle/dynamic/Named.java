// SPDX-License-Identifier: Apache-2.0
// What a real run does by name, one way of it in each method: proxies and their handlers, annotations, services.
package named;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;

public class Named {
	public static void main(String[] args) throws Exception {
		delegate();
		several();
		generic();
		lambda();
		thrown();
		within();
		inherited();
		primitives();
		byName(args.length == 0 ? "named.Named$Shape" : args[0]);
		annotations();
		loop();
		first();
		streamed();
		kept();
		installed();
		bundles();
		beans();
		bare();
		loaders();
		factories();
	}

	// Proxies

	public interface Shape {
		Object area(Object scale);

		default void grow() {
		}
	}

	public interface Counted {
		int count(int a, long b, boolean c, double d);
	}

	public interface Both extends Shape, Counted {
	}

	static class Circle implements Shape {
		public Object area(Object scale) {
			return scale.toString();
		}
	}

	static class Delegating implements InvocationHandler {
		final Object target;

		Delegating(Object target) {
			this.target = target;
		}

		public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
			return m.invoke(target, args);
		}
	}

	static class Counting implements InvocationHandler {
		public Object invoke(Object proxy, Method m, Object[] args) {
			return args == null ? null : (Object) args.length;
		}
	}

	static void delegate() {
		Shape s = (Shape) Proxy.newProxyInstance(Named.class.getClassLoader(), new Class<?>[] { Shape.class }, new Delegating(new Circle()));
		s.area("x");
		s.grow();
		s.hashCode();
		s.toString();
		s.equals(s);
	}

	static void several() {
		Object o = Proxy.newProxyInstance(Named.class.getClassLoader(), new Class<?>[] { Runnable.class, Counted.class }, new Counting());
		((Runnable) o).run();
		((Counted) o).count(1, 2, true, 3);
	}

	static <T> T wrap(Class<T> type, InvocationHandler h) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, h));
	}

	static void generic() {
		wrap(Shape.class, new Counting()).area("y");
		wrap(Both.class, new Counting()).count(1, 2, false, 4);
	}

	static void lambda() {
		Shape s = wrap(Shape.class, (p, m, a) -> "z");
		s.area("w").toString();
	}

	static void thrown() {
		Shape s = wrap(Shape.class, (p, m, a) -> {
			throw new Exception();
		});
		try {
			s.grow();
		} catch (UndeclaredThrowableException e) {
			e.getCause();
		}
	}

	static void within() {
		Shape inner = wrap(Shape.class, new Delegating(new Circle()));
		Shape outer = wrap(Shape.class, new Delegating(inner));
		outer.area("v");
	}

	static void inherited() {
		Shape s = (Shape) Proxy.newProxyInstance(Named.class.getClassLoader(), Circle.class.getInterfaces(), new Counting());
		s.area("u");
	}

	static void primitives() {
		Proxy.getInvocationHandler(wrap(Counted.class, new Counting())).toString();
	}

	static void byName(String name) throws Exception {
		Class<?>[] types = { Class.forName(name) };
		((Shape) Proxy.newProxyInstance(Named.class.getClassLoader(), types, new Counting())).area("t");
	}

	// Annotations

	public enum Colour {
		RED, GREEN;

		String paint() {
			return name();
		}
	}

	@Retention(RetentionPolicy.RUNTIME)
	public @interface Inner {
		int value() default 3;
	}

	@Retention(RetentionPolicy.RUNTIME)
	public @interface Marked {
		Colour colour();

		Inner[] inner() default {};

		Class<?> type() default Object.class;
	}

	@Marked(colour = Colour.GREEN, inner = @Inner(4))
	static class Annotated {
	}

	static void annotations() {
		Marked m = Annotated.class.getAnnotation(Marked.class);
		m.colour().paint();
		m.inner()[0].value();
		m.type().getName();
		for (Annotation a : Annotated.class.getAnnotations())
			a.annotationType().getName();
	}

	// Services: META-INF/services names Plugin and Other.

	public interface Service {
		void start();
	}

	public static class Plugin implements Service {
		public void start() {
		}
	}

	public static class Other implements Service {
		public void start() {
		}
	}

	static void loop() {
		for (Service s : ServiceLoader.load(Service.class))
			s.start();
	}

	static void first() {
		ServiceLoader.load(Service.class, Named.class.getClassLoader()).findFirst().get().start();
	}

	static void streamed() {
		ServiceLoader.load(Service.class).stream().forEach(p -> p.get().start());
	}

	private static final List<ServiceLoader<Service>> LOADERS = new ArrayList<>();

	static void kept() {
		LOADERS.add(ServiceLoader.load(Service.class));
		Iterator<Service> i = LOADERS.get(0).iterator();
		i.next().start();
	}

	static void installed() {
		for (java.nio.file.spi.FileSystemProvider p : ServiceLoader.loadInstalled(java.nio.file.spi.FileSystemProvider.class))
			p.getScheme();
	}

	// Bundles, beans, objects without a constructor, loaders, factories

	public static class Words extends java.util.ListResourceBundle {
		protected Object[][] getContents() {
			return new Object[][] { { "a", "b" } };
		}
	}

	public static class Words_de extends Words {
	}

	static void bundles() {
		java.util.ResourceBundle.getBundle("named.Named$Words", java.util.Locale.ROOT).getString("a");
		java.util.ResourceBundle.getBundle("named.Named$Words", java.util.Locale.GERMAN).getKeys();
	}

	public static class Bean {
		public void use() {
		}
	}

	static void beans() throws Exception {
		((Bean) java.beans.Beans.instantiate(null, "named.Named$Bean")).use();
	}

	static class Bare {
		static int count = Named.class.hashCode();

		void use() {
		}
	}

	static void bare() throws Exception {
		java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
		f.setAccessible(true);
		sun.misc.Unsafe u = (sun.misc.Unsafe) f.get(null);
		((Bare) u.allocateInstance(Bare.class)).use();
	}

	static class Loader extends ClassLoader {
		Loader() {
			super(null);
		}

		protected Class<?> findClass(String name) throws ClassNotFoundException {
			try (java.io.InputStream in = Named.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
				byte[] b = in.readAllBytes();
				return defineClass(name, b, 0, b.length);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name);
			}
		}
	}

	static void loaders() throws Exception {
		Object o = new Loader().loadClass("named.Named$Plugin").getConstructor().newInstance();
		o.getClass().getMethod("start").invoke(o);
		Thread.currentThread().setContextClassLoader(new java.net.URLClassLoader(new java.net.URL[0], Named.class.getClassLoader()));
		Thread.currentThread().getContextClassLoader().loadClass("named.Named$Other").getConstructor().newInstance();
	}

	static void factories() throws Exception {
		javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder();
	}
}
