#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# quiet.sh - methods of the JDK that sherd callbacks does not enter (src/analysis/pta/reach/quiet.def): where an application takes part in
# what they do, every callback that a run shows is there, at its line. quiet/Quiet.java has the ways. Some of them are tried together; in
# the tier all, each by itself.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
source=$PWD/tests/e2e/quiet/Quiet.java
unset JAVA_TOOL_OPTIONS SHERD_AGENT
cd "$work" || exit 2
compile -nowarn -Xlint:none -g -d classes "$source" 2> err || { cat err; exit 2; }
mkdir -p services/META-INF/services
echo 'quiet.Rules$Own' > services/META-INF/services/java.time.zone.ZoneRulesProvider
echo 'quiet.Preferring$Own' > services/META-INF/services/java.util.prefs.PreferencesFactory
echo 'quiet.Formats$Own' > services/META-INF/services/java.text.spi.NumberFormatProvider

path_of() {           # PROGRAM
	case $1 in Rules | Preferring | Third | Formats) echo classes:services ;; *) echo classes ;; esac
}
runs() {              # PROGRAM LEAST: leaves `seen`
	java -Djava.locale.providers=SPI,CLDR -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.awt.headless=true -cp "$(path_of "$1")" "quiet.$1" > seen 2> err
	sort -u -o seen seen
	[ "$(grep -c '^back' seen)" -ge "$2" ] || { cat err seen; return 1; }
}
has_all_seen() {      # PROGRAM
	status 0 "$sherd" callbacks -q -cp "$(path_of "$1")" --main "quiet.$1" --application 'quiet.*' --format json -o calls.json || return
	python3 - <<'PY'
import json
def short(m): return m[:m.index('(')]
edges = json.load(open('calls.json'))['edges']
found = {(short(e['caller']), str(e.get('line', 0)), short(e['callee'])) for e in edges if e['kind'] == 'callback'}
for line in open('seen'):
	sort, caller, at, callee = line.split()
	assert sort != 'back' or (caller, at, callee) in found, 'a run shows it, the graph has not: ' + line
PY
}
try() {               # PROGRAM [LEAST]: so many callbacks the run shows
	expect "$1 is called back" runs "$1" "${2:-1}"
	expect "$1: all that is seen is there" has_all_seen "$1"
}

# Classes of the JDK that are the application
asks() {              # CLASS FILE
	status 0 "$sherd" callbacks -q -cp classes --main quiet.Asking --application "quiet.*,$1" --algorithm 0cfa --format json -o "$2.json"
}
has_calls() {         # FILE MORE LESS: which calls of TimeZone call back methods of MORE, if any; none calls back one of LESS
	python3 - "$@" <<'PY'
import json, sys
file, more, less = sys.argv[1:]
back = [e for e in json.load(open(file + '.json'))['edges'] if e['kind'] == 'callback' and e['caller'].startswith('quiet.Asking.main')]
of = lambda c: sorted({e['declared'].split('(')[0].split('.')[-1] for e in back if e['callee'].startswith(c + '.') and '.TimeZone.' in e['declared']})
assert more == '-' or of(more) == ['getDefault', 'getTimeZone'], of(more)
assert not of(less), of(less)
PY
}
expect "a class of the JDK that quiet methods name" asks sun.security.action.GetPropertyAction direct
expect "is called back by them" has_calls direct sun.security.action.GetPropertyAction java.util.zip
expect "one that they name by way of others" asks sun.util.calendar.ZoneInfoFile indirect
expect "is called back by them" has_calls indirect sun.util.calendar.ZoneInfoFile java.util.zip
expect "one that none of them names" asks java.util.zip.Adler32 leaf
expect "quiet methods remain so" has_calls leaf - 'quiet.Asking$Key'

# By what an application takes part in initialisers: where it does, they are entered, and what they come to by maps is there
initialises() {       # PROGRAM yes|no
	status 0 "$sherd" callbacks -q -cp classes --main "quiet.$1" --algorithm 0cfa --format json -o "$1.json" || return
	python3 - "$@" <<'PY'
import json, sys
program, wanted = sys.argv[1:]
back = [e for e in json.load(open(program + '.json'))['edges'] if 'getLoopbackAddress' in e.get('declared', '') and e['kind'] == 'callback']
assert any('Asking$Key.hashCode' in e['callee'] for e in back) == (wanted == 'yes'), back
PY
}
expect "a bundle and a tool alone are no part in them" initialises Alone no
expect "a bundle of a logger is" initialises WithLogger yes
expect "a tool that is looked up is" initialises WithTools yes

for one in 'First 4' 'Second 3' 'Third 2' Factories Formats; do
	try $one
done
is_all || exit $failed
for one in FileParent SocketParent Options Waiting Zones Numbers Certificates Archives Manifests Domains Combiners LambdaFactories Loading Rules \
	Preferring Telling Logging Reflected; do
	try $one
done
exit $failed
