#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terminal.py - runs a program on a terminal that is made up. Usage: terminal.py STATUS STEP... -- COMMAND...

STATUS is what the program ends with, as a shell says it: 130 for SIGINT. Steps:
  size:COLUMNSxLINES   how large the terminal is; the first step is one, and the program is told of others
  wait:TEXT            until TEXT is on the screen
  gone:TEXT            until it is not
  key:KEYS             types them; up, down, left, right, enter, escape, pageup, pagedown, home, end are keys by name
  screen               prints the lines of the screen, each behind a `|`
  signal:NAME          sends SIGNAME
  hangup               closes the terminal
  stopped, continue    waits until the program is stopped; lets it go on

Waiting takes as long as the program needs, five minutes at most. At the end the terminal must be as it was: its settings, its
first screen, a visible cursor, lines that wrap. What is then on that screen is written to the file `left` in this folder.
"""
import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import time

DEADLINE = 300
KEYS = {"up": "\033[A", "down": "\033[B", "right": "\033[C", "left": "\033OD", "pageup": "\033[5~", "pagedown": "\033[6~",
        "home": "\033[H", "end": "\033[4~", "enter": "\r", "escape": "\033"}
SEQUENCE = re.compile(r"\033\[([?0-9;]*)([A-Za-z])")


class Screen:
    """As much of a terminal as sherd uses. Whatever else it sends is a mistake."""

    def __init__(self, columns, lines):
        self.modes = {"1049": False, "25": True, "7": True}
        self.screens = {False: {}, True: {}}
        self.places = {False: (0, 0), True: (0, 0)}
        self.rest = ""
        self.resize(columns, lines)

    def resize(self, columns, lines):
        self.columns, self.lines = columns, lines

    def cells(self):
        return self.screens[self.modes["1049"]]

    def text(self):
        cells = self.cells()
        rows = [[cells.get((y, x), " ") for x in range(self.columns)] for y in range(self.lines)]
        return ["".join(row).rstrip() for row in rows]

    def erase(self, keep):
        cells = self.cells()
        for at in [at for at in cells if not keep(at)]:
            del cells[at]

    def sequence(self, numbers, letter):
        y, x = self.places[self.modes["1049"]]
        if numbers[:1] == "?":
            assert numbers[1:] in self.modes and letter in "hl", (numbers, letter)
            self.modes[numbers[1:]] = letter == "h"
        elif letter == "H" and not numbers:
            self.places[self.modes["1049"]] = (0, 0)
        elif letter == "J" and numbers == "2":
            self.erase(lambda at: False)
        elif letter == "K" and numbers == "2":
            self.erase(lambda at: at[0] != y)
        elif letter == "K" and not numbers:
            self.erase(lambda at: at[0] != y or at[1] < x)
        else:
            assert letter == "m", f"unknown sequence {numbers!r} {letter!r}"

    def put(self, c):
        on = self.modes["1049"]
        y, x = self.places[on]
        if c == "\r":
            x = 0
        elif c == "\n":
            y += 1
            if on:
                assert y < self.lines or self.is_resized, "the screen scrolls"
        elif not on or x < self.columns:
            self.screens[on][y, x] = c
            x += 1
        self.places[on] = y, x

    is_resized = False

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\033":
                self.put(text[at])
                at += 1
                continue
            m = SEQUENCE.match(text, at)
            if not m:
                self.rest = text[at:]
                return
            self.sequence(m[1], m[2])
            at = m.end()


class Run:
    def __init__(self, command, size):
        self.fd, own = os.openpty()
        self.end = time.monotonic() + DEADLINE
        self.bytes = b""
        self.before = termios.tcgetattr(own)
        self.screen = Screen(80, 24)
        self.step(size)
        self.screen.is_resized = False
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)     # nohup's is inherited, and no terminal starts with it
            os.setsid()
            fcntl.ioctl(own, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(own, fd)
            os.execvp(command[0], command)
        os.close(own)

    def size(self, columns, lines):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.is_resized = True
        self.screen.resize(columns, lines)

    def read(self):
        """More of what the program writes; False at its end."""
        assert time.monotonic() < self.end, "waited in vain:\n" + "\n".join(self.screen.text())
        if not select.select([self.fd], [], [], 1)[0]:
            return True
        try:
            self.bytes += os.read(self.fd, 65536)
        except OSError:
            return False
        text = self.bytes.decode("utf-8", "ignore") if is_whole(self.bytes) else None
        if text is not None:
            self.bytes = b""
            self.screen.feed(text)
        return True

    def wait(self, is_there):
        while not is_there("\n".join(self.screen.text())):
            assert self.read(), "the program has ended:\n" + "\n".join(self.screen.text())

    def step(self, step):
        name, _, value = step.partition(":")
        if name == "size":
            self.size(*map(int, value.split("x")))
        elif name == "wait":
            self.wait(lambda text: value in text)
        elif name == "gone":
            self.wait(lambda text: value not in text)
        elif name == "key":
            os.write(self.fd, KEYS.get(value, value).encode())
        elif name == "screen":
            print("\n".join("|" + line for line in self.screen.text()))
        elif name == "signal":
            os.kill(self.pid, getattr(signal, "SIG" + value))
        elif name == "stopped":
            assert os.WIFSTOPPED(os.waitpid(self.pid, os.WUNTRACED)[1])
            while select.select([self.fd], [], [], 0)[0]:
                self.read()
            self.expect_restored()
        elif name == "continue":
            os.kill(self.pid, signal.SIGCONT)
        elif name == "hangup":
            os.close(self.fd)
            self.fd = None
        else:
            sys.exit(f"unknown step {step}")

    def expect_restored(self):
        assert self.screen.modes == {"1049": False, "25": True, "7": True}, self.screen.modes
        assert termios.tcgetattr(self.fd) == self.before, "the settings of the terminal are others"

    def finish(self, want):
        while self.fd is not None and self.read():
            pass
        if self.fd is not None:
            self.expect_restored()
        with open("left", "w", encoding="utf-8") as left:
            print("\n".join(self.screen.text()), file=left)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        status = 128 - status if status < 0 else status
        assert status == want, f"status {status}, not {want}:\n" + "\n".join(self.screen.text())


def is_whole(data):
    """Does it end with a whole character?"""
    try:
        data.decode()
        return True
    except UnicodeDecodeError as e:
        return e.end < len(data)


def main():
    split = sys.argv.index("--")
    want, steps, command = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]
    run = Run(command, steps[0])
    for step in steps[1:]:
        run.step(step)
    run.finish(want)


if __name__ == "__main__":
    main()
