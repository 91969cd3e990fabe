// SPDX-License-Identifier: Apache-2.0
/** Changes while it runs, see Changer. */
public class Changed {
	interface Op { String run(); }
	static String call(Op o) { return o.run(); }
	static String callTwice(Op o) { return o.run() + o.run(); }

	static class A implements Op { public String run() { return "a"; } }
	static class B implements Op { public String run() { return "b"; } }
	static class C implements Op { public String run() { return "c"; } }

	static void use(String when, Op o) {
		System.out.println(when + " " + call(o) + callTwice(o));
	}

	public static void main(String[] args) throws Exception {
		use("first", new A());
		Changer.retransform(Changed.class);
		use("retransformed", new B());
		Changer.redefine(Changed.class);
		use("redefined", new C());
	}
}
