// SPDX-License-Identifier: Apache-2.0
// The same plug, in a component whose parts come from collections that the plug's objects get into, but not as parts.
package kept;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;

public class Kept {
	private static final Map<Object, Object> MAP = new HashMap<>();
	private final Plug plug;

	public Kept() throws Exception {
		plug = (Plug) Class.forName(System.getProperty("kept.plug")).getDeclaredConstructor().newInstance();
		MAP.put("a", new Small());
		MAP.put("b", new Large());
		MAP.put("plug", plug);
	}

	public interface Part {
		int size();
	}

	public interface Plug {
		Set<String> names();

		TimeZone zone();
	}

	public int named() {
		int n = 0;
		for (String name : new TreeSet<>(plug.names()))
			n += ((Part) MAP.get(name)).size();      // closed
		MAP.put(plug.names(), plug.zone());
		return n + ((Part) MAP.get(plug.zone().toZoneId())).size();       // closed
	}

	/* The plug itself is one of the unknown objects in the map. */
	public int plugged() {
		return ((Plug) MAP.get("plug")).names().size();  // open
	}
}

class Small implements Kept.Part {
	public int size() {
		return 1;
	}
}

class Large implements Kept.Part {
	public int size() {
		return 2;
	}
}
