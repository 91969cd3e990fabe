// SPDX-License-Identifier: Apache-2.0
// Every trigger of class initialisation (JVMS 5.5), and what is none.
package initializers;

class ByNew {
	static { Initializers.hit(); }
}

class ByCall {
	static { Initializers.hit(); }

	static void f() {
	}
}

class ByRead {
	static int x;
	static { x = Initializers.hit(); }
}

class ByWrite {
	static int x;
	static { Initializers.hit(); }
}

class Parent {
	static int inherited;
	static { Initializers.hit(); }
}

class Child extends Parent {
	static { Initializers.hit(); }
}

class SubParent {
	static { Initializers.hit(); }
}

class SubChild extends SubParent {
	static { Initializers.hit(); }
}

interface WithDefault {
	int X = Initializers.hit();

	default void d() {
	}
}

interface WithoutDefault {
	int X = Initializers.hit();
}

class Implementor implements WithDefault, WithoutDefault {
}

class ConstantOnly {
	static final int ANSWER = 42;
	static { Initializers.hit(); }
}

class OnlyArray {
	static { Initializers.hit(); }
}

class OnlyCast {
	static { Initializers.hit(); }
}

class OnlyLiteral {
	static { Initializers.hit(); }
}

class ByReference {
	static { Initializers.hit(); }

	static void target() {
	}
}

interface ByInterfaceCall {
	int X = Initializers.hit();

	static void f() {
	}
}

interface ByInterfaceRead {
	Object X = Initializers.hit();
}

interface SuperOfInterface {
	int X = Initializers.hit();

	default void d() {
	}
}

interface SubInterface extends SuperOfInterface {
	int Y = Initializers.hit();

	static void f() {
	}
}

class ByAssert {
	void check(int x) {
		assert x > 0;
	}
}

enum Color {
	RED, GREEN;

	static final Color DEFAULT = pick();

	static Color pick() {
		return RED;
	}
}

public class Initializers {
	static { hit(); } // entry: both={Initializers.<clinit>}

	static int hit() {
		return 1;
	}

	public static void main(String[] args) {
		new ByNew(); // reached: both={ByNew.<clinit>} ; entry: both={ByNew.<clinit>}
		ByCall.f(); // reached: both={ByCall.<clinit>}
		int x = ByRead.x; // reached: both={ByRead.<clinit>}
		ByWrite.x = x; // reached: both={ByWrite.<clinit>}
		x = Child.inherited; // reached: both={Parent.<clinit>} ; unreached: rta={Child.<clinit>}
		new SubChild(); // reached: both={SubParent.<clinit> SubChild.<clinit>}
		new Implementor(); // reached: both={WithDefault.<clinit>} ; unreached: rta={WithoutDefault.<clinit>}
		x = ConstantOnly.ANSWER; // unreached: both={ConstantOnly.<clinit>}
		Object o = new OnlyArray[1]; // unreached: both={OnlyArray.<clinit>}
		OnlyCast c = o instanceof OnlyCast ? (OnlyCast) o : null; // unreached: both={OnlyCast.<clinit>}
		Class<?> k = OnlyLiteral.class; // unreached: both={OnlyLiteral.<clinit>}
		ByInterfaceCall.f(); // reached: both={ByInterfaceCall.<clinit>}
		Object y = ByInterfaceRead.X; // reached: both={ByInterfaceRead.<clinit>}
		SubInterface.f(); // reached: both={SubInterface.<clinit>} ; unreached: both={SuperOfInterface.<clinit>}
		new ByAssert().check(1); // edge: both={ByAssert.<clinit>->Class.desiredAssertionStatus}
		Runnable r = ByReference::target;
		r.run(); // reached: both={ByReference.<clinit>}
		Color.valueOf("RED"); // reached: both={Color.<clinit> Color.pick Color.valueOf Color.<init>}
	}
}
