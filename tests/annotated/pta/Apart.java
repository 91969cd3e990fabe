// SPDX-License-Identifier: Apache-2.0
// What is told apart without contexts: constructors of superclasses for each class below them, and arrays of length 0, which
// hold nothing whatever is stored into them.
// jdk: small
package apart;

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

class Base {
	Item item;
	Item[] made = new Item[1];
	Base(Item i) {
		item = i;
	}
	Base(Item i, boolean unused) {
		this(i);
	}
}

class Left extends Base {
	Left(Item i) {
		super(i);
	}
}

class Right extends Base {
	Right(Item i) {
		super(i, true);
	}
}

class Bag {
	static final Item[] NONE = new Item[0];
	Item[] items = NONE;
	void add(Item i) {
		if (items.length == 0)
			items = new Item[4];
		items[0] = i;
	}
	Item first() {
		return items[0];
	}
}

public class Apart {
	static void constructors() {
		Left l = new Left(new Red());
		Right r = new Right(new Blue());
		Item a = l.item;                  // pts: 0cfa={Red} sites={Red:58}
		a.act();                          // calls act: 0cfa={Red.act} andersen={Red.act} rta={Item.act Red.act Blue.act}
		Item b = r.item;                  // pts: 0cfa={Blue} sites={Blue:59}
		b.act();                          // calls act: 0cfa={Blue.act} andersen={Blue.act}
	}

	static void madeThere() {
		Left l = new Left(null);
		Right r = new Right(null);
		l.made[0] = new Red();
		r.made[0] = new Blue();
		Item i = l.made[0];               // pts: sites={Red:69}
		i.act();                          // calls act: andersen={Red.act}
	}

	static void empty(boolean b) {
		Item[] none = new Item[0];        // pts: flow={Item[]}
		none[0] = new Red();
		Item i = none[0];                 // pts: andersen={}
		i.act();                          // calls act: andersen={} 1obj={}
		Item[] some = b ? none : new Item[1];
		some[0] = new Blue();
		Item k = some[0];                 // pts: andersen={Blue:81}
		k.act();                          // calls act: andersen={Blue.act}
	}

	static void shared() {
		Bag.NONE[0] = new Red();
		Bag bag = new Bag();
		bag.add(new Blue());
		Item i = bag.first();             // pts: andersen={Blue:89}
		i.act();                          // calls act: andersen={Blue.act}
		Item none = Bag.NONE[0];          // pts: andersen={}
	}

	static void bothWays() {
		Low low = new Low(new Red());
		Mid mid = new Mid(new Blue());
		Item a = low.item;                // pts: 0cfa={Red} sites={Red:96}
		a.act();                          // calls act: 0cfa={Red.act} andersen={Red.act}
		Item b = mid.item;                // pts: 0cfa={Blue} sites={Blue:97}
		b.act();                          // calls act: 0cfa={Blue.act} andersen={Blue.act}
	}

	public static void main(String[] args) {
		new Item();
		bothWays();
		constructors();
		madeThere();
		empty(args.length == 1);
		shared();
	}
}

class Mid extends Base {
	Mid(Item i) {
		super(i);
	}
}

class Low extends Mid {
	Low(Item i) {
		super(i);
	}
}
