// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.OfflineInstrumentationAccessGenerator;

/* Offline FROM TO: JaCoCo's probes in the class files of a folder, without an agent. */
public class Offline {
	public static void main(String[] args) throws IOException {
		Path from = Path.of(args[0]), to = Path.of(args[1]);
		Instrumenter probes = new Instrumenter(new OfflineInstrumentationAccessGenerator());
		List<Path> files;
		try (Stream<Path> all = Files.walk(from)) {
			files = all.filter(f -> f.toString().endsWith(".class")).collect(Collectors.toList());
		}
		for (Path f : files) {
			Path out = to.resolve(from.relativize(f));
			Files.createDirectories(out.getParent());
			Files.write(out, probes.instrument(Files.readAllBytes(f), f.toString()));
		}
	}
}
