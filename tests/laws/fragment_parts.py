# SPDX-License-Identifier: Apache-2.0
"""Parts that components are made of besides random classes: idioms that random statements never form. Each part is a text
in which {I}, {T} and {E} are an interface, a type and an exception of the component, and the members that others may use.
"""
import dataclasses

from fragment_world import Member, Type


def new(*params, access="public"):
    return Member("", "new", "", list(params), "void", access)


def call(name, returns, *params, **more):
    return Member("", "call", name, list(params), returns, **more)


def variable(name, kind, **more):
    return Member("", "field", name, [], kind, **more)


class Part:
    """Types are (name, sort, members, more arguments of Type); the first has the text."""

    def __init__(self, text, *types):
        self.text, self.types = text, types

    def add_to(self, world, names):
        def fill(text):
            for letter, name in names.items():
                text = text.replace("{" + letter + "}", name)
            return text

        for k, (name, sort, members, more) in enumerate(self.types):
            t = world.add(Type(name, sort, text=fill(self.text) if k == 0 else "-", **{
                key: [fill(v) for v in value] if isinstance(value, list) else value for key, value in more.items()}))
            for m in members:
                m = dataclasses.replace(m, owner=name, name=m.name or name, params=[fill(p) for p in m.params],
                                        returns=fill(m.returns))
                if m.sort == "new":
                    t.constructors.append(m)
                elif m.sort == "field":
                    t.fields.append(m)
                else:
                    t.methods[m.key()] = m


