// SPDX-License-Identifier: Apache-2.0
// Hooks of serialization, and what is listed.
package serial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;

class Plain {
	Plain() { // reached: both={Plain.<init>}
		Serial.base(); // calls: both={Serial.base}
	}
}

class Saved extends Plain implements Serializable {
	Saved(int n) {
	}

	private void writeObject(ObjectOutputStream out) throws Exception { // reached: both={Saved.writeObject}
		out.defaultWriteObject();
	}

	private void readObject(ObjectInputStream in) throws Exception { // reached: both={Saved.readObject}
		in.defaultReadObject();
	}

	private Object readResolve() { // reached: both={Saved.readResolve}
		return this;
	}

	protected Object writeReplace() { // reached: both={Saved.writeReplace}
		return this;
	}
}

class NotSaved {
	private void writeObject(ObjectOutputStream out) { // unreached: both={NotSaved.writeObject}
	}
}

class External implements Externalizable {
	public External() {
	}

	public void writeExternal(ObjectOutput out) { // reached: both={External.writeExternal}
	}

	public void readExternal(ObjectInput in) { // reached: both={External.readExternal}
	}
}

public class Serial {
	static void base() {
	}

	public static void main(String[] args) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ObjectOutputStream out = new ObjectOutputStream(bytes);
		out.writeObject(new Saved(1)); // calls writeObject: rta={ObjectOutputStream.writeObject}
		out.writeObject(new External());
		new NotSaved();
		ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
		in.readObject(); // unresolved: serialization ; calls readObject: both>={ObjectInputStream.readObject}
	}
}
