#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takeover - a class file with the name that the class of a lambda would get."""
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403

SELF = "takeover/Takeover"
METAFACTORY = ("(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
               "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)"
               "Ljava/lang/invoke/CallSite;")


def here():
    return inspect.currentframe().f_back.f_lineno


c = ClassWriter(SELF, version=55)
boot = c.handle(6, c.methodref("java/lang/invoke/LambdaMetafactory", "metafactory", METAFACTORY))
body = c.handle(6, c.methodref(SELF, "body", "()V"))
site = c.dynamic(18, boot, [c.method_type("()V"), body, c.method_type("()V")], "run", "()Ljava/lang/Runnable;")
code = u1(INVOKEDYNAMIC) + u2(site) + u2(0) + c.invoke(INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", True)
line = here()           # reached: both={Takeover.body} ; calls run: both>={Takeover$lambda.run} ; edge: both={Takeover$lambda.run->Takeover.body}
c.method(PUBLIC | STATIC, "main", "([Ljava/lang/String;)V", code + u1(RETURN), lines=[(0, line)])
c.method(PUBLIC | STATIC, "body", "()V", u1(RETURN))
c.method(PUBLIC | STATIC, "other", "()V", u1(RETURN))           # unreached: rta={Takeover.other}

name = f"{SELF}$$Lambda$main#0@0"
d = ClassWriter(name, interfaces=["java/lang/Runnable"], version=55)
d.method(PUBLIC, "run", "()V", d.invoke(INVOKESTATIC, SELF, "other", "()V") + u1(RETURN))
(Path(sys.argv[1]) / "takeover").mkdir()
(Path(sys.argv[1]) / f"{SELF}.class").write_bytes(c.bytes())
(Path(sys.argv[1]) / f"{name}.class").write_bytes(d.bytes())
