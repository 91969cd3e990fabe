// SPDX-License-Identifier: Apache-2.0
// What the JDK calls back, of as many sorts as fit: by comparators, keys of maps, streams, texts, exceptions, reflection, threads and
// listeners. tests/oracle/callbacks.sh runs it under a recorder.
package back;

import java.beans.*;
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

class Key implements Comparable<Key> {
	final int n;
	Key(int n) { this.n = n; }
	@Override public int compareTo(Key o) { return Integer.compare(n, o.n); }
	@Override public int hashCode() { return n & 3; }
	@Override public boolean equals(Object o) { return o instanceof Key && ((Key) o).n == n; }
	@Override public String toString() { return "k" + n; }
}
class Rev implements Comparator<Key> {
	@Override public int compare(Key a, Key b) { return b.n - a.n; }
}
record Point(Key x, Key y) { }
enum Color { RED { @Override String say() { return "r"; } }, BLUE; String say() { return "c"; }
	static { System.out.println("Color"); } }
class Range implements Iterable<Key> {
	@Override public Iterator<Key> iterator() { return new Iterator<Key>() {
		int i;
		@Override public boolean hasNext() { return i < 3; }
		@Override public Key next() { return new Key(i++); }
	}; }
}
class Res implements AutoCloseable { @Override public void close() { } }
class Fmt implements Formattable {
	@Override public void formatTo(Formatter f, int flags, int w, int p) { f.format("fmt"); }
}
class Handler implements InvocationHandler {
	@Override public Object invoke(Object p, Method m, Object[] a) { return m.getName().equals("compare") ? (Object) 0 : null; }
}
class Bean {
	final PropertyChangeSupport s = new PropertyChangeSupport(this);
	void fire() { s.firePropertyChange("a", 1, 2); }
}
class Lst implements PropertyChangeListener { @Override public void propertyChange(PropertyChangeEvent e) { } }
class MyBundle extends ListResourceBundle {
	@Override protected Object[][] getContents() { return new Object[][] { { "a", "b" } }; }
}
class MyEx extends RuntimeException {
	MyEx(Throwable c) { super(c); }
	@Override public String getMessage() { return "m"; }
	@Override public String getLocalizedMessage() { return "l"; }
	@Override public synchronized Throwable fillInStackTrace() { return this; }
	@Override public String toString() { return "mine"; }
}
class Task extends RecursiveTask<Integer> {
	final int n;
	Task(int n) { this.n = n; }
	@Override protected Integer compute() {
		if (n < 2)
			return 1;
		Task a = new Task(n - 1);
		a.fork();
		return new Task(n - 2).compute() + a.join();
	}
}
class Stream1 extends OutputStream {
	int n;
	@Override public void write(int b) { n++; }
}
class Chars implements CharSequence {
	@Override public int length() { return 2; }
	@Override public char charAt(int i) { return 'x'; }
	@Override public CharSequence subSequence(int a, int b) { return this; }
	@Override public String toString() { return "xx"; }
}
class MyMap extends AbstractMap<Key, Key> {
	@Override public Set<Map.Entry<Key, Key>> entrySet() { return Collections
			.singleton(new AbstractMap.SimpleEntry<>(new Key(1), new Key(2))); }
}
class Lru extends LinkedHashMap<Key, Key> {
	@Override protected boolean removeEldestEntry(Map.Entry<Key, Key> e) { return size() > 1; }
}
class Cl implements Cloneable {
	@Override public Cl clone() { try { return (Cl) super.clone(); } catch (CloneNotSupportedException e) { return null; } }
}
abstract class Gen<T> { abstract Object get(T t); Object run(T t) { return get(t); } }
class GenK extends Gen<Key> { @Override Object get(Key k) { return k; } }
class Called { public Called() { } public String hello(Key k) { return k.toString(); } public static void stat() { } }

public class Back {
	static final ThreadLocal<Key> TL = ThreadLocal.withInitial(() -> new Key(9));

