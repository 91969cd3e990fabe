// SPDX-License-Identifier: Apache-2.0
// Variables: creation, copies, joins and casts. A class without references in it is a leaf: its objects are one.
// jdk: small
package values;

class A {
	Object held;
	A self() {
		return this;
	}
	void act() { }
}

class B extends A {
	void act() { }
}

class C extends A {
	void act() { }
}

interface Tall { }

class D extends A implements Tall {
	void act() { }
}

class Leaf { }

public class Values {
	static boolean flag;

	static void creation() {
		A a = new A();                    // pts: flow={A} sites={A:34}
		A again = new A();                // pts: flow={A} sites={A:35}
		Object leaf = new Leaf();         // pts: flow={Leaf}
		a.act();                          // calls act: flow={A.act} rta={A.act B.act C.act D.act} ; receivers act: flow={A}
		again.held = leaf;
	}

	static void copies() {
		A b = new B();                    // pts: flow={B} sites={B:42}
		A copy = b;
		copy.act();                       // calls act: flow={B.act} ; receivers act: flow={B} rta={A B C D}
		b = new C();                      // pts: flow={C} sites={C:45}
		b.act();                          // calls act: flow={C.act} dta={C.act} ; receivers act: flow={C}
		copy.act();                       // calls act: flow={B.act}
	}

	static void joins() {
		A j = new B();                    // pts: flow={B} sites={B:51}
		if (flag)
			j = new C();              // pts: flow={C} sites={C:53}
		j.act();                          // calls act: flow={B.act C.act} ; receivers act: flow={B C}
		A k = flag ? new B() : new B();   // pts: flow={B}
		k.act();                          // calls act: flow={B.act}
		A n = flag ? null : new C();      // pts: flow={C} sites={C:57}
		n.act();                          // calls act: flow={C.act}
	}

	static void loops() {
		A l = new B();                    // calls: all={B.<init>}
		while (flag) {
			l.act();                  // calls act: flow={B.act C.act} ; receivers act: flow={B C}
			l = new C();              // pts: vta={C}
		}
		l.act();                          // calls act: flow={B.act C.act}
	}

	static void casts() {
		Object o = flag ? new B() : new D();      // pts: flow={B D}
		A a = (A) o;                      // pts: flow={B D}
		D d = (D) o;                      // pts: flow={D}
		a.act();                          // calls act: flow={B.act D.act}
		d.act();                          // calls act: flow={D.act} ; receivers act: flow={D}
		Tall t = (Tall) o;                // pts: flow={D}
		Object s = t;
		C c = (C) s;                      // pts: flow={}
		c.act();                          // calls act: flow={} rta={C.act} ; receivers act: flow={}
		if (o instanceof B b)             // pts: flow={B}
			b.act();                  // calls act: flow={B.act}
	}

	static void nothing() {
		A never = null;
		never.act();                      // calls act: flow={} rta={A.act B.act C.act D.act} ; closed act: flow
	}

	static void chained() {
		A a = new B().self();             // pts: flow={B} 0cfa={B C} vta={B C} andersen={B:90 C:91} 0-1cfa={B:90 C:91} 1cfa={B} 2cfa={B} 1-1cfa={B:90} 2-1cfa={B:90} 1obj={B:90} 2obj={B:90} 1type={B:90 C:91} 2type={B:90 C:91}
		C c = (C) new C().self();         // pts: flow={C} sites={C:91}
		c.act();                          // calls act: flow={C.act}
		a.act();                          // calls act: vta={B.act C.act} andersen={B.act C.act} 1obj={B.act} 1cfa={B.act}
	}

	public static void main(String[] args) {
		creation();
		copies();
		joins();
		loops();
		casts();
		nothing();
		chained();
	}
}
