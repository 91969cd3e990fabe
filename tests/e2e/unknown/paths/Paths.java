/* SPDX-License-Identifier: Apache-2.0 */
package paths;

import api.Engine;
import api.Walk;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Gives a navigator to an engine of which it only knows the name. */
public class Paths {
	abstract static class Node {
		final List<Node> below = new ArrayList<>();

		abstract String label();
	}

	static class Text extends Node {
		@Override
		String label() {
			return "text";
		}
	}

	static class Element extends Node {
		@Override
		String label() {
			return "element";
		}
	}

	static class Navigator implements Walk {
		@Override
		public Iterator<?> below(Object node) {
			return ((Node) node).below.iterator();
		}

		@Override
		public String name(Object node) {
			return ((Node) node).label();
		}
	}

	private final Engine engine;
	private final Node root = new Element();

	public Paths(String name) throws Exception {
		engine = (Engine) Class.forName(name).getDeclaredConstructor().newInstance();
	}

	public void text() {
		root.below.add(new Text());
	}

	public int select() {
		return engine.select(root, new Navigator());
	}
}
