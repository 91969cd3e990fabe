// SPDX-License-Identifier: Apache-2.0
// What is called back for things that live on: listeners, timers, threads, cleaners, references, caches, parsers. tests/oracle/callbacks.sh runs it under a
// recorder.
package live;
import java.beans.*;
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.prefs.*;

class Bean {
	private final PropertyChangeSupport on = new PropertyChangeSupport(this);
	private final VetoableChangeSupport veto = new VetoableChangeSupport(this);
	private String name = "";
	public void addPropertyChangeListener(PropertyChangeListener l) { on.addPropertyChangeListener(l); }
	public String getName() { return name; }
	public void setName(String n) throws PropertyVetoException { veto.fireVetoableChange("name", name, n); String old = name; name = n; on.firePropertyChange("name", old, n); }
	void veto(VetoableChangeListener l) { veto.addVetoableChangeListener("name", l); }
	void fire(Object a, Object b) { on.fireIndexedPropertyChange("x", 1, a, b); }
}
class Value { @Override public boolean equals(Object o) { return o instanceof Value; } @Override public int hashCode() { return 1; } }
class Ear implements PropertyChangeListener { @Override public void propertyChange(PropertyChangeEvent e) { ((Bean) e.getSource()).getName(); } }
class Task extends TimerTask { final CountDownLatch l; Task(CountDownLatch l) { this.l = l; } @Override public void run() { l.countDown(); } }
class Res implements AutoCloseable {
	private static final Cleaner CLEANER = Cleaner.create();
	static class State implements Runnable { @Override public void run() { } }
	private final Cleaner.Cleanable c = CLEANER.register(this, new State());
	@Override public void close() { c.clean(); }
}
class Dead { @Override @SuppressWarnings("removal") protected void finalize() { Live.finalized(); } }
class Ref extends WeakReference<Object> { Ref(Object o) { super(o); } @Override public Object get() { return super.get(); } @Override public void clear() { super.clear(); } }
class WKey { @Override public int hashCode() { return 4; } @Override public boolean equals(Object o) { return true; } }
class Cache<K, V> extends LinkedHashMap<K, V> { Cache() { super(4, 1, true); } @Override protected boolean removeEldestEntry(Map.Entry<K, V> e) { return e.getKey().hashCode() > 9; } }
class Watcher extends Observable implements Observer { void go() { setChanged(); notifyObservers(new Value()); } @Override public void update(Observable o, Object a) { a.equals(o); } @Override public synchronized int countObservers() { return super.countObservers(); } }
class Ev extends EventObject { Ev(Object s) { super(s); } @Override public String toString() { return "ev"; } }
class Own extends Thread {
	@Override public void run() { Live.ran(); throw new IllegalStateException(); }
	@Override public UncaughtExceptionHandler getUncaughtExceptionHandler() { return super.getUncaughtExceptionHandler(); }
	@Override public void interrupt() { super.interrupt(); }
}
class Ueh implements Thread.UncaughtExceptionHandler { @Override public void uncaughtException(Thread t, Throwable e) { e.getMessage(); } }
class Delay implements Delayed { @Override public long getDelay(TimeUnit u) { return 0; } @Override public int compareTo(Delayed d) { return 0; } }
class Copy implements Cloneable { int[] a = { 1 }; @Override public Object clone() throws CloneNotSupportedException { Copy c = (Copy) super.clone(); c.a = a.clone(); return c; } }
class Tree extends javax.swing.tree.DefaultMutableTreeNode { Tree(Object o) { super(o); } @Override public String toString() { return "t" + super.toString(); } @Override public boolean isLeaf() { return super.isLeaf(); } }
class Model extends javax.swing.AbstractListModel<Value> { public int getSize() { return 1; } public Value getElementAt(int i) { fireContentsChanged(this, 0, 1); return new Value(); } }
class Table extends javax.swing.table.AbstractTableModel { public int getRowCount() { return 1; } public int getColumnCount() { return 1; } public Object getValueAt(int r, int c) { return new Value(); } }
class Sax extends org.xml.sax.helpers.DefaultHandler {
	@Override public void startElement(String u, String l, String q, org.xml.sax.Attributes a) { a.getLength(); }
	@Override public void characters(char[] c, int o, int n) { }
	@Override public org.xml.sax.InputSource resolveEntity(String p, String s) { return new org.xml.sax.InputSource(new java.io.StringReader("")); }
	@Override public void endDocument() { }
}

