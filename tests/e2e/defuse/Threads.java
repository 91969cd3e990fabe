// SPDX-License-Identifier: Apache-2.0
package pairs;

/** Marked like Pairs. A thread may see what others wrote, and others what it wrote, whatever was written since. */
public class Threads {
	static int shared, alone;
	static Cell handed = null;

	static void say(int n) {
	}

	static class Cell {
		int n;
	}

	static class Task implements Runnable {
		final Cell cell;
		Task(Cell cell) {
			this.cell = cell;
		}
		public void run() {
			say(shared);                // use first second third
			shared = 3;                 // def third
			Cell c = cell;
			say(c.n);                   // use given
			Cell own = new Cell();
			own.n = 5;                  // def own
			say(own.n);                 // use own by intra
		}
	}

	public static void main(String[] args) throws Exception {
		Cell c = new Cell(), d = new Cell();
		shared = 1;                         // def first
		shared = 2;                         // def second
		c.n = 4;                            // def given
		d.n = 5;                            // def mine
		new Thread(new Task(c)).start();
		say(shared);                        // use second third
		say(d.n);                           // use mine by intra
		alone = 1;                          // def lost
		alone = 2;                          // def alone
		say(alone);                         // use alone by intra
	}
}
