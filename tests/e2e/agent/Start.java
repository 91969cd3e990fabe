// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** An object whose class is still being initialised is a receiver in another thread: looking at it must not wait. */
public class Start {
	interface Op { String run(); }
	static class Caller extends Thread {
		final Op op;
		final CountDownLatch done = new CountDownLatch(1);
		Caller(Op op) { this.op = op; }
		@Override public void run() {
			call(op);
			done.countDown();
		}
	}
	static class Slow implements Op {
		static final String text;
		static {
			Caller other = new Caller(new Slow());
			other.start();
			try {
				other.done.await();
			} catch (InterruptedException e) {
				System.out.println(e);
			}
			text = "slow";
		}
		public String run() { return "run"; }
	}
	static class Child extends Slow { @Override public String run() { return "child"; } }

	static String call(Op o) { return o.run(); }

	public static void main(String[] args) throws Exception {
		System.out.println(Slow.text);
		call(new Child());
		Expect.saw("Start.call", new Slow(), "Start$Slow");
		Expect.saw("Start.call", new Child(), "Start$Child");
		Expect.write();
	}
}
