// SPDX-License-Identifier: Apache-2.0
// What is called back for text: by builders, formatters, streams, messages of exceptions, loggers and formats. tests/oracle/callbacks.sh runs it under a
// recorder.
package texts;
import java.io.*;
import java.nio.*;
import java.nio.charset.*;
import java.text.*;
import java.util.*;
import java.util.logging.Handler; import java.util.logging.*;import java.util.Formatter;

class Chars implements CharSequence {
	@Override public int length() { return 3; }
	@Override public char charAt(int i) { return (char) ('a' + i); }
	@Override public CharSequence subSequence(int a, int b) { return new Chars(); }
	@Override public String toString() { return "abc"; }
	@Override public boolean isEmpty() { return false; }
	@Override public java.util.stream.IntStream chars() { return CharSequence.super.chars(); }
}
class Name {
	@Override public String toString() { return "name"; }
}
class Shown implements Formattable {
	@Override public void formatTo(Formatter f, int flags, int w, int p) { f.format("%s", new Name()); }
}
class Sink implements Appendable {
	@Override public Appendable append(CharSequence s) { return this; }
	@Override public Appendable append(CharSequence s, int a, int b) { return this; }
	@Override public Appendable append(char c) { return this; }
}
class Screen extends PrintStream {
	Screen() { super(new Hole()); }
	@Override public void println(Object o) { super.println("[" + o + "]"); }
	@Override public void println(String s) { super.println(s); }
	@Override public void write(byte[] b, int o, int n) { super.write(b, o, n); }
	@Override public void print(String s) { super.print(s); }
	@Override public void flush() { super.flush(); }
}
class Hole extends OutputStream {
	@Override public void write(int b) { }
	@Override public void write(byte[] b, int o, int n) { }
	@Override public void flush() { }
	@Override public void close() { }
}
class Upper extends FilterWriter {
	Upper(Writer w) { super(w); }
	@Override public void write(int c) throws IOException { super.write(c); }
	@Override public void write(String s, int o, int n) throws IOException { super.write(s, o, n); }
}
class Slow extends Reader {
	int left = 9;
	@Override public int read(char[] c, int o, int n) { if (left-- <= 0) return -1; c[o] = '\n'; return 1; }
	@Override public void close() { }
	@Override public boolean ready() { return true; }
}
class Bytes extends InputStream {
	int left = 20;
	@Override public int read() { return left-- > 0 ? 65 : -1; }
	@Override public int available() { return 1; }
}
class Odd extends RuntimeException {
	final String why;
	Odd(String why, Throwable t) { super(why, t); this.why = why; }
	@Override public String getMessage() { return why + new Name(); }
	@Override public String toString() { return "Odd " + getLocalizedMessage(); }
	@Override public StackTraceElement[] getStackTrace() { return new StackTraceElement[0]; }
	@Override public synchronized Throwable getCause() { return super.getCause(); }
	@Override public void printStackTrace(PrintStream s) { super.printStackTrace(s); }
}
class Fmt extends Format {
	@Override public StringBuffer format(Object o, StringBuffer b, FieldPosition p) { return b.append(o); }
	@Override public Object parseObject(String s, ParsePosition p) { p.setIndex(1); return new Name(); }
}
class Num extends NumberFormat {
	@Override public StringBuffer format(double d, StringBuffer b, FieldPosition p) { return b; }
	@Override public StringBuffer format(long d, StringBuffer b, FieldPosition p) { return b; }
	@Override public Number parse(String s, ParsePosition p) { p.setIndex(1); return 1; }
}
class Whole extends Number {
	@Override public int intValue() { return 1; }
	@Override public long longValue() { return 1; }
	@Override public float floatValue() { return 1; }
	@Override public double doubleValue() { return 1; }
}
class Lines extends java.util.logging.Formatter {
	@Override public String format(LogRecord r) { return formatMessage(r); }
}
class Book extends Handler {
	Book() { setFormatter(new Lines()); setFilter(r -> r.getLevel() == Level.INFO); setErrorManager(new Err()); }
	@Override public void publish(LogRecord r) { if (isLoggable(r)) { getFormatter().format(r); reportError("x", null, 0); } }
	@Override public void flush() { }
	@Override public void close() { }
}
class Err extends ErrorManager { @Override public void error(String m, Exception e, int c) { } }
class Words extends ListResourceBundle {
	@Override protected Object[][] getContents() { return new Object[][] { { "k", new Name() } }; }
}
class Props extends Properties {
	@Override public synchronized Object put(Object k, Object v) { return super.put(k, v); }
	@Override public String getProperty(String k) { return super.getProperty(k); }
}
class Gate implements FileFilter { @Override public boolean accept(File f) { return f.isFile(); } }
class OwnFile extends File { OwnFile(String n) { super(n); } @Override public String getPath() { return super.getPath(); } @Override public boolean isDirectory() { return false; } }

