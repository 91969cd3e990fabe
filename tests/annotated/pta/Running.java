// SPDX-License-Identifier: Apache-2.0
// What runs without a call: threads and initialisers of classes.
// jdk: small
package running;

class Item {
	Object of;
}

class Task implements Runnable {
	Object given;
	Task(Object o) {
		given = o;
	}
	public void run() {
		Object o = given;                 // pts: flow={Item} sites={Item:55}
		o.toString();                     // receivers toString: flow={Item}
	}
}

class Never implements Runnable {
	public void run() { }
}

class Worker extends Thread {
	Object mine = new Item();                 // pts: flow={Item}
	public void run() {
		Object o = mine;                  // pts: flow={Item} sites={Item:26}
		o.toString();                     // receivers toString: flow={Item}
	}
}

class Lazy {
	static Object value = new Item();         // pts: flow={Item} sites={Item:34}
	static Object made() {
		return value;                     // pts: flow={Item} sites={Item:34}
	}
}

class Unread {
	static Object value = new Item();
}

class Above {
	static Object first;
	static {
		first = new Item();               // pts: flow={Item} sites={Item:47}
	}
}

class Below extends Above { }

public class Running {                            // reached: all={Lazy.<clinit> Above.<clinit>} ; unreached: all={Unread.<clinit>}
	static void threads() {                   // edge: all={Thread.start0->Worker.run}
		Thread t = new Thread(new Task(new Item()));       // calls: all={Item.<init> Task.<init> Thread.<init>}
		t.start();                        // calls start: all={Thread.start} ; reached: all={Task.run Worker.run}
		new Worker().start();             // unreached: flow={Never.run} rta={Never.run}
	}

	static void initialisers() {
		Object o = Lazy.made();           // calls: all={Lazy.made} ; pts: flow={Item} sites={Item:34}
		o.toString();                     // receivers toString: flow={Item}
		Object first = Below.first;       // pts: flow={Item} sites={Item:47}
		first.toString();                 // receivers toString: flow={Item}
	}

	public static void main(String[] args) {          // entry: all={Running.main Lazy.<clinit>}
		threads();
		initialisers();
	}
}