PARTS = [
    # A generic container.
    Part("""public class Box<T> {
	private T item;
	protected Object spare;
	public Box() { }
	public Box(T o) { item = o; }
	public T get() { return item; }
	public void set(T o) { spare = item; item = o; }
	public Object map(Fn f) { return f.call(item); }
	public Box<T> copy() { return new Box<T>(item); }
	public boolean equals(Object other) { return other instanceof Box && item.equals(((Box<?>) other).item); }
}""", ("Box", "class", [new(), new("Object"), call("get", "Object"), call("set", "void", "Object"), call("map", "Object", "Fn"),
                        call("copy", "Box"), variable("spare", "Object", access="protected")], {})),
    # A bounded one, and arguments that are its own objects.
    Part("""public class Pair<A extends {I}> {
	private A left;
	public final Object right;
	public Pair(A a, Object b) { left = a; right = b; }
	public A left() { return left; }
	public void swap(Pair<A> other) { A kept = left; left = other.left; other.left = kept; }
	public String toString() { return left.toString(); }
	static <B extends {I}> B leftOf(Pair<B> p) { return p.left; }
}""", ("Pair", "class", [new("{I}", "Object"), call("left", "{I}"), call("swap", "void", "Pair"),
                         variable("right", "Object", is_final=True),
                         call("leftOf", "{I}", "Pair", access="", is_static=True)], {})),
    # Callbacks in a field that is an array, and varargs.
    Part("""public class Hub {
	private static Hub only = new Hub();
	private Fn[] all = new Fn[4];
	private int n;
	public RuntimeException last;
	public Fn spare = x -> x.toString();
	public Hub() { all[n++] = x -> x; }
	public static Hub only() { return only; }
	public void add(Fn f) { all[n++] = f; }
	public void addAll(Fn... more) {
		for (Fn f : more)
			add(f);
	}
	public Fn[] listeners() { return all; }
	public Object fire(Object event) {
		Object result = event;
		for (Fn f : all) {
			try {
				result = f.call(result);
			} catch (RuntimeException e) {
				last = e;
				e.toString();
			}
		}
		return spare.call(result);
	}
}""", ("Hub", "class", [call("only", "Hub", is_static=True), call("add", "void", "Fn"),
                        call("addAll", "void", "Fn[]", is_varargs=True), call("listeners", "Fn[]"),
                        call("fire", "Object", "Object"), variable("last", "RuntimeException"), variable("spare", "Fn"),
                        new()], {})),
    # Inner classes: private, anonymous, and one that clients make.
    Part("""public class Chain {
	private Node first;
	public interface Cursor {
		Object next();
	}
	private class Node {
		Object item;
		Node next;
		Node(Object o) { item = o; next = first; }
		Object ask() { return item.toString(); }
	}
	public class View {
		public Object head() { return first.item; }
		public Chain whole() { return Chain.this; }
	}
	public Chain add(Object o) {
		first = new Node(o);
		first.ask();
		return this;
	}
	public Cursor cursor() {
		return new Cursor() {
			Node at = first;
			public Object next() {
				Object item = at.item;
				at = at.next;
				return item;
			}
		};
	}
	static Object drain(Cursor c) {
		for (Object o = c.next(); o != null; o = c.next())
			o.hashCode();
		return c;
	}
	public Object all(Cursor c) { return drain(c); }
}""", ("Chain", "class", [new(), call("add", "Chain", "Object"), call("cursor", "Chain.Cursor"),
                          call("drain", "Object", "Chain.Cursor", access="", is_static=True),
                          call("all", "Object", "Chain.Cursor")], {}),
         ("Chain.Cursor", "interface", [call("next", "Object", has_body=False)], {}),
         ("Chain.View", "class", [new(), call("head", "Object"), call("whole", "Chain")], {"outer": "Chain"})),
    # Exceptions with references in them, thrown, caught and handed on.
    Part("""public class Gate {
	private static class Secret extends RuntimeException { }
	public Object pass(Object o) {
		if (Rt.flip)
			throw new {E}(o);
		if (Rt.flip)
			throw new Secret();
		return o;
	}
	public Object look(Throwable t) { return t.toString(); }
	public Object attempt(Fn f, Object o) {
		try {
			return f.call(o);
		} catch ({E} e) {
			return e.item().toString();
		} catch (RuntimeException e) {
			throw new {E}(e);
		}
	}
}""", ("Gate", "class", [new(), call("pass", "Object", "Object"), call("look", "Object", "Throwable"),
                         call("attempt", "Object", "Fn", "Object")], {})),
    # A generic interface with bridges in the classes that implement it.
    Part("""public interface Taker<X> {
	Object take(X x);
	default Object twice(X x) {
		take(x);
		return take(x);
	}
	static Taker<{T}> plain() { return new TypedTaker(); }
}
class TypedTaker implements Taker<{T}> {
	{T} last;
	public {T} take({T} x) {
		x.toString();
		last = x;
		return last;
	}
}
class AnyTaker implements Taker<Object> {
	public Object take(Object x) { return x.hashCode() > 0 ? x : this; }
}""", ("Taker", "interface", [call("take", "Object", "Object", has_body=False), call("twice", "Object", "Object"),
                              call("plain", "Taker", is_static=True)], {}),
         # Private: arguments of another type than its own would not compile.
         ("TypedTaker", "class", [new(access=""), call("take", "Object", "Object", access="private"),
                                  call("twice", "Object", "Object", access="private")], {"access": "", "interfaces": ["Taker"]}),
         ("AnyTaker", "class", [new(access="")], {"access": "", "interfaces": ["Taker"]})),
    # An enum with bodies and a field, and a default method that only it makes public.
    Part("""public enum Mode implements Tagged {
	FAST("fast") {
		public Object tag() { return super.tag().toString(); }
	},
	SLOW(new Object());
	private final Object tag;
	public static Mode current = FAST;
	Mode(Object o) { tag = o; }
	public Object tag() { return tag; }
}
interface Tagged {
	Object tag();
	default Object again() { return tag(); }
}""", ("Mode", "enum", [call("tag", "Object"), call("values", "Mode[]", is_static=True),
                        variable("FAST", "Mode", is_static=True, is_final=True),
                        variable("SLOW", "Mode", is_static=True, is_final=True),
                        variable("current", "Mode", is_static=True)], {"interfaces": ["Tagged"], "is_final": True}),
         ("Tagged", "interface", [call("tag", "Object", has_body=False), call("again", "Object")], {"access": ""})),
    # A sealed hierarchy with a record and hidden classes.
    Part("""public sealed interface Shape permits Round, Hidden {
	Object name();
	static Shape hidden(Object o) { return new Hidden(o); }
}
record Round(Object name) implements Shape { }
non-sealed class Hidden implements Shape {
	Object held;
	Hidden(Object o) { held = o; }
	public Object name() { return held.toString(); }
}
final class Deep extends Hidden {
	Deep() { super(new Object()); }
	public Object name() { return this; }
}""", ("Shape", "interface", [call("name", "Object", has_body=False), call("hidden", "Shape", "Object", is_static=True)],
            {"is_sealed": True}),
         ("Round", "record", [new("Object", access=""), call("name", "Object")],
          {"access": "", "interfaces": ["Shape"], "is_final": True}),
         ("Hidden", "class", [new("Object", access=""), call("name", "Object"), variable("held", "Object", access="")],
          {"access": "", "interfaces": ["Shape"]}),
         ("Deep", "class", [new(access=""), call("name", "Object")], {"access": "", "parent": "Hidden", "is_final": True})),
    # Lambdas and method references that capture.
    Part("""public final class Fns {
	private final {T} kept;
	private Fns({T} o) { kept = o; }
	private Object pick(Object x) { return Rt.flip ? x : kept.toString(); }
	public static Fn constant(Object o) { return x -> o; }
	public static Fn compose(Fn f, Fn g) { return x -> g.call(f.call(x)); }
	public static Fn text() { return Object::toString; }
	public static Fn bound({T} o) { return new Fns(o)::pick; }
}""", ("Fns", "class", [call("constant", "Fn", "Object", is_static=True), call("compose", "Fn", "Fn", "Fn", is_static=True),
                        call("text", "Fn", is_static=True), call("bound", "Fn", "{T}", is_static=True)],
            {"is_final": True})),
    # Arrays of arrays, and elements that come from outside.
    Part("""public class Grid {
	private {I}[][] rows;
	public {I}[] row() { return rows[0]; }
	public void rows({I}[][] all) {
		rows = all;
		for ({I}[] row : all)
			for ({I} item : row)
				item.toString();
	}
	public static Object first(Object... all) { return all[0].toString(); }
}""", ("Grid", "class", [new(), call("row", "{I}[]"), call("rows", "void", "{I}[][]"),
                         call("first", "Object", "Object[]", is_static=True, is_varargs=True)], {})),
]
