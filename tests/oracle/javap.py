# SPDX-License-Identifier: Apache-2.0
"""Compares what cfdump and `javap -v -p` say about the same class files.

usage: javap.py JAVAP_OUTPUT CFDUMP_OUTPUT

Both are turned into the same list of lines for each class. Prints the first differences of each class that
differs, then `N classes compared, M differ`; fails when M > 0. Comments of javap are used only where they
resolve a constant-pool entry; the rest of its text repeats that.
"""
import re
import struct
import sys

ACC_INTERFACE, ACC_STATIC = 0x200, 0x8
SHOWN = 5                               # differences shown for each class

ENTRY = re.compile(r" *#(\d+) = (\S+) *")
INSN = re.compile(r" +(\d+): ([a-z]\w*)(?: +([^/]*?))? *(?://.*)?$")
SWITCH_ROW = re.compile(r" +(-?\d+|default): (\d+)$")
FRAME = re.compile(r" +frame_type = (\d+) /\* (\w+) \*/")
CODE_HEAD = re.compile(r" +stack=(\d+), locals=(\d+), args_size=(\d+)")
INNER = re.compile(r"  ([a-z ]*)(?:#(\d+)= )?#(\d+)(?: of #(\d+))?;")
FRAME_KINDS = {"same": "same", "same_frame_extended": "same", "same_locals_1_stack_item": "same1",
               "same_locals_1_stack_item_frame_extended": "same1", "chop": "chop", "append": "append",
               "full_frame": "full"}


