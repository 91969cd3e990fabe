// SPDX-License-Identifier: Apache-2.0
// Strings, services and handles by level of assumptions, with the JDK: what is resolved stays, what is not may be more at each level.
// also: plugins/First.java plugins/Second.java
// resource: META-INF/services/widerlevels.Service
package widerlevels;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ServiceLoader;

/* plugins/First.java:
package widerlevels.plugins;

public class First {
	static int count = widerlevels.WiderLevels.next();
}
*/

/* plugins/Second.java:
package widerlevels.plugins;

public class Second {
	static int count = widerlevels.WiderLevels.next();
}
*/

/* META-INF/services/widerlevels.Service:
widerlevels.Served
*/

interface Service {
	void serve();
}

interface Missing {
	void miss();
}

class Served implements Service {
	public Served() {
	}

	public void serve() {
	}
}

class Unserved implements Service {
	public Unserved() {
	}

	public void serve() {
	}
}

class Stranger {
	static int count = WiderLevels.next();

	static void told() {
	}

	static void untold() {
	}
}

public class WiderLevels {
	public static int next() {
		return 1;
	}

	// A name that begins with a package: its classes, from string on.
	static void strings(String name) throws Exception {
		String whole = "widerlevels.plugins." + name;
		Class.forName(whole); // runs: rta={First.<clinit> Second.<clinit>} rta/string={First.<clinit> Second.<clinit>} rta/cast>={First.<clinit> Stranger.<clinit>} ; resolved rta/string
		Class.forName(name); // runs: rta={} rta/string>={First.<clinit> Stranger.<clinit>} ; unresolved: reflection
	}

	static void services() {
		for (Service s : ServiceLoader.load(Service.class)) // resolved
			s.serve(); // calls serve: rta={Served.serve} rta/string>={Served.serve} rta/cast>={Served.serve Unserved.serve}
	}

	static void noServices() {
		for (Missing m : ServiceLoader.load(Missing.class)) // resolved ; runs: rta={} rta/string={} rta/cast>={Stranger.<init>}
			m.miss(); // calls miss: rta={} rta/string={}
	}

	static void handles(MethodHandle any) throws Throwable {
		MethodHandle h = MethodHandles.lookup().findStatic(Stranger.class, "told", MethodType.methodType(void.class));
		h.invoke(); // runs: rta={Stranger.told} rta/string={Stranger.told} rta/cast>={Stranger.told Stranger.untold Unserved.serve} ; resolved rta/string
		any.invoke(); // runs: rta={} rta/string>={Stranger.told Stranger.untold Unserved.serve} ; unresolved: method-handle
	}

	public static void main(String[] args) throws Throwable {
		strings(args[0]);
		services();
		noServices();
		handles(MethodHandles.lookup().findStatic(Class.forName(args[1]), args[2], MethodType.methodType(void.class)));
	}
}
