// SPDX-License-Identifier: Apache-2.0
// Lambdas, method references and inner classes: the objects they are, and the values they capture.
// jdk: small
package closures;

import java.util.function.Function;
import java.util.function.Supplier;

class Item {
	Object of;
	Item self() {
		return this;
	}
	static Item make() {
		return new Item();                // pts: flow={Item} sites={Item:15}
	}
}

class Red extends Item {
	Item self() {
		return null;
	}
}

class Blue extends Item { }

public class Closures {
	Object field;

	static void lambdas() {
		Supplier<Item> s = () -> new Red();
		Item i = s.get();                 // calls: flow={Closures$lambda.get} ; pts: flow={Red} sites={Red:31}
		i.self();                         // calls: flow={Red.self} rta={Item.self Red.self}
	}

	static void captured() {
		Item caught = new Blue();         // pts: flow={Blue} sites={Blue:37}
		Supplier<Item> s = () -> caught;
		Item i = s.get();                 // calls: flow={Closures$lambda.get} ; pts: flow={Blue} sites={Blue:37}
		i.self();                         // calls: flow={Item.self} ; receivers self: flow={Blue}
	}

	static void parameters() {
		Function<Item, Item> f = x -> x;
		Item i = f.apply(new Red());      // calls apply: flow={Closures$lambda.apply} ; pts: flow={Red} sites={Red:45}
		i.self();                         // calls: flow={Red.self}
	}

	static void references() {
		Supplier<Item> s = Item::make;
		Item i = s.get();                 // calls: flow={Closures$lambda.get} ; pts: flow={Item} sites={Item:15}
		i.self();                         // calls: flow={Item.self} ; receivers self: flow={Item}
		Supplier<Item> n = Red::new;      // pts: flow={Closures$lambda}
		Item r = n.get();                 // pts: flow={Red}
		r.self();                         // calls: flow={Red.self} ; receivers self: flow={Red}
		Function<Item, Item> u = Item::self;
		Item self = u.apply(new Blue());  // calls apply: flow={Closures$lambda.apply} ; pts: 1obj={Blue:57} 2obj={Blue:57} andersen={Blue Item} vta={Blue Item}
		self.self();                      // receivers self: 1obj={Blue} 2obj={Blue} andersen={Blue Item}
	}

	static void bound() {
		Item b = new Blue();              // pts: flow={Blue} sites={Blue:62}
		Supplier<Item> s = b::self;
		Item i = s.get();                 // pts: 1obj={Blue:62} 2obj={Blue:62} 2-1cfa={Blue:62} 1-1cfa={Blue:62} andersen={Blue Item}
		i.self();                         // calls: flow={Item.self}
	}

	static void composed() {
		Function<Item, Item> f = x -> new Red();
		Function<Item, Item> g = f.andThen(y -> y);         // calls andThen: all={Function.andThen} ; pts: flow={Function$lambda}
		Item i = g.apply(null);           // calls: flow={Function$lambda.apply} ; pts: flow={Red} sites={Red:69}
		i.self();                         // calls: flow={Red.self}
	}

	void withThis() {
		field = new Blue();               // pts: flow={Blue} sites={Blue:76}
		Supplier<Object> s = () -> field;
		Object o = s.get();               // pts: flow={Blue} sites={Blue:76}
		o.toString();                     // receivers toString: flow={Blue}
	}

	class Inner {
		Object outer() {
			return field;             // pts: flow={Blue} sites={Blue:76}
		}
	}

	void inner() {
		Inner in = new Inner();           // pts: flow={Closures$Inner}
		Object o = in.outer();            // calls: all={Closures$Inner.outer} ; pts: flow={Blue} sites={Blue:76}
		o.toString();                     // receivers toString: flow={Blue}
	}

	static void anonymous() {
		Item kept = new Red();            // pts: flow={Red}
		Supplier<Item> s = new Supplier<Item>() {
			public Item get() {
				return kept;      // pts: flow={Red} sites={Red:95}
			}
		};
		Item i = s.get();                 // calls: flow={Closures$1.get} rta={Closures$1.get Closures$lambda.get} ; pts: flow={Red} sites={Red:95}
		i.self();                         // calls: flow={Red.self}
	}

	public static void main(String[] args) {
		lambdas();
		captured();
		parameters();
		references();
		bound();
		composed();
		new Closures().withThis();
		Closures c = new Closures();
		c.withThis();
		c.inner();
		anonymous();
		new Item().self();
	}
}
