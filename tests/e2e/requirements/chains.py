#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chains.py OUT CALLS - five classes below each other whose constructors each call the superclass's CALLS times, which
no compiler writes: contexts of each call in each class would be CALLS to the fourth."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from classwriter import ClassWriter, PUBLIC

ALOAD_0, ALOAD_1, RETURN, INVOKESPECIAL, PUTFIELD = b"\x2a", b"\x2b", b"\xb1", 0xB7, b"\xb5"
INIT = ("<init>", "(Ljava/lang/Object;)V")


def root():
    c = ClassWriter("h/C0")
    c.field(PUBLIC, "kept", "Ljava/lang/Object;")
    kept = c.fieldref("h/C0", "kept", "Ljava/lang/Object;")
    code = ALOAD_0 + c.invoke(INVOKESPECIAL, "java/lang/Object", "<init>", "()V")
    code += ALOAD_0 + ALOAD_1 + PUTFIELD + kept.to_bytes(2, "big") + RETURN
    c.method(PUBLIC, *INIT, code)
    return c


def below(k, calls):
    c = ClassWriter(f"h/C{k}", f"h/C{k - 1}")
    call = ALOAD_0 + ALOAD_1 + c.invoke(INVOKESPECIAL, f"h/C{k - 1}", *INIT)
    c.method(PUBLIC, *INIT, call * calls + RETURN)
    return c


out, calls = Path(sys.argv[1]) / "h", int(sys.argv[2])
out.mkdir(parents=True)
for k in range(6):
    (out / f"C{k}.class").write_bytes((below(k, calls) if k else root()).bytes())
