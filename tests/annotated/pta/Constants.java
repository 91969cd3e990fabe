// SPDX-License-Identifier: Apache-2.0
// Objects that no `new` of the program makes: strings, classes, boxes, arrays of arguments, enums, records.
// jdk: small
package constants;

class Item {
	Object of;
}

enum Color {
	RED {
		Item item() {
			return new Item();        // pts: flow={Item}
		}
	},
	GREEN {
		Item item() {
			return null;
		}
	};
	abstract Item item();
}

record Pair(Object left, Object right) { }

public class Constants {
	static boolean flag;

	static void strings() {
		Object s = "text";                // pts: flow={String}
		s.toString();                     // calls toString: flow={String.toString} ; receivers toString: flow={String}
		Object cat = "text" + s;          // pts: flow={String}
		cat.toString();                   // calls toString: flow={String.toString}
		CharSequence q = new StringBuilder();      // pts: flow={StringBuilder}
		q.length();                       // calls length: flow={StringBuilder.length} rta={StringBuilder.length String.length}
	}

	static void classes() {
		Object c = Item.class;            // pts: flow={Class}
		c.toString();                     // calls toString: flow={Object.toString} ; receivers toString: flow={Class}
		Object d = new Item().getClass(); // calls getClass: all={Object.getClass} ; pts: flow={Class}
		d.toString();                     // receivers toString: flow={Class}
		Class<?> array = Item[].class;    // pts: flow={Class}
		array.getName();                  // calls: all={Class.getName}
	}

	static void boxes() {
		Object i = 5;                     // calls: all={Integer.valueOf} ; pts: flow={Integer}
		i.hashCode();                     // calls hashCode: flow={Integer.hashCode} ; receivers hashCode: flow={Integer}
		Number n = 5L;                    // calls: all={Long.valueOf}
		long l = n.longValue();           // calls: flow={Long.longValue} rta={Integer.longValue Long.longValue}
		Integer boxed = flag ? 1 : null;
		int plain = boxed;                // calls: all={Integer.intValue}
	}

	static Object first(Object... all) {
		return all[0];
	}

	static void varargs() {
		Object o = first(new Item(), "text");      // calls first: all={Constants.first} ; pts: andersen={Item:61 String Color$1} 1-1cfa={Item:61 String} 2-1cfa={Item:61 String} 1obj={Item:61 String Color$1} 0cfa>={Item String Color$1}
		o.toString();                     // receivers toString: andersen={Item String Color$1} 1-1cfa={Item String}
		Object one = first(Color.RED);    // pts: 1-1cfa={Color$1} 1obj={Color$1 Item String} 1cfa>={Color$1 Item String}
		one.toString();                   // receivers toString: 1-1cfa={Color$1}
	}

	static void enums() {
		Color c = flag ? Color.RED : Color.GREEN;
		Item i = c.item();                // calls item: flow={Color$1.item Color$2.item} ; pts: flow={Item} sites={Item:13}
		i.toString();                     // receivers toString: flow={Item}
		Color red = Color.RED;            // pts: flow={Color$1}
		red.item();                       // calls item: flow={Color$1.item} rta={Color$1.item Color$2.item}
		switch (c) {                      // calls ordinal: all={Enum.ordinal}
		case RED:
			c.name();                 // calls: all={Enum.name}
			break;
		default:
			break;
		}
		Color[] all = Color.values();     // calls: all={Color.values} ; pts: flow={Color[]}
		all[0].item();                    // calls item: flow={Color$1.item Color$2.item} ; receivers item: flow={Color$1 Color$2}
	}

	static void records() {
		Pair p = new Pair(new Item(), "text");     // calls: all={Item.<init> Pair.<init>}
		Object left = p.left();           // calls: all={Pair.left} ; pts: flow={Item} sites={Item:85} 0cfa={Item}
		left.toString();                  // receivers toString: flow={Item}
		Object right = p.right();         // pts: flow={String}
		right.toString();                 // receivers toString: flow={String}
		p.toString();                     // calls toString: all={Pair.toString}
	}

	static void switches(String s) {
		switch (s) {                      // calls hashCode: flow={String.hashCode} ; calls equals: flow={String.equals}
		case "text":
			flag = true;
			break;
		default:
			break;
		}
	}

	public static void main(String[] args) {
		strings();
		classes();
		boxes();
		varargs();
		enums();
		records();
		switches("text");
	}
}
