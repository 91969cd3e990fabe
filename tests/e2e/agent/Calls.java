// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Calls of every sort, in one thread and in a random order. Each method call... has one call that is checked. */
public class Calls {
	interface Who {
		String who();
		default String late() { return "Calls$Who"; }
	}
	interface Better extends Who {
		@Override default String late() { return "Calls$Better"; }
	}
	static class A implements Who {
		public String who() { return "Calls$A"; }
		String args(int i, long l, double d, Object o, float f, long m, byte b) {
			return i == 1 && l == 2 && d == 3 && o == this && f == 5 && m == 6 && b == 7 ? "Calls$A" : "wrong";
		}
		String two(long l) { return l == 1L << 40 ? "Calls$A" : "wrong"; }
		String three(int i, double d) { return i == 9 && d == 0.5 ? "Calls$A" : "wrong"; }
		String thrower() { throw new IllegalStateException("Calls$A"); }
	}
	static class B extends A {
		@Override public String who() { return "Calls$B"; }
		@Override String args(int i, long l, double d, Object o, float f, long m, byte b) { return super.args(i, l, d, o, f, m, b).equals("Calls$A") ? "Calls$B" : "wrong"; }
		@Override String thrower() { throw new UnsupportedOperationException("Calls$B"); }
	}
	static class C extends B implements Better { }
	static final class D extends C { @Override public String late() { return "Calls$D"; } }
	enum E implements Who {
		ONE { public String who() { return "Calls$E$1"; } },
		TWO;
		public String who() { return "Calls$E"; }
	}
	record R(int x) implements Who { public String who() { return "Calls$R"; } }

	static String callWho(Who w) { return w.who(); }
	static String callLate(Who w) { return w.late(); }
	static String callArgs(A a) { return a.args(1, 2L, 3.0, a, 5f, 6L, (byte) 7); }
	static String callTwo(A a) { return a.two(1L << 40); }
	static String callThree(A a) { return a.three(9, 0.5); }
	static String callThrower(A a) { return a.thrower(); }
	static int callOperator(IntUnaryOperator f) { return f.applyAsInt(1); }
	static Object callSupplier(Supplier<?> s) { return s.get(); }
	static int callArray(Object o) { return o.hashCode(); }
	static String callProxy(Who w) { return w.who(); }
	static String callHidden(Supplier<?> s) { return (String) s.get(); }

	static void overflowing(A a, int depth) {
		if (depth > 0)
			overflowing(a, depth - 1);
		else
			saw("Calls.callTwo", a, callTwo(a));
	}

	static void saw(String method, Object receiver, String target) { Expect.saw(method, receiver, target); }

	static void one(int what, A[] as, Who[] whos, Who proxy, Supplier<?> hidden, IntUnaryOperator[] ops, Object[] arrays, Random r) {
		A a = as[r.nextInt(as.length)];
		Who w = whos[r.nextInt(whos.length)];
		switch (what) {
		case 0: saw("Calls.callWho", w, callWho(w)); break;
		case 1: saw("Calls.callLate", w, callLate(w)); break;
		case 2: saw("Calls.callArgs", a, callArgs(a)); break;
		case 3: saw("Calls.callTwo", a, callTwo(a)); break;
		case 4: saw("Calls.callThree", a, callThree(a)); break;
		case 5:
			try {
				callThrower(a);
			} catch (IllegalStateException | UnsupportedOperationException e) {
				saw("Calls.callThrower", a, e.getMessage());
			}
			break;
		case 6: { IntUnaryOperator f = ops[r.nextInt(ops.length)]; callOperator(f); Expect.lambda("Calls.callOperator", f); break; }
		case 7: { Object o = arrays[r.nextInt(arrays.length)]; callArray(o); saw("Calls.callArray", o, "java.lang.Object"); break; }
		case 8: callProxy(proxy); Expect.lambda("Calls.callProxy", proxy); break;
		case 9: callHidden(hidden); Expect.lambda("Calls.callHidden", hidden); break;
		case 10:
			nobody();
			break;
		default: packages(r);
		}
	}

	static boolean isSaid;

	/** Without a receiver the call throws, and says the same. */
	static void nobody() {
		Runnable[] calls = { () -> callWho(null), () -> callTwo(null), () -> callThree(null), () -> callMany(null) };
		for (Runnable c : calls) {
			try {
				c.run();
				System.out.println("no exception");
			} catch (NullPointerException e) {
				if (!isSaid)
					System.out.println(e.getMessage());
			}
		}
		isSaid = true;
	}

	static String callMany(A nobody) { return nobody.args(1, 2L, 3.0, "x", 5f, 6L, (byte) 7); }

	static void packages(Random r) {
		p.Base[] all = { new p.Base(), new p.Inner(), new q.Outside(), new q.Below() };
		p.Base b = all[r.nextInt(all.length)];
		saw("p.Base.callOwn", b, p.Base.callOwn(b));
		saw("p.Base.callOpen", b, p.Base.callOpen(b));
		saw("p.Base.callSecret", b, p.Base.callSecret(b));
		if (b instanceof q.Outside)
			saw("q.Outside.callOwn", b, q.Outside.callOwn((q.Outside) b));
	}

	static Supplier<?> hidden() throws Exception {
		byte[] bytes = Files.readAllBytes(Path.of(System.getProperty("classes"), "Hidden.class"));
		return (Supplier<?>) MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass().getDeclaredConstructor().newInstance();
	}

	public static void main(String[] args) throws Exception {
		Random r = new Random(7);
		A[] as = { new A(), new B(), new C(), new D() };
		int k = args.length;
		IntUnaryOperator[] ops = { x -> x + 1, x -> x + k, Math::abs, Calls::twice };
		Who[] whos = { new A(), new B(), new C(), new D(), E.ONE, E.TWO, new R(1) };
		Who proxy = (Who) Proxy.newProxyInstance(Calls.class.getClassLoader(), new Class<?>[] { Who.class }, (o, m, x) -> "proxy");
		Object[] arrays = { new int[1], new Object[0], new A[2], new long[1][1] };
		Supplier<?> hidden = hidden();
		for (int i = 0; i < Integer.getInteger("rounds", 30000); i++)
			one(r.nextInt(12), as, whos, proxy, hidden, ops, arrays, r);
		overflowing(as[0], 1000);
		System.out.println("done " + callSupplier(() -> "x"));
		Expect.write();
	}

	static int twice(int x) { return 2 * x; }
}
