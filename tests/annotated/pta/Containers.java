// SPDX-License-Identifier: Apache-2.0
// What collections hold is told apart by the collection, of the JDK or of the program; what other objects hold is not.
package containers;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

class Item {
	void act() { }
}

class Red extends Item {
	void act() { }
}

class Blue extends Item {
	void act() { }
}

// A container by its type, with a node that is one since it is within it.
class Chain extends AbstractList<Item> {
	static class Link {
		Item item;
		Link next;
		void hold(Item i) {
			item = i;
		}
	}

	Link first;

	@Override
	public boolean add(Item i) {
		Link l = new Link();
		l.hold(i);
		l.next = first;
		first = l;
		return true;
	}

	@Override
	public Item get(int at) {
		return first.item;
	}

	@Override
	public int size() {
		return 1;
	}
}

// No container: it has no type of java.util. 2obj tells boxes apart, too.
class Box {
	Item item;
	void put(Item i) {
		item = i;
	}
	Item take() {
		return item;
	}
}

// Lists of objects that are no containers: all are made at one place. It would take three objects to tell them apart.
class Shelf {
	final List<Item> items = new ArrayList<>();
	void put(Item i) {
		items.add(i);
	}
	Item take() {
		return items.get(0);
	}
}

public class Containers {
	static void lists() {
		List<Item> reds = new ArrayList<>(), blues = new ArrayList<>();
		reds.add(new Red());
		blues.add(new Blue());
		reds.get(0).act();               // calls act: andersen={Red.act Blue.act} containers={Red.act} 2obj={Red.act}
		for (Item i : reds)
			i.act();                 // calls act: andersen={Red.act Blue.act} containers={Red.act}
	}

	static void maps() {
		Map<String, Item> reds = new HashMap<>(), blues = new HashMap<>();
		reds.put("a", new Red());
		blues.put("a", new Blue());
		reds.get("a").act();             // calls act: andersen={Red.act Blue.act} containers={Red.act} 2obj={Red.act}
		for (Map.Entry<String, Item> e : reds.entrySet())
			e.getValue().act();      // calls act: andersen={Red.act Blue.act} containers={Red.act}
	}

	static void references() {
		AtomicReference<Item> red = new AtomicReference<>(), blue = new AtomicReference<>();
		red.set(new Red());
		blue.set(new Blue());
		red.get().act();                 // calls act: andersen={Red.act Blue.act} containers={Red.act} 2obj={Red.act}
	}

	static void own() {
		Chain reds = new Chain(), blues = new Chain();
		reds.add(new Red());
		blues.add(new Blue());
		reds.get(0).act();               // calls act: andersen={Red.act Blue.act} containers={Red.act} 2obj={Red.act}
	}

	// Static methods keep what they make apart by call.
	static void wrapped() {
		List<Item> reds = new ArrayList<>(), blues = new ArrayList<>();
		reds.add(new Red());
		blues.add(new Blue());
		List<Item> some = Collections.unmodifiableList(reds), others = Collections.unmodifiableList(blues);
		some.get(0).act();               // calls act: 2obj={Red.act Blue.act} containers={Red.act}
		others.get(0).act();             // calls act: containers={Blue.act}
		List.of(reds.get(0)).get(0).act();       // calls act: containers={Red.act}
		List.of(blues.get(0)).get(0).act();      // calls act: containers={Blue.act}
	}

	static void boxes() {
		Box red = new Box(), blue = new Box();
		red.put(new Red());
		blue.put(new Blue());
		red.take().act();                // calls act: containers={Red.act Blue.act} 2obj={Red.act}
	}

	static void shelves() {
		Shelf reds = new Shelf(), blues = new Shelf();
		reds.put(new Red());
		blues.put(new Blue());
		reds.take().act();               // calls act: containers={Red.act Blue.act} 2obj={Red.act Blue.act}
	}

	public static void main(String[] args) {
		lists();
		maps();
		references();
		own();
		wrapped();
		boxes();
		shelves();
	}
}
