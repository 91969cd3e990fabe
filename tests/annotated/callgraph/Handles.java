// SPDX-License-Identifier: Apache-2.0
// Method handles of members: found, unreflected and invoked, with what goes in and comes out.
package handles;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

interface Shape {
	void draw();

	default void erase() {
	}
}

class Circle implements Shape {
	public void draw() {
	}
}

class Square implements Shape {
	public void draw() {
	}

	public void erase() {
	}
}

class Base {
	void step() {
	}

	private void own() {
	}
}

class Derived extends Base {
	static int count = Handles.started();

	Shape shape;
	static Shape shared;

	Derived() {
	}

	Derived(Shape s) {
		shape = s;
	}

	void step() {
	}

	static void stepAbove(Derived d) throws Throwable {
		MethodHandle h = MethodHandles.lookup().findSpecial(Base.class, "step", MethodType.methodType(void.class), Derived.class);
		h.invokeExact(d); // runs: usual={Base.step} ; resolved
	}

	static Shape pick(Shape a, Shape b) {
		return b;
	}

	static Shape choose(Shape a, Shape b) {
		return a;
	}

	static void over(int i) {
	}

	static void over(String s) {
	}

	static void many(Shape... shapes) {
		shapes[0].draw(); // calls: andersen={Circle.draw Square.draw}
	}
}

class Lazy {
	static int count = Handles.started();

	static void work() {
	}
}

class Failure extends RuntimeException {
	void report() {
	}

	static void fail() {
		throw new Failure();
	}
}

class Kept {
	private static final MethodHandle DRAW;
	private final MethodHandle handle;

	static {
		try {
			DRAW = MethodHandles.lookup().findVirtual(Shape.class, "draw", MethodType.methodType(void.class));
		} catch (ReflectiveOperationException e) {
			throw new Error(e);
		}
	}

	Kept(MethodHandle handle) {
		this.handle = handle;
	}

	static void draw(Shape s) throws Throwable {
		DRAW.invokeExact(s); // runs: andersen={Circle.draw} both>={Circle.draw Square.draw} ; resolved
	}

	void call() throws Throwable {
		handle.invoke(); // runs: usual={Lazy.work Failure.fail} ; resolved
	}
}

public class Handles {
	static int started() {
		return 0;
	}

	static MethodHandle find(Class<?> c, String name) throws Exception {
		return MethodHandles.lookup().findStatic(c, name, MethodType.methodType(void.class));
	}

	static void members() throws Throwable {
		MethodHandles.Lookup l = MethodHandles.lookup();
		MethodType nothing = MethodType.methodType(void.class);
		MethodHandle draw = l.findVirtual(Shape.class, "draw", nothing);
		draw.invokeExact((Shape) new Circle()); // runs: andersen={Circle.draw} both>={Circle.draw Square.draw} ; resolved
		draw.invoke(new Circle()); // runs: andersen={Circle.draw} ; resolved
		draw.invokeWithArguments(new Circle()); // runs: andersen={Circle.draw} ; resolved
		draw.invokeWithArguments(List.of(new Square())); // runs: andersen>={Square.draw} ; resolved
		l.findVirtual(Square.class, "erase", nothing).invoke(new Square()); // runs: usual={Square.erase} ; resolved
		l.findVirtual(Circle.class, "erase", nothing).invoke(new Circle()); // runs: usual={Shape.erase} ; resolved
		l.findVirtual(Base.class, "own", nothing); // resolved
		l.findStatic(Lazy.class, "work", nothing).invokeExact(); // runs: usual={Lazy.work} ; resolved ; reached: usual={Lazy.<clinit>}
		l.findStatic(Derived.class, "over", MethodType.methodType(void.class, int.class)).invoke(1); // runs: usual={Derived.over(I)V} ; resolved
		l.findStatic(Derived.class, "over", MethodType.methodType(void.class, new Class<?>[] { String.class })).invoke(""); // runs: usual={Derived.over(Ljava/lang/String;)V} ; resolved
		l.findStatic(Derived.class, "over", MethodType.fromMethodDescriptorString("(I)V", null)).invoke(1); // runs: usual={Derived.over(I)V} ; resolved
		l.findStatic(Derived.class, "over", nothing.appendParameterTypes(int.class)).invoke(1); // runs: usual={Derived.over(I)V Derived.over(Ljava/lang/String;)V} ; resolved
		MethodHandle make = l.findConstructor(Derived.class, MethodType.methodType(void.class, Shape.class));
		Derived d = (Derived) make.invokeExact((Shape) new Square()); // runs: usual={Derived.<init>(Lhandles/Shape;)V} ; resolved
		d.step(); // calls: usual={Derived.step}
		d.shape.draw(); // calls: andersen={Square.draw}
		Derived.stepAbove(d);
	}

