#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# chains-interactive.sh - sherd chains --interactive on a terminal that tests/lib/terminal.py makes up: keys in, screens out; and the
# files of filters that it leaves. What keys do is tested by tests/unit/java/test_browse.c.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
ledger=tests/examples/ledger

mkdir "$work/ledger"
compile -g -d "$work/ledger" $ledger/*/*.java || exit 2
component=(--jdk none -cp "$work/ledger" --component 'ledger.*' --prune none)     # counts as in the forest of the paper
chains() { "$sherd" chains -q "${component[@]}" "$@"; }

# on_terminal STATUS STEP... -- ARGUMENT...: runs it on a terminal; leaves the screens that steps ask for in $work/screen
on_terminal() {
	local steps=() want=$1
	shift
	while [ "$1" != -- ]; do steps+=("$1"); shift; done
	shift
	(cd "$work" && TERM=xterm NO_COLOR=1 python3 "$OLDPWD/tests/lib/terminal.py" "$want" "${steps[@]}" -- "$sherd" chains "${component[@]}" "$@") \
		> "$work/screen" 2> "$work/err" || { cat "$work/screen" "$work/err"; return 1; }
}
screen() { diff - "$work/screen"; }
counts() { python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)["chains"].items()))' < <(chains "$@" --stats=json); }

first() {
	on_terminal 0 size:80x14 'wait:MoneyFormat.describe()' screen key:q -- -k 2 --interactive && screen << 'END'
|Call chains  ledger.*                                        9 chains in 4 trees
|By length   1: 5   2: 4                                                      k 2
|Filters     none
|
|> + ledger.MoneyFormat.describe()                                              3
|  + ledger.MoneyFormat.describeHere()                                          3
|  + ledger.MoneyFormat.<init>()                                                2
|  + ledger.Signs.getGroup()                                                    1
|
|
|
|
|? explains the keys
|? help  q quit  space open  d drop  t through  e entry  u undo  / search  s save
END
}
expect 'the first screen' first

changed() {
	on_terminal 0 size:90x14 'wait:describe()' 'key: j' key:enter key:down key:d 'wait:7 chains, 2 fewer' screen key:s \
		'wait:save as: chains.filter_' key:enter 'wait:saved: sherd chains --filter chains.filter' key:q -- -k 2 --interactive &&
		screen << 'END'
|Call chains  ledger.*                                                  7 chains in 4 trees
|By length   1: 5   2: 2                                                                k 2
|Filters     not-through: 1                                         not saved, F lists them
|
|  + ledger.MoneyFormat.<init>()                                                          2
|  - ledger.MoneyFormat.describe()                                                        2
|      18  - MoneyFormat.describe(boolean)                                                2
|>     29      Signs.getGroup()                                                           1
|  + ledger.MoneyFormat.describeHere()                                                    2
|  + ledger.Signs.getGroup()                                                              1
|
|
|7 chains, 2 fewer: dropped MoneyFormat.describe(boolean) -> AmountFormat.getDigits()
|? help  q quit  space open  d drop  t through  e entry  u undo  / search  s save
END
}
expect 'a call is dropped' changed
expect 'the filters are saved' diff "$work/chains.filter" - << 'END'
# Filters of call chains, for sherd chains --filter FILE
k 2
not-through ledger.MoneyFormat.describe(Z)Ljava/lang/String;->ledger.AmountFormat.getDigits()I
END
expect 'quitting says what was saved' grep -qF 'saved as chains.filter, which --filter reads' "$work/left"
expect 'what reads them has as many chains' test "$(counts --filter "$work/chains.filter")" = "[('1', 5), ('2', 2)]"
expect 'an option counts before the file' test "$(counts --filter "$work/chains.filter" -k 1)" = "[('1', 5)]"
expect 'options add to the file' test "$(counts --filter "$work/chains.filter" --not-through 'ledger.Signs.getGroup(*)')" = "[('1', 4)]"

again() {             # what was saved is where it was left; it may be written over
	on_terminal 0 size:80x24 'wait:not-through: 1' key:F 'wait:> not-through' key:d 'wait:9 chains, 2 more' key:q key:+ 'wait:k 3' key:s \
		'wait:save as: chains.filter_' key:enter wait:saved: key:q -- --filter chains.filter --interactive &&
		diff "$work/chains.filter" - << 'END'
# Filters of call chains, for sherd chains --filter FILE
k 3
END
}
expect 'filters are opened, removed and saved again' again
echo precious > "$work/other"
replaced() {
	on_terminal 0 size:80x24 'wait:describe()' key:s 'wait:save as:' key:$'\x15other' key:enter 'wait:other is there: replace it?' key:n \
		'wait:not saved' key:q -- -k 2 --interactive && [ "$(cat "$work/other")" = precious ]
}
expect 'other files are not replaced without a question' replaced
expect 'what cannot be written is said' on_terminal 0 size:80x24 'wait:describe()' key:s wait:save key:$'\x15no/such' key:enter \
	'wait:cannot write no/such: No such file' key:q -- -k 2 --interactive
expect 'changes that are not saved: a question' on_terminal 0 size:80x24 'wait:describe()' key:d 'wait:6 chains' key:q 'wait:filters are not saved' \
	key:q -- -k 2 --interactive
expect 'undo' on_terminal 0 size:80x24 'wait:describe()' key:d 'wait:6 chains' key:u 'wait:9 chains, 3 more: undone' key:q -- -k 2 --interactive
expect 'search' on_terminal 0 size:80x24 'wait:describe()' key:/ wait:search: key:digits key:enter 'wait:>     27      AmountFormat.getDigits()' \
	key:q -- -k 2 --interactive
expect 'keys with sequences' on_terminal 0 size:80x24 'wait:> + ledger.MoneyFormat.describe()' key:end 'wait:> + ledger.Signs' key:pageup \
	'wait:> + ledger.MoneyFormat.describe()' key:right 'wait:> - ledger' key:right 'wait:>     18' key:left 'wait:> - ledger' key:left \
	'wait:> + ledger' key:pagedown 'wait:> + ledger.Signs' key:home 'wait:> + ledger.MoneyFormat.describe()' key:up key:q -- -k 2 --interactive

resized() {
	on_terminal 0 size:80x24 'wait:s save' size:40x7 'wait:+ MoneyFormat.describe()   ' screen size:80x12 'wait:s save' key:q \
		-- -k 2 --interactive && screen << 'END'
|Call chains  ledg... 9 chains in 4 trees
|By length   1: 5   2: 4              k 2
|> + MoneyFormat.describe()             3
|  + MoneyFormat.describeHere()         3
|  + ledger.MoneyFormat.<init>()        2
|  + ledger.Signs.getGroup()            1
|? explains the keys
END
}
expect 'a terminal that becomes smaller, and larger' resized
expect 'the smallest terminal' on_terminal 0 size:80x24 'wait:s save' size:1x1 'gone:s save' key:jjq -- -k 2 --interactive

# Ends
expect 'Ctrl-C' on_terminal 130 size:80x24 'wait:describe()' key:$'\x03' -- -k 2 --interactive
expect 'killed' on_terminal 143 size:80x24 'wait:describe()' signal:TERM -- -k 2 --interactive
expect 'a crash' on_terminal 139 size:80x24 'wait:describe()' signal:SEGV -- -k 2 --interactive
expect 'Ctrl-Z and back' on_terminal 0 size:80x24 'wait:describe()' key:$'\x1a' stopped continue 'wait:s save' key:q -- -k 2 --interactive
expect 'a terminal that goes away' on_terminal 129 size:80x24 'wait:describe()' hangup -- -k 2 --interactive

# Requests that cannot be served
fails() {             # TEXT ARGUMENT...
	status 2 "$sherd" chains "${component[@]}" "${@:2}" < /dev/null && grep -qF -- "$1" "$work/err" || { cat "$work/err"; return 1; }
}
expect 'no terminal' fails '--interactive needs a terminal, but standard input is no terminal: leave it out' -k 2 --interactive
expect 'a format' on_terminal 2 size:200x24 'wait:--interactive writes to the terminal only' -- -k 2 --interactive --format csv
exit $failed
