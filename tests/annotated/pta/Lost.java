// SPDX-License-Identifier: Apache-2.0
// Classes that are missing, and classes that were compiled anew and no longer fit: the JVM would throw, so such calls
// have no target and are listed.
// jdk: small
// delete: Gone
// replace: Changed.java Turned.java Shape.java
package lost;

class Gone {
	static Object make() {
		return new Object();
	}
	Object field;
	Object act() {
		return this;
	}
}

class Here extends Gone {
	Object act() {
		return "here";
	}
}

class Changed {
	Object stays() {
		return this;
	}
	Object leaves() {
		return this;
	}
	static Object statics() {
		return "text";
	}
	static Object becomesVirtual() {
		return "text";
	}
	Object wasField;
}

/* Changed.java:
package lost;
class Changed {
	Object stays() {
		return this;
	}
	static Object statics() {
		return "text";
	}
	Object becomesVirtual() {
		return "text";
	}
}
*/

class Turned {
	Object act() {
		return this;
	}
}

/* Turned.java:
package lost;
interface Turned {
	Object act();
}
*/

interface Shape {
	Object area();
}

/* Shape.java:
package lost;
class Shape {
	Object area() {
		return this;
	}
}
*/

public class Lost {
	static Object kept;

	static void missing() {
		Object o = Gone.make();           // unresolved: missing ; calls: flow={} ; pts: flow={?}
		o.toString();                     // open toString: flow
		Gone g = new Here();              // phantom: all={Gone}
		Object a = g.act();               // calls act: flow={Here.act} ; unresolved: missing
		a.toString();                     // receivers toString: flow={String}
		Gone lost = new Gone();           // unresolved: missing
		Object f = lost.field;            // pts: flow={?}
		f.toString();                     // open toString: flow
	}

	static void changed() {
		Changed c = new Changed();
		Object s = c.stays();             // calls stays: flow={Changed.stays} ; resolved
		s.toString();                     // receivers toString: flow={Changed}
		Object l = c.leaves();            // unresolved: link-error ; calls leaves: all={} ; pts: flow={}
		kept = l;
		Object t = Changed.statics();     // calls: all={Changed.statics} ; resolved
		kept = t;
		Object v = Changed.becomesVirtual();       // unresolved: link-error ; calls: all={} ; pts: flow={}
		kept = v;
		Object w = c.wasField;            // pts: flow={}
		kept = w;
	}

	static void turned(Turned t) {
		Object o = t.act();               // unresolved: link-error ; calls: all={} ; pts: flow={}
		kept = o;
	}

	static void shape(Shape s) {
		Object o = s.area();              // unresolved: link-error ; calls: all={} ; pts: flow={}
		kept = o;
	}

	public static void main(String[] args) {
		missing();
		changed();
		turned(null);
		shape(null);
	}
}
