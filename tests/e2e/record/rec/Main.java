// SPDX-License-Identifier: Apache-2.0
package rec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Function;

/* Uses each dynamic feature. Behind the sign of a comment and > stands what the line is recorded with: KIND TARGET, and *COUNT if it is not 1. */
public class Main {
	static void classes() throws Exception {
		Class<?> c = Class.forName("rec.Square");                     //> load rec.Square; string rec.Square
		Class.forName("rec.Bigger", false, Main.class.getClassLoader());      //> load rec.Bigger; string rec.Bigger
		Class.forName("[Lrec.Square;");                               //> load [Lrec.Square;; string [Lrec.Square;
		Class.forName(Object.class.getModule(), "java.util.ArrayList");       //> load java.util.ArrayList; string java.util.ArrayList
		Class.forName(Object.class.getModule(), "no.Such");           //> string no.Such
		try {
			Class.forName("no\t\"Such\\\u0001\u00e4");                 //> string no\t\"Such\\\u0001ä
		} catch (ClassNotFoundException e) {
			System.out.println(e.getMessage());
		}
		for (int i = 0; i < 3; i++)
			Main.class.getClassLoader().loadClass("rec.Square");  //> load rec.Square *3; string rec.Square *3
		new Loader(Main.class.getClassLoader()).find("rec.Shape");
		new Loader(Main.class.getClassLoader()).loadClass("rec.Kept");        //> load rec.Kept; string rec.Kept
		MethodHandles.lookup().findClass("rec.Handler");              //> load rec.Handler; string rec.Handler
		Method m = Class.class.getMethod("forName", String.class);    //> string forName
		m.invoke(null, "rec.Shape");                                  //> invoke java.lang.Class.forName(Ljava/lang/String;)Ljava/lang/Class;; load rec.Shape; string rec.Shape
		System.out.println(c);
	}

	@SuppressWarnings("deprecation")
	static void objects() throws Exception {
		Class<?> c = Square.class;
		c.newInstance();                                              //> new rec.Square
		c.getDeclaredConstructor().newInstance();                     //> construct rec.Square.<init>()V
		Constructor<?> k = c.getConstructor(int.class);
		for (int i = 0; i < 40; i++)
			k.newInstance(i);                                     //> construct rec.Square.<init>(I)V *40
		try {
			Shape.class.newInstance();
		} catch (InstantiationException e) {
			System.out.println("no instance");
		}
	}

	static void methods() throws Exception {
		Shape bigger = new Bigger(), square = new Square();
		Method area = Shape.class.getMethod("area");                  //> string area
		int sum = 0;
		for (int i = 0; i < 100; i++)
			sum += (Integer)area.invoke(i % 2 == 0 ? bigger : square);    //> invoke rec.Bigger.area()I *50; invoke rec.Square.area()I *50
		Method name = Square.class.getMethod("name");                 //> string name
		name.invoke(bigger);                                          //> invoke rec.Shape.name()Ljava/lang/String;
		Method twice = Square.class.getDeclaredMethod("twice", int.class);    //> string twice
		sum += (Integer)twice.invoke(null, 4);                        //> invoke rec.Square.twice(I)I
		Method in = Square.class.getDeclaredMethod("inPackage");      //> string inPackage
		sum += (Integer)in.invoke(bigger);                            //> invoke rec.Bigger.inPackage()I
		Method secret = Square.class.getDeclaredMethod("secret", String.class, long[].class);         //> string secret
		secret.setAccessible(true);
		sum += (Integer)secret.invoke(bigger, "x", new long[2]);      //> invoke rec.Square.secret(Ljava/lang/String;[J)I
		Callable<Integer> lambda = () -> 17;
		Method call = Callable.class.getMethod("call");               //> string call
		sum += (Integer)call.invoke(lambda);                          //> invoke rec.Main.lambda$methods$0()Ljava/lang/Integer;
		Object copy = Object.class.getDeclaredMethod("getClass").invoke(new int[1]);  //> string getClass; invoke java.lang.Object.getClass()Ljava/lang/Class;
		try {
			area.invoke(null);
		} catch (NullPointerException e) {
			System.out.println("no receiver");
		}
		System.out.println(sum + " " + copy);
	}

	/* What fails, fails as ever. */
	static void failures() throws Exception {
		try {
			Method run = Broken.class.getMethod("run");           //> string run
			run.invoke(null);                                     //> ?invoke rec.Broken.run()V
		} catch (ExceptionInInitializerError e) {
			System.out.println("not initialised: " + e.getCause().getMessage());
		}
		try {
			String.class.getMethod("substring", int.class).invoke("a", 5);        //> string substring; invoke java.lang.String.substring(I)Ljava/lang/String;
		} catch (InvocationTargetException e) {
			System.out.println(e.getCause().getClass());
		}
		try {
			Square.class.getDeclaredField("none");                //> string none
		} catch (NoSuchFieldException e) {
			System.out.println(e.getMessage());
		}
	}

