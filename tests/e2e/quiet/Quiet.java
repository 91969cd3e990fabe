// SPDX-License-Identifier: Apache-2.0
// Ways by which an application takes part in what the JDK does for itself (src/analysis/pta/reach/quiet.def). Each class with a main() is
// a program of its own: objects that one has do not hide what another has not. Methods that the library calls say who called it, as in
// tests/e2e/application/Notes.java.
package quiet;

import java.io.*;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.net.*;
import java.nio.channels.*;
import java.nio.channels.spi.*;
import java.security.*;
import java.security.cert.CertificateFactory;
import java.util.*;
import java.util.jar.*;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;

class Trace {
	static boolean on = true;

	/** The method that calls this one was entered from the library. */
	static synchronized void entered() {
		if (!on)
			return;
		on = false;
		List<StackWalker.StackFrame> frames = StackWalker.getInstance().walk(s -> s.toList());
		StackWalker.StackFrame callee = frames.get(1);
		boolean library = false;
		String line = "later - 0 " + name(callee);
		for (StackWalker.StackFrame f : frames.subList(2, frames.size())) {
			if (f.getClassName().startsWith("quiet.")) {
				line = library ? "back " + name(f) + " " + f.getLineNumber() + " " + name(callee) : null;
				break;
			}
			library = true;
		}
		on = true;
		if (line != null)
			Out.OUT.println(line);
	}

	static String name(StackWalker.StackFrame f) {
		return f.getClassName() + "." + f.getMethodName();
	}
}

class Out {
	static final PrintStream OUT = System.out;
}

/** A channel of a file closes the stream that it comes from. */
class FileParent {
	static class In extends FileInputStream {
		In(String name) throws IOException { super(name); }
		@Override public void close() throws IOException {
			Trace.entered();
			super.close();
		}
	}

	public static void main(String[] args) throws Exception {
		new In("/dev/null").getChannel().close();
	}
}

/** A stream of a socket closes the socket. */
class SocketParent {
	static class Own extends Socket {
		Own() { super(); }
		@Override public synchronized void close() throws IOException {
			Trace.entered();
			super.close();
		}
	}

	public static void main(String[] args) throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Socket s = new Own();
			s.connect(server.getLocalSocketAddress());
			s.getInputStream().close();
		}
	}
}

/** Options of sockets are looked up. */
class Options {
	static class Own implements SocketOption<Integer> {
		@Override public String name() { return "own"; }
		@Override public Class<Integer> type() { return Integer.class; }
		@Override public int hashCode() {
			Trace.entered();
			return 1;
		}
		@Override public boolean equals(Object o) { return this == o; }
		@Override public String toString() {
			Trace.entered();
			return "own";
		}
	}

	public static void main(String[] args) throws Exception {
		try (ServerSocket s = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			s.setOption(new Own(), 1);
		} catch (UnsupportedOperationException e) {
			return;
		}
	}
}

/** Who waits in a selector is woken up. */
class Waiting {
	static class Own extends AbstractSelector {
		Own() { super(null); }
		@Override protected void implCloseSelector() { }
		@Override protected SelectionKey register(AbstractSelectableChannel c, int ops, Object o) { return null; }
		@Override public Set<SelectionKey> keys() { return null; }
		@Override public Set<SelectionKey> selectedKeys() { return null; }
		@Override public int selectNow() { return 0; }
		@Override public int select(long timeout) { return 0; }
		@Override public int select() {
			Thread waiting = Thread.currentThread();
			begin();
			new Thread(() -> waiting.interrupt()).start();
			while (!waiting.isInterrupted())
				Thread.onSpinWait();
			end();
			return 0;
		}
		@Override public Selector wakeup() {
			Trace.entered();
			return this;
		}
	}

	public static void main(String[] args) {
		new Own().select();
	}
}

/** Time zones ask dates for their time. */
class Zones {
	static class Day extends Date {
		@Override public long getTime() {
			Trace.entered();
			return 0;
		}
	}

	public static void main(String[] args) {
		TimeZone.getTimeZone("Europe/Paris").inDaylightTime(new Day());
	}
}

/** Numbers are made of bytes. */
class Numbers {
	static class Own extends SecureRandom {
		@Override public void nextBytes(byte[] b) {
			Trace.entered();
			super.nextBytes(b);
		}
	}

	public static void main(String[] args) throws Exception {
		new Own().nextInt();
	}
}

/** Certificates are read from streams. */
class Certificates {
	static class Own extends InputStream {
		@Override public int read() {
			Trace.entered();
			return -1;
		}
	}

	public static void main(String[] args) throws Exception {
		try {
			CertificateFactory.getInstance("X.509").generateCertificate(new Own());
		} catch (GeneralSecurityException e) {
			KeyStore.getInstance("JKS").load(null, null);
		}
	}
}

