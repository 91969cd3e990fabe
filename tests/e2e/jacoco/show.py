# SPDX-License-Identifier: Apache-2.0
"""show - what coverage tools saw, as text that can be compared. Usage: show.py exec FILE | sites FILE | states FILE

exec: the classes of JaCoCo's data, their identities and probes; sites: the calls of sherd's report, with counts and without what
names a run; states: the states of its classes, each once.
"""
import json
import struct
import sys


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, form):
        return struct.unpack(">" + form, self.take(struct.calcsize(form)))[0]

    def text(self):
        return self.take(self.number("H")).decode()

    def probes(self):
        n = shift = 0
        while True:
            b = self.number("B")
            n |= (b & 0x7F) << shift
            shift += 7
            if b < 0x80:
                break
        bits = self.take((n + 7) // 8)
        return "".join("01"[bits[i // 8] >> i % 8 & 1] for i in range(n))


def show_exec(path):
    r = Reader(open(path, "rb").read())
    while r.at < len(r.data):
        sort = r.number("B")
        if sort == 0x01:
            r.take(4)
        elif sort == 0x10:
            r.text(), r.take(16)
        elif sort == 0x11:
            identity, name = r.number("Q"), r.text()
            yield f"{name} {identity:016x} {r.probes()}"
        else:
            sys.exit(f"{path}: unknown block {sort}")


def show_sites(path):
    for s in json.load(open(path))["sites"]:
        yield json.dumps(s, sort_keys=True)


def show_states(path):
    return {f"{c['state']} {c.get('unwatched', 0)}" for c in json.load(open(path))["classes"]}


def main():
    shown = {"exec": show_exec, "sites": show_sites, "states": show_states}[sys.argv[1]](sys.argv[2])
    print("\n".join(sorted(shown)))


main()
