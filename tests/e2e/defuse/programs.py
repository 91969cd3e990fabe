# SPDX-License-Identifier: Apache-2.0
# programs.py FIRST COUNT FOLDER [threads] - writes Java programs, of the packages p1, p2, ... and the class app.All that runs them. They do at random
# what definitions and uses can be lost by: aliases, loops, exceptions, recursion, dispatch, callbacks of lambdas and of the JDK, class
# initialisers, threads that are waited for. Each definition and use has a line of its own and tells lib.Log, which is no part of the
# application and knows who wrote last. There lines count on from 10,000 times the number of the package.
import os, random, sys

FIELDS = ['a', 'b']

class Program:
	def __init__(self, number, seed, has_threads):
		self.number = number
		self.has_threads = has_threads
		self.is_alone = False        # no calls here: an initialiser that waits for a thread may wait for itself
		self.r = random.Random(seed)
		self.lines = []
		self.indent = 0
		self.nmethods = 5
		self.nlocals = 0
		self.level = -1              # methods call later ones, unless all may: where all call each other, any path leads anywhere
		self.is_layered = seed % 4 > 0

	def put(self, text):
		if text.startswith('}'):
			self.indent -= 1
		self.lines.append('\t' * self.indent + text.replace('LINE', str(self.number * 10000 + len(self.lines) + 1)))
		if text.endswith('{'):
			self.indent += 1

	def pick(self, *of):
		return self.r.choice(of)

	def object(self):
		return self.pick('x', 'x', 'y', 'z')

	def static(self):
		return self.pick('Node.s', 'Main.s', 'Lazy.s', 'Lazy2.s', 'Main.t')

	def define(self):
		x, f, s = self.object(), self.pick(*FIELDS), self.static()
		kind = self.r.randrange(6)
		if kind < 2:
			self.put(f'{x}.{f} = {self.r.randrange(9)}; Log.def({x}, "{f}", LINE);')
		elif kind == 2:
			y = self.object()
			self.put(f'{x}.next = {y}; Log.def({x}, "next", LINE);')
		else:
			self.put(f'{s} = {self.r.randrange(9)}; Log.def("{self.number}.{s}", "", LINE);')

	def use(self):
		x, f, s = self.object(), self.pick(*FIELDS), self.static()
		kind = self.r.randrange(6)
		if kind < 2:
			self.put(f'Log.value({x}.{f}); Log.use({x}, "{f}", LINE);')
		elif kind == 2:
			self.nlocals += 1
			v, to = f'v{self.nlocals}', self.pick('x', 'y', 'z')
			self.put(f'Node {v} = {x}.next; Log.use({x}, "next", LINE);')
			self.put(f'if ({v} != null) {to} = {v};')
		else:
			self.put(f'Log.value({s}); Log.use("{self.number}.{s}", "", LINE);')

	def move(self):
		to = self.pick('x', 'y', 'z')
		self.put(f'{to} = ' + self.pick('new Node()', 'new Sub()', 'x', 'y', 'z', 'Log.maybe(x, y)', '(Node) Log.same(y)') + ';')

	def call(self):
		if self.level + 1 >= self.nmethods:
			return self.define()
		m, args = self.r.randrange(self.level + 1, self.nmethods), f'{self.object()}, {self.object()}'
		kind = self.r.randrange(8)
		if kind < 3 or kind == 6 and not self.has_threads:
			self.put(f'Main.f{m}({args});')
		elif kind < 5:
			self.put(f'{self.object()}.{self.pick("m", "n")}({self.object()});')
		elif kind == 5:
			self.put(f'final Node p{len(self.lines)} = {self.object()}, q{len(self.lines)} = {self.object()};')
			k = len(self.lines) - 1
			self.put(self.pick(f'Log.any(() -> Main.f{m}(p{k}, q{k}));', f'java.util.Arrays.asList(p{k}, q{k}).forEach(e -> Main.f{m}(e, p{k}));',
					   f'new java.util.TreeSet<Node>(java.util.Arrays.asList(p{k}, q{k}));'))
		elif kind == 6:
			self.put(f'final Node p{len(self.lines)} = {self.object()};')
			k = len(self.lines) - 1
			self.put(self.pick(f'Log.await(new Thread(() -> Main.f{m}(p{k}, p{k})));', f'Log.await(new Worker(p{k}));'))
		else:
			self.put('Log.value("" + ' + self.object() + ');')

	def block(self, depth):
		for _ in range(self.r.randrange(1, 4)):
			self.statement(depth)

	def statement(self, depth):
		kind = self.r.randrange(20)
		if depth and kind == 0:
			self.put('if (Log.choose()) {'); self.block(depth - 1); self.put('} else {'); self.block(depth - 1); self.put('}')
		elif depth and kind == 1:
			self.put('for (int i%d = Log.times(); i%d > 0; i%d--) {' % ((len(self.lines),) * 3)); self.block(depth - 1); self.put('}')
		elif depth and kind == 2:
			self.put('try {'); self.block(depth - 1); self.put('} catch (' + self.pick('IllegalStateException', 'RuntimeException') + f' e{len(self.lines)}) ' + '{')
			self.block(depth - 1); self.put('}')
		elif depth and kind == 3:
			self.put('try {'); self.block(depth - 1); self.put('} finally {'); self.block(depth - 1); self.put('}')
		elif kind == 4:
			self.put('if (Log.rarely()) ' + self.pick('return;', 'throw new IllegalStateException();'))
		elif kind < 9:
			self.define()
		elif kind < 13:
			self.use()
		elif kind < 15:
			self.move()
		elif not self.is_alone:
			self.call()

	def method(self, head, depth, before=(), level=99):
		self.put(head + ' {')
		self.level = level if self.is_layered else -1
		self.put('if (Log.isOver()) return;')
		for line in before:
			self.put(line)
		self.put('Node z = x;')
		for _ in range(self.r.randrange(3, 8)):
			self.statement(depth)
		self.put('}')

	def field(self, f):
		self.put(f'this.{f} = {self.r.randrange(9)}; Log.def(this, "{f}", LINE);')

	def node(self, name, extends):
		self.put(f'class {name} extends {extends} ' + ('implements Comparable<Node> {' if name == 'Node' else '{'))
		if name == 'Node':
			self.put('int a, b;')
			self.put('Node next;')
			self.put('static int s;')
		self.put(f'{name}() ' + '{')
		if self.pick(True, False):
			self.field('a')
		if name == 'Sub' or self.pick(True, False):
			self.field('b')
		self.put('}')
		for m in ('m', 'n') if name == 'Node' else ('m',):
			self.method(f'void {m}(Node y)', 2, ('Node x = this;',))
		if name == 'Node':
			self.method('private void shown(Node y)', 1, ('Node x = this;',))
			self.put('public int compareTo(Node o) { n(o); return 1; }')
			self.put('public String toString() { shown(this); return "node"; }')
		self.put('}')

	def lazy(self, name):
		self.put(f'class {name} ' + '{')
		self.put('static int s;')
		self.put('static {')
		self.put(f's = 1; Log.def("{self.number}.{name}.s", "", LINE);')
		self.put('try { start(new Node(), new Node()); } catch (RuntimeException e) { }')
		self.put('}')
		self.is_alone = self.has_threads
		self.method('static void start(Node x, Node y)', 1)
		self.is_alone = False
		self.put('}')

	def worker(self):
		self.put('class Worker extends Thread {')
		self.put('private final Node x;')
		self.put('Worker(Node x) { this.x = x; }')
		self.put('public void run() { Main.f0(x, x); }')
		self.put('}')

	def make(self):
		self.put(f'package p{self.number};')
		self.put('import lib.Log;')
		self.node('Node', 'Object')
		self.node('Sub', 'Node')
		self.lazy('Lazy')
		self.lazy('Lazy2')
		if self.has_threads:
			self.worker()
		self.put('public class Main {')
		self.put('static int s, t;')
		for k in range(self.nmethods):
			self.method(f'static void f{k}(Node x, Node y)', 3, level=k)
		self.level = -1
		self.put('public static void main(String[] args) {')
		self.put('Log.start();')
		self.put('try {')
		self.put('Node x = new Node(), y = new Sub(), z = x;')
		for _ in range(10):
			self.statement(3)
		self.put('} catch (Throwable e) {')
		self.put('Log.value(e);')
		self.put('}')
		for k in range(self.nmethods * 2):
			self.put(f'try {{ f{k % self.nmethods}(new Node(), new Sub()); }} catch (Throwable e) {{ }}')
		self.put('try {')
		self.put('f0(null, new Node());')
		self.put('} catch (Throwable e) {')
		self.put('Log.value(e);')
		self.put('}')
		self.put('}')
		self.put('}')
		return '\n'.join(self.lines) + '\n'

def write(path, text):
	os.makedirs(os.path.dirname(path), exist_ok=True)
	with open(path, 'w') as out:
		out.write(text)

if __name__ == '__main__':
	first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
	for k in range(1, count + 1):
		write(f'{folder}/p{k}/Main.java', Program(k, first + k, len(sys.argv) > 4).make())
	calls = ' '.join(f'p{k}.Main.main(args);' for k in range(1, count + 1))
	write(f'{folder}/app/All.java', f'package app;\npublic class All {{\n\tpublic static void main(String[] args) {{\n\t\tlib.Log.seed(args[0]); {calls} lib.Log.end();\n\t}}\n}}\n')