public class Live {
	static final ConcurrentMap<Value, WKey> SHARED = new ConcurrentHashMap<>();
	public static class Target { public void hit() { } public String getName() { return ""; } }
	static void finalized() { }
	static void ran() { }
	static void beans() throws Exception {
		Bean b = new Bean();
		b.addPropertyChangeListener(new Ear());
		b.addPropertyChangeListener(e -> e.getNewValue());
		b.addPropertyChangeListener(new PropertyChangeListenerProxy("name", e -> b.getName()));
		b.addPropertyChangeListener(EventHandler.create(PropertyChangeListener.class, new Target(), "hit"));
		b.veto(e -> { if (e.getNewValue().equals("bad")) throw new PropertyVetoException("", e); });
		try { b.setName("good"); } catch (PropertyVetoException e) { }
		try { b.setName("bad"); } catch (PropertyVetoException e) { }
		b.fire(new Value(), new Value());
		for (PropertyDescriptor d : Introspector.getBeanInfo(Target.class).getPropertyDescriptors())
			if (d.getName().equals("name"))
				d.getReadMethod().invoke(new Target());
		Watcher w = new Watcher();
		w.addObserver(w);
		w.go();
		String.valueOf(new Ev(b));
		new java.beans.beancontext.BeanContextSupport().add(new Value());
	}
	static void timers() throws Exception {
		Timer t = new Timer("t", true);
		CountDownLatch l = new CountDownLatch(2);
		t.schedule(new Task(l), 1, 1);
		l.await();
		t.cancel();
		new DelayQueue<>(List.of(new Delay(), new Delay())).take();
		Thread.setDefaultUncaughtExceptionHandler(new Ueh());
		Own o = new Own();
		o.start();
		o.join();
		o.interrupt();
		Thread v = new Thread("x") { @Override public void run() { super.run(); ran(); } };
		v.setUncaughtExceptionHandler(new Ueh());
		v.start();
		v.join();
		Thread.setDefaultUncaughtExceptionHandler(null);
		Runtime.getRuntime().addShutdownHook(new Thread(Live::ran));
	}
	static void refs() throws Exception {
		try (Res r = new Res()) { r.toString(); }
		new Res();
		new Dead();
		System.gc();
		System.runFinalization();
		ReferenceQueue<Object> q = new ReferenceQueue<>();
		Ref r = new Ref(new Value());
		r.get();
		r.enqueue();
		Map<WKey, Object> m = new WeakHashMap<>();
		m.put(new WKey(), new Value());
		m.get(new WKey());
		m.containsValue(new Value());
		m.keySet().removeAll(Set.of(new WKey()));
		new Cache<WKey, Value>().put(new WKey(), new Value());
		SHARED.putIfAbsent(new Value(), new WKey());
		SHARED.remove(new Value(), new WKey());
		SHARED.values().remove(new WKey());
		SHARED.replaceAll((k, v) -> v);
		new Copy().clone();
		Objects.hashCode(new WKey());
		Object[] two = { new Value(), new Value() };
		Arrays.asList(two).indexOf(new Value());
		Objects.deepEquals(new Object[] { new Value() }, two);
		new Vector<>(List.of(new Value())).removeElement(new Value());
		new Stack<Value>() { { push(new Value()); } }.search(new Value());
	}
	static void others() throws Exception {
		Tree t = new Tree(new Value()), u = new Tree("u");
		t.add(u);
		new javax.swing.tree.DefaultTreeModel(t).nodeChanged(u);
		t.depthFirstEnumeration().nextElement().toString();
		Model m = new Model();
		m.addListDataListener(new javax.swing.event.ListDataListener() {
			public void contentsChanged(javax.swing.event.ListDataEvent e) { ran(); }
			public void intervalAdded(javax.swing.event.ListDataEvent e) { }
			public void intervalRemoved(javax.swing.event.ListDataEvent e) { }
		});
		m.getElementAt(0);
		Table b = new Table();
		b.addTableModelListener(e -> ran());
		b.fireTableDataChanged();
		b.setValueAt(null, 0, 0);
		javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser().parse(new java.io.ByteArrayInputStream("<a>x</a>".getBytes()), new Sax());
		Callable<Value> c = () -> new Value();
		FutureTask<Value> f = new FutureTask<>(c);
		new Thread(f).start();
		f.get().hashCode();
		java.security.AccessController.doPrivileged((java.security.PrivilegedExceptionAction<Value>) () -> new Value());
		javax.security.auth.Subject.doAs(null, (java.security.PrivilegedAction<Value>) Value::new);
		StackWalker.getInstance().walk(s -> s.filter(x -> x.getMethodName().equals("others")).findFirst());
	}
	public static void main(String[] args) throws Exception {
		beans();
		timers();
		refs();
		if (args.length == 0)
			others();
	}
}
