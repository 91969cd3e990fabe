// SPDX-License-Identifier: Apache-2.0
package shop;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/* Everything that it does by reflection is named on its command line: no analysis can know it. */
public class Main {
	public static void main(String[] args) throws Exception {
		Class<?> cart = Class.forName(args[0]);
		Object a = cart.newInstance();
		Class<?> list = ClassLoader.getSystemClassLoader().loadClass(args[1]);
		Constructor<?> c = list.getConstructor(int.class);
		Object b = c.newInstance(3);
		Method add = find(cart, args[2]);
		add.invoke(a, b);
		Method total = find(cart, args[3]);
		System.out.println(total.invoke(null));
		Field f = cart.getField(args[4]);
		f.set(a, b);
		System.out.println(f.get(a));
	}

	private static Method find(Class<?> c, String name) {
		for (Method m : c.getMethods())
			if (m.getName().equals(name))
				return m;
		return null;
	}
}
