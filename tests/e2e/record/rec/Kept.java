// SPDX-License-Identifier: Apache-2.0
package rec;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

public class Kept implements Serializable {
	private static final long serialVersionUID = 1;
	transient Object inside = new Inner(7);

	static class Inner implements Serializable {
		private static final long serialVersionUID = 1;
		final int n;

		Inner(int n) {
			this.n = n;
		}
	}

	record Pair(int a, String b) implements Serializable {
	}

	private void writeObject(ObjectOutputStream out) throws IOException {
		out.defaultWriteObject();
		out.writeObject(inside);
	}

	private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
		in.defaultReadObject();
		inside = in.readObject();                     //> deserialize rec.Kept$Inner
	}
}
