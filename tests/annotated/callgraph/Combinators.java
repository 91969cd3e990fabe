// SPDX-License-Identifier: Apache-2.0
// Method handles that are made of others, and call sites.
package combinators;

import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

interface Shape {
	void draw();
}

class Circle implements Shape {
	public void draw() {
	}
}

class Square implements Shape {
	public void draw() {
	}
}

class Star implements Shape {
	public void draw() {
	}
}

class Tool {
	final Shape shape;

	Tool(Shape shape) {
		this.shape = shape;
	}

	Shape shape() {
		return shape;
	}

	void paint(Shape s) {
		s.draw(); // calls: andersen={Circle.draw}
		shape.draw(); // calls: andersen>={Square.draw}
	}
}

class Oops extends RuntimeException {
	void report() {
	}
}

public class Combinators {
	static void bound(Shape a, Shape b) {
		a.draw(); // calls: andersen={Circle.draw}
		b.draw(); // calls: andersen={Square.draw}
	}

	static void inserted(Shape a, String s, Shape b) {
		a.draw(); // calls: andersen={Circle.draw}
		b.draw(); // calls: andersen={Star.draw}
	}

	static void dropped(Shape a) {
		a.draw(); // calls: andersen={Square.draw}
	}

	static void spread(Shape a, Shape b) {
		a.draw(); // calls: andersen={Circle.draw}
	}

	static void collected(Shape[] all) {
		all[0].draw(); // calls: andersen>={Star.draw}
	}

	static Shape filter(Tool t) {
		return t.shape; // pts: andersen={Square Star}
	}

	static void filtered(Shape s, Object other) {
		s.draw(); // calls: andersen={Square.draw Star.draw}
	}

	static void permuted(Shape s, Tool t) {
		s.draw(); // calls: andersen={Star.draw}
	}

	static Shape combine(Tool t) {
		return t.shape;
	}

	static void folded(Shape made, Tool t) {
		made.draw(); // calls: andersen>={Star.draw}
	}

	static boolean test(Shape s) {
		return s == null;
	}

	static Shape left(Shape s) {
		return s;
	}

	static Shape right(Shape s) {
		return new Star();
	}

	static void fails(Shape s) {
		throw new Oops();
	}

	static void repair(Oops o, Shape s) {
		o.report(); // calls: andersen={Oops.report}
		s.draw(); // calls: andersen={Circle.draw}
	}

	static Shape begin() {
		return new Circle();
	}

	static Shape body(Shape s, int i) {
		s.draw(); // calls: andersen={Circle.draw Square.draw}
		return new Square();
	}

	static void first() {
	}

	static void second() {
	}

	static void deep(Object o) {
	}

	static MethodHandle find(String name, Class<?> type, Class<?>... more) throws Exception {
		return MethodHandles.lookup().findStatic(Combinators.class, name, MethodType.methodType(type, more));
	}

	static MethodHandle at(String name) throws Exception {
		return MethodHandles.lookup().findStatic(Combinators.class, name, MethodType.methodType(void.class));
	}

	static final MethodHandles.Lookup L = MethodHandles.lookup();

