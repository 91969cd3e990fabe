// SPDX-License-Identifier: Apache-2.0
// What is read from streams, by the type that it is cast to: classes that nobody makes here.
// release: 17
package reads;

import java.io.Externalizable;
import java.io.FileInputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;

class Base {
	Base() { // reached: usual={Base.<init>}
	}
}

abstract class Shape extends Base implements Serializable {
	static int made = Reads.count(); // reached: usual={Shape.<clinit>}

	Shape(int n) {
	}

	abstract void draw();
}

class Circle extends Shape {
	private final Pen pen = null;

	Circle(int n) {
		super(n);
	}

	private void readObject(ObjectInputStream in) { // reached: usual={Circle.readObject}
	}

	void draw() {
		pen.use(); // receivers use: 0cfa>={Pen Ink} andersen>={Pen Ink}
	}
}

class Square extends Shape {
	Square(int n) {
		super(n);
	}

	private void readObjectNoData() { // reached: usual={Square.readObjectNoData}
	}

	private Object readResolve() { // reached: usual={Square.readResolve}
		return new Cube();
	}

	void draw() { // unreached: andersen={Square.draw}
	}
}

class Cube extends Shape {
	Cube() {
		super(1);
	}

	void draw() {
	}
}

class Pen implements Serializable {
	void use() {
	}
}

class Ink extends Pen {
	private void readObject(ObjectInputStream in) { // reached: usual={Ink.readObject}
	}

	void use() {
	}
}

class Plain extends Base {
	void draw() {
	}
}

record Point(Pen first, int second) implements Serializable {
	Point { // reached: usual={Point.<init>}
		first.use(); // receivers use: 0cfa>={Pen Ink} andersen>={Pen Ink}
	}
}

class Outside implements Externalizable {
	public Outside() { // reached: usual={Outside.<init>}
	}

	public void writeExternal(ObjectOutput out) {
	}

	public void readExternal(ObjectInput in) { // reached: usual={Outside.readExternal}
	}
}

enum Colour {
	RED, BLUE {
		void mix() {
		}
	};

	void mix() {
	}
}

class Item implements Serializable {
	private void readObject(ObjectInputStream in) { // reached: usual={Item.readObject}
	}
}

interface Action extends Serializable {
	void act();
}

class Never implements Serializable {
	private void readObject(ObjectInputStream in) { // unreached: rta={Never.readObject} andersen={Never.readObject}
	}
}

public class Reads {
	static int count() {
		return 1;
	}

	static Action action() {
		return () -> count();
	}

	public static void main(String[] args) throws Exception {
		ObjectInputStream in = new ObjectInputStream(new FileInputStream(args[0]));
		Shape s = (Shape) in.readObject(); // unresolved usual: serialization ; runs: usual>={Base.<init> Circle.readObject Ink.readObject Square.readResolve}
		s.draw(); // receivers draw: andersen={Circle Cube}
		Point p = (Point) in.readObject(); // unresolved usual: serialization ; runs: usual>={Point.<init>}
		Outside o = (Outside) in.readObject(); // runs: usual>={Outside.<init> Outside.readExternal}
		Colour c = (Colour) in.readObject(); // unresolved usual: serialization
		c.mix(); // calls mix: andersen={Colour.mix Colour$1.mix}
		Item[] all = (Item[]) in.readUnshared(); // runs: usual={Item.readObject Object.<init>}
		Action a = (Action) in.readObject(); // runs: usual>={Reads.$deserializeLambda$}
		a.act(); // receivers act: andersen={Reads$lambda}
		in.readObject(); // unresolved: serialization
		Object any = (Serializable) in.readObject(); // unresolved: serialization
	}
}
