# SPDX-License-Identifier: Apache-2.0
# libbz2 and the program that packs and unpacks with it
exports="bzip2/bzlib.h"
build() {
	fetch bzip2
	make $jobs CC="$CC" libbz2.a bzip2
	library=$PWD/libbz2.a client=$PWD/bzip2.o
}
