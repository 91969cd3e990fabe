# SPDX-License-Identifier: Apache-2.0
# libtiff and the program that prints pictures
packages="cmake zlib1g-dev libjpeg-dev"
links="-lz -ljpeg -lm"
exports="tiff/libtiff/tiffio.h"
build() {
	fetch tiff
	mkdir -p out
	cd out
	cmake_here .. -DBUILD_SHARED_LIBS=OFF -Djbig=OFF -Dlzma=OFF -Dzstd=OFF -Dwebp=OFF -Dlibdeflate=OFF -Dlerc=OFF -Dcxx=OFF -Dtiff-tests=OFF
	make $jobs tiff tiff2ps
	library=$PWD/libtiff/libtiff.a client=$PWD/tools/tiff2ps
}