	static void adapted() throws Throwable {
		MethodHandle paint = L.findVirtual(Tool.class, "paint", MethodType.methodType(void.class, Shape.class));
		paint.bindTo(new Tool(new Square())).invoke(new Circle()); // runs: usual={Tool.paint} ; resolved
		L.bind(new Tool(new Star()), "shape", MethodType.methodType(Shape.class)).invoke(); // runs: usual={Tool.shape} ; resolved
		MethodHandle two = L.findStatic(Combinators.class, "bound", MethodType.methodType(void.class, Shape.class, Shape.class));
		MethodHandles.insertArguments(two, 0, new Circle()).invoke(new Square()); // runs: usual={Combinators.bound} ; resolved
		MethodHandle three = L.findStatic(Combinators.class, "inserted", MethodType.methodType(void.class, Shape.class, String.class, Shape.class));
		MethodHandles.insertArguments(three, 1, "").invoke(new Circle(), new Star()); // runs: usual={Combinators.inserted} ; resolved
		MethodHandle one = L.findStatic(Combinators.class, "dropped", MethodType.methodType(void.class, Shape.class));
		MethodHandles.dropArguments(one, 0, Shape.class).invoke(new Circle(), new Square()); // runs: usual={Combinators.dropped} ; resolved
		MethodHandle apart = L.findStatic(Combinators.class, "spread", MethodType.methodType(void.class, Shape.class, Shape.class));
		apart.asSpreader(Object[].class, 2).invoke(new Object[] { new Circle(), new Circle() }); // runs: usual={Combinators.spread} ; resolved
		MethodHandle all = L.findStatic(Combinators.class, "collected", MethodType.methodType(void.class, Shape[].class));
		all.asCollector(Shape[].class, 2).invoke(new Star(), new Star()); // runs: usual={Combinators.collected} ; resolved
		all.asVarargsCollector(Shape[].class).invoke(new Star()); // runs: usual={Combinators.collected} ; resolved
		one.asType(MethodType.methodType(Object.class, Square.class)).invoke(new Square()); // runs: usual={Combinators.dropped} ; resolved
	}

	static void made() throws Throwable {
		MethodHandle filtered = L.findStatic(Combinators.class, "filtered", MethodType.methodType(void.class, Shape.class, Object.class));
		MethodHandle filter = L.findStatic(Combinators.class, "filter", MethodType.methodType(Shape.class, Tool.class));
		MethodHandles.filterArguments(filtered, 0, filter).invoke(new Tool(new Square()), (Object) new Tool(new Star())); // runs: usual={Combinators.filter Combinators.filtered} ; resolved
		MethodHandle permuted = L.findStatic(Combinators.class, "permuted", MethodType.methodType(void.class, Shape.class, Tool.class));
		MethodHandles.permuteArguments(permuted, MethodType.methodType(void.class, Tool.class, Shape.class), 1, 0).invoke(new Tool(null), new Star()); // runs: usual={Combinators.permuted} ; resolved
		MethodHandle combine = L.findStatic(Combinators.class, "combine", MethodType.methodType(Shape.class, Tool.class));
		MethodHandle folded = L.findStatic(Combinators.class, "folded", MethodType.methodType(void.class, Shape.class, Tool.class));
		MethodHandles.foldArguments(folded, combine).invoke(new Tool(new Star())); // runs: usual={Combinators.combine Combinators.folded} ; resolved
		MethodHandle draw = L.findVirtual(Shape.class, "draw", MethodType.methodType(void.class));
		MethodHandles.filterReturnValue(combine, draw).invoke(new Tool(new Star())); // runs: both>={Combinators.combine Star.draw} andersen={Combinators.combine Square.draw Star.draw} ; resolved
		MethodHandle guard = MethodHandles.guardWithTest(L.findStatic(Combinators.class, "test", MethodType.methodType(boolean.class, Shape.class)), L.findStatic(Combinators.class, "left", MethodType.methodType(Shape.class, Shape.class)), L.findStatic(Combinators.class, "right", MethodType.methodType(Shape.class, Shape.class)));
		Shape s = (Shape) guard.invokeExact((Shape) new Circle()); // runs: usual={Combinators.test Combinators.left Combinators.right} ; resolved ; pts: andersen={Circle Star}
		s.draw(); // calls: andersen={Circle.draw Star.draw}
		MethodHandle repaired = MethodHandles.catchException(L.findStatic(Combinators.class, "fails", MethodType.methodType(void.class, Shape.class)), Oops.class, L.findStatic(Combinators.class, "repair", MethodType.methodType(void.class, Oops.class, Shape.class)));
		repaired.invoke((Shape) new Circle()); // runs: usual={Combinators.fails Combinators.repair} ; resolved
		MethodHandle loop = MethodHandles.countedLoop(MethodHandles.constant(int.class, 3), L.findStatic(Combinators.class, "begin", MethodType.methodType(Shape.class)), L.findStatic(Combinators.class, "body", MethodType.methodType(Shape.class, Shape.class, int.class)));
		loop.invoke(); // runs: usual={Combinators.begin Combinators.body} ; resolved
	}

