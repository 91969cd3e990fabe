// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** A Java agent that retransforms without a change, and redefines with the class file in the folder -Dother. */
public class Changer {
	static Instrumentation in;

	public static void premain(String args, Instrumentation i) {
		in = i;
		i.addTransformer(new ClassFileTransformer() {
			@Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] bytes) {
				return "Changed".equals(name) ? bytes.clone() : null;
			}
		}, true);
	}

	static void retransform(Class<?> c) throws Exception {
		in.retransformClasses(c);
	}

	static void redefine(Class<?> c) throws Exception {
		in.redefineClasses(new ClassDefinition(c, Files.readAllBytes(Path.of(System.getProperty("other"), c.getName() + ".class"))));
	}
}
