// SPDX-License-Identifier: Apache-2.0
package conf;

/* What it loads depends on the environment. */
public class Main {
	public static void main(String[] args) throws Exception {
		Class.forName(System.getProperty("conf.class", "conf.Default")).newInstance();          // line 7
		Class.forName(System.getProperty("conf.only")).newInstance();                           // line 8
		Class.forName(System.getProperty("user.dir")).newInstance();                            // line 9
		Class.forName(System.getenv("CONF_CLASS")).newInstance();                               // line 10
		Class.forName(System.getProperties().getProperty("conf.third", "conf.Third"));          // line 11
		System.setProperty("conf.set", args[0]);
		Class.forName(System.getProperty("conf.set", "conf.Set"));                              // line 13
		Class.forName(System.getProperty("conf.prefix") + "Second");                            // line 14
	}
}

class Default {
	static { Main.class.getName(); }
}

class Given {
	static { Main.class.getName(); }
}

class Third {
	static { Main.class.getName(); }
}

class Set {
	static { Main.class.getName(); }
}

class Second {
	static { Main.class.getName(); }
}
