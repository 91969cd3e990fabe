# SPDX-License-Identifier: Apache-2.0
"""classwriter - writes class files from Python, for tests that need what no compiler makes.

    c = ClassWriter("p/A", super_name="java/lang/Object", access=PUBLIC | SUPER)
    c.method(PUBLIC | STATIC, "f", "()I", code=c.push(7) + bytes([IRETURN]), stack=1, locals=0)
    data = c.bytes()
"""
import struct

PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL, SUPER, NATIVE, INTERFACE, ABSTRACT, SYNTHETIC = \
    0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x100, 0x200, 0x400, 0x1000

ICONST_0, SIPUSH, LDC_W, ALOAD_0, ALOAD_1, ASTORE_0, ASTORE_1, POP, DUP = 3, 17, 19, 42, 43, 75, 76, 87, 89
GOTO, JSR, RET, IRETURN, ARETURN, RETURN = 167, 168, 169, 172, 176, 177
GETSTATIC, INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC, INVOKEINTERFACE, INVOKEDYNAMIC = 178, 182, 183, 184, 185, 186
NEW, ATHROW, CHECKCAST = 187, 191, 192


def u1(n):
    return struct.pack(">B", n)


def u2(n):
    return struct.pack(">H", n)


def u4(n):
    return struct.pack(">I", n)


class ClassWriter:
    def __init__(self, name, super_name="java/lang/Object", interfaces=(), access=PUBLIC | SUPER, version=55):
        self.pool, self.index = [], {}
        self.version, self.access = version, access
        self.this = self.class_(name)
        self.super = self.class_(super_name) if super_name else 0
        self.interfaces = [self.class_(i) for i in interfaces]
        self.fields, self.methods, self.attributes, self.bootstraps = [], [], [], []

    # The constant pool

    def entry(self, data, slots=1):
        if data not in self.index:
            self.index[data] = len(self.pool) + 1
            self.pool.append(data)
            self.pool.extend([b""] * (slots - 1))
        return self.index[data]

    def utf8(self, text):
        data = text.encode("utf-8")
        return self.entry(u1(1) + u2(len(data)) + data)

    def class_(self, name):
        return self.entry(u1(7) + u2(self.utf8(name)))

    def string(self, text):
        return self.entry(u1(8) + u2(self.utf8(text)))

    def int_(self, n):
        return self.entry(u1(3) + struct.pack(">i", n))

    def name_and_type(self, name, desc):
        return self.entry(u1(12) + u2(self.utf8(name)) + u2(self.utf8(desc)))

    def member(self, tag, owner, name, desc):
        return self.entry(u1(tag) + u2(self.class_(owner)) + u2(self.name_and_type(name, desc)))

    def fieldref(self, owner, name, desc):
        return self.member(9, owner, name, desc)

    def methodref(self, owner, name, desc, is_interface=False):
        return self.member(11 if is_interface else 10, owner, name, desc)

    def handle(self, kind, ref):
        return self.entry(u1(15) + u1(kind) + u2(ref))

    def method_type(self, desc):
        return self.entry(u1(16) + u2(self.utf8(desc)))

    def dynamic(self, tag, handle, args, name, desc):
        """An InvokeDynamic (18) or Dynamic (17) entry with a bootstrap of its own."""
        self.bootstraps.append(u2(handle) + u2(len(args)) + b"".join(u2(a) for a in args))
        return self.entry(u1(tag) + u2(len(self.bootstraps) - 1) + u2(self.name_and_type(name, desc)))

    # Code

    def push(self, n):
        return u1(LDC_W) + u2(self.int_(n))

    def invoke(self, op, owner, name, desc, is_interface=False, words=1):
        """A call; `words` is the size of the arguments with the receiver, for invokeinterface."""
        code = u1(op) + u2(self.methodref(owner, name, desc, is_interface))
        return code + (u1(words) + u1(0) if op == INVOKEINTERFACE else b"")

    # Members

    def attribute(self, name, data):
        return u2(self.utf8(name)) + u4(len(data)) + data

    def field(self, access, name, desc, constant=None):
        attrs = [self.attribute("ConstantValue", u2(self.int_(constant)))] if constant is not None else []
        self.fields.append(self.row(access, name, desc, attrs))

    def method(self, access, name, desc, code=None, stack=4, locals=4, handlers=(), lines=()):
        attrs = []
        if code is not None:
            table = b"".join(struct.pack(">HHHH", *h) for h in handlers)
            inner = b""
            if lines:
                rows = b"".join(u2(pc) + u2(line) for pc, line in lines)
                inner = self.attribute("LineNumberTable", u2(len(lines)) + rows)
            attrs.append(self.attribute("Code", u2(stack) + u2(locals) + u4(len(code)) + code + u2(len(handlers)) +
                                        table + u2(1 if lines else 0) + inner))
        self.methods.append(self.row(access, name, desc, attrs))

    def constructor(self, access=PUBLIC, super_name="java/lang/Object"):
        self.method(access, "<init>", "()V",
                    u1(ALOAD_0) + self.invoke(INVOKESPECIAL, super_name, "<init>", "()V") + u1(RETURN), 1, 1)

    def row(self, access, name, desc, attrs):
        return u2(access) + u2(self.utf8(name)) + u2(self.utf8(desc)) + u2(len(attrs)) + b"".join(attrs)

    def nest_host(self, name):
        self.attributes.append(self.attribute("NestHost", u2(self.class_(name))))

    def nest_members(self, names):
        rows = b"".join(u2(self.class_(n)) for n in names)
        self.attributes.append(self.attribute("NestMembers", u2(len(names)) + rows))

    def bytes(self):
        attributes = list(self.attributes)
        if self.bootstraps:
            attributes.append(self.attribute("BootstrapMethods", u2(len(self.bootstraps)) + b"".join(self.bootstraps)))
        table = [u2(self.access), u2(self.this), u2(self.super)]
        for rows in ([u2(i) for i in self.interfaces], self.fields, self.methods, attributes):
            table += [u2(len(rows)), b"".join(rows)]
        return u4(0xCAFEBABE) + u2(0) + u2(self.version) + u2(len(self.pool) + 1) + b"".join(self.pool) + b"".join(table)
