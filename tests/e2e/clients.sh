#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clients.sh - which classes clients have: --clients auto finds those of the tests, also where they override and extend what only the
# component's package can; what results say about it, and what they advise when it was not asked for.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/clients
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d lib "$here/lib/Doc.java" && compile -g -cp lib -d tests "$here/tests/DocTest.java" &&
	compile -g -cp lib -d plain "$here/tests/Plainly.java" || exit 2
lib=(-q --jdk none -cp lib --component 'doc.*')

shown() { grep -qF -- "$1" "$work/out" || { echo "not shown: $1"; head -n 40 "$work/out"; return 1; }; }
hidden() { ! grep -qF -- "$1" "$work/out" || { echo "shown: $1"; return 1; }; }
run() { "$sherd" cover "${lib[@]}" --interface "$1" "${@:3}" -o covered -- java -cp "lib:tests:plain" "$2"; }

# By themselves.
expect 'tests with classes' status 0 run tests:tests doc.DocTest
expect 'what was found is said' shown 'auto: open for 3 types that the tests extend or implement'
expect 'no alarm' hidden 'Unexpected'
expect 'everything is exercised' shown 'Every requirement is exercised.'
status 0 "$sherd" report covered --format json
expect 'in JSON' json "
assert d['clients'] == 'auto' and d['opened'] == ['doc.Doc', 'doc.Note', 'doc.Target'], (d['clients'], d.get('opened'))
assert d['unexpected'] == 0 and d['client'] == 2, (d['unexpected'], d['client'])
put = [s for s in d['sites'] if 'put()' in s['declared']][0]
assert put['client'] and sorted(i['class'] for i in put['rc']) == ['doc.Echo', 'doc.Plain'], put"
status 0 "$sherd" requirements "${lib[@]}" --interface tests:tests --format json
expect 'requirements: in JSON' json "
assert d['clients'] == 'auto' and d['opened'] == ['doc.Doc', 'doc.Note', 'doc.Target'], (d['clients'], d.get('opened'))"
status 0 "$sherd" requirements "${lib[@]}" --interface tests:tests
expect 'requirements: on the screen' shown 'auto: open for 3 types that the tests extend or implement'
status 0 "$sherd" why "${lib[@]}" --interface tests:tests --site doc.Doc.save@4 --receiver Echo --format json
expect 'why: the same clients' json "assert d['clients'] == 'auto' and d['steps'], d"

expect 'tests without classes' status 0 run tests:plain plainly.Plainly
expect 'that is said' shown 'auto: closed, as the tests extend and implement nothing'
status 0 "$sherd" report covered --format json
expect 'none in JSON' json "assert d['clients'] == 'auto' and d['opened'] == [], d.get('opened')"
expect 'no tests' status 0 run public plainly.Plainly
expect 'clients are closed' shown '  Clients     closed'

# As they were asked for.
expect 'open' status 0 run tests:tests doc.DocTest --clients open
expect 'open: no alarm' hidden 'Unexpected'
expect 'closed' status 0 run tests:tests doc.DocTest --clients closed
expect 'closed: an alarm' shown 'doc.Echo, a class of the component'
expect 'closed: not everything is exercised' hidden 'Every requirement'
expect 'closed: not 100 %' hidden 'Receiver classes 100.0 %'
status 0 "$sherd" report covered --format json
expect 'closed: nor in JSON' json "
assert d['rc']['covered'] == d['rc']['required'] and d['rc']['percent'] == 99.9 and d['unexpected'] == 1, d['rc']"
expect 'closed: nor on the badge' status 0 "$sherd" report covered --format badge
expect 'closed: the badge says 99' shown '>RC 99% / TM 99%<'
expect 'closed: a gate' status 1 "$sherd" report covered --fail-under rc=100
expect 'closed: the gate says why' grep -q 'are covered, but they are incomplete: 1 more came' "$work/err"
status 0 "$sherd" report covered
expect 'closed: the advice' shown 'so: --clients auto, or'
expect 'closed: and the interface' shown '--interface public,tests:'
expect 'closed, public' status 0 run public doc.DocTest --clients closed
expect 'closed, public: the advice' shown '--clients open, or'
expect 'open, public' status 0 run public doc.DocTest --clients open
expect 'open, public: no advice to do what was done' hidden '--clients open'
exit $failed
