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

class Part implements Serializable {
	public void use() {
	}

	private void readObject(ObjectInputStream in) throws Exception { // reached: usual={Part.readObject}
	}
}

interface Job extends Serializable {
	void run(String name);
}

interface Plan {
	void run();
}

public class Serial {
	static void base() {
	}

	static void work(Part p, int n) {
		p.use(); // calls use: usual={Part.use}
	}

	// What is written for a serializable lambda is a SerializedLambda; what is read for it makes it again in the class that it is written in.
	static void lambdas(ObjectOutputStream out, ObjectInputStream in) throws Exception {
		Part p = new Part();
		int n = out.hashCode();
		Job job = name -> work(p, n); // edge: usual={ObjectStreamClass.invokeWriteReplace->Serial$lambda.writeReplace Serial$lambda.writeReplace->SerializedLambda.<init>}
		out.writeObject(job); // edge: usual={Serial$lambda.writeReplace->Integer.valueOf}
		Plan plan = () -> base(); // reached: usual={SerializedLambda.readResolve} ; edge: usual={ObjectStreamClass.invokeReadResolve->SerializedLambda.readResolve}
		plan.run();
		Job again = (Job) in.readObject(); // runs: usual>={Serial.$deserializeLambda$}
		again.run(""); // calls run: usual>={Serial$lambda.run}
		// edge: usual={Serial.$deserializeLambda$->SerializedLambda.getImplMethodName Serial.$deserializeLambda$->SerializedLambda.getCapturedArg Serial.$deserializeLambda$->Integer.intValue}
	}

	public static void main(String[] args) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ObjectOutputStream out = new ObjectOutputStream(bytes);
		out.writeObject(new Saved(1)); // calls writeObject: rta={ObjectOutputStream.writeObject}
		out.writeObject(new External());
		new NotSaved();
		ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
		lambdas(out, in);
		in.readObject(); // unresolved: serialization ; calls readObject: both>={ObjectInputStream.readObject}
	}
}
