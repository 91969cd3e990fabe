// SPDX-License-Identifier: Apache-2.0
package zoo;

class Animal {
	String name() {
		return "animal";
	}
}

class Dog extends Animal {
	String name() {
		return "dog";
	}
}

/** Inherits its name. */
class Terrier extends Dog {
}

class Cat extends Animal {
	String name() {
		return "cat";
	}
}

class Fox extends Animal {
	String name() {
		return "fox";
	}

	String name(int times) {
		return name();
	}
}

class Box {
	private Animal kept;

	void put(Animal animal) {
		kept = animal;
	}

	Animal take() {
		return kept;
	}
}

/** A dog goes through a box and an array to its call, a cat through a static field; the fox is never there. */
public class Zoo {
	static Animal star;

	static String call(Animal animal) {
		return animal.name();
	}

	static Animal pick(Box box) {
		Animal[] row = { box.take() };
		return row[0];
	}

	static void applaud() {
		star.name();
	}

	static Animal never() {
		return new Fox();
	}

	public static void main(String[] args) {
		Box box = new Box();
		box.put(new Dog());
		call(pick(box));
		star = new Cat();
		applaud();
	}
}
