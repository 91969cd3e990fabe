# SPDX-License-Identifier: Apache-2.0
# libjpeg and the program that packs pictures
packages="cmake"
links="-lm"
exports="libjpeg-turbo/jpeglib.h"
build() {
	fetch libjpeg-turbo
	mkdir -p out
	cd out
	cmake_here .. -DWITH_SIMD=0 -DENABLE_SHARED=0 -DWITH_TURBOJPEG=0
	make $jobs jpeg-static cjpeg-static
	library=$PWD/libjpeg.a client=$PWD/cjpeg-static
}
