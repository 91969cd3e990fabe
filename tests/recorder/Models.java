// SPDX-License-Identifier: Apache-2.0
// Models.java JDK.MODEL - checks the models of native methods against the JDK that runs this:
//   a model of a native method reads parameters that exist, as the right kind,
//   its calls are static where the callee is, and
//   every native method of java.base that returns an object has a model, or is one that sherd lists instead.
// What does not exist in this JDK is skipped: one file serves all releases. Run:
//   java tests/recorder/Models.java src/load/models/jdk.model
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

public class Models {
	static final Pattern HEAD = Pattern.compile("method (\\S+)\\.([^.:]+):(\\S+) \\{");
	static final Pattern PARAM = Pattern.compile("(?:(int|long|float|double) )?v\\d+ = param (\\d+)");
	static final Pattern CALL = Pattern.compile("call\\.(\\w+) (?:interface )?(\\S+)\\.([^.:]+):(\\S+)");
	static final Pattern LISTED = Pattern.compile("java/lang/invoke/(Method|Var)Handle\\..*|.*/Unsafe\\.(allocateInstance|get|compareAnd).*|"
		+ ".*(AccessorImpl|NativeAccessor)\\.(invoke0|newInstance0):.*");

	static int models, checked, natives, wrong;

	public static void main(String[] args) throws Exception {
		Set<String> have = checkModels(Files.readAllLines(Path.of(args[0])));
		checkNatives(have);
		System.out.printf("%d models, %d of methods in this JDK; %d natives of java.base return objects; %d wrong%n",
			models, checked, natives, wrong);
		System.exit(wrong == 0 && checked > 0 && natives > 0 ? 0 : 1);
	}

	static void complain(String where, String what) {
		System.out.println(where + ": " + what);
		wrong++;
	}

	static Class<?> find(String name) {
		try {
			return Class.forName(name.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
		} catch (ClassNotFoundException | LinkageError e) {
			return null;
		}
	}

	static String descriptor(Method m) {
		return MethodType.methodType(m.getReturnType(), m.getParameterTypes()).toMethodDescriptorString();
	}

	static Method find(Class<?> c, String name, String desc) {
		for (; c != null; c = c.getSuperclass())
			for (Method m : c.getDeclaredMethods())
				if (m.getName().equals(name) && descriptor(m).equals(desc))
					return m;
		return null;
	}

	static Set<String> checkModels(List<String> lines) {
		Set<String> have = new HashSet<>();
		Method current = null;
		String name = "";
		for (String line : lines) {
			Matcher head = HEAD.matcher(line), param = PARAM.matcher(line), call = CALL.matcher(line);
			if (head.matches()) {
				name = head.group(1) + "." + head.group(2) + ":" + head.group(3);
				if (!have.add(name))
					complain(name, "two models");
				models++;
				current = find(find(head.group(1)), head.group(2), head.group(3));
				checked += current == null ? 0 : 1;
			} else if (param.find() && current != null) {
				checkParam(name, current, Integer.parseInt(param.group(2)), param.group(1));
			} else if (call.find()) {
				checkCall(name, call);
			}
		}
		return have;
	}

	static void checkParam(String name, Method m, int k, String kind) {
		int i = Modifier.isStatic(m.getModifiers()) ? k : k - 1;
		if (i >= m.getParameterCount())
			complain(name, "no parameter " + k);
		else if (!kindOf(i < 0 ? Object.class : m.getParameterTypes()[i]).equals(kind == null ? "object" : kind))
			complain(name, "parameter " + k + " has another kind");
	}

	static String kindOf(Class<?> c) {
		if (!c.isPrimitive())
			return "object";
		return c == long.class || c == float.class || c == double.class ? c.getName() : "int";
	}

	static void checkCall(String name, Matcher call) {
		Method m = find(find(call.group(2)), call.group(3), call.group(4));
		if (m != null && Modifier.isStatic(m.getModifiers()) != call.group(1).equals("static"))
			complain(name, "calls " + m + " as " + call.group(1));
	}

	static void checkNatives(Set<String> have) throws Exception {
		Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
		try (Stream<Path> files = Files.walk(root)) {
			for (Path p : (Iterable<Path>)files.filter(f -> f.toString().endsWith(".class"))::iterator) {
				String name = root.relativize(p).toString().replaceFirst("\\.class$", "");
				Class<?> c = name.equals("module-info") ? null : find(name);
				if (c != null)
					checkNatives(name, c, have);
			}
		}
	}

	static void checkNatives(String owner, Class<?> c, Set<String> have) {
		for (Method m : c.getDeclaredMethods()) {
			if (!Modifier.isNative(m.getModifiers()) || m.getReturnType().isPrimitive())
				continue;
			String name = owner + "." + m.getName() + ":" + descriptor(m);
			natives++;
			if (!have.contains(name) && !LISTED.matcher(name).matches())
				complain(name, "returns an object and has no model");
		}
	}
}
