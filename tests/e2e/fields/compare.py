# SPDX-License-Identifier: Apache-2.0
"""compare.py REPORT SOURCE: which def-use pairs the report has seen are just those that comments of the source say."""
import json
import re
import sys


def read_source(name):
	line_of, said = {}, {}
	for n, line in enumerate(open(name), 1):
		words = line.partition('// ')[2].split()
		sort = None
		for w in words if words and words[0] in ('D', 'U') else []:
			if w in ('D', 'U'):
				sort = w
				if w == 'U':
					said[n] = set()
			elif sort == 'D':
				assert w not in line_of, w
				line_of[w] = n
			elif w != '-':
				said[n].add(w)
	return said, {(n, line_of[w]) for n, uses in said.items() for w in uses}


said, want = read_source(sys.argv[2])
r = json.load(open(sys.argv[1]))
seen = set()
for s in r['sites']:
	assert s['op'] in ('getfield', 'getstatic'), s
	assert s['line'] in said, ('the source does not speak of', s)
	for d in s['du'] + s.get('unexpected_du', []):
		seen.add((s['line'], int(re.search(r':(\d+)(#\d+)?$', d['definition'])[1])))
assert len(want) > 40, want
assert seen == want, ('seen, not said', sorted(seen - want), 'said, not seen', sorted(want - seen))
assert r['unexpected'] == 0, [s for s in r['sites'] if s.get('unexpected_du')]
