# SPDX-License-Identifier: Apache-2.0
# same.py BOTH CRITERION=ALONE...: a report of several criteria has of each what the report of a run for that one alone has: the same
# requirements, covered and missed, with the same counts; and nothing unexpected.
import json
import sys


def lists_of(report, name):
	missed = 'missed' if name == 'rc' else 'missed_' + name
	rows = {}
	for s in report['sites']:
		key = s['site'], s['line'], s['declared'], s.get('op')
		for k in (name, missed):
			rows.setdefault((key, k), []).extend(json.dumps(x, sort_keys=True) for x in s.get(k) or [])
	return {k: sorted(v) for k, v in rows.items() if v}


both = json.load(open(sys.argv[1]))
for name, file in (a.split('=') for a in sys.argv[2:]):
	alone = json.load(open(file))
	assert alone[name]['covered'] and alone[name] == both[name], (name, alone[name], both[name])
	a, b = lists_of(alone, name), lists_of(both, name)
	assert a and a == b, (name, [(k, a.get(k), b.get(k)) for k in set(a) | set(b) if a.get(k) != b.get(k)][:3])
assert both['unexpected'] == 0 and both['client'] == 0, both['unexpected']
