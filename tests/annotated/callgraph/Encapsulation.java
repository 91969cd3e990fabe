// SPDX-License-Identifier: Apache-2.0
// What a call by reflection may do that is not resolved, by level: at behaved everything, at encap what code in its place could name
// (Sawin and Rountev, section III.B).
// jdk: reflection
// also: other/Base.java other/Far.java other/Hidden.java other/Shape.java
package encapsulation;

import encapsulation.other.Base;
import encapsulation.other.Far;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/* other/Base.java:
package encapsulation.other;

import java.lang.reflect.Method;

public class Base {
	public Base() {
	}

	protected Base(int i) {
	}

	Base(long l) {
	}

	private Base(char c) {
	}

	public void pub() {
	}

	protected void prot() {
	}

	protected static void protStatic() {
	}

	void pack() {
	}

	private void priv() {
	}

	public static class Open {
		public void o() {
		}

		protected void oprot() {
		}

		void opack() {
		}

		private void opriv() {
		}
	}

	private static class Shut {
		private Shut() {
		}

		public void s() {
		}

		private void spriv() {
		}
	}

	public static void site(Method m) throws Exception {
		m.invoke(null); // runs: both/encap>={Base.pub Base.prot Base.pack Base.priv Base$Shut.spriv Base$Open.opriv Hidden.hpack Far.prot2} ; runs: both/encap!={Near.pack Near.prot Near.priv Encapsulation.priv Encapsulation$Nested.npriv}
	}
}
*/

/* other/Far.java:
package encapsulation.other;

public class Far {
	protected void prot2() {
	}

	protected static void protStatic2() {
	}

	void pack2() {
	}
}
*/

/* other/Hidden.java:
package encapsulation.other;

class Hidden {
	static int x = Hidden.start();

	static int start() {
		return 1;
	}

	public Hidden() {
	}

	private Hidden(int i) {
	}

	public void h() {
	}

	void hpack() {
	}
}
*/

/* other/Shape.java:
package encapsulation.other;

public abstract class Shape {
	public Shape() {
	}

	public abstract void draw();

	public void move() {
	}
}
*/

class Near {
	static {
		touch();
	}

	Near() {
	}

	private Near(int i) {
	}

	protected Near(long l) {
	}

	static void touch() {
	}

	public void pub() {
	}

	protected void prot() {
	}

	void pack() {
	}

	private void priv() {
	}

	static class In {
		private In() {
		}

		private void inpriv() {
		}

		void inpack() {
		}

		static void site(Method m) throws Exception {
			m.invoke(null); // runs: both/encap>={Near.priv Near$In.inpriv Near.pack Encapsulation.pack} ; runs: both/encap!={Encapsulation.priv Encapsulation$Nested.npriv Base.prot}
		}
	}

	static void site(Method m) throws Exception {
		m.invoke(null); // runs: both/encap>={Near.pub Near.prot Near.pack Near.priv Near$In.inpriv Near$In.inpack Encapsulation.pack Base.pub Encapsulation$Nested.npack} ; runs: both/encap!={Base.prot Base.protStatic Base.pack Encapsulation.priv Encapsulation$Nested.npriv Encapsulation$Kin.kpriv Far.prot2}
	}

	static void made(Constructor<?> k) throws Exception {
		k.newInstance(); // runs: both/encap>={Near.<init>()V Near.<init>(I)V Near.<init>(J)V Near$In.<init> Base.<init>()V} ; runs: both/encap!={Encapsulation$Nested.<init> Base.<init>(J)V Base.<init>(C)V}
	}
}

