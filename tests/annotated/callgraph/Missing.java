// SPDX-License-Identifier: Apache-2.0
// Classes that are not there: what their known subclasses do still counts, and sites that may call what is missing say so.
// delete: Absent AbsentTask AbsentBase AbsentFace
package missing;

abstract class Absent {
	abstract void foo();
}

class Known extends Absent {
	void foo() { // reached: both={Known.foo}
	}
}

interface AbsentFace {
	void baz();
}

class Faced implements AbsentFace {
	public void baz() { // reached: both={Faced.baz}
	}
}

abstract class AbsentTask implements Runnable, Comparable<Object> {
}

class Task extends AbsentTask {
	public void run() {
	}

	public int compareTo(Object o) {
		return 0;
	}
}

interface Foo {
	void foo();
}

abstract class AbsentBase {
	public void foo() {
	}
}

class Heir extends AbsentBase implements Foo {
}

public class Missing {
	static void run(Runnable r) {
		r.run(); // calls: both>={Task.run}
	}

	static void compare(Comparable<Object> c) {
		c.compareTo(""); // calls: both>={Task.compareTo}
	}

	public static void main(String[] args) {
		Absent g = new Known();
		g.foo(); // calls: both={Known.foo} ; unresolved: missing
		AbsentFace f = new Faced();
		f.baz(); // calls: both={Faced.baz} ; unresolved: missing
		Task t = new Task();
		run((Runnable) (Object) t);
		compare((Comparable<Object>) (Object) t);
		Foo heir = new Heir();
		heir.foo(); // unresolved: missing
	}
}
