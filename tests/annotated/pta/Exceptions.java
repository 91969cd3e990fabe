// SPDX-License-Identifier: Apache-2.0
// Exceptions: to the first handler that fits, through calls, past others, and what the JVM itself throws.
// jdk: small
package exceptions;

class Trouble extends RuntimeException {
	Object of;
	void tell() { }
}

class Small extends Trouble {
	void tell() { }
}

class Big extends Trouble {
	void tell() { }
}

class Checked extends Exception {
	void tell() { }
}

class Unused extends Trouble {
	void tell() { }
}

public class Exceptions {
	static boolean flag;

	static void direct() {
		try {
			throw new Small();        // pts: flow={Small} sites={Small:32}
		} catch (Trouble t) {             // pts: flow={Small} sites={Small:32}
			t.tell();                 // calls tell: flow={Small.tell} rta={Trouble.tell Small.tell Big.tell} cha={Trouble.tell Small.tell Big.tell Unused.tell}
		}
	}

	static void fail(Trouble t) {
		throw t;
	}

	static void deeper() {
		fail(new Big());                  // calls fail: all={Exceptions.fail}
	}

	static void deepest() {
		deeper();
	}

	static void throughCalls() {
		try {
			deepest();
		} catch (Small s) {               // pts: flow={Small} andersen={Small:62}
			s.tell();                 // calls tell: flow={Small.tell}
		} catch (Trouble t) {             // pts: flow={Big} sites={Big:43}
			t.tell();                 // calls tell: flow={Big.tell} ; receivers tell: flow={Big}
		}
	}

	static void alsoSmall() {
		try {
			fail(new Small());        // calls fail: all={Exceptions.fail}
		} catch (Big b) {                 // pts: flow={Big} sites={Big:43}
			b.tell();                 // calls tell: flow={Big.tell}
		} catch (Trouble t) {             // pts: flow={Small} sites={Small:62}
			t.tell();                 // calls tell: flow={Small.tell}
		}
	}

	static void order() {
		try {
			if (flag)
				throw new Small();
			throw new Checked();
		} catch (Small s) {               // pts: flow={Small}
			s.tell();                 // calls tell: flow={Small.tell}
		} catch (RuntimeException never) {
			Trouble t = (Trouble) never;    // pts: flow={}
			t.tell();                 // calls tell: flow={} ; receivers tell: flow={}
		} catch (Exception e) {           // pts: flow={Checked ClassNotFoundException CloneNotSupportedException InterruptedException}
			Checked c = (Checked) e;  // pts: flow={Checked}
			c.tell();                 // calls tell: flow={Checked.tell}
		}
	}

	static void nested() {
		try {
			try {
				throw new Big();  // pts: flow={Big} sites={Big:89}
			} catch (Small s) {
				s.tell();         // calls tell: flow={}
			}
		} catch (Big b) {                 // pts: flow={Big} sites={Big:89}
			b.tell();                 // calls tell: flow={Big.tell}
		}
	}

	static Object last;

	static void finallies() {
		try {
			try {
				throw new Small();        // pts: flow={Small}
			} finally {
				last = "finally";
			}
		} catch (Trouble t) {             // pts: flow={Small} sites={Small:103}
			t.tell();                 // calls tell: flow={Small.tell}
		}
	}

	static void again() {
		try {
			try {
				throw new Big();  // pts: flow={Big}
			} catch (Trouble t) {     // pts: flow={Big} sites={Big:115}
				throw t;
			}
		} catch (RuntimeException e) {
			Trouble t = (Trouble) e;  // pts: flow={Big} sites={Big:115}
			t.tell();                 // calls tell: flow={Big.tell}
		}
	}

	static void fromHandler() {
		try {
			try {
				throw new Small();
			} catch (Small s) {
				throw new Big();  // pts: flow={Big}
			}
		} catch (Trouble t) {             // pts: flow={Big} sites={Big:130}
			t.tell();                 // calls tell: flow={Big.tell}
		}
	}

	static void raised() {
		try {
			last.toString();
		} catch (NullPointerException e) {         // pts: flow={NullPointerException}
			e.getMessage();           // calls: flow={Throwable.getMessage} ; receivers getMessage: flow={NullPointerException}
		} catch (ArithmeticException e) {          // pts: flow={ArithmeticException}
			e.getMessage();           // receivers getMessage: flow={ArithmeticException}
		}
	}

	static void cause() {
		try {
			throw new IllegalStateException(new Small());
		} catch (IllegalStateException e) {        // pts: flow={IllegalStateException}
			Trouble t = (Trouble) e.getCause();        // pts: flow={Small} vta={Small Big Trouble}
			t.tell();                 // calls tell: flow={Small.tell} vta={Small.tell Big.tell Trouble.tell}
		}
	}

	static void kept() {
		Trouble t = new Small();          // pts: flow={Small} sites={Small:157}
		t.of = new Big();                 // pts: flow={Big}
		try {
			throw t;
		} catch (Trouble c) {             // pts: flow={Small} sites={Small:157}
			Trouble of = (Trouble) c.of;      // pts: sites={Big:158} 0cfa={Big}
			of.tell();                // calls tell: flow={Big.tell}
		}
	}

	public static void main(String[] args) {
		direct();
		throughCalls();
		alsoSmall();
		order();
		nested();
		finallies();
		again();
		fromHandler();
		raised();
		cause();
		kept();
		new Trouble().tell();
	}
}
