# SPDX-License-Identifier: Apache-2.0
# readline, as it is in the shell, and the shell
packages="libtinfo-dev bison"
links="-ltinfo -ldl"
build() {
	fetch bash
	[ -f configure ] || tar xf bash-*.tar* --strip-components=1
	configure --without-bash-malloc --disable-nls
	make $jobs bash
	library=$(modules bash | grep /lib/readline/) client=$PWD/bash
}