/** A server calls its handlers. */
class Serving {
	static class Own implements com.sun.net.httpserver.HttpHandler {
		@Override public void handle(com.sun.net.httpserver.HttpExchange e) throws IOException {
			Trace.entered();
			e.sendResponseHeaders(204, -1);
			e.close();
		}
	}

	public static void main(String[] args) throws Exception {
		com.sun.net.httpserver.HttpServer s = com.sun.net.httpserver.HttpServer.create(
				new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
		s.createContext("/", new Own());
		s.start();
		try (Socket c = new Socket(InetAddress.getLoopbackAddress(), s.getAddress().getPort())) {
			c.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes());
			c.getInputStream().read();
		}
		s.stop(0);
	}
}

/** Entries of archives say their names. */
class Archives {
	static class Entry extends JarEntry {
		Entry(String name) { super(name); }
		@Override public String getName() {
			Trace.entered();
			return super.getName();
		}
	}

	static class In extends JarInputStream {
		In(InputStream in) throws IOException { super(in); }
		@Override protected ZipEntry createZipEntry(String name) { return new Entry(name); }
	}

	public static void main(String[] args) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (JarOutputStream out = new JarOutputStream(bytes, new Manifest())) {
			out.putNextEntry(new ZipEntry("a"));
		}
		In in = new In(new ByteArrayInputStream(bytes.toByteArray()));
		while (in.getNextEntry() != null)
			in.closeEntry();
	}
}

/** Manifests have attributes. */
class Manifests {
	static class Own extends Attributes {
		@Override public int hashCode() {
			Trace.entered();
			return 1;
		}
		@Override public boolean equals(Object o) { return this == o; }
	}

	public static void main(String[] args) {
		Manifest m = new Manifest();
		m.getEntries().put("a", new Own());
		m.hashCode();
	}
}

/** Domains write their loaders. */
class Domains {
	static class Own extends ClassLoader {
		@Override public String toString() {
			Trace.entered();
			return "own";
		}
	}

	public static void main(String[] args) {
		new ProtectionDomain(null, null, new Own(), null).toString();
	}
}

/** Code that is combined of two. */
class Combiners {
	public static void main(String[] args) {
		DomainCombiner c = (current, assigned) -> {
			Trace.entered();
			return assigned;
		};
		AccessControlContext a = new AccessControlContext(AccessController.getContext(), c);
		AccessController.doPrivileged((PrivilegedAction<Object>) () -> AccessController.getContext(), a);
	}
}

/** Handlers of addresses, made by a lambda or a proxy. */
class Factories {
	static class Handler implements InvocationHandler {
		@Override public Object invoke(Object proxy, Method m, Object[] args) {
			Trace.entered();
			return null;
		}
	}

	public static void main(String[] args) throws Exception {
		URL.setURLStreamHandlerFactory((URLStreamHandlerFactory) java.lang.reflect.Proxy.newProxyInstance(Factories.class.getClassLoader(),
				new Class<?>[] { URLStreamHandlerFactory.class }, new Handler()));
		try {
			new URL("own:/x");
		} catch (MalformedURLException e) {
			return;
		}
	}
}

class LambdaFactories {
	public static void main(String[] args) throws Exception {
		URL.setURLStreamHandlerFactory(protocol -> {
			Trace.entered();
			return null;
		});
		try {
			new URL("own:/x");
		} catch (MalformedURLException e) {
			return;
		}
	}
}

/** Types are named by signatures, and loaded. */
class Loading {
	static class Named {
		List<Zones> get() { return null; }
	}

	static class Own extends ClassLoader {
		Own() { super(null); }
		@Override protected Class<?> findClass(String name) throws ClassNotFoundException {
			Trace.entered();
			try (InputStream in = Loading.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] b = in.readAllBytes();
				return defineClass(name, b, 0, b.length);
			} catch (IOException e) {
				throw new ClassNotFoundException(name);
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Class<?> c = new Own().loadClass("quiet.Loading$Named");
		c.getDeclaredMethod("get").toGenericString();
	}
}

/** Rules of time zones, of a service. */
class Rules {
	public static class Own extends java.time.zone.ZoneRulesProvider {
		@Override protected Set<String> provideZoneIds() {
			Trace.entered();
			return Set.of();
		}
		@Override protected java.time.zone.ZoneRules provideRules(String id, boolean isForCaching) { return null; }
		@Override protected NavigableMap<String, java.time.zone.ZoneRules> provideVersions(String id) { return null; }
	}

	public static void main(String[] args) {
		java.time.zone.ZoneRulesProvider.getAvailableZoneIds();
	}
}

/** Preferences, of a service. */
class Preferring {
	public static class Own implements java.util.prefs.PreferencesFactory {
		public Own() {
			Trace.entered();
		}
		@Override public java.util.prefs.Preferences systemRoot() { return null; }
		@Override public java.util.prefs.Preferences userRoot() { return null; }
	}

	public static void main(String[] args) {
		java.util.prefs.Preferences.userRoot();
	}
}

/** What the JDK tells goes to a stream of the application's. */
class Telling {
	static class Own extends OutputStream {
		@Override public void write(int b) {
			Trace.entered();
		}
	}

