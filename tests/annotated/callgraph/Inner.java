// SPDX-License-Identifier: Apache-2.0
// Inner, local and anonymous classes; private members between nest mates.
package inner;

class Outer {
	private int hidden() {
		return 1;
	}

	private static int shared() {
		return 2;
	}

	class In {
		private int own() {
			return hidden(); // calls: both={Outer.hidden}
		}
	}

	static class Nested {
		private Nested() {
			shared(); // calls: both={Outer.shared}
		}

		private int value() {
			return 3;
		}
	}

	int use() {
		return new In().own() + new Nested().value(); // calls: both={Outer$In.<init> Outer$In.own Outer$Nested.<init> Outer$Nested.value} ; resolved
	}
}

abstract class Template {
	Template() {
		step(); // calls: both={Inner$1.step Inner$1Local.step}
	}

	abstract void step();
}

public class Inner {
	public static void main(String[] args) {
		new Outer().use(); // calls use: both={Outer.use Inner$2.use}
		Template t = new Template() { // calls <init>: both={Inner$1.<init> Template.<init>}
			void step() {
				args.clone();
			}
		};
		class Local extends Template {
			void step() {
				t.step(); // calls: both={Inner$1.step Inner$1Local.step}
			}
		}
		new Local().step(); // calls step: both={Inner$1Local.step}
		new Outer() {
			int use() {
				return super.use(); // calls: both={Outer.use}
			}
		}.use(); // calls use: both={Inner$2.use}
	}
}