def ascii_text(s):
    """Everything outside printable ASCII as UTF-16 units, as cfdump writes it."""
    if s.isascii():
        return s
    out = []
    for c in s:
        if c < "\x7f":
            out.append(c)
        else:
            raw = c.encode("utf-16-be")
            out.extend("\\u%04x" % n for n in struct.unpack(">%dH" % (len(raw) // 2), raw))
    return "".join(out)


def number(tag, text):
    """javap writes 1.5f, 2.0d, 3l."""
    if tag == "Long" or tag == "long":
        return text[:-1]
    if tag in ("Float", "float", "Double", "double"):
        x = float(text[:-1])
        if x != x:
            return "NaN"
        return struct.pack(">f" if tag in ("Float", "float") else ">d", x).hex()
    return text


def without_generics(s):
    out, depth = [], 0
    for c in s:
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
        elif not depth:
            out.append(c)
    return "".join(out)


def index_of(rest):
    return rest.split("//", 1)[0].strip()


class Class:
    """The facts about one class, in the order of cfdump."""

    def __init__(self):
        self.name = ""
        self.header = ""
        self.top = {}
        self.interface = False
        self.pool = []
        self.members = []
        self.attributes = {}

    def add(self, kind, line):
        self.attributes.setdefault(kind, []).append(line)

    def interfaces(self):
        text = without_generics(self.header)
        words = " extends " if self.interface else " implements "
        if words not in text or text.startswith("module ") or text.startswith("open module "):
            return []
        return ["interface " + n.strip().replace(".", "/") for n in text.split(words, 1)[1].split(",")]

    def lines(self):
        top = self.top
        out = ["version %s.%s" % (top["major"], top["minor"]), "flags " + top["flags"], "this " + top["this"],
               "super " + top["super"]]
        out += self.interfaces() + self.pool
        for m in self.members:
            out += m.lines(self.name)
        out.append("attributes")
        for kind in ("signature", "source", "bootstrap", "inner", "enclosing", "nesthost", "nestmember", "permitted",
                     "component", "module"):
            out += self.attributes.get(kind, [])
        return out


class Member:
    def __init__(self, header):
        self.header = header
        self.desc = self.flags = ""
        self.parts = {}

    def add(self, kind, line):
        self.parts.setdefault(kind, []).append(line)

    def name(self, owner):
        if self.header == "static {};":
            return "<clinit>"
        text = without_generics(self.header).rstrip(";")
        if self.desc.startswith("("):
            text = text.split("(", 1)[0]
        last = text.split()[-1]
        return "<init>" if self.desc.startswith("(") and last.replace(".", "/") == owner else last

    def lines(self, owner):
        what = "method" if self.desc.startswith("(") else "field"
        out = ["%s %s %s %s" % (what, self.name(owner), self.desc, self.flags)]
        for kind in ("signature", "constant", "throws", "code", "insn", "handler", "line", "local", "localtype",
                     "frame"):
            out += self.parts.get(kind, [])
        return [ascii_text(s) for s in out]


def entry_line(index, tag, rest):
    """`#2.#3         // java/lang/Object."<init>":()V` and its like."""
    if tag == "Utf8":
        return "cp #%s Utf8 %s" % (index, ascii_text(rest))
    if tag in ("Integer", "Float", "Long", "Double"):
        return "cp #%s %s %s" % (index, tag, number(tag, rest.strip()))
    operands, comment = rest.split("//", 1)
    text = comment[1:] if tag == "String" else comment.strip().replace('"', "")
    return "cp #%s %s %s // %s" % (index, tag, operands.strip(), ascii_text(text))


def parse_pool(lines, i, cls):
    while lines[i] != "{":
        m = ENTRY.match(lines[i])
        # The kind is padded to 18 columns; text may itself begin with blanks.
        at = max(m.start(2) + 19, m.end(2) + 1)
        cls.pool.append(entry_line(m.group(1), m.group(2), lines[i][at:]))
        i += 1
    return i + 1


def parse_switch(lines, i, head, member):
    rows = []
    while lines[i].strip() != "}":
        rows.append("%s:%s" % SWITCH_ROW.match(lines[i]).groups())
        i += 1
    member.add("insn", " ".join([head] + rows))
    return i + 1


def parse_insns(lines, i, member):
    while True:
        m = INSN.match(lines[i])
        if not m:
            return i
        pc, name, operands = m.groups()
        i += 1
        if operands and operands.startswith("{"):
            i = parse_switch(lines, i, "%s: %s" % (pc, name), member)
        else:
            member.add("insn", "%s: %s%s" % (pc, name, " " + operands.replace(" ", "") if operands else ""))


def indented(lines, i, n):
    return lines[i].startswith(" " * n) and len(lines[i]) > n


def parse_handlers(lines, i, member):
    i += 1
    while indented(lines, i, 8):
        start, end, target, *what = lines[i].split()
        member.add("handler", "handler %s %s %s %s" % (start, end, target, what[-1].replace('"', "")))
        i += 1
    return i


def parse_locals(lines, i, member, kind):
    i += 1
    while indented(lines, i, 8):
        pc, length, slot, name, desc = lines[i].split()
        member.add(kind, "%s %s %s %s %s %s" % (kind, pc, length, slot, name, desc))
        i += 1
    return i


def vtypes(text):
    inner = text.split("[", 1)[1].rstrip()[:-1].strip()
    return ",".join(t.strip().replace('"', "") for t in inner.split(", ")) if inner else ""


def parse_frames(lines, i, member):
    pc = -1
    while indented(lines, i, 8):
        kind, name = FRAME.match(lines[i]).groups()
        kind, i = int(kind), i + 1
        facts = {"offset_delta": str(kind if kind < 64 else kind - 64), "locals": "[]", "stack": "[]"}
        while indented(lines, i, 10):
            key, value = lines[i].strip().split(" = ", 1)
            facts[key] = value
            i += 1
        pc += int(facts["offset_delta"]) + 1
        chopped = 251 - kind if 248 <= kind <= 250 else 0
        member.add("frame", "frame %d %d %s %d locals=[%s] stack=[%s]" % (
            pc, kind, FRAME_KINDS[name], chopped, vtypes(facts["locals"]), vtypes(facts["stack"])))
    return i


def parse_code(lines, i, member):
    head = CODE_HEAD.match(lines[i])
    member.add("code", "code stack=%s locals=%s args=%s" % head.groups())
    i = parse_insns(lines, i + 1, member)
    while indented(lines, i, 6):
        title = lines[i].strip()
        i += 1
        if title == "Exception table:":
            i = parse_handlers(lines, i, member)
        elif title == "LineNumberTable:":
            while indented(lines, i, 8):
                line, pc = lines[i].strip()[5:].split(": ")
                member.add("line", "line %s %s" % (line, pc))
                i += 1
        elif title == "LocalVariableTable:":
            i = parse_locals(lines, i, member, "local")
        elif title == "LocalVariableTypeTable:":
            i = parse_locals(lines, i, member, "localtype")
        elif title.startswith("StackMapTable:"):
            i = parse_frames(lines, i, member)
    return i


def signature_line(text):
    index, comment = text.split("//", 1)
    return "signature %s %s" % (index.strip(), ascii_text(comment[1:]))


def parse_member_attribute(lines, i, member):
    key, _, value = lines[i].strip().partition(":")
    value = lines[i][lines[i].index(":") + 2:] if value else ""
    i += 1
    if key == "descriptor":
        member.desc = value.strip()
    elif key == "flags":
        member.flags = value[1:7]
    elif key == "Signature":
        member.add("signature", signature_line(value))
    elif key == "ConstantValue":
        kind, _, text = value.partition(" ")
        if int(member.flags, 16) & ACC_STATIC:          # elsewhere it means nothing
            member.add("constant", "constant %s %s" % (kind, text if kind == "String" else number(kind, text)))
    elif key == "Exceptions":
        for name in lines[i].strip()[len("throws "):].split(", "):
            member.add("throws", "throws " + name.replace(".", "/"))
    elif key == "Code":
        i = parse_code(lines, i, member)
    while indented(lines, i, 6):
        i += 1
    return i


def parse_members(lines, i, cls):
    while lines[i] != "}":
        if not lines[i]:
            i += 1
        elif lines[i].startswith("    "):
            i = parse_member_attribute(lines, i, cls.members[-1])
        else:
            cls.members.append(Member(lines[i].strip()))
            i += 1
    return i + 1


def parse_bootstrap(lines, i, cls):
    while indented(lines, i, 2):
        text = lines[i].strip()
        if not lines[i].startswith("   "):
            row, handle = text.split()[:2]
            cls.add("bootstrap", "bootstrap %s %s" % (row[:-1], handle))
        elif text.startswith("#"):
            cls.attributes["bootstrap"][-1] += " " + text.split(" ", 1)[0]
        i += 1
    return i


def parse_record(lines, i, cls):
    name = None
    while not lines[i] or lines[i].startswith(" "):
        text = lines[i].strip()
        if indented(lines, i, 2) and lines[i][2] != " ":
            name = without_generics(text).rstrip(";").split()[-1]
        elif text.startswith("descriptor: "):
            cls.add("component", ascii_text("component %s %s" % (name, text[len("descriptor: "):])))
        elif text.startswith("Signature: "):
            cls.add("component", signature_line(text[len("Signature: "):]))
        i += 1
    return i


def parse_inner(lines, i, cls):
    while indented(lines, i, 2):
        flags, name, inner, outer = INNER.match(lines[i]).groups()
        cls.add("inner", ("inner #%s #%s #%s %s" % (name or 0, inner, outer or 0, flags)).strip())
        i += 1
    return i


def parse_class_attribute(lines, i, cls):
    key, _, value = lines[i].partition(":")
    value = value.strip()
    i += 1
    if key == "Signature":
        cls.add("signature", signature_line(value))
    elif key == "SourceFile":
        cls.add("source", ascii_text("source " + value[1:-1]))
    elif key == "NestHost":
        cls.add("nesthost", "nesthost " + value.split(" ", 1)[1].replace('"', ""))
    elif key == "EnclosingMethod":
        cls.add("enclosing", "enclosing " + index_of(value))
    elif key == "BootstrapMethods":
        i = parse_bootstrap(lines, i, cls)
    elif key == "InnerClasses":
        i = parse_inner(lines, i, cls)
    elif key == "Record":
        i = parse_record(lines, i, cls)
    kind = {"NestMembers": "nestmember", "PermittedSubclasses": "permitted", "Module": "module"}.get(key)
    while not lines[i] or lines[i].startswith(" "):
        if kind and lines[i]:
            cls.add(kind, "%s %s" % (kind, index_of(lines[i]).replace('"', "")))
        i += 1
    return i


def parse_top(lines, i, cls):
    """From the header to the constant pool."""
    while lines[i] != "Constant pool:":
        key, _, value = lines[i].strip().partition(": ")
        if not lines[i].startswith(" "):
            cls.header = lines[i]
        elif key == "flags":
            cls.top["flags"] = value[1:7]
            cls.interface = bool(int(value[1:7], 16) & ACC_INTERFACE)
        elif key in ("minor version", "major version"):
            cls.top[key[:5]] = value.strip()
        elif key in ("this_class", "super_class"):
            cls.top[key.split("_")[0]] = index_of(value)
            if key == "this_class":
                cls.name = value.split("//", 1)[1].strip().replace('"', "")
        i += 1
    return i + 1


def javap_classes(lines):
    """(path, lines) of each class."""
    i = 0
    lines[-1] = "Classfile "            # an end that no loop runs past
    while i < len(lines) - 1:
        path = lines[i][len("Classfile "):]
        cls = Class()
        i = parse_top(lines, i + 1, cls)
        i = parse_pool(lines, i, cls)
        i = parse_members(lines, i, cls)
        while not lines[i].startswith("Classfile "):
            i = parse_class_attribute(lines, i, cls)
        yield path, cls.lines()


def cfdump_classes(lines):
    out, path = {}, None
    for line in lines:
        if line.startswith("== "):
            path = line[3:]
            out[path] = []
        elif path and line:
            out[path].append(line)
    return out


def same(a, b):
    if a.rstrip(" ") == b.rstrip(" "):      # javap cuts trailing blanks
        return True
    # With a generic signature javap separates an inner class by a dot.
    return a.startswith("interface ") and a.replace("$", "/") == b.replace("$", "/")


def differences(ours, theirs):
    out = []
    for k in range(max(len(ours), len(theirs))):
        a = ours[k] if k < len(ours) else "(nothing)"
        b = theirs[k] if k < len(theirs) else "(nothing)"
        if not same(a, b):
            out.append((a, b))
    return out


def read_lines(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        return f.read().split("\n")


def main():
    theirs = dict(javap_classes(read_lines(sys.argv[1])))
    ours = cfdump_classes(read_lines(sys.argv[2]))
    differ = 0
    for path in ours:
        diff = differences(ours[path], theirs.get(path, []))
        if not diff:
            continue
        differ += 1
        print("%s:" % path)
        for a, b in diff[:SHOWN]:
            print("  sherd: %s\n  javap: %s" % (a, b))
    print("%d classes compared, %d differ" % (len(ours), differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
