# SPDX-License-Identifier: Apache-2.0
# expat and the program that checks whether documents are well-formed
packages="cmake"
exports="expat/expat/lib/expat.h"
build() {
	fetch expat
	mkdir -p out
	cd out
	cmake_here ../expat -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_BUILD_DOCS=OFF
	make $jobs expat xmlwf
	library=$PWD/libexpat.so client=$PWD/xmlwf/xmlwf
}
