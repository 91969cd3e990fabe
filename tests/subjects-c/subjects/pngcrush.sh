# SPDX-License-Identifier: Apache-2.0
# libpng and the program that makes pictures smaller
packages="zlib1g-dev"
links="-lz -lm"
exports="libpng1.6/png.h"
build() {
	fetch libpng1.6
	png=$PWD
	configure --disable-shared
	make $jobs libpng16.la
	fetch pngcrush
	"$CC" -I"$png" -I. -c pngcrush.c
	library=$png/.libs/libpng16.a client=$PWD/pngcrush.o
}
