package plugs;

interface Shape {
	void draw();
}

class Circle implements Shape {
	public void draw() {
	}
}

class Plug {
	static int count = 1;

	public void run() {
	}
}

public class Plugs {
	static final String NAME = System.nanoTime() > 0 ? "plugs.Plug" : "plugs.Plugs";

	static Class<?> find(String name) throws Exception {
		return Class.forName(name);
	}

	public static void main(String[] args) throws Exception {
		Class<?> c = find(NAME);
		Object o = c.newInstance();
		c.getMethod("run").invoke(o);
		Shape s = (Shape) Class.forName("plugs.Circle").newInstance();
		s.draw();
	}
}
