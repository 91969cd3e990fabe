// SPDX-License-Identifier: Apache-2.0
// What collections call back: objects that are put in at one call and compared at another, and collections, iterators and maps of the
// application that are handed to those of the JDK. tests/oracle/callbacks.sh runs it under a
// recorder.
package keep;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

class Key implements Comparable<Key> {
	final int n;
	Key(int n) { this.n = n; }
	@Override public int compareTo(Key o) { return Integer.compare(n, o.n); }
	@Override public int hashCode() { return n & 1; }
	@Override public boolean equals(Object o) { return o instanceof Key && ((Key) o).n == n; }
	@Override public String toString() { return "k" + n; }
}
class Other implements Comparable<Other> {
	@Override public int compareTo(Other o) { return 0; }
	@Override public int hashCode() { return 1; }
	@Override public boolean equals(Object o) { return o == this; }
}
class Down implements Comparator<Key> {
	@Override public int compare(Key a, Key b) { return b.n - a.n; }
}
class Bag extends AbstractCollection<Key> {
	final Key[] in = { new Key(1), new Key(2), new Key(3) };
	@Override public int size() { return in.length; }
	@Override public Iterator<Key> iterator() {
		return new Iterator<>() {
			int i;
			@Override public boolean hasNext() { return i < in.length; }
			@Override public Key next() { return in[i++]; }
		};
	}
}
class OwnList extends AbstractList<Key> implements RandomAccess {
	@Override public Key get(int i) { return new Key(i); }
	@Override public int size() { return 3; }
	@Override public Key set(int i, Key k) { return k; }
}
class OwnSet extends AbstractSet<Object> {
	@Override public int size() { return 1; }
	@Override public boolean contains(Object o) { return o instanceof Key; }
	@Override public Iterator<Object> iterator() { return List.<Object>of(new Key(5)).iterator(); }
}
class Watched extends HashMap<Key, Object> {
	@Override public Object put(Key k, Object v) { return super.put(k, v); }
	@Override public Object get(Object k) { return super.get(k); }
}
class Counting<T> implements Iterator<T> {
	final Iterator<T> of;
	Counting(Iterator<T> of) { this.of = of; }
	@Override public boolean hasNext() { return of.hasNext(); }
	@Override public T next() { return of.next(); }
	@Override public void forEachRemaining(Consumer<? super T> c) { Iterator.super.forEachRemaining(c); }
}
class Sp implements Spliterator<Key> {
	int left = 2;
	@Override public boolean tryAdvance(Consumer<? super Key> c) { if (left-- <= 0) return false; c.accept(new Key(left)); return true; }
	@Override public Spliterator<Key> trySplit() { return null; }
	@Override public long estimateSize() { return left; }
	@Override public int characteristics() { return 0; }
}
public class Keep {
	static final TreeMap<Object, String> BY_NATURE = new TreeMap<>();
	static final Map<Object, Object> WEAK = new WeakHashMap<>();
	static Comparator<Key> order;
	static Object[] slots = new Object[4];
	final NavigableMap<Key, Object> sorted = new TreeMap<>(order());
	final PriorityQueue<Key> queue = new PriorityQueue<>(new Down().reversed());

