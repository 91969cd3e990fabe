# SPDX-License-Identifier: Apache-2.0
# zlib and the program that writes archives with it
. "$here/subjects/zlib.inc"
build() {
	build_zlib
	cd contrib/minizip
	for f in minizip zip ioapi; do
		"$CC" -I../.. -c $f.c
	done
	library=$zlib client="$PWD/minizip.o $PWD/zip.o $PWD/ioapi.o"
}
