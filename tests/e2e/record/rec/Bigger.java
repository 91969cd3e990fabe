// SPDX-License-Identifier: Apache-2.0
package rec;

public class Bigger extends Square {
	public Bigger() {
		super(10);
	}

	@Override public int area() {
		return 1 + super.area();
	}

	@Override int inPackage() {
		return 2;
	}
}
