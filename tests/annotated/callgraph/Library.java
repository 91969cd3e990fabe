// SPDX-License-Identifier: Apache-2.0
// Objects of the program that the library gets and calls; exceptions that the JVM makes itself.
package library;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;

class Printed {
	public String toString() { // reached: both={Printed.toString}
		return "printed";
	}
}

class Formatted {
	public String toString() { // reached: both={Formatted.toString}
		return "formatted";
	}
}

class Keyed {
	public int hashCode() { // reached: both={Keyed.hashCode}
		return 1;
	}

	public boolean equals(Object o) { // reached: both={Keyed.equals}
		return true;
	}
}

class Alarm extends TimerTask {
	public void run() { // reached: both={Alarm.run}
	}
}

class Sum extends RecursiveTask<Integer> {
	protected Integer compute() { // reached: both={Sum.compute()Ljava/lang/Integer;}
		return 1;
	}
}

class Cleanup implements Runnable {
	public void run() { // reached: both={Cleanup.run}
	}
}

class Person {
	String name() { // reached: both={Person.name}
		return "n";
	}
}

class Failure extends RuntimeException {
	public String getMessage() { // reached: both={Failure.getMessage}
		return "failure";
	}
}

class Loader extends ClassLoader {
	protected Class<?> findClass(String name) { // reached: both={Loader.findClass}
		return null;
	}
}

public class Library {
	static final ThreadLocal<Printed> LOCAL = ThreadLocal.withInitial(() -> initial());

	static Printed initial() { // reached: both={Library.initial}
		return new Printed();
	}

	static int thrown(Object o, int[] a, int i) {
		try {
			return ((int[]) o)[i] / a.length;
		} catch (NullPointerException e) {
			return e.getMessage().length(); // calls getMessage: rta={NullPointerException.getMessage}
		} catch (ArithmeticException | ClassCastException | ArrayIndexOutOfBoundsException e) {
			return e.getMessage().length(); // calls getMessage: rta>={Throwable.getMessage}
		} catch (StackOverflowError e) {
			return e.hashCode(); // calls hashCode: both>={Object.hashCode}
		}
	}

	public static void main(String[] args) throws Exception {
		System.out.println(new Printed()); // calls println: rta>={PrintStream.println}
		String.format("%s", new Formatted());
		Map<Keyed, String> map = new HashMap<>();
		map.put(new Keyed(), ""); // calls put: rta>={HashMap.put}
		new Timer().schedule(new Alarm(), 10);
		new ForkJoinPool().invoke(new Sum());
		Cleaner.create().register(map, new Cleanup());
		List<Person> people = new ArrayList<>();
		people.add(new Person());
		people.sort(Comparator.comparing(Person::name)); // edge: both={Library$lambda.apply->Person.name}
		CompletableFuture.supplyAsync(() -> 1).thenApply(x -> x + 1); // reached: both={Library.lambda$main$1 Library.lambda$main$2}
		people.stream().map(p -> p.name()).collect(Collectors.toList()); // calls name: both={Person.name}
		LOCAL.get();
		thrown(null, null, 1);
		new Loader().loadClass("x"); // unresolved: reflection
		if (args.length > 3)
			throw new Failure(); // calls <init>: both={Failure.<init>}
		Integer boxed = args.length; // calls: both={Integer.valueOf}
		int plain = boxed; // calls: both={Integer.intValue}
	}
}
