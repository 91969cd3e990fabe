// SPDX-License-Identifier: Apache-2.0
// Switches on patterns, and an instance main.
// release: 25
package patterns;

sealed interface Expr permits Num, Add {
}

record Num(Value value) implements Expr {
}

record Add(Expr left, Expr right) implements Expr {
}

class Value {
	int get() {
		return 1;
	}

	public boolean equals(Object o) {
		return false;
	}
}

enum Mode {
	FAST, SLOW;

	static {
		Patterns.touched();
	}
}

public class Patterns {
	static void touched() {
	}

	static int eval(Expr e) {
		return switch (e) { // resolved
		case Num(Value v) -> v.get(); // calls get: both={Value.get} ; calls value: both={Num.value}
		case Add(Expr l, Expr r) -> eval(l) + eval(r); // calls left: both={Add.left} ; calls right: both={Add.right} ; calls eval: both={Patterns.eval}
		};
	}

	static String name(Object o) {
		return switch (o) { // resolved
		case String s when s.isEmpty() -> "empty"; // calls isEmpty: both={String.isEmpty}
		case Integer i when i.intValue() > 3 -> "big"; // calls intValue: both>={Integer.intValue}
		case Mode m -> m.name(); // calls name: both={Enum.name}
		default -> o.toString(); // calls toString: both>={Object.toString}
		};
	}

	static int mode(Object o) {
		return switch (o) { // resolved ; reached: both={Mode.<clinit> Patterns.touched} ; edge: both={Patterns$$Switch$mode#4@11.typeSwitch->ConstantBootstraps.invoke}
		case Mode.FAST -> 1;
		case Mode.SLOW -> 2;
		default -> 3;
		};
	}

	void main() { // entry: both={Patterns.main}
		eval(new Add(new Num(new Value()), null)); // reached: rta={Patterns.<init>}
		name("x");
		mode(Mode.FAST);
		int _ = 3;
	}
}
