// SPDX-License-Identifier: Apache-2.0
// A main method that is inherited initialises the class that was named; externalizable classes are made by their own
// constructor, other serializable ones by that of their first superclass which is not.
package starts;

import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;

class Parent {
	public static void main(String[] args) throws Exception { // entry: both={Parent.main}
		new Saved(1);
		new Whole(1);
		new ObjectInputStream(System.in).readObject(); // unresolved: serialization
	}
}

public class Starts extends Parent {
	static {
		noticed();
	}

	static void noticed() { // reached: both={Starts.<clinit> Starts.noticed}
	}
}

class Saved implements Externalizable {
	Saved(int i) {
	}

	public Saved() { // reached: both={Saved.<init>()V}
	}

	public void writeExternal(ObjectOutput o) {
	}

	public void readExternal(ObjectInput i) { // reached: both={Saved.readExternal}
	}
}

class Half {
	Half(int i) {
	}

	Half() { // reached: both={Half.<init>()V}
	}
}

class Whole extends Half implements Serializable {
	Whole(int i) {
		super(i);
	}

	Whole() {
	}
}
