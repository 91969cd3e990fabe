// SPDX-License-Identifier: Apache-2.0
package init;

import java.util.function.IntSupplier;

/** Each class of this package has an initialiser. Its name says what needs it first. */
public class Api {
	static int count = Integer.parseInt("1");

	public Api() {
	}

	public int call() {
		return ByCall.value();
	}

	public int field() {
		return ByField.value;
	}

	public int constant() {
		return ByConstant.VALUE;
	}

	public int array() {
		return new ByNobody[1].length;
	}

	public Object subclass() {
		return new BySubclass.Sub();
	}

	public int reference() {
		IntSupplier s = ByReference::value;
		return s.getAsInt();
	}

	public int outside() {
		return out.Outside.value();
	}

	public int made() throws Exception {
		return Class.forName("init.ByName").getName().length();
	}
}

class ByCall {
	static int count = Integer.parseInt("1");

	static int value() {
		return ByInitialiser.count + count;
	}
}

class ByInitialiser {
	static int count = ByCall.count + Integer.parseInt("1");
}

class ByField {
	static int value = Integer.parseInt("1");
}

class ByConstant {
	static final int VALUE = 1;
	static int count = Integer.parseInt("1");
}

class ByNobody {
	static int count = Integer.parseInt("1");
}

class BySubclass {
	static int count = Integer.parseInt("1");

	static class Sub extends BySubclass {
	}
}

class ByReference {
	static int count = Integer.parseInt("1");

	static int value() {
		return count;
	}
}

class ByName {
	static int count = Integer.parseInt("1");
}
