// SPDX-License-Identifier: Apache-2.0
// What parts of an object create belongs to that object: a chest, its drawers, and the slots that a drawer makes.
// jdk: small
package parts;

class Item {
	void act() { }
}

class Red extends Item {
	void act() { }
}

class Blue extends Item {
	void act() { }
}

class Chest {
	static class Slot {
		Item item;
	}

	static class Drawer {
		Slot slot;
		void put(Item i) {
			slot = new Slot();
			slot.item = i;
		}
	}

	final Drawer drawer = new Drawer();
	void put(Item i) {
		drawer.put(i);
	}
	Item take() {
		return drawer.slot.item;
	}
}

// The same, of classes that are not within each other: the slot remembers its drawer, and that is all chests'.
class OtherSlot {
	Item item;
}

class OtherDrawer {
	OtherSlot slot;
	void put(Item i) {
		slot = new OtherSlot();
		slot.item = i;
	}
}

class OtherChest {
	final OtherDrawer drawer = new OtherDrawer();
	void put(Item i) {
		drawer.put(i);
	}
	Item take() {
		return drawer.slot.item;
	}
}

class Left {
	static Chest chest() {
		return new Chest();
	}
}

class Right {
	static Chest chest() {
		return new Chest();
	}
}

public class Parts {
	static void parts() {
		Chest one = Left.chest(), two = Right.chest();
		one.put(new Red());
		two.put(new Blue());
		one.take().act();                 // calls act: andersen={Red.act Blue.act} 1obj={Red.act Blue.act} 2obj={Red.act} 1type={Red.act Blue.act} 2type={Red.act}
	}

	static void others() {
		OtherChest one = new OtherChest(), two = new OtherChest();
		one.put(new Red());
		two.put(new Blue());
		one.take().act();                 // calls act: 1obj={Red.act Blue.act} 2obj={Red.act Blue.act}
	}

	public static void main(String[] args) {
		parts();
		others();
	}
}
