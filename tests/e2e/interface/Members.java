// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;

/** Compares a printed interface with what reflection says: Members FILE PACKAGE... (of java.base, all of it listed). */
public class Members {
	static final Map<String, Set<String>> methods = new TreeMap<>(), fields = new TreeMap<>();
	static final Set<String> packages = new HashSet<>();
	static int wrong, checked;

	public static void main(String[] args) throws Exception {
		for (String line : Files.readAllLines(Path.of(args[0])))
			read(line);
		Set<String> missing = new TreeSet<>();
		packages.addAll(Arrays.asList(args).subList(1, args.length));
		for (int k = 1; k < args.length; k++)
			for (String name : classes(args[k]))
				if (isPublic(load(name)) && !methods.containsKey(name))
					missing.add(name);
		if (!missing.isEmpty())
			complain("not in the interface: " + missing);
		for (String name : methods.keySet())
			check(load(name));
		System.out.println(checked + " members, " + wrong + " wrong");
		System.exit(wrong == 0 && checked > 0 ? 0 : 1);
	}

	static List<String> classes(String dotted) throws Exception {
		List<String> names = new ArrayList<>();
		Path folder = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base/" + dotted.replace('.', '/'));
		try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.class")) {
			for (Path f : files)
				if (!f.getFileName().toString().equals("package-info.class"))
					names.add(dotted + "." + f.getFileName().toString().replace(".class", ""));
		}
		return names;
	}

	static void read(String line) {
		int at = line.indexOf(' ');
		if (line.isEmpty() || line.startsWith("#") || at < 0)
			return;
		String word = line.substring(0, at), text = line.substring(at + 1);
		if (word.equals("class")) {
			methods.putIfAbsent(text, new TreeSet<>());
			fields.putIfAbsent(text, new TreeSet<>());
		} else if (word.equals("method") || word.equals("field")) {
			int end = text.indexOf('('), dot = text.lastIndexOf('.', end < 0 ? text.length() : end);
			(end < 0 ? fields : methods).get(text.substring(0, dot)).add(text.substring(dot + 1));
		}
	}

	static Class<?> load(String name) throws Exception {
		return Class.forName(name, false, ClassLoader.getSystemClassLoader());
	}

	static boolean isPublic(Class<?> c) {
		for (; c != null; c = c.getEnclosingClass())
			if (!Modifier.isPublic(c.getModifiers()) || c.isLocalClass() || c.isAnonymousClass() || c.isSynthetic())
				return false;
		return true;
	}

	static void complain(String what) {
		System.out.println(what);
		wrong++;
	}

	static String text(Method m) {
		return m.getName() + MethodType.methodType(m.getReturnType(), m.getParameterTypes()).toMethodDescriptorString();
	}

	static String text(Constructor<?> m) {
		return "<init>" + MethodType.methodType(void.class, m.getParameterTypes()).toMethodDescriptorString();
	}

	static Set<Class<?>> supertypes(Class<?> c, Set<Class<?>> into) {
		if (c == null || !into.add(c))
			return into;
		supertypes(c.getSuperclass(), into);
		for (Class<?> i : c.getInterfaces())
			supertypes(i, into);
		into.add(Object.class);
		return into;
	}

	/** Does the interface have the member, by way of the class or of a supertype? */
	static boolean has(Map<String, Set<String>> members, Class<?> c, String text) {
		checked++;
		for (Class<?> s : supertypes(c, new LinkedHashSet<>()))
			if (members.getOrDefault(s.getName(), Set.of()).contains(text))
				return true;
		return false;
	}

	/** Of the component: other classes are there because it hands out objects of them, with some of their methods. */
	static boolean isWhole(Class<?> c) {
		return packages.contains(c.getPackageName()) || c.getClassLoader() != null || c == Object.class;
	}

	/** Static members are for those who name the class that declares them, if they can. */
	static boolean isOfOther(Class<?> c, Member m) {
		return Modifier.isStatic(m.getModifiers()) && m.getDeclaringClass() != c && isPublic(m.getDeclaringClass());
	}

	static void check(Class<?> c) {
		boolean isWhole = isWhole(c);
		Set<String> all = new HashSet<>(), allFields = new HashSet<>();
		for (Method m : c.getMethods()) {
			all.add(text(m));
			if (isWhole && !m.isSynthetic() && !isOfOther(c, m) && !has(methods, c, text(m)))
				complain("missing: " + c.getName() + "." + text(m));
		}
		for (Constructor<?> m : c.getConstructors()) {
			if (Modifier.isAbstract(c.getModifiers()) || m.isSynthetic())
				continue;
			all.add(text(m));
			if (isWhole && c != Object.class && !methods.get(c.getName()).contains(text(m)))
				complain("missing: " + c.getName() + "." + text(m));
		}
		for (Field f : c.getFields()) {
			allFields.add(f.getName());
			if (isWhole && !f.isSynthetic() && !isOfOther(c, f) && !has(fields, c, f.getName()))
				complain("missing: " + c.getName() + "." + f.getName());
		}
		for (String m : methods.get(c.getName()))
			if (!all.contains(m))
				complain("no public member: " + c.getName() + "." + m);
		for (String f : fields.get(c.getName()))
			if (!allFields.contains(f))
				complain("no public member: " + c.getName() + "." + f);
	}
}
