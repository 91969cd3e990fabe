# SPDX-License-Identifier: Apache-2.0
# libiberty and the program that tests its demanglers
exports="libiberty/include/demangle.h libiberty/include/libiberty.h"
build() {
	fetch libiberty
	cd libiberty
	configure
	make $jobs libiberty.a
	"$CC" -I. -I../include -DHAVE_CONFIG_H -c testsuite/test-demangle.c -o test-demangle.o
	library=$PWD/libiberty.a client=$PWD/test-demangle.o
}