	static void sorted() {
		TreeMap<Key, String> t = new TreeMap<>(new Rev());
		t.put(new Key(1), "a");
		t.put(new Key(2), "b");
		TreeSet<Key> s = new TreeSet<>();
		s.add(new Key(1));
		s.add(new Key(3));
		t.headMap(new Key(2)).size();
		Key[] a = { new Key(3), new Key(1) };
		Arrays.sort(a);
		Arrays.sort(a, new Rev());
		Arrays.binarySearch(a, new Key(1), new Rev());
		PriorityQueue<Key> q = new PriorityQueue<>(Comparator.comparing(Key::toString).thenComparing(new Rev()));
		q.add(new Key(1));
		q.add(new Key(2)); q.poll();
		Collections.max(Arrays.asList(a));
	}
	static void maps() {
		Map<Key, Key> m = new HashMap<>();
		m.computeIfAbsent(new Key(1), k -> new Key(k.n + 1));
		m.merge(new Key(1), new Key(2), (x, y) -> x);
		m.forEach((k, v) -> k.toString());
		m.replaceAll((k, v) -> v);
		new ConcurrentHashMap<>(m).computeIfPresent(new Key(1), (k, v) -> v);
		new Lru().put(new Key(1), new Key(1));
		new MyMap().get(new Key(1));
		new MyMap().toString();
		new HashSet<>(Arrays.asList(new Point(new Key(1), new Key(2)))).contains(new Point(new Key(1), new Key(2)));
		new Point(new Key(1), new Key(2)).toString();
		new IdentityHashMap<>(m).size();
		new EnumMap<Color, Key>(Color.class).put(Color.RED, new Key(1));
		List.of(new Key(1)).contains(new Key(1));
		Map.of(new Key(1), new Key(2)).get(new Key(1));
	}
	static void streams() {
		Stream.of(new Key(2), new Key(1)).filter(k -> k.n > 0).map(k -> new Key(k.n)).sorted().collect(Collectors
			.groupingBy(k -> k, Collectors.counting()));
		Stream.of(new Key(2), new Key(1)).sorted(new Rev()).collect(Collectors.toMap(Function.identity(), Key::toString));
		IntStream.range(0, 3).mapToObj(Key::new).reduce((x, y) -> x).ifPresent(k -> k.toString());
		Stream.iterate(new Key(1), k -> new Key(k.n + 1)).limit(3).distinct().forEach(System.out::println);
		StreamSupport.stream(new Range().spliterator(), false).map(Object::toString).collect(Collectors.joining(","));
		Arrays.asList(new Key(1), new Key(2)).parallelStream().map(k -> k.n).reduce(0, Integer::sum);
		Optional.of(new Key(1)).map(Key::toString).orElseGet(() -> new Key(1).toString());
		Stream.of(new Key(1)).flatMap(k -> Stream.of(k, new Key(2))).anyMatch(k -> k.equals(new Key(2)));
	}
	static void text() throws Exception {
		String.format("%s %s", new Key(1), new Fmt());
		String.valueOf(new Key(2));
		new StringBuilder().append((Object) new Key(1)).append(new Chars());
		String s = "a" + new Key(3);
		String.join("-", new Chars());
		Objects.requireNonNullElseGet(null, () -> new Key(1));
		Objects.toString(new Key(1));
		Objects.hash(new Key(1), new Key(2)); Objects.equals(new Key(1), new Key(1));
		Arrays.deepToString(new Object[] { new Key(1), new Object[] { new Key(2) } });
		Arrays.asList(new Key(1)).toString();
		new PrintStream(new Stream1()).println(new Key(1));
		new Formatter(new StringBuilder()).format("%s", new Key(1));
		java.text.MessageFormat.format("{0}", new Key(1));
		"a".contentEquals(new Chars());
		java.util.regex.Pattern.compile("x").matcher(new Chars()).replaceAll(r -> r.group());
	}
	static void throwing() {
		try { throw new MyEx(new MyEx(null)); } catch (MyEx e) {
			e.printStackTrace(new PrintStream(new Stream1()));
			e.toString();
			new RuntimeException(e).toString();
		}
		try (Res r = new Res()) { r.toString(); }
	}
	static void reflect() throws Throwable {
		Method m = Called.class.getMethod("hello", Key.class);
		m.invoke(new Called(), new Key(1));
		Called.class.getConstructor().newInstance();
		Called.class.getMethod("stat").invoke(null);
		@SuppressWarnings("unchecked") Comparator<Key> c = (Comparator<Key>) Proxy.newProxyInstance(Back.class
			.getClassLoader(), new Class<?>[] { Comparator.class }, new Handler());
		c.compare(new Key(1), new Key(2));
		Arrays.sort(new Key[] { new Key(1), new Key(2) }, c);
		Enum.valueOf(Color.class, "BLUE").say();
		Class.forName("back.Late");
		java.lang.invoke.MethodHandles.lookup().findVirtual(Key.class, "toString", java.lang.invoke.MethodType
			.methodType(String.class)).invoke(new Key(1));
		AtomicReferenceFieldUpdater.newUpdater(Holder.class, Key.class, "k").updateAndGet(new Holder(), k -> new Key(1));
		new AtomicReference<>(new Key(1)).accumulateAndGet(new Key(2), (x, y) -> x);
	}
	static void threads() throws Throwable {
		ExecutorService e = Executors.newFixedThreadPool(2);
		e.submit(() -> new Key(1).toString()).get();
		e.invokeAll(Arrays.asList(() -> new Key(1), () -> new Key(2)));
		e.shutdown();
		new ForkJoinPool(1).invoke(new Task(4));
		CompletableFuture.supplyAsync(() -> new Key(1)).thenApply(k -> k.toString()).thenAccept(x -> { }).get();
		CompletableFuture<Key> f = new CompletableFuture<>();
		f.whenComplete((k, x) -> k.toString());
		f.complete(new Key(1));
		java.util.Timer t = new java.util.Timer(true);
		CountDownLatch l = new CountDownLatch(1);
		t.schedule(new TimerTask() { @Override public void run() { l.countDown(); } }, 1);
		l.await();
		t.cancel();
		Thread th = new Thread(() -> { throw new MyEx(null); });
		th.setUncaughtExceptionHandler((x, y) -> y.toString());
		th.start();
		th.join();
		FutureTask<Key> ft = new FutureTask<>(() -> new Key(1)) { @Override protected void done() { } };
		ft.run();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> new Key(1).toString()));
		ThreadFactory tf = r -> new Thread(r);
		ExecutorService e2 = Executors.newSingleThreadExecutor(tf);
		e2.execute(() -> new Key(1).toString());
		e2.shutdown();
	}
	static void misc() throws Throwable {
		Bean b = new Bean();
		b.s.addPropertyChangeListener(new Lst()); b.fire();
		new MyBundle().getString("a");
		for (Key k : new Range()) k.toString();
		new Range().forEach(k -> k.toString());
		TL.get();
		new ArrayList<>(Arrays.asList(new Cl())).clone();
		new Cl().clone();
		new GenK().run(new Key(1));
		new Observable() { { setChanged(); addObserver((o, a) -> a.toString()); } }.notifyObservers(new Key(1));
		List<Key> l = new ArrayList<>(Arrays.asList(new Key(1), new Key(2)));
		l.removeIf(k -> k.n > 1);
		l.indexOf(new Key(1)); l.remove(new Key(1)); l.sort(null);
		Collections.synchronizedList(new ArrayList<>(Arrays.asList(new Key(1)))).contains(new Key(1));
		Collections.unmodifiableMap(new HashMap<>(Map.of(new Key(1), new Key(2)))).containsKey(new Key(3));
		new Scanner(new Readable() { boolean done;
			@Override public int read(java.nio.CharBuffer c) { if (done) return -1; done = true; c.put("1 ");
			return 2; } }).nextInt();
		new BufferedReader(new Reader() { @Override public int read(char[] c, int o, int n) { return -1;
			} @Override public void close() { } }).readLine();
		java.security.AccessController.doPrivileged((java.security.PrivilegedAction<Key>) () -> new Key(1));
		new File(".").list((d, n) -> n.startsWith("x"));
		new java.util.concurrent.DelayQueue<>();
		ConcurrentSkipListMap<Key, Key> sk = new ConcurrentSkipListMap<>();
		sk.put(new Key(1), new Key(1)); sk
			.put(new Key(2), new Key(1));
		BiFunction<Key, Key, Integer> cmp = Key::compareTo;
		cmp.apply(new Key(1), new Key(2));
		Supplier<Supplier<Key>> ss = () -> () -> new Key(1);
		ss.get().get().toString();
		new CopyOnWriteArrayList<>(Arrays.asList(new Key(1))).addIfAbsent(new Key(1));
	}
	public static void main(String[] args) throws Throwable {
		sorted();
		maps(); streams(); text(); throwing(); reflect(); threads(); misc();
	}
}
class Late { static Key k = new Key(4); static { k.toString(); } }
class Holder { volatile Key k = new Key(0); }
