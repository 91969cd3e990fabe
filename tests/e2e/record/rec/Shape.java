// SPDX-License-Identifier: Apache-2.0
package rec;

public interface Shape {
	int area();

	default String name() {
		return "shape";
	}
}
