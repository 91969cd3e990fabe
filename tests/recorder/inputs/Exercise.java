// SPDX-License-Identifier: Apache-2.0
// Goes through much of the JDK where native methods or the JVM itself call Java code or make objects:
// one short method a topic. The calls it makes are compared with the models in src/load/models.
import java.io.*;
import java.lang.invoke.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.text.*;
import java.time.*;
import java.time.format.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.regex.*;
import java.util.stream.*;
import java.util.zip.*;

public class Exercise {
	interface Topic {
		void run() throws Exception;
	}
	record Point(int x, String name) { }
	enum Color { RED, GREEN }

	static int seen;

	public static void main(String[] args) throws Exception {
		Topic[] topics = {
			Exercise::files, Exercise::channels, Exercise::missing, Exercise::threads, Exercise::groups, Exercise::pools,
			Exercise::timers, Exercise::sockets, Exercise::datagrams, Exercise::interfaces, Exercise::processes,
			Exercise::zips, Exercise::charsets, Exercise::locales, Exercise::regexes, Exercise::reflection,
			Exercise::proxies, Exercise::handles, Exercise::serial, Exercise::cleaners, Exercise::implicit,
			Exercise::traces, Exercise::walkers, Exercise::loaders, Exercise::arrays, Exercise::streams,
			Exercise::strings, Exercise::records, Exercise::modules, Exercise::properties, Exercise::access,
			Exercise::random,
		};
		for (Topic t : topics)
			attempt(t);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> seen++));
		Thread last = new Thread(() -> { throw new IllegalStateException("on purpose"); });
		last.setUncaughtExceptionHandler((t, e) -> seen++);
		last.start();
		last.join();
		Thread plain = new Thread(() -> { throw new IllegalStateException("on purpose"); });
		plain.start();
		plain.join();
	}

	/* A sandbox may forbid sockets or processes: that is no failure here. */
	static void attempt(Topic t) {
		try {
			t.run();
		} catch (Exception | LinkageError e) {
			System.out.println(e);
		}
	}

	static void files() throws Exception {
		Path dir = Files.createTempDirectory("exercise");
		Path file = dir.resolve("a.txt");
		Files.write(file, Arrays.asList("one", "two"));
		Files.readAllLines(file);
		Files.getLastModifiedTime(file);
		Files.readAttributes(file, PosixFileAttributes.class).owner().getName();
		Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
		Files.createSymbolicLink(dir.resolve("link"), file);
		Files.readSymbolicLink(dir.resolve("link"));
		Files.copy(file, dir.resolve("b.txt"));
		Files.move(dir.resolve("b.txt"), dir.resolve("c.txt"), StandardCopyOption.REPLACE_EXISTING);
		dir.toRealPath();
		Files.getFileStore(dir).getTotalSpace();
		Files.probeContentType(file);
		try (RandomAccessFile r = new RandomAccessFile(file.toFile(), "rw")) {
			r.seek(2);
			r.write(65);
			r.length();
		}
		try (Stream<Path> s = Files.walk(dir)) {
			s.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
		}
		File f = File.createTempFile("exercise", null);
		f.deleteOnExit();
		f.setLastModified(0);
		f.getFreeSpace();
		f.getCanonicalPath();
		f.getParentFile().list();
		File.listRoots();
	}

	static void channels() throws Exception {
		Path file = Files.createTempFile("exercise", null);
		try (FileChannel c = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			c.write(ByteBuffer.allocateDirect(16));
			c.map(FileChannel.MapMode.READ_WRITE, 0, 16).putLong(0, 1);
			c.lock().release();
			c.force(true);
			c.transferTo(0, 16, Channels.newChannel(new ByteArrayOutputStream()));
		}
		try (AsynchronousFileChannel a = AsynchronousFileChannel.open(file, StandardOpenOption.READ)) {
			a.read(ByteBuffer.allocate(4), 0).get();
		}
		Files.delete(file);
		try (WatchService w = FileSystems.getDefault().newWatchService()) {
			Paths.get(System.getProperty("java.io.tmpdir")).register(w, StandardWatchEventKinds.ENTRY_CREATE);
			w.poll();
		}
		Pipe p = Pipe.open();
		p.sink().write(ByteBuffer.wrap(new byte[2]));
		p.source().read(ByteBuffer.allocate(2));
		p.sink().close();
		p.source().close();
	}

	static void missing() {
		attempt(() -> new FileInputStream("/nowhere/at/all"));
		attempt(() -> new FileOutputStream("/nowhere/at/all"));
		attempt(() -> new RandomAccessFile("/nowhere/at/all", "r"));
		attempt(() -> Files.readAllBytes(Paths.get("/nowhere/at/all")));
		attempt(() -> Files.list(Paths.get("/nowhere")));
		attempt(() -> new File("/nowhere/at/all").createNewFile());
		attempt(() -> new ProcessBuilder("/nowhere/at/all").start());
		attempt(() -> new Socket("127.0.0.1", 1));
		attempt(() -> InetAddress.getByName("no.such.host.invalid"));
		attempt(() -> new Inflater().inflate(new byte[0]));
		attempt(() -> new GZIPInputStream(new ByteArrayInputStream(new byte[] { 1, 2 })));
		attempt(() -> new ZipFile("/nowhere/at/all"));
		attempt(() -> System.loadLibrary("nowhere"));
		attempt(() -> Class.forName("no.such.Class"));
		attempt(() -> new InflaterInputStream(new ByteArrayInputStream(new byte[] { 9, 9, 9, 9 })).read());
	}

	static void threads() throws Exception {
		ThreadLocal<String> local = ThreadLocal.withInitial(() -> "x");
		Thread t = new Thread(() -> { local.get(); synchronized (Exercise.class) { seen++; } }, "worker");
		t.setDaemon(true);
		t.setPriority(3);
		t.start();
		t.join();
		Thread sleeper = new Thread(() -> {
			try {
				Thread.sleep(10000);
			} catch (InterruptedException e) {
				seen++;
			}
		});
		sleeper.start();
		sleeper.interrupt();
		sleeper.join();
		Object lock = new Object();
		synchronized (lock) {
			lock.wait(1);
			lock.notifyAll();
		}
		Thread.getAllStackTraces();
		Thread.currentThread().getState();
		Thread.holdsLock(lock);
		new Thread(Thread.currentThread().getThreadGroup(), "sub") {
			@Override
			public void run() {
				seen++;
			}
		}.start();
	}

	static void groups() throws Exception {
		ThreadGroup g = new ThreadGroup("group") {
			@Override
			public void uncaughtException(Thread t, Throwable e) {
				seen++;
			}
		};
		Thread t = new Thread(g, () -> { throw new IllegalStateException("on purpose"); });
		t.start();
		t.join();
		g.activeCount();
		g.enumerate(new Thread[4]);
		Thread.setDefaultUncaughtExceptionHandler(null);
	}

	static void pools() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		pool.submit(() -> "x").get();
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.SECONDS);
		CompletableFuture.supplyAsync(() -> 1).thenApply(i -> i + 1).get();
		new ForkJoinPool(2).invoke(new RecursiveTask<Integer>() {
			@Override
			protected Integer compute() {
				return 1;
			}
		});
		IntStream.range(0, 1000).parallel().sum();
		new AtomicReference<>("a").compareAndSet("a", "b");
		AtomicReferenceFieldUpdater.newUpdater(Holder.class, String.class, "s").set(new Holder(), "s");
		new ConcurrentHashMap<>(Map.of("a", 1)).merge("a", 1, Integer::sum);
		java.util.concurrent.locks.LockSupport.parkNanos(1000);
	}

	static class Holder implements Serializable {
		volatile String s;
		transient int t = 1;

		private void writeObject(ObjectOutputStream o) throws IOException {
			o.defaultWriteObject();
		}

		private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
			i.defaultReadObject();
		}

		private Object readResolve() {
			return this;
		}
	}

	static void timers() throws Exception {
		CountDownLatch done = new CountDownLatch(2);
		Timer timer = new Timer(true);
		timer.schedule(new TimerTask() {
			@Override
			public void run() {
				done.countDown();
			}
		}, 1);
		ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
		s.schedule(done::countDown, 1, TimeUnit.MILLISECONDS);
		done.await(5, TimeUnit.SECONDS);
		s.shutdown();
		timer.cancel();
	}

	static void sockets() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Thread t = new Thread(() -> {
				try (Socket c = server.accept()) {
					c.getOutputStream().write(c.getInputStream().read());
				} catch (IOException e) {
					seen++;
				}
			});
			t.start();
			try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
				s.setTcpNoDelay(true);
				s.setSoTimeout(1000);
				s.getOutputStream().write(7);
				s.getInputStream().read();
				s.getRemoteSocketAddress().toString();
			}
			t.join();
		}
		try (Selector sel = Selector.open(); ServerSocketChannel c = ServerSocketChannel.open()) {
			c.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			c.configureBlocking(false);
			c.register(sel, SelectionKey.OP_ACCEPT);
			SocketChannel k = SocketChannel.open(c.getLocalAddress());
			sel.select(1000);
			SocketChannel a = c.accept();
			k.write(ByteBuffer.wrap(new byte[] { 1 }));
			a.read(ByteBuffer.allocate(1));
			k.close();
			a.close();
		}
	}

	static void datagrams() throws Exception {
		try (DatagramSocket a = new DatagramSocket(0, InetAddress.getLoopbackAddress());
		     DatagramChannel c = DatagramChannel.open()) {
			c.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			InetSocketAddress to = (InetSocketAddress)c.getLocalAddress();
			a.send(new DatagramPacket(new byte[1], 1, to.getAddress(), to.getPort()));
			c.receive(ByteBuffer.allocate(4));
		}
	}

	static void interfaces() throws Exception {
		for (NetworkInterface n : Collections.list(NetworkInterface.getNetworkInterfaces())) {
			n.isUp();
			n.getHardwareAddress();
			n.getInterfaceAddresses();
			Collections.list(n.getInetAddresses());
		}
		NetworkInterface.getByName("lo");
		NetworkInterface.getByIndex(1);
		InetAddress.getLocalHost().getCanonicalHostName();
		InetAddress.getByName("localhost").isReachable(10);
		InetAddress.getByName("::1").getHostName();
		ProxySelector.getDefault().select(URI.create("http://localhost/"));
	}

	static void processes() throws Exception {
		Process p = new ProcessBuilder("/bin/echo", "x").redirectErrorStream(true).start();
		p.getInputStream().read();
		p.waitFor();
		p.toHandle().info().command();
		ProcessHandle.current().info().user();
		ProcessHandle.current().children().count();
		ProcessHandle.allProcesses().count();
		p.onExit().get(1, TimeUnit.SECONDS);
	}

	static void zips() throws Exception {
		ByteArrayOutputStream b = new ByteArrayOutputStream();
		try (GZIPOutputStream z = new GZIPOutputStream(b)) {
			z.write("some text some text".getBytes());
		}
		new GZIPInputStream(new ByteArrayInputStream(b.toByteArray())).read();
		Path zip = Files.createTempFile("exercise", ".zip");
		try (ZipOutputStream z = new ZipOutputStream(Files.newOutputStream(zip))) {
			z.putNextEntry(new ZipEntry("a"));
			z.write(1);
			z.closeEntry();
		}
		try (ZipFile z = new ZipFile(zip.toFile())) {
			z.stream().forEach(e -> seen++);
			z.getInputStream(z.getEntry("a")).read();
		}
		try (FileSystem fs = FileSystems.newFileSystem(zip, (ClassLoader)null)) {
			Files.exists(fs.getPath("a"));
		}
		Files.delete(zip);
		CRC32 c = new CRC32();
		c.update(new byte[3]);
		new Adler32().update(ByteBuffer.allocateDirect(2));
	}

	static void charsets() throws Exception {
		"äöü€".getBytes("ISO-8859-15");
		new String("äöü".getBytes(StandardCharsets.UTF_16), StandardCharsets.UTF_16);
		java.nio.charset.Charset.availableCharsets().size();
		new InputStreamReader(new ByteArrayInputStream(new byte[] { 65 }), "windows-1252").read();
		Normalizer.normalize("é", Normalizer.Form.NFD);
	}

	static void locales() throws Exception {
		Locale.setDefault(Locale.GERMANY);
		String.format("%,d %.3f %tF %s", 12345, 1.5, new Date(0), Color.RED);
		NumberFormat.getInstance(Locale.FRANCE).parse("1,5");
		new SimpleDateFormat("EEEE MMMM", Locale.ITALY).format(new Date(0));
		Collator.getInstance().compare("a", "b");
		ZonedDateTime.of(2020, 1, 1, 0, 0, 0, 0, ZoneId.of("Europe/Paris"))
			.format(DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL));
		TimeZone.getDefault().getDisplayName();
		Currency.getInstance("EUR").getSymbol();
		Locale.setDefault(Locale.ROOT);
	}

	static void regexes() {
		Matcher m = Pattern.compile("(?<a>\\p{L}+)(\\d*|x(?=y))\\b", Pattern.UNICODE_CASE).matcher("abc12 de3");
		while (m.find())
			m.group("a");
		"a,b;c".split("[,;]");
		"aXbX".replaceAll("X(.?)", "$1");
	}

	static void reflection() throws Exception {
		Class<?> c = Class.forName("java.util.ArrayList");
		List<?> l = (List<?>)c.getConstructor().newInstance();
		Method m = c.getMethod("size");
		for (int i = 0; i < 20; i++)
			m.invoke(l);
		c.getDeclaredFields();
		c.getDeclaredClasses();
		c.getDeclaredMethod("grow", int.class).getGenericReturnType();
		Field f = Holder.class.getDeclaredField("t");
		f.setInt(new Holder(), 2);
		Topic.class.getAnnotations();
		FunctionalInterface.class.getAnnotation(java.lang.annotation.Retention.class).value();
		Point.class.getRecordComponents();
		Exercise.class.getNestMembers();
		Map.Entry.class.getDeclaringClass();
		new Object() { }.getClass().getEnclosingMethod();
		c.getInterfaces();
		c.getTypeParameters();
		Array.newInstance(String.class, 2, 3);
		Array.set(new int[1], 0, 5);
		m.getParameters();
		Color.valueOf("RED");
		attempt(() -> Exercise.class.getDeclaredMethod("fail").invoke(null));
	}

	static void fail() {
		throw new IllegalArgumentException("on purpose");
	}

	static void proxies() {
		Topic t = (Topic)java.lang.reflect.Proxy.newProxyInstance(Exercise.class.getClassLoader(), new Class<?>[] { Topic.class },
			(p, m, a) -> { seen++; return null; });
		attempt(t);
		t.hashCode();
	}

	static void handles() throws Exception {
		MethodHandles.Lookup l = MethodHandles.lookup();
		try {
			MethodHandle h = l.findVirtual(String.class, "length", MethodType.methodType(int.class));
			int n = (int)h.invokeExact("abc");
			seen += n + (int)h.bindTo("x").invoke();
			MethodHandles.filterReturnValue(h, l.findStatic(Integer.class, "toString",
				MethodType.methodType(String.class, int.class))).invoke("abc");
			l.findConstructor(ArrayList.class, MethodType.methodType(void.class)).invoke();
			l.unreflect(String.class.getMethod("trim")).invoke("x ");
			MethodHandleProxies.asInterfaceInstance(Supplier.class, MethodHandles.constant(Object.class, "x")).get();
		} catch (Throwable e) {
			throw new IllegalStateException(e);
		}
		VarHandle v = l.findVarHandle(Holder.class, "s", String.class);
		v.compareAndSet(new Holder(), null, "x");
		MethodHandles.arrayElementVarHandle(int[].class).getVolatile(new int[1], 0);
	}

	static void serial() throws Exception {
		ByteArrayOutputStream b = new ByteArrayOutputStream();
		ObjectOutputStream o = new ObjectOutputStream(b);
		o.writeObject(new Holder());
		o.writeObject(new ArrayList<>(List.of(1, "x", Color.RED, new int[2])));
		o.writeObject(new Point(1, "p"));
		o.writeObject((Supplier<String> & Serializable)() -> "lambda");
		o.flush();
		ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray()));
		for (int k = 0; k < 4; k++)
			i.readObject();
	}

	@SuppressWarnings("removal")
	static class Finalized {
		@Override
		protected void finalize() {
			seen++;
		}
	}

	static void cleaners() throws Exception {
		ReferenceQueue<Object> q = new ReferenceQueue<>();
		Reference<?>[] refs = { new WeakReference<>(new Object(), q), new PhantomReference<>(new Object(), q),
					new SoftReference<>(new Object(), q) };
		Cleaner.create().register(new Object(), () -> seen++);
		new Finalized();
		new WeakHashMap<Object, Object>().put(new Object(), 1);
		for (int i = 0; i < 3; i++) {
			System.gc();
			System.runFinalization();
			q.remove(50);
		}
		refs[0].get();
		refs[1].refersTo(null);
		ByteBuffer.allocateDirect(10);
	}

	static int depth(int n) {
		return depth(n + 1) + 1;
	}

	static void caught(Runnable r) {
		try {
			r.run();
		} catch (RuntimeException | Error e) {
			e.getStackTrace();
			e.getMessage();
		}
	}

	static void implicit() {
		Object[] box = { null, "x" };
		int[] zero = { 0 };
		caught(() -> box[0].hashCode());
		caught(() -> zero[0] = 1 / zero[0]);
		caught(() -> box[2] = null);
		caught(() -> box[0] = (Integer)box[1]);
		caught(() -> ((Object[])new Integer[1])[0] = "x");
		caught(() -> box[0] = new int[zero[0] - 1]);
		caught(() -> depth(0));
		caught(() -> box[0] = new long[Integer.MAX_VALUE]);
		caught(Bad::touch);
		caught(Bad::touch);
		caught(() -> box.notify());
		caught(() -> zero.clone()[1]++);
		caught(() -> Unlinked.go());
	}

	static class Bad {
		static final int VALUE = Integer.parseInt("no number");

		static void touch() {
			seen += VALUE;
		}
	}

	static class Unlinked {
		static void go() {
			throw new NoClassDefFoundError("on purpose");
		}
	}

	static void traces() {
		Throwable t = new IllegalStateException("a", new IOException("b"));
		t.addSuppressed(new Exception("c"));
		StringWriter w = new StringWriter();
		t.printStackTrace(new PrintWriter(w));
		t.getStackTrace()[0].toString();
		Thread.currentThread().getStackTrace();
	}

	static void walkers() {
		StackWalker w = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
		w.walk(s -> s.map(StackWalker.StackFrame::getMethodName).collect(Collectors.toList()));
		w.forEach(f -> f.toStackTraceElement());
		w.getCallerClass();
	}

	static class Loader extends ClassLoader {
		Loader() {
			super(null);
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			try (InputStream i = Exercise.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
				byte[] b = i.readAllBytes();
				return defineClass(name, b, 0, b.length);
			} catch (IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static void loaders() throws Exception {
		new Loader().loadClass("Exercise$Finalized").getDeclaredConstructor().newInstance();
		ClassLoader.getSystemClassLoader().getResource("Exercise.class").openStream().close();
		new URLClassLoader(new URL[0]).close();
		ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).forEach(p -> seen++);
		ResourceBundle.getBundle("sun.launcher.resources.launcher").getKeys();
		Exercise.class.getPackage().getName();
		Exercise.class.getProtectionDomain().getCodeSource();
		MethodHandles.lookup().ensureInitialized(Color.class);
	}

	static void arrays() {
		Object[] a = { "b", "a" };
		Object[] b = a.clone();
		System.arraycopy(a, 0, b, 0, 2);
		Arrays.sort(b);
		Arrays.copyOf(a, 5);
		new ArrayList<>(List.of(2, 1)).sort(null);
		new HashMap<>(Map.of("a", 1)).clone();
		new TreeMap<>(Map.of("a", 1)).headMap("b").size();
		new EnumMap<>(Map.of(Color.RED, 1)).size();
		EnumSet.allOf(Color.class);
		new PriorityQueue<>(List.of(3, 1)).poll();
		new int[2][3].clone();
	}

	static void streams() {
		Stream.of("a", "bb", "c").collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.joining(",")));
		IntStream.range(0, 10).boxed().sorted(Comparator.reverseOrder()).limit(3).toArray();
		Stream.iterate(1, i -> i * 2).limit(5).reduce(0, Integer::sum);
		Optional.of("x").map(String::trim).orElseGet(() -> "y");
	}

	static void strings() {
		StringBuilder b = new StringBuilder("x").append(1).append(1.5).reverse();
		String s = ("a" + b + seen + 'c' + 1L).intern();
		switch (s) {
		case "a" -> seen++;
		default -> seen += s.hashCode();
		}
		s.chars().sum();
		" x ".strip().repeat(3).toUpperCase(Locale.ROOT).compareTo("X");
		String.join(",", List.of("a", "b"));
		new Scanner("1 2").nextInt();
		new StringTokenizer("a b").nextToken();
		Double.parseDouble("1.5e3");
		new java.math.BigDecimal("1.50").divide(new java.math.BigDecimal(3), java.math.RoundingMode.UP);
		new java.math.BigInteger("123456789012345678901234567890").pow(20).toString();
		Base64.getEncoder().encode(new byte[3]);
		UUID.nameUUIDFromBytes(new byte[2]);
	}

	static void records() {
		Object o = new Point(1, "x");
		o.hashCode();
		o.equals(new Point(1, "y"));
		o.toString();
		if (o instanceof Point p)
			seen += p.x();
	}

	static void modules() {
		Module m = Exercise.class.getModule();
		m.isNamed();
		Object.class.getModule().getDescriptor().requires();
		ModuleLayer.boot().modules().size();
		m.addReads(Object.class.getModule());
		Object.class.getModule().getPackages();
	}

	static void properties() {
		System.getProperties().list(new PrintStream(new ByteArrayOutputStream()));
		System.getenv();
		System.setProperty("exercise", "1");
		Runtime.version().feature();
		Runtime.getRuntime().totalMemory();
		java.util.logging.Logger.getLogger("exercise").fine("x");
		System.getLogger("exercise").log(System.Logger.Level.DEBUG, "x");
		System.identityHashCode(System.console());
	}

	@SuppressWarnings("removal")
	static void access() throws Exception {
		java.security.AccessController.doPrivileged((java.security.PrivilegedAction<Object>)() -> seen++);
		java.security.MessageDigest.getInstance("SHA-256").digest(new byte[4]);
		java.security.AccessController.getContext();
		java.security.KeyStore.getInstance("PKCS12").load(null, null);
	}

	static void random() throws Exception {
		new Random(1).nextGaussian();
		new java.security.SecureRandom().nextInt();
		ThreadLocalRandom.current().nextInt(3);
		Math.random();
	}
}
