# SPDX-License-Identifier: Apache-2.0
# the interpreter of Lua as a library, and its command
links="-lm -ldl"
exports="lua5.4/src/lua.h lua5.4/src/lauxlib.h lua5.4/src/lualib.h"
build() {
	fetch lua5.4
	cd src
	for f in *.c; do
		"$CC" -std=gnu99 -DLUA_USE_LINUX -DLUA_COMPAT_5_3 -c "$f"
	done
	library=$(ls "$PWD"/*.o | grep -vE '/(lua|luac)\.o$') client=$PWD/lua.o
}
