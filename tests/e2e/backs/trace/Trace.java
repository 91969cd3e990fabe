// SPDX-License-Identifier: Apache-2.0
package trace;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Beyond the component: says who called back the method that calls this, by the stack alone. */
public class Trace {
	private static final AtomicInteger entered = new AtomicInteger();

	public static synchronized void entered() {
		List<StackWalker.StackFrame> frames = StackWalker.getInstance(StackWalker.Option.SHOW_REFLECT_FRAMES).walk(s -> s.toList());
		boolean library = false;
		entered.incrementAndGet();
		for (StackWalker.StackFrame f : frames.subList(2, frames.size())) {
			if (f.getClassName().startsWith("back.")) {
				if (library)
					System.out.println("back " + name(f) + ":" + f.getLineNumber() + " " + name(frames.get(1)));
				return;
			}
			library = true;
		}
		if (!frames.get(frames.size() - 1).getMethodName().equals("main"))
			System.out.println("later - " + name(frames.get(1)));
	}

	static String name(StackWalker.StackFrame f) {
		return f.getClassName() + "." + f.getMethodName();
	}
}
