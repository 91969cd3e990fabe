# SPDX-License-Identifier: Apache-2.0
"""said.py SUMMARIES SOURCE: lines of the source that say what their call reads and writes are right."""
import json
import re
import sys


def main():
	summaries, checked = json.load(open(sys.argv[1])), 0
	for n, text in enumerate(open(sys.argv[2]), 1):
		said = re.search(r'// reads:(.*) writes:(.*); (free|changes)$', text.rstrip())
		if not said:
			continue
		calls = [c for c in summaries['calls'] if c.get('line') == n and c['declared'].startswith('shelf.')]
		assert len(calls) == 1, (n, calls)
		effect = summaries['effects'][calls[0]['effect']]
		got = [sorted(f.rsplit('.', 1)[1] for f in (summaries['accesses'][i]['field'] for i in effect[way]) if f.startswith('shelf.'))
		       for way in ('reads', 'writes')]
		assert got == [sorted(said.group(i).split()) for i in (1, 2)], (n, got)
		assert calls[0]['free'] == (said.group(3) == 'free'), (n, calls[0])
		checked += 1
	assert checked > 8, checked


main()