	static Comparator<Key> order() {
		return Comparator.nullsFirst(new Down().thenComparing(k -> k.toString()));
	}
	void fill() {
		sorted.put(new Key(1), "");
		sorted.put(new Key(2), new Key(3));
		sorted.put(new Key(3), "");
		BY_NATURE.put(new Key(1), "");
		WEAK.put(new Key(1), new Key(2));
		WEAK.put(new Other(), "");
		queue.add(new Key(4));
		queue.add(new Key(2));
		slots[0] = new Key(1);
		slots[1] = new Key(0);
	}
	void later() {
		NavigableMap<Key, Object> part = sorted.descendingMap().subMap(new Key(1), true, new Key(3), true);
		part.remove(new Key(1));
		part.keySet().contains(new Key(2));
		part.entrySet().iterator().next().getValue().toString();
		sorted.floorKey(new Key(9));
		sorted.equals(new HashMap<>(sorted));
		BY_NATURE.containsKey(new Key(1));
		WEAK.containsKey(new Key(1));
		WEAK.hashCode();
		queue.poll();
		Arrays.sort(slots, 0, 2);
		new TreeMap<>(sorted).firstKey();
		Collections.sort(new OwnList(), order);
		Collections.reverse(new OwnList());
		Collections.binarySearch(new OwnList(), new Key(1));
	}
	static void hand() {
		List<Key> l = new ArrayList<>();
		l.addAll(new Bag());
		l.retainAll(new OwnSet());
		l.containsAll(new Bag());
		new LinkedList<>(new Bag()).addAll(1, new OwnList());
		new TreeSet<>(new Bag()).comparator();
		new HashSet<Object>(new OwnSet()).equals(new OwnSet());
		l.equals(new OwnList());
		l.hashCode();
		new Bag().toArray(new Key[0]);
		new Bag().contains(new Key(3));
		new OwnList().subList(0, 2).indexOf(new Key(1));
		new OwnList().listIterator().next();
		new Counting<>(new Bag().iterator()).forEachRemaining(k -> k.hashCode());
		Collections.list(Collections.enumeration(new Bag()));
		java.util.stream.StreamSupport.stream(new Sp(), false).sorted().count();
		new Watched().putAll(new HashMap<>(Map.of(new Key(1), "x")));
		new Watched().computeIfAbsent(new Key(3), k -> new Object());
		new Watched().getOrDefault(new Key(3), "");
		Collections.checkedMap(new Watched(), Key.class, Object.class).put(new Key(4), "");
		Collections.synchronizedMap(new Watched()).get(new Key(4));
		new Hashtable<>(Map.of(new Key(1), new Other())).containsValue(new Other());
		EnumSet.allOf(TimeUnit.class).containsAll(new OwnSet());
		new ArrayDeque<>(new Bag()).removeFirstOccurrence(new Key(2));
		new ConcurrentSkipListSet<>(new Bag()).ceiling(new Key(2));
		new PriorityBlockingQueue<>(3, new Down()).addAll(new Bag());
		new ConcurrentHashMap<Key, Key>().compute(new Key(1), (k, v) -> k);
		ConcurrentHashMap<Key, Key> c = new ConcurrentHashMap<>();
		c.put(new Key(1), new Key(2));
		c.search(1, (k, v) -> v.n == 2 ? v.toString() : null);
		c.reduceKeys(1, k -> new Key(k.n), (a, b) -> a);
		c.entrySet().removeIf(e -> e.getKey().n > 0);
		Collections.addAll(new TreeSet<>(new Down()), new Key(1), new Key(2));
		Collections.nCopies(2, new Key(1)).contains(new Key(1));
		Collections.frequency(new Bag(), new Key(1));
		Collections.disjoint(new Bag(), new OwnSet());
		Collections.replaceAll(new ArrayList<>(new Bag()), new Key(1), new Key(2));
		Collections.newSetFromMap(new IdentityHashMap<>()).add(new Key(1));
		Set.copyOf(new Bag());
		Map.entry(new Key(1), new Key(2)).equals(Map.entry(new Key(1), new Key(2)));
		Arrays.equals(new Key[] { new Key(1) }, new Key[] { new Key(1) });
		Arrays.hashCode(new Key[] { new Key(1) });
		Arrays.setAll(new Key[2], i -> new Key(i));
		Arrays.parallelPrefix(new Key[] { new Key(1), new Key(2) }, (a, b) -> new Key(a.n + b.n));
		Arrays.compare(new Key[] { new Key(1) }, new Key[] { new Key(2) });
		Arrays.mismatch(new Key[] { new Key(1) }, new Key[] { new Key(2) }, new Down());
		Objects.compare(new Key(1), new Key(2), Comparator.naturalOrder());
		Objects.requireNonNull(new Key(1), () -> "x");
		Optional.of(new Key(1)).equals(Optional.of(new Key(2)));
		Optional.of(new Key(1)).hashCode();
	}
	public static void main(String[] args) {
		order = Comparator.reverseOrder();
		Keep k = new Keep();
		k.fill();
		k.later();
		hand();
	}
}
