# SPDX-License-Identifier: Apache-2.0
"""The classes of a random component: what they declare and inherit, and what of it a client may use.

Types go by name: "C0", "Chain.Cursor", "C0[]", "Object". Components have no overloaded methods, so a name and the
number of arguments always say which member is meant, whatever type the arguments have.
"""
from dataclasses import dataclass, field

# Library types that signatures of components mention: name -> supertypes, nearest first.
LIBRARY = {
    "Object": [], "String": ["Object"], "Throwable": ["Object"], "RuntimeException": ["Throwable", "Object"],
}
PRIMITIVES = {"void": "V", "int": "I", "boolean": "Z"}


@dataclass
class Member:
    owner: str
    sort: str                     # "new", "call", "field"
    name: str
    params: list
    returns: str                  # of a field, its type; "void"
    access: str = "public"        # "protected", "", "private"
    is_static: bool = False
    is_final: bool = False
    is_varargs: bool = False
    has_body: bool = True

    def key(self):
        return self.name, tuple(self.params)


@dataclass
class Type:
    name: str
    sort: str                     # "interface", "class", "enum", "record", "exception"
    access: str = "public"
    parent: str = ""              # a type of the component
    interfaces: list = field(default_factory=list)
    is_abstract: bool = False
    is_final: bool = False
    is_sealed: bool = False
    outer: str = ""               # not static: its constructors need an object of this type
    text: str = ""                # as it is written; "": made up from its members
    constructors: list = field(default_factory=list)
    fields: list = field(default_factory=list)
    methods: dict = field(default_factory=dict)      # key -> member


@dataclass(frozen=True)
class Use:
    """A member by way of a type that has it."""
    via: str
    member: Member

    def __hash__(self):
        return hash((self.via, self.member.sort, self.member.name, tuple(self.member.params)))


class World:
    def __init__(self, package):
        self.package = package
        self.types = {}

    def add(self, t):
        self.types[t.name] = t
        return t

    # Subtyping

    def ancestors(self, name):
        """Itself, superclasses and interfaces, without Object; nearest first, superclasses before interfaces."""
        t = self.types.get(name)
        if not t:
            return [name]
        found = [name]
        for above in ([t.parent] if t.parent else []) + t.interfaces:
            found += [a for a in self.ancestors(above) if a not in found]
        return found

    def chain(self, name):
        found = []
        while name in self.types:
            found.append(name)
            name = self.types[name].parent
        return found

    def is_subtype(self, a, b):
        if a == b or b == "Object":
            return True
        if a.endswith("[]") or b.endswith("[]"):
            return a.endswith("[]") and b.endswith("[]") and self.is_subtype(a[:-2], b[:-2])
        if a in LIBRARY:
            return b in LIBRARY[a]
        return any(up == b or b in LIBRARY.get(up, []) for up in self.ancestors(a))

    def is_nameable(self, name):
        """By clients: public, and so is what it is nested in."""
        name = name.replace("[]", "")
        if name not in self.types:
            return True
        return self.types[name].access == "public" and ("." not in name or self.is_nameable(name.rsplit(".", 1)[0]))

    def concrete_classes(self):
        return [n for n, t in self.types.items() if t.sort in ("class", "record") and not t.is_abstract]

    # Members

    def implementation(self, name, key):
        """What the class has for the key: declared along its superclasses, else the one default method."""
        for c in self.chain(name):
            if key in self.types[c].methods:
                return self.types[c].methods[key]
        having = self.declaring_interfaces(name, key)
        return having[0] if len(having) == 1 else None

    def declaring_interfaces(self, name, key):
        return [self.types[a].methods[key] for a in self.ancestors(name)
                if a in self.types and self.types[a].sort == "interface" and key in self.types[a].methods]

    def keys(self, name):
        found = {}
        for a in self.ancestors(name):
            for key, m in self.types[a].methods.items() if a in self.types else []:
                if not m.is_static:
                    found.setdefault(key, m)
        return found

    def unimplemented(self, name):
        """Keys that a class which can be instantiated must still declare."""
        found = []
        for key in self.keys(name):
            m = self.implementation(name, key)
            if not m or not m.has_body:
                found.append(key)
        return found

    def conflicts(self, name):
        """Keys that even an abstract class must declare: more than one interface has them, one with a body."""
        found = []
        for key in self.keys(name):
            having = self.declaring_interfaces(name, key)
            if not self.implementation(name, key) and any(m.has_body for m in having):
                found.append(key)
        return found

    def inherited_methods(self, name):
        """Every method of the type, its own first; static methods of interfaces are not inherited."""
        found = {}
        for a in self.ancestors(name):
            t = self.types.get(a)
            for key, m in t.methods.items() if t else []:
                if a == name or not (m.is_static and t.sort == "interface"):
                    found.setdefault(key, m)
        return list(found.values())

    def inherited_fields(self, name):
        found = {}
        for a in self.ancestors(name):
            for f in self.types[a].fields if a in self.types else []:
                found.setdefault(f.name, f)
        return list(found.values())

    def uses(self):
        """Every member by way of every type of the component."""
        found = []
        for name, t in self.types.items():
            found += [Use(name, m) for m in t.constructors if not t.is_abstract]
            found += [Use(name, m) for m in self.inherited_methods(name) + self.inherited_fields(name)]
        return found

    # Text

    def binary(self, name):
        """In internal form."""
        if name in LIBRARY:
            return f"java/lang/{name}"
        return f"{self.package}/{name.replace('.', '$')}"

    def descriptor(self, name):
        if name in PRIMITIVES:
            return PRIMITIVES[name]
        if name.endswith("[]"):
            return "[" + self.descriptor(name[:-2])
        return f"L{self.binary(name)};"

    def signature(self, m):
        params = ([self.types[m.owner].outer] if m.sort == "new" and self.types[m.owner].outer else []) + m.params
        return f"({''.join(self.descriptor(p) for p in params)}){self.descriptor(m.returns)}"


def object_members():
    return [Member("Object", "call", "toString", [], "String"), Member("Object", "call", "hashCode", [], "int"),
            Member("Object", "call", "equals", ["Object"], "boolean")]


def relevant_types(world, uses, arrays):
    """The types of which clients have variables, as section III-B of the paper defines them."""
    found = {"String", "Throwable"}
    for u in uses:
        found.update(u.member.params)
        found.add(u.member.returns if u.member.sort != "new" else u.via)
        if not u.member.is_static:
            found.add(u.via)
    for a in arrays:
        found.update((a, a[:-2]))
    return sorted(found - set(PRIMITIVES))
