#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# unknown.sh - which calls of a component may be made on objects of unknown class: those that its own code finds by name and what
# these give it, and no others. What unknown code gets, it calls back and takes apart.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/unknown
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d lib "$here/Plugs.java" "$here/Kept.java" || exit 2

for name in Plugs Kept; do
	package=${name,,}
	for clients in closed open; do
		expect "$name, $clients clients" status 0 "$sherd" requirements -q -cp lib --component "$package.*" --clients $clients --format json
		expect "$name, $clients clients: calls of size()" json "
lines = {i + 1: 'open' if '// open' in text else 'closed' for i, text in enumerate(open('$here/$name.java')) if '.size();  ' in text}
calls = {s['line']: 'open' if s.get('open') else 'closed' for s in d['sites'] if '.size()' in s['declared']}
assert len(lines) >= 3 and calls == lines, {line: (calls.get(line), lines.get(line)) for line in calls if calls[line] != lines.get(line)}"
	done
done

# An engine that is found by name calls a navigator back, and iterates over what that hands out: a list of nodes.
mkdir -p api paths engines tests
compile -g -d api "$here"/paths/{Engine,Walk}.java && compile -g -cp api -d paths "$here/paths/Paths.java" &&
	compile -g -cp api -d engines "$here/paths/All.java" && compile -g -cp paths -d tests "$here/paths/Main.java" || exit 2
for interface in public tests:tests; do
	for clients in closed open; do
		what="engine, interface $interface, $clients clients"
		expect "$what" status 0 "$sherd" cover -q -cp paths:api --component 'paths.*' --interface $interface --clients $clients -o covered \
			-- java -cp paths:api:engines:tests tests.Main
		expect "$what: report" status 0 "$sherd" report covered --format json
		expect "$what: what it calls back is required" json "
assert d['unexpected'] == 0 and d['rc']['covered'] == d['rc']['required'] == 4, (d['unexpected'], d['rc'])"
		expect "$what: requirements" status 0 "$sherd" requirements -q -cp paths:api --component 'paths.*' --interface $interface \
			--clients $clients --format json
		expect "$what: only by callbacks" json "
call = [s for s in d['sites'] if 'label()' in s['declared']]
assert call[0]['rc'] == call[0]['callback'] == ['paths.Paths\$Element', 'paths.Paths\$Text'], call"
	done
done

# A component that finds its own classes by name: those of the type that a name alone can make.
mkdir -p named named-tests
compile -g -d named "$here/named/Choice.java" && compile -g -cp named -d named-tests "$here/named/Main.java" || exit 2
expect 'own classes by name' status 0 "$sherd" cover -q -cp named --component 'named.*' --interface tests:named-tests -o by-name \
	-- java -cp named:named-tests tests.Main
expect 'own classes by name: report' status 0 "$sherd" report by-name --format json
expect 'own classes by name: what they meet is required' json "
assert d['unexpected'] == 0 and d['rc']['covered'] == d['rc']['required'] == 5, (d['unexpected'], d['rc'])
sort = [s for s in d['sites'] if '.next(' in s['declared']][0]
assert sort['open'] and sorted(i['class'] for i in sort['rc']) == ['named.Choice\$Fast', 'named.Choice\$Slow'], sort"
exit $failed
