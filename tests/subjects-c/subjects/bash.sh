# SPDX-License-Identifier: Apache-2.0
# readline, as it is in the shell, and the shell
packages="libtinfo-dev bison"
links="-ltinfo -ldl"
exports="bash/lib/readline/readline.h bash/lib/readline/history.h bash/lib/readline/rlmbutil.h"
build() {
	fetch bash
	[ -f configure ] || tar xf bash-*.tar* --strip-components=1
	configure --without-bash-malloc --disable-nls
	make $jobs bash
	library=$(modules bash | grep /lib/readline/) client=$PWD/bash
}
