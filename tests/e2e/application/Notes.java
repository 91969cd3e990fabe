// SPDX-License-Identifier: Apache-2.0
// An application with callbacks of every sort. Methods that the library calls say who called it: class, method and line of the
// nearest frame of the application, or that there is none on their thread. A line that ends in `// only: A.b C.d` calls back just
// these, as far as data reachability over andersen sees it; `// none` calls nothing back.
package notes;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Trace {
	/** The method that calls this one was entered from the library. */
	static synchronized void entered() {
		List<StackWalker.StackFrame> frames = StackWalker.getInstance().walk(s -> s.toList());
		StackWalker.StackFrame callee = frames.get(1);
		boolean library = false;
		for (StackWalker.StackFrame f : frames.subList(2, frames.size())) {
			if (f.getClassName().startsWith("notes.")) {
				if (library)
					System.out.println("back " + name(f) + " " + f.getLineNumber() + " " + name(callee));
				return;
			}
			library = true;
		}
		System.out.println("later - 0 " + name(callee));
	}

	static String name(StackWalker.StackFrame f) {
		return f.getClassName() + "." + f.getMethodName();
	}
}

class Red {
	@Override public String toString() {
		Trace.entered();
		return "red";
	}
}

class Blue {
	@Override public String toString() {
		Trace.entered();
		return "blue";
	}
}

/** Writes another one while it is written: whoever writes it calls back only its own method. */
class Outer {
	@Override public String toString() {
		Trace.entered();
		return new Page().writeRed().toString();
	}
}

class Page {
	StringBuffer text = new StringBuffer();

	StringBuffer writeRed() {
		Red r = new Red();
		return text.append(r);          // only: Red.toString
	}

	StringBuffer writeBlue() {
		Blue b = new Blue();
		return text.append(b);          // only: Blue.toString
	}

	StringBuffer writeOuter() {
		Outer o = new Outer();
		return text.append(o);          // only: Outer.toString
	}

	StringBuffer writeText() {
		return text.append("text");     // none
	}
}

/** Two boxes that a library fills: what one of them holds, only its user meets. */
class Key implements Comparable<Key> {
	final int n;

	Key(int n) {
		this.n = n;
	}

	@Override public int hashCode() {
		Trace.entered();
		return n & 1;
	}

	@Override public boolean equals(Object o) {
		Trace.entered();
		return o instanceof Key && ((Key) o).n == n;
	}

	@Override public int compareTo(Key o) {
		Trace.entered();
		return Integer.compare(n, o.n);
	}
}

class Backwards implements Comparator<Key> {
	@Override public int compare(Key x, Key y) {
		Trace.entered();
		return Integer.compare(y.n, x.n);
	}
}

class Pair extends AbstractList<Object> {
	@Override public Object get(int i) {
		Trace.entered();
		return i;
	}

	@Override public int size() {
		Trace.entered();
		return 2;
	}
}

class Oops extends RuntimeException {
	@Override public String getMessage() {
		Trace.entered();
		return "oops";
	}
}

class Work implements Runnable {
	@Override public void run() {
		Trace.entered();
	}
}

class Loaded {
	static int value;
	static {
		Trace.entered();
		value = 3;
	}
}

class Asked {
	public void answer() {
		Trace.entered();
	}
}

public class Notes {
	static final Map<Object, Object> KNOWN = new HashMap<>();

	static void keys() {
		KNOWN.put(new Key(1), "one");
		KNOWN.put(new Key(3), "three");
		List<Key> all = new ArrayList<>();
		all.add(new Key(2));
		all.add(new Key(1));
		Collections.sort(all);
		Collections.sort(all, new Backwards());
		all.sort((x, y) -> {
			Trace.entered();
			return Integer.compare(x.n, y.n);
		});
		new ArrayList<Object>(new Pair()).isEmpty();
	}

	static void throwing() {
		try {
			throw new Oops();
		} catch (RuntimeException e) {
			e.toString();
		}
	}

	static void threads() throws InterruptedException {
		Thread t = new Thread(new Work());
		t.start();
		t.join();
		new Work().run();
	}

	static void byName(String name) throws Exception {
		Class.forName("notes.Loaded");
		Asked.class.getMethod("answer").invoke(new Asked());
	}

	public static void main(String[] args) throws Exception {
		Page p = new Page();
		p.writeRed();
		p.writeBlue();
		p.writeOuter();
		p.writeText();
		keys();
		throwing();
		threads();
		byName("x");
	}
}
