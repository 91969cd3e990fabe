// SPDX-License-Identifier: Apache-2.0
// Proxies of interfaces that are not known, by level of assumptions: of which interfaces they may be, and who is called.
// jdk: reflection
// also: other/Far.java
package proxylevels;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import proxylevels.other.Far;

/* other/Far.java:
package proxylevels.other;

public class Far {
	public static void call(Object o) {
		((Hidden) o).hidden(); // calls hidden: both={} ; calls hidden: both/encap={} both/behaved={Assumed$proxylevels_other_Hidden.hidden}
	}
}

interface Hidden {
	void hidden();
}
*/

interface Shape {
	void draw();
}

interface Round extends Shape {
	void roll();
}

interface Other {
	void other();
}

interface Idle {
	void idle();
}

class Circle implements Shape {
	public void draw() {
	}
}

class Handler implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
		return m.invoke(new Circle(), args); // unresolved: reflection
	}
}

class Known implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) {
		return null;
	}
}

public class ProxyLevels {
	static void known() {
		Idle i = (Idle) Proxy.newProxyInstance(null, new Class<?>[] { Idle.class }, new Known()); // runs: both={Proxy$proxylevels_Idle.<init>} both/env={Proxy$proxylevels_Idle.<init>} both/string={Proxy$proxylevels_Idle.<init>} ; resolved
		i.idle(); // calls: both={Proxy$proxylevels_Idle.idle} both/env>={Proxy$proxylevels_Idle.idle}
	}

	static void unknown(Class<?>[] types) {
		Shape s = (Shape) Proxy.newProxyInstance(null, types, new Handler()); // runs: both={Handler.invoke Known.invoke} ; runs: both/cast={Handler.invoke Known.invoke Assumed$proxylevels_Shape.<init> Assumed$proxylevels_Round.<init>} both/env>={Assumed$proxylevels_Round.<init>} ; runs: both/encap>={Assumed$proxylevels_Other.<init> Assumed$proxylevels_Idle.<init>} ; runs: both/encap!={Assumed$proxylevels_other_Hidden.<init>} ; runs: both/behaved>={Assumed$proxylevels_other_Hidden.<init>} ; unresolved: reflection
		s.draw(); // calls: both={Circle.draw} ; calls: both/env>={Circle.draw Assumed$proxylevels_Shape.draw Assumed$proxylevels_Round.draw} both/behaved>={Assumed$proxylevels_Shape.draw}
		if (s instanceof Round)
			((Round) s).roll(); // calls roll: both={} ; calls roll: both/cast={Assumed$proxylevels_Round.roll}
	}

	static void any(Object o) {
		((Other) o).other(); // calls other: both={} ; calls other: both/cast={} ; calls other: both/encap={Assumed$proxylevels_Other.other} both/behaved={Assumed$proxylevels_Other.other}
		Far.call(o);
	}

	public static void main(String[] args) throws Exception {
		known();
		unknown((Class<?>[]) (Object) args);
		any(args);
	}
}
