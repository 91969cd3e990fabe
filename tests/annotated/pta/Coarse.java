// SPDX-License-Identifier: Apache-2.0
// Analyses with one set for many variables, and with equations instead of inclusions: what each merges.
// jdk: small
package coarse;

class Item {
	Object of;
	void act() { }
}

class Red extends Item {
	void act() { }
}

class Blue extends Item {
	void act() { }
}

class Green extends Item {
	void act() { }
}

class Unmade extends Item {
	void act() { }
}

/* xta: one set a method, one a field. */
class Methods {
	static void red() {
		Item r = new Red();
		Item b = new Blue();
		r.act();                          // calls act: vta={Red.act} 0cfa={Red.act} xta={Red.act Blue.act} fta={Red.act Blue.act} mta={Red.act Blue.act Green.act} cta={Red.act Blue.act Green.act} rta={Item.act Red.act Blue.act Green.act} cha={Item.act Red.act Blue.act Green.act Unmade.act}
		b.act();                          // calls act: dta={Blue.act} ; receivers act: xta={Red Blue} vta={Blue}
	}
	static void green() {
		Item g = new Green();
		g.act();                          // calls act: xta={Green.act} mta={Red.act Blue.act Green.act}
	}
}

/* fta: one set for the fields of a class. */
class Two {
	Item left;
	Item right;
}

class LeftWriter {
	static void left(Two t) {
		t.left = new Red();
	}
}

class RightWriter {
	static void right(Two t) {
		t.right = new Blue();
	}
}

class Reader {
	static void read(Two t) {
		Item i = t.left;                  // pts: vta={Red} 0cfa={Red} xta>={Red} fta>={Red Blue}
		i.act();                          // calls act: vta={Red.act} xta={Red.act} mta={Red.act} fta={Red.act Blue.act} cta={Red.act Blue.act} ; receivers act: xta={Red} fta={Red Blue}
	}
}

/* mta: one set for the methods of a class. */
class Mixed {
	static void one() {
		Item i = Coarse.same(new Red());  // pts: vta={Red Blue}
		i.act();                          // calls act: xta={Red.act Blue.act} mta={Red.act Blue.act Green.act} vta={Red.act Blue.act} 1cfa={Red.act}
	}
	static void two() {
		Item i = Coarse.same(new Blue());
		i.act();                          // calls act: xta={Red.act Blue.act} 1cfa={Blue.act}
	}
	static void none(Item nothing) {
		nothing.act();                    // calls act: xta={} fta={} vta={} mta={Red.act Blue.act Green.act} cta={Red.act Blue.act Green.act} dta={Red.act Blue.act Green.act Item.act} rta={Item.act Red.act Blue.act Green.act}
	}
}

/* dta: one set a declared type. */
class Declared {
	static void exact(Red r) {
		r.act();                          // calls act: dta={Red.act} vta={} rta={Red.act}
	}
	static void any(Item i) {
		i.act();                          // calls act: dta={Item.act Red.act Blue.act Green.act} vta={Green.act} xta={Green.act} ; receivers act: dta={Item Red Blue Green} vta={Green}
	}
}

/* steens: what meets becomes one. */
class Pot {
	Item item;
}

class Equations {
	static boolean flag;
	static void meet() {
		Item a = new Red();
		Item b = new Blue();
		Item c = flag ? a : b;            // pts: andersen={Red Blue} steens={Red Blue}
		a.act();                          // calls act: andersen={Red.act} 0cfa={Red.act} steens={Red.act Blue.act}
		b.act();                          // calls act: andersen={Blue.act} steens={Red.act Blue.act} p-bounded>={Blue.act}
		c.act();                          // calls act: steens={Red.act Blue.act} p-bounded>={Red.act Blue.act}
	}
	static void apart() {
		Item d = new Green();             // pts: steens={Green}
		d.act();                          // calls act: steens={Green.act} p-bounded={Green.act} xta={Green.act}
	}
	static void boxes() {
		Pot x = new Pot();
		Pot y = new Pot();
		x.item = new Red();
		y.item = new Blue();
		Item i = x.item;                  // pts: andersen={Red} 0cfa={Red Blue} vta={Red Blue} steens={Red}
		i.act();                          // calls act: andersen={Red.act} steens={Red.act} p-bounded={Red.act Blue.act}
	}
}

class Plain {
	static void item() {
		new Item().act();                 // calls act: vta={Item.act} xta={Item.act} cta={Item.act} rta={Item.act Red.act Blue.act Green.act}
	}
}

public class Coarse {
	static Item same(Item i) {
		return i;
	}

	public static void main(String[] args) {
		Methods.red();
		Methods.green();
		Two t = new Two();
		LeftWriter.left(t);
		RightWriter.right(t);
		Reader.read(t);
		Mixed.one();
		Mixed.two();
		Mixed.none(null);
		Declared.exact(null);
		Declared.any(new Green());
		Equations.meet();
		Equations.apart();
		Equations.boxes();
		Plain.item();
	}
}
