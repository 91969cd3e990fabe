// SPDX-License-Identifier: Apache-2.0
// Virtual and interface calls, default methods, super calls, overriding across packages, access.
package dispatch;

interface Shape {
	int area();

	default String label() {
		return "shape";
	}
}

class Circle implements Shape {
	public int area() {
		return 1;
	}
}

class Square implements Shape {
	public int area() {
		return 2;
	}

	public String label() {
		return Shape.super.label(); // calls: both={Shape.label}
	}
}

class Unused implements Shape {
	public int area() {
		return 3;
	}
}

abstract class Animal {
	abstract void speak();

	void twice() {
		speak(); // calls: cha={Dog.speak Puppy.speak Cat.speak} rta={Dog.speak Puppy.speak}
		this.speak(); // calls: cha={Dog.speak Puppy.speak Cat.speak} rta={Dog.speak Puppy.speak}
	}
}

class Dog extends Animal {
	void speak() {
	}
}

class Puppy extends Dog {
	void speak() {
		super.speak(); // calls: both={Dog.speak}
	}
}

class Cat extends Animal {
	void speak() {
	}
}

class Base {
	private int secret() {
		return 1;
	}

	final int fixed() {
		return secret(); // calls: both={Base.secret}
	}

	static int only() {
		return 1;
	}

	protected Object made() {
		return this;
	}
}

class Derived extends Base {
	int secret() {
		return 2;
	}

	static int only() {
		return 2;
	}

	protected Derived made() {
		return (Derived) super.made(); // calls: both={Base.made}
	}
}

interface Left {
	default int pick() {
		return 1;
	}
}

interface Right extends Left {
	default int pick() {
		return 2;
	}
}

class Both implements Left, Right {
}

interface Helper {
	private int hidden() {
		return 1;
	}

	default int open() {
		return hidden(); // calls: both={Helper.hidden}
	}

	static int util() {
		return 7;
	}
}

class Helped implements Helper {
}

interface Sink<T> {
	void take(T t);
}

class StringSink implements Sink<String> {
	public void take(String s) {
	}
}

public class Dispatch {
	static void animals() {
		Dog d = new Dog(); // calls: both={Dog.<init>}
		Animal p = new Puppy();
		d.speak(); // calls: both={Dog.speak Puppy.speak}
		p.twice(); // calls: both={Animal.twice}
		((Puppy) p).speak(); // calls: both={Puppy.speak}
	}

	static void families() {
		Base b = new Derived();
		b.fixed(); // calls: both={Base.fixed}
		b.made(); // calls: cha={Base.made Derived.made()Ljava/lang/Object;} rta={Derived.made()Ljava/lang/Object;} ; edge: both={Derived.made()Ljava/lang/Object;->Derived.made()Ldispatch/Derived;}
		((Derived) b).secret(); // calls: both={Derived.secret}
		Base.only(); // calls: both={Base.only}
		Derived.only(); // calls: both={Derived.only}
		Left l = new Both();
		l.pick(); // calls: both={Right.pick}
	}

	public static void main(String[] args) { // entry: both={Dispatch.main}
		Shape s = args.length > 0 ? new Circle() : new Square();
		s.area(); // calls: cha={Circle.area Square.area Unused.area} rta={Circle.area Square.area}
		s.label(); // calls: both={Shape.label Square.label}
		animals(); // calls: both={Dispatch.animals}
		families();
		new Helped().open(); // calls open: both={Helper.open}
		Helper.util(); // calls: both={Helper.util}
		Sink<String> sink = new StringSink();
		sink.take("x"); // calls: rta={StringSink.take(Ljava/lang/Object;)V} ; edge: both={StringSink.take(Ljava/lang/Object;)V->StringSink.take(Ljava/lang/String;)V}
		Object o = sink;
		o.hashCode(); // calls: both>={Object.hashCode} ; unreached: rta={Unused.area Cat.speak}
		int[] a = { 1 };
		a.clone(); // calls: both={Object.clone}
		args.getClass(); // calls: both={Object.getClass}
	}
}
