// SPDX-License-Identifier: Apache-2.0
// String concatenation, records, enums and switches on them.
package strings;

class Point {
	public String toString() {
		return "p";
	}
}

class Secret {
	public String toString() {
		return "never concatenated, but an instance may be printed";
	}
}

class Key {
	public int hashCode() {
		return 1;
	}

	public boolean equals(Object o) {
		return o == this;
	}

	public String toString() {
		return "k";
	}
}

record Pair(Key key, int n) {
	Pair {
		Strings.made();
	}
}

record Plain(Key key) {
}

enum Op {
	ADD {
		int apply(int a) {
			return a + 1;
		}
	},
	SUB {
		int apply(int a) {
			return a - 1;
		}
	};

	abstract int apply(int a);
}

public class Strings {
	static void made() {
	}

	static String all(boolean z, char c, byte b, short h, int i) {
		return "" + z + c + b + h + i; // edge: both={Strings.all->String.valueOf(Z)Ljava/lang/String; Strings.all->String.valueOf(C)Ljava/lang/String; Strings.all->String.valueOf(I)Ljava/lang/String;}
	}

	static String wide(long j, float f, double d) {
		return "" + j + f + d; // edge: both={Strings.wide->String.valueOf(J)Ljava/lang/String; Strings.wide->String.valueOf(F)Ljava/lang/String; Strings.wide->String.valueOf(D)Ljava/lang/String;}
	}

	static int choose(Op op) {
		switch (op) { // calls ordinal: both={Enum.ordinal}
		case ADD:
			return op.apply(1); // calls: both={Op$1.apply Op$2.apply}
		default:
			return 0; // reached: both={Strings$1.<clinit> Op.values}
		}
	}

	public static void main(String[] args) {
		String s = "point " + new Point() + args.length; // reached: both={Point.toString} ; resolved
		Pair a = new Pair(new Key(), 1); // calls <init>: both>={Pair.<init> Key.<init>} ; edge: both={Pair.<init>->Strings.made}
		a.toString(); // calls: both={Pair.toString} ; reached: both={Key.toString}
		a.hashCode(); // calls: both={Pair.hashCode} ; reached: both={Key.hashCode}
		a.equals(a); // calls: both={Pair.equals} ; reached: both={Key.equals}
		a.key(); // calls: both={Pair.key}
		all(true, 'c', (byte) 1, (short) 2, 3); // reached: both={StringConcatHelper.mix(JI)J StringConcatHelper.prepend(J[BZLjava/lang/String;)J}
		wide(1, 2, 3); // reached: both={StringConcatHelper.newArrayWithSuffix StringConcatHelper.simpleConcat ObjectMethods.hashCombiner}
		choose(Op.ADD); // reached: both={Op$1.apply Op$2.apply}
		switch (s) { // calls hashCode: both={String.hashCode} ; calls equals: both={String.equals}
		case "x":
			break;
		}
	}
}
