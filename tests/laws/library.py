#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""library.py OUT [MORE]... - writes the sources of the small java.base of library.txt below the folder OUT, and those of MORE, for
instance reflection.txt, beside or in place of them.

Compile them with `javac --patch-module java.base=OUT`, and analyse with `--jdk none` and the result on the class path.
"""
import sys
from pathlib import Path

# class: superclass
EXCEPTIONS = {
    "Exception": "Throwable", "Error": "Throwable", "RuntimeException": "Exception",
    "ReflectiveOperationException": "Exception", "CloneNotSupportedException": "Exception",
    "InterruptedException": "Exception", "ClassNotFoundException": "ReflectiveOperationException",
    "ArithmeticException": "RuntimeException", "ArrayStoreException": "RuntimeException",
    "ClassCastException": "RuntimeException", "IllegalArgumentException": "RuntimeException",
    "IllegalMonitorStateException": "RuntimeException", "IllegalStateException": "RuntimeException",
    "IndexOutOfBoundsException": "RuntimeException", "NegativeArraySizeException": "RuntimeException",
    "NullPointerException": "RuntimeException", "UnsupportedOperationException": "RuntimeException",
    "ArrayIndexOutOfBoundsException": "IndexOutOfBoundsException", "VirtualMachineError": "Error",
    "StackOverflowError": "VirtualMachineError", "OutOfMemoryError": "VirtualMachineError", "LinkageError": "Error",
    "ExceptionInInitializerError": "LinkageError", "NoClassDefFoundError": "LinkageError",
    "IncompatibleClassChangeError": "LinkageError", "NoSuchFieldError": "IncompatibleClassChangeError",
    "NoSuchMethodError": "IncompatibleClassChangeError", "AbstractMethodError": "IncompatibleClassChangeError",
    "AssertionError": "Error",
}
SOURCE = """package java.lang;
public class {0} extends {1} {{
	public {0}() {{ }}
	public {0}(String message) {{ super(message); }}
	public {0}(Throwable cause) {{ super(cause); }}
}}
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main(out, more):
    for name, parent in EXCEPTIONS.items():
        write(out / f"java/lang/{name}.java", SOURCE.format(name, parent))
    for library in ["library.txt", *more]:
        for part in Path(__file__).with_name(library).read_text().split("// file: ")[1:]:
            name, text = part.split("\n", 1)
            write(out / name, text)


main(Path(sys.argv[1]), sys.argv[2:])
