#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""library.py OUT - writes the sources of the small java.base of library.txt below the folder OUT.

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


def main(out):
    library = Path(__file__).with_name("library.txt").read_text()
    for part in library.split("// file: ")[1:]:
        name, text = part.split("\n", 1)
        write(out / name, text)
    for name, parent in EXCEPTIONS.items():
        write(out / f"java/lang/{name}.java", SOURCE.format(name, parent))


main(Path(sys.argv[1]))
