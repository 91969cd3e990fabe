// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What tracer.c calls: each thread has a stack of frames, and every event must come from its top. When the JVM ends, the file
 * that the property traced.out names gets the counts and what was out of step.
 */
public final class Traced {
	static final int NONE = -1;

	static final class Frame {
		final Frame below;
		final int depth;
		int call = NONE;                /* that has begun and not returned */
		boolean constructs;             /* it is that of a constructor in another */

		Frame(Frame below) {
			this.below = below;
			depth = below == null ? 1 : below.depth + 1;
		}
	}

	/** Of a thread. */
	static final class Stack {
		final Thread thread = Thread.currentThread();
		Frame top;
		long entered, exited, left, unseen, before, after, caught, cut;
	}

	static final List<Stack> stacks = new ArrayList<>();
	static final List<String> problems = new ArrayList<>();
	static final ThreadLocal<Stack> mine = new ThreadLocal<>() {
		@Override protected Stack initialValue() {
			Stack s = new Stack();

			synchronized (stacks) {
				stacks.add(s);
			}
			return s;
		}
	};

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(new Runnable() {
			@Override public void run() {
				finish();
			}
		}));
	}

	static void problem(String text) {
		synchronized (problems) {
			if (problems.size() < 20) {
				StackTraceElement[] at = new Throwable().getStackTrace();

				problems.add(text + " in " + at[Math.min(3, at.length - 1)]);
			}
		}
	}

	static Frame enter() {
		Stack s = mine.get();

		s.entered++;
		return s.top = new Frame(s.top);
	}

	/** Exceptions leave constructors unseen while another one runs for the same object. */
	static void dropUnseen(Stack s, int depth) {
		while (s.top != null && s.top.depth > depth && s.top.call != NONE && s.top.constructs) {
			s.unseen++;
			s.cut++;
			s.top = s.top.below;
		}
	}

	/** Is this the frame that runs? */
	static Stack at(int depth, String event, int id) {
		Stack s = mine.get();

		if (event.equals("caught") || event.equals("left"))
			dropUnseen(s, depth);
		if (s.top == null || s.top.depth != depth) {
			problem(event + " " + id + ": at depth " + (s.top == null ? 0 : s.top.depth) + " instead of " + depth);
			while (s.top != null && s.top.depth > depth)
				s.top = s.top.below;
		}
		return s;
	}

	static Stack at(Object frame, String event, int id) {
		Stack s = at(((Frame)frame).depth, event, id);

		if (s.top != frame)
			problem(event + " " + id + ": in another frame");
		return s;
	}

	static void begin(Stack s, int id) {
		s.before++;
		if (s.top.call != NONE)
			problem("before " + id + ": " + s.top.call + " has not returned");
		s.top.call = id;
		s.top.constructs = false;
	}

	static void end(Stack s, int id) {
		s.after++;
		if (s.top.call != id)
			problem("after " + id + ": " + s.top.call + " was called");
		s.top.call = NONE;
	}

	static void recover(Stack s) {
		s.caught++;
		s.cut += s.top.call == NONE ? 0 : 1;
		s.top.call = NONE;
	}

	static void exit(Stack s, int id) {
		s.exited++;
		if (s.top.call != NONE)
			problem("exited " + id + ": " + s.top.call + " has not returned");
		s.top = s.top.below;
	}

	static void leave(Stack s) {
		s.left++;
		s.cut += s.top.call == NONE ? 0 : 1;
		s.top = s.top.below;
	}

	public static int enteredInt(int id) {
		return enter().depth;
	}

	public static Object enteredFrame(int id) {
		return enter();
	}

	static void checkReceiver(Object receiver, int id) {
		if (receiver instanceof Traced || receiver instanceof Frame)
			problem("before " + id + ": with a receiver that is none");
	}

	public static void before(Object receiver, int depth, int id) {
		checkReceiver(receiver, id);
		begin(at(depth, "before", id), id);
	}

	public static void before(Object receiver, Object frame, int id) {
		checkReceiver(receiver, id);
		begin(at(frame, "before", id), id);
	}

	public static void before(int depth, int id) {
		begin(at(depth, "before", id), id);
	}

	public static void before(Object frame, int id) {
		begin(at(frame, "before", id), id);
	}

	public static void construct(int depth, int id) {
		before(depth, id);
		mine.get().top.constructs = true;
	}

	public static void construct(Object frame, int id) {
		before(frame, id);
		mine.get().top.constructs = true;
	}

	public static void after(int depth, int id) {
		end(at(depth, "after", id), id);
	}

	public static void after(Object frame, int id) {
		end(at(frame, "after", id), id);
	}

	public static void caught(int depth, int id) {
		recover(at(depth, "caught", id));
	}

	public static void caught(Object frame, int id) {
		recover(at(frame, "caught", id));
	}

	public static void exited(int depth, int id) {
		exit(at(depth, "exited", id), id);
	}

	public static void exited(Object frame, int id) {
		exit(at(frame, "exited", id), id);
	}

	public static void left(int depth, int id) {
		leave(at(depth, "left", id));
	}

	public static void left(Object frame, int id) {
		leave(at(frame, "left", id));
	}

	/** A thread that has ended, the main one among them, has left all of its frames. */
	static void finish() {
		Stack all = new Stack();

		synchronized (stacks) {
			for (Stack s : stacks) {
				boolean ended = !s.thread.isAlive() || s.thread.getName().equals("DestroyJavaVM");

				if (ended && (s.top != null || s.entered != s.exited + s.left + s.unseen || s.before != s.after + s.cut))
					problem(s.thread + " ended in frames");
				all.entered += s.entered;
				all.exited += s.exited;
				all.left += s.left;
				all.unseen += s.unseen;
				all.before += s.before;
				all.after += s.after;
				all.caught += s.caught;
				all.cut += s.cut;
			}
		}
		try (PrintWriter out = new PrintWriter(System.getProperty("traced.out"))) {
			for (String p : problems)
				out.println(p);
			out.println(all.entered + " entered, " + all.exited + " exited, " + all.left + " left, " + all.unseen + " unseen, " + all.before + " before, "
					+ all.after + " after, " + all.caught + " caught, " + all.cut + " cut");
		} catch (java.io.IOException e) {
			e.printStackTrace();
		}
	}
}
