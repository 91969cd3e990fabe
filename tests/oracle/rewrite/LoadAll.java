// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads, verifies and initialises every class of a module, or of the class path, one after the other, and lists those that fail
 * with the kind of error. Usage: LoadAll SKIPPED OUTPUT [MODULE]
 */
public class LoadAll {
	/** Class names, or a prefix with a star; a # begins a comment. */
	static final Set<String> skipped = new TreeSet<>();

	static boolean isSkipped(String name) {
		if (skipped.contains(name))
			return true;
		for (String s : skipped)
			if (s.endsWith("*") && name.startsWith(s.substring(0, s.length() - 1)))
				return true;
		return false;
	}

	static void add(Set<String> names, String entry) {
		if (entry.endsWith(".class") && !entry.endsWith("-info.class") && !entry.startsWith("META-INF/"))
			names.add(entry.substring(0, entry.length() - 6).replace('/', '.'));
	}

	static Set<String> classesOf(String module) throws IOException {
		Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
		Set<String> names = new TreeSet<>();

		try (Stream<Path> files = Files.walk(root)) {
			files.forEach(p -> add(names, root.relativize(p).toString()));
		}
		return names;
	}

	static Set<String> classesOfClassPath() throws IOException {
		Set<String> names = new TreeSet<>();

		for (String part : System.getProperty("java.class.path").split(":")) {
			if (!part.endsWith(".jar"))
				continue;
			try (ZipFile jar = new ZipFile(part)) {
				for (ZipEntry e : Collections.list(jar.entries()))
					add(names, e.getName());
			}
		}
		return names;
	}

	/** Null, or what went wrong. */
	static String load(String name, ClassLoader loader) {
		boolean initialise = !isSkipped(name);

		try {
			Class.forName(name, initialise, loader).getDeclaredMethods();   /* links, if nothing else did */
			return null;
		} catch (Throwable t) {
			return t.getClass().getName();
		}
	}

	public static void main(String[] args) throws Exception {
		for (String line : Files.readAllLines(Path.of(args[0]))) {
			String name = line.replaceAll("#.*", "").trim();

			if (!name.isEmpty())
				skipped.add(name);
		}
		Set<String> names = args.length > 2 ? classesOf(args[2]) : classesOfClassPath();
		ClassLoader loader = args.length > 2 ? null : LoadAll.class.getClassLoader();
		List<String> failures = new ArrayList<>();

		for (String name : names) {
			if (System.getenv("LOADALL_VERBOSE") != null)
				System.err.println("LoadAll: " + name);
			String failure = load(name, loader);

			if (failure != null)
				failures.add(name + " " + failure);
		}
		try (PrintWriter out = new PrintWriter(args[1])) {
			failures.forEach(out::println);
			out.println(names.size() + " classes");
		}
		Runtime.getRuntime().halt(0);           /* whatever threads and hooks they left */
	}
}
