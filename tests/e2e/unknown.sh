#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# unknown.sh - which calls of a component may be made on objects of unknown class: those that its own code finds by name and what
# these give it, and no others.
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
exit $failed
