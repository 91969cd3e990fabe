// SPDX-License-Identifier: Apache-2.0
// Proxies and annotations: classes that are made at run time, whose methods call their handler.
package proxies;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;

interface Shape {
	int area(Point p);

	Point centre();

	default void grow() {
	}
}

interface Named {
	String name();
}

interface Single {
	Object single();
}

interface Double {
	void twice();
}

interface Open {
	void opened();
}

class Point {
	void move() {
	}
}

class Far extends Point {
	void move() {
	}
}

class Square implements Shape, Named {
	public int area(Point p) {
		p.move(); // calls: andersen={Far.move}
		return 1;
	}

	public Point centre() {
		return new Point();
	}

	public String name() {
		return "";
	}
}

class Logging implements InvocationHandler {
	private final Object target;

	Logging(Object target) {
		this.target = target;
	}

	public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
		return m.invoke(target, args); // runs: usual>={Square.area Square.centre Shape.grow} ; runs: andersen!={Square.name Other.name}
	}
}

class Other implements Named {
	public String name() {
		return "other";
	}
}

class Making implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) {
		((Point) args[0]).move(); // calls move: andersen>={Point.move}
		((Shape) proxy).grow(); // calls grow: andersen={Proxy$proxies_Named$proxies_Shape.grow}
		return new Far();
	}
}

class Counting implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) {
		return null;
	}
}

class Opened implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
		m.invoke(this, args); // unresolved: reflection
		return null;
	}
}

class Boom extends Exception {
	void report() {
	}
}

class Failing implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
		throw new Boom();
	}
}

class Idle implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) {
		return null;
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

@Retention(RetentionPolicy.RUNTIME)
@interface Inner {
	int value() default 0;
}

@Retention(RetentionPolicy.RUNTIME)
@interface Marked {
	String value() default "";

	Colour colour() default Colour.RED;

	Colour[] colours() default {};

	Class<?> type() default Object.class;

	Inner inner() default @Inner;
}

@Retention(RetentionPolicy.RUNTIME)
@interface Listed {
	int value();
}

@Marked
public class Proxies {
	// What is passed, and what comes back

	static void one() {
		Shape s = (Shape) Proxy.newProxyInstance(null, new Class<?>[] { Shape.class }, new Logging(new Square())); // runs: usual={Proxy$proxies_Shape.<init>} ; resolved
		s.area(new Far()); // calls area: both={Proxy$proxies_Shape.area Proxy$proxies_Named$proxies_Shape.area Square.area} ; calls area: andersen={Proxy$proxies_Shape.area}
		s.centre().move(); // calls centre: andersen={Proxy$proxies_Shape.centre} ; calls move: andersen={Point.move}
		s.grow(); // calls: andersen={Proxy$proxies_Shape.grow}
		s.hashCode(); // calls: andersen={Proxy$proxies_Shape.hashCode} ; edge: usual>={Proxy$proxies_Shape.hashCode->Logging.invoke}
	}

	static void two() {
		Object o = Proxy.newProxyInstance(null, new Class<?>[] { Shape.class, Named.class }, new Making()); // runs: usual={Proxy$proxies_Named$proxies_Shape.<init>} ; resolved
		((Shape) o).centre().move(); // calls centre: andersen={Proxy$proxies_Named$proxies_Shape.centre} ; calls move: andersen={Far.move}
		((Shape) o).area(new Point()); // edge: andersen>={Proxy$proxies_Named$proxies_Shape.area->Making.invoke} ; edge: andersen!={Proxy$proxies_Named$proxies_Shape.area->Logging.invoke}
		((Named) o).name(); // calls: andersen={Proxy$proxies_Named$proxies_Shape.name}
	}

	static <T> T wrap(Class<T> type, InvocationHandler h) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, h)); // runs: usual={Proxy$proxies_Single.<init> Proxy$proxies_Double.<init>} ; resolved
	}

	static void generic() {
		wrap(Single.class, new Counting()).single(); // calls single: usual={Proxy$proxies_Single.single}
		wrap(Double.class, new Counting()).twice(); // calls twice: usual={Proxy$proxies_Double.twice}
		InvocationHandler h = Proxy.getInvocationHandler(wrap(Single.class, new Counting())); // pts: andersen>={Counting}
		h.toString();
	}

	static void thrown() {
		Named n = (Named) Proxy.newProxyInstance(null, new Class<?>[] { Named.class }, new Failing());
		try {
			n.name(); // calls: andersen={Proxy$proxies_Named.name}
		} catch (UndeclaredThrowableException e) {
			((Boom) e.getUndeclaredThrowable()).report(); // calls report: usual={Boom.report}
		}
	}

	static void lambda() {
		Single s = (Single) Proxy.newProxyInstance(null, new Class<?>[] { Single.class }, (p, m, a) -> new Far()); // resolved
		s.single(); // calls: usual={Proxy$proxies_Single.single} ; edge: usual>={Proxy$proxies_Single.single->Proxies$lambda.invoke}
	}

	static void interfaces() {
		Named n = (Named) Proxy.newProxyInstance(null, Other.class.getInterfaces(), new Idle()); // runs: usual={Proxy$proxies_Named.<init>} ; resolved
		n.name(); // calls: andersen={Proxy$proxies_Named.name}
	}

	// What is not known

	static void unknown(Class<?>[] types) {
		Open o = (Open) Proxy.newProxyInstance(null, types, new Opened()); // runs: usual>={Opened.invoke} ; unresolved: reflection
		o.opened(); // calls: usual={} ; open: andersen
		Proxy.newProxyInstance(null, types, null).hashCode(); // unresolved: reflection
	}

	// Annotations

	static void annotations() {
		Marked m = Proxies.class.getAnnotation(Marked.class);
		m.value().length(); // calls value: usual={Annotation$proxies_Marked.value} ; edge: usual={Annotation$proxies_Marked.value->AnnotationInvocationHandler.invoke Annotation$proxies_Marked.value->UndeclaredThrowableException.<init>}
		m.colour().paint(); // calls paint: usual={Colour.paint Colour$1.paint}
		m.colours()[0].paint(); // calls paint: usual={Colour.paint Colour$1.paint}
		m.inner().value(); // calls value: usual={Annotation$proxies_Inner.value}
		m.type().getName(); // calls getName: usual={Class.getName}
		for (Annotation a : Proxies.class.getAnnotations())
			if (a instanceof Listed)
				((Listed) a).value(); // calls value: usual={Annotation$proxies_Listed.value}
			else
				a.annotationType(); // calls: usual>={Annotation$java_lang_annotation_Annotation.annotationType Annotation$proxies_Marked.annotationType}
		Class<?> type = m.annotationType(); // calls: usual={Annotation$proxies_Marked.annotationType}
	}

	public static void main(String[] args) throws Exception {
		one();
		two();
		generic();
		thrown();
		lambda();
		interfaces();
		unknown((Class<?>[]) Class.forName(args[0]).getEnclosingMethod().getParameterTypes());
		annotations();
	}
}
