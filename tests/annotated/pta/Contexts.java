// SPDX-License-Identifier: Apache-2.0
// What contexts tell apart: call sites, receivers, the classes that make receivers, and the makers of makers.
// jdk: small
package contexts;

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

class Box {
	Item item;
	void set(Item i) {
		item = i;
	}
	Item get() {
		return item;
	}
	Item swap(Item i) {
		Item old = get();
		set(i);
		return old;
	}
}

class BoxA extends Box { }

class BoxB extends Box { }

class BoxC extends Box { }

class BoxD extends Box { }

class BoxE extends Box { }

class BoxF extends Box { }

class Maker {
	Object kept;
	Box make() {
		return new BoxC();
	}
	Box makeToo() {
		return new BoxE();
	}
	Item same(Item i) {
		return i;
	}
}

class Left {
	static Box box() {
		return new BoxD();                // pts: sites={BoxD:61}
	}
	static Maker maker() {
		return new Maker();               // pts: sites={Maker:64}
	}
}

class Right {
	static Box box() {
		return new BoxD();                // pts: sites={BoxD:70}
	}
	static Maker maker() {
		return new Maker();
	}
}

public class Contexts {
	static Item same(Item i) {
		return i;
	}

	static Item through(Item i) {
		return same(i);                   // pts: 0cfa={Red Blue} 1cfa={Red Blue} 2cfa={Red Blue}
	}

	static void callSites() {
		Item r = same(new Red());         // pts: 0cfa={Red Blue} 1cfa={Red} 2cfa={Red} andersen={Red Blue} 1-1cfa={Red:87} 2-1cfa={Red:87} 1obj={Red Blue} 2obj={Red Blue} 1type={Red Blue} 2type={Red Blue}
		r.act();                          // calls act: 0cfa={Red.act Blue.act} 1cfa={Red.act} andersen={Red.act Blue.act} 2obj={Red.act Blue.act} 2-1cfa={Red.act}
		Item b = same(new Blue());        // pts: 1cfa={Blue} 1-1cfa={Blue:89}
		b.act();                          // calls act: vta={Red.act Blue.act} 1cfa={Blue.act} 1-1cfa={Blue.act}
	}

	static void twoCallSites() {
		Item r = through(new Red());      // pts: 1cfa={Red Blue} 2cfa={Red} 1-1cfa={Red Blue} 2-1cfa={Red:94}
		r.act();                          // calls act: 1cfa={Red.act Blue.act} 2cfa={Red.act} 1-1cfa={Red.act Blue.act} 2-1cfa={Red.act}
		Item b = through(new Blue());     // pts: 1cfa={Red Blue} 2cfa={Blue} 2-1cfa={Blue:96}
		b.act();                          // receivers act: 1cfa={Red Blue} 2cfa={Blue} 2-1cfa={Blue}
	}

	static void receivers() {
		Box one = new BoxA();
		Box two = new BoxA();
		one.set(new Red());               // calls set: all={Box.set}
		two.set(new Blue());
		Item i = one.get();               // pts: 0cfa={Red Blue} 2cfa={Red Blue} andersen={Red Blue} 1-1cfa={Red:103} 2-1cfa={Red:103} 1obj={Red:103} 2obj={Red:103} 1type={Red Blue} 2type={Red Blue}
		i.act();                          // calls act: andersen={Red.act Blue.act} 2cfa={Red.act Blue.act} 1obj={Red.act} 2obj={Red.act} 1type={Red.act Blue.act}
		Item k = two.get();               // pts: 1obj={Blue} 1-1cfa={Blue}
		k.act();                          // receivers act: andersen={Red Blue} 1obj={Blue} 2type={Red Blue} 1-1cfa={Blue}
	}

	static void inward() {
		Box one = new BoxB();
		Box two = new BoxB();
		one.swap(new Red());              // calls swap: all={Box.swap}
		two.swap(new Blue());
		Item i = one.swap(null);          // pts: andersen={Red Blue} 1-1cfa={Red Blue} 2-1cfa={Red:114} 1obj={Red:114} 2obj={Red:114} 1type={Red Blue}
		i.act();                          // calls act: 1-1cfa={Red.act Blue.act} 2-1cfa={Red.act} 1obj={Red.act}
	}

	static void makers() {
		Maker m = new Maker();
		Maker n = new Maker();
		Box one = m.make();
		Box two = n.make();
		one.set(new Red());               // calls set: all={Box.set}
		two.set(new Blue());
		Item i = one.get();               // pts: andersen={Red Blue} 1obj={Red Blue} 2obj={Red:125} 2-1cfa={Red Blue} 1type={Red Blue} 2type={Red Blue}
		i.act();                          // calls act: 1obj={Red.act Blue.act} 2obj={Red.act} 2-1cfa={Red.act Blue.act} 2type={Red.act Blue.act}
	}

	static void types() {
		Box one = Left.box();
		Box two = Right.box();
		one.set(new Red());               // calls set: all={Box.set}
		two.set(new Blue());
		Item i = one.get();               // pts: andersen={Red Blue} 1type={Red:134} 2type={Red:134} 1obj={Red:134} 2obj={Red:134}
		i.act();                          // calls act: andersen={Red.act Blue.act} 1type={Red.act} 2type={Red.act} 2cfa={Red.act Blue.act}
	}

	static void makersOfTypes() {
		Maker m = Left.maker();
		Maker n = Right.maker();
		Box one = m.makeToo();
		Box two = n.makeToo();
		one.set(new Red());               // calls set: all={Box.set}
		two.set(new Blue());
		Item i = one.get();               // pts: 1type={Red Blue} 2type={Red:145} 1obj={Red Blue} 2obj={Red:145} andersen={Red Blue}
		i.act();                          // calls act: 1type={Red.act Blue.act} 2type={Red.act} 1obj={Red.act Blue.act} 2obj={Red.act}
	}

	static void sameReceiver() {
		Maker m = new Maker();
		Item r = m.same(new Red());       // pts: 1obj={Red Blue} 2obj={Red Blue} 1cfa={Red} 1-1cfa={Red:153} andersen={Red Blue}
		Item b = m.same(new Blue());
		r.act();                          // calls act: 2obj={Red.act Blue.act} 1cfa={Red.act} 2-1cfa={Red.act} 2type={Red.act Blue.act}
		b.act();                          // receivers act: 2obj={Red Blue} 1cfa={Blue}
	}

	static Item recursive(Item i, int n) {
		return n == 0 ? i : recursive(i, n - 1);      // pts: 2cfa={Red Blue} 2-1cfa={Red Blue}
	}

	static void recursion() {
		Item r = recursive(new Red(), 2); // pts: 0cfa={Red Blue} 1cfa={Red Blue} 2cfa={Red Blue} 2-1cfa={Red Blue}
		r.act();                          // calls act: 1cfa={Red.act Blue.act} 2obj={Red.act Blue.act}
		recursive(new Blue(), 2);
	}

	public static void main(String[] args) {
		callSites();
		twoCallSites();
		receivers();
		inward();
		makers();
		types();
		makersOfTypes();
		sameReceiver();
		recursion();
		new Item().act();
	}
}
