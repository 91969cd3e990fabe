// SPDX-License-Identifier: Apache-2.0
// Serialization goes on with what writeReplace and readResolve return, and with the objects that it makes of externalizable
// classes.
package replaced;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;

class Pointer implements Serializable {           // reached: both={Pointer.writeReplace} andersen={Pointer.writeReplace}
	private Object writeReplace() {           // edge: andersen={ObjectStreamClass.invokeWriteReplace->Pointer.writeReplace}
		return new Form();                // pts: vta={Form} 0cfa={Form} andersen={Form}
	}
}

class Form implements Externalizable {            // edge: both={ObjectOutputStream.writeExternalData->Form.writeExternal} andersen={ObjectOutputStream.writeExternalData->Form.writeExternal}
	public Form() { }                         // edge: both={ObjectInputStream.readExternalData->Form.readExternal} andersen={ObjectInputStream.readExternalData->Form.readExternal}

	public void writeExternal(ObjectOutput out) throws IOException {
		out.writeInt(1);                  // receivers writeInt: both>={ObjectOutputStream} vta={ObjectOutputStream} 0cfa={ObjectOutputStream} andersen={ObjectOutputStream}
	}

	public void readExternal(ObjectInput in) throws IOException {
		in.readInt();                     // receivers readInt: both>={ObjectInputStream} vta={ObjectInputStream} 0cfa={ObjectInputStream} andersen={ObjectInputStream}
	}

	private Object readResolve() {
		return new Found();               // pts: vta={Found} 0cfa={Found} andersen={Found}
	}
}

class Unmade implements Externalizable {          // unreached: rta={Unmade.writeExternal} vta={Unmade.writeExternal} andersen={Unmade.writeExternal}
	public void writeExternal(ObjectOutput out) { }

	public void readExternal(ObjectInput in) { }       // unreached: rta={Unmade.readExternal} vta={Unmade.readExternal} andersen={Unmade.readExternal}
}

class Found {
	void use() { }                            // reached: both={Found.use} vta={Found.use} andersen={Found.use}
}

class Other extends Found {
	void use() { }
}

public class Replaced {
	public static void main(String[] args) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ObjectOutputStream out = new ObjectOutputStream(bytes);
		out.writeObject(new Pointer());
		ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
		Object o = in.readObject();
		Found found = (Found) o;          // pts: vta={Found} 0cfa={Found} andersen={Found}
		found.use();                      // receivers use: both={Found Other} vta={Found} 0cfa={Found} andersen={Found} ; closed use: andersen
		new Other().use();
	}
}
