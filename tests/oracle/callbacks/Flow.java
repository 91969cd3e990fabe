// SPDX-License-Identifier: Apache-2.0
// What streams, futures, pools and values by thread call back: through stages that are built at one call and run at another. tests/oracle/callbacks.sh runs it under a
// recorder.
package flow;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.Flow.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

class Item {
	final int n;
	Item(int n) { this.n = n; }
	int half() { return n / 2; }
	Stream<Item> split() { return Stream.of(new Item(n - 1), new Item(n + 1)); }
	@Override public int hashCode() { return n; }
	@Override public boolean equals(Object o) { return o instanceof Item && ((Item) o).n == n; }
}
class Joiner implements Collector<Item, List<Item>, Item> {
	@Override public Supplier<List<Item>> supplier() { return ArrayList::new; }
	@Override public BiConsumer<List<Item>, Item> accumulator() { return (l, i) -> l.add(i); }
	@Override public BinaryOperator<List<Item>> combiner() { return (a, b) -> { a.addAll(b); return a; }; }
	@Override public Function<List<Item>, Item> finisher() { return l -> new Item(l.size()); }
	@Override public Set<Characteristics> characteristics() { return Set.of(); }
}
class Sum extends RecursiveTask<Integer> {
	final int n;
	Sum(int n) { this.n = n; }
	@Override protected Integer compute() {
		if (n == 0)
			return 0;
		Sum s = new Sum(n - 1);
		s.fork();
		return s.join() + 1;
	}
}
class Act extends RecursiveAction {
	int left = 2;
	@Override protected void compute() { if (left-- > 0) invokeAll(new Act2(), new Act2()); }
}
class Act2 extends RecursiveAction { @Override protected void compute() { } }
class Count extends CountedCompleter<Item> {
	Count(CountedCompleter<?> p) { super(p); }
	@Override public void compute() { if (getCompleter() == null) { addToPendingCount(1); new Count(this).fork(); } tryComplete(); }
	@Override public void onCompletion(CountedCompleter<?> c) { }
	@Override public Item getRawResult() { return new Item(3); }
}
class Sub implements Subscriber<Item> {
	final CountDownLatch done = new CountDownLatch(1);
	@Override public void onSubscribe(Subscription s) { s.request(9); }
	@Override public void onNext(Item i) { i.half(); }
	@Override public void onError(Throwable t) { }
	@Override public void onComplete() { done.countDown(); }
}
class Inline implements Executor { @Override public void execute(Runnable r) { r.run(); } }
class Pool extends ThreadPoolExecutor {
	Pool() { super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Made(), new Rejected()); }
	@Override protected void beforeExecute(Thread t, Runnable r) { }
	@Override protected void afterExecute(Runnable r, Throwable t) { }
	@Override protected void terminated() { }
	@Override protected <T> RunnableFuture<T> newTaskFor(Callable<T> c) { return new Fut<>(c); }
}
class Made implements ThreadFactory { @Override public Thread newThread(Runnable r) { return new Named(r); } }
class Named extends Thread { final Runnable r; Named(Runnable r) { this.r = r; } @Override public void run() { r.run(); } }
class Rejected implements RejectedExecutionHandler { @Override public void rejectedExecution(Runnable r, ThreadPoolExecutor e) { r.run(); } }
class Fut<T> extends FutureTask<T> { Fut(Callable<T> c) { super(c); } @Override protected void done() { } @Override protected void set(T t) { super.set(t); } }
class Lazy extends ThreadLocal<Item> { @Override protected Item initialValue() { return new Item(1); } }
class Down extends InheritableThreadLocal<Item> { @Override protected Item childValue(Item i) { return new Item(i.n + 1); } }
class PerClass extends ClassValue<Item> { @Override protected Item computeValue(Class<?> c) { return new Item(7); } }

public class Flow {
	static final ThreadLocal<Item> LAZY = new Lazy(), WITH = ThreadLocal.withInitial(() -> new Item(8));
	static final Down DOWN = new Down();
	static final PerClass PER = new PerClass();