	static void fields() throws Exception {
		Square s = new Square();
		Field side = Square.class.getField("side");                   //> string side
		side.set(s, 5);                                               //> set rec.Square.side:I
		side.setInt(s, 6);                                            //> set rec.Square.side:I
		System.out.println(side.get(s) + " " + side.getInt(s));       //> get rec.Square.side:I *2
		Field unit = Square.class.getField("unit");                   //> string unit
		unit.set(null, "m");                                          //> set rec.Square.unit:Ljava/lang/String;
		Field hidden = Square.class.getDeclaredField("hidden");       //> string hidden
		hidden.setAccessible(true);
		System.out.println(hidden.getLong(s));                        //> get rec.Square.hidden:J
	}

	static void proxies() {
		Class<?>[] both = { Shape.class, Runnable.class };
		Shape s = (Shape)Proxy.newProxyInstance(Main.class.getClassLoader(), both, new Handler());     //> proxy rec.Shape,java.lang.Runnable
		System.out.println(s.area());                                 //> proxycall rec.Handler.invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
		((Runnable)s).run();                                          //> proxycall rec.Handler.invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
		Shape t = (Shape)Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] { Shape.class }, (p, m, a) -> 1);  //> proxy rec.Shape
		System.out.println(t.area());                                 //> proxycall rec.Main.lambda$proxies$1(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
	}

	static void handles() throws Throwable {
		MethodHandles.Lookup l = MethodHandles.lookup();
		MethodType area = MethodType.methodType(int.class);
		MethodHandle h = l.findVirtual(Shape.class, "area", area);    //> handle rec.Shape.area()I
		System.out.println((int)h.invoke((Shape)new Square()));
		l.findVirtual(Bigger.class, "name", MethodType.methodType(String.class));     //> handle rec.Shape.name()Ljava/lang/String;
		l.findStatic(Square.class, "twice", MethodType.methodType(int.class, int.class));     //> handle rec.Square.twice(I)I
		l.findConstructor(Square.class, MethodType.methodType(void.class, int.class));        //> handle rec.Square.<init>(I)V
		l.findGetter(Square.class, "side", int.class);                //> handle rec.Square.side:I
		l.findStaticSetter(Square.class, "unit", String.class);       //> handle rec.Square.unit:Ljava/lang/String;
		l.bind(new Bigger(), "area", area);                           //> handle rec.Bigger.area()I
		VarHandle v = l.findVarHandle(Square.class, "side", int.class);       //> handle rec.Square.side:I
		v.set(new Square(), 3);
		l.unreflect(Square.class.getMethod("area"));                  //> string area; handle rec.Square.area()I
		l.unreflectConstructor(Square.class.getConstructor());        //> handle rec.Square.<init>()V
		l.unreflectGetter(Square.class.getField("side"));             //> string side; handle rec.Square.side:I
		try {
			l.findVirtual(Shape.class, "none", area);
		} catch (NoSuchMethodException e) {
			System.out.println("no handle");
		}
		MethodHandle f = l.findStatic(Class.class, "forName", MethodType.methodType(Class.class, String.class));      //> handle java.lang.Class.forName(Ljava/lang/String;)Ljava/lang/Class;
		System.out.println((Class<?>)f.invoke("rec.Square"));         //> load rec.Square; string rec.Square
		Function<Integer, Square> made = Square::new;                 // no handle of the program's
		System.out.println(made.apply(9).area() + " " + area);
	}

	static void services() {
		for (Shape s : ServiceLoader.load(Shape.class))               //> service rec.Shape=rec.Bigger
			System.out.println(s.area());
		System.out.println(ServiceLoader.load(Shape.class).stream().count());
	}

	static void streams() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(new Kept());
			out.writeObject(new Kept.Pair(1, "b"));
			out.writeObject(new int[] { 3 });
		}
		ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
		System.out.println(((Kept.Inner)((Kept)in.readObject()).inside).n);   //> deserialize rec.Kept
		System.out.println(in.readObject());                          //> deserialize rec.Kept$Pair
		System.out.println(((int[])in.readObject())[0]);              //> deserialize [I
	}

	static void worker() {
		try {
			for (int i = 0; i < 500; i++)
				Class.forName("rec.Square");                  //> load rec.Square *4000; string rec.Square *4000
		} catch (ClassNotFoundException e) {
			throw new AssertionError(e);
		}
	}

	static void threads() throws Exception {
		Thread[] all = new Thread[8];
		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(Main::worker);
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	public static void main(String[] args) throws Throwable {
		classes();
		objects();
		methods();
		failures();
		fields();
		proxies();
		handles();
		services();
		streams();
		threads();
		if (args.length > 0 && args[0].equals("sleep"))
			Thread.sleep(300_000);
		if (args.length > 0)
			Runtime.getRuntime().halt(3);
	}
}
