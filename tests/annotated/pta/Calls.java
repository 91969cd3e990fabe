// SPDX-License-Identifier: Apache-2.0
// Calls: how each sort finds its target, and what goes in and comes out.
// jdk: small
package calls;

interface Walks {
	Object walk(Object o);
	default Object twice(Object o) {
		return walk(walk(o));             // calls walk: flow={Dog.walk Cat.walk} 1obj={Dog.walk Cat.walk}
	}
}

class Token {
	Object in;
}

class Other {
	Object in;
}

class Animal {
	Object last;
	Object give(Object o) {
		last = o;
		return last;
	}
	private Object secret() {
		return new Token();               // pts: flow={Token} sites={Token:28}
	}
	Object open() {
		return secret();                  // calls: all={Animal.secret} ; pts: sites={Token:28}
	}
	Object overloaded(Object o) {
		return o;
	}
	Object overloaded(String s) {
		return s;
	}
}

class Dog extends Animal implements Walks {
	Object give(Object o) {
		return super.give(o);             // calls: all={Animal.give}
	}
	private Object secret() {
		return new Other();
	}
	public Object walk(Object o) {
		return o;
	}
}

class Puppy extends Dog { }

class Cat extends Animal implements Walks {
	Object give(Object o) {
		return null;
	}
	public Object walk(Object o) {
		return new Other();               // pts: flow={Other} sites={Other:60}
	}
	public Object twice(Object o) {
		return Walks.super.twice(o);      // calls: all={Walks.twice}
	}
}

class Bird extends Animal {
	Object give(Object o) {
		return this;
	}
}

public class Calls {
	static Object pass(Object o) {
		return o;
	}

	static Object choose(boolean b, Object x, Object y) {
		if (b)
			return x;
		return y;
	}

	static Object recursive(int n, Object o) {
		return n == 0 ? o : recursive(n - 1, o);     // calls: all={Calls.recursive}
	}

	static void statics() {
		Object t = new Token();           // pts: flow={Token} sites={Token:89}
		Object r = pass(t);               // calls: all={Calls.pass} ; pts: flow={Token} sites={Token:89} 0cfa={Token} 1cfa={Token}
		r.toString();                     // receivers toString: flow={Token}
		Object c = choose(true, t, new Other());      // pts: flow={Token Other} sites={Token:89 Other}
		c.toString();                     // receivers toString: flow={Token Other}
		Object deep = recursive(3, t);    // pts: flow={Token} sites={Token:89}
		deep.toString();                  // receivers toString: flow={Token}
	}

	static void virtuals() {
		Animal dog = new Dog();
		Animal cat = new Cat();
		Object given = dog.give(new Token());         // calls: sites>={Dog.give} cha={Animal.give Dog.give Cat.give Bird.give Token.<init>}
		given.toString();                 // receivers toString: andersen={Token Other Object[]} 1obj={Token} 2obj={Token} 2cfa={Token Object[]} 2-1cfa={Token}
		Object none = cat.give(new Token());          // calls give: flow={Cat.give} rta={Animal.give Dog.give Cat.give Bird.give} ; pts: flow={}
		none.toString();                  // calls toString: flow={} ; receivers toString: flow={}
		Animal puppy = new Puppy();
		Object inherited = puppy.give(new Other());   // calls give: flow={Dog.give}
		inherited.toString();             // receivers toString: 1obj={Other} 2obj={Other} andersen={Token Other Object[]} 1cfa={Token Other Object[]} 2cfa={Other}
	}

	static void specials() {
		Animal a = new Dog();
		Object s = a.open();              // calls open: flow={Animal.open} ; pts: flow={Token} sites={Token:28}
		s.toString();                     // receivers toString: flow={Token}
	}

	static void interfaces() {
		Walks w = new Dog();
		Object o = w.walk(new Token());   // calls walk: flow={Dog.walk} rta={Dog.walk Cat.walk} ; pts: 1cfa={Token} 1-1cfa={Token:118} 1obj={Token:118 Token:123} andersen={Token Other}
		o.toString();                     // receivers toString: vta={Token Other} 0cfa={Token Other} 1cfa={Token} 2cfa={Token} 1obj={Token} andersen={Token Other}
		Walks c = new Cat();
		Object t = c.twice(new Token());  // calls twice: flow={Cat.twice} ; pts: andersen={Token Other} 1obj={Other:60}
		t.toString();                     // receivers toString: 1obj={Other}
		Object d = w.twice(new Token());  // calls twice: flow={Walks.twice} ; pts: 1obj={Token}
		d.toString();                     // receivers toString: 1obj={Token} andersen={Token Other}
	}

	static void overloads() {
		Animal a = new Bird();
		Object o = a.overloaded("text");  // calls overloaded: all={Animal.overloaded(Ljava/lang/String;)Ljava/lang/Object;} ; pts: flow={String}
		o.toString();                     // receivers toString: flow={String}
		Object p = a.overloaded((Object) "text");     // calls overloaded: all={Animal.overloaded(Ljava/lang/Object;)Ljava/lang/Object;}
		p.toString();                     // calls toString: flow={String.toString}
	}

	static void self() {
		Animal b = new Bird();            // pts: flow={Bird} sites={Bird:136}
		Object o = b.give(null);          // calls give: flow={Bird.give} ; pts: sites={Bird:136}
		o.toString();                     // receivers toString: flow={Bird}
	}

	public static void main(String[] args) {
		statics();
		virtuals();
		specials();
		interfaces();
		overloads();
		self();
		new Animal().give(args);
		new Dog().give(args);
	}
}
