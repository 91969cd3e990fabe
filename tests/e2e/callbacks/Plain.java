// SPDX-License-Identifier: Apache-2.0
// The engine, which no analysis sees.
package engine;

import paths.Paths;

public class Plain implements Paths.Engine {
	public String evaluate(String path, Paths.Navigator by, Paths.Node from) {
		StringBuilder out = new StringBuilder();
		for (Paths.Node n = from; n != null; n = by.parent(n))
			out.insert(0, "/" + by.name(n));
		return out.toString();
	}
}
