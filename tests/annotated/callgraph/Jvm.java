// SPDX-License-Identifier: Apache-2.0
// What the JVM and the library call back: threads, executors, hooks, handlers, proxies, finalizers, privileged actions.
package jvm;

import java.lang.ref.Cleaner;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Task implements Runnable {
	public void run() { // edge: both={Thread.run->Task.run} andersen={Thread.run->Task.run}
	}
}

class Worker extends Thread {
	public void run() { // edge: both={Thread.start0->Worker.run} andersen={Thread.start0->Worker.run}
	}
}

class Failure extends RuntimeException {
	void report() {
	}
}

class Failing implements Runnable, Thread.UncaughtExceptionHandler {
	public void run() {
		throw new Failure();
	}

	public void uncaughtException(Thread t, Throwable e) { // edge: usual={Thread.start0->Thread.dispatchUncaughtException Thread.dispatchUncaughtException->Failing.uncaughtException}
		((Failure) e).report(); // calls report: usual={Failure.report}
	}
}

class Idle extends Thread {
	public void run() { // unreached: rta={Idle.run} andersen={Idle.run}
	}
}

class Pooled implements Runnable {
	public void run() { // reached: both={Pooled.run} andersen={Pooled.run}
	}
}

class Answer implements Callable<Integer> {
	public Integer call() { // reached: both={Answer.call} andersen={Answer.call}
		return 42;
	}
}

class Hook extends Thread {
	public void run() { // reached: both={Hook.run} andersen={Hook.run}
	}
}

class Handler implements Thread.UncaughtExceptionHandler {
	public void uncaughtException(Thread t, Throwable e) { // reached: both={Handler.uncaughtException} andersen={Handler.uncaughtException}
	}
}

class Echo implements InvocationHandler {
	private final List<String> heard = new ArrayList<>();

	public Object invoke(Object proxy, Method m, Object[] args) { // reached: both={Echo.invoke} ; unreached: andersen={Echo.invoke}
		heard.add(m.getName()); // calls add: rta>={ArrayList.add}
		return args[0].toString();
	}
}

class Deaf implements InvocationHandler {
	public Object invoke(Object proxy, Method m, Object[] args) { // unreached: rta={Deaf.invoke} andersen={Deaf.invoke}
		return null;
	}
}

class Resource {
	protected void finalize() { // reached: both={Resource.finalize} andersen={Resource.finalize}
	}
}

class Action implements PrivilegedAction<String> {
	public String run() { // reached: both={Action.run()Ljava/lang/String;} andersen={Action.run()Ljava/lang/String;}
		return "";
	}
}

class Risky implements PrivilegedExceptionAction<String> {
	public String run() { // reached: both={Risky.run()Ljava/lang/String;} andersen={Risky.run()Ljava/lang/String;}
		return "";
	}
}

class Countdown implements Iterable<Integer> {
	public Iterator<Integer> iterator() {
		return new Iterator<>() {
			public boolean hasNext() {
				return false;
			}

			public Integer next() {
				return 0;
			}
		};
	}
}

class ByLength implements Comparator<String> {
	public int compare(String a, String b) { // reached: both={ByLength.compare(Ljava/lang/String;Ljava/lang/String;)I}
	// reached: andersen={ByLength.compare(Ljava/lang/String;Ljava/lang/String;)I}
		return a.length() - b.length();
	}
}

class Closing implements AutoCloseable {
	public void close() {
	}
}

class Ordered implements Comparable<Ordered> {
	public int compareTo(Ordered o) { // reached: both={Ordered.compareTo(Ljvm/Ordered;)I} andersen={Ordered.compareTo(Ljvm/Ordered;)I}
		return 0;
	}
}

class Cleaning implements Runnable {
	public void run() { // reached: both={Cleaning.run} andersen={Cleaning.run}
	}
}

class Part {
	public String toString() { // edge: both={StringConcatHelper.stringOf->Part.toString} andersen={StringConcatHelper.stringOf->Part.toString}
		return "";
	}

	public int hashCode() { // edge: both={Objects.hashCode->Part.hashCode} andersen={Objects.hashCode->Part.hashCode}
		return 0;
	}
}

record Whole(Part part) {
}

enum Mode {
	ON {
		void act() {
		}
	};

	abstract void act();
}

public class Jvm {
	public static void main(String[] args) throws Exception {
		Proxy.newProxyInstance(Jvm.class.getClassLoader(), new Class<?>[] { Comparator.class }, new Echo());
		new Thread(new Task()).start(); // calls start: rta={Thread.start} ; edge: both={Thread.start->Thread.start0 Thread.start0->Thread.run}
		// edge: andersen={Thread.start->Thread.start0 Thread.start0->Thread.run}
		new Worker().start(); // calls start: both={Thread.start} ; edge: usual={Thread.start0->Thread.exit}
		Thread failing = new Thread(new Failing());
		failing.setUncaughtExceptionHandler(new Failing());
		try {
			failing.start();
		} catch (Failure e) {
			e.report(); // calls report: both={Failure.report} andersen={}
		}
		ExecutorService pool = Executors.newFixedThreadPool(1);
		pool.execute(new Pooled());
		pool.submit(new Answer());
		Runtime.getRuntime().addShutdownHook(new Hook());
		Thread.setDefaultUncaughtExceptionHandler(new Handler());
		new Resource();
		AccessController.doPrivileged(new Action()); // edge: both={AccessController.executePrivileged->Action.run()Ljava/lang/Object;}
		// edge: andersen={AccessController.executePrivileged->Action.run()Ljava/lang/Object;}
		AccessController.doPrivileged(new Risky());
		for (int i : new Countdown()) { // calls iterator: both={Countdown.iterator} ; calls hasNext: rta>={Countdown$1.hasNext} ; calls next: rta>={Countdown$1.next}
			args[0] = "";
		}
		List<String> list = new ArrayList<>();
		Collections.sort(list, new ByLength());
		new TreeMap<Ordered, String>().put(new Ordered(), "");
		try (Closing c = new Closing()) {
			list.size(); // calls: rta>={ArrayList.size}
		} // calls close: both={Closing.close}
		Cleaner.create().register(list, new Cleaning());
		args[0] = list + " " + new Part();
		new Whole(new Part()).hashCode();
		for (Mode m : EnumSet.of(Mode.ON)) {
			m.act(); // calls: both={Mode$1.act} andersen={Mode$1.act}
		}
		for (Object o : List.of(new Closing()).stream().toList()) {
			((AutoCloseable)o).close(); // calls close: andersen>={Closing.close}
		}
		list.forEach(x -> x.length()); // calls length: both={String.length} ; edge: rta={ArrayList.forEach->Jvm$lambda.accept}
		list.stream().map(String::trim).filter(x -> x.isEmpty()).count(); // reached: both={String.trim Jvm.lambda$main$1}
		// reached: andersen={String.trim Jvm.lambda$main$1}
	}
}
