// SPDX-License-Identifier: Apache-2.0
// Library calls of many sorts. A line that ends in `// reads: ... writes: ...; free` or `; changes` calls one method of shelf: that reads
// and writes just these fields of shelf, and changes something that was there before, or not.
package shop;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import static shop.Held.held;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import shelf.Box;
import shelf.Odd;

public class Main {
	private static Box old;

	private static void boxes() {
		Box a = held(new Box());                 // reads: made writes: made last named number price; changes
		Box b = held(new Box());
		old = a;
		a.load(3);                               // reads: weight writes: weight; changes
		a.weigh();                               // reads: weight writes:; free
		a.number();                              // reads: number writes:; free
		a.put(b);                                // reads: writes: content; changes
		held(a.content());                       // reads: content writes:; free
		Box heavy = a.heavier(4);
		held(heavy);
		held(Box.newest());                      // reads: last writes: named; free
		held(Box.named("one"));
		held(Box.named("one"));
		a.link(b);                               // reads: next writes: next; changes
		a.link(heavy);
		Box.sum(5);
		a.change(o -> held(new Object[] { o }));
		held(a.copy());
		held(a.chain());
		held(a.bytes());                         // reads: bytes writes: bytes; changes
	}

	private static void others() throws ReflectiveOperationException {
		Box a = held(new Box());
		try {
			a.fail();
		} catch (Box.Broken e) {
			held(e);
		}
		Runnable r = held(a.loader(5));
		r.run();
		Box.Lid lid = held(a.lid());
		lid.toggle();                            // reads: isOpen this$0 weight writes: isOpen weight; changes
		Odd odd = held(new Odd());
		odd.count();
		odd.turn();
		held(odd.top(a));
		held(odd.top(null));
		odd.reflect();
	}

	private static void lists() {
		List<String> list = held(new ArrayList<>());
		list.add("one");
		list.add("two");
		list.size();
		list.get(1);
		held(list.iterator());
		for (Iterator<String> i = held(list.iterator()); i.hasNext();)
			if (i.next().length() > 3)
				i.remove();
		list.sort((x, y) -> y.compareTo(x));
		Collections.reverse(list);
		held(list.subList(0, 1));
		list.contains("one");
		LinkedList<Object> linked = held(new LinkedList<>(list));
		linked.addFirst(list);
		held(linked);
		linked.removeLast();
		ArrayDeque<Integer> deque = held(new ArrayDeque<>());
		for (int i = 0; i < 30; i++)
			deque.push(i);
		deque.pollLast();
		PriorityQueue<Integer> queue = held(new PriorityQueue<>(deque));
		queue.add(7);
		queue.poll();
		held(Collections.unmodifiableList(list)).size();
		BitSet bits = held(new BitSet());
		bits.set(70);
		bits.cardinality();
	}

	private static void maps() {
		Map<Object, Object> map = held(new HashMap<>());
		for (int i = 0; i < 20; i++)
			held(map.put("key" + i, held(new Object())));
		held(map);
		map.get("key3");
		map.remove("key4");
		held(map.entrySet());
		for (Map.Entry<Object, Object> e : map.entrySet())
			held(e).setValue(e.getKey());
		Map<Object, Object> linked = held(new LinkedHashMap<>(map));
		linked.computeIfAbsent("new", k -> held(new Box()));
		held(linked);
		TreeMap<String, Integer> tree = held(new TreeMap<>());
		for (int i = 0; i < 20; i++)
			tree.merge("k" + i % 7, i, Integer::sum);
		held(tree);
		tree.headMap("k4").clear();
		tree.firstKey();
	}

	private static void texts() throws java.io.IOException {
		StringBuilder b = held(new StringBuilder());
		b.append("a").append(1).append('c').append(2.5);
		b.reverse();
		b.length();
		String s = held(b.toString());
		s.hashCode();
		s.length();
		StringTokenizer t = held(new StringTokenizer("a b c"));
		while (t.hasMoreTokens())
			t.nextToken();
		StringWriter w = held(new StringWriter());
		w.write("text");
		held(w.getBuffer());
		ByteArrayOutputStream out = held(new ByteArrayOutputStream());
		out.write(3);
		ByteArrayInputStream in = held(new ByteArrayInputStream(out.toByteArray()));
		in.read();
		held(new StringReader("abc")).read();
		BigInteger big = held(new BigInteger("12345678901234567890"));
		held(big.multiply(big)).bitLength();
		big.hashCode();
		Random random = held(new Random(5));
		random.nextInt();
		AtomicInteger n = held(new AtomicInteger());
		n.incrementAndGet();
		ThreadLocal<Object> local = held(new ThreadLocal<>());
		local.set(n);
		local.get();
	}

	private static void files() throws IOException {
		File f = new File("held.bytes");
		FileOutputStream out = held(new FileOutputStream(f));
		out.write(1);
		out.write(new byte[2]);
		out.close();
		FileInputStream in = held(new FileInputStream(f));
		in.read();
		in.read(new byte[2]);
		in.close();
		RandomAccessFile file = held(new RandomAccessFile(f, "rw"));
		file.seek(1);
		file.write(1);
		file.close();
		f.delete();
	}

	public static void main(String[] args) throws Exception {
		Held.isWatched = args.length > 0;
		if (Held.isWatched)
			Held.begin();
		boxes();
		others();
		lists();
		maps();
		texts();
		files();
		held(old);
	}
}
