# SPDX-License-Identifier: Apache-2.0
component='org.apache.commons.codec.**'
source=libcommons-codec-java
packages=libcommons-lang3-java
test_jars=commons-lang3
not_run='.*PerformanceTest$'
# It needs a heap of more than 6 GB.
before_compile() {
	sed -i 's/public void testCodec265/@org.junit.Ignore &/' "$tests/org/apache/commons/codec/binary/Base64Test.java"
}