	static void streams() {
		Stream<Item> s = IntStream.range(0, 4).mapToObj(Item::new);
		Stream<Item> t = s.flatMap(Item::split);
		Stream<Item> u = t.peek(i -> i.half());
		u.collect(new Joiner()).half();
		Map<Boolean, Long> m = Stream.of(new Item(1), new Item(2)).collect(Collectors.partitioningBy(i -> i.n > 1, Collectors.counting()));
		m.size();
		Stream.of(new Item(1), new Item(1)).collect(Collectors.groupingBy(Item::half, TreeMap::new, Collectors.mapping(i -> new Item(i.n), Collectors.toSet())));
		Stream.of(new Item(1)).collect(Collectors.teeing(Collectors.summingInt(i -> i.n), Collectors.averagingInt(Item::half), (a, b) -> new Item(a)));
		Stream.of(new Item(1), new Item(2)).collect(Collectors.collectingAndThen(Collectors.toList(), l -> l.get(0)));
		Stream.of(new Item(1), new Item(2)).collect(() -> new ArrayList<Item>(), (l, i) -> l.add(i), (a, b) -> a.addAll(b));
		Stream.of(new Item(1), new Item(2)).collect(Collectors.toMap(i -> i, i -> i.n, (a, b) -> a, LinkedHashMap::new));
		Iterator<Item> it = Stream.of(new Item(1), new Item(2)).map(i -> new Item(i.n + 1)).iterator();
		while (it.hasNext())
			it.next().half();
		Spliterator<Item> sp = Stream.of(new Item(1)).filter(i -> i.n > 0).spliterator();
		sp.tryAdvance(i -> i.half());
		Stream.generate(() -> new Item(2)).takeWhile(i -> i.n < 0).toArray(Item[]::new);
		Stream.iterate(new Item(0), i -> i.n < 3, i -> new Item(i.n + 1)).mapToInt(i -> i.n).boxed().max(Comparator.comparing(x -> x));
		Stream.concat(Stream.of(new Item(1)), Stream.of(new Item(2))).sorted(Comparator.comparingInt(i -> i.n)).skip(1).findFirst().ifPresentOrElse(i -> i.half(), () -> { });
		Stream.of(new Item(1)).onClose(() -> new Item(1).half()).close();
		IntStream.of(1, 2).parallel().mapToObj(Item::new).reduce(0, (n, i) -> n + i.n, Integer::sum);
		Stream.of(new Item(4)).mapMulti((Item i, Consumer<Item> c) -> { c.accept(i); c.accept(new Item(1)); }).distinct().count();
		new Random(1).ints(3).filter(i -> i > 0).forEach(i -> new Item(i));
		"a b".chars().mapToObj(c -> new Item(c)).noneMatch(i -> i.n == 0);
		java.util.regex.Pattern.compile(" ").splitAsStream("a b").map(x -> new Item(x.length())).forEachOrdered(Item::half);
		java.util.regex.Pattern.compile("a").asPredicate().and(x -> x.length() > 0).negate().test("a");
		Function<Item, Item> f = i -> new Item(i.n + 1);
		f.andThen(i -> i.half()).compose((Integer n) -> new Item(n)).apply(4);
		Supplier<Item> sup = () -> new Item(1);
		Optional.<Item>empty().or(() -> Optional.of(sup.get())).flatMap(i -> Optional.of(new Item(2))).filter(i -> i.n > 1).stream().forEach(i -> i.half());
		BinaryOperator.minBy((Item a, Item b) -> a.n - b.n).apply(new Item(1), new Item(2));
	}
	static void futures() throws Exception {
		CompletableFuture<Item> a = new CompletableFuture<>(), b = CompletableFuture.completedFuture(new Item(1));
		CompletableFuture<Integer> c = a.thenCombine(b, (x, y) -> x.n + y.n).thenApply(n -> n + 1);
		CompletableFuture<Void> d = c.thenCompose(n -> CompletableFuture.supplyAsync(() -> new Item(n), new Inline())).thenAccept(i -> i.half());
		d.handle((v, t) -> new Item(2)).exceptionally(t -> new Item(3)).thenRun(() -> new Item(4));
		CompletableFuture<Item> bad = a.thenApply(i -> { throw new IllegalStateException(); });
		bad.exceptionally(t -> new Item(0)).thenAcceptBoth(b, (x, y) -> x.half());
		bad.whenCompleteAsync((i, t) -> { }, new Inline());
		a.applyToEither(b, i -> i.half());
		CompletableFuture.allOf(a, b).thenRun(() -> { });
		a.complete(new Item(5));
		a.obtrudeValue(new Item(6));
		c.get();
		b.copy().thenApplyAsync(i -> i.half()).get();
		CompletableFuture.runAsync(() -> new Item(1).half()).join();
		a.orTimeout(1, TimeUnit.SECONDS).completeAsync(() -> new Item(1)).join();
	}
	static void pools() throws Exception {
		Pool p = new Pool();
		p.submit((Callable<Item>) () -> new Item(1)).get();
		p.execute(() -> new Item(2).half());
		p.shutdown();
		p.submit(() -> { });
		p.awaitTermination(1, TimeUnit.SECONDS);
		new ForkJoinPool(2).submit(new Sum(3)).get();
		ForkJoinPool.commonPool().invoke(new Act());
		new Count(null).invoke();
		ForkJoinTask.adapt(() -> new Item(1).half()).invoke();
		ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
		CountDownLatch l = new CountDownLatch(2);
		s.scheduleAtFixedRate(() -> l.countDown(), 0, 1, TimeUnit.MILLISECONDS);
		l.await();
		s.shutdownNow();
		CompletionService<Item> cs = new ExecutorCompletionService<>(new Inline());
		cs.submit(() -> new Item(1));
		cs.take().get().half();
		SubmissionPublisher<Item> pub = new SubmissionPublisher<>(new Inline(), 4);
		Sub sub = new Sub();
		pub.subscribe(sub);
		pub.submit(new Item(1));
		pub.offer(new Item(2), (x, i) -> false);
		pub.close();
		sub.done.await();
		CyclicBarrier bar = new CyclicBarrier(1, () -> new Item(1).half());
		bar.await();
		Phaser ph = new Phaser(1) { @Override protected boolean onAdvance(int phase, int n) { return phase > 1; } };
		ph.arrive();
		new Exchanger<Item>();
		Executors.callable(() -> new Item(1).half(), new Item(1)).call();
		Executors.privilegedCallable(() -> new Item(3)).call();
	}
	static void locals() throws Exception {
		LAZY.get().half();
		WITH.get();
		WITH.remove();
		WITH.get();
		DOWN.set(new Item(1));
		Thread t = new Thread(() -> DOWN.get().half());
		t.start();
		t.join();
		PER.get(String.class).half();
		LongAccumulator acc = new LongAccumulator((a, b) -> a + new Item((int) b).half(), 0);
		acc.accumulate(4);
		new AtomicInteger().updateAndGet(i -> i + new Item(2).half());
		AtomicReferenceArray<Item> arr = new AtomicReferenceArray<>(2);
		arr.getAndUpdate(0, i -> new Item(3));
		arr.accumulateAndGet(0, new Item(2), (x, y) -> new Item(x.n + y.n));
	}
	public static void main(String[] args) throws Exception {
		streams();
		futures();
		pools();
		locals();
	}
}
