# SPDX-License-Identifier: Apache-2.0
# readline and the calculator
. "$here/subjects/readline.inc"
packages="libtinfo-dev texinfo bison flex ed"
links="-lhistory -ltinfo"
build() {
	build_readline
	mkdir -p "$dir/include"
	ln -sfn "$PWD" "$dir/include/readline"
	at=$PWD
	fetch bc
	SHERD_CC_OFF=1 ./configure CC="$CC" CFLAGS="-O0 -I$dir/include" LDFLAGS="-L$at" LIBS="-lhistory -ltinfo" --with-readline
	none="ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=: MAKEINFO=:"
	make -C lib $none
	make -C bc $none bc
	library=$readline client=$PWD/bc/bc
}
