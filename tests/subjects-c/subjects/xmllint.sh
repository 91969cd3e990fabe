# SPDX-License-Identifier: Apache-2.0
# libxml2 and the program that checks documents
packages="cmake zlib1g-dev"
links="-lz -lm"
build() {
	fetch libxml2
	mkdir -p out
	cd out
	cmake_here .. -DBUILD_SHARED_LIBS=OFF -DLIBXML2_WITH_PYTHON=OFF -DLIBXML2_WITH_LZMA=OFF -DLIBXML2_WITH_ICU=OFF -DLIBXML2_WITH_TESTS=OFF
	make $jobs LibXml2 xmllint
	exports=$(cd "$dir/source" && ls libxml2/include/libxml/*.h | grep -v /xmlexports)      # that one has macros only
	library=$PWD/libxml2.a client=$PWD/xmllint
}
