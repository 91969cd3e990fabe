// SPDX-License-Identifier: Apache-2.0
// Constants of enums, by their class: the library asks values() for them.
package enums;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

enum Color {
	RED {
		int code() {
			return 1;
		}
	},
	GREEN;

	int code() {
		return 2;
	}
}

enum Shade {
	DARK;

	int code() {
		return 3;
	}
}

enum Size {
	SMALL;

	int code() {
		return 4;
	}
}

enum Key {
	UP;

	int code() {
		return 5;
	}
}

enum Unused {
	NONE; // unreached: rta={Unused.<clinit> Unused.values} andersen={Unused.<clinit> Unused.values}
}

public class Enums {
	public static void main(String[] args) throws Exception {
		for (Color c : Color.class.getEnumConstants()) // runs: usual={Color.values} ; resolved ; reached: usual={Color.<clinit>}
			c.code(); // calls code: usual={Color.code Color$1.code} ; closed code: andersen
		Enum.valueOf(Shade.class, args[0]).code(); // calls code: usual={Shade.code} ; reached: usual={Shade.<clinit> Shade.values}
		for (Size s : EnumSet.allOf(Size.class)) // edge: usual={Class.getEnumConstantsShared->Size.values}
			s.code(); // calls code: usual={Size.code} ; reached: usual={Size.<clinit>}
		Map<Key, String> m = new EnumMap<>(Key.class);
		for (Key k : m.keySet())
			k.code(); // calls code: usual={Key.code} ; reached: usual={Key.<clinit>}
		String.class.getEnumConstants(); // runs: usual={} ; resolved
		Class<?> c = Class.forName(args[0]);
		c.getEnumConstants(); // runs: usual={} ; unresolved: reflection/entry
		Object[] some = Unused.class.desiredAssertionStatus() ? null : c.getEnumConstants();
		some[0].hashCode(); // open hashCode: andersen
	}
}
