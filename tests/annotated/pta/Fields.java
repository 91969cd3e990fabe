// SPDX-License-Identifier: Apache-2.0
// Fields: of two objects, of aliases, inherited, shadowed, static; and what analyses without objects make of them.
// jdk: small
package fields;

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

class Box {
	Item item;
	Item spare;
	Box next;
}

class BigBox extends Box { }

class Shadow extends Box {
	Item item;
	Item mine() {
		return item;                      // pts: flow={Blue} xta>={Blue}
	}
	Item base() {
		return super.item;                // pts: sites={Red:91}
	}
}

public class Fields {
	static Item shared;
	static Item other;
	static boolean flag;

	static void twoObjects() {
		Box one = new Box();
		Box two = new Box();
		one.item = new Red();             // pts: flow={Red} sites={Red:49}
		two.item = new Blue();            // pts: flow={Blue} sites={Blue:50}
		Item a = one.item;                // pts: sites={Red:49} 0cfa={Red Blue Green} vta={Red Blue Green}
		a.act();                          // calls act: sites={Red.act} 0cfa={Red.act Blue.act Green.act} 2cfa={Red.act Blue.act Green.act}
		Item b = two.item;                // pts: sites={Blue:50}
		b.act();                          // calls act: sites={Blue.act}
		Box none = one.next;              // pts: sites={} vta={Box}
		Item i = none.item;               // pts: sites={} vta={Red Blue Green}
		i.act();                          // calls act: sites={} xta={Red.act Blue.act Green.act} ; receivers act: sites={}
	}

	static void aliases() {
		Box x = new BigBox();
		Box y = flag ? x : new BigBox();
		x.item = new Red();               // pts: flow={Red} sites={Red:63}
		Item c = y.item;                  // pts: sites={Red:63 Green:65}
		y.item = new Green();             // pts: flow={Green} sites={Green:65}
		Item d = x.item;                  // pts: sites={Red:63 Green:65}
		c.act();                          // calls act: sites={Red.act Green.act} ; receivers act: sites={Red Green}
		d.act();                          // calls act: sites={Red.act Green.act}
	}

	static void inherited() {
		BigBox b = new BigBox();
		b.item = new Blue();              // pts: flow={Blue} sites={Blue:73}
		Item i = ((Box) b).item;          // pts: sites={Blue:73} 0cfa={Red Green Blue}
		i.act();                          // calls act: sites={Blue.act}
	}

	static void twoClasses() {
		Box box = new Box();
		Box big = new BigBox();
		box.spare = new Red();            // pts: flow={Red}
		big.spare = new Blue();           // pts: flow={Blue}
		Item i = box.spare;               // pts: vta={Red Blue} 0cfa={Red} 1cfa={Red} sites={Red:81}
		i.act();                          // calls act: vta={Red.act Blue.act} 0cfa={Red.act} 2cfa={Red.act}
		Item k = big.spare;               // pts: vta={Red Blue} 0cfa={Blue} 2cfa={Blue} sites={Blue:82}
		k.act();                          // receivers act: vta={Red Blue} 0cfa={Blue} xta={Red Blue}
	}

	static void shadowed() {
		Shadow s = new Shadow();
		((Box) s).item = new Red();       // pts: flow={Red}
		s.item = new Blue();              // pts: flow={Blue} sites={Blue:92}
		Item i = ((Box) s).item;          // pts: sites={Red:91} 0cfa={Red}
		i.act();                          // calls act: sites={Red.act} 0cfa={Red.act} ; receivers act: 0cfa={Red}
		Item k = s.item;                  // pts: sites={Blue:92} 0cfa={Blue} vta={Blue}
		k.act();                          // receivers act: flow={Blue}
		s.mine().act();                   // calls act: sites={Blue.act} 0cfa={Blue.act} vta={Blue.act}
		s.base().act();                   // calls act: sites={Red.act} 0cfa={Red.act}
	}

	static void chains() {
		Box first = new Box();
		first.next = new Box();
		first.next.item = new Green();    // pts: flow={Green} sites={Green:104}
		Item i = first.next.item;         // pts: sites={Green:104}
		i.act();                          // calls act: sites={Green.act}
		Item none = first.item;           // pts: sites={} 0cfa={Red Blue Green}
		none.act();                       // calls act: sites={} 0cfa={Red.act Blue.act Green.act}
	}

	static void loops() {
		Box head = null;
		while (flag) {
			Box b = new Box();        // pts: flow={Box} sites={Box:114}
			b.next = head;
			head = b;
		}
		Box rest = head.next;             // pts: flow={Box} sites={Box:114}
		rest.next = rest;
	}

	static void statics() {
		shared = new Red();               // pts: flow={Red} sites={Red:123}
		shared.act();                     // calls act: flow={Red.act Blue.act} dta={Item.act Red.act Blue.act Green.act}
		other = shared;                   // pts: flow={Red Blue} sites={Red:123 Blue:126}
		shared = new Blue();              // pts: flow={Blue} sites={Blue:126}
		other.act();                      // calls act: flow={Red.act Blue.act} ; receivers act: flow={Red Blue}
	}

	public static void main(String[] args) {
		twoObjects();
		aliases();
		inherited();
		twoClasses();
		shadowed();
		chains();
		loops();
		statics();
		new Item().act();
	}
}
