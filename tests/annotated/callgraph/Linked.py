#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linked - call sites that bootstrap methods of the program make: which handles they have, and what is passed to these.

/* Boot.java:
package linked;

import java.lang.invoke.*;

class Shape {
	void draw() {
	}
}

class Circle extends Shape {
	void draw() {
	}
}

class Square extends Shape {
	void draw() {
	}
}

class Own extends ConstantCallSite {
	Own(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
		super(l.findStatic(Boot.class, name, t));
	}
}

class Boot {
	static Shape direct(Shape s) {
		s.draw(); // # calls draw: usual>={Circle.draw} ; calls draw: andersen={Circle.draw}
		return new Square();
	}

	static void first(Shape s) {
		s.draw(); // # calls draw: andersen={Square.draw}
	}

	static void second(Shape s) {
		s.draw(); // # calls draw: andersen={Square.draw}
	}

	static void given(Shape s) {
	}

	static void owned(Shape s) {
	}

	static void constant() {
	}

	static void unused(Shape s) { // # unreached: rta={Boot.unused} andersen={Boot.unused}
	}

	static CallSite named(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
		l.lookupClass().getName(); // # calls getName: usual={Class.getName}
		return new ConstantCallSite(l.findStatic(Boot.class, name, t));
	}

	static CallSite changing(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
		VolatileCallSite c = new VolatileCallSite(l.findStatic(Boot.class, "first", t));
		c.setTarget(l.findStatic(Boot.class, "second", t));
		return c;
	}

	static CallSite with(MethodHandles.Lookup l, String name, MethodType t, MethodHandle target) {
		return new ConstantCallSite(target.asType(t));
	}

	static CallSite virtual(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
		return new ConstantCallSite(l.findVirtual(Shape.class, name, MethodType.methodType(void.class)));
	}

	static CallSite anything(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
		Class<?> c = Class.forName(System.getProperty("boot", "linked.Boot"));
		return new ConstantCallSite(l.findStatic(c, name, t));
	}

	static MethodHandle handle(MethodHandles.Lookup l, String name, Class<?> type) throws Throwable {
		return l.findStatic(Boot.class, name, MethodType.methodType(void.class));
	}
}
*/"""
# also: Boot.java
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403

LOOKUP = "Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
SITE = f"({LOOKUP}Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"
WITH = f"({LOOKUP}Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/CallSite;"
HANDLE = f"({LOOKUP}Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;"
TAKES = "(Llinked/Shape;)V"

c = ClassWriter("linked/Linked", version=55)
code, lines = b"", []


def run(instruction):
    """Adds code to main, at the caller's line."""
    global code
    lines.append((len(code), inspect.currentframe().f_back.f_lineno))
    code += instruction


def static(name, desc):
    return c.handle(6, c.methodref("linked/Boot", name, desc))


def make(name):
    return u1(NEW) + u2(c.class_(name)) + u1(DUP) + c.invoke(INVOKESPECIAL, name, "<init>", "()V")


def call(boot, name, desc, *args):
    return u1(INVOKEDYNAMIC) + u2(c.dynamic(18, boot, args, name, desc)) + u2(0)


c.constructor()
run(make("linked/Circle"))
run(call(static("named", SITE), "direct", "(Llinked/Shape;)Llinked/Shape;"))  # runs: usual>={Boot.named Boot.direct} ; resolved
run(u1(ASTORE_1) + u1(ALOAD_1))
run(call(static("changing", SITE), "anything", TAKES))  # runs: usual>={Boot.changing Boot.first Boot.second} ; resolved
run(u1(ALOAD_1))
run(call(static("with", WITH), "anything", TAKES, static("given", TAKES)))  # runs: usual>={Boot.with Boot.given} ; resolved
run(u1(ALOAD_1))
own = f"({LOOKUP}Ljava/lang/invoke/MethodType;)V"
run(call(c.handle(8, c.methodref("linked/Own", "<init>", own)), "owned", TAKES))  # runs: usual>={Own.<init> Boot.owned} ; runs: usual!={Boot.given} ; resolved
run(u1(ALOAD_1))
run(call(static("virtual", SITE), "draw", TAKES))  # runs: andersen>={Boot.virtual Square.draw} ; runs: andersen!={Circle.draw} ; runs: both>={Boot.virtual Square.draw Circle.draw} ; resolved
run(u1(ALOAD_1))
run(call(static("anything", SITE), "given", TAKES))  # runs: usual>={Boot.anything Boot.given} ; unresolved: bootstrap/property
# A dynamic constant that is a handle, invoked by hand.
run(u1(LDC_W) + u2(c.dynamic(17, static("handle", HANDLE), (), "constant", "Ljava/lang/invoke/MethodHandle;")))  # reached: usual={Boot.handle}
run(c.invoke(INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", "()V"))  # runs: usual={Boot.constant} ; resolved

code += u1(RETURN)
c.method(PUBLIC | STATIC, "main", "([Ljava/lang/String;)V", code, lines=lines)
(Path(sys.argv[1]) / "linked/Linked.class").write_bytes(c.bytes())
