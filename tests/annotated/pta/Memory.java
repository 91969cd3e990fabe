// SPDX-License-Identifier: Apache-2.0
// What the JDK does on a program's behalf: memory by offset, atomics, handles of variables, privileged actions, threads,
// finalizers, collections, reflection.
package memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

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

class Holder {
	volatile Item item;
	Item other;
	static final VarHandle HANDLE = find();
	static final AtomicReferenceFieldUpdater<Holder, Item> UPDATER =
		AtomicReferenceFieldUpdater.newUpdater(Holder.class, Item.class, "item");
	static VarHandle find() {
		try {
			return MethodHandles.lookup().findVarHandle(Holder.class, "item", Item.class);
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}
}

class Dying {
	Item last = new Red();                    // pts: andersen={Red:45}
	protected void finalize() {
		last.act();                       // calls act: andersen={Red.act}
	}
}

class Undying {
	protected void finalize() { }
}

class Action implements PrivilegedAction<Item> {
	Item given = new Blue();                  // pts: andersen={Blue:56}
	public Item run() {
		return given;                     // pts: andersen={Blue:56}
	}
}

public class Memory {                             // reached: andersen={Dying.finalize Work.run} ; unreached: andersen={Undying.finalize}
	static void atomics() {
		AtomicReference<Item> r = new AtomicReference<>();
		r.set(new Red());                 // calls set: andersen={AtomicReference.set}
		Item i = r.get();                 // pts: andersen>={Red:65 Blue:68}
		i.act();                          // calls act: andersen={Red.act Blue.act}
		r.compareAndSet(i, new Blue());   // calls compareAndSet: andersen={AtomicReference.compareAndSet}
		Item old = r.getAndSet(null);     // pts: andersen>={Red:65 Blue:68}
		old.act();                        // calls act: andersen>={Red.act Blue.act}
	}

	static void handles() {
		Holder h = new Holder();
		Holder.HANDLE.set(h, new Red());  // unresolved: method-handle
		Item i = (Item) Holder.HANDLE.get(h);      // pts: andersen={Red:75}
		i.act();                          // calls act: andersen={Red.act}
		Item direct = h.item;             // pts: andersen={Red:75}
		direct.act();                     // calls act: andersen={Red.act}
	}

	static void updaters() {
		Holder h = new Holder();
		Holder.UPDATER.set(h, new Blue());         // calls: andersen>={Blue.<init>}
		Item i = h.item;                  // pts: andersen>={Blue:84}
		i.act();                          // calls act: andersen>={Blue.act}
	}

	static void privileged() {
		Item i = AccessController.doPrivileged(new Action());       // pts: andersen={Blue:56}
		i.act();                          // calls act: andersen={Blue.act}
		Item k = AccessController.doPrivileged((PrivilegedAction<Item>) () -> new Red());
		k.act();                          // calls act: andersen={Red.act}
	}

	static void collections() {
		ArrayList<Item> list = new ArrayList<>();
		list.add(new Red());              // calls add: andersen={ArrayList.add}
		list.get(0).act();                // calls act: andersen>={Red.act}
		HashMap<String, Item> map = new HashMap<>();
		map.put("key", new Blue());       // calls put: andersen={HashMap.put}
		map.get("key").act();             // calls act: andersen>={Blue.act}
		for (Item i : list)               // calls iterator: andersen={ArrayList.iterator} ; calls next: andersen>={ArrayList$Itr.next}
			i.act();                  // calls act: andersen>={Red.act}
	}

	static void threads() {
		new Thread(new Work(new Red())).start();   // calls start: andersen={Thread.start}
		ThreadLocal<Item> local = ThreadLocal.withInitial(Blue::new);
		local.get().act();                // calls act: andersen>={Blue.act}
	}

	static void reflection() throws Exception {
		Object o = Class.forName("memory.Item").getDeclaredConstructor().newInstance();      // resolved ; pts: andersen={Item}
		((Item) o).act();                 // closed act: andersen ; calls act: andersen={Item.act}
		Item known = new Red();
		known.act();                      // closed act: andersen ; calls act: andersen={Red.act}
	}

	static void shared() {
		AtomicReferenceArray<Item> a = new AtomicReferenceArray<>(1);
		a.set(0, new Blue());
		a.get(0).act();                   // calls act: andersen>={Blue.act}
	}

	public static void main(String[] args) throws Exception {
		atomics();
		handles();
		updaters();
		privileged();
		collections();
		threads();
		reflection();
		shared();
		new Dying();
		new Item().act();
	}
}

class Work implements Runnable {
	final Item item;
	Work(Item i) {
		item = i;
	}
	public void run() {
		item.act();                       // calls act: andersen={Red.act} ; receivers act: andersen={Red}
	}
}
