# SPDX-License-Identifier: Apache-2.0
# said.py SOURCE PAIRS.csv - each use that the source marks reads the definitions that it names, and no others.
import csv, os, re, sys

names, uses = {}, {}
for n, text in enumerate(open(sys.argv[1]), 1):
	m = re.search(r'// def (\w+)$', text.rstrip())
	if m:
		assert m.group(1) not in names.values(), m.group(1)
		names[n] = m.group(1)
	m = re.search(r'// use ([\w ]+?)(?: by (\w+))?$', text.rstrip())
	if m and 'NAME' not in text:
		uses[n] = (set(m.group(1).split()) - {'nothing'}, m.group(2))

found, kinds = {}, {}
for row in csv.DictReader(open(sys.argv[2])):
	use, definition = int(row['use_line']), int(row['def_line'])
	found.setdefault(use, set()).add(names.get(definition, str(definition)))
	kinds.setdefault(use, set()).add(row['kind'])
assert len(uses) > 5, uses
wrong = [(n, sorted(found.get(n, set())), sorted(want)) for n, (want, _) in uses.items() if found.get(n, set()) != want]
wrong += [(n, sorted(kinds.get(n, set())), kind) for n, (_, kind) in uses.items() if kind and kinds.get(n) != {kind}]
for line in wrong:
	print('line %d: found %s, said %s' % line)
sys.exit(bool(wrong))
