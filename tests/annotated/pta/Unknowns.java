// SPDX-License-Identifier: Apache-2.0
// Objects that nobody knows: what natives without a model return is unknown, has unknown fields, and makes calls open.
// jdk: small
package unknowns;

class Item {
	Item next;
	void act() { }
	Item again() {
		return this;
	}
}

class Made extends Item {
	void act() { }
}

public class Unknowns {
	static native Item secret();
	static native Item[] secrets();
	static Item kept;

	static void call() {
		Item i = secret();                // calls: all={Unknowns.secret} ; pts: flow={?} steens>={?}
		i.act();                          // calls act: flow={} rta={Item.act Made.act} ; open act: flow steens ; receivers act: flow={}
		Item known = new Made();
		known.act();                      // calls act: flow={Made.act} ; closed act: flow
	}

	static void field() {
		Item n = secret().next;           // pts: flow={?}
		n.act();                          // calls act: flow={} ; open act: flow
		Item inside = new Made();
		inside.next = secret();           // pts: flow={?}
		Item out = inside.next;           // pts: flow={?}
		out.act();                        // open act: flow
	}

	static void element() {
		Item[] all = secrets();           // pts: flow={?}
		Item i = all[0];                  // pts: flow={?}
		i.act();                          // open act: flow ; receivers act: flow={}
		Item[] own = new Item[1];
		own[0] = secret();
		own[0].act();                     // open act: flow
	}

	static void cast() {
		Object o = secret();
		Made m = (Made) o;                // pts: flow={?}
		m.act();                          // open act: flow
		Runnable r = (Runnable) o;        // pts: flow={?}
		r.run();                          // open run: flow ; calls run: flow={}
	}

	static void mixed(boolean b) {
		Item i = b ? new Made() : secret();      // pts: flow={? Made} sites={? Made:57}
		i.act();                          // calls act: flow={Made.act} ; open act: flow ; receivers act: flow={Made}
	}

	static void through() {
		kept = secret();                  // pts: flow={?}
		kept.act();                       // open act: flow
		Item same = secret().again();     // calls again: flow={}
		same.act();                       // open act: flow
	}

	static void handed(Item i) {
		i.act();                          // open act: flow ; calls act: flow={}
	}

	static void arrays() {
		Object all = secrets();
		Item none = (Item) all;           // pts: flow={}
		none.act();                       // closed act: flow ; calls act: flow={}
		Object copy = secrets().clone();  // pts: flow={?}
		Item[] same = (Item[]) copy;      // pts: flow={?}
		same[0].act();                    // open act: flow
		Made no = (Made) copy;            // pts: flow={}
		no.act();                         // closed act: flow ; calls act: flow={}
	}

	public static void main(String[] args) {
		call();
		field();
		element();
		cast();
		mixed(args.length == 0);
		through();
		handed(secret());
		arrays();
		new Item().act();                 // closed act: flow
	}
}
