#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bootstrap - invokedynamic and dynamic constants with bootstrap methods of the program's own, and their arguments."""
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403

SELF = "bootstrap/Bootstrap"
OBJECT = "Ljava/lang/Object;"
LOOKUP = "Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
SITE = f"({LOOKUP}Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"
CONSTANT = f"({LOOKUP}Ljava/lang/Class;){OBJECT}"
VARIABLE = f"({LOOKUP}Ljava/lang/Class;[{OBJECT}){OBJECT}"
NESTED = f"({LOOKUP}Ljava/lang/Class;{OBJECT}J){OBJECT}"
CONSTRUCTOR = f"({LOOKUP}Ljava/lang/Class;)V"
ACONST_NULL = 1

c = ClassWriter(SELF, version=55)
code, lines = b"", []


def here():
    return inspect.currentframe().f_back.f_back.f_lineno


def run(instruction):
    """Adds code to main, at the caller's line."""
    global code
    lines.append((len(code), here()))
    code += instruction


def method(name, desc="()V", calls=None):
    """A method that calls another; as a handle."""
    body = c.invoke(INVOKESTATIC, SELF, calls, "()V") if calls else b""
    c.method(PUBLIC | STATIC, name, desc, body + (u1(RETURN) if desc.endswith("V") else u1(ACONST_NULL) + u1(ARETURN)), locals=9)
    return c.handle(6, c.methodref(SELF, name, desc))


def constant(boot, *args, name="value"):
    return c.dynamic(17, boot, args, name, OBJECT)


def load(entry):
    return u1(LDC_W) + u2(entry) + u1(POP)


def call(boot, *args):
    return u1(INVOKEDYNAMIC) + u2(c.dynamic(18, boot, args, "anything", "()V")) + u2(0)


def cyclic(boot):
    """A constant that is its own argument."""
    row = len(c.bootstraps)
    entry = constant(boot, 0, name="cycle")
    c.bootstraps[row] = u2(boot) + u2(1) + u2(entry)
    return entry


def chain(boot, n):
    entry = constant(boot, name="chain0")
    for i in range(n):
        entry = constant(boot, entry, entry, name=f"chain{i + 1}")
    return entry


c.constructor()
c.method(PUBLIC, "<init>", CONSTRUCTOR, u1(ALOAD_0) + c.invoke(INVOKESPECIAL, "java/lang/Object", "<init>", "()V") +
         c.invoke(INVOKESTATIC, SELF, "built", "()V") + u1(RETURN))
for leaf in ("made", "inner", "built", "collected", "passed", "looped", "deep"):
    method(leaf)
vary = method("vary", VARIABLE)
nested = method("nested", NESTED)

run(call(method("link", SITE)))                         # reached: both={Bootstrap.link}
run(load(constant(method("make", CONSTANT, "made"))))   # reached: both={Bootstrap.make Bootstrap.made}

# Handles among the arguments that a trailing array takes; others are boxed.
run(load(constant(vary, c.int_(7), method("late"))))    # reached: both={Bootstrap.vary Bootstrap.late Integer.valueOf(I)Ljava/lang/Integer;}
# A constant that is an argument of another is made by its own bootstrap, in the array or as a parameter.
run(load(constant(vary, constant(method("first", CONSTANT, "collected")))))       # reached: both={Bootstrap.first Bootstrap.collected}
run(load(constant(nested, constant(method("second", CONSTANT, "passed")), c.int_(1))))  # reached: both={Bootstrap.nested Bootstrap.second Bootstrap.passed}
# What the bootstrap of an invokedynamic gets.
run(call(method("other", SITE), method("argument"), constant(method("third", CONSTANT, "inner"))))  # reached: both={Bootstrap.argument Bootstrap.third Bootstrap.inner}
# A constructor makes a constant, too.
run(load(constant(c.handle(8, c.methodref(SELF, "<init>", CONSTRUCTOR)))))        # reached: both={Bootstrap.built}
# These end in the JVM's stack, and here.
run(load(cyclic(method("cycle", VARIABLE, "looped"))))  # reached: both={Bootstrap.cycle Bootstrap.looped}
run(load(chain(method("chain", VARIABLE, "deep"), 300)))  # reached: both={Bootstrap.chain Bootstrap.deep}

code += u1(RETURN)
c.method(PUBLIC | STATIC, "main", "([Ljava/lang/String;)V", code, lines=lines)
(Path(sys.argv[1]) / "bootstrap").mkdir()
(Path(sys.argv[1]) / "bootstrap/Bootstrap.class").write_bytes(c.bytes())
