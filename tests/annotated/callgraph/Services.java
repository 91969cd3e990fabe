// SPDX-License-Identifier: Apache-2.0
// Services: what ServiceLoader finds in META-INF/services and in modules of the JDK, each service by itself.
// resource: META-INF/services/services.Shape META-INF/services/services.Animal META-INF/services/services.Plugin
package services;

import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;

/* META-INF/services/services.Shape:
# shapes
services.Circle
  services.Square   # with a comment
services.Ghost
services.Wrong
services.Shy
services.Sketch
services.Circle
*/

/* META-INF/services/services.Animal:
services.Dog
*/

/* META-INF/services/services.Plugin:
services.First
services.Second
*/

interface Shape {
	void draw();
}

class Circle implements Shape {
	static int count = Services.initialised();

	public Circle() {
	}

	public void draw() {
	}
}

class Square implements Shape {
	public Square() {
	}

	// Only modules have their providers made so.
	public static Shape provider() {
		return new Circle();
	}

	public void draw() {
	}
}

class Wrong {
	public Wrong() {
	}
}

class Shy implements Shape {
	private Shy() {
	}

	public void draw() {
	}
}

abstract class Sketch implements Shape {
	public Sketch() {
	}
}

class Unlisted implements Shape {
	public void draw() {
	}
}

abstract class Animal {
	abstract void speak();
}

class Dog extends Animal {
	public Dog() {
	}

	void speak() {
	}
}

interface Plugin {
	void start();
}

class First implements Plugin {
	public First() {
	}

	public void start() {
		new Helper().help();
	}
}

class Second implements Plugin {
	public Second() {
	}

	public void start() {
	}
}

class Helper {
	void help() {
	}
}

interface Nothing {
	void none();
}

public class Services {
	static int initialised() {
		return 1;
	}

	static void loops() {
		for (Shape s : ServiceLoader.load(Shape.class)) // resolved ; reached: usual={Circle.<init> Square.<init> Circle.<clinit> Services.initialised} ; unreached: usual={Wrong.<init> Shy.<init> Sketch.<init>} ; unreached: rta={Square.provider} ; unreached: andersen={Square.provider}
			s.draw(); // calls: rta={Circle.draw Square.draw} ; calls: andersen={Circle.draw Square.draw} ; calls: cha>={Circle.draw Square.draw}
		Iterator<Animal> i = ServiceLoader.load(Animal.class, Services.class.getClassLoader()).iterator(); // resolved
		i.next().speak(); // calls next: andersen>={Services$services_Animal.next} ; calls speak: usual={Dog.speak}
	}

	static void streams() {
		ServiceLoader<Plugin> loader = ServiceLoader.load(Plugin.class); // runs: usual={} ; resolved ; edge: usual={Services$services_Plugin.provide->First.<init> Services$services_Plugin.provide->Second.<init>}
		loader.findFirst().get().start(); // calls start: usual={First.start Second.start} ; calls findFirst: andersen>={Services$services_Plugin.findFirst}
		loader.stream().forEach(p -> p.get().start()); // reached: usual={Helper.help}
		loader.forEach(Plugin::start);
		loader.reload(); // calls: usual={ServiceLoader.reload}
	}

	private static final List<ServiceLoader<Animal>> LOADERS = new ArrayList<>();

	static void kept() {
		LOADERS.add(ServiceLoader.loadInstalled(Animal.class)); // resolved
		LOADERS.get(0).iterator().next().speak(); // calls speak: usual={Dog.speak}
	}

	static <T> T first(Class<T> type) {
		return ServiceLoader.load(type).iterator().next(); // resolved
	}

	static void generic() {
		first(Plugin.class).start(); // calls start: andersen={First.start Second.start}
		first(Nothing.class).none(); // calls none: usual={}
	}

	static void modules() {
		for (FileSystemProvider p : ServiceLoader.load(FileSystemProvider.class)) // resolved ; reached: usual={ZipFileSystemProvider.<init>}
			p.getScheme(); // calls: andersen>={ZipFileSystemProvider.getScheme}
	}

	static void unknown(String name) throws Exception {
		ServiceLoader.load(Class.forName(name)).iterator().next(); // unresolved: reflection
	}

	public static void main(String[] args) throws Exception {
		loops();
		streams();
		kept();
		generic();
		modules();
		unknown(args[0]);
	}
}
