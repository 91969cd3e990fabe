// SPDX-License-Identifier: Apache-2.0
package note;

public abstract class Stamp {
	Stamp() { }

	public abstract void mark(Object paper);
}
