// SPDX-License-Identifier: Apache-2.0
// A component that libraries call back in every way; each method that they call says so to trace.Trace. None has a bridge: what the stack
// shows is what the source says.
package back;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import trace.Trace;

class Order implements Comparator<Object> {
	int left;

	Order(int left) {
		this.left = left;
	}

	@Override public int compare(Object x, Object y) {
		Trace.entered();
		if (left-- == 0)
			throw new IllegalStateException("tired");
		return x.toString().compareTo(y.toString());
	}
}

class Name {
	final String text;

	Name(String text) {
		this.text = text;
	}

	@Override public String toString() {
		Trace.entered();
		return text;
	}

	@Override public int hashCode() {
		Trace.entered();
		return 7;
	}

	@Override public boolean equals(Object o) {
		Trace.entered();
		return o instanceof Name && ((Name) o).text.equals(text);
	}
}

/** Its constructor is called back by that of its superclass, before it has begun. */
class Early extends ArrayList<Object> {
	Early(List<Object> from) {
		super(new Few(from));
		addAll(from);
	}

	@Override public boolean add(Object o) {
		Trace.entered();
		return super.add(o);
	}

	@Override public Iterator<Object> iterator() {
		Trace.entered();
		return super.iterator();
	}
}

class Few extends java.util.AbstractList<Object> {
	final List<Object> all;

	Few(List<Object> all) {
		this.all = all;
	}

	@Override public Object get(int i) {
		Trace.entered();
		return all.get(i);
	}

	@Override public int size() {
		Trace.entered();
		return all.size();
	}
}

/** Fails in the call of its superclass's constructor, where no handler can be. */
class Broken extends ArrayList<Object> {
	Broken(int n) {
		super(n);
	}

	Broken(Supplier<Integer> n) {
		this(n.get());
	}
}

class Work extends Thread implements Callable<Object> {
	@Override public void run() {
		Trace.entered();
		deeper(3);
	}

	static void deeper(int n) {
		if (n > 0)
			Collections.sort(new ArrayList<Object>(Arrays.asList("x", "y")), new Order(-1));
		if (n > 0)
			deeper(n - 1);
	}

	@Override public Object call() {
		Trace.entered();
		return "called";
	}
}

class Static {
	static final String VALUE;
	static {
		Trace.entered();
		VALUE = String.valueOf(new Name("static"));
	}
}

public class Main {
	static List<Object> names() {
		return new ArrayList<Object>(Arrays.asList(new Name("b"), new Name("a"), new Name("c")));
	}

	static void sorting() {
		List<Object> all = names();
		Collections.sort(all, new Order(-1));
		all.sort((x, y) -> {
			Trace.entered();
			return x.toString().compareTo(y.toString());
		});
		all.contains(new Name("c"));
		String.valueOf(all);
		System.out.println("concatenated " + all);
		TreeMap<Object, Object> tree = new TreeMap<>(new Order(-1));
		for (Object o : all)
			tree.put(o, String.valueOf(o));
	}

	static void tired() {
		for (int i = 0; i < 4; i++) {
			try {
				Collections.sort(names(), new Order(i));
			} catch (IllegalStateException e) {
				String.valueOf(new Name(e.getMessage()));
			} finally {
				String.valueOf(new Name("at last"));
			}
		}
	}

	/** What is inside a callback calls libraries, too. */
	static int nested(int n) {
		Trace.entered();
		List<Object> all = new ArrayList<Object>(Arrays.asList(1, 2));
		all.forEach(x -> {
			Trace.entered();
			if (n > 0)
				nested(n - 1);
			if (n == 2)
				Collections.sort(names(), new Order(-1));
		});
		return n;
	}

	static void constructors() {
		new Early(names());
		for (int i = 0; i < 2; i++) {
			Object[] made = { null };
			try {
				Arrays.setAll(made, x -> {
					Trace.entered();
					return new Broken(-1);
				});
			} catch (IllegalArgumentException e) {
				String.valueOf(new Name("no " + e.getClass()));
			}
			try {
				Arrays.asList(1, 2).forEach(x -> {
					Trace.entered();
					new Broken(() -> {
						Trace.entered();
						return -1;
					});
				});
			} catch (IllegalArgumentException e) {
				String.valueOf(new Name("no"));
			}
			/* the library goes on after a constructor was left unseen */
			java.util.Optional<Object> none = java.util.concurrent.CompletableFuture.completedFuture((Object) 1).thenApply(x -> {
				Trace.entered();
				return (Object) new Broken(-1);
			}).exceptionally(x -> {
				Trace.entered();
				return new Name("after");
			}).thenApply(x -> {
				Trace.entered();
				return java.util.Optional.of(x);
			}).join();
			none.map(x -> {
				Trace.entered();
				return x;
			});
		}
	}

	static void threads() throws Exception {
		Work t = new Work();
		t.start();
		t.join();
		ExecutorService pool = Executors.newSingleThreadExecutor();
		pool.submit(new Work()::call).get();
		pool.submit(() -> {
			Trace.entered();
			return new Work().call();
		}).get();
		pool.shutdown();
		new Work().run();
	}

	public void named() {
		Trace.entered();
	}

	static void reflection() throws Exception {
		Class.forName("back.Static");
		Main.class.getMethod("named").invoke(new Main());
	}

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < (args.length > 0 ? Integer.parseInt(args[0]) : 1); i++) {
			sorting();
			tired();
			nested(2);
			constructors();
		}
		threads();
		reflection();
		if (args.length > 1)
			Thread.sleep(Long.MAX_VALUE);
	}
}
