// SPDX-License-Identifier: Apache-2.0
// Small things that went wrong once.
package corners;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class Corners {
	interface I {
		void go();
	}

	static class A implements I {
		public void go() {
		}
	}

	static class B implements I {
		public void go() {
		}
	}

	// A phi of three operands, one of which is defined behind it.
	static void loop(I x, int n) {
		I y = null;
		while (n-- > 0) {
			if (n % 3 == 0) {
				y = new B();
				continue;
			}
			y = x;
		}
		y.go(); // calls go: vta={Corners$A.go Corners$B.go} 0cfa={Corners$A.go Corners$B.go} andersen={Corners$A.go Corners$B.go} 1obj={Corners$A.go Corners$B.go}
	}

	static class Failure extends Error {
		void report() {
		}
	}

	static class Fails {
		static int value;
		static {
			if (value == 0)
				throw new Failure();
		}

		static void use() {
		}
	}

	// An initialiser's error goes on as it is to whoever uses the class first.
	static void initialise() {
		try {
			Fails.use();
		} catch (Failure f) {
			f.report(); // calls report: vta={Corners$Failure.report} 0cfa={Corners$Failure.report} andersen={Corners$Failure.report} 1obj={Corners$Failure.report}
		}
	}

	static class Holder {
		String text = "text";
	}

	// Strings in fields are not tracked, and still come out of them.
	static void read(VarHandle handle, Holder holder) {
		Object x = handle.get(holder);
		x.hashCode(); // calls hashCode: vta>={String.hashCode} 0cfa>={String.hashCode} andersen>={String.hashCode} 1obj>={String.hashCode}
	}

	public static void main(String[] args) throws Exception {
		loop(new A(), args.length);
		initialise();
		read(MethodHandles.lookup().findVarHandle(Holder.class, "text", String.class), new Holder());
	}
}
