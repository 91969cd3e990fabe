# SPDX-License-Identifier: Apache-2.0
"""compare.py SUMMARIES SEEN [READS WRITES]: every access that the watcher saw is in the summary of its call, by field and class of the object.

What initialises a class at another instruction than a call is no library call; the fields of a lambda have no names. Static fields of the
JDK that no other package can name, or change, may be missing, since quiet methods are not looked at: they are counted. With READS and
WRITES, that the run must show at least, it is of a real program: what its summaries say is unknown is counted as well."""
import json
import sys


def name(signature):             # Ljava/util/Map$Entry; -> java.util.Map$Entry
	return signature[1:-1].replace('/', '.') if signature[0] == 'L' else signature


class Summaries:
	def __init__(self, path):
		self.all = json.load(open(path))
		self.calls = {c['site']: c for c in self.all['calls']}
		self.sets = {}

	def fields(self, number):
		"""The fields of an effect: (r or w, field) -> classes of the objects; None among them: it is not known."""
		if number not in self.sets:
			out = self.sets[number] = {}
			for way in ('reads', 'writes'):
				for a in (self.all['accesses'][i] for i in self.all['effects'][number][way]):
					objects = a.get('objects', []) + a.get('new', [])
					out[way[0], a['field']] = {self.all['objects'][o].get('class') for o in objects} | ({'-'} if 'static' in a else set())
		return self.sets[number]


def main():
	summaries, missed, counts, hidden, unknown = Summaries(sys.argv[1]), [], {'r': 0, 'w': 0}, 0, 0
	is_real = len(sys.argv) > 3
	for row in sorted({line.rstrip('\n') for line in open(sys.argv[2])}):
		way, owner, field, of, cls, method, desc, pc, _, entered, names = row.split('\t')
		call = summaries.calls.get('%s.%s%s@%s' % (name(cls), method, desc, pc))
		if '$$Lambda' in owner or (entered == '<clinit>' and not call):
			continue
		counts[way] += 1
		if not call or 'effect' not in call:
			missed.append(('no such call', row))
			continue
		classes = summaries.fields(call['effect']).get((way, name(owner) + '.' + field), set())
		is_there = name(of) in classes or None in classes
		if not is_there and of == '-' and names != 'open' and owner.startswith('Ljava/'):
			hidden += 1
		elif not is_there and is_real and 'unknown' in summaries.all['effects'][call['effect']]:
			unknown += 1
		elif not is_there:
			missed.append(('unknown code' if 'unknown' in summaries.all['effects'][call['effect']] else 'missed', row))
	for why, row in missed:
		print(why, row.replace('\t', ' '))
	print('%d reads and %d writes seen; %d missed; %d of static fields that only the JDK can change, %d in calls of which something is unknown' %
		(counts['r'], counts['w'], len(missed), hidden, unknown))
	assert hidden < 30 and unknown * 100 < counts['r'] + counts['w'], 'that many?'
	least = [int(n) for n in sys.argv[3:]] or [300, 150]
	assert counts['r'] > least[0] and counts['w'] > least[1], 'the run shows too little'
	sys.exit(1 if missed else 0)


main()
