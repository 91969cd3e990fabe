// SPDX-License-Identifier: Apache-2.0
// A component that has its work done by an engine that is found by name, as XPath engines are: the engine knows the component's
// interfaces alone, and calls back.
package paths;

public class Paths {
	private Paths() {
	}

	public static String find(String path, Node from) throws Exception {
		String name = System.getProperty("paths.engine", "engine.Plain");
		Engine e = (Engine) Class.forName(name).getDeclaredConstructor().newInstance();
		return e.evaluate(path, new TreeNavigator(), from);
	}

	public static Node tree() {
		Element root = new Element("a", null);
		return new Text("text", root);
	}

	public interface Node {
	}

	public interface Navigator {
		Node parent(Node of);

		String name(Node of);
	}

	public interface Engine {
		String evaluate(String path, Navigator by, Node from);
	}
}

/* Nobody but the engine calls these. */
class TreeNavigator implements Paths.Navigator {
	public Paths.Node parent(Paths.Node of) {
		return ((Tree) of).parent();
	}

	public String name(Paths.Node of) {
		return ((Tree) of).name();
	}
}

abstract class Tree implements Paths.Node {
	abstract Paths.Node parent();

	abstract String name();
}

class Element extends Tree {
	private final String name;
	private final Element parent;

	Element(String name, Element parent) {
		this.name = name;
		this.parent = parent;
	}

	Paths.Node parent() {
		return parent;
	}

	String name() {
		return name;
	}
}

class Text extends Tree {
	private final Element parent;

	Text(String text, Element parent) {
		this.parent = parent;
	}

	Paths.Node parent() {
		return parent;
	}

	String name() {
		return "#text";
	}
}