public class Encapsulation extends Base {
	public static void main(String[] args) throws Exception {
		Class<?> c = Class.forName(args[0]); // runs: both/behaved>={Hidden.<clinit> Near.<clinit>} both/encap>={Hidden.<clinit> Near.<clinit>} ; runs: both/behaved!={Near.pub Near.<init> Hidden.start} both/encap!={Near.pub Near.<init> Hidden.start} ; runs: both={} ; unresolved: reflection ; unresolved both/encap: reflection
		Method m = c.getMethod(args[1]); // resolved
		Constructor<?> k = c.getConstructor(); // resolved
		m.invoke(null); // runs: both/encap>={Base.pub Base$Open.o Base$Shut.s Hidden.h Base.prot Base.protStatic Near.pub Near.prot Near.pack Near$In.inpack} ; runs: both/encap>={Encapsulation.priv Encapsulation.pack Encapsulation$Nested.npriv Encapsulation$Kin.kpriv Encapsulation$Nested$Deep.dpriv Encapsulation$1Local.lpriv Shape.move} ; unresolved: reflection
		m.invoke(null); // runs: both/encap!={Base.pack Base.priv Base$Open.opriv Base$Open.opack Base$Open.oprot Base$Shut.spriv Hidden.hpack Near.priv Near$In.inpriv Far.pack2} ; runs: both/encap!={Far.prot2 Far.protStatic2} ; runs: both/encap!={Near.<init> Near.<clinit> Base.<init> Shape.draw}
		m.invoke(null); // runs: both/behaved>={Base.pack Base.priv Base$Open.opriv Base$Shut.spriv Hidden.hpack Near.priv Near$In.inpriv Far.prot2 Far.pack2 Hidden.start} ; runs: both/behaved!={Near.<init> Near.<clinit> Base.<init> Shape.draw} ; runs: both={}
		c.newInstance(); // runs: both/behaved>={Base.<init>()V Hidden.<init>()V Near.<init>()V Near$In.<init> Base$Shut.<init> Far.<init>} ; runs: both/behaved!={Base.<init>(I)V Base.<init>(J)V Hidden.<init>(I)V Near.<init>(I)V Shape.<init> Near.pub} ; runs: both={}
		c.newInstance(); // runs: both/encap>={Base.<init>()V Near.<init>()V Far.<init> Encapsulation$Nested.<init>} ; runs: both/encap!={Base.<init>(I)V Base.<init>(C)V Near$In.<init> Base$Shut.<init> Shape.<init> Near.<clinit>}
		k.newInstance(); // runs: both/behaved>={Base.<init>()V Base.<init>(I)V Base.<init>(J)V Base.<init>(C)V Hidden.<init>(I)V Near.<init>(I)V} ; runs: both/behaved!={Shape.<init> Near.pub Near.<clinit>}
		k.newInstance(); // runs: both/encap>={Base.<init>()V Hidden.<init>()V Near.<init>()V Near.<init>(J)V Encapsulation$Nested.<init> Encapsulation$1Local.<init>} ; runs: both/encap!={Base.<init>(J)V Base.<init>(C)V Base.<init>(I)V Hidden.<init>(I)V Near.<init>(I)V Near$In.<init> Shape.<init>}
		class Local {
			private Local() {
			}

			private void lpriv() {
			}

			void site(Method m) throws Exception {
				m.invoke(null); // runs: both/encap>={Encapsulation.priv Encapsulation$1Local.lpriv Encapsulation$Nested.npriv Base.prot} ; runs: both/encap!={Near.priv Base.priv Far.prot2}
			}
		}
		new Local().site(m);
		Near.site(m);
		Near.made(k);
		Near.In.site(m);
		Nested.site(m);
		Kin.site(m);
		Nested.Deep.site(m);
		Base.site(m);
		new Object() {
			void site() throws Exception {
				m.invoke(null); // runs: both/encap>={Encapsulation.priv Base.prot Near.pack} ; runs: both/encap!={Near.priv Base.pack Far.prot2}
			}
		}.site();
		Hook hook = () -> m.invoke(null); // runs: both/encap>={Encapsulation.priv Base.prot Near.pack} ; runs: both/encap!={Near.priv Base.pack Far.prot2}
		hook.run();
		back();
	}

	interface Hook {
		Object run() throws Exception;
	}

	// What is native sees what is public, wherever it was called from.
	static native void back(); // edge: both/encap>={Encapsulation.back->NativeMethod.call NativeMethod.call->Base.pub NativeMethod.call->Hidden.h NativeMethod.call->Hidden.<clinit> NativeMethod.call->Hidden.<init>()V} ; edge: both/encap!={NativeMethod.call->Base.prot NativeMethod.call->Near.pack NativeMethod.call->Encapsulation.priv NativeMethod.call->Hidden.<init>(I)V NativeMethod.call->Near.<init>()V NativeMethod.call->Shape.draw} ; edge: both/behaved>={NativeMethod.call->Base.priv NativeMethod.call->Near.priv NativeMethod.call->Hidden.<init>(I)V NativeMethod.call->Near.<clinit>} ; edge: both!={Encapsulation.back->NativeMethod.call}

	void pack() {
	}

	private void priv() {
	}

	static class Nested {
		private Nested() {
		}

		private void npriv() {
		}

		void npack() {
		}

		static void site(Method m) throws Exception {
			m.invoke(null); // runs: both/encap>={Encapsulation.priv Encapsulation$Nested.npriv Encapsulation$Kin.kpriv Base.prot Base.protStatic Near.pack} ; runs: both/encap!={Near.priv Base.pack Base.priv} ; runs: both/encap!={Far.prot2}
		}

		static class Deep {
			private void dpriv() {
			}

			static void site(Method m) throws Exception {
				m.invoke(null); // runs: both/encap>={Encapsulation.priv Encapsulation$Nested.npriv Encapsulation$Nested$Deep.dpriv Base.prot} ; runs: both/encap!={Near.priv Far.prot2}
			}
		}
	}

	// Inherits what the class around it cannot see.
	static class Kin extends Far {
		private void kpriv() {
		}

		static void site(Method m) throws Exception {
			m.invoke(null); // runs: both/encap>={Far.prot2 Far.protStatic2 Base.prot Encapsulation.priv Encapsulation$Kin.kpriv} ; runs: both/encap!={Far.pack2 Near.priv}
		}
	}
}
