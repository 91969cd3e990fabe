// SPDX-License-Identifier: Apache-2.0
package conf;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Properties;

/** What it loads is named in files on its class path. */
public class Main {
	static Properties shared;

	static void here() throws Exception {
		Properties p = new Properties();
		try (InputStream in = Main.class.getResourceAsStream("names.properties")) {
			p.load(in);
		}
		Class.forName(p.getProperty("first"));                               // line 17
		Class.forName(p.getProperty("absent", "conf.Third"));                // line 18
	}

	static void there() throws Exception {
		Properties p = new Properties();
		p.load(new InputStreamReader(Main.class.getResourceAsStream("/names.properties"), "UTF-8"));
		Class.forName(p.getProperty("first"));                               // line 24
	}

	static void changed(String[] args) throws Exception {
		Properties p = new Properties();
		p.load(Main.class.getClassLoader().getResourceAsStream("conf/names.properties"));
		p.setProperty("first", args[0]);
		Class.forName(p.getProperty("first"));                               // line 31
	}

	static void kept() throws Exception {
		Properties p = new Properties();
		p.load(Main.class.getResourceAsStream("names.properties"));
		shared = p;
		Class.forName(p.getProperty("first"));                               // line 38
	}

	static void nowhere() throws Exception {
		Properties p = new Properties();
		p.load(Main.class.getResourceAsStream("gone.properties"));
		Class.forName(p.getProperty("first"));                               // line 44
	}

	static void loader(String[] args) throws Exception {
		Properties p = new Properties();
		p.load(Main.class.getClassLoader().getResourceAsStream("conf/names.properties"));
		Class.forName(p.getProperty("second"));                              // line 50
		Class.forName(p.getProperty(args[0]));                               // line 51
	}

	public static void main(String[] args) throws Exception {
		here();
		there();
		loader(args);
		kept();
		nowhere();
		changed(args);
	}
}

class First {
	static { Main.class.getName(); }
}

class Second {
	static { Main.class.getName(); }
}

class Third {
	static { Main.class.getName(); }
}

class Fourth {
	static { Main.class.getName(); }
}
