#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# callbacks.sh - a component that has an engine found by name call it back: the receivers there are required, marked, explained, and
# none that a run shows is unexpected.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/callbacks
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -g -d lib "$here/Paths.java" && compile -cp lib -d engine "$here/Plain.java" && compile -cp lib -d app "$here/Client.java" || exit 2
paths=(-q -cp lib --component 'paths.*')

expect 'requirements' status 0 "$sherd" requirements "${paths[@]}" --format json
expect 'receivers by callbacks are required, and marked' json "
at = {s['site'].split('(')[0]: s for s in d['sites'] if s['poly']}
for name in 'paths.TreeNavigator.parent', 'paths.TreeNavigator.name':
    assert at[name]['rc'] == at[name]['callback'] == ['paths.Element', 'paths.Text'] and 'open' not in at[name], at[name]"
expect 'figures' status 0 "$sherd" requirements "${paths[@]}" --stats=json
expect 'figures count them apart' json "assert d['rc'] == d['callback_rc'] == 4, d"
expect 'csv' status 0 "$sherd" requirements "${paths[@]}" --format csv
expect 'rows of callbacks' test "$(grep -c ',callback,paths\.\(Element\|Text\)$' "$work/out")" = 4
expect 'a way' status 0 "$sherd" why "${paths[@]}" --site paths.TreeNavigator.name:42 --receiver paths.Text
expect 'it goes through unknown code' grep -q 'is in the hands of unknown code' "$work/out"
expect 'a call' status 0 "$sherd" why-call -q -cp lib:app --main Client paths.Paths.find paths.TreeNavigator.name
expect 'it is one of unknown code' grep -q 'dynamic call by unknown code' "$work/out"
expect 'graph' status 0 "$sherd" callgraph -q -cp lib:app --main Client --algorithm 0cfa --only 'paths.*' --format csv
expect 'a row for what is called back' grep -qx ',,,callback,paths.TreeNavigator.name(Lpaths/Paths$Node;)Ljava/lang/String;' "$work/out"
expect 'a row for the call' grep -q '^paths.Paths.find(.*,13,callback,paths.TreeNavigator.name(' "$work/out"
expect 'no callbacks without objects' status 0 "$sherd" callgraph -q -cp lib:app --main Client --algorithm rta --only 'paths.*' --format csv
expect 'rta has none' test "$(grep -c callback "$work/out")" = 0
expect 'run' status 0 "$sherd" cover "${paths[@]}" -o data -- java -cp lib:engine:app Client
expect 'report' status 0 "$sherd" report data --stats=json
expect 'every receiver is required, and none unexpected' json "
assert d['rc'] == {'required': 4, 'covered': 4, 'percent': 100.0} and d['unexpected'] == 0, d"
exit $failed
