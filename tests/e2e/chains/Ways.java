// SPDX-License-Identifier: Apache-2.0
import way.Inner;
import way.Outer;

/** Takes every way in and out of the component `way` that can lose its place: exceptions, threads, callbacks, initialisers. */
public class Ways {
	static int caught;

	static void attempt(Runnable r) {
		try {
			r.run();
		} catch (RuntimeException e) {
			synchronized (Ways.class) {
				caught++;
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Outer o = new Outer();
		o.plain();
		attempt(() -> o.throwing());
		o.plain();
		o.catching();
		attempt(() -> new Inner(-1));             // leaves a constructor by its call of another one
		attempt(() -> new Inner(-2));
		o.plain();
		o.back(() -> o.plain());                  // level 1
		o.back(() -> o.back(() -> o.plain()));    // level 2
		attempt(() -> o.back(() -> o.throwing()));
		o.plain();
		o.lambda(3);
		o.reference();
		o.deep(40);
		o.initialises();
		for (int i = 0; i < 4; i++) {             // one after another: counts of the same chain race
			Thread t = new Thread(() -> { o.plain(); attempt(() -> o.throwing()); o.plain(); });
			t.start();
			t.join();
		}
		Outer.class.getMethod("plain").invoke(o);
		System.out.println(caught);
	}
}
