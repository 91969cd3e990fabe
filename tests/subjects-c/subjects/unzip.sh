# SPDX-License-Identifier: Apache-2.0
# zlib and the program that reads archives with it
. "$here/subjects/zlib.inc"
build() {
	build_zlib
	at=$PWD
	fetch unzip
	# only its objects matter: the build may fail to link
	make -f unix/Makefile CC="$CC" LD="$CC" CF="-I. -I$at -DUNIX -DUSE_ZLIB -DLARGE_FILE_SUPPORT -DUNICODE_SUPPORT \
		-DUNICODE_WCHAR -DUTF8_MAYBE_NATIVE -DNO_LCHMOD -DHAVE_DIRENT_H -DHAVE_TERMIOS_H -D_MBCS" LF2= SL2= FL2= D_USE_BZ2= L_BZ2= \
		LIBBZ2= LF="-o unzip -L$at -lz" unzip || [ -f process.o ]
	library=$zlib client=$(ls "$PWD"/*.o)
}
