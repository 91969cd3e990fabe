# SPDX-License-Identifier: Apache-2.0
# kept.sh - what scripts build and need again the next time; read by `.`; needs $build.

# kept NAME KEY COMMAND...: runs the command with the folder $build/subjects/NAME, new and empty, as its last argument, unless
# that was done for this key. The folder's name is left in $kept.
kept() {
	kept=$build/subjects/$1 kept_key=$2
	shift 2
	[ "$(cat "$kept/made" 2>/dev/null)" != "$kept_key" ] || return 0
	rm -rf "$kept"
	mkdir -p "$kept"
	"$@" "$kept" && echo "$kept_key" >"$kept/made"
}

# key FILE-OR-TEXT...: a checksum of files and texts
key() {
	for key_part; do
		if [ -f "$key_part" ]; then cat "$key_part"; else echo "$key_part"; fi
	done | cksum
}
