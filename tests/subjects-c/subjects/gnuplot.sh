# SPDX-License-Identifier: Apache-2.0
# libgd and the program that plots
packages="zlib1g-dev libpng-dev libjpeg-dev libfreetype-dev autoconf automake"
links="-lz -lpng -ljpeg -lm"
exports="libgd2/src/gd.h libgd2/src/gdfont?.h libgd2/src/gdfont??.h"
build() {
	fetch libgd2
	gd=$PWD
	configure --disable-shared --without-xpm --without-webp --without-tiff --without-fontconfig --without-freetype --without-liq \
		--without-heif --without-avif --without-raqm --with-png --with-jpeg --with-zlib
	make $jobs -C src libgd.la
	fetch gnuplot
	mkdir -p src/beos             # the release lacks a file that configure names
	: >> src/beos/Makefile.in
	[ -f configure ] || autoreconf -fi
	# Its configure links freetype when it looks for libgd.
	SHERD_CC_OFF=1 ./configure CC="$CC" CFLAGS="-O0 -I$gd/src" LDFLAGS="-L$gd/src/.libs" --with-gd="$gd" --without-qt --disable-wxwidgets \
		--without-lua --without-cairo --without-x --without-readline --without-libcerf --without-latex --disable-history-file
	grep -q '^#define HAVE_LIBGD 1' config.h || fail "it is not configured with libgd"
	make $jobs -C src gnuplot
	library=$gd/src/.libs/libgd.a client=$PWD/src/gnuplot
}
