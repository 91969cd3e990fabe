// SPDX-License-Identifier: Apache-2.0
// A component that makes parts by name, and has maps of any class. tests/e2e/callback-cover.sh says what its calls may call back.
package plug;

import java.util.HashMap;
import java.util.Map;

public class Plug {
	static class Key {
		@Override
		public int hashCode() {
			return 1;
		}
	}

	public static class Part {
		public Part() {
			Plug.parts++;
		}
	}

	static int parts;
	private Map<Object, Object> kept = new HashMap<>();

	@SuppressWarnings("unchecked")
	public void keep(String name) throws Exception {
		kept = (Map<Object, Object>) make(name);
	}

	public void add() {
		kept.put(new Key(), "");         // a HashMap asks for the hash code, and what another map does nobody knows
	}

	public static Object make(String name) throws Exception {
		return Class.forName(name).getConstructor().newInstance();       // nobody knows whose constructor this is
	}

	public static void main(String[] args) throws Exception {
		new Plug().add();
		System.out.println(make(args[0]) + " " + parts);
	}
}
