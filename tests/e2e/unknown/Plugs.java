// SPDX-License-Identifier: Apache-2.0
// A component with a plug that is found by name. What the plug gives, and what is in that, may be of a class that nobody knows; what
// others found, or the plug cannot have put there, is not. A comment says whether the call of size() on its line is open.
package plugs;

import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;

public class Plugs {
	private static final Map<Object, Object> KEPT = new HashMap<>();
	private final Plug plug;

	public Plugs() throws Exception {
		plug = (Plug) Class.forName(System.getProperty("plugs.plug")).getDeclaredConstructor().newInstance();
		KEPT.put("a", new Small());
		KEPT.put("b", new Large());
	}

	public interface Part {
		int size();
	}

	public interface Plug {
		Part part();

		List<Part> parts();

		List raw();

		Set<String> names();

		Object any();

		TimeZone zone();
	}

	public int one() {
		return plug.part().size();                       // open
	}

	public int all() {
		int n = 0;
		for (Part p : plug.parts())
			n += p.size();                           // open
		return n;
	}

	public int copied() {
		int n = 0;
		for (Part p : new ArrayList<>(plug.parts()))
			n += p.size();                           // open
		return n;
	}

	public int raw() {
		int n = 0;
		for (Object o : plug.raw())
			n += ((Part) o).size();                  // open
		return n;
	}

	public int any() {
		return ((Part) plug.any()).size();               // open
	}

	/* A library's method that is said to return an Object may have made it by any name. */
	public int fetched(String from) throws Exception {
		return ((Part) new URL(from).getContent()).size();        // open
	}

	public int known() {
		Part p = KEPT.isEmpty() ? new Small() : new Large();
		return p.size();                                 // closed
	}
}

class Small implements Plugs.Part {
	public int size() {
		return 1;
	}
}

class Large implements Plugs.Part {
	public int size() {
		return 2;
	}
}
