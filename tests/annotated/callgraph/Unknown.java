// SPDX-License-Identifier: Apache-2.0
// What cannot be resolved is listed: reflection, proxies, method handles, missing classes.
// delete: Gone GoneBase
package unknown;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ServiceLoader;

class Gone {
	static void lost() {
	}
}

class GoneBase {
	void inherited() {
	}
}

class Orphan extends GoneBase {
	void own() {
	}
}

class Log implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) {
		return null;
	}
}

public class Unknown {
	static native void nobody();

	public static void main(String[] args) throws Throwable {
		Class<?> c = Class.forName(args[0]); // unresolved: reflection ; calls: both={Class.forName}
		c.newInstance(); // unresolved: reflection
		Constructor<?> k = c.getConstructor(); // resolved
		k.newInstance(); // unresolved: reflection
		Method m = c.getMethod("f"); // resolved
		m.invoke(null); // unresolved: reflection
		Unknown.class.getClassLoader().loadClass("x"); // unresolved: reflection
		Proxy.newProxyInstance(null, new Class<?>[] { Runnable.class }, new Log()); // resolved
		ServiceLoader.load(Runnable.class); // resolved
		MethodHandle h = MethodHandles.lookup().findStatic(Unknown.class, args[0], MethodType.methodType(void.class, String[].class));
		h.invokeExact(args); // unresolved: method-handle
		h.invokeWithArguments(1); // unresolved: method-handle
		Gone.lost(); // unresolved: missing ; calls: both={} ; phantom: both={Gone}
		Orphan o = new Orphan(); // calls: both={Orphan.<init>} ; phantom: both={GoneBase}
		o.inherited(); // unresolved: missing
		o.own(); // calls: both={Orphan.own} ; resolved
		nobody(); // calls: both={Unknown.nobody}
	}
}
