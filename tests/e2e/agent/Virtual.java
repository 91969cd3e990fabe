// SPDX-License-Identifier: Apache-2.0
/** A class that a virtual thread loads first, and calls there. For JDK 21 and later; without these, a plain thread. */
public class Virtual {
	static class Late {
		interface Op { int run(); }
		static class A implements Op { public int run() { return 1; } }
		static class B implements Op { public int run() { return 2; } }
		static int call(Op o) { return o.run(); }
		static void use() {
			for (int i = 0; i < 100; i++)
				call(i % 4 == 0 ? new A() : new B());
		}
	}

	public static void main(String[] args) throws Exception {
		Runnable r = Late::use;
		Thread t;
		try {
			t = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, r);
		} catch (NoSuchMethodException | java.lang.reflect.InvocationTargetException e) {
			t = new Thread(r);
			t.start();
		}
		t.join();
		for (int i = 0; i < 25; i++)
			Expect.saw("Virtual$Late.call", new Late.A(), "Virtual$Late$A");
		for (int i = 0; i < 75; i++)
			Expect.saw("Virtual$Late.call", new Late.B(), "Virtual$Late$B");
		System.out.println("virtual");
		Expect.write();
	}
}