public class Texts {
	static void builders() throws Exception {
		new StringBuilder().append(new Chars()).append(new Chars(), 0, 2).insert(0, new Chars()).append((Object) new Name());
		new StringBuffer().append(new Chars()).append(new Name());
		String.join("", List.of(new Chars()));
		String.join(new Chars(), "a", "b");
		new StringJoiner(new Chars()).add(new Chars()).toString();
		"abc".contains(new Chars());
		"abc".replace(new Chars(), "x");
		"abc".contentEquals(new Chars());
		String.valueOf((Object) new Chars());
		"x".concat(new Chars().toString());
		CharSequence.compare(new Chars(), new Chars());
		java.util.regex.Pattern.matches("a.*", new Chars());
		java.util.regex.Pattern.compile("b").split(new Chars());
		java.util.regex.Pattern.compile("b").matcher(new Chars()).results().map(r -> r.group()).count();
		Integer.parseInt(new Numbers(), 0, 1, 10);
		CharBuffer.wrap(new Chars()).toString();
		new Chars().chars().sum();
		new Chars().codePoints().count();
		String s = "x" + new Name() + new Chars() + 1;
		String.format("%s %10s %S %b %h", new Name(), new Shown(), new Name(), new Name(), new Name());
		"%s".formatted(new Name());
		new java.util.Formatter(new Sink()).format("%s%n", new Shown()).flush();
		Objects.toString(new Name(), "");
		StringBuilder b = new StringBuilder();
		b.compareTo(new StringBuilder(new Chars()));
		new PrintWriter(new Upper(new StringWriter())).append(new Chars()).printf("%s", new Name()).println(new Name());
		new CharArrayWriter().append(new Chars());
		Character.codePointAt(new Chars(), 0);
		java.time.format.DateTimeFormatter.ISO_DATE.parse(new Date1(), p -> java.time.LocalDate.from(p));
		java.time.LocalDate.now().with(t -> t).query(t -> new Name());
		Normalizer.normalize(new Chars(), Normalizer.Form.NFC);
	}
	static void streams() throws Exception {
		PrintStream was = System.out;
		System.setOut(new Screen());
		System.out.println(new Name());
		System.out.println("x");
		System.out.print((Object) new Name());
		System.out.printf("%s", new Name());
		System.setOut(was);
		new PrintStream(new Hole()).println('c');
		new BufferedWriter(new Upper(new StringWriter())).append("x").close();
		new BufferedReader(new Slow()).lines().map(String::length).count();
		new LineNumberReader(new Slow()).readLine();
		new InputStreamReader(new Bytes()).read();
		new DataInputStream(new Bytes()).readInt();
		new Bytes().readAllBytes();
		new Bytes().transferTo(new Hole());
		new SequenceInputStream(new Bytes(), new Bytes()).skip(30);
		new Scanner(new Bytes()).next();
		new StreamTokenizer(new Slow()).nextToken();
		new ObjectOutputStream(new Hole()).writeInt(1);
		new java.util.zip.GZIPOutputStream(new Hole()).close();
		new java.util.zip.CheckedInputStream(new Bytes(), new Sum()).read();
		try { new java.util.zip.GZIPInputStream(new Bytes()).read(); } catch (IOException e) { }
		new Slow().transferTo(new Upper(new StringWriter()));
		new Props().load(new Slow());
		new Props().store(new Hole(), "x");
		Props p = new Props();
		p.load(new StringReader("a=b"));
		p.getProperty("a", "");
		p.list(new Screen());
		p.forEach((k, v) -> k.toString());
		new File(".").listFiles(new Gate());
		new OwnFile(".").listFiles((FileFilter) f -> f.isFile());
		new FileReader(new File("in.txt")).close();
		new OwnFile("a").compareTo(new OwnFile("b"));
		java.nio.channels.Channels.newChannel(new Bytes()).read(ByteBuffer.allocate(4));
		StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(new byte[2]));
		java.nio.file.Files.walkFileTree(java.nio.file.Path.of("."), new Visit());
		java.nio.file.Files.newDirectoryStream(java.nio.file.Path.of("."), x -> true).forEach(x -> x.toString());
		java.nio.file.Files.find(java.nio.file.Path.of("."), 1, (x, a) -> true).count();
	}
	static void throwing() {
		PrintStream was = System.err;
		System.setErr(new Screen());
		Odd o = new Odd("a", new Odd("b", null));
		o.addSuppressed(new Odd("c", null));
		o.printStackTrace();
		o.printStackTrace(new PrintWriter(new StringWriter()));
		new RuntimeException(new Odd("d", null)).printStackTrace();
		new IllegalStateException("x", new Odd("e", null)).toString();
		new RuntimeException(new Odd("g", null)).getMessage();
		Thread t = new Thread(() -> { throw new Odd("f", null); });
		t.start();
		try { t.join(); } catch (InterruptedException e) { }
		Thread u = new Thread(new Group(), () -> { throw new Odd("f", null); });
		u.start();
		try { u.join(); } catch (InterruptedException e) { }
		System.setErr(was);
		try { Objects.requireNonNull(null, () -> "x" + new Name()); } catch (NullPointerException e) { e.getMessage(); }
		try { throw new Error(new Name().toString()); } catch (Error e) { e.toString(); }
		try { assert false : new Name(); } catch (AssertionError e) { e.getMessage(); }
		new AssertionError(new Name()).toString();
	}
	static void formats() throws Exception {
		MessageFormat m = new MessageFormat("{0} {1}");
		m.setFormatByArgumentIndex(0, new Fmt());
		m.format(new Object[] { new Name(), new Whole() });
		m.parse("x y");
		new Fmt().format(new Name());
		new Fmt().parseObject("x");
		new Num().format(1.5);
		new Num().parse("1");
		new DecimalFormat("#").format(new Whole());
		new ChoiceFormat("0#a|1#b").format(new Whole());
		new SimpleDateFormat("yyyy") { { setNumberFormat(new Num()); } }.format(new Date(0));
		Logger l = Logger.getLogger("texts");
		l.setUseParentHandlers(false);
		l.addHandler(new Book());
		l.info(() -> "x" + new Name());
		l.log(Level.INFO, "{0}", new Name());
		l.setFilter(r -> r.getMessage() != null);
		l.warning("x");
		new Words().getObject("k").toString();
		new Words().getKeys().nextElement();
		new BitSet().stream().forEach(i -> { });
		new java.math.BigDecimal(1).equals(new Whole());
		new BreakText().go();
		UUID.nameUUIDFromBytes(new byte[1]).compareTo(UUID.randomUUID());
		Locale.getDefault().equals(new Name());
		Calendar c = new GregorianCalendar() { @Override public void add(int f, int n) { super.add(f, n); } @Override protected void computeFields() { super.computeFields(); } };
		c.add(Calendar.DATE, 1);
		c.getTime();
		c.roll(Calendar.DATE, 2);
		new TimeZ().inDaylightTime(new Date());
		SimpleDateFormat f = new SimpleDateFormat("yyyy z");
		f.setTimeZone(new TimeZ());
		f.format(new Date(1));
	}
	public static void main(String[] args) throws Exception {
		new FileWriter("in.txt").close();
		builders();
		streams();
		throwing();
		formats();
	}
}
class Group extends ThreadGroup { Group() { super("g"); } @Override public void uncaughtException(Thread t, Throwable e) { super.uncaughtException(t, e); } }
class Numbers extends Chars { @Override public char charAt(int i) { return '1'; } }
class Date1 implements CharSequence {
	@Override public int length() { return 10; }
	@Override public char charAt(int i) { return "2020-01-02".charAt(i); }
	@Override public CharSequence subSequence(int a, int b) { return "2020-01-02".substring(a, b); }
	@Override public String toString() { return "2020-01-02"; }
}
class Sum implements java.util.zip.Checksum { public void update(int b) { } public void update(byte[] b, int o, int n) { } public long getValue() { return 0; } public void reset() { } }
class Visit extends java.nio.file.SimpleFileVisitor<java.nio.file.Path> {
	@Override public java.nio.file.FileVisitResult visitFile(java.nio.file.Path p, java.nio.file.attribute.BasicFileAttributes a) { return java.nio.file.FileVisitResult.TERMINATE; }
	@Override public java.nio.file.FileVisitResult preVisitDirectory(java.nio.file.Path p, java.nio.file.attribute.BasicFileAttributes a) throws IOException { return super.preVisitDirectory(p, a); }
}
class BreakText { void go() { BreakIterator b = BreakIterator.getWordInstance(); b.setText(new Own()); b.first(); b.next(); } }
class Own implements CharacterIterator {
	int i;
	public char first() { i = 0; return current(); }
	public char last() { i = 2; return current(); }
	public char current() { return i < 3 ? "a b".charAt(i) : DONE; }
	public char next() { i = Math.min(3, i + 1); return current(); }
	public char previous() { i = Math.max(0, i - 1); return current(); }
	public char setIndex(int p) { i = p; return current(); }
	public int getBeginIndex() { return 0; }
	public int getEndIndex() { return 3; }
	public int getIndex() { return i; }
	public Object clone() { return new Own(); }
}
class TimeZ extends TimeZone {
	@Override public int getOffset(int e, int y, int m, int d, int w, int ms) { return 0; }
	@Override public void setRawOffset(int o) { }
	@Override public int getRawOffset() { return 0; }
	@Override public boolean useDaylightTime() { return false; }
	@Override public boolean inDaylightTime(Date d) { return false; }
	@Override public String getDisplayName(boolean b, int s, Locale l) { return "Z"; }
}
