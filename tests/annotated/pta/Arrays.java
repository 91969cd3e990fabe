// SPDX-License-Identifier: Apache-2.0
// Elements of arrays: one field of the array, whatever the index. Stores are checked, as the JVM does it.
// jdk: small
package arrays;

class Item {
	Object of;
	void act() { }
}

class Red extends Item {
	void act() { }
}

class Blue extends Item {
	void act() { }
}

public class Arrays {
	static boolean flag;

	static void elements() {
		Item[] a = new Item[2];           // pts: flow={Item[]} sites={Item[]:23}
		Item[] b = new Item[2];
		a[0] = new Red();                 // pts: flow={Red}
		b[1] = new Blue();                // pts: flow={Blue}
		Item i = a[1];                    // pts: flow={Red Blue} sites={Red:25}
		i.act();                          // calls act: sites={Red.act} 0cfa={Red.act Blue.act} vta={Red.act Blue.act} rta={Item.act Red.act Blue.act}
		Item k = b[0];                    // pts: flow={Red Blue} sites={Blue:26}
		k.act();                          // receivers act: sites={Blue} 0cfa={Red Blue}
	}

	static void classes() {
		Red[] reds = { new Red() };
		Item[] items = { new Blue() };
		reds[0].act();                    // calls act: flow={Red.act}
		items[0].act();                   // calls act: sites={Blue.act} vta={Red.act Blue.act}
	}

	static void covariance() {
		Item[] any = flag ? new Red[1] : new Item[1];     // pts: flow={Red[] Item[]} sites={Red[]:41 Item[]:41}
		any[0] = new Blue();              // pts: flow={Blue}
		Item i = any[0];                  // pts: sites={Blue:42}
		i.act();                          // calls act: sites={Blue.act} vta={Red.act Blue.act}
	}

	static void storeCheck() {
		Item[] really = new Red[1];       // pts: flow={Red[]} sites={Red[]:48}
		Object[] objects = really;
		objects[0] = new Blue();          // pts: flow={Blue}
		objects[0] = "text";
		Item i = really[0];               // pts: sites={} 0cfa={Red} vta={Red}
		i.act();                          // calls act: sites={} 0cfa={Red.act} ; receivers act: sites={} vta={Red}
	}

	static void dimensions() {
		Item[][] grid = new Item[2][2];   // pts: flow={Item[][]} sites={Item[][]:57}
		grid[0][1] = new Red();           // pts: flow={Red}
		Item[] row = grid[1];             // pts: flow={Item[]} sites={Item[]:57}
		Item i = row[0];                  // pts: sites={Red:58}
		i.act();                          // calls act: sites={Red.act}
		Item[][] partly = new Item[2][];
		Item[] none = partly[0];          // pts: sites={} 0cfa={Item[]}
		none[0].act();                    // calls act: sites={}
	}

	static void copying() {
		Object[] from = { new Red() };    // pts: flow={Red}
		Object[] to = new Object[1];
		Object[] other = new Object[1];
		System.arraycopy(from, 0, to, 0, 1);
		Item i = (Item) to[0];            // pts: sites={Red:68}
		i.act();                          // calls act: sites={Red.act} 0cfa={Red.act Blue.act} ; closed act: sites
		Item k = (Item) other[0];         // pts: sites={} 0cfa>={Red Blue}
		k.act();                          // calls act: sites={} 0cfa={Red.act Blue.act}
	}

	static void checkedCopying() {
		Object[] mixed = { new Red(), new Blue() };
		Blue[] blues = new Blue[2];
		System.arraycopy(mixed, 0, blues, 0, 2);
		Item i = blues[0];                // pts: flow>={Blue} sites={Blue}
		i.act();                          // calls act: flow={Blue.act} ; receivers act: flow={Blue}
	}

	static void cloning() {
		Red[] reds = { new Red() };       // pts: flow={Red}
		Red[] copy = reds.clone();        // pts: flow={Red[]}
		Item i = copy[0];                 // pts: flow={Red}
		i.act();                          // calls act: flow={Red.act}
		reds[0] = null;
	}

	static void interfaces() {
		Object o = new Blue[0];           // pts: flow={Blue[]}
		Cloneable c = (Cloneable) o;      // pts: flow={Blue[]}
		c.toString();                     // calls toString: flow={Object.toString} ; receivers toString: flow={Object[]}
		int[] numbers = (int[]) o;
		numbers.hashCode();               // calls hashCode: rta>={Object.hashCode}
	}

	public static void main(String[] args) {
		elements();
		classes();
		covariance();
		storeCheck();
		dimensions();
		copying();
		checkedCopying();
		cloning();
		interfaces();
		new Item().act();
	}
}
