// SPDX-License-Identifier: Apache-2.0
// What deserialization writes: fields that serialization stores, of the classes that it stores them for. And what passes on what it is given,
// call by call.
package stored;

import java.io.ByteArrayInputStream;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.Objects;

class Item {
	void haul() { }
}

class Own extends Item {
	void haul() { }
}

class Read extends Item implements Externalizable {
	public void writeExternal(ObjectOutput out) { }
	public void readExternal(ObjectInput in) { }
	void haul() { }
}

class Above {
	Item above;
}

class Doc extends Above implements Serializable {
	Item shown;
	transient Item hidden;
}

// It says itself which fields are stored.
class Listed implements Serializable {
	private static final ObjectStreamField[] serialPersistentFields = { new ObjectStreamField("hidden", Item.class) };
	transient Item hidden;
}

public class Stored {
	static void fields(ObjectInputStream in) throws Exception {
		Doc doc = (Doc) in.readObject();
		Listed listed = (Listed) in.readObject();
		doc.shown.haul();            // calls haul: andersen>={Read.haul}
		listed.hidden.haul();        // calls haul: andersen>={Read.haul}
		doc.hidden.haul();           // calls haul: andersen={}
		doc.above.haul();            // calls haul: andersen={}
	}

	// An object of the program is read, too: it is written like others.
	static void known() {
		Doc doc = new Doc();
		doc.hidden = doc.above = new Own();
		doc.hidden.haul();           // calls haul: andersen={Own.haul}
		doc.above.haul();            // calls haul: andersen={Own.haul}
	}

	static void passed(Class<? extends Item> c) {
		Item own = c.cast(new Own());                           // pts: andersen={Own}
		Item read = c.cast(new Read());                         // pts: andersen={Read}
		Item first = Objects.requireNonNullElseGet(own, Own::new);      // pts: andersen={Own}
		Item second = Objects.requireNonNullElseGet(read, Read::new);   // pts: andersen={Read}
		own.haul();                  // calls haul: andersen={Own.haul}
		read.haul();                 // calls haul: andersen={Read.haul}
		first.haul();                // calls haul: andersen={Own.haul}
		second.haul();               // calls haul: andersen={Read.haul}
	}

	public static void main(String[] args) throws Exception {
		known();
		passed(args.length > 0 ? Own.class : Read.class);
		fields(new ObjectInputStream(new ByteArrayInputStream(new byte[0])));
	}
}
