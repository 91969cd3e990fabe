# SPDX-License-Identifier: Apache-2.0
# the libraries in the sources of redis, and its server
links="-lm -ldl -lpthread"
build() {
	fetch redis
	make $jobs -C src CC="$CC" MALLOC=libc OPTIMIZATION=-O0 BUILD_TLS=no USE_SYSTEMD=no redis-server
	library="$PWD/deps/hiredis/libhiredis.a $PWD/deps/lua/src/liblua.a $PWD/deps/hdr_histogram/libhdrhistogram.a"
	client=$PWD/src/redis-server
}