	static void results() throws Throwable {
		MethodHandles.Lookup l = MethodHandles.lookup();
		MethodHandle pick = l.findStatic(Derived.class, "pick", MethodType.methodType(Shape.class, Shape.class, Shape.class));
		Shape s = (Shape) pick.invokeExact((Shape) new Circle(), (Shape) new Square()); // runs: usual={Derived.pick} ; pts: andersen={Square}
		s.draw(); // calls: andersen={Square.draw}
		MethodHandle choose = l.findStatic(Derived.class, "choose", MethodType.methodType(Shape.class, Shape.class, Shape.class));
		Object o = choose.invokeWithArguments(new Square(), new Circle()); // runs: usual={Derived.choose} ; pts: andersen={Circle Square}
		o.hashCode();
		l.findStatic(Derived.class, "many", MethodType.methodType(void.class, Shape[].class)).invoke(new Circle(), new Square()); // runs: usual={Derived.many} ; resolved
	}

	static void fields() throws Throwable {
		MethodHandles.Lookup l = MethodHandles.lookup();
		Derived d = new Derived();
		l.findSetter(Derived.class, "shape", Shape.class).invokeExact(d, (Shape) new Circle()); // runs: usual={} ; resolved
		Shape s = (Shape) l.findGetter(Derived.class, "shape", Shape.class).invokeExact(d); // pts: andersen={Circle} ; resolved
		l.findStaticSetter(Derived.class, "shared", Shape.class).invoke(new Square()); // resolved
		Shape t = (Shape) l.findStaticGetter(Derived.class, "shared", Shape.class).invoke(); // pts: andersen={Square} ; resolved
		s.draw(); // calls: andersen={Circle.draw}
		t.draw(); // calls: andersen={Square.draw}
	}

	private static String name = "handles.Derived";

	static void written() throws Throwable {
		MethodHandles.lookup().findStaticSetter(Handles.class, "name", String.class).invokeExact("handles.Lazy");
		Class.forName(name).getDeclaredConstructor().newInstance(); // runs: usual>={Lazy.<init> Derived.<init>()V} ; resolved
	}

	static void reflected() throws Throwable {
		MethodHandles.Lookup l = MethodHandles.privateLookupIn(Base.class, MethodHandles.lookup());
		l.unreflect(Base.class.getDeclaredMethod("own")).invoke(new Base()); // runs: usual={Base.own} ; resolved
		l.unreflect(Lazy.class.getDeclaredMethod("work")).invoke(); // runs: usual={Lazy.work} ; resolved
		l.unreflectConstructor(Derived.class.getDeclaredConstructor()).invoke(); // runs: usual={Derived.<init>()V} ; resolved
		l.unreflectGetter(Derived.class.getDeclaredField("shape")).invoke(new Derived()); // resolved
		l.findVirtual(MethodHandle.class, "invoke", MethodType.methodType(void.class)); // resolved
	}

	static void ways(String[] args) throws Throwable {
		Kept.draw(new Circle());
		new Kept(find(Lazy.class, "work")).call();
		new Kept(find(Failure.class, "fail")).call();
		MethodHandle[] all = { find(Lazy.class, "work"), find(Failure.class, "fail") };
		for (MethodHandle h : all)
			h.invokeExact(); // runs: usual={Lazy.work Failure.fail} ; resolved
		try {
			find(Failure.class, "fail").invokeExact(); // runs: usual>={Failure.fail} ; resolved
		} catch (Failure e) {
			e.report(); // calls: andersen={Failure.report}
		}
		MethodHandles.lookup().findStatic(Lazy.class, args[0], MethodType.methodType(void.class)).invoke(); // unresolved: method-handle
		MethodHandles.lookup().findStatic(Class.forName(args[0]), "work", MethodType.methodType(void.class)).invoke(); // unresolved: method-handle
	}

	public static void main(String[] args) throws Throwable {
		members();
		results();
		fields();
		written();
		reflected();
		ways(args);
	}
}
