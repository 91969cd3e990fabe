# SPDX-License-Identifier: Apache-2.0
component='org.jsoup.**'
source=jsoup
packages="libjsr305-java libgoogle-gson-java"
library_jars=jsr305
test_jars=gson
leave_out='org\.eclipse\.jetty|integration\.TestServer|integration\.servlets'   # they need a server
# Debian leaves that page out of the source.
before_compile() {
	sed -i 's/public void testBaidu/@org.junit.jupiter.api.Disabled &/' "$tests/org/jsoup/integration/ParseTest.java"
}
