#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cover.sh - sherd cover and sherd report as users and scripts meet them: what is measured in which JVM, exit statuses,
# signals, folders with odd names, data of other class files, tests of JUnit, gates, a component of the JDK.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
here=$PWD/tests/e2e/cover
jars=/usr/share/java
unset JAVA_TOOL_OPTIONS SHERD_AGENT

said() { grep -qe "$1" "$work/err" || { echo "not said: $1"; head -n 9 "$work/err"; return 1; }; }
shown() { grep -qe "$1" "$work/out" || { echo "not shown: $1"; head -n 30 "$work/out"; return 1; }; }
is_text() { [ "$1" = "$2" ] || { printf 'expected:\n%s\nfound:\n%s\n' "$2" "$1"; return 1; }; }
figures() { "$sherd" report "$1" --stats=json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print("rc %d/%d tm %d/%d runs %d unexpected %d client %d" % (d["rc"]["covered"], d["rc"]["required"], d["tm"]["covered"],
      d["tm"]["required"], d["runs"], d["unexpected"], d["client"]))'; }

covers() { [ "$(figures "$1" 2> /dev/null | cut -d/ -f1)" = "rc $2" ]; }      # FOLDER RECEIVERS: so far

mkdir "$work/lib" "$work/app"
compile -g -d "$work/lib" "$here"/lib/*.java "$here"/app/*.java && mv "$work/lib/app" "$work/app" || exit 2
main=(java -cp "$work/lib:$work/app" app.Main)
lib=(-q --jdk none -cp "$work/lib" --component 'lib.*')       # nothing of the JDK matters to it
cd "$work" || exit 2

# The plan is what sherd requirements says, whatever the algorithm.
cat > "$work/same.py" <<'EOF'
import json, sys
def one(c): return 'java.lang.Object[]' if c.endswith('[]') else c
def names(t): return t.split('=', 1)[1].split(',') if t.split('=', 1)[1] else []
want = {s['site']: (sorted({one(c) for c in s['rc']}), sorted({one(t.split('(')[0].rsplit('.', 1)[0]) for t in s['tm']}),
                    s.get('line', 0), s['declared'], s['reached'])
        for s in json.load(open(sys.argv[1]))['sites'] if s['poly']}
got = {}
for row in (line.rstrip('\n').split('\t') for line in open(sys.argv[2])):
    if row[0] == 'site':
        got[row[1]] = (names(row[6]), names(row[7]), int(row[2][5:]), row[5][6:], bool(int(row[3][6:]) & 1))
sys.exit(not want or want != got)
EOF
flow=$(by_tier 0cfa andersen)
for algorithm in cha rta $flow; do
	status 0 "$sherd" cover -q --component 'java.text.*' --algorithm $algorithm --print-agent -o plan-$algorithm
	"$build/tests/plandump" plan-$algorithm/plan.sherd > plan.txt
	"$sherd" requirements -q --component 'java.text.*' --algorithm $algorithm --format json > requirements.json
	expect "plan by $algorithm" python3 "$work/same.py" requirements.json plan.txt
done
status 0 "$sherd" cover -q -j1 --no-cache --component 'java.text.*' --algorithm $flow --print-agent -o again
status 0 "$sherd" cover -q --component java.lang.Thread --algorithm cha --print-agent -o natives
expect 'calls of native methods cannot be watched' is_text "$("$build/tests/plandump" natives/plan.sherd | grep -c $'^site\tjava.lang.Thread.start0(')" 0
expect 'those beside them can' test "$("$build/tests/plandump" natives/plan.sherd | grep -c '^site')" -gt 10
expect 'the same plan again' cmp again/plan.sherd plan-$flow/plan.sherd
status 0 "$sherd" cover "${lib[@]}" --print-agent -o plan-lib
expect 'the option is printed' grep -qx -- "-agentpath:.*=plan=$work/plan-lib/plan.sherd,destfile=$work/plan-lib/run-%p.cov" "$work/out"
"$build/tests/plandump" plan-lib/plan.sherd > plan.txt
expect 'a lambda and what it runs' grep -q $'^lambda\tlib.Shapes$$Lambda$make#[0-9]*@[0-9]*\tlib.Shapes\tlib.Shape\tlib.Shapes.lambda$make$0()I' plan.txt
expect 'a method reference' grep -q $'^lambda\t.*\tlib.Shapes.six()I' plan.txt
expect 'equal calls are numbered' is_text "$(grep -c $'both.*\t[01]/2\t' plan.txt)" 2

# A run.
expect 'a run' status 0 "$sherd" cover -q -cp "$work/lib" --component 'lib.*' -o one -- "${main[@]}" area:circle area:lambda both:round
expect 'its output is there' shown '^3$'
expect 'figures' is_text "$(figures one)" 'rc 4/8 tm 4/8 runs 1 unexpected 0 client 0'
expect 'the page' grep -q '<html' one/index.html
status 0 "$sherd" report one --format json
expect 'lambdas have names' json "
site = [s for s in d['sites'] if '.area(' in s['site'].split('@')[0]][0]
assert sum(i['count'] > 0 for i in site['rc']) == 2, site
assert [i['class'] for i in site['rc'] if i['count'] and 'Lambda' in i['class']], site"
expect 'missed ones are explained' json "
missed = [m for s in d['sites'] for m in s.get('missed', [])]
assert len(missed) == 4 and all(m['why'][-1]['text'] == 'is the receiver of the call' for m in missed), missed"
status 0 "$sherd" cover "${lib[@]}" --no-why -o nowhy -- "${main[@]}" area:circle
expect 'or not' test ! -e nowhy/why.sherd
for algorithm in cha rta; do
	expect "a run by $algorithm" status 0 "$sherd" cover "${lib[@]}" --algorithm $algorithm -o by-$algorithm -- "${main[@]}" area:circle
done

# Lambdas and method references of every sort are known by what their hidden classes mention.
mkdir refs allrefs
compile -g -d refs "$here"/refs/*.java "$here"/refs/other/*.java "$here"/main/*.java && mv refs/main allrefs || exit 2
expect 'method references' status 0 "$sherd" cover -q -cp refs --component 'refs.**' --stats=json -o refsout -- java -cp refs:allrefs main.AllRefs
expect 'method references: all of them' json "
assert d['rc'] == {'required': 22, 'covered': 22, 'percent': 100.0} and d['unexpected'] == 0 and d['client'] == 0, d"

# JVMs that others start; several runs.
expect 'another JVM' status 0 "$sherd" cover "${lib[@]}" -o fork -- "${main[@]}" area:circle fork:area:square
expect 'figures of both' is_text "$(figures fork)" 'rc 2/8 tm 2/8 runs 2 unexpected 0 client 0'
expect 'a script' status 0 "$sherd" cover "${lib[@]}" -o fork -- sh -c '"$@" area:circle; "$@" area:square; "$@" area:other' sh "${main[@]}"
expect 'earlier data is gone' is_text "$(figures fork)" 'rc 3/8 tm 3/8 runs 3 unexpected 0 client 0'
echo mine > fork/run-mine.cov
expect 'appended' status 0 "$sherd" cover "${lib[@]}" -o fork --append -- "${main[@]}" area:lambda
expect 'figures with earlier data' is_text "$(figures fork 2> /dev/null)" 'rc 4/8 tm 4/8 runs 4 unexpected 0 client 0'
status 0 "$sherd" report fork
expect 'what is no data is left out' said 'fork/run-mine.cov.*W052'
expect 'and stays' grep -qx mine fork/run-mine.cov

# Two at once in one folder: the later one does not start, unless both keep what is there. A plan that changes is noticed.
"$sherd" cover "${lib[@]}" -o busy -- sh -c 'touch began; until test -e end; do sleep 0.1; done; "$@" area:circle' sh "${main[@]}" > busy.out 2>&1 &
await test -e began
expect 'a folder that is in use' status 2 "$sherd" cover "${lib[@]}" -o busy -- touch late
expect 'it is said' said 'another sherd cover runs in the folder busy'
expect 'the later command is not run' test ! -e late
touch end
expect 'the earlier one ends well' wait $!
expect 'its figures' is_text "$(figures busy)" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'
expect 'the plan is exchanged' status 2 "$sherd" cover "${lib[@]}" -o busy -- sh -c 'cp plan-cha/plan.sherd busy; "$@" area:circle' sh "${main[@]}"
expect 'that is said' said 'another sherd cover has written its plan to busy'
rm -rf began end both
for i in 1 2; do "$sherd" cover "${lib[@]}" -o both --append -- "${main[@]}" area:circle > "both$i" 2>&1 & pids[i]=$!; done
expect 'two that append' wait "${pids[1]}"
expect 'and the other' wait "${pids[2]}"

# Classes of clients.
status 0 "$sherd" cover "${lib[@]}" -o own -- "${main[@]}" own
expect 'a class of a client' is_text "$(figures own)" 'rc 0/8 tm 0/8 runs 1 unexpected 0 client 1'
status 0 "$sherd" cover -q --jdk none -cp "$work/lib:$work/app" --component 'lib.*' -o own -- "${main[@]}" own
expect 'a class that should have been known' is_text "$(figures own)" 'rc 0/8 tm 0/8 runs 1 unexpected 1 client 0'

# The status is the command's.
expect 'exit' status 5 "$sherd" cover "${lib[@]}" -o five -- "${main[@]}" area:circle exit:5
expect 'exit: reported' is_text "$(figures five)" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'
expect 'an exception' status 1 "$sherd" cover "${lib[@]}" -o five -- "${main[@]}" area:circle throw:x
expect 'halt' status 6 "$sherd" cover "${lib[@]}" -o five -- "${main[@]}" area:circle halt:6
{ await covers killed 1; touch written; } > waited 2>&1 &
expect 'killed' status 137 "$sherd" cover --jdk none -cp "$work/lib" --component 'lib.*' -o killed -- "${main[@]}" area:circle await:written signal:KILL
wait $!
expect 'killed: the signal is said' said 'ended with status 137 (signal 9, Killed)'
expect 'killed: what was written counts' is_text "$(cat waited; figures killed 2> /dev/null | cut -c1-6)" 'rc 1/8'
expect 'no such command' status 127 "$sherd" cover "${lib[@]}" -o none -- no-such-command here
expect 'no such command: said' said '^sherd: error: no-such-command: command not found$'
expect 'no command' status 2 "$sherd" cover "${lib[@]}" -o none
expect 'no command: said' said 'say which command to run, behind all options'
expect 'options behind the command' status 2 "$sherd" cover true "${lib[@]}"
expect 'options behind the command: said' said 'say which classes are the component.*before the command'
expect 'a command and --print-agent' status 2 "$sherd" cover "${lib[@]}" -o none --print-agent -- true

# Signals.
"$sherd" cover "${lib[@]}" -o term -- "${main[@]}" area:circle await:never > "$work/out" 2> "$work/err" &
pid=$!
await grep -q '^3$' "$work/out"
kill -TERM $pid
wait $pid
expect 'SIGTERM is passed on' is_text "$?" 143
expect 'SIGTERM: reported' is_text "$(figures term)" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'

# Budgets are for the analysis.
in_a_while() {        # SECONDS: longer than the budget, which is enough for the analysis, but on a busy machine
	status 0 "$sherd" cover "${lib[@]}" -o budget --timeout $1 -- sh -c 'sleep $0; exec "$@"' $(($1 + 1)) "${main[@]}" area:circle
}
expect 'a budget of time' eval 'in_a_while 2 > /dev/null || in_a_while 20 > /dev/null || in_a_while 60'
expect 'a budget of memory' status 0 "$sherd" cover "${lib[@]}" -o budget --memory 2000 -- sh -c 'test "$(ulimit -d)" = unlimited && exec "$@"' sh \
	"${main[@]}" area:circle

# Options end where the command starts.
expect 'a command without --' status 0 "$sherd" cover "${lib[@]}" -o bare java -cp "$work/lib:$work/app" app.Main area:circle both:round
expect 'a command without --: data' is_text "$(figures bare)" 'rc 3/8 tm 3/8 runs 1 unexpected 0 client 0'
expect 'its options are its own' status 0 env LIBS="$work/lib:$work/app" "$sherd" cover "${lib[@]}" -o bare sh -c \
	'echo "$0 $*"; exec java -cp "$LIBS" app.Main area:circle' -q -- -o x --help
expect 'its options are its own: passed on' shown '^-q -- -o x --help$'

# Nothing was measured.
expect 'no JVM' status 2 "$sherd" cover "${lib[@]}" -o nothing -- true
expect 'no JVM: said' said 'E053.*no JVM wrote coverage data.*JAVA_TOOL_OPTIONS.*--print-agent'
expect 'no JVM: a gate' status 2 "$sherd" cover "${lib[@]}" -o nothing --fail-under rc=1 -- true
expect 'no JVM: a gate: the cause is said alone' is_text "$(grep -c . "$work/err")$(grep -c E053 "$work/err")" 11
expect 'no JVM: the command failed' status 7 "$sherd" cover "${lib[@]}" -o nothing --fail-under rc=1 -- sh -c 'exit 7'
expect 'no JVM: the command failed: said' said E053
expect 'nothing loaded' status 0 "$sherd" cover "${lib[@]}" -o idle -- java -version
expect 'nothing loaded: a gate' status 2 "$sherd" cover "${lib[@]}" -o idle --fail-under tm=0 -- java -version
expect 'nothing loaded: a gate: said' said 'fail-under tm cannot be checked: no JVM loaded a class of the component; give -cp and --component'
expect 'nothing loaded: a gate of a report' status 2 "$sherd" report idle --fail-under rc=80
empty=(-q --jdk none -cp "$work/app" --component 'app.*')
expect 'nothing required' status 0 "$sherd" cover "${empty[@]}" -o empty -- "${main[@]}" area:circle
expect 'nothing required: a gate' status 2 "$sherd" cover "${empty[@]}" -o empty --fail-under rc=80 -- "${main[@]}" area:circle
expect 'nothing required: a gate: said' said 'fail-under rc cannot be checked: no receiver classes are required of this component; give -cp'
expect 'no JVM: no report' status 2 "$sherd" report nothing
expect 'no JVM: no report: said' said 'E053'
expect 'the variable is lost' status 2 "$sherd" cover "${lib[@]}" -o nothing -- env -u JAVA_TOOL_OPTIONS "${main[@]}" area:circle
expect 'the variable is lost: said' said 'E053'

# Mistakes.
expect 'no such component' status 2 "$sherd" cover -q --jdk none -cp "$work/lib" --component 'libb.**' -o made/for/nothing -- true
expect 'no such component: said' said 'E044.*did you mean lib'
expect 'no such component: leaves no folder' test ! -e made
mkdir -p made/before
expect 'no such class path' status 2 "$sherd" cover -q -cp "$work/clases" --component 'lib.**' -o made/before/it -- true
expect 'no such class path: said' said 'clases.*E001'
expect 'no such class path: a hint' said 'E044.*compile first'
expect 'no such class path: nothing is suggested' is_text "$(grep -c 'did you mean' "$work/err")" 0
expect 'no such class path: folders of others stay' is_text "$(ls made made/before)" $'made:\nbefore\n\nmade/before:'
expect 'no such source' status 0 "$sherd" report one --source "$here/lib:$work/nosrc" -o report.txt
expect 'no such source: said' said "warning: --source $work/nosrc: No such file"
expect 'no such source: the other is' is_text "$(grep -c source "$work/err")" 1
expect 'no such class to show' status 2 "$sherd" report one --only lib.Shpaes
expect 'no such class to show: said' said 'E044.*--only lib.Shpaes; did you mean lib.Shapes?'
expect 'no folder' status 2 "$sherd" report
expect 'no folder: said' said 'name the folder that sherd cover left'

# The screen starts on a line of its own, and says how the command ended.
expect 'no last line' status 3 "$sherd" cover --jdk none -cp "$work/lib" --component 'lib.*' -o ended -- sh -c '"$@"; printf unended; exit 3' sh "${main[@]}" area:circle
expect 'no last line: a new one' shown '^unended$'
expect 'the status is said' said '^sherd: the command ended with status 3$'

# A command that writes class files first, as a compiler does. morelib: with a call more.
cp -r "$work/lib" built
cp -r "$work/lib" morelib
thrice='return shape.area() + shape.area() + shape.area();'
mkdir edited
sed "s/return shape.area() + shape.area();/$thrice/" "$here/lib/Shapes.java" > edited/Shapes.java
grep -qF "$thrice" edited/Shapes.java || exit 2
compile -g -cp morelib -d morelib edited/Shapes.java || exit 2
build_and_run=(sh -c 'cp morelib/lib/Shapes*.class built/lib && exec java -cp built:app app.Main area:circle both:round')
expect 'class files change' status 0 "$sherd" cover --jdk none -cp built --component 'lib.*' -o compiled -- "${build_and_run[@]}"
expect 'class files change: said' said 'W055.*1 class changed while the command ran (lib.Shapes).*run it again'
expect 'class files change: said last' is_text "$(tail -n 1 "$work/err" | grep -c W055)" 1
expect 'class files do not change' status 0 "$sherd" cover --jdk none -cp built --component 'lib.*' --fail-under rc=10 -o compiled -- "${build_and_run[@]}"
expect 'class files do not change: nothing is said' is_text "$(grep -c W05 "$work/err")" 0
cp -r "$work/lib"/* built
expect 'class files change: no gate' status 2 "$sherd" cover -q --jdk none -cp built --component 'lib.*' --fail-under rc=10 -o compiled -- "${build_and_run[@]}"
expect 'class files change: no gate: said' said 'fail-under cannot be checked: class files.*changed'
echo 'package lib; class Added { }' > edited/Added.java
expect 'a class is new' status 0 "$sherd" cover --jdk none -cp built --component 'lib.*' -o compiled -- sh -c \
	'javac -d built edited/Added.java && exec java -cp built:app app.Main area:circle'
expect 'a class is new: said' said 'W055.*1 class changed while the command ran (lib.Added)'

# Nothing of an earlier run stays that is not of this one.
status 0 "$sherd" cover "${lib[@]}" -o again -- "${main[@]}" area:circle
expect 'a page' test -s again/index.html
status 0 "$sherd" cover "${lib[@]}" -o again --print-agent
expect 'the page is gone' is_text "$(ls again)" plan.sherd
echo '<html>mine</html>' > again/index.html
status 0 "$sherd" cover "${lib[@]}" -o again --print-agent
expect 'the page of others is not' grep -q mine again/index.html

# Where a page or a report cannot be written, what was measured is on the screen all the same. (A folder in its place: also root is stopped.)
run_and_block() { mkdir -p "$1/index.html/in the way"; shift; "$@"; }
export -f run_and_block
expect 'no place for the page' status 2 "$sherd" cover "${lib[@]}" -o blocked -- bash -c 'run_and_block "$@"' bash blocked "${main[@]}" area:circle
expect 'no place for the page: the screen' shown 'Receiver classes'
expect 'no place for the page: said' said 'error: .*blocked/index.html'
expect 'no place for the page: no word that it is there' bash -c "! grep -q 'as a page' '$work/err'"
mkdir 'in the way'
for format in html json sarif text; do
	expect "no place for a report as $format" status 2 "$sherd" report ended --format $format -o 'in the way'
	expect "no place for a report as $format: the screen" shown 'Receiver classes'
done
expect 'no place for a report, a gate' status 2 "$sherd" report ended --format html -o 'in the way' --fail-under rc=100

# The same runs by other requirements: as if these had been asked for at once, and nothing in the folder changes.
for clients in closed open; do
	expect "again: $clients clients, measured" status 0 "$sherd" cover -q "${lib[@]}" --clients $clients -o "for-$clients" -- "${main[@]}" area:circle both:round
done
counts() { python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
print(d["interface"], d["clients"], d["rc"], d["tm"], d.get("notes"))
for s in d["sites"]: print(s["site"], [(i.get("class"), i["count"]) for i in s["rc"]])' "$1"; }
for pair in open:closed closed:open; do
	cp -r "for-${pair%:*}" before
	expect "again: ${pair#*:} of ${pair%:*}" status 0 "$sherd" report "for-${pair%:*}" --clients "${pair#*:}" --format json
	cp "$work/out" again.json
	expect "again: ${pair#*:} of ${pair%:*}: said" said "requirements are made anew: ${pair#*:} clients.*were for ${pair%:*} clients"
	status 0 "$sherd" report "for-${pair#*:}" --format json
	expect "again: ${pair#*:} of ${pair%:*}: the same counts" is_text "$(counts again.json)" "$(counts "$work/out")"
	expect "again: ${pair#*:} of ${pair%:*}: the folder stays" diff -r before "for-${pair%:*}"
	rm -r before
done
expect 'again: the same once more' status 0 "$sherd" report for-closed --criteria rc
expect 'again: fewer criteria' bash -c "grep -q 'Receiver classes' '$work/out' && ! grep -q 'Target methods' '$work/out'"
expect 'again: an interface' status 0 "$sherd" report for-closed --interface protected
expect 'again: an interface: shown' shown 'Interface  *protected'
expect 'again: a gate that was not asked for' status 2 "$sherd" report for-closed --criteria rc --fail-under tm=10
expect 'again: what other probes watch' status 2 "$sherd" report for-closed --criteria rc,chains
expect 'again: what other probes watch: said' said "--criteria cannot have 'chains'"
cp -r "$work/lib" moved && cp -r for-closed for-moved
expect 'again: from another place' status 0 "$sherd" report for-moved --clients open --jdk none -cp moved
compile -g -cp moved -d moved edited/Shapes.java
expect 'again: other class files' status 2 "$sherd" report for-moved --clients open -cp moved
expect 'again: other class files: said' said '1 class of the component is not what was measured (lib.Shapes): run the tests again'
status 0 "$sherd" cover -q --jdk none -cp moved --component 'lib.*' -o for-moved -- java -cp "moved:$work/app" app.Main area:circle
rm -r moved
expect 'again: no class path' status 2 "$sherd" report for-moved --clients open
expect 'again: no class path: said' said 'the class path that was measured has moved: No such file.*with -cp'
expect 'again: no result' status 2 "$sherd" report nowhere --clients open
expect 'again: no result: said' said 'nowhere'

# What is said of the analysis comes before the command.
status 0 "$sherd" cover --jdk none -cp "$work/lib" --component 'lib.*' -o order -- sh -c 'echo started >&2; exec "$@"' sh "${main[@]}" area:circle
expect 'warnings come first' is_text "$(grep -n 'W040\|^started' "$work/err" | cut -d: -f2 | cut -c1-7 | tr '\n' ' ')" 'warning started '

# Agents and folders.
expect 'no such agent' status 2 "$sherd" cover "${lib[@]}" --agent "$work/absent.so" -o bad -- true
expect 'no such agent: said' said '--agent.*absent.so: No such file'
expect 'no such agent by its variable' status 2 env SHERD_AGENT=/absent "$sherd" cover "${lib[@]}" -o bad -- true
expect 'no such agent by its variable: said' said 'SHERD_AGENT.*/absent'
mkdir "$work/elsewhere"
cp "$sherd" "$work/elsewhere/sherd"
expect 'no agent beside the program' status 2 "$work/elsewhere/sherd" cover "${lib[@]}" -o bad -- true
expect 'no agent beside the program: said' said "libsherd-agent.so is neither in $work/elsewhere/ nor in .*--agent"
expect 'the agent by its variable' status 0 env SHERD_AGENT="$build/libsherd-agent.so" "$work/elsewhere/sherd" cover "${lib[@]}" -o other -- \
	"${main[@]}" area:circle
touch "$work/file"
expect 'a file as a folder' status 2 "$sherd" cover "${lib[@]}" -o "$work/file" -- true
expect 'a folder below a file' status 2 "$sherd" cover "${lib[@]}" -o "$work/file/x" -- true
expect 'a folder that cannot be made' status 2 "$sherd" cover "${lib[@]}" -o /proc/sherd -- true
expect 'a folder that cannot be made: said' said '/proc/sherd.*-o'
for odd in 'a b' "it's" 'a,b=c' '100%' '%p' 'a"b' 'deep/er/folder' "all, 'of' \"it\" %25=x"; do
	expect "folder $odd" status 0 "$sherd" cover "${lib[@]}" -o "$odd" -- "${main[@]}" area:circle
	expect "folder $odd: data" is_text "$(figures "$odd")" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'
done
export JAVA_TOOL_OPTIONS="-Dgreeting='hello there'"
expect 'JAVA_TOOL_OPTIONS is kept' status 0 "$sherd" cover "${lib[@]}" -o kept -- "${main[@]}" print:greeting area:circle
unset JAVA_TOOL_OPTIONS
expect 'JAVA_TOOL_OPTIONS is kept: seen' shown '^hello there$'
expect 'JAVA_TOOL_OPTIONS is kept: data' is_text "$(figures kept)" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'
expect 'options for the agent' status 0 "$sherd" cover "${lib[@]}" --agent-options sessionid=mine,excludes=lib.Shapes -o excluded -- "${main[@]}" area:circle
expect 'options for the agent: obeyed' is_text "$(figures excluded 2> /dev/null | cut -c1-6)" 'rc 0/8'

# Other class files.
mkdir changed
cp -r "$work/lib" newlib
sed 's/return shape.area() + shape.area();/int first = shape.area(); return first * 2 + shape.area();/; s/static int six() {/static int six() { System.nanoTime();/' \
	"$here/lib/Shapes.java" > changed/Shapes.java
compile -g -cp newlib -d newlib changed/Shapes.java || exit 2
status 0 "$sherd" cover "${lib[@]}" -o stale --print-agent
option=$(cat "$work/out")
java "$option" -cp newlib:app app.Main area:circle both:round > /dev/null 2> "$work/err"
expect 'another class file: matched call by call' is_text "$(figures stale 2> /dev/null)" 'rc 3/8 tm 3/8 runs 1 unexpected 0 client 0'
status 0 "$sherd" report stale
expect 'another class file: named' shown 'lib.Shapes'
expect 'calls that are not in it' status 0 "$sherd" cover --jdk none -cp "$work/lib" --component 'lib.*' -o more -- java -cp morelib:app app.Main area:circle both:round
expect 'calls that are not in it: do not count' is_text "$(figures more 2> /dev/null)" 'rc 1/8 tm 1/8 runs 1 unexpected 0 client 0'
expect 'calls that are not in it: said' said 'W054.*other class files than -cp has of 1 class (lib.Shapes): 2 calls of the analysed ones are not in them.*compile again'
status 0 "$sherd" report more --format json
expect 'calls that are not in it: said by a report' said 'W054.*lib.Shapes'
status 0 "$sherd" cover -q --jdk none -cp newlib --component 'lib.*' -o one --append -- java -cp newlib:app app.Main area:square
expect 'data of an older class file does not count' is_text "$(figures one 2> /dev/null)" 'rc 1/8 tm 1/8 runs 2 unexpected 0 client 0'
status 0 "$sherd" report one
expect 'and is named' shown 'lib.Shapes'
cp one/run-*.cov "$work/elsewhere/"
expect 'a plan of its own' status 0 "$sherd" report "$work"/elsewhere/run-*.cov --plan one/plan.sherd
expect 'no plan' status 2 "$sherd" report "$work"/elsewhere/run-*.cov
expect 'no plan: said' said 'E050.*--plan'
echo damaged > "$work/elsewhere/plan.sherd"
expect 'no plan at all' status 2 "$sherd" report "$work"/elsewhere
expect 'no such folder' status 2 "$sherd" report absent
expect 'no data' status 2 "$sherd" report "$work/file" --plan one/plan.sherd

# Gates.
expect 'a gate passes' status 0 "$sherd" cover "${lib[@]}" --fail-under rc=50,tm=50.0 -o gate -- "${main[@]}" area:circle area:lambda both:round
expect 'a gate fails' status 1 "$sherd" cover "${lib[@]}" --fail-under rc=80,tm=50 -o gate -- "${main[@]}" area:circle area:lambda both:round
expect 'a gate fails: said' said 'fail-under rc=80.0: receiver classes are covered to 50.0 %, 4 of 8, 3 too few'
expect 'the other does not' test "$(grep -c fail-under "$work/err")" = 1
expect 'a gate of own classes' status 1 "$sherd" cover "${lib[@]}" --fail-under own=50.1,tm=50 -o gate -- "${main[@]}" area:circle area:lambda both:round
expect 'a gate of own classes: said' said "fail-under own=50.1: the component's own receiver classes are covered to 50.0 %, 4 of 8, 1 too few"
expect 'a failed command comes first' status 9 "$sherd" cover "${lib[@]}" --fail-under rc=80 -o gate -- "${main[@]}" exit:9
expect 'chains are not measured' status 2 "$sherd" cover "${lib[@]}" --fail-under chains=50 -o gate -- true
expect 'nor are senders' status 2 "$sherd" cover "${lib[@]}" --criteria senders -o gate -- true
expect 'one criterion' status 0 "$sherd" cover "${lib[@]}" --criteria rc -o rc --stats=json -- "${main[@]}" area:circle
expect 'one criterion: figures' json "assert d['rc']['required'] == 8 and 'tm' not in d"
expect 'a gate of the other' status 2 "$sherd" report rc --fail-under tm=5
expect 'a gate of a report' status 1 "$sherd" report rc --fail-under rc=50

# Machines.
expect 'stats' status 0 "$sherd" cover "${lib[@]}" --stats=json -o stats -- "${main[@]}" area:circle
expect 'stats: an object' json "
assert d['schema'] == 'sherd/stats/1' and d['verb'] == 'cover'
assert d['rc'] == {'required': 8, 'covered': 1, 'percent': 12.5} and d['tm'] == d['rc']
assert d['seconds']['total'] > 0 and d['peak_rss_mb'] > 1 and d['command_seconds'] > 0"
expect 'stats: the output of the command' said '^3$'
expect 'JSON' status 0 "$sherd" cover "${lib[@]}" --format json -o stats -- "${main[@]}" area:circle
expect 'JSON: an object' json "assert d['schema'].startswith('sherd/')"

# Reports: neither a JDK nor the class path are needed.
for format in text html json cobertura jacoco lcov sarif badge; do
	expect "report as $format" status 0 env -u JAVA_HOME PATH=/nowhere "$sherd" report stats --format $format --source "$here" -o report.$format
	expect "report as $format: there" test -s report.$format
done
status 0 "$sherd" report stats --stats=json
expect 'a report: stats' json "assert d['verb'] == 'report' and d['seconds']['total'] > 0"
expect 'a report takes few seconds of CPU' bash -c 'ulimit -t 2; "$@" > /dev/null' sh "$sherd" report stats
expect 'some classes' status 0 "$sherd" report stats --only 'lib.Shape' --all
expect 'changes' status 0 "$sherd" report --diff stats gate
for order in '--diff --all stats gate' 'stats gate --all --diff' 'gate --all --diff stats' '--all --diff=stats gate'; do
	expect "changes: $order" status 0 "$sherd" report $order
	expect "changes: $order: the same" cmp "$work/out" <("$sherd" report --diff stats --all gate)
done
expect 'changes as JSON' status 0 "$sherd" report --diff stats gate --format json
expect 'changes: an object' json "assert d['schema'].startswith('sherd/')"
expect 'changes as something else' status 2 "$sherd" report --diff stats gate --format html
expect 'changes of one' status 2 "$sherd" report --diff stats
expect 'changes of one, an option between' status 2 "$sherd" report --diff --all stats

# Tests of JUnit.
junit4=$jars/junit4.jar:$jars/hamcrest-core.jar
junit5=$(ls $jars/junit-platform-console-standalone.jar $jars/junit-{platform-{commons,engine,launcher,console,reporting},jupiter-{api,engine}}.jar \
	$jars/{opentest4j,apiguardian-api,picocli,univocity-parsers,opentest4j-reporting-events,opentest4j-reporting-schema}.jar 2> /dev/null | tr '\n' ':')
compile -d tests -cp "lib:$junit4:$junit5" "$here"/tests[45]/*.java || exit 2
expect 'JUnit 4' status 0 "$sherd" cover "${lib[@]}" --format json -o t4out -- java -cp "lib:tests:$junit4" org.junit.runner.JUnitCore tests4.ShapesTest
expect 'JUnit 4: tests' json "
names = sorted(t['name'] for t in d['tests'])
assert names == ['tests4.ShapesTest.circle', 'tests4.ShapesTest.nothingNew', 'tests4.ShapesTest.square'], names"
expect 'JUnit 5' status 0 "$sherd" cover "${lib[@]}" --format json -o t5out -- \
	java -cp "lib:tests:$junit5" org.junit.platform.console.ConsoleLauncher --select-class tests5.ShapesTest
expect 'JUnit 5: tests' json "
names = sorted(t['name'].split('(')[0] for t in d['tests'])
assert names == ['tests5.ShapesTest.circle', 'tests5.ShapesTest.lambda'], names"

# A component of the JDK, loaded before any agent.
cat > Zip.java <<'EOF'
public class Zip {
	public static void main(String[] a) throws Exception {
		var out = new java.util.zip.ZipOutputStream(new java.io.ByteArrayOutputStream());
		out.putNextEntry(new java.util.zip.ZipEntry("x"));
		out.write(new byte[100]);
		out.close();
		new java.util.zip.CheckedInputStream(new java.io.ByteArrayInputStream(new byte[9]), new java.util.zip.CRC32()).read();
	}
}
EOF
compile -d zipped Zip.java || exit 2
expect 'java.util.zip' status 0 "$sherd" cover -q --component 'java.util.zip.*' --interface tests:zipped --no-why --stats=json -o zip -- \
	java -cp zipped Zip
expect 'java.util.zip: figures' json "assert d['rc']['covered'] >= 50 and d['calls_made'] >= 50 and d['unexpected'] == 0, d"
expect 'java.util.zip: its output is its own' is_text "$(grep -vc '^Picked up\|^$' "$work/err")" 0
exit $failed
