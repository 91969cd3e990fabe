# SPDX-License-Identifier: Apache-2.0
# SQLite and its shell
packages="tcl"
links="-lm -ldl -lpthread"
exports="sqlite3/sqlite3.h"
build() {
	fetch sqlite3
	configure --disable-shared --disable-tcl --disable-readline
	make sqlite3.c shell.c
	"$CC" -I. -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_DBSTAT_VTAB -c sqlite3.c
	"$CC" -I. -c shell.c
	library=$PWD/sqlite3.o client=$PWD/shell.o
}
