#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jsr - a class file of version 48 whose finally block is a subroutine (jsr and ret), as old compilers made it."""
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import *   # noqa: E402,F403


def here():
    return inspect.currentframe().f_back.f_lineno


c = ClassWriter("jsr/Jsr", version=48)
c.constructor()
c.method(PUBLIC | STATIC, "work", "()V", u1(RETURN))
c.method(PUBLIC | STATIC, "last", "()V", u1(RETURN))
code = c.invoke(INVOKESTATIC, "jsr/Jsr", "work", "()V")
work = here()                                           # calls: both={Jsr.work}
code += u1(JSR) + u2(10) + u1(RETURN)                   # at 3, to 13; 6: return
code += u1(ASTORE_1) + u1(JSR) + u2(5) + u1(ALOAD_1) + u1(ATHROW)      # 7: the handler; jsr at 8, to 13
code += u1(ASTORE_0 + 2)                                # 13: the subroutine keeps its return address in local 2
code += c.invoke(INVOKESTATIC, "jsr/Jsr", "last", "()V")
last = here()                                           # calls: both={Jsr.last} ; resolved ; reached: both={Jsr.last}
code += u1(RET) + u1(2)
c.method(PUBLIC | STATIC, "main", "([Ljava/lang/String;)V", code, 2, 3, handlers=[(0, 7, 7, 0)],
         lines=[(0, work), (13, last)])
(Path(sys.argv[1]) / "jsr").mkdir()
(Path(sys.argv[1]) / "jsr/Jsr.class").write_bytes(c.bytes())
