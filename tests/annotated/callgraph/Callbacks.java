// SPDX-License-Identifier: Apache-2.0
// Unknown code calls back: objects that are passed to it escape, and whatever they implement or override of libraries, or have by the
// type that they are passed as, may be called.
// delete: Gone GoneBase
package callbacks;

import java.util.Comparator;
import java.util.function.Function;

interface Node {
	String name();
}

interface Navigator {
	Node parent(Node of);

	String name(Node of);
}

interface Engine {
	Object evaluate(Navigator by, Object from);

	void listen(Runnable... all);

	void start();

	void any(Object[] all);

	void bells(Bell[] all);

	void both(Object o, Bell b);
}

interface Bell {
	void ring();
}

class Small implements Bell {
	public void ring() { // reached: 0cfa={Small.ring} andersen={Small.ring}
	}
}

class Great implements Bell {
	public void ring() { // reached: 0cfa={Great.ring} andersen={Great.ring}
	}
}

class Element implements Node {
	public String name() { // reached: andersen={Element.name}
		return "element";
	}
}

class Text implements Node {
	public String name() {
		return "text";
	}
}

class Kept implements Node { // does not escape
	public String name() {
		return "kept";
	}
}

class Tree implements Navigator {
	private final Node root = new Text();

	public Node parent(Node of) { // reached: andersen={Tree.parent}
		of.name(); // calls name: andersen={Element.name} ; runs: andersen={Text.name} ; open name: andersen
		return root; // what it returns escapes, too
	}

	public String name(Node of) {
		return of.name(); // receivers name: vta={Text} 0cfa={Text} andersen={Text}
	}

	public void rest() { // unreached: andersen={Tree.rest}
	}

	private void own() { // unreached: andersen={Tree.own}
	}

	public String toString() { // reached: andersen={Tree.toString}
		return "tree";
	}
}

class Order implements Comparator<Object> {
	public int compare(Object a, Object b) { // reached: andersen={Order.compare}
		return 0;
	}

	void flip() { // unreached: andersen={Order.flip}
	}
}

class Task implements Runnable {
	public void run() { // reached: andersen={Task.run}
	}
}

class Gone {
	Gone(Object x) {
	}

	static void take(Object x) {
	}

	Object take(Function<Object, Object> f) {
		return null;
	}
}

class GoneBase {
	GoneBase() {
	}
}

class Heir extends GoneBase { // may override what is missing
	public void hook() { // reached: andersen={Heir.hook}
	}

	void apart() { // unreached: andersen={Heir.apart}
	}
}

class Given implements Runnable {
	public void run() { // reached: andersen={Given.run}
	}
}

class Held implements Runnable {
	public void run() { // reached: andersen={Held.run}
	}
}

public class Callbacks {
	static Object mapped(Object x) { // reached: andersen={Callbacks.mapped}
		return x;
	}

	public static void main(String[] args) throws Exception {
		Engine e = (Engine) Class.forName(args[0]).getDeclaredConstructor().newInstance();
		new Kept().name();
		Object found = e.evaluate(new Tree(), new Order()); // calls evaluate: andersen={} ; open evaluate: andersen ; runs: andersen={Tree.parent Tree.name Tree.toString Order.compare Text.name}
		e.start(); // runs: andersen={}
		new Tree().parent(new Element());
		Bell[] bells = { new Small() };
		e.any(bells);
		e.bells(bells); // runs: andersen={Small.ring} ; runs: 0cfa={Small.ring}
		Great great = new Great();
		e.both(great, great); // runs: andersen={Great.ring} ; runs: 0cfa={Great.ring}
		e.listen(new Task()); // runs: andersen={Task.run}
		Gone.take(new Given()); // runs: andersen={Given.run} ; unresolved: missing
		Gone g = new Gone(new Held()); // runs: andersen={Held.run}
		g.take(Callbacks::mapped); // runs: andersen>={Callbacks$lambda.apply}
		new Heir(); // edge: andersen={Heir.<init>->Heir.hook}
	}
}