	public static void main(String[] args) {
		System.setErr(new PrintStream(new Own(), true));
		Logger log = Logger.getLogger("java.awt.event.Component");
		log.setLevel(Level.ALL);
		log.addHandler(new java.util.logging.ConsoleHandler());
		log.getHandlers()[0].setLevel(Level.ALL);
		java.awt.Component c = new java.awt.Container();
		c.dispatchEvent(new java.awt.event.ActionEvent(c, 0, ""));
	}
}

/** Events are logged. */
class Logging {
	static class Own extends java.awt.event.ActionEvent {
		Own(Object from) { super(from, 0, ""); }
		@Override public String paramString() {
			Trace.entered();
			return "own";
		}
		@Override public String toString() {
			Trace.entered();
			return "own";
		}
	}

	static class Component extends java.awt.Component {
	}

	public static void main(String[] args) {
		Logger log = Logger.getLogger("java.awt.event.Component");
		log.setLevel(Level.ALL);
		log.addHandler(new java.util.logging.ConsoleHandler());
		log.getHandlers()[0].setLevel(Level.ALL);
		Component c = new Component();
		c.dispatchEvent(new Own(c));
	}
}

/** What can be tried at one time: no type of one is of importance to what another one needs. */
class First {
	public static void main(String[] args) throws Exception {
		SocketParent.main(args);
		Waiting.main(args);
		Zones.main(args);
		Manifests.main(args);
	}
}

class Second {
	public static void main(String[] args) throws Exception {
		FileParent.main(args);
		Numbers.main(args);
		Domains.main(args);
	}
}

class Third {
	public static void main(String[] args) throws Exception {
		Certificates.main(args);
		Rules.main(args);
	}
}

/** What is serialised is read by methods of its own; what reflection calls is called. */
class Reflected implements Serializable {
	private static class Late {
		static int n;
		static {
			Trace.entered();
		}
	}

	private void writeObject(ObjectOutputStream out) throws IOException {
		Trace.entered();
	}

	public static void main(String[] args) throws Exception {
		new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Reflected());
		new java.beans.Statement(new Reflected(), "say", new Object[0]).execute();
		Field f = Late.class.getDeclaredField("n");
		f.setAccessible(true);
		f.getInt(null);
	}

	public void say() {
		Trace.entered();
	}
}

/** For `--application` with classes of the JDK: those that these calls come to by quiet methods, and others. */
class Asking {
	/** In the same map as all that the JDK has in maps, for an analysis that takes maps for one. */
	static class Key {
		@Override public int hashCode() {
			return 1;
		}
	}

	public static void main(String[] args) {
		new HashMap<Object, Object>().put(new Key(), "");
		TimeZone.getDefault();
		TimeZone.getTimeZone("Europe/Paris");
		new java.util.zip.Adler32().update(new byte[] { 1 });
	}
}

/** Formats of numbers of the application's own. */
class Formats {
	public static class Own extends java.text.spi.NumberFormatProvider {
		@Override public java.text.NumberFormat getNumberInstance(Locale locale) {
			Trace.entered();
			return new java.text.DecimalFormat("0");
		}

		@Override public java.text.NumberFormat getIntegerInstance(Locale locale) {
			return getNumberInstance(locale);
		}

		@Override public java.text.NumberFormat getPercentInstance(Locale locale) {
			return getNumberInstance(locale);
		}

		@Override public java.text.NumberFormat getCurrencyInstance(Locale locale) {
			return getNumberInstance(locale);
		}

		@Override public Locale[] getAvailableLocales() {
			return new Locale[] { Locale.forLanguageTag("xx") };
		}
	}

	public static void main(String[] args) {
		java.text.NumberFormat.getInstance(Locale.forLanguageTag("xx"));
	}
}

/** What alone is no part in initialisers of the JDK: a bundle that no logger has, a tool that is not looked up. Nothing is called back. */
class Alone {
	static class Texts extends ListResourceBundle {
		@Override protected Object[][] getContents() {
			return new Object[0][];
		}
	}

	static class Tool implements java.util.spi.ToolProvider {
		@Override public String name() {
			return "none";
		}

		@Override public int run(PrintWriter out, PrintWriter err, String... args) {
			return 0;
		}
	}

	static void run(Object... those) {
		new HashMap<Object, Object>().put(new Asking.Key(), those);
		java.net.InetAddress.getLoopbackAddress();
	}

	public static void main(String[] args) {
		run(new Texts(), new Tool());
	}
}

class WithLogger {
	public static void main(String[] args) {
		Logger.getAnonymousLogger().setResourceBundle(new Alone.Texts());
		Alone.run();
	}
}

class WithTools {
	public static void main(String[] args) {
		java.util.spi.ToolProvider.findFirst("none");
		Alone.run(new Alone.Tool());
	}
}