	static void simple() throws Throwable {
		Shape s = (Shape) MethodHandles.constant(Shape.class, new Star()).invoke(); // pts: andersen={Star} ; resolved
		s.draw(); // calls: andersen={Star.draw}
		Shape t = (Shape) MethodHandles.identity(Shape.class).invokeExact((Shape) new Square()); // pts: andersen={Square} ; resolved
		t.draw(); // calls: andersen={Square.draw}
		Shape[] all = { new Circle() };
		Shape u = (Shape) MethodHandles.arrayElementGetter(Shape[].class).invokeExact(all, 0); // pts: andersen={Circle Star} ; resolved
		MethodHandles.arrayElementSetter(Shape[].class).invokeExact(all, 0, (Shape) new Star()); // resolved
		u.draw(); // calls: andersen={Circle.draw Star.draw}
		MethodHandles.invoker(MethodType.methodType(void.class)).invoke(at("first")); // runs: usual>={Combinators.first} ; resolved
		MethodHandles.exactInvoker(MethodType.methodType(void.class)).invokeExact(at("second")); // runs: usual>={Combinators.second}
		MethodHandles.zero(Object.class).invoke(); // runs: usual={} ; resolved
	}

	static void sites(boolean b) throws Throwable {
		CallSite constant = new ConstantCallSite(L.findStatic(Combinators.class, "first", MethodType.methodType(void.class)));
		constant.getTarget().invokeExact(); // runs: usual={Combinators.first} ; resolved
		constant.dynamicInvoker().invokeExact(); // runs: usual={Combinators.first} ; resolved
		MutableCallSite mutable = new MutableCallSite(MethodType.methodType(void.class));
		mutable.setTarget(L.findStatic(Combinators.class, "first", MethodType.methodType(void.class)));
		MethodHandle h = mutable.dynamicInvoker();
		h.invokeExact(); // runs: usual={Combinators.first Combinators.second}
		mutable.setTarget(L.findStatic(Combinators.class, "second", MethodType.methodType(void.class)));
		mutable.getTarget().invokeExact(); // runs: usual={Combinators.first Combinators.second}
	}

	public interface Greeter {
		Object greet(Object s);
	}

	static Shape greeting(Tool t, Shape s) {
		s.draw(); // calls: andersen={Circle.draw}
		return t.shape; // pts: andersen>={Square}
	}

	static Shape wrapped(Shape s) {
		s.draw(); // calls: andersen={Square.draw}
		return new Star();
	}

	static void objects() throws Throwable {
		MethodHandle impl = L.findStatic(Combinators.class, "greeting", MethodType.methodType(Shape.class, Tool.class, Shape.class));
		MethodType sam = MethodType.methodType(Object.class, Object.class);
		CallSite site = LambdaMetafactory.metafactory(L, "greet", MethodType.methodType(Greeter.class, Tool.class), sam, impl, MethodType.methodType(Shape.class, Shape.class));
		Greeter g = (Greeter) site.getTarget().invokeExact(new Tool(new Square())); // resolved
		Shape s = (Shape) g.greet(new Circle()); // pts: andersen>={Square} ; reached: usual={Combinators.greeting}
		s.draw(); // calls: andersen>={Square.draw}
		MethodHandle one = L.findStatic(Combinators.class, "wrapped", MethodType.methodType(Shape.class, Shape.class));
		Greeter w = MethodHandleProxies.asInterfaceInstance(Greeter.class, one); // resolved
		Shape t = (Shape) w.greet(new Square()); // reached: usual={Combinators.wrapped} ; pts: andersen={Star}
		t.draw(); // calls: andersen={Star.draw}
	}

	// Made without end: not known
	static void loops(int n) throws Throwable {
		MethodHandle h = L.findStatic(Combinators.class, "deep", MethodType.methodType(void.class, Object.class));
		for (int i = 0; i < n; i++)
			h = MethodHandles.dropArguments(h, 0, Object.class);
		h.invokeWithArguments(new Object()); // runs: usual={Combinators.deep} ; unresolved: method-handle
	}

	public static void main(String[] args) throws Throwable {
		adapted();
		made();
		simple();
		sites(args.length > 0);
		objects();
		loops(args.length);
	}
}
