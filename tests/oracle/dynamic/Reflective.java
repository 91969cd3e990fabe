// SPDX-License-Identifier: Apache-2.0
// Reflection that a real run does, one way of it in each method: classes, members and names come by many ways to where they are used.
package refl;
import java.lang.reflect.*;
import java.util.*;
public class Reflective {
	public static void main(String[] a) throws Exception {
		t1(a.length); t2(); t3(a.length); t4(a.length); t5(); t6(); t7(); t8(); t9(); t10(); t11(); t12(); t13(a.length); t14(); t15(); t16(); t17(); t18(); t19(); t20(); t21(); t22(); t23(); t24(a.length); t25(); t26();t27();t28(a.length);t29();t30();
	}
	static class A1 { public void run() {} }  static class B1 { public void run() {} }
	static void t1(int n) throws Exception { Class<?> c = n == 0 ? A1.class : B1.class; Method m = c.getMethod("run"); m.invoke(n == 0 ? new A1() : new B1()); }
	static class A2 { public A2() {} } static class B2 { public B2(){} }
	static void t2() throws Exception { for (Class<?> c : new Class<?>[] { A2.class, B2.class }) c.getDeclaredConstructor().newInstance(); }
	static class C3 { public void r() {} C3(){} }
	static void t3(int n) throws Exception { String[] s = n == 0 ? new String[1] : new String[2]; s[0] = "refl.Reflective$C3"; Class.forName(s[0]).getDeclaredConstructor().newInstance(); }
	private static final String[] NAMES = new String[1];
	static void init4() { NAMES[0] = "refl.Reflective$C4"; }
	static class C4 { C4() {} }
	static void t4(int n) throws Exception { init4(); Class.forName(NAMES[0]).getDeclaredConstructor().newInstance(); }
	static String[] make() { return new String[1]; }
	static class C5 { C5() {} }
	static void t5() throws Exception { String[] s = make(); s[0] = "refl.Reflective$C5"; Class.forName(s[0]).getDeclaredConstructor().newInstance(); }
	private static String name6 = "refl.Reflective$D6";
	static class C6 { C6() {} } static class D6 { D6(){} }
	static void t6() throws Exception { Reflective.class.getDeclaredField("name6").set(null, "refl.Reflective$C6"); Class.forName(name6).getDeclaredConstructor().newInstance(); }
	record R7(int x) { public int x() { return x; } }
	static void t7() throws Exception { for (RecordComponent rc : R7.class.getRecordComponents()) rc.getAccessor().invoke(new R7(1)); }
	static class C8 { public C8() {} public void m() {} }
	static void t8() throws Exception { Member mem = C8.class.getMethod("m"); mem.getDeclaringClass().newInstance(); }
	static class C9 { C9() {} static void go() throws Exception { String n = new Throwable().getStackTrace()[0].getClassName(); Class.forName(n).getDeclaredConstructor().newInstance(); } }
	static void t9() throws Exception { C9.go(); }
	interface I10 { int X = mk(); static int mk() { return 1; } default void d() {} }
	static class C10 implements I10 { }
	static void t10() throws Exception { Class.forName("refl.Reflective$C10"); }
	static class C11 { static int count = cnt(); static int cnt() { return 3; } }
	static void t11() throws Exception { C11.class.getDeclaredField("count").getInt(null); }
	static class Boom extends RuntimeException { void report() {} }
	static class C12 { public static void go() { throw new Boom(); } }
	static void t12() throws Exception { Method m = C12.class.getMethod("go"); try { m.invoke(null); } catch (InvocationTargetException e) { Throwable t = e.getCause(); ((Boom) t).report(); } }
	static class C13 { private void p() {} static void q() throws Exception { C13.class.getDeclaredMethod("p").invoke(new D13()); } }
	static class D13 extends C13 { void p() {} }
	static void t13(int n) throws Exception { C13.q(); }
	static void t14() throws Exception { class L { L() {} void m() throws Exception { getClass(); L.class.getEnclosingClass().getDeclaredMethod("target14").invoke(null);} } new L().m(); }
	static void target14() {}
	static void t15() throws Exception { Method m = Reflective.class.getDeclaredMethod("load15", String.class); m.invoke(null, "refl.Reflective$C15"); }
	static void load15(String s) throws Exception { Class.forName(s).getDeclaredConstructor().newInstance(); }
	static class C15 { C15() {} }
	static boolean seen;
	static class C16 { static { seen = true; } }
	static void t16() throws Exception { Class.forName("refl.Reflective$C16"); }
	static class C17 { C17(){} }
	static void t17() throws Exception { java.util.function.Function<String,Class<?>> f = s -> { try { return Class.forName(s); } catch (Exception e) { return null; } }; f.apply("refl.Reflective$C17").getDeclaredConstructor().newInstance(); }
	static class C18 { C18(){} }
	static void t18() throws Exception { String s = "refl.Reflective$C18"; Runnable r = () -> { try { Class.forName(s).getDeclaredConstructor().newInstance(); } catch (Exception e) { } }; r.run(); }
	static class C19 { C19(){} }
	static void t19() throws Exception { Class<?> c = new C19[0].getClass().getComponentType(); c.getDeclaredConstructor().newInstance(); }
	static class S20 { S20(){} } static class C20 extends S20 {}
	static void t20() throws Exception { C20.class.getSuperclass().getDeclaredConstructor().newInstance(); }
	public interface I21 { default void dm() {} static void sm() {} void am(); }
	static class C21 implements I21 { public void am() {} }
	static void t21() throws Exception { Method m = I21.class.getMethod("am"); m.invoke(new C21()); C21.class.getMethod("dm").invoke(new C21()); I21.class.getMethod("sm").invoke(null); }
	static class C22 { void q22() {} }
	static Method ret22() throws Exception { return C22.class.getDeclaredMethod("q22"); }
	static void t22() throws Exception { call22(ret22(), new C22()); }
	static void call22(Method m, Object o) throws Exception { m.invoke(o); }
	static class C23 { public void a23(){} public void b23(){} }
	static void t23() throws Exception { for (Method m : C23.class.getMethods()) if (m.getName().startsWith("a")) m.invoke(new C23()); }
	static class C24 { void x(int i) {} void x(String s) {} void x(Object... o) {} }
	static void t24(int n) throws Exception { C24.class.getDeclaredMethod("x", int.class).invoke(new C24(), 1);
		 C24.class.getDeclaredMethod("x", Object[].class).invoke(new C24(), (Object) new Object[0]); }
	enum E25 { P, Q; void e() {} }
	static void t25() throws Exception { Object[] vs = (Object[]) E25.class.getMethod("values").invoke(null); E25.class.getDeclaredMethod("e").invoke(vs[0]); }
	class In26 { In26() {} }
	static void t26() throws Exception { In26.class.getDeclaredConstructor(Reflective.class).newInstance(new Reflective()); }
	static class C27 { Runnable f = new R27(); }
	static class R27 implements Runnable { public void run() {} }
	static void t27() throws Exception { Field f = C27.class.getDeclaredField("f"); ((Runnable) f.get(new C27())).run(); }
	static class C28 { C28(){} }
	static void t28(int n) throws Exception { Class<?>[] cs = new Class<?>[1]; Object o = cs; ((Class<?>[]) o)[0] = C28.class; cs[0].getDeclaredConstructor().newInstance(); }
	static class C29 { static int count = cnt(); static int cnt() { return 3; } }
	static void t29() throws Exception { Class<?> c = Reflective.class.getClassLoader().loadClass("refl.Reflective$C29"); Array.newInstance(c, 1); c.getDeclaredField("count").set(null, 1); }
	static class C30 { C30(){} }
	private String n30;
	static void t30() throws Exception { Reflective p = new Reflective(); p.n30 = "refl.Reflective$C30"; new In30().go(p); }
	static class In30 { void go(Reflective p) throws Exception { Class.forName(p.n30).getDeclaredConstructor().newInstance(); } }
}
