# SPDX-License-Identifier: Apache-2.0
# the libraries in the sources of redis, and its server
links="-lm -ldl -lpthread"
at=redis/deps
exports="$at/hiredis/hiredis.h $at/hiredis/async.h $at/hiredis/read.h $at/hiredis/sds.h $at/lua/src/lua.h $at/lua/src/lauxlib.h
	$at/lua/src/lualib.h $at/hdr_histogram/hdr_histogram.h redis/undeclared"
build() {
	fetch redis
	make $jobs -C src CC="$CC" MALLOC=libc OPTIMIZATION=-O0 BUILD_TLS=no USE_SYSTEMD=no redis-server
	printf 'luaopen_%s\n' bit cjson cmsgpack struct > undeclared
	library="$PWD/deps/hiredis/libhiredis.a $PWD/deps/lua/src/liblua.a $PWD/deps/hdr_histogram/libhdrhistogram.a"
	client=$PWD/src/redis-server
}
