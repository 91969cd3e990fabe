# SPDX-License-Identifier: Apache-2.0
# graphs.py FORMAT JSON: the file `graph` has the edges of the result in JSON, with their kinds.
import json, re, sqlite3, sys
import xml.etree.ElementTree as xml

def pairs(edges):                    # caller, kind, callee
	return {(e['caller'], e['kind'], e['callee']) for e in edges}

want = json.load(open(sys.argv[2]))['edges']
assert len({k for _, k, _ in pairs(want)}) == 3

def graphml():
	ns = '{http://graphml.graphdrawing.org/xmlns}'
	g = xml.parse('graph').getroot().find(ns + 'graph')
	names = {n.get('id'): n.find(ns + "data[@key='method']").text for n in g.iter(ns + 'node')}
	got = [(names[e.get('source')], e.find(ns + "data[@key='kind']").text, names[e.get('target')]) for e in g.iter(ns + 'edge')]
	assert len(got) == len(set(got)) and set(got) == pairs(want), set(got) ^ pairs(want)

def sqlite():
	db = sqlite3.connect('graph')
	assert db.execute('PRAGMA user_version').fetchone() == (1,)
	assert not db.execute('PRAGMA foreign_key_check').fetchall()
	got = db.execute('SELECT caller, site_pc, ifnull(line, 0), kind, callee FROM edge').fetchall()
	assert sorted(got) == sorted((e['caller'], int(e['site'].rpartition('@')[2]), e.get('line', 0), e['kind'], e['callee']) for e in want)
	assert set(db.execute('SELECT caller, kind, callee FROM method_edge')) == pairs(want)
	got = db.execute('SELECT caller, kind, declared, called_by, callee FROM callback').fetchall()
	assert sorted(got, key=str) == sorted([(e['caller'], e['kind'], e.get('declared'), e.get('by'), e['callee']) for e in want
					       if e['kind'] != 'direct'], key=str)
	for kind in ('direct', 'callback', 'later'):
		assert db.execute('SELECT value FROM meta WHERE key = ?', (kind,)).fetchone()[0] == sum(e['kind'] == kind for e in want)

def short(m):                        # without types, which are written in other ways
	return m[:m.index('(')]

def drawn(arrows, names):
	assert len(arrows) == len(pairs(want)), (len(arrows), len(pairs(want)))
	assert {(short(names[a]), k, short(names[b])) for a, k, b in arrows} == {(short(a), k, short(b)) for a, k, b in pairs(want)}

def dot():
	text = open('graph').read()
	names = dict(re.findall(r'(n\d+) \[label="([^"]*)"', text))
	kinds = {'': 'direct', 'dashed': 'callback', 'dotted': 'later'}
	drawn([(a, kinds[s], b) for a, b, s in re.findall(r'(n\d+) -> (n\d+)(?: \[style=(\w+).*\])?;', text)], names)

def mermaid():
	names, box, arrows, kinds = {}, '', [], {}
	plain = lambda s: re.sub(r'#(\d+);', lambda m: chr(int(m.group(1))), s)
	for line in open('graph'):
		if m := re.match(r'  subgraph c\d+\["(.*)"\]', line):
			box = plain(m.group(1))
		elif m := re.match(r'    (n\d+)\["(.*)"\]', line):
			names[m.group(1)] = box + '.' + plain(m.group(2))
		elif m := re.match(r'  (n\d+) (-->|-\..*->) (n\d+)$', line):
			arrows.append([m.group(1), m.group(2), m.group(3)])
		elif m := re.match(r'  linkStyle ([\d,]+) (.*)', line):
			kinds.update((int(i), 'later' if 'dasharray' in m.group(2) else 'callback') for i in m.group(1).split(','))
	for i, a in enumerate(arrows):
		assert (a[1] == '-->') == (i not in kinds)
		a[1] = kinds.get(i, 'direct')
	drawn(arrows, names)

globals()[sys.argv[1]]()
