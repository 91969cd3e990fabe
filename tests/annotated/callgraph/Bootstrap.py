#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bootstrap - an invokedynamic and a dynamic constant with bootstrap methods of the program's own."""
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403

LOOKUP = "Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
SITE = f"({LOOKUP}Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"
CONSTANT = f"({LOOKUP}Ljava/lang/Class;)Ljava/lang/Object;"
ACONST_NULL = 1


def here():
    return inspect.currentframe().f_back.f_lineno


c = ClassWriter("bootstrap/Bootstrap", version=55)
c.constructor()
c.method(PUBLIC | STATIC, "link", SITE, u1(ACONST_NULL) + u1(ARETURN))
c.method(PUBLIC | STATIC, "made", "()V", u1(RETURN))
c.method(PUBLIC | STATIC, "make", CONSTANT, c.invoke(INVOKESTATIC, "bootstrap/Bootstrap", "made", "()V") + u1(ACONST_NULL) + u1(ARETURN))
link = c.handle(6, c.methodref("bootstrap/Bootstrap", "link", SITE))
make = c.handle(6, c.methodref("bootstrap/Bootstrap", "make", CONSTANT))
code = u1(INVOKEDYNAMIC) + u2(c.dynamic(18, link, [], "anything", "()V")) + u2(0)
first = here()                                          # unresolved: bootstrap ; reached: both={Bootstrap.link}
code += u1(LDC_W) + u2(c.dynamic(17, make, [], "value", "Ljava/lang/Object;")) + u1(POP)
second = here()                                         # reached: both={Bootstrap.make Bootstrap.made}
code += u1(RETURN)
c.method(PUBLIC | STATIC, "main", "([Ljava/lang/String;)V", code, lines=[(0, first), (5, second)])
(Path(sys.argv[1]) / "bootstrap").mkdir()
(Path(sys.argv[1]) / "bootstrap/Bootstrap.class").write_bytes(c.bytes())
